//! The connector of Adyen Checkout, version 72 (`docs/gateway-adyen.md`).
//!
//! It decides how far an answer of Adyen can be trusted. A page is a payment link, whose status can be asked for
//! and which can be made to expire. Wallets and saved cards are payments, whose outcome is known from the answer,
//! the payer's return and the webhooks only. Captures, refunds and cancellations are only received by Adyen: what
//! became of them comes in a webhook.

mod amount;
mod callback;
mod decline;
mod details;
mod dispute;
mod error;
mod link;
mod operation;
mod payment;
mod raw;
mod requests;
mod shopper;
mod token;
mod wallet;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;
use sha2::{Digest, Sha256};

use self::details::{is_id, words};
use self::error::AdyenRefusal;
use self::link::{Completed, is_link};
use self::operation::Modification;
use self::requests::{AdyenRequest, DetailsRequest, Expire, MethodsRequest, NO_AMOUNT, ReturnedDetails};
use self::wallet::{AdyenSessionRequest, read_session};
use super::callback::{Callback, CallbackContext};
use super::capabilities::Capabilities;
use super::charge::{ChargeRef, Opened, Order, Outcome, Report};
use super::check::Checked;
use super::connector::{Connector, Declaration};
use super::credentials::{CredentialField, Credentials};
use super::exchange::{HttpMethod, Incoming, Outgoing, Returned};
use super::instrument::{FormOfPayment, Instrument};
use super::operation::{OperationOrder, OperationOutcome, OperationRef, OperationReport};
use super::step::Step;
use super::wallet::{SessionAnswer, SessionOrder};
use crate::value::json::write;
use crate::value::shape::TextShape;
use crate::wire::json;
use crate::wire::members::Members;
use crate::words::{ChildOperation, Operation, Wallet};

/// What Adyen can do, and what it wants.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        payments: &[Operation::Purchase, Operation::Authorize],
        saves_cards: true,
        verifies_cards: true,
        charges_saved_cards: true,
        debits_saved_cards: true,
        wallets: &[Wallet::ApplePay, Wallet::GooglePay],
        starts_apple_sessions: true,
        operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        usual_operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
        captures_parts: true,
        captures_once: true,
        refunds_parts: true,
        withdraws: true,
        reports_disputes: true,
        page_hosts: &["https://*.adyen.link", "https://*.adyen.com"],
        ..Capabilities::NONE
    },
    totals: amount::totals,
    credentials: &[
        CredentialField::secret(
            API_KEY,
            "the key of the API credential in Adyen's Customer Area",
            TextShape::Line { max: 512 },
        ),
        CredentialField::public(
            MERCHANT_ACCOUNT,
            "the name of the merchant account at Adyen",
            TextShape::Line { max: 80 },
        ),
        CredentialField::secret(
            HMAC_KEY,
            "the key under which Adyen signs its webhooks; without it no webhook is accepted",
            TextShape::Hex { max: 128 },
        )
        .optional(),
        CredentialField::secret(
            OTHER_HMAC_KEY,
            "a second key that is accepted while the first one is replaced",
            TextShape::Hex { max: 128 },
        )
        .optional(),
        CredentialField::public(
            LIVE_PREFIX,
            "the prefix of the live address, from Developers, API URLs; not needed for tests",
            TextShape::Line { max: 100 },
        )
        .optional(),
    ],
    needs_endpoint: false,
    // The idempotency key; references may have 80.
    longest_reference: 64,
    codes_without_reason: &[],
    connect: Some(|credentials| Box::new(Adyen::new(credentials))),
};

/// The name of the key of the API.
pub const API_KEY: &str = "api_key";
/// The name of the merchant account.
pub const MERCHANT_ACCOUNT: &str = "merchant_account";
/// The name of the key of the webhooks.
pub const HMAC_KEY: &str = "hmac_key";
/// The name of the second key of the webhooks.
pub const OTHER_HMAC_KEY: &str = "other_hmac_key";
/// The name of the prefix of the live address.
pub const LIVE_PREFIX: &str = "live_prefix";

/// The address for tests.
const TEST_ENDPOINT: &str = "https://checkout-test.adyen.com/v72";
/// Why nothing can be requested.
const NO_ADDRESS: &str = "live_prefix is missing or is no prefix of Adyen";
/// Why a payment cannot be captured, refunded or canceled.
const NO_PAYMENT: &str = "Adyen has not said the id of the payment, which comes in its webhook";

/// Implements the protocol of Adyen for one merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adyen {
    credentials: Credentials,
}

