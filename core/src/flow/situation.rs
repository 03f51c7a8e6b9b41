//! The situation of a request, made where its merchant is loaded.

use crate::port::{Clock, PortError, Registry, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::value::id::MerchantId;

use super::Failure;

/// The situation of a merchant about which something is stored.
pub(crate) async fn situation_of(world: &impl World, merchant: &MerchantId) -> Result<Situation, PortError> {
    let found = world.directory().merchant(merchant).await?;
    let missing = || PortError { port: "registry", detail: "something is stored of no merchant".into() };
    Ok(found.ok_or_else(missing)?.at(world.clock().now()))
}

/// The situation of a merchant that a request names.
///
/// # Errors
/// [`Rejection::NotFound`] if there is none, or a failure of the world.
pub(crate) async fn known(world: &impl World, merchant: &MerchantId) -> Result<Situation, Failure> {
    let found = world.directory().merchant(merchant).await?.ok_or(Rejection::NotFound)?;
    Ok(found.at(world.clock().now()))
}

impl Situation {
    /// The same situation after someone outside was asked, whose answer may have taken seconds. Only what comes after such a
    /// question asks the time again; everything else happens at the moment at which the request began.
    #[must_use]
    pub(crate) fn later(&self, world: &impl World) -> Self {
        self.at(world.clock().now())
    }
}
