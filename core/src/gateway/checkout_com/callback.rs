//! Webhooks of an account: one event each, signed as a whole.
//!
//! They carry no moment that is signed, and come in any order: an event is a reason to ask. What the gateway could not do
//! after all is a report, because nobody would ask about what was done before.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use subtle::{Choice, ConstantTimeEq};

use super::account::{ACTION, PAYMENT, id};
use super::{amount, raw};
use crate::gateway::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent};
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOutcome, OperationReport};
use crate::gateway::text::{line, params, words};
use crate::value::id::ReferenceNumber;
use crate::webhook::signature::hmac_sha256;
use crate::wire::object::Object;

/// The header with the signature, in hexadecimal digits.
const HEADER: &str = "cko-signature";

pub(super) fn read(secrets: &[&str], request: &Incoming, _: &CallbackContext) -> Option<Callback> {
    let signature = hex::decode(request.header(HEADER)?).ok()?;
    let mut is_ours = Choice::from(0);
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        is_ours |= hmac_sha256(secret.as_bytes(), &[&request.body]).as_slice().ct_eq(&signature);
    }
    if !bool::from(is_ours) {
        return None;
    }
    let events = CkoEvent::read(&request.body).map(|event| event.events(&request.body)).unwrap_or_default();
    Some(Callback { events, answer: Acknowledgement::Json(r#"{"received":true}"#) })
}

/// An event in the wire format.
struct CkoEvent {
    kind: String,
    reference: String,
    /// Our reference of the operation, as our request marked it.
    operation: Option<String>,
    action: String,
    amount: Option<i64>,
    currency: String,
    code: Option<String>,
    summary: Option<String>,
    /// The payment that is disputed.
    disputed: Option<String>,
}

impl CkoEvent {
    fn read(body: &[u8]) -> Option<Self> {
        Object::read(body, |event| {
            let kind = event.text("type");
            event.object("data", |data| Self {
                kind,
                reference: data.optional_text("reference").unwrap_or_default(),
                operation: data.object("metadata", |marks| marks.optional_text("operation")).flatten(),
                action: data.optional_text("action_id").unwrap_or_default(),
                amount: data.number("amount"),
                currency: data.optional_text("currency").unwrap_or_default(),
                code: data.optional_text("response_code"),
                summary: data.optional_text("response_summary"),
                disputed: data.optional_text("payment_id"),
            })
        })?
    }

    /// What it says about our charges and operations; nothing for those of others.
    fn events(&self, body: &[u8]) -> Vec<GatewayEvent> {
        if self.kind.starts_with("dispute_") {
            let payment = self.disputed.as_deref().and_then(|payment| id(payment, PAYMENT));
            return payment.map(|payment| GatewayEvent::Disputed(payment.into())).into_iter().collect();
        }
        let named = self.operation.as_deref().unwrap_or(&self.reference);
        if ReferenceNumber::parse(named).is_none() {
            return Vec::new();
        }
        match self.kind.as_str() {
            "payment_capture_declined" => vec![GatewayEvent::Capture(self.refused(named, body))],
            "payment_refund_declined" | "payment_void_declined" => {
                vec![GatewayEvent::Operation(self.refused(named, body))]
            }
            kind if kind.starts_with("payment_") || kind.starts_with("card_verif") => {
                vec![GatewayEvent::Ask(named.into())]
            }
            _ => Vec::new(),
        }
    }

    fn refused(&self, named: &str, body: &[u8]) -> OperationReport {
        let message = self.summary.as_deref().and_then(words);
        let is_void = self.kind == "payment_void_declined";
        let known = id(&self.action, ACTION);
        OperationReport {
            amount: self.amount.filter(|_| !is_void).and_then(|number| amount::read(number, &self.currency)),
            gateway_id: known.map(Into::into),
            params: params(&[
                ("payment_id", known),
                ("pg_message", message.as_deref()),
                ("result", self.code.as_deref().and_then(line).as_deref()),
                ("track_id", Some(named)),
            ]),
            raw: raw::of(body),
            message,
            ..OperationReport::bare(named, OperationOutcome::Refused)
        }
    }
}
