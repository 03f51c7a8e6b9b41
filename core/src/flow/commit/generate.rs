//! Generates the names of what is new: session ids and reference numbers.

use crate::operation::begin::Names;
use crate::port::{PortError, Rng, World};
use crate::settings::MerchantSettings;
use crate::value::id::{ReferenceNumber, SessionId};

/// The shard in which every transaction lives today.
const SHARD: u8 = 0;

/// The id of a new transaction.
pub(in crate::flow) fn session_id(world: &impl World) -> Result<SessionId, PortError> {
    let mut random = [0; 19];
    world.rng().fill(&mut random)?;
    Ok(SessionId::generate(SHARD, random))
}

/// The reference of a new attempt or operation of a merchant.
pub(in crate::flow) fn reference(
    world: &impl World,
    settings: &MerchantSettings,
) -> Result<ReferenceNumber, PortError> {
    let mut random = [0; 8];
    world.rng().fill(&mut random)?;
    Ok(ReferenceNumber::generate(&settings.reference_prefix, random))
}

/// The names of a new child transaction.
pub(in crate::flow) fn names(world: &impl World, settings: &MerchantSettings) -> Result<Names, PortError> {
    Ok(Names { session_id: session_id(world)?, reference: reference(world, settings)? })
}
