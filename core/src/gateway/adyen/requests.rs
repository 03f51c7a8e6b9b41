//! The requests that open a charge: a payment link for a page, a payment for the token of a wallet and for a saved card.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use serde::Serialize;
use serde_json::value::RawValue;

use super::amount::Amount;
use super::details::{DIRECT, LINK};
use super::{shopper, wallet};
use crate::card::usage::ChargeInitiator;
use crate::gateway::charge::{CardCharge, ChargeOperation, Order};
use crate::gateway::exchange::Returned;
use crate::gateway::instrument::Instrument;
use crate::transaction::address::Address;
use crate::transaction::agreement::Agreement;
use crate::words::agreement::AgreementType;
use crate::words::{Language, Wallet};

/// Why a charge cannot be requested at Adyen.
pub(super) const NO_AMOUNT: &str = "Adyen cannot express this amount in its currency";
/// Why a charge cannot be requested at Adyen.
const NO_TOKEN: &str = "the payload of the wallet has no token";
/// Why a charge cannot be requested at Adyen.
const NO_SHOPPER: &str = "a saved card at Adyen needs a customer id";

/// The only payment method of a page on which a card is confirmed.
const CARDS: &[&str] = &["scheme"];
/// Redirects between Adyen, the bank and this service are plain addresses.
const GET: &str = "GET";

/// The longest e-mail address.
const MAX_EMAIL: usize = 256;
/// The most characters of a part of a name, as the API takes them: none is cut.
const MAX_PERSON: usize = 64;
/// The longest postal code.
const MAX_POSTAL_CODE: usize = 10;
/// The country whose postal codes have five digits.
const UNITED_STATES: &str = "US";
/// The countries whose addresses need a state or a province.
const NEEDS_STATE: [&str; 2] = [UNITED_STATES, "CA"];

/// The longest text that a browser brings back.
const MAX_RESULT_CHARS: usize = 20_000;

/// The members that links and payments share, and those that one of them has.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AdyenRequest<'a> {
    merchant_account: &'a str,
    reference: &'a str,
    amount: Amount,
    return_url: &'a str,
    metadata: PaymentMetadata,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment_method: Option<PaymentMethod<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_payment_methods: Option<&'static [&'static str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shopper_interaction: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recurring_processing_model: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store_payment_method: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store_payment_method_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture_delay_hours: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    manual_capture: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_data: Option<AdditionalData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    authentication_data: Option<AuthenticationData>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect_to_issuer_method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect_from_issuer_method: Option<&'static str>,
    shopper_locale: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    shopper_reference: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shopper_email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shopper_name: Option<AdyenName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    telephone_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    billing_address: Option<BillingAddress<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merchant_order_reference: Option<&'a str>,
}

