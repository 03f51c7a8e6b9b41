//! What a checkout SDK needs to offer the payment methods: in the answer to create, update, and to the SDK's
//! own first call.
//!
//! Decision: the SDK's own call is answered to anyone who knows the session id, so it leaves out who the
//! customer is and the gateway's raw answer; the merchant's server gets them.

mod decline;
pub mod payment;
mod scene;
pub(crate) mod services;

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::value::time::Moment;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

pub use self::scene::SdkAudience;
pub(crate) use self::scene::SdkScene;
use crate::answer::billing::Billing;
use crate::answer::merchant_link::merchant_link;
use crate::answer::method::{CardMark, MethodMembers};
use crate::answer::said::message;
use crate::answer::sdk::decline::Decline;
use crate::answer::sdk::services::services;
use crate::answer::token::{self, cards};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::gateway::decline as declined;
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::mark::Mark;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::payment::principal::choice;
use crate::payment::routing::{methods, offered};
use crate::route::Route;
use crate::transaction::Transaction;
use crate::words::decline::DeclineReason;
use crate::words::payment_type::PaymentType;

/// The object. Lists of what does not exist yet are empty.
#[derive(Serialize, JsonSchema)]
pub struct CheckoutSdk<'a> {
    /// The total without fees.
    amount: String,
    /// What the first payment method costs.
    billing: Billing<'a>,
    /// Where an SDK cancels the transaction.
    cancel_url: String,
    /// The saved cards with which it can be paid.
    cards: Option<Box<RawValue>>,
    /// The hosted page of the transaction.
    checkout_url: String,
    /// ISO 4217 code.
    currency_code: &'static str,
    /// The merchant's id of the payer, for the merchant's server only.
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_id: Option<&'a str>,
    /// The payer's phone number, for the merchant's server only.
    #[serde(skip_serializing_if = "Option::is_none")]
    customer_phone: Option<&'a str>,
    /// Until when it can be paid.
    expiration_time: Moment,
    /// Always empty.
    flex_methods: [(); 0],
    /// Whether the payer may choose how much to pay.
    is_amount_editable: bool,
    /// The language of the page.
    language: crate::words::Language,
    /// Whether the first gateway charges at once or only holds the money.
    operation: crate::words::Operation,
    /// The methods that use the page of a gateway.
    payment_methods: Vec<MethodMembers<'a>>,
    /// The device wallets.
    payment_services: Option<Box<RawValue>>,
    /// What the payment is for.
    payment_type: PaymentType,
    /// The outcome of the latest attempt; an empty object while there is none.
    response: SdkOutcome<'a>,
    /// Always an empty object.
    sdk_studio: Studio,
    /// The transaction.
    session_id: &'a str,
    /// Its state.
    state: crate::state::State,
    /// The plugin.
    #[serde(rename = "type")]
    kind: crate::words::Plugin,
}

/// How the SDK looks: none of it can be configured yet.
#[derive(Serialize, JsonSchema)]
struct Studio {}

/// The outcome of an attempt as an SDK decodes it: always an object.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum SdkOutcome<'a> {
    Known(Box<SdkCallback<'a>>),
    None {},
}

/// What an SDK gets about an attempt: `success`, `canceled` (also for a declined payment), or `error` if it
/// certainly did not reach the gateway.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CallbackPayload")]
pub struct SdkCallback<'a> {
    /// Who ended an attempt whose status is `canceled`: the bank, which declined it, or the payer, who left its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["bank", "payer"]))]
    canceled_by: Option<&'static str>,
    /// Whether the payer goes on to another page before the outcome is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    challenge_occurred: Option<bool>,
    /// Why the bank declined it, if it said so and the payer may read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    decline: Option<Decline>,
    /// How it was paid.
    form_of_payment: FormOfPayment,
    /// For the reader.
    pub(crate) message: String,
    /// With the status `3DS`: the payer goes on to `redirect_url`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["redirect"]))]
    method: Option<&'static str>,
    /// The merchant's order number.
    #[serde(skip_serializing_if = "Option::is_none")]
    order_no: Option<&'a str>,
    /// The gateway that was used last.
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_gateway_info: Option<GatewayInfo<'a>>,
    /// Where the payer goes now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) redirect_url: Option<String>,
    /// The reference number of the attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_number: Option<&'a str>,
    /// `pending` while nobody knows whether it was charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["pending"]))]
    result: Option<&'static str>,
    /// The transaction.
    session_id: &'a str,
    /// The outcome; `3DS` while it is not known, and the payer waits at `redirect_url`.
    #[schemars(extend("enum" = ["success", "canceled", "error", "3DS"]))]
    status: &'static str,
}

