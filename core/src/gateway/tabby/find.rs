//! The payment of a charge: by its id, or by the list of what was paid, if the answer with the id was lost.
//!
//! Decision: the list is read as far as the requests of an exchange permit, and a charge that is not there was not paid. The
//! answer that was lost had the only address of its page, so that nobody could go there; the list is asked all the same.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use super::account::Tabby;
use crate::gateway::charge::ChargeRef;
use crate::gateway::pay_later::id;
use crate::gateway::step::Step;
use crate::value::time::Timestamp;
use crate::wire::object::Object;

/// How the address of a payment begins.
pub(super) const PATH: &str = "/api/v2/payments";
/// The most payments of a page of the list.
const PAGE: usize = 20;
/// How many pages are read at most: the requests of an exchange are limited, and one of them asks for the payment.
const PAGES: usize = 4;
/// How far the clocks may differ, and how long the payer has on the page.
const BEFORE: Duration = Duration::from_mins(5);
const AFTER: Duration = Duration::from_hours(1);
/// Divides the id of a payment from that of its session.
const DIVIDER: char = '.';

/// The address of a payment.
pub(super) fn path(payment: &str) -> String {
    format!("{PATH}/{payment}")
}

/// The id under which a charge is known while its page is open: that of the payment, and that of the session.
pub(super) fn open_id(payment: &str, session: &str) -> Option<String> {
    Some(format!("{}{DIVIDER}{}", id(payment)?, id(session)?))
}

/// The id of the payment of a charge.
pub(super) fn known(charge: &ChargeRef) -> Option<&str> {
    let known = charge.gateway_id.as_deref()?;
    id(known.split_once(DIVIDER).map_or(known, |(payment, _)| payment))
}

/// The id of the session of a charge.
pub(super) fn session(charge: &ChargeRef) -> Option<&str> {
    let (_, session) = charge.gateway_id.as_deref()?.split_once(DIVIDER)?;
    id(session)
}

/// What the list says about a reference.
pub(super) enum FoundPayment {
    /// The id of the payment that has it.
    Id(String),
    /// None of the latest payments of the day has it: nobody has paid.
    Nothing,
    /// The list cannot be read.
    Unclear,
}

type ThenPayment<'c, T> = Box<dyn FnOnce(FoundPayment) -> Step<'c, T> + 'c>;

/// Looks for the payment of a charge among those that were paid on the day on which it was opened.
pub(super) fn find<'c, T: 'c>(
    tabby: &'c Tabby,
    charge: &'c ChargeRef,
    then: impl FnOnce(FoundPayment) -> Step<'c, T> + 'c,
) -> Step<'c, T> {
    let from = day(charge.opened_at.minus(BEFORE));
    // The list takes days, and ends when the last one begins.
    let to = day(charge.opened_at.plus(AFTER).plus(Duration::from_hours(24)));
    let list = format!("{PATH}?created_at__gte={from}&created_at__lte={to}&limit={PAGE}");
    turn(tabby, SoughtPayment { reference: charge.reference.as_str(), list }, 0, Box::new(then))
}

/// A day in UTC: `2026-11-21`.
fn day(moment: Timestamp) -> String {
    moment.text().chars().take(10).collect()
}

struct SoughtPayment<'c> {
    reference: &'c str,
    list: String,
}

fn turn<'c, T: 'c>(
    tabby: &'c Tabby,
    sought: SoughtPayment<'c>,
    page: usize,
    then: ThenPayment<'c, T>,
) -> Step<'c, T> {
    if page >= PAGES {
        return then(FoundPayment::Nothing);
    }
    let offset = page.saturating_mul(PAGE);
    Step::ask_first(tabby.get_list(&format!("{}&offset={offset}", sought.list)), move |answer| {
        let entries = if answer.status == 200 { entries(&answer.body) } else { None };
        let Some(entries) = entries else { return then(FoundPayment::Unclear) };
        let found = entries.iter().find(|(_, reference)| reference.as_deref() == Some(sought.reference));
        if let Some((payment, _)) = found {
            return then(
                id(payment).map_or(FoundPayment::Unclear, |payment| FoundPayment::Id(payment.to_string())),
            );
        }
        if entries.len() < PAGE {
            return then(FoundPayment::Nothing);
        }
        turn(tabby, sought, page.saturating_add(1), then)
    })
}

/// The ids and references of the payments on a page. A list without payments may be `null`.
fn entries(body: &[u8]) -> Option<Vec<(String, Option<String>)>> {
    Object::read(body, |list| {
        // A page has the number of all payments, also if it has none.
        list.raw("pagination")?;
        if list.raw("payments").is_none() {
            return Some(Vec::new());
        }
        Some(list.objects("payments", |text| {
            Object::read(text, |payment| {
                let reference = payment.object("order", |order| order.optional_text("reference_id"));
                (payment.text("id"), reference.flatten())
            })
        }))
    })?
}
