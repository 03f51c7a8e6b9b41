//! Webhooks of an account: several items in one body, each signed by itself.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;
use subtle::ConstantTimeEq;

use super::amount;
use super::decline;
use super::details::{DIRECT, OutcomeDetails, OutcomeFacts, is_id, words};
use super::dispute::{self, DisputeFacts};
use super::{raw, token};
use crate::gateway::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent, MAX_EVENTS};
use crate::gateway::charge::{Outcome, Report};
use crate::gateway::dispute::DisputeReport;
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOutcome, OperationReport};
use crate::value::money::Money;
use crate::webhook::signature::hmac_sha256;
use crate::wire::json;
use crate::wire::members::Members;
use crate::wire::object::Object;

/// What Adyen wants to be answered.
const ACCEPTED: &str = "[accepted]";
/// The header in which the webhooks about tokens are signed, all of their bytes at once.
const SIGNATURE_HEADER: &str = "hmacsignature";

/// One item of a webhook, with the fields that are signed as they are written.
struct WebhookItem<'a> {
    text: &'a RawValue,
    psp_reference: String,
    original_reference: String,
    account: String,
    reference: String,
    value: String,
    currency: String,
    event: String,
    success: String,
    reason: Option<String>,
    date: Option<String>,
    method: Option<String>,
    signature: String,
    details: OutcomeDetails,
}

/// The events of a webhook for `account`; `None` unless each of its items has a signature of one of these keys.
pub(super) fn read(
    request: &Incoming,
    context: &CallbackContext,
    account: &str,
    keys: &[&str],
) -> Option<Callback> {
    let keys: Vec<Vec<u8>> = keys.iter().filter_map(|key| hex::decode(key).ok()).collect();
    let answer = Acknowledgement::Text(ACCEPTED.to_string());
    if let Some(signature) = request.header(SIGNATURE_HEADER) {
        let events = || token::read(&request.body, account).map(GatewayEvent::Saved).into_iter().collect();
        return is_signed(&keys, &[&request.body], signature).then(|| Callback { events: events(), answer });
    }
    let body = Members::read(&request.body).ok()?;
    let wrapped = json::items(body.get("notificationItems")?)?;
    if wrapped.is_empty() || wrapped.len() > MAX_EVENTS {
        return None;
    }
    let mut events = Vec::new();
    for wrapped in wrapped {
        let item = read_item(Members::of(wrapped)?.get("NotificationRequestItem")?)?;
        if !item.is_signed(&keys) {
            return None;
        }
        let is_own = item.account == account;
        // At the address of one charge or operation, what is about another one is not for it.
        let is_subject = context.subject.as_ref().is_none_or(|subject| subject.as_str() == item.reference);
        if is_own && is_subject {
            events.extend(item.event());
        }
    }
    Some(Callback { events, answer })
}

/// Whether a signature in Base64 is that of the parts with one of the keys.
fn is_signed(keys: &[Vec<u8>], parts: &[&[u8]], signature: &str) -> bool {
    let is_of = |key: &Vec<u8>| {
        let expected = STANDARD.encode(hmac_sha256(key, parts));
        bool::from(expected.as_bytes().ct_eq(signature.as_bytes()))
    };
    keys.iter().filter(|key| !key.is_empty()).any(is_of)
}

fn read_item(text: &RawValue) -> Option<WebhookItem<'_>> {
    Object::read(text.get(), |item| {
        let (value, currency) = amount::written(item).unwrap_or_default();
        let details = OutcomeDetails::of(item);
        let signature = item.raw("additionalData").and_then(Members::of).and_then(|members| {
            members.get("hmacSignature").and_then(json::text_of).map(alloc::borrow::Cow::into_owned)
        });
        WebhookItem {
            text,
            psp_reference: item.optional_text("pspReference").unwrap_or_default(),
            original_reference: item.optional_text("originalReference").unwrap_or_default(),
            account: item.text("merchantAccountCode"),
            reference: item.optional_text("merchantReference").unwrap_or_default(),
            value,
            currency,
            event: item.text("eventCode"),
            // It is a text, or a flag.
            success: item
                .raw("success")
                .map(|raw| raw.get().trim_matches('"').to_string())
                .unwrap_or_default(),
            reason: item.optional_text("reason"),
            date: item.optional_text("eventDate"),
            method: item.optional_text("paymentMethod"),
            signature: signature.unwrap_or_default(),
            details,
        }
    })
}