#[derive(Serialize, JsonSchema)]
struct GatewayInfo<'a> {
    /// The code of the gateway.
    #[serde(rename = "pg_code")]
    code: &'a str,
    /// The family of the gateway.
    #[serde(rename = "pg_name")]
    name: String,
    /// The gateway's own answer, for the merchant's server only.
    #[serde(rename = "pg_response", skip_serializing_if = "Option::is_none")]
    response: Option<&'a RawValue>,
}

/// The object for an SDK.
#[must_use]
pub(crate) fn checkout_sdk<'a>(scene: &SdkScene<'a>) -> CheckoutSdk<'a> {
    let SdkScene { transaction, latest, situation, public_url, .. } = *scene;
    let settings = &situation.settings;
    let details = &transaction.details;
    let is_merchant = scene.audience == SdkAudience::Merchant;
    let has_open = Attempt::has_open(latest);
    let state = transaction.state_at(situation.now, has_open);
    let is_payable = state.is_payable() && !settings.is_paused;
    let cancel = Route::SdkCancel(transaction.session_id.clone()).path();
    CheckoutSdk {
        amount: transaction.amount.to_string(),
        billing: Billing::of(transaction, offered(transaction, situation).next()),
        cancel_url: alloc::format!("{public_url}{cancel}"),
        cards: cards_of(scene, is_payable),
        checkout_url: alloc::format!(
            "{public_url}{}?session_id={}",
            Route::CheckoutPage.path(),
            transaction.session_id
        ),
        currency_code: transaction.amount.currency().code(),
        customer_id: details.customer_id.as_deref().filter(|_| is_merchant),
        customer_phone: details.customer_phone.as_deref().filter(|_| is_merchant),
        expiration_time: transaction.expires_at.into(),
        flex_methods: [],
        is_amount_editable: choice(transaction).is_some(),
        language: details.language(),
        operation: transaction.operation,
        payment_methods: methods(
            transaction,
            situation,
            latest.filter(|latest| latest.is_open()).map(|latest| &latest.pg_code),
        )
        .into_iter()
        .filter(|_| is_payable)
        .map(|(profile, quote)| method(scene, profile, quote))
        .collect(),
        payment_services: services(scene, is_payable),
        payment_type: details.payment_type,
        response: latest
            .and_then(|attempt| response(scene, attempt))
            .map_or(SdkOutcome::None {}, |known| SdkOutcome::Known(Box::new(known))),
        sdk_studio: Studio {},
        session_id: transaction.session_id.as_str(),
        state,
        kind: transaction.plugin,
    }
}

/// The saved cards, each with the addresses at which the payer pays with it and deletes it.
fn cards_of(scene: &SdkScene<'_>, is_payable: bool) -> Option<Box<RawValue>> {
    let SdkScene { transaction, public_url, .. } = *scene;
    let offered = if is_payable { scene.cards } else { &[] };
    let shown = token::CardListScene {
        settings: &scene.situation.settings,
        now: scene.situation.now,
        is_payer: scene.audience == SdkAudience::Payer,
        sdk: Some(transaction.details.language()),
    };
    let list = cards(offered, &shown, |saved| {
        let token = saved.card.token.as_str().to_string();
        let delete = Route::SdkDeleteCard(transaction.session_id.clone(), token).path();
        let submit = Route::SdkSubmitToken.path();
        let mark = saved.card.brand.as_deref().and_then(|brand| Mark::of_brand(brand).address(public_url));
        let mut more = Vec::from([
            ("delete_url", alloc::format!("{public_url}{delete}")),
            ("submit_url", alloc::format!("{public_url}{submit}")),
        ]);
        more.extend(mark.map(|mark| ("mark", mark)));
        more
    });
    RawValue::from_string(list).ok()
}