impl Adyen {
    /// A connector with these credentials.
    #[must_use]
    pub fn new(credentials: Credentials) -> Self {
        Self { credentials }
    }

    fn account(&self) -> &str {
        self.credentials.get(MERCHANT_ACCOUNT)
    }

    /// The address before the path of a request; `None` without a prefix for the live one.
    fn endpoint(&self) -> Option<String> {
        if let Some(endpoint) = &self.credentials.endpoint {
            return Some(endpoint.trim_end_matches('/').to_string());
        }
        if self.credentials.is_test {
            return Some(TEST_ENDPOINT.to_string());
        }
        let is_name = |text: &&str| {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let prefix = self.credentials.optional(LIVE_PREFIX).filter(is_name)?;
        Some(format!("https://{prefix}-checkout-live.adyenpayments.com/checkout/v72"))
    }

    fn get(&self, path: &str) -> Option<Outgoing> {
        self.request(HttpMethod::Get, path, None, Vec::new())
    }

    /// A request with a body. Adyen answers a second one with the same key as it answered the first.
    fn send(
        &self,
        method: HttpMethod,
        path: &str,
        key: Option<String>,
        body: &impl Serialize,
    ) -> Option<Outgoing> {
        let body = write(body).ok()?.into_bytes();
        self.request(method, path, key, body)
    }

    fn request(
        &self,
        method: HttpMethod,
        path: &str,
        key: Option<String>,
        body: Vec<u8>,
    ) -> Option<Outgoing> {
        let mut headers = vec![
            ("accept", "application/json".to_string()),
            ("x-api-key", self.credentials.get(API_KEY).to_string()),
        ];
        if !body.is_empty() {
            headers.push(("content-type", "application/json".to_string()));
        }
        headers.extend(key.map(|key| ("idempotency-key", key)));
        let url = format!("{}{path}", self.endpoint()?);
        Some(Outgoing { method, url, headers, body, max_answer: Outgoing::MAX_ANSWER })
    }

    /// Whether the webhook of a payment is awaited, or nothing but the status of its link comes.
    fn completed(&self) -> Completed {
        if self.keys().is_empty() { Completed::Approved } else { Completed::Awaited }
    }

    fn keys(&self) -> Vec<&str> {
        [HMAC_KEY, OTHER_HMAC_KEY].into_iter().filter_map(|name| self.credentials.optional(name)).collect()
    }

    /// What the payer brought back from the bank is completed at Adyen, which then authorises the payment.
    fn complete<'c>(&'c self, charge: &'c ChargeRef, details: ReturnedDetails<'_>) -> Step<'c, Report> {
        let digest = hex::encode(Sha256::digest(details.text()));
        let key = format!("{}-details-{}", charge.reference, digest.get(..16).unwrap_or_default());
        let body = DetailsRequest { details };
        match self.send(HttpMethod::Post, "/payments/details", Some(key), &body) {
            Some(request) => Step::act(request, |answer| payment::read_details(charge, answer)),
            None => Step::Done(unknown(charge)),
        }
    }

    /// The status of the link of a charge.
    fn ask_link<'c>(&'c self, charge: &'c ChargeRef, id: &str) -> Step<'c, Report> {
        match link::path(id).and_then(|path| self.get(&path)) {
            Some(request) => {
                let completed = self.completed();
                Step::ask(request, move |answer| link::read_inquired(charge, completed, answer))
            }
            None => Step::Done(unknown(charge)),
        }
    }
}

/// How a charge can be asked about.
enum KnownCharge<'c> {
    /// By its link.
    Link(&'c str),
    /// Not at all: its link was never received, so that nobody can pay there.
    NoLink,
    /// Only by what the payer brings back, and by webhooks.
    Payment,
}

fn known(charge: &ChargeRef) -> KnownCharge<'_> {
    match (charge.form, charge.gateway_id.as_deref()) {
        (_, Some(id)) if is_link(id) => KnownCharge::Link(id),
        (FormOfPayment::Redirect, None) => KnownCharge::NoLink,
        _ => KnownCharge::Payment,
    }
}

fn unknown(charge: &ChargeRef) -> Report {
    Report::bare(charge.reference.as_str(), Outcome::Unknown)
}