impl WebhookItem<'_> {
    fn is_signed(&self, keys: &[Vec<u8>]) -> bool {
        let fields = [
            &self.psp_reference,
            &self.original_reference,
            &self.account,
            &self.reference,
            &self.value,
            &self.currency,
            &self.event,
            &self.success,
        ];
        is_signed(keys, &[fields.map(String::as_str).join(":").as_bytes()], &self.signature)
    }

    /// What the item says; `None` if it is about no payment, no operation and no dispute.
    fn event(self) -> Option<GatewayEvent> {
        let is_success = match self.success.as_str() {
            "true" => true,
            "false" => false,
            _ => return None,
        };
        Some(match (self.event.as_str(), is_success) {
            ("AUTHORISATION", true) => GatewayEvent::Charge(self.charge(Outcome::Approved)),
            // On the page of a link the payer may try again, and a link says itself whether it is closed.
            ("AUTHORISATION", false) if self.is_direct() => {
                GatewayEvent::Charge(self.charge(Outcome::Declined))
            }
            ("OFFER_CLOSED", true) if self.is_direct() => {
                GatewayEvent::Charge(self.charge(Outcome::Canceled))
            }
            ("AUTHORISATION", false) | ("OFFER_CLOSED", true) => GatewayEvent::Ask(self.reference),
            ("CAPTURE", true) => GatewayEvent::Capture(self.operation(OperationOutcome::Done)),
            ("CAPTURE", false) | ("CAPTURE_FAILED", true) => {
                GatewayEvent::Capture(self.operation(OperationOutcome::Refused))
            }
            (
                "REFUND" | "CANCELLATION" | "CANCEL_OR_REFUND" | "TECHNICAL_CANCEL" | "VOID_PENDING_REFUND",
                is_done,
            ) => {
                let outcome = if is_done { OperationOutcome::Done } else { OperationOutcome::Refused };
                GatewayEvent::Operation(self.operation(outcome))
            }
            ("REFUND_FAILED" | "REFUNDED_REVERSED", true) => {
                GatewayEvent::Operation(self.operation(OperationOutcome::Refused))
            }
            ("POSTPONED_REFUND", true) => GatewayEvent::Operation(self.operation(OperationOutcome::Queued)),
            (_, true) => GatewayEvent::Dispute(self.dispute()?),
            _ => return None,
        })
    }

    fn dispute(self) -> Option<DisputeReport> {
        let facts = DisputeFacts {
            event: &self.event,
            psp_reference: &self.psp_reference,
            amount: self.amount(),
            date: self.date.as_deref(),
        };
        let dispute = dispute::read(&facts, self.text)?;
        Some(DisputeReport { dispute, reference: self.reference })
    }

    /// Whether the payment was certainly made without a page: without the mark of our request that is not certain.
    fn is_direct(&self) -> bool {
        self.details.mark.as_deref() == Some(DIRECT) && !self.details.is_of_link
    }

    fn amount(&self) -> Option<Money> {
        amount::read(&self.value, &self.currency)
    }

    fn charge(mut self, outcome: Outcome) -> Report {
        let total = self.amount();
        let id = Some(self.psp_reference.clone()).filter(|id| is_id(id));
        // What names no amount or no payment says nothing certain.
        let outcome = if total.is_some() && id.is_some() { outcome } else { Outcome::Unknown };
        let is_approved = outcome == Outcome::Approved;
        if let Some(reason) = self.reason.as_deref().filter(|_| is_approved) {
            self.details.take_reason(reason);
        }
        self.details.take_brand(self.method.clone());
        let message = if is_approved { None } else { words(self.reason.as_deref()) };
        let result = match outcome {
            Outcome::Approved => "Authorised",
            Outcome::Declined => "Refused",
            Outcome::Canceled => "Cancelled",
            Outcome::Open { .. } | Outcome::Absent | Outcome::Unknown => self.event.as_str(),
        };
        let mut params = self.details.params(&self.facts(id.as_deref(), message.as_deref(), result));
        if outcome == Outcome::Declined {
            let refusal = decline::Refusal {
                code: self.details.refusal_code.as_deref(),
                text: message.as_deref(),
                advice: self.details.advice.as_deref(),
            };
            decline::add(&mut params, &refusal);
        }
        Report {
            card: if is_approved { self.details.card() } else { None },
            raw: raw::of_item(self.text),
            gateway_id: id,
            reference: self.reference,
            total,
            outcome,
            message,
            params,
        }
    }

    /// A cancellation releases everything, and may name no amount.
    fn operation(self, outcome: OperationOutcome) -> OperationReport {
        let amount = self.amount();
        let is_void = !matches!(self.event.as_str(), "CAPTURE" | "REFUND" | "POSTPONED_REFUND");
        let is_whole = amount.is_some() || is_void || outcome == OperationOutcome::Refused;
        let id = Some(self.psp_reference.clone()).filter(|id| is_id(id));
        let message = words(self.reason.as_deref());
        let params = self.details.params(&self.facts(id.as_deref(), message.as_deref(), self.event.as_str()));
        OperationReport {
            amount: amount.filter(|amount| !amount.is_zero()),
            outcome: if is_whole { outcome } else { OperationOutcome::Unknown },
            raw: raw::of_item(self.text),
            gateway_id: id,
            reference: self.reference,
            message,
            params,
        }
    }

    fn facts<'f>(
        &'f self,
        id: Option<&'f str>,
        message: Option<&'f str>,
        result: &'f str,
    ) -> OutcomeFacts<'f> {
        OutcomeFacts {
            reference: &self.reference,
            psp_reference: id,
            message,
            post_date: self.date.as_deref().and_then(|date| date.get(..10)),
            result: Some(result),
        }
    }
}