/// Comes back in the webhooks of the payment.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PaymentMetadata {
    till_flow: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PaymentMethod<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    apple_pay_token: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    google_pay_token: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stored_payment_method_id: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AdditionalData {
    manual_capture: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AuthenticationData {
    #[serde(rename = "threeDSRequestData")]
    request_data: ThreeDs,
}

#[derive(Serialize)]
struct ThreeDs {
    #[serde(rename = "nativeThreeDS")]
    native: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AdyenName {
    first_name: String,
    last_name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BillingAddress<'a> {
    city: &'a str,
    country: &'a str,
    house_number_or_name: &'a str,
    postal_code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    state_or_province: Option<&'a str>,
    street: &'a str,
}

impl<'a> AdyenRequest<'a> {
    /// The request for a link.
    pub(super) fn link(merchant_account: &'a str, order: &'a Order) -> Result<Self, &'static str> {
        let base = Self::base(merchant_account, order, LINK)?;
        let shopper_reference = shopper::reference(&order.payer);
        let is_verified = order.operation == ChargeOperation::Verify;
        if is_verified && shopper_reference.is_none() {
            return Err(NO_SHOPPER);
        }
        // A payment is not refused because its card cannot be saved.
        let saves = order.saves_card && shopper_reference.is_some();
        Ok(Self {
            allowed_payment_methods: is_verified.then_some(CARDS),
            recurring_processing_model: saves
                .then(|| model(order.agreement.as_deref(), ChargeInitiator::Payer)),
            store_payment_method_mode: saves.then_some("enabled"),
            manual_capture: (order.operation == ChargeOperation::Authorize).then_some(true),
            shopper_reference: shopper_reference.filter(|_| saves),
            ..base
        })
    }

    /// The request for a payment by the token of a wallet, or with a saved card.
    pub(super) fn payment(merchant_account: &'a str, order: &'a Order) -> Result<Self, &'static str> {
        let base = Self::base(merchant_account, order, DIRECT)?;
        let holds = order.operation == ChargeOperation::Authorize;
        let additional_data = holds.then_some(AdditionalData { manual_capture: "true" });
        let base = Self { additional_data, ..base };
        let with_payer = |base| Self {
            channel: Some("Web"),
            shopper_interaction: Some("Ecommerce"),
            // The page of the bank is opened by its address: a challenge within our page is not supported.
            authentication_data: Some(AuthenticationData { request_data: ThreeDs { native: "disabled" } }),
            redirect_to_issuer_method: Some(GET),
            redirect_from_issuer_method: Some(GET),
            ..base
        };
        match (&order.card, &order.instrument) {
            (Some(card), _) => {
                let base = base.with_card(order, card)?;
                Ok(match card.initiator {
                    ChargeInitiator::Payer => with_payer(base),
                    ChargeInitiator::Merchant => Self { shopper_interaction: Some("ContAuth"), ..base },
                })
            }
            (None, Instrument::Wallet(wallet, payload)) => {
                let token = wallet::token(*wallet, payload).ok_or(NO_TOKEN)?;
                let base = with_payer(base).with_wallet(*wallet, token);
                Ok(if order.saves_card { base.saved(order) } else { base })
            }
            (None, Instrument::Page) => Err(NO_TOKEN),
        }
    }

    fn with_card(self, order: &'a Order, card: &'a CardCharge) -> Result<Self, &'static str> {
        let payment_method = PaymentMethod {
            kind: "scheme",
            apple_pay_token: None,
            google_pay_token: None,
            stored_payment_method_id: Some(&card.token.0),
        };
        Ok(Self {
            payment_method: Some(payment_method),
            recurring_processing_model: Some(model(card.agreement.as_deref(), card.initiator)),
            shopper_reference: Some(shopper::reference(&order.payer).ok_or(NO_SHOPPER)?),
            ..self
        })
    }

    fn with_wallet(self, wallet: Wallet, token: Box<RawValue>) -> Self {
        let (kind, apple_pay_token, google_pay_token) = match wallet {
            Wallet::ApplePay => ("applepay", Some(token), None),
            Wallet::GooglePay => ("googlepay", None, Some(token)),
        };
        let payment_method =
            PaymentMethod { kind, apple_pay_token, google_pay_token, stored_payment_method_id: None };
        Self { payment_method: Some(payment_method), ..self }
    }

    /// The card is saved, unless nobody knows for whom.
    fn saved(self, order: &'a Order) -> Self {
        let Some(shopper_reference) = shopper::reference(&order.payer) else { return self };
        Self {
            recurring_processing_model: Some(model(order.agreement.as_deref(), ChargeInitiator::Payer)),
            store_payment_method: Some(true),
            shopper_reference: Some(shopper_reference),
            ..self
        }
    }

    fn base(
        merchant_account: &'a str,
        order: &'a Order,
        till_flow: &'static str,
    ) -> Result<Self, &'static str> {
        let payer = &order.payer;
        Ok(Self {
            merchant_account,
            reference: order.reference.as_str(),
            amount: Amount::of(order.total).ok_or(NO_AMOUNT)?,
            return_url: &order.return_url,
            metadata: PaymentMetadata { till_flow },
            payment_method: None,
            allowed_payment_methods: None,
            channel: None,
            shopper_interaction: None,
            recurring_processing_model: None,
            store_payment_method: None,
            store_payment_method_mode: None,
            capture_delay_hours: (order.operation == ChargeOperation::Purchase).then_some(0),
            manual_capture: None,
            additional_data: None,
            authentication_data: None,
            redirect_to_issuer_method: None,
            redirect_from_issuer_method: None,
            shopper_locale: match order.language {
                Language::En => "en-US",
                Language::Ar => "ar-AE",
            },
            shopper_reference: None,
            shopper_email: payer.plain_email(MAX_EMAIL),
            shopper_name: payer
                .both_names(MAX_PERSON)
                .map(|(first_name, last_name)| AdyenName { first_name, last_name }),
            telephone_number: payer.telephone().map(|phone| phone.e164()),
            country_code: payer.billing.as_ref().map(|address| address.country.as_str()),
            billing_address: payer.billing.as_deref().and_then(billing_address),
            merchant_order_reference: order.order_no.as_deref(),
        })
    }
}

