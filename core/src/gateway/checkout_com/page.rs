//! Reads a session of the Hosted Payments Page: how it was opened, and what became of it.

use alloc::string::{String, ToString};

use super::account::{PAGE, PAYMENT, id};
use super::{amount, raw};
use crate::gateway::charge::{Outcome, Report};
use crate::gateway::text::{line, page_address, params};
use crate::value::money::Money;
use crate::wire::object::Object;

/// How a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostedStatus {
    /// It can be paid.
    Open,
    /// It was paid.
    Paid,
    /// It is closed.
    Expired,
}

/// A page in the wire format.
pub(super) struct Page {
    pub(super) status: Option<HostedStatus>,
    id: String,
    reference: String,
    payment: Option<String>,
    address: Option<String>,
    total: Option<Money>,
    word: String,
}

impl Page {
    /// The page in a body; `None` if it cannot be read.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        Object::read(body, |page| {
            let word = page.optional_text("status").unwrap_or_default();
            let (number, currency) = (page.number::<i64>("amount"), page.optional_text("currency"));
            let link = |links: &mut Object<'_>| links.object("redirect", |link| link.optional_text("href"));
            Self {
                status: match word.as_str() {
                    "Payment Pending" => Some(HostedStatus::Open),
                    "Payment Received" => Some(HostedStatus::Paid),
                    "Expired" => Some(HostedStatus::Expired),
                    _ => None,
                },
                id: page.text("id"),
                reference: page.optional_text("reference").unwrap_or_default(),
                payment: page.optional_text("payment_id"),
                address: page.object("_links", link).flatten().flatten(),
                total: number.zip(currency).and_then(|(number, currency)| amount::read(number, &currency)),
                word,
            }
        })
    }

    /// The id of the payment that was made on it, or tried.
    pub(super) fn payment(&self) -> Option<&str> {
        id(self.payment.as_deref()?, PAYMENT)
    }

    /// It waits for the payer, if its address can be read.
    pub(super) fn opened(&self) -> Outcome {
        let address = self.address.as_deref().and_then(page_address);
        let is_whole = id(&self.id, PAGE).is_some() && !self.reference.is_empty();
        address.filter(|_| is_whole).map_or(Outcome::Unknown, |page_url| Outcome::Open { page_url })
    }

    /// A report about it.
    pub(super) fn report(&self, outcome: Outcome, body: &[u8]) -> Report {
        let known = id(&self.id, PAGE);
        Report {
            total: self.total,
            gateway_id: known.map(ToString::to_string),
            params: params(&[
                ("payment_id", known),
                ("result", line(&self.word).as_deref()),
                ("track_id", line(&self.reference).as_deref()),
            ]),
            raw: raw::of(body),
            ..Report::bare(&self.reference, outcome)
        }
    }
}
