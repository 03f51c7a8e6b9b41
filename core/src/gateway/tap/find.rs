//! Asks for the outcome of a charge: by its id, or by the list of what was made when it was opened, if the answer with its id
//! was lost.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::account::Tap;
use super::card::TapCard;
use super::fault;
use super::item::{TapItem, TapKind};
use super::request::{ListRequest, SoughtReference, TapPeriod, id};
use crate::gateway::charge::{ChargeRef, Outcome, Report};
use crate::gateway::exchange::{Incoming, Returned};
use crate::gateway::step::Step;
use crate::value::time::Timestamp;
use crate::wire::json;
use crate::wire::object::Object;

/// How many milliseconds before and after the attempt was opened an object can have been made, by Tap's clock.
const BEFORE: i64 = 300_000;
const AFTER: i64 = 900_000;
/// How many pages of a list are read. An exchange has at most five requests: before these perhaps the charge that the payer
/// names, after them the card.
const PAGES: u8 = 3;
/// The field in which the payer's browser names the charge. It is a hint: the charge itself says whose it is.
const NAMED: &str = "tap_id";

pub(super) fn inquire<'c>(
    tap: &'c Tap,
    charge: &'c ChargeRef,
    returned: Option<&'c Returned>,
) -> Step<'c, Report> {
    let kind = TapKind::of(charge.operation);
    let known = charge.gateway_id.as_deref().and_then(|known| id(known, kind.prefix()));
    if let Some(known) = known {
        let request = tap.get(&format!("{}/{known}", kind.path()));
        return Step::ask_first(request, move |answer| match item_of(answer) {
            Some(item) => read(tap, charge, item, &answer.body),
            None => Step::Done(unknown(charge)),
        });
    }
    let named =
        returned.and_then(|returned| returned.field(NAMED)).and_then(|named| id(named, kind.prefix()));
    let Some(named) = named else { return search(tap, charge) };
    let request = tap.get(&format!("{}/{named}", kind.path()));
    Step::ask_first(request, move |answer| {
        match item_of(answer).filter(|item| item.reference() == charge.reference.as_str()) {
            Some(item) => read(tap, charge, item, &answer.body),
            None => search(tap, charge),
        }
    })
}

fn item_of(answer: &Incoming) -> Option<TapItem> {
    TapItem::parse(&answer.body).filter(|_| answer.status == 200)
}

fn unknown(charge: &ChargeRef) -> Report {
    Report::bare(charge.reference.as_str(), Outcome::Unknown)
}

fn read<'c>(tap: &'c Tap, charge: &'c ChargeRef, item: TapItem, body: &[u8]) -> Step<'c, Report> {
    let report = item.report(TapKind::of(charge.operation), body);
    with_card(tap, item, report, charge.saves_card, |report| report)
}

/// Goes on with the card that was saved, of which a charge does not say until when it is valid.
pub(super) fn with_card<'c, T: 'c>(
    tap: &'c Tap,
    item: TapItem,
    report: Report,
    saves_card: bool,
    then: impl FnOnce(Report) -> T + 'c,
) -> Step<'c, T> {
    let is_saved = saves_card && report.outcome == Outcome::Approved;
    let request = item
        .saved
        .ids(&item.card)
        .filter(|_| is_saved && item.card.expiry().is_none())
        .map(|(customer, card)| tap.card(customer, card));
    let Some(request) = request else {
        let card = if is_saved { item.saved.report(&item.card) } else { None };
        return Step::Done(then(Report { card, ..report }));
    };
    Step::add(request, move |answer| {
        let known = Object::read(&answer.body, TapCard::read).filter(|_| answer.status == 200);
        let card = item.card.completed(known.unwrap_or_default());
        then(Report { card: item.saved.report(&card), ..report })
    })
}

