//! Generates the names of what is new: session ids and reference numbers.

use crate::operation::begin::Names;
use crate::port::{PortError, Rng, World};
use crate::settings::MerchantSettings;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::value::slot::{Slot, Slotted};

/// The id of a new transaction in a slot.
pub(in crate::flow) fn session_id(world: &impl World, slot: Slot) -> Result<SessionId, PortError> {
    let mut random = [0; 19];
    world.rng().fill(&mut random)?;
    Ok(SessionId::generate(slot, random))
}

/// The reference of a new attempt or operation of a transaction.
pub(in crate::flow) fn reference(
    world: &impl World,
    settings: &MerchantSettings,
    session_id: &SessionId,
) -> Result<ReferenceNumber, PortError> {
    let mut random = [0; 8];
    world.rng().fill(&mut random)?;
    Ok(ReferenceNumber::generate(&settings.reference_prefix, session_id.slot(), random))
}

/// The names of a new child of a transaction, which is stored with it.
pub(in crate::flow) fn names(
    world: &impl World,
    settings: &MerchantSettings,
    parent: &SessionId,
) -> Result<Names, PortError> {
    Ok(Names {
        session_id: session_id(world, parent.slot())?,
        reference: reference(world, settings, parent)?,
    })
}
