//! The connector of a gateway, and the addresses that the gateway is given.

use alloc::string::String;

use crate::attempt::Attempt;
use crate::gateway;
use crate::gateway::connector::{Connector, Credentials};
use crate::gateway::profile::Profile;
use crate::installation::Installation;
use crate::port::{PortError, Vault, World};
use crate::record::return_token::ReturnToken;
use crate::route::Route;
use crate::settings::MerchantSettings;
use crate::value::id::ReferenceNumber;
use crate::words::Language;

/// A connector of a profile, with its credentials decrypted; `None` for cash.
pub(crate) fn speak(
    world: &impl World,
    settings: &MerchantSettings,
    profile: &Profile,
) -> Result<Option<impl Connector>, PortError> {
    let Some(sealed) = &profile.api_key else { return Ok(None) };
    let api_key = world.vault().open(&settings.merchant, sealed)?;
    Ok(gateway::connector(profile.connector, Credentials { endpoint: profile.endpoint.clone(), api_key }))
}

/// The address at which the payer's browser comes back from the gateway, with the language that they chose on
/// the page.
pub(crate) fn return_url(installation: &Installation, attempt: &Attempt, chosen: Option<Language>) -> String {
    let token = ReturnToken::of(&attempt.session_id, &attempt.reference);
    let path = Route::GatewayReturn(attempt.reference.clone(), Some(token)).path();
    let query = chosen.map(|language| alloc::format!("?language={}", language.as_str())).unwrap_or_default();
    alloc::format!("{}{path}{query}", installation.public_url)
}

/// The address at which the gateway reports by itself about an attempt or an operation.
pub(crate) fn callback_url(installation: &Installation, reference: &ReferenceNumber) -> String {
    alloc::format!("{}{}", installation.public_url, Route::GatewayCallback(reference.clone()).path())
}
