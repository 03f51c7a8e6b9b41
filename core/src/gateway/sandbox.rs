//! The connector of the sandbox bank: the protocol of the simulated gateway as bytes out and bytes in
//! (`docs/sandbox.md`).
//!
//! It decides how far an answer can be trusted. Only a complete charge of the bank says that money moved;
//! whatever cannot be read, or says that the bank does not know yet, is
//! [`Outcome::Unknown`](super::charge::Outcome), because the bank may have charged. What an answer says about
//! the payment, such as another amount, is judged in the place for all outcomes: in
//! [`crate::payment::apply`].

mod listing;
mod operation;
mod read;
mod wallet;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use self::operation::{OperationRequest, read_operation};
use self::read::{read_charge, report_of, without_charge, words};
use self::wallet::{SessionRequest, read_session};
use super::charge::{Opened, Order, Outcome, Report};
use super::connector::{Connector, Credentials};
use super::exchange::{Incoming, Method, Outgoing};
use super::listing::{ChargePage, Period};
use super::operation::{OperationOrder, OperationOutcome, OperationReport};
use super::wallet::{SessionAnswer, SessionOrder};
use crate::gateway::instrument::Instrument;
use crate::transaction::agreement::Agreement;
use crate::value::id::ReferenceNumber;
use crate::webhook::signature::hmac_sha256;

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
    wallet: Option<WalletRequest<'a>>,
}

/// What a device wallet provided, byte for byte.
#[derive(Serialize)]
struct WalletRequest<'a> {
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

    fn request(&self, method: Method, path: &str, body: Vec<u8>) -> Outgoing {
        self.send(method, &format!("/v1/charges{path}"), body)
    }

    fn send(&self, method: Method, path: &str, body: Vec<u8>) -> Outgoing {
        let endpoint = self.credentials.endpoint.as_deref().unwrap_or(ENDPOINT).trim_end_matches('/');
        let mut headers = vec![
            ("accept", "application/json".to_string()),
            ("authorization", format!("Bearer {}", self.credentials.api_key)),
        ];
        if !body.is_empty() {
            headers.push(("content-type", "application/json".to_string()));
        }
        Outgoing { method, url: format!("{endpoint}{path}"), headers, body }
    }

    fn is_signed(&self, request: &Incoming) -> bool {
        let expected = callback_signature(&callback_key(&self.credentials.api_key), &request.body);
        request
            .header(SIGNATURE_HEADER)
            .is_some_and(|given| given.as_bytes().ct_eq(expected.as_bytes()).into())
    }
}

impl Connector for Sandbox {
    fn open(&self, order: &Order) -> Outgoing {
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
                    Some(WalletRequest { kind: wallet.as_str(), payload: payload.raw() })
                }
            },
        };
        // Texts always serialise; the bank would refuse an empty body without charging.
        self.request(Method::Post, "", checkout_scan::json::write(&request).unwrap_or_default().into_bytes())
    }

    fn read_open(&self, answer: &Incoming) -> Opened {
        match answer.status {
            200 | 201 => Opened::Reported(match read_charge(&answer.body) {
                Some(charge) => report_of(charge, &answer.body),
                None => without_charge("", Outcome::Unknown),
            }),
            // A time limit, a lost race, a try that came too early and a limit of requests do not say whether
            // the charge is open. A conflict says that a charge is open, but not the one that was requested.
            408 | 409 | 425 | 429 => Opened::Reported(without_charge("", Outcome::Unknown)),
            400..=499 => Opened::Refused { message: words(&answer.body) },
            _ => Opened::Reported(without_charge("", Outcome::Unknown)),
        }
    }

    fn inquire(&self, reference: &ReferenceNumber) -> Outgoing {
        self.request(Method::Get, &format!("/{reference}"), Vec::new())
    }

    fn cancel(&self, reference: &ReferenceNumber) -> Outgoing {
        self.request(Method::Post, &format!("/{reference}/cancel"), Vec::new())
    }

    fn read_report(&self, reference: &ReferenceNumber, answer: &Incoming) -> Report {
        match answer.status {
            // 409 answers a cancellation that came too late, with the charge as it ended.
            200 | 409 => match read_charge(&answer.body) {
                Some(charge) => report_of(charge, &answer.body),
                None => without_charge(reference.as_str(), Outcome::Unknown),
            },
            404 => without_charge(reference.as_str(), Outcome::Absent),
            _ => without_charge(reference.as_str(), Outcome::Unknown),
        }
    }

    fn start_session(&self, order: &SessionOrder) -> Outgoing {
        let body = checkout_scan::json::write(&SessionRequest::of(order)).unwrap_or_default().into_bytes();
        self.send(Method::Post, "/v1/wallets/apple-pay/session", body)
    }

    fn read_session(&self, answer: &Incoming) -> SessionAnswer {
        read_session(answer)
    }

    fn read_callback(&self, reference: &ReferenceNumber, request: &Incoming) -> Option<Report> {
        self.is_signed(request).then(|| match read_charge(&request.body) {
            Some(charge) => report_of(charge, &request.body),
            None => without_charge(reference.as_str(), Outcome::Unknown),
        })
    }

    fn operate(&self, order: &OperationOrder) -> Outgoing {
        let request = OperationRequest {
            reference: order.reference.as_str(),
            operation: order.operation.as_str(),
            amount: order.amount.to_string(),
            currency: order.amount.currency().code(),
            callback_url: &order.callback_url,
        };
        // Texts always serialise; the bank would refuse an empty body and move nothing.
        let body = checkout_scan::json::write(&request).unwrap_or_default().into_bytes();
        self.request(Method::Post, &format!("/{}/operations", order.charge), body)
    }

    fn read_operate(&self, order: &OperationOrder, answer: &Incoming) -> OperationReport {
        let reference = order.reference.as_str();
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

    fn inquire_operation(&self, charge: &ReferenceNumber, reference: &ReferenceNumber) -> Outgoing {
        self.request(Method::Get, &format!("/{charge}/operations/{reference}"), Vec::new())
    }

    fn read_operation(&self, reference: &ReferenceNumber, answer: &Incoming) -> OperationReport {
        let unknown = || OperationReport::bare(reference.as_str(), OperationOutcome::Unknown);
        match answer.status {
            200 => read_operation(&answer.body).unwrap_or_else(unknown),
            404 => OperationReport::bare(reference.as_str(), OperationOutcome::Absent),
            _ => unknown(),
        }
    }

    fn read_operation_callback(
        &self,
        reference: &ReferenceNumber,
        request: &Incoming,
    ) -> Option<OperationReport> {
        self.is_signed(request).then(|| {
            read_operation(&request.body)
                .unwrap_or_else(|| OperationReport::bare(reference.as_str(), OperationOutcome::Unknown))
        })
    }

    fn list_charges(&self, period: Period, cursor: Option<&str>) -> Option<Outgoing> {
        Some(self.request(Method::Get, &listing::query(period, cursor), Vec::new()))
    }

    fn read_charges(&self, answer: &Incoming) -> Option<ChargePage> {
        (answer.status == 200).then(|| listing::read_page(&answer.body)).flatten()
    }
}

#[cfg(test)]
mod tests;
