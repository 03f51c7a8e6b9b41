//! The list of charges: those that were made in a period, and then the authorisations.
//!
//! Tap lists objects by when they were made, and a charge does not say what was given back of it. The sums that it does not say
//! are left out.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::account::Tap;
use super::find::page;
use super::item::{TapItem, TapKind};
use super::request::{ListRequest, OF_CHARGE, TapPeriod, id};
use super::words::ChargeStatus;
use crate::gateway::charge::{Outcome, Report};
use crate::gateway::exchange::Incoming;
use crate::gateway::listing::{ChargePage, ListedCharge, ListedSums, Period};
use crate::gateway::step::Step;
use crate::value::money::Money;

/// The cursor of the first page of authorisations. The others are the ids of the last object of the page before.
const AUTHORIZATIONS: &str = "authorizations";

pub(super) fn list<'c>(
    tap: &'c Tap,
    period: Period,
    cursor: Option<&'c str>,
) -> Step<'c, Option<ChargePage>> {
    let cursor = cursor.unwrap_or_default();
    let after_authorization = id(cursor, TapKind::Authorization.prefix());
    let is_held = cursor == AUTHORIZATIONS || after_authorization.is_some();
    let kind = if is_held { TapKind::Authorization } else { TapKind::Charge };
    let after = after_authorization.or(id(cursor, TapKind::Charge.prefix()));
    if after.is_none() && !is_held && !cursor.is_empty() {
        return Step::Done(None);
    }
    let body = ListRequest {
        // The last moment is not in the period.
        period: Some(TapPeriod::of(period.from.millis(), period.to.millis().saturating_sub(1))),
        starting_after: after.map(ToString::to_string),
        ..ListRequest::default()
    };
    match tap.list(kind.path(), &body) {
        Some(request) => Step::ask(request, move |answer| read(answer, kind)),
        None => Step::Done(None),
    }
}

/// The page in an answer; `None` if any part of it cannot be read: a charge must not be skipped silently. What has none of our
/// marks was made by someone else with the same account, or is a capture, and is left out.
fn read(answer: &Incoming, kind: TapKind) -> Option<ChargePage> {
    let page = page(answer, kind.lists())?;
    let items = page.items()?;
    let last = items.last().map(|(item, _)| item.id.as_str());
    let next = match (page.has_more, kind) {
        (true, _) => Some(id(last?, kind.prefix())?.to_string()),
        (false, TapKind::Charge) => Some(AUTHORIZATIONS.to_string()),
        (false, TapKind::Authorization) => None,
    };
    let ours = items.iter().filter(|(item, _)| item.mark.as_deref() == Some(OF_CHARGE));
    let charges: Vec<ListedCharge> = ours.map(|(item, text)| listed(item, text, kind)).collect();
    Some(ChargePage { charges, next })
}

fn listed(item: &TapItem, text: &str, kind: TapKind) -> ListedCharge {
    let report = item.report(kind, text.as_bytes());
    let zero = item.amount.map(|amount| Money::zero(amount.currency()));
    match (kind, item.status) {
        // Only what was held can be released.
        (TapKind::Authorization, Some(ChargeStatus::Void)) => ListedCharge {
            report: Report { outcome: Outcome::Approved, ..report },
            sums: ListedSums { captured: zero, refunded: zero, voided: item.amount },
        },
        (TapKind::Authorization, Some(ChargeStatus::Authorized)) => {
            ListedCharge { report, sums: ListedSums { captured: zero, refunded: zero, voided: zero } }
        }
        _ => ListedCharge { report, sums: ListedSums::default() },
    }
}
