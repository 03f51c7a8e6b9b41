//! The page of Adyen on which a payer pays: a payment link, used once.
//!
//! Decision: a link, and not a session of Hosted Checkout. The status of a link can be asked for at any time and a link can
//! be made to expire, while the result of a session is given only for a token that the payer's browser brings back: a payer
//! who closes the page would leave a payment of which nobody can ask what became.

use alloc::format;
use alloc::string::String;

use super::amount;
use super::details::{OutcomeDetails, OutcomeFacts, is_id};
use super::error::AdyenRefusal;
use super::raw;
use crate::gateway::charge::{ChargeRef, Opened, Outcome, Report};
use crate::gateway::exchange::Incoming;
use crate::gateway::text::page_address;
use crate::value::id::ReferenceNumber;
use crate::value::money::Money;
use crate::wire::object::Object;

/// A link in the wire format.
struct Link {
    id: String,
    reference: String,
    status: String,
    url: String,
    total: Option<Money>,
}

/// What the status `completed` means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Completed {
    /// Nothing certain yet: the webhook follows, with the id by which the payment is captured and refunded.
    Awaited,
    /// The payment was made. No webhook comes.
    Approved,
}

/// Where the status of a link is asked for, and changed; `None` for an id that cannot be a part of an address.
pub(super) fn path(id: &str) -> Option<String> {
    is_id(id).then(|| format!("/paymentLinks/{id}"))
}

/// Whether the id of a charge is that of its link: `PL` and sixteen more, while the id of a payment has sixteen in all.
pub(super) fn is_link(id: &str) -> bool {
    id.starts_with("PL") && id.len() > 16
}

/// The answer to the request for a link.
pub(super) fn read_opened(reference: &ReferenceNumber, completed: Completed, answer: &Incoming) -> Opened {
    match AdyenRefusal::of(answer) {
        Some(AdyenRefusal { message }) => Opened::Refused { message },
        None => Opened::Reported(read_report(reference, completed, answer)),
    }
}

/// The answer to a question about a link.
pub(super) fn read_inquired(charge: &ChargeRef, completed: Completed, answer: &Incoming) -> Report {
    read_report(&charge.reference, completed, answer)
}

fn read_report(reference: &ReferenceNumber, completed: Completed, answer: &Incoming) -> Report {
    let link = if matches!(answer.status, 200 | 201) { read(&answer.body) } else { None };
    match link {
        Some(link) => report_of(link, completed, &answer.body),
        None => Report::bare(reference.as_str(), Outcome::Unknown),
    }
}

fn read(body: &[u8]) -> Option<Link> {
    Object::read(body, |object| Link {
        id: object.text("id"),
        reference: object.text("reference"),
        status: object.text("status"),
        url: object.text("url"),
        total: amount::member(object),
    })
}

fn report_of(link: Link, completed: Completed, body: &[u8]) -> Report {
    let is_whole = link.total.is_some() && is_id(&link.id);
    let outcome = match link.status.as_str() {
        "active" if is_whole => {
            page_address(&link.url).map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url })
        }
        "expired" if is_whole => Outcome::Canceled,
        "completed" | "paid" if is_whole && completed == Completed::Approved => Outcome::Approved,
        _ => Outcome::Unknown,
    };
    let id = Some(link.id.as_str()).filter(|id| is_id(id));
    let params = OutcomeDetails::default().params(&OutcomeFacts {
        reference: &link.reference,
        psp_reference: id,
        message: None,
        post_date: None,
        result: Some(&link.status),
    });
    Report {
        total: link.total,
        outcome,
        message: None,
        gateway_id: id.map(Into::into),
        params,
        raw: raw::of(body),
        card: None,
        reference: link.reference,
    }
}