/// How a saved card is used.
fn model(agreement: Option<&Agreement>, initiator: ChargeInitiator) -> &'static str {
    match (agreement.map(|agreement| agreement.kind), initiator) {
        (Some(AgreementType::Recurring | AgreementType::Installment), _) => "Subscription",
        (Some(_), _) | (None, ChargeInitiator::Merchant) => "UnscheduledCardOnFile",
        (None, ChargeInitiator::Payer) => "CardOnFile",
    }
}

/// The address, if it is complete as Adyen wants it: one that is not would make it refuse the payment.
fn billing_address(address: &Address) -> Option<BillingAddress<'_>> {
    let postal_code = postal_code(address)?;
    let state = address.state.as_deref().filter(|state| is_state(state));
    if NEEDS_STATE.contains(&address.country.as_str()) && state.is_none() {
        return None;
    }
    Some(BillingAddress {
        city: &address.city,
        country: &address.country,
        house_number_or_name: address.line2.as_deref().unwrap_or("N/A"),
        postal_code,
        state_or_province: state,
        street: &address.line1,
    })
}

/// At most ten characters; of an address in the United States the five digits.
fn postal_code(address: &Address) -> Option<&str> {
    let code = address.postal_code.as_deref()?;
    if address.country == UNITED_STATES {
        let digits = code.get(..5).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let is_longer = |rest: &str| rest.is_empty() || rest.starts_with('-') || rest.starts_with(' ');
        return digits.filter(|_| code.get(5..).is_some_and(is_longer));
    }
    Some(code).filter(|code| (1..=MAX_POSTAL_CODE).contains(&code.chars().count()))
}

fn is_state(state: &str) -> bool {
    (2..=3).contains(&state.len()) && state.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// What the payer's browser brought back from the bank, in the wire format.
#[derive(Serialize)]
pub(super) struct DetailsRequest<'a> {
    pub(super) details: ReturnedDetails<'a>,
}

/// What the payer's browser brought back from the bank: one text, or the answer of a bank that was given a form.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum ReturnedDetails<'a> {
    Result {
        #[serde(rename = "redirectResult")]
        redirect_result: &'a str,
    },
    Answer {
        #[serde(rename = "MD")]
        md: &'a str,
        #[serde(rename = "PaRes")]
        pa_res: &'a str,
    },
}

impl<'a> ReturnedDetails<'a> {
    /// The details in what came back; `None` if there are none.
    pub(super) fn of(returned: &'a Returned) -> Option<Self> {
        let field = |name| returned.field(name).filter(|text| (1..=MAX_RESULT_CHARS).contains(&text.len()));
        if let Some(redirect_result) = field("redirectResult") {
            return Some(Self::Result { redirect_result });
        }
        Some(Self::Answer { md: field("MD")?, pa_res: field("PaRes")? })
    }

    /// The text in which two of them differ.
    pub(super) const fn text(&self) -> &'a str {
        match self {
            Self::Result { redirect_result } => redirect_result,
            Self::Answer { pa_res, .. } => pa_res,
        }
    }
}

/// The request that makes a link expire, in the wire format.
#[derive(Serialize)]
pub(super) struct Expire {
    pub(super) status: &'static str,
}

/// The request for the payment methods of an account, in the wire format.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MethodsRequest<'a> {
    pub(super) merchant_account: &'a str,
}
