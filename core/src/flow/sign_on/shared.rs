//! A provider and an audience are those of one merchant only: a token names its merchant by both.

use core::slice::from_ref;

use crate::flow::Failure;
use crate::port::{Registry, World};
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::violation::{AccessRule, Rule, Violation};

/// Refuses settings whose provider and audience are those of another merchant.
///
/// # Errors
/// [`Rejection::Invalid`], or a failure of the world.
pub(in crate::flow) async fn refuse_shared(
    world: &impl World,
    settings: &MerchantSettings,
) -> Result<(), Failure> {
    let Some(own) = &settings.single_sign_on else { return Ok(()) };
    let found = world.store().settings_of_provider(&own.issuer, from_ref(&own.audience)).await?;
    let Some(other) = found.filter(|found| found.merchant != settings.merchant) else { return Ok(()) };
    // What was found may be of an earlier version.
    let other = world.store().settings(&other.merchant).await?.and_then(|other| other.single_sign_on.clone());
    if other.is_some_and(|other| other.issuer == own.issuer && other.audience == own.audience) {
        let violation = Violation::new("single_sign_on.audience", Rule::Access(AccessRule::ProviderTaken));
        return Err(Rejection::Invalid([violation].into()).into());
    }
    Ok(())
}
