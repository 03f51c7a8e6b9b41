//! The list of payments that were requested in a period, by the search of payments.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::account::CheckoutCom;
use super::amount;
use super::payment::{Payment, PaymentStatus};
use crate::gateway::charge::Outcome;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::listing::{ChargePage, ListedCharge, ListedSums, Period};
use crate::gateway::step::Step;
use crate::wire::object::Object;

/// The path of the search; those of the pages after the first follow it.
const PATH: &str = "/payments/search";
/// How many payments a page has: so many fit into what is read.
const LIMIT: u16 = 100;
/// The longest cursor.
const MAX_CURSOR: usize = 512;

/// The request for the first page, in the wire format.
#[derive(Serialize)]
struct CkoSearch {
    limit: u16,
    from: String,
    to: String,
}

pub(super) fn list<'c>(
    account: &'c CheckoutCom,
    period: Period,
    cursor: Option<&'c str>,
) -> Step<'c, Option<ChargePage>> {
    let request = match cursor {
        Some(cursor) if is_cursor(cursor) => Some(account.get(&format!("{PATH}/{cursor}"))),
        Some(_) => None,
        None => {
            let search = CkoSearch { limit: LIMIT, from: period.from.to_string(), to: period.to.to_string() };
            account.post(PATH, None, &search)
        }
    };
    match request {
        Some(request) => {
            let request = Outgoing { max_answer: Outgoing::MAX_LIST, ..request };
            Step::ask(request, |answer| read_page(answer).filter(|_| answer.status == 200))
        }
        None => Step::Done(None),
    }
}

/// Whether a text can be the rest of the address of a page.
fn is_cursor(text: &str) -> bool {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_?=&%.".contains(&byte);
    (1..=MAX_CURSOR).contains(&text.len()) && text.bytes().all(is_safe)
}

/// The page in a body; `None` if any part of it cannot be read: a charge must not be skipped silently. What has none of our
/// references was made by someone else with the same account, and is left out.
fn read_page(answer: &Incoming) -> Option<ChargePage> {
    let (payments, next) = Object::read(&answer.body, |page| {
        let payments = page.objects("data", |text| Some((Payment::parse(text)?, text)));
        let next = page.object("_links", |links| links.object("next", |link| link.text("href"))).flatten();
        (payments, next)
    })?;
    let next = match next {
        Some(address) => Some(rest_of(&address)?),
        None => None,
    };
    let own = payments.iter().filter(|(payment, _)| payment.is_ours());
    let charges: Vec<ListedCharge> = own.map(|(payment, text)| listed(payment, text)).collect();
    Some(ChargePage { charges, next })
}

/// What follows the path of the search in the address of a page.
fn rest_of(address: &str) -> Option<String> {
    let (_, rest) = address.split_once(PATH)?;
    rest.strip_prefix('/').filter(|rest| is_cursor(rest)).map(ToString::to_string)
}

/// A charge that was released counts as one that was approved and voided.
fn listed(payment: &Payment, text: &str) -> ListedCharge {
    let is_voided = payment.status == Some(PaymentStatus::Voided) && payment.id().is_some();
    let outcome = if is_voided && payment.total.is_some() { Outcome::Approved } else { payment.outcome() };
    let currency = payment.total.map(|total| total.currency());
    let sum =
        |number: Option<i64>| number.zip(currency).and_then(|(number, of)| amount::read(number, of.code()));
    ListedCharge {
        report: payment.reported(outcome, false, text.as_bytes()),
        sums: ListedSums {
            captured: sum(payment.balances.captured),
            refunded: sum(payment.balances.refunded),
            voided: sum(payment.balances.voided),
        },
    }
}