impl Connector for Adyen {
    /// A page is a link, which moves no money itself: a payer who has no link cannot pay.
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        let is_page = order.card.is_none() && order.instrument == Instrument::Page;
        let (path, request) = if is_page {
            ("/paymentLinks", AdyenRequest::link(self.account(), order))
        } else {
            ("/payments", AdyenRequest::payment(self.account(), order))
        };
        let request = match request {
            Ok(request) => request,
            Err(reason) => return Step::refused(reason),
        };
        let word = if is_page { "link" } else { "payment" };
        let key = format!("{}-{word}", order.reference);
        let Some(request) = self.send(HttpMethod::Post, path, Some(key), &request) else {
            return Step::refused(NO_ADDRESS);
        };
        let reference = &order.reference;
        if is_page {
            let completed = self.completed();
            Step::ask(request, move |answer| link::read_opened(reference, completed, answer))
        } else {
            Step::act(request, |answer| payment::read_opened(reference, answer))
        }
    }

    fn inquire<'c>(&'c self, charge: &'c ChargeRef, returned: Option<&'c Returned>) -> Step<'c, Report> {
        match known(charge) {
            KnownCharge::Link(id) => self.ask_link(charge, id),
            KnownCharge::NoLink => Step::Done(Report::bare(charge.reference.as_str(), Outcome::Absent)),
            KnownCharge::Payment => match returned.and_then(ReturnedDetails::of) {
                Some(details) => self.complete(charge, details),
                None => Step::Done(unknown(charge)),
            },
        }
    }

    /// A link is made to expire. If that is refused, its status says why.
    fn withdraw<'c>(&'c self, charge: &'c ChargeRef) -> Step<'c, Report> {
        let id = match known(charge) {
            KnownCharge::Link(id) => id,
            KnownCharge::NoLink => {
                return Step::Done(Report::bare(charge.reference.as_str(), Outcome::Absent));
            }
            KnownCharge::Payment => return Step::Done(unknown(charge)),
        };
        let expire = Expire { status: "expired" };
        let request = link::path(id).and_then(|path| self.send(HttpMethod::Patch, &path, None, &expire));
        let Some(request) = request else { return Step::Done(unknown(charge)) };
        Step::ask_first(request, move |answer| match AdyenRefusal::of(answer) {
            Some(_) => self.ask_link(charge, id),
            None => Step::Done(link::read_inquired(charge, self.completed(), answer)),
        })
    }

    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport> {
        let refused = |message: &str| {
            Step::Done(OperationReport::refused(order.reference.as_str(), Some(message.to_string())))
        };
        let payment = order.charge.gateway_id.as_deref().filter(|id| is_id(id) && !is_link(id));
        let Some(payment) = payment else { return refused(NO_PAYMENT) };
        let Some(body) = Modification::of(self.account(), order) else { return refused(NO_AMOUNT) };
        let key = format!("{}-{}", order.reference, order.operation.as_str());
        let path = operation::path(payment, order.operation);
        match self.send(HttpMethod::Post, &path, Some(key), &body) {
            Some(request) => Step::act(request, move |answer| operation::read(order, payment, answer)),
            None => refused(NO_ADDRESS),
        }
    }

    /// Adyen has no request for it: the webhook of the operation says what became of it.
    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport> {
        Step::Done(OperationReport::bare(operation.reference.as_str(), OperationOutcome::Unknown))
    }

    fn start_session<'c>(&'c self, order: &'c SessionOrder) -> Step<'c, SessionAnswer> {
        match self.send(HttpMethod::Post, "/applePay/sessions", None, &AdyenSessionRequest::of(order)) {
            Some(request) => Step::ask(request, read_session),
            None => Step::Done(SessionAnswer::Refused(Some(NO_ADDRESS.to_string()))),
        }
    }

    /// Adyen reports at one address for an account.
    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        callback::read(request, context, self.account(), &self.keys())
    }

    /// The payment methods of the account: it moves nothing, and needs the key and the account.
    fn check(&self) -> Step<'_, Checked> {
        let body = MethodsRequest { merchant_account: self.account() };
        let Some(request) = self.send(HttpMethod::Post, "/paymentMethods", None, &body) else {
            return Step::Done(Checked::Refused(Some(NO_ADDRESS.to_string())));
        };
        Step::ask(request, read_checked)
    }
}

fn read_checked(answer: &Incoming) -> Checked {
    match (answer.status, AdyenRefusal::of(answer)) {
        (200, _) if has_methods(&answer.body) => Checked::Accepted,
        (_, Some(AdyenRefusal { message })) => Checked::Refused(message),
        (401 | 403, None) => Checked::Refused(words(Some("Adyen does not accept the key"))),
        _ => Checked::Unclear,
    }
}

fn has_methods(body: &[u8]) -> bool {
    let methods = Members::read(body).ok().and_then(|answer| answer.get("paymentMethods"));
    methods.and_then(json::items).is_some()
}
