//! What a checkout SDK needs to offer the payment methods: in the answer to create, update, and to the SDK's
//! own first call.
//!
//! Decision: the SDK's own call is answered to anyone who knows the session id, so it leaves out who the
//! customer is and the gateway's raw answer; the merchant's server gets them.

mod decline;
mod flexible;
mod scene;
pub(crate) mod services;

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub use self::scene::SdkAudience;
pub(crate) use self::scene::SdkScene;
use crate::answer::billing::billing;
use crate::answer::merchant_link::merchant_link;
use crate::answer::method::{card_marks, chosen_terms, method_members};
use crate::answer::said::message;
use crate::answer::sdk::decline::decline;
use crate::answer::sdk::flexible::flex_method;
use crate::answer::sdk::services::services;
use crate::answer::token::{self, cards};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::gateway::decline as declined;
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::mark::Mark;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::payment::next_way::{TriedSoFar, next_way};
use crate::payment::principal::{choice, chosen_before};
use crate::payment::routing::{methods, offered};
use crate::route::Route;
use crate::sdk::callback::{CanceledBy, GatewayInfo, PendingResult, SdkCallback, SdkStatus};
use crate::sdk::card::CardShown;
use crate::sdk::method::{MethodMembers, RedirectFlow};
use crate::sdk::session::{CheckoutSdk, Studio};
use crate::strings::screen::PageStatus;
use crate::transaction::Transaction;
use crate::words::decline::DeclineReason;

/// The object for an SDK.
#[must_use]
pub(crate) fn checkout_sdk(scene: &SdkScene<'_>) -> CheckoutSdk {
    let SdkScene { transaction, latest, situation, public_url, .. } = *scene;
    let settings = &situation.settings;
    let details = &transaction.details;
    let is_merchant = scene.audience == SdkAudience::Merchant;
    let has_open = Attempt::has_open(latest);
    let state = transaction.state_at(situation.now, has_open);
    let is_payable = scene.status.can_pay();
    let open = latest.filter(|latest| latest.is_open()).map(|latest| &latest.pg_code);
    let offered_methods = if is_payable { methods(transaction, situation, open) } else { Vec::new() };
    let (flex, plain): (Vec<_>, Vec<_>) =
        offered_methods.into_iter().partition(|(profile, _)| profile.flexible().is_some());
    let cancel = Route::SdkCancel(transaction.session_id.clone()).path();
    CheckoutSdk {
        amount: transaction.amount.to_string(),
        billing: billing(transaction, offered(transaction, situation).next()),
        cancel_url: alloc::format!("{public_url}{cancel}"),
        cards: cards_of(scene, is_payable),
        checkout_url: alloc::format!(
            "{public_url}{}?session_id={}",
            Route::CheckoutPage.path(),
            transaction.session_id
        ),
        currency_code: transaction.amount.currency(),
        customer_id: details.customer_id.clone().filter(|_| is_merchant),
        customer_phone: details.customer_phone.clone().filter(|_| is_merchant),
        expiration_time: transaction.expires_at.into(),
        flex_methods: flex
            .into_iter()
            .filter_map(|(profile, quote)| flex_method(scene, profile, quote))
            .collect(),
        is_amount_editable: choice(transaction).is_some(),
        is_paused: scene.status == PageStatus::Paused,
        is_sandbox: settings.has_test_gateway(&transaction.pg_codes),
        language: details.language(),
        next_way: offered_next(scene).map(Box::new),
        operation: transaction.operation,
        payment_methods: plain.into_iter().map(|(profile, quote)| method(scene, profile, quote)).collect(),
        payment_services: services(scene, is_payable),
        payment_type: details.payment_type,
        response: latest.and_then(|attempt| response_or_question(scene, attempt)).map(Box::new),
        sdk_studio: Studio {},
        session_id: transaction.session_id.clone(),
        state,
        kind: transaction.plugin,
    }
}

/// The saved cards, each with the addresses at which the payer pays with it and deletes it.
fn cards_of(scene: &SdkScene<'_>, is_payable: bool) -> Vec<CardShown> {
    let SdkScene { transaction, public_url, .. } = *scene;
    let offered = if is_payable { scene.cards } else { &[] };
    let shown = token::CardListScene {
        settings: &scene.situation.settings,
        now: scene.situation.now,
        is_payer: scene.audience == SdkAudience::Payer,
        sdk: Some(transaction.details.language()),
    };
    cards(offered, &shown, |saved, card| {
        let token = saved.card.token.as_str().to_string();
        let delete = Route::SdkDeleteCard(transaction.session_id.clone(), token).path();
        let submit = Route::SdkSubmitToken.path();
        CardShown {
            delete_url: Some(alloc::format!("{public_url}{delete}")),
            mark: saved.card.brand.as_deref().and_then(|brand| Mark::of_brand(brand).address(public_url)),
            submit_url: Some(alloc::format!("{public_url}{submit}")),
            ..card
        }
    })
}

/// One payment method that uses the gateway's page.
fn method(scene: &SdkScene<'_>, profile: &Profile, quote: Quote) -> MethodMembers {
    let SdkScene { transaction, public_url, .. } = *scene;
    let submit = Route::SdkSubmit(transaction.session_id.clone()).path();
    MethodMembers {
        billing: Some(billing(transaction, Some((profile, quote)))),
        can_save_card: Some(profile.can_save_card(transaction)),
        card_brands: card_marks(profile, public_url),
        is_cash: profile.is_cash(),
        mark: Mark::of_gateway(profile).address(public_url).filter(|_| profile.icon.is_none()),
        pg_code: Some(profile.code.clone()),
        submit_url: Some(alloc::format!("{public_url}{submit}")),
        terms: chosen_terms(transaction, profile),
        ..method_members(transaction, profile, quote, public_url)
    }
}

