//! The connector of a gateway, the addresses that the gateway is given, and the key of signatures.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::usage::CardUse;
use crate::gateway::charge::ChargeRef;
use crate::gateway::connector::Connector;
use crate::gateway::credentials::{Credentials, StoredCredential};
use crate::gateway::page_form::GatewayPage;
use crate::gateway::profile::Profile;
use crate::installation::Installation;
use crate::port::{PortError, Vault, World};
use crate::record::return_token::ReturnToken;
use crate::route::Route;
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::id::ReferenceNumber;
use crate::words::Language;

/// A connector of a profile, with its credentials decrypted; `None` if there is no gateway to call.
pub(crate) fn speak(
    world: &impl World,
    settings: &MerchantSettings,
    profile: &Profile,
) -> Result<Option<Box<dyn Connector>>, PortError> {
    let Some(connect) = profile.connector.declaration().connect else { return Ok(None) };
    Ok(Some(connect(open_credentials(world, settings, profile)?)))
}

/// The key of the field `signature` at this moment, decrypted. Receivers check it by real time.
pub(crate) fn signature_key(world: &impl World, situation: &Situation) -> Result<String, PortError> {
    let settings = &situation.settings;
    let key = settings.webhook.hmac_key_at(situation.real_now());
    world.vault().open(&settings.merchant, key)
}

/// The credentials of a profile, decrypted.
pub(crate) fn open_credentials(
    world: &impl World,
    settings: &MerchantSettings,
    profile: &Profile,
) -> Result<Credentials, PortError> {
    let mut values = BTreeMap::new();
    for (name, stored) in &profile.credentials {
        let value = match stored {
            StoredCredential::Public(value) => value.clone(),
            StoredCredential::Secret(sealed) => world.vault().open(&settings.merchant, sealed)?,
        };
        values.insert(*name, value);
    }
    Ok(Credentials { endpoint: profile.endpoint.clone(), is_test: profile.sandbox, values })
}

/// What a connector needs to know of a charge that was opened before.
pub(crate) fn charge_ref(attempt: &Attempt) -> ChargeRef {
    ChargeRef {
        reference: attempt.reference.clone(),
        gateway_id: attempt.gateway_id.clone(),
        total: attempt.quote.total,
        operation: attempt.operation,
        form: attempt.form_of_payment,
        saves_card: attempt.card == CardUse::Save,
        params: attempt.params.clone(),
        opened_at: attempt.opened_at,
    }
}

/// The address at which the payer's browser comes back from the gateway, with the language that they chose on
/// the page.
pub(crate) fn return_url(installation: &Installation, attempt: &Attempt, chosen: Option<Language>) -> String {
    own_address(installation, attempt, chosen, Route::GatewayReturn)
}

/// An address of ours that only the payer of an attempt knows.
fn own_address(
    installation: &Installation,
    attempt: &Attempt,
    chosen: Option<Language>,
    route: fn(ReferenceNumber, Option<ReturnToken>) -> Route,
) -> String {
    let token = ReturnToken::of(&attempt.session_id, &attempt.reference);
    let path = route(attempt.reference.clone(), Some(token)).path();
    let query = chosen.map(|language| alloc::format!("?language={}", language.as_str())).unwrap_or_default();
    alloc::format!("{}{path}{query}", installation.public_url)
}

/// The page of its gateway on which an attempt waits for the payer. There is none once the transaction is paid, by whichever
/// attempt: nobody is led to pay once more.
pub(crate) fn waiting_page<'a>(transaction: &Transaction, attempt: &'a Attempt) -> Option<GatewayPage<'a>> {
    let waits = attempt.stage == Stage::Redirected && transaction.state.is_payable();
    attempt.page_url.as_deref().filter(|_| waits).and_then(GatewayPage::parse)
}

/// The address at which the payer of an attempt goes on at its gateway, while a page waits for them there.
pub(crate) fn page_address(
    installation: &Installation,
    transaction: &Transaction,
    attempt: &Attempt,
    chosen: Option<Language>,
) -> Option<String> {
    Some(match waiting_page(transaction, attempt)? {
        GatewayPage::Address(url) => url.into(),
        GatewayPage::Form(_) => own_address(installation, attempt, chosen, Route::GatewayForward),
    })
}

/// The address at which the gateway reports by itself about an attempt or an operation.
pub(crate) fn callback_url(installation: &Installation, reference: &ReferenceNumber) -> String {
    alloc::format!("{}{}", installation.public_url, Route::GatewayCallback(reference.clone()).path())
}
