//! The connector of the sandbox bank: the protocol of the simulated gateway as bytes out and bytes in
//! (`docs/sandbox.md`).
//!
//! It decides how far an answer can be trusted. Only a complete charge of the bank says that money moved;
//! whatever cannot be read, or says that the bank does not know yet, is
//! [`Outcome::Unknown`](super::charge::Outcome), because the bank may have charged. What an answer says about
//! the payment, such as another amount, is judged in the place for all outcomes: in
//! [`crate::payment::apply`].

mod listing;
mod offer;
mod operation;
mod read;
mod wallet;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use self::offer::{OfferRequest, read_offer};
use self::operation::{OperationRequest, read_operation};
use self::read::{read_charge, report_of, words};
use self::wallet::{SandboxSessionRequest, read_session};
use super::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent};
use super::capabilities::Capabilities;
use super::charge::{ChargeRef, Opened, Order, Outcome, Report};
use super::check::Checked;
use super::connector::{Connector, Declaration};
use super::credentials::{CredentialField, Credentials};
use super::exchange::{HttpMethod, Incoming, Outgoing, Returned};
use super::flexible::{Flexible, HiddenReason, Offer, OfferOrder, PayerField};
use super::listing::{ChargePage, Period};
use super::operation::{OperationOrder, OperationOutcome, OperationRef, OperationReport};
use super::step::Step;
use super::wallet::{SessionAnswer, SessionOrder};
use crate::gateway::instrument::Instrument;
use crate::transaction::agreement::Agreement;
use crate::value::id::ReferenceNumber;
use crate::value::json::{self, Unwritten};
use crate::value::money::totals::Totals;
use crate::value::shape::TextShape;
use crate::value::time::Timestamp;
use crate::webhook::signature::hmac_sha256;
use crate::words::{ChildOperation, Operation, Wallet};

/// What the simulated bank can do, and the key that it wants.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities {
        is_simulated: true,
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
        refunds_parts: true,
        withdraws: true,
        lists_charges: true,
        flexible: Some(Flexible { flow: "later", needs: &[PayerField::Phone], asks_first: true }),
        // The bank itself releases nothing: it is for reminders.
        capture_days: Some(7),
        ..Capabilities::NONE
    },
    totals: |_| Totals::ALL,
    credentials: &[CredentialField::secret(
        API_KEY,
        "the key that authenticates the merchant at the bank",
        TextShape::Line { max: 512 },
    )],
    needs_endpoint: false,
    longest_reference: 128,
    codes_without_reason: &[],
    connect: Some(|credentials| Box::new(Sandbox::new(credentials))),
};

/// The name of the only credential.
pub const API_KEY: &str = "api_key";

/// The address of the bank when a profile names no other. No name server knows this host: requests for it are
/// answered in process.
pub const ENDPOINT: &str = "https://bank.sandbox.invalid";

/// The header in which the bank signs its callbacks.
pub const SIGNATURE_HEADER: &str = "sandbox-signature";

/// The key under which the bank signs the callbacks of a merchant, 64 hexadecimal digits. It is derived from
/// the key of the API, so that the bank needs to store only this key.
#[must_use]
pub fn callback_key(api_key: &str) -> String {
    hex::encode(Sha256::new().chain_update("callback:").chain_update(api_key).finalize())
}

/// The signature of a callback: HMAC-SHA256 of its bytes with the text of [`callback_key`], 64 lower-case
/// hexadecimal digits.
#[must_use]
pub fn callback_signature(key: &str, body: &[u8]) -> String {
    hex::encode(hmac_sha256(key.as_bytes(), &[body]))
}

/// Implements the protocol of the sandbox bank for one merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    credentials: Credentials,
}

/// The request that opens a charge, in the wire format.
#[derive(Serialize)]
struct ChargeRequest<'a> {
    reference: &'a str,
    amount: String,
    currency: &'static str,
    operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    card: Option<CardRequest<'a>>,
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    keep_card: bool,
    language: &'static str,
    merchant: &'a str,
    return_url: &'a str,
    callback_url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wallet: Option<SandboxWalletRequest<'a>>,
}

/// What a device wallet provided, byte for byte.
#[derive(Serialize)]
struct SandboxWalletRequest<'a> {
    kind: &'static str,
    payload: &'a RawValue,
}

/// The saved card that is charged.
#[derive(Serialize)]
struct CardRequest<'a> {
    token: &'a str,
    initiator: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<&'a Agreement>,
}

impl Sandbox {
    /// A connector with these credentials.
    #[must_use]
    pub fn new(credentials: Credentials) -> Self {
        Self { credentials }
    }

