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
    // What is found first may be of an earlier version, and hide another merchant: what is stored is read, and then asked again.
    for _ in 0..2 {
        let found = world.directory().merchant_of_provider(&own.issuer, from_ref(&own.audience)).await?;
        let Some(other) = found.filter(|found| found.settings.merchant != settings.merchant) else {
            return Ok(());
        };
        let stored = world.directory().merchant(&other.settings.merchant).await?;
        let stored = stored.and_then(|stored| stored.settings.single_sign_on.clone());
        if stored.is_some_and(|stored| stored.issuer == own.issuer && stored.audience == own.audience) {
            let rule = Rule::Access(AccessRule::ProviderTaken);
            let violation = Violation::new("single_sign_on.audience", rule);
            return Err(Rejection::Invalid([violation].into()).into());
        }
    }
    Ok(())
}
