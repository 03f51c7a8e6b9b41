//! Webhooks: signed events of the account.
//!
//! An event says that something happened, in the order in which it arrives, not in which it happened, and in the version
//! of the API that the endpoint has. So an event is read as a report only if its object is complete; otherwise the charge
//! or the refund is asked for.

use alloc::string::String;
use alloc::vec::Vec;

use subtle::{Choice, ConstantTimeEq};

use super::intent::{self, Intent, Marks, id_of};
use super::refund;
use super::request::id;
use super::session::CheckoutSession;
use super::{Stripe, WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT};
use crate::gateway::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent, MAX_EVENTS};
use crate::gateway::charge::Outcome;
use crate::gateway::exchange::Incoming;
use crate::value::id::ReferenceNumber;
use crate::value::time::Timestamp;
use crate::webhook::signature::hmac_sha256;
use crate::wire::object::Object;

/// The header with the signatures.
const HEADER: &str = "stripe-signature";
/// How many seconds the clocks may differ, in either direction.
const TOLERANCE: u64 = 300;
/// The most signatures that are compared.
const MAX_SIGNATURES: usize = 8;

pub(super) fn read(stripe: &Stripe, request: &Incoming, context: &CallbackContext) -> Option<Callback> {
    let header = request.header(HEADER)?;
    if !is_signed(stripe, header, &request.body, context.now) {
        return None;
    }
    let event = Object::read(&request.body, |event| {
        let kind = event.text("type");
        event.object("data", |data| data.raw("object").map(|raw| (kind, raw.get())))
    });
    let events = event.flatten().flatten().map(|(kind, object)| events_of(&kind, object)).unwrap_or_default();
    Some(Callback { events, answer: Acknowledgement::Json(r#"{"received":true}"#) })
}

/// Whether one of the signatures is that of a secret of ours, and was made now.
fn is_signed(stripe: &Stripe, header: &str, body: &[u8], now: Timestamp) -> bool {
    let mut moments = Vec::new();
    let mut signatures = Vec::new();
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", moment)) => moments.push(moment),
            Some(("v1", signature)) => signatures.push(signature),
            _ => {}
        }
    }
    let &[moment] = moments.as_slice() else { return false };
    let is_number = (1..=12).contains(&moment.len()) && moment.bytes().all(|byte| byte.is_ascii_digit());
    let Some(signed_at) = moment.parse::<i64>().ok().filter(|_| is_number) else { return false };
    if signed_at.abs_diff(now.seconds()) > TOLERANCE || signatures.len() > MAX_SIGNATURES {
        return false;
    }
    let secrets = [WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT];
    let secrets = secrets.into_iter().filter_map(|name| stripe.credentials.optional(name));
    let mut is_ours = Choice::from(0);
    for secret in secrets.filter(|secret| !secret.is_empty()) {
        let expected = hex::encode(hmac_sha256(secret.as_bytes(), &[moment.as_bytes(), b".", body]));
        for signature in &signatures {
            is_ours |= signature.as_bytes().ct_eq(expected.as_bytes());
        }
    }
    is_ours.into()
}

/// What an event says about our charges and refunds; nothing for those of others.
fn events_of(kind: &str, object: &str) -> Vec<GatewayEvent> {
    let family = kind.rsplit_once('.').map_or(kind, |(family, _)| family);
    let event = match family {
        "checkout.session" => of_session(object),
        "payment_intent" => of_intent(object),
        "setup_intent" => marks_of(object).charge.and_then(ask),
        "refund" | "charge.refund" => of_refund(object),
        "charge.dispute" => of_dispute(object),
        "charge" if kind == "charge.refunded" => return of_refunded(object),
        _ => None,
    };
    event.into_iter().collect()
}

fn marks_of(object: &str) -> Marks {
    Object::read(object, Marks::read).unwrap_or_default()
}

/// Asks for what has this reference, if it can be one of ours.
fn ask(reference: String) -> Option<GatewayEvent> {
    ReferenceNumber::parse(&reference).map(|_| GatewayEvent::Ask(reference))
}

/// A page that was closed before the payer tried is complete in itself.
fn of_session(object: &str) -> Option<GatewayEvent> {
    let session = CheckoutSession::parse(object.as_bytes())?;
    let report = session.report(None, object.as_bytes());
    let reference = ask(report.reference.clone())?;
    let is_over = session.is_untouched() && report.outcome == Outcome::Canceled;
    Some(if is_over { GatewayEvent::Charge(report) } else { reference })
}

/// An intent is complete if it has the charge in full, which newer versions of the API never send.
fn of_intent(object: &str) -> Option<GatewayEvent> {
    let intent = Intent::parse(object.as_bytes())?;
    let report = intent.report(None, object.as_bytes());
    let reference = ask(intent.marks.charge.clone()?)?;
    let is_over = intent.is_complete() && report.outcome == Outcome::Approved;
    Some(if is_over { GatewayEvent::Charge(report) } else { reference })
}

/// A refund that failed stays failed, and is a report: it may have succeeded before, so that nobody would ask about it.
fn of_refund(object: &str) -> Option<GatewayEvent> {
    let failed = refund::failed(object.as_bytes())
        .filter(|report| ReferenceNumber::parse(&report.reference).is_some())
        .map(GatewayEvent::Operation);
    failed.or_else(|| marks_of(object).refund.and_then(ask))
}

/// A dispute names its intent.
fn of_dispute(object: &str) -> Option<GatewayEvent> {
    let intent = Object::read(object, |dispute| id_of(dispute, "payment_intent")).flatten()?;
    id(&intent, intent::PREFIX).map(|intent| GatewayEvent::Disputed(intent.into()))
}

/// The refunds of a charge, if the version of the API lists them; otherwise only the charge is known.
fn of_refunded(object: &str) -> Vec<GatewayEvent> {
    let refunds = Object::read(object, |charge| {
        charge.object("refunds", |refunds| {
            refunds.objects("data", |refund| Object::read(refund, Marks::read)).into_iter()
        })
    });
    let refunds = refunds.flatten().into_iter().flatten().filter_map(|marks| marks.refund.and_then(ask));
    let events: Vec<GatewayEvent> = refunds.take(MAX_EVENTS).collect();
    if events.is_empty() { marks_of(object).charge.and_then(ask).into_iter().collect() } else { events }
}
