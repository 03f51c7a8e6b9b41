//! What gateways have in common at which a payer pays later: one page, on which what is paid is held, then captured, released
//! and given back in parts; what the gateway reports by itself is only a reason to ask.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::bearer;
use super::callback::{Acknowledgement, Callback, GatewayEvent};
use super::capabilities::Capabilities;
use super::charge::{ChargeOperation, ChargeRef, Order, Outcome, Report};
use super::decline::{DeclineReason, note};
use super::exchange::{HttpMethod, Incoming, Outgoing};
use super::flexible::{Flexible, PayerField};
use super::icon::Icon;
use super::instrument::Instrument;
use super::operation::{AskedOperation, OperationOutcome, OperationReport};
use super::text::{params, segment, words};
use crate::value::money::Money;
use crate::wire::json;
use crate::wire::object::Object;
use crate::words::{ChildOperation, Operation};

/// What all of them can do.
pub(super) const CAPABILITIES: Capabilities = Capabilities {
    payments: &[Operation::Purchase, Operation::Authorize],
    operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
    usual_operations: &[ChildOperation::Capture, ChildOperation::Refund, ChildOperation::Void],
    captures_parts: true,
    refunds_parts: true,
    icon: Icon::Wallet,
    ..Capabilities::NONE
};

/// How a method is offered: its gateway is asked first, and must know who pays.
pub(super) const fn flexible(flow: &'static str) -> Flexible {
    Flexible { flow, needs: &[PayerField::Phone, PayerField::Email, PayerField::Name], asks_first: true }
}

/// The result of a charge whose money is held.
pub(super) const APPROVED: &str = "APPROVED";
/// The result of a charge whose money was taken.
pub(super) const CAPTURED: &str = "CAPTURED";
/// The result of a charge that was declined.
pub(super) const NOT_CAPTURED: &str = "NOT CAPTURED";
/// The result of a charge of which nothing was or is taken.
pub(super) const CANCELED: &str = "CANCELED";

/// The most characters of an id, which are UUIDs.
const MAX_ID: usize = 64;

/// An id that can be a part of an address.
pub(super) fn id(text: &str) -> Option<&str> {
    segment(text, "", b"-", MAX_ID)
}

/// Whether an order is paid on a page: no card is charged, saved or confirmed.
pub(super) fn is_for_page(order: &Order) -> bool {
    order.card.is_none()
        && order.instrument == Instrument::Page
        && !order.saves_card
        && order.operation != ChargeOperation::Verify
}

/// Where a gateway is asked, and with which key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access<'a> {
    pub(super) endpoint: &'a str,
    pub(super) key: &'a str,
}

impl Access<'_> {
    /// Asks for something.
    pub(super) fn get(self, path: &str) -> Outgoing {
        bearer::request(HttpMethod::Get, [self.endpoint, path].concat(), self.key, Vec::new())
    }

    /// Sends an object.
    pub(super) fn post(self, path: &str, body: &impl Serialize) -> Outgoing {
        // Texts and numbers always serialise; an empty body is refused, and nothing is done.
        let body = serde_json::to_string(body).unwrap_or_default().into_bytes();
        bearer::request(HttpMethod::Post, [self.endpoint, path].concat(), self.key, body)
    }

    /// Sends nothing to an address that does something.
    pub(super) fn post_nothing(self, path: &str) -> Outgoing {
        bearer::request(HttpMethod::Post, [self.endpoint, path].concat(), self.key, Vec::new())
    }
}

/// What an answer that is no success says for certain.
pub(super) enum Fault {
    /// Nothing was done, and the words for it.
    Refused(Option<String>),
    /// The state of the payment forbids it, perhaps because it was done before.
    Conflict(Option<String>),
    /// Nothing: the gateway was too busy, or does not know, or it is not certain that the answer is the gateway's.
    Nothing,
}

impl Fault {
    /// What an answer says; `said` are the words of an error that is certainly the gateway's.
    pub(super) fn of(answer: &Incoming, said: Option<&str>) -> Self {
        let Some(said) = said else { return Self::Nothing };
        match answer.status {
            401 | 403 => Self::Refused(words(said)),
            400 | 404 | 409 | 422 => Self::Conflict(words(said)),
            _ => Self::Nothing,
        }
    }
}