    fn request(&self, method: HttpMethod, path: &str, body: Vec<u8>) -> Outgoing {
        self.send(method, &format!("/v1/charges{path}"), body)
    }

    fn send(&self, method: HttpMethod, path: &str, body: Vec<u8>) -> Outgoing {
        let endpoint = self.credentials.endpoint.as_deref().unwrap_or(ENDPOINT).trim_end_matches('/');
        let mut headers = vec![
            ("accept", "application/json".to_string()),
            ("authorization", format!("Bearer {}", self.credentials.get(API_KEY))),
        ];
        if !body.is_empty() {
            headers.push(("content-type", "application/json".to_string()));
        }
        Outgoing { method, url: format!("{endpoint}{path}"), headers, body, max_answer: Outgoing::MAX_ANSWER }
    }

    fn is_signed(&self, request: &Incoming) -> bool {
        let expected = callback_signature(&callback_key(self.credentials.get(API_KEY)), &request.body);
        request
            .header(SIGNATURE_HEADER)
            .is_some_and(|given| given.as_bytes().ct_eq(expected.as_bytes()).into())
    }

    fn open_request(&self, order: &Order) -> Result<Outgoing, Unwritten> {
        let request = ChargeRequest {
            reference: order.reference.as_str(),
            amount: order.total.to_string(),
            currency: order.total.currency().code(),
            operation: order.operation.as_str(),
            card: order.card.as_ref().map(|card| CardRequest {
                token: &card.token.0,
                initiator: card.initiator.as_str(),
                agreement: card.agreement.as_deref(),
            }),
            keep_card: order.saves_card,
            language: order.language.as_str(),
            merchant: &order.merchant,
            return_url: &order.return_url,
            callback_url: &order.callback_url,
            wallet: match &order.instrument {
                Instrument::Page => None,
                Instrument::Wallet(wallet, payload) => {
                    Some(SandboxWalletRequest { kind: wallet.as_str(), payload: payload.raw() })
                }
            },
        };
        Ok(self.request(HttpMethod::Post, "", json::write(&request)?.into_bytes()))
    }
}

fn read_open(answer: &Incoming) -> Opened {
    match answer.status {
        200 | 201 => Opened::Reported(match read_charge(&answer.body) {
            Some(charge) => report_of(charge, &answer.body),
            None => Report::bare("", Outcome::Unknown),
        }),
        // A time limit, a lost race, a try that came too early and a limit of requests do not say whether
        // the charge is open. A conflict says that a charge is open, but not the one that was requested.
        408 | 409 | 425 | 429 => Opened::Reported(Report::bare("", Outcome::Unknown)),
        400..=499 => Opened::Refused { message: words(&answer.body) },
        _ => Opened::Reported(Report::bare("", Outcome::Unknown)),
    }
}

fn read_report(reference: &ReferenceNumber, answer: &Incoming) -> Report {
    match answer.status {
        // 409 answers a cancellation that came too late, with the charge as it ended.
        200 | 409 => match read_charge(&answer.body) {
            Some(charge) => report_of(charge, &answer.body),
            None => Report::bare(reference.as_str(), Outcome::Unknown),
        },
        404 => Report::bare(reference.as_str(), Outcome::Absent),
        _ => Report::bare(reference.as_str(), Outcome::Unknown),
    }
}

fn read_operate(reference: &ReferenceNumber, answer: &Incoming) -> OperationReport {
    let reference = reference.as_str();
    match answer.status {
        200 | 201 => read_operation(&answer.body)
            .unwrap_or_else(|| OperationReport::bare(reference, OperationOutcome::Unknown)),
        408 | 409 | 425 | 429 => OperationReport::bare(reference, OperationOutcome::Unknown),
        400..=499 => OperationReport {
            message: words(&answer.body),
            ..OperationReport::bare(reference, OperationOutcome::Refused)
        },
        _ => OperationReport::bare(reference, OperationOutcome::Unknown),
    }
}

fn read_known_operation(reference: &ReferenceNumber, answer: &Incoming) -> OperationReport {
    let unknown = || OperationReport::bare(reference.as_str(), OperationOutcome::Unknown);
    match answer.status {
        200 => read_operation(&answer.body).unwrap_or_else(unknown),
        404 => OperationReport::bare(reference.as_str(), OperationOutcome::Absent),
        _ => unknown(),
    }
}

impl Connector for Sandbox {
    fn open<'c>(&'c self, order: &'c Order) -> Step<'c, Opened> {
        match self.open_request(order) {
            Ok(request) => Step::act(request, read_open),
            Err(unwritten) => Step::Done(Opened::Refused { message: Some(unwritten.to_string()) }),
        }
    }