/// Looks for the charge on the list. One that is not on it does not exist.
fn search<'c>(tap: &'c Tap, charge: &'c ChargeRef) -> Step<'c, Report> {
    let sought = SoughtItem {
        kind: TapKind::of(charge.operation),
        reference: charge.reference.as_str(),
        opened_at: charge.opened_at,
    };
    find(tap, sought, move |found| match found {
        Found::Item(item, text) => read(tap, charge, *item, text.as_bytes()),
        Found::Nothing => Step::Done(Report::bare(charge.reference.as_str(), Outcome::Absent)),
        Found::Unclear => Step::Done(unknown(charge)),
    })
}

/// What is looked for on a list.
#[derive(Clone, Copy)]
pub(super) struct SoughtItem<'c> {
    pub(super) kind: TapKind,
    pub(super) reference: &'c str,
    /// When it was asked for.
    pub(super) opened_at: Timestamp,
}

/// What a list says about a reference.
pub(super) enum Found {
    /// What carries it, and its text.
    Item(Box<TapItem>, String),
    /// Nothing carries it.
    Nothing,
    /// The list cannot be read, or is too long.
    Unclear,
}

type ThenFound<'c, T> = Box<dyn FnOnce(Found) -> Step<'c, T> + 'c>;

/// Looks for what carries a reference on the first pages of what was made when it was asked for.
pub(super) fn find<'c, T: 'c>(
    tap: &'c Tap,
    sought: SoughtItem<'c>,
    then: impl FnOnce(Found) -> Step<'c, T> + 'c,
) -> Step<'c, T> {
    turn(tap, sought, None, PAGES, Box::new(then))
}

fn turn<'c, T: 'c>(
    tap: &'c Tap,
    sought: SoughtItem<'c>,
    after: Option<String>,
    pages: u8,
    then: ThenFound<'c, T>,
) -> Step<'c, T> {
    let opened_at = sought.opened_at.millis();
    let body = ListRequest {
        period: Some(TapPeriod::of(opened_at.saturating_sub(BEFORE), opened_at.saturating_add(AFTER))),
        reference: Some(SoughtReference { transaction: sought.reference }),
        starting_after: after,
        ..ListRequest::default()
    };
    let request = pages.checked_sub(1).zip(tap.list(sought.kind.path(), &body));
    let Some((left, request)) = request else { return then(Found::Unclear) };
    Step::ask_first(request, move |answer| {
        let Some(page) = page(answer, sought.kind.lists()) else { return then(Found::Unclear) };
        let Some(items) = page.items() else { return then(Found::Unclear) };
        let prefix = sought.kind.prefix();
        let last = items.last().and_then(|(item, _)| id(&item.id, prefix)).map(ToString::to_string);
        let found = items.into_iter().find(|(item, _)| item.reference() == sought.reference);
        match (found, page.has_more, last) {
            (Some((item, text)), ..) => then(Found::Item(Box::new(item), text.to_string())),
            (None, false, _) => then(Found::Nothing),
            (None, true, Some(last)) => turn(tap, sought, Some(last), left, then),
            (None, true, None) => then(Found::Unclear),
        }
    })
}

/// A page of a list.
pub(super) struct ListPage<'a> {
    pub(super) entries: Vec<&'a str>,
    pub(super) has_more: bool,
}

impl<'a> ListPage<'a> {
    /// Its charges or authorisations; `None` if one of them cannot be read.
    pub(super) fn items(&self) -> Option<Vec<(TapItem, &'a str)>> {
        self.entries.iter().map(|text| Some((TapItem::parse(*text)?, *text))).collect()
    }
}

/// The page in an answer, whose entries are under one of these names; `None` if it cannot be read.
pub(super) fn page<'a>(answer: &'a Incoming, names: &[&str]) -> Option<ListPage<'a>> {
    if fault::refusal(answer).is_some_and(|refusal| refusal.is_nothing_found()) {
        return Some(ListPage { entries: Vec::new(), has_more: false });
    }
    if answer.status != 200 {
        return None;
    }
    Object::read(&answer.body, |list| {
        let has_more = list.flag("has_more")?;
        let entries = json::items(names.iter().find_map(|name| list.raw(name))?)?;
        Some(ListPage { entries: entries.into_iter().map(RawValue::get).collect(), has_more })
    })?
}
