//! The bank's list of what changed in a period, page by page (protocol in `docs/sandbox.md`).

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;

use crate::charge::Charge;
use crate::charge::view::Sums;
use crate::operation::{Operation, done};
use crate::reply::{Reply, json};

/// The most charges of a page.
pub const PAGE: usize = 50;

/// Which page is asked for; moments are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The first moment that does not belong to the period.
    pub to: i64,
    /// When the change was made after which the page begins.
    pub after: i64,
    /// The id of the charge after which the page begins, of those that changed at that moment.
    pub after_id: String,
}

/// A charge of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The charge.
    pub charge: Charge,
    /// What was done to it.
    pub operations: Vec<Operation>,
}

impl Listed {
    /// When the bank last did something to the charge: the latest of all moments, because a charge may be ended by a
    /// machine whose clock is behind that of the machine that opened it.
    #[must_use]
    pub fn changed_at(&self) -> Timestamp {
        let done = self.operations.iter().flat_map(|operation| [Some(operation.made_at), operation.ended_at]);
        done.chain([self.charge.ended_at]).flatten().fold(self.charge.opened_at, Timestamp::max)
    }

    fn sums(&self) -> Sums {
        let of = |kind| done(&self.charge, &self.operations, kind);
        Sums {
            captured: of(ChildOperation::Capture),
            refunded: of(ChildOperation::Refund),
            voided: of(ChildOperation::Void),
        }
    }
}

impl Query {
    /// The page that a query asks for, or what is wrong with it.
    pub(crate) fn read(query: &str) -> Result<Self, &'static str> {
        let value = |name: &str| {
            form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name).map(|(_, value)| value)
        };
        let moment =
            |name| value(name).and_then(|text| text.parse::<i64>().ok()).filter(|moment| *moment >= 0);
        let (Some(from), Some(to)) = (moment("from"), moment("to")) else {
            return Err("from and to must be milliseconds since 1970");
        };
        let Some(cursor) = value("cursor") else {
            return Ok(Self { to, after: from, after_id: String::new() });
        };
        let parts =
            cursor.split_once('.').and_then(|(at, id)| Some((at.parse::<i64>().ok()?, id.to_owned())));
        let parts = parts.filter(|(at, _)| *at >= from);
        let (after, after_id) = parts.ok_or("cursor must be the next of a page of the same period")?;
        Ok(Self { to, after, after_id })
    }

    /// Whether a charge is on this page or on a later one.
    #[must_use]
    pub fn covers(&self, listed: &Listed) -> bool {
        let place = (listed.changed_at().millis(), listed.charge.id.as_str());
        place.0 < self.to && place > (self.after, self.after_id.as_str())
    }
}

/// A page, of charges in the order of their changes and ids. One more than fits says that there is another page.
pub(crate) fn page(public_url: &str, page_size: usize, listed: &[Listed]) -> Reply {
    let shown = listed.get(..page_size).unwrap_or(listed);
    let mut body = br#"{"charges":["#.to_vec();
    for (place, one) in shown.iter().enumerate() {
        if place > 0 {
            body.push(b',');
        }
        body.extend(one.charge.listed_json(public_url, one.sums()));
    }
    body.push(b']');
    if let Some(last) = shown.last().filter(|_| listed.len() > shown.len()) {
        let next = format!(r#","next":"{}.{}""#, last.changed_at().millis(), last.charge.id);
        body.extend(next.into_bytes());
    }
    body.push(b'}');
    json(200, body)
}