/// One payment method that uses the gateway's page.
fn method<'a>(scene: &SdkScene<'a>, profile: &'a Profile, quote: Quote) -> MethodMembers<'a> {
    let SdkScene { transaction, public_url, .. } = *scene;
    let submit = Route::SdkSubmit(transaction.session_id.clone()).path();
    MethodMembers {
        billing: Some(Billing::of(transaction, Some((profile, quote)))),
        can_save_card: Some(profile.can_save_card(transaction)),
        card_brands: CardMark::all_of(profile, public_url),
        is_cash: profile.is_cash(),
        mark: Mark::of_gateway(profile).address(public_url).filter(|_| profile.icon.is_none()),
        pg_code: Some(profile.code.as_str()),
        submit_url: Some(alloc::format!("{public_url}{submit}")),
        ..MethodMembers::of(transaction, profile, quote, public_url)
    }
}

/// The outcome of an attempt; `None` while it is open.
pub(crate) fn response<'a>(scene: &SdkScene<'a>, attempt: &'a Attempt) -> Option<SdkCallback<'a>> {
    let transaction = scene.transaction;
    let reason = declined::reason(&attempt.params);
    let (status, usual) = match attempt.stage {
        Stage::Sending | Stage::Redirected | Stage::Unknown => return None,
        Stage::Success | Stage::Cod => ("success", "the payment succeeded"),
        Stage::Failed => ("canceled", "the payment was declined"),
        Stage::Canceled => ("canceled", "the payment was given up"),
        Stage::Error => ("error", "the gateway did not take the payment"),
    };
    let canceled_by = match attempt.stage {
        Stage::Canceled => Some("payer"),
        // Some gateways call it a decline that the payer left.
        Stage::Failed if reason == Some(DeclineReason::CanceledByPayer) => Some("payer"),
        Stage::Failed => Some("bank"),
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
            .and_then(|reason| Decline::of(reason, transaction.details.payment_type)),
        form_of_payment: attempt.form_of_payment,
        message: message(transaction, attempt).unwrap_or(usual).to_string(),
        method: None,
        order_no: transaction.details.order_no.as_deref(),
        payment_gateway_info: Some(GatewayInfo {
            code: attempt.pg_code.as_str(),
            name: attempt.pg_name.to_ascii_lowercase(),
            response: raw.and_then(|raw| serde_json::from_str(raw).ok()),
        }),
        redirect_url: if status == "success" { link() } else { None },
        reference_number: Some(attempt.reference.as_str()),
        result: None,
        session_id: transaction.session_id.as_str(),
        status,
    })
}

/// What an SDK gets about an attempt whose outcome is open. Decision: SDKs know no word for it, and `canceled` or
/// `error` would call failed what may have been charged. They know that a payment goes on at another page: that is
/// where the payer waits, and `result` says the truth.
#[must_use]
pub(crate) fn awaited<'a>(transaction: &'a Transaction, attempt: &'a Attempt) -> SdkCallback<'a> {
    SdkCallback {
        challenge_occurred: Some(true),
        message: "the payment is not confirmed yet".to_string(),
        method: Some("redirect"),
        result: Some("pending"),
        status: "3DS",
        ..canceled(transaction, Some(attempt))
    }
}

/// What an SDK gets about a payment that could not begin.
#[must_use]
pub(crate) fn failed(transaction: &Transaction, form: FormOfPayment, message: String) -> SdkCallback<'_> {
    SdkCallback { form_of_payment: form, message, status: "error", ..canceled(transaction, None) }
}

/// What an SDK gets about a cancellation; if someone tried to pay, with what was tried last.
#[must_use]
pub fn canceled<'a>(transaction: &'a Transaction, latest: Option<&'a Attempt>) -> SdkCallback<'a> {
    SdkCallback {
        canceled_by: None,
        challenge_occurred: Some(false),
        decline: None,
        form_of_payment: latest.map_or(FormOfPayment::Redirect, |attempt| attempt.form_of_payment),
        message: "the payment was canceled".to_string(),
        method: None,
        order_no: transaction.details.order_no.as_deref(),
        payment_gateway_info: latest.map(|attempt| GatewayInfo {
            code: attempt.pg_code.as_str(),
            name: attempt.pg_name.to_ascii_lowercase(),
            response: None,
        }),
        redirect_url: None,
        reference_number: latest.map(|attempt| attempt.reference.as_str()),
        result: None,
        session_id: transaction.session_id.as_str(),
        status: "canceled",
    }
}