/// A callback after which the gateway is asked about these references of ours.
pub(super) fn asking(about: impl IntoIterator<Item = String>) -> Callback {
    let events = about.into_iter().map(GatewayEvent::Ask).collect();
    Callback { events, answer: Acknowledgement::Text(String::new()) }
}

/// A report about a charge that gives nothing but the outcome.
pub(super) fn bare(charge: &ChargeRef, outcome: Outcome) -> Report {
    Report::bare(charge.reference.as_str(), outcome)
}

/// Whether it is recorded that the money is held. What was held and known to be is released by an operation on a payment that
/// succeeded; otherwise what is released is as if it had never been held.
pub(super) fn is_known_held(charge: &ChargeRef) -> bool {
    let is_held = charge.operation == ChargeOperation::Authorize;
    is_held && charge.params.get("result").is_some_and(|result| result == APPROVED)
}

/// A payment of the gateway, as reports name it.
#[derive(Clone, Copy)]
pub(super) struct NamedPayment<'a> {
    /// The gateway's id.
    pub(super) id: &'a str,
    /// Our reference of the charge.
    pub(super) reference: &'a str,
}

/// What became of a charge: the outcome, over how much, and the word for it.
pub(super) type Judgement = (Outcome, Money, &'static str);

impl NamedPayment<'_> {
    /// The report that a charge ended; `declined` is the gateway's word for a decline.
    pub(super) fn report(
        self,
        (outcome, total, result): Judgement,
        captures: &[Movement],
        declined: &str,
    ) -> Report {
        let capture = captures.first().and_then(|capture| capture.id.as_deref());
        let mut params = params(&[
            ("payment_id", Some(self.id)),
            ("result", Some(result)),
            ("track_id", Some(self.reference)),
            ("transaction_id", capture),
        ]);
        if outcome == Outcome::Declined {
            note(&mut params, DeclineReason::DoNotHonor, declined);
        }
        Report {
            total: Some(total),
            gateway_id: id(self.id).map(String::from),
            params,
            ..Report::bare(self.reference, outcome)
        }
    }

    /// The report that an operation is done, with the movement that it became; a void has none.
    pub(super) fn done(self, asked: AskedOperation<'_>, movement: Option<&Movement>) -> OperationReport {
        let moved = movement.and_then(|movement| movement.id.as_deref());
        let result = match asked.operation {
            ChildOperation::Capture => CAPTURED,
            ChildOperation::Refund => "REFUNDED",
            ChildOperation::Void => "VOIDED",
        };
        OperationReport {
            amount: Some(movement.map_or(asked.amount, |movement| movement.amount)),
            gateway_id: moved.and_then(id).map(ToString::to_string),
            params: params(&[
                ("payment_id", Some(self.id)),
                ("result", Some(result)),
                ("track_id", Some(asked.reference)),
                ("transaction_id", moved),
            ]),
            ..asked.bare(OperationOutcome::Done)
        }
    }
}

/// A capture or a refund of a payment.
pub(super) struct Movement {
    pub(super) id: Option<String>,
    pub(super) amount: Money,
    /// Our reference of it, if it was made from here.
    pub(super) reference: Option<String>,
}

impl Movement {
    /// The movements of a list, which may be absent; `None` if one of them cannot be read.
    pub(super) fn list(
        of: &mut Object<'_>,
        name: &str,
        read: impl Fn(&mut Object<'_>) -> Option<Self>,
    ) -> Option<Vec<Self>> {
        let Some(list) = of.raw(name) else { return Some(Vec::new()) };
        json::items(list)?.into_iter().map(|item| Object::read(item.get(), &read)?).collect()
    }

    /// The one that an operation became, by our reference of it or by the gateway's id.
    pub(super) fn of<'m>(movements: &'m [Self], asked: AskedOperation<'_>) -> Option<&'m Self> {
        let is_same = |known: Option<&str>, own: Option<&str>| known.is_some() && known == own;
        movements.iter().find(|movement| {
            is_same(movement.reference.as_deref(), Some(asked.reference))
                || is_same(movement.id.as_deref(), asked.gateway_id)
        })
    }
}