    fn inquire<'c>(&'c self, charge: &'c ChargeRef, _: Option<&'c Returned>) -> Step<'c, Report> {
        let request = self.request(HttpMethod::Get, &format!("/{}", charge.reference), Vec::new());
        Step::ask(request, |answer| read_report(&charge.reference, answer))
    }

    fn withdraw<'c>(&'c self, charge: &'c ChargeRef) -> Step<'c, Report> {
        let request = self.request(HttpMethod::Post, &format!("/{}/cancel", charge.reference), Vec::new());
        Step::ask(request, |answer| read_report(&charge.reference, answer))
    }

    fn start_session<'c>(&'c self, order: &'c SessionOrder) -> Step<'c, SessionAnswer> {
        match json::write(&SandboxSessionRequest::of(order)) {
            Ok(body) => {
                let path = "/v1/wallets/apple-pay/session";
                Step::ask(self.send(HttpMethod::Post, path, body.into_bytes()), read_session)
            }
            Err(unwritten) => Step::Done(SessionAnswer::Refused(Some(unwritten.to_string()))),
        }
    }

    fn offers<'c>(&'c self, order: &'c OfferOrder) -> Step<'c, Offer> {
        match json::write(&OfferRequest::of(order)) {
            Ok(body) => Step::ask(self.send(HttpMethod::Post, "/v1/offers", body.into_bytes()), read_offer),
            Err(_) => Step::Done(Offer::Hidden(HiddenReason::NoAnswer)),
        }
    }

    /// The bank reports each charge and operation at the address that it was given with it.
    fn read_callback(&self, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
        if !self.is_signed(request) {
            return None;
        }
        let subject = context.subject.as_ref().map(ToString::to_string);
        let event = read_operation(&request.body)
            .map(GatewayEvent::Operation)
            .or_else(|| {
                read_charge(&request.body)
                    .map(|charge| GatewayEvent::Charge(report_of(charge, &request.body)))
            })
            .or_else(|| subject.map(GatewayEvent::Ask));
        Some(Callback {
            events: event.into_iter().collect(),
            answer: Acknowledgement::Json(r#"{"received":true}"#),
        })
    }

    fn operate<'c>(&'c self, order: &'c OperationOrder) -> Step<'c, OperationReport> {
        let request = OperationRequest {
            reference: order.reference.as_str(),
            operation: order.operation.as_str(),
            amount: order.amount.to_string(),
            currency: order.amount.currency().code(),
            callback_url: &order.callback_url,
        };
        let reference = &order.reference;
        match json::write(&request) {
            Ok(body) => {
                let path = format!("/{}/operations", order.charge.reference);
                let request = self.request(HttpMethod::Post, &path, body.into_bytes());
                Step::act(request, |answer| read_operate(reference, answer))
            }
            Err(unwritten) => Step::Done(OperationReport {
                message: Some(unwritten.to_string()),
                ..OperationReport::bare(reference.as_str(), OperationOutcome::Refused)
            }),
        }
    }

    fn inquire_operation<'c>(&'c self, operation: &'c OperationRef) -> Step<'c, OperationReport> {
        let OperationRef { reference, charge, .. } = operation;
        let path = format!("/{}/operations/{reference}", charge.reference);
        Step::ask(self.request(HttpMethod::Get, &path, Vec::new()), |answer| {
            read_known_operation(reference, answer)
        })
    }

    fn list_charges<'c>(
        &'c self,
        period: Period,
        cursor: Option<&'c str>,
    ) -> Option<Step<'c, Option<ChargePage>>> {
        let request = self.request(HttpMethod::Get, &listing::query(period, cursor), Vec::new());
        Some(Step::ask(Outgoing { max_answer: Outgoing::MAX_LIST, ..request }, |answer| {
            (answer.status == 200).then(|| listing::read_page(&answer.body)).flatten()
        }))
    }

    /// The list of charges of no time at all: it moves nothing and needs the key.
    fn check(&self) -> Step<'_, Checked> {
        let moment = Timestamp::from_millis(0);
        let request = self.request(
            HttpMethod::Get,
            &listing::query(Period { from: moment, to: moment }, None),
            Vec::new(),
        );
        Step::ask(request, |answer| match answer.status {
            200 => Checked::Accepted,
            401 | 403 => Checked::Refused(words(&answer.body)),
            _ => Checked::Unclear,
        })
    }
}

#[cfg(test)]
mod tests;