/// The other way to pay that is offered after a soft decline, the one that the hosted page offers; `None` if there is none.
fn offered_next(scene: &SdkScene<'_>) -> Option<MethodMembers> {
    let SdkScene { transaction, latest, attempts, situation, .. } = *scene;
    let latest = latest?;
    let principal = chosen_before(transaction, latest);
    let way = next_way(transaction, situation, TriedSoFar { latest, attempts, principal })?;
    Some(MethodMembers {
        chosen_amount: choice(transaction).map(|_| principal.to_string()),
        is_same: way.is_same,
        ..method(scene, way.profile, way.profile.quote(principal)?)
    })
}

/// The outcome of an attempt, also if a person has yet to decide about it; `None` while it is open.
fn response_or_question(scene: &SdkScene<'_>, attempt: &Attempt) -> Option<SdkCallback> {
    let asked = || attempt.is_questioned().then(|| awaited(scene.transaction, attempt));
    response(scene, attempt).or_else(asked)
}

/// The outcome of an attempt; `None` while it is open, or a person has yet to decide about it.
pub(crate) fn response(scene: &SdkScene<'_>, attempt: &Attempt) -> Option<SdkCallback> {
    if attempt.is_questioned() {
        return None;
    }
    let transaction = scene.transaction;
    let reason = declined::reason(&attempt.params);
    let (status, usual) = match attempt.stage {
        Stage::Sending | Stage::Redirected | Stage::Unknown => return None,
        Stage::Success | Stage::Cod => (SdkStatus::Success, "the payment succeeded"),
        Stage::Failed => (SdkStatus::Canceled, "the payment was declined"),
        Stage::Canceled => (SdkStatus::Canceled, "the payment was given up"),
        Stage::Error => (SdkStatus::Error, "the gateway did not take the payment"),
    };
    let canceled_by = match attempt.stage {
        Stage::Canceled => Some(CanceledBy::Payer),
        // Some gateways call it a decline that the payer left.
        Stage::Failed if reason == Some(DeclineReason::CanceledByPayer) => Some(CanceledBy::Payer),
        Stage::Failed => Some(CanceledBy::Bank),
        Stage::Sending | Stage::Redirected | Stage::Unknown | Stage::Success | Stage::Cod | Stage::Error => {
            None
        }
    };
    let raw = attempt.response.as_deref().filter(|_| scene.audience == SdkAudience::Merchant);
    let link = || merchant_link(transaction, Some(attempt), scene.reach).map(|link| link.url);
    Some(SdkCallback {
        canceled_by,
        challenge_occurred: Some(false),
        decline: reason
            .filter(|_| attempt.stage == Stage::Failed)
            .and_then(|reason| decline(reason, transaction.details.payment_type)),
        form_of_payment: attempt.form_of_payment,
        message: message(transaction, attempt).unwrap_or(usual).to_string(),
        method: None,
        order_no: transaction.details.order_no.clone(),
        payment_gateway_info: Some(GatewayInfo {
            code: attempt.pg_code.clone(),
            name: attempt.pg_name.to_ascii_lowercase(),
            response: raw.and_then(|raw| serde_json::from_str(raw).ok()),
        }),
        redirect_url: if status == SdkStatus::Success { link() } else { None },
        reference_number: Some(attempt.reference.clone()),
        result: None,
        session_id: transaction.session_id.clone(),
        status,
    })
}

/// What an SDK gets about an attempt whose outcome is open. Decision: SDKs know no word for it, and `canceled` or
/// `error` would call failed what may have been charged. They know that a payment goes on at another page: that is
/// where the payer waits, and `result` says the truth.
#[must_use]
pub(crate) fn awaited(transaction: &Transaction, attempt: &Attempt) -> SdkCallback {
    SdkCallback {
        challenge_occurred: Some(true),
        message: "the payment is not confirmed yet".to_string(),
        method: Some(RedirectFlow::Redirect),
        result: Some(PendingResult::Pending),
        status: SdkStatus::ThreeDs,
        ..canceled(transaction, Some(attempt))
    }
}

/// What an SDK gets about a payment that could not begin.
#[must_use]
pub(crate) fn failed(transaction: &Transaction, form: FormOfPayment, message: String) -> SdkCallback {
    SdkCallback { form_of_payment: form, message, status: SdkStatus::Error, ..canceled(transaction, None) }
}

/// What an SDK gets about a cancellation; if someone tried to pay, with what was tried last.
#[must_use]
pub fn canceled(transaction: &Transaction, latest: Option<&Attempt>) -> SdkCallback {
    SdkCallback {
        canceled_by: None,
        challenge_occurred: Some(false),
        decline: None,
        form_of_payment: latest.map_or(FormOfPayment::Redirect, |attempt| attempt.form_of_payment),
        message: "the payment was canceled".to_string(),
        method: None,
        order_no: transaction.details.order_no.clone(),
        payment_gateway_info: latest.map(|attempt| GatewayInfo {
            code: attempt.pg_code.clone(),
            name: attempt.pg_name.to_ascii_lowercase(),
            response: None,
        }),
        redirect_url: None,
        reference_number: latest.map(|attempt| attempt.reference.clone()),
        result: None,
        session_id: transaction.session_id.clone(),
        status: SdkStatus::Canceled,
    }
}
