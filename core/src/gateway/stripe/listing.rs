//! The list of charges: the intents that were made in a period, and then those of which something was refunded in it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::Stripe;
use super::find::{ListEntry, read_list};
use super::intent::{self, Intent};
use super::refund;
use super::request::id;
use super::words::IntentStatus;
use crate::gateway::exchange::Outgoing;
use crate::gateway::listing::{ChargePage, ListedCharge, ListedSums, Period};
use crate::gateway::step::Step;
use crate::value::money::Money;
use crate::wire::object::Object;

/// The cursor of the first page of refunds. The others are the ids of the last object of the page before.
const REFUNDS: &str = "refunds";
/// How many objects a page has: so many fit into what is read, with their charges.
const LIMIT: u8 = 50;

pub(super) fn list<'c>(
    stripe: &'c Stripe,
    period: Period,
    cursor: Option<&'c str>,
) -> Step<'c, Option<ChargePage>> {
    let cursor = cursor.unwrap_or_default();
    let after_refund = id(cursor, refund::PREFIX);
    let is_refunds = cursor == REFUNDS || after_refund.is_some();
    let after = after_refund.or(id(cursor, intent::PREFIX));
    if after.is_none() && !is_refunds && !cursor.is_empty() {
        return Step::Done(None);
    }
    let (path, expand) = if is_refunds {
        (refund::PATH, "data.payment_intent.latest_charge")
    } else {
        (intent::PATH, "data.latest_charge")
    };
    let from = period.from.seconds();
    // A part of a second belongs to the period as a whole.
    let to = period.to.millis().saturating_add(999).div_euclid(1_000);
    let after = after.map(|last| format!("&starting_after={last}")).unwrap_or_default();
    let path = format!("{path}?created[gte]={from}&created[lt]={to}&limit={LIMIT}&expand[]={expand}{after}");
    let request = Outgoing { max_answer: Outgoing::MAX_LIST, ..stripe.get(&path) };
    Step::ask(request, move |answer| {
        (answer.status == 200).then(|| read_page(&answer.body, is_refunds)).flatten()
    })
}

/// The page in a body; `None` if any part of it cannot be read: a charge must not be skipped silently. What has none of
/// our references was made by someone else with the same account, and is left out.
fn read_page(body: &[u8], is_refunds: bool) -> Option<ChargePage> {
    let (entries, has_more) = read_list(body)?;
    let last = entries.last().map(|last| last.id.as_str());
    let prefix = if is_refunds { refund::PREFIX } else { intent::PREFIX };
    let next = match (has_more, is_refunds) {
        (true, _) => Some(id(last?, prefix)?.to_owned()),
        (false, false) => Some(REFUNDS.to_owned()),
        (false, true) => None,
    };
    let is_ours = |entry: &&ListEntry<'_>| {
        let marks = &entry.marks;
        if is_refunds { marks.refund.is_some() } else { marks.charge.is_some() }
    };
    let charges = entries
        .iter()
        .filter(is_ours)
        .map(|entry| listed(if is_refunds { intent_of_refund(entry.text)? } else { entry.text }));
    Some(ChargePage { charges: charges.collect::<Option<Vec<_>>>()?, next })
}

/// The intent of a refund, in full.
fn intent_of_refund(text: &str) -> Option<&str> {
    Object::read(text, |refund| refund.raw("payment_intent").map(RawValue::get))?
}

fn listed(text: &str) -> Option<ListedCharge> {
    let intent = Intent::parse(text.as_bytes())?;
    Some(ListedCharge { report: intent.report(None, text.as_bytes()), sums: sums_of(&intent) })
}

/// What was done to a charge afterwards. Stripe counts what a partial capture or a void releases as refunded too, so that
/// this sum is used only if there was neither.
fn sums_of(intent: &Intent) -> ListedSums {
    let Some((amount, charge)) = intent.amount().zip(intent.charge.as_ref()) else {
        return ListedSums::default();
    };
    let zero = Money::zero(amount.currency());
    let sum = |number: Option<i64>| number.and_then(|number| intent.money(number));
    match intent.status {
        Some(IntentStatus::Succeeded) => {
            let captured = sum(charge.captured);
            let refunded = sum(charge.refunded).filter(|_| captured == Some(amount));
            ListedSums { captured, refunded, voided: Some(zero) }
        }
        Some(IntentStatus::RequiresCapture) => {
            ListedSums { captured: Some(zero), refunded: Some(zero), voided: Some(zero) }
        }
        Some(IntentStatus::Canceled) => ListedSums {
            captured: Some(zero),
            refunded: Some(zero),
            voided: intent.is_voided().then_some(amount),
        },
        Some(_) | None => ListedSums::default(),
    }
}
