//! Finds what carries our reference, if the answer with its id was lost: by the lists of Stripe, which show an object as
//! soon as it exists. Its search is late and is not used.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Stripe;
use super::intent::Marks;
use super::request::id;
use crate::gateway::exchange::Outgoing;
use crate::gateway::step::Step;
use crate::value::time::Timestamp;
use crate::wire::object::Object;

/// How many seconds before and after the attempt was opened an object can have been made, by Stripe's clock.
const BEFORE: i64 = 300;
const AFTER: i64 = 900;

/// Where to look.
#[derive(Clone, Copy)]
pub(super) struct Shelf {
    /// The address of the list.
    pub(super) path: &'static str,
    /// How the ids on it begin.
    pub(super) prefix: &'static str,
}

/// What a list says about a reference.
pub(super) enum FoundIntent {
    /// The id of what carries it.
    Id(String),
    /// Nothing carries it.
    Nothing,
    /// The list cannot be read, or is too long.
    Unclear,
}

/// An entry of a list: its id, and our reference in it.
pub(super) struct ListEntry<'a> {
    pub(super) id: String,
    pub(super) marks: Marks,
    page_reference: Option<String>,
    pub(super) text: &'a str,
}

impl<'a> ListEntry<'a> {
    fn read(text: &'a str) -> Option<Self> {
        Object::read(text, |entry| Self {
            id: entry.text("id"),
            marks: Marks::read(entry),
            page_reference: entry.optional_text("client_reference_id"),
            text,
        })
    }

    fn is_of(&self, reference: &str) -> bool {
        let given = self.page_reference.as_deref().or(self.marks.charge.as_deref());
        given == Some(reference)
    }
}

/// A page of a list, and whether there are more.
pub(super) fn read_list(body: &[u8]) -> Option<(Vec<ListEntry<'_>>, bool)> {
    Object::read(body, |list| {
        let has_more = list.flag("has_more")?;
        (list.text("object") == "list").then(|| (list.objects("data", ListEntry::read), has_more))
    })?
}

/// Whether a body is a list. Its entries are not read.
pub(super) fn is_list(body: &[u8]) -> bool {
    Object::read(body, |list| list.text("object")).is_some_and(|object| object == "list")
}

type Then<'c, T> = Box<dyn FnOnce(FoundIntent) -> Step<'c, T> + 'c>;

/// What is looked for, and how far.
#[derive(Clone, Copy)]
pub(super) struct Sought<'c> {
    pub(super) shelf: Shelf,
    pub(super) reference: &'c str,
    /// When the attempt was opened.
    pub(super) opened_at: Timestamp,
    /// How many pages are read at most.
    pub(super) pages: u8,
}

/// Looks for a reference on the first pages of what was made when the attempt was opened.
pub(super) fn find<'c, T: 'c>(
    stripe: &'c Stripe,
    sought: Sought<'c>,
    then: impl FnOnce(FoundIntent) -> Step<'c, T> + 'c,
) -> Step<'c, T> {
    let from = sought.opened_at.seconds().saturating_sub(BEFORE);
    let to = sought.opened_at.seconds().saturating_add(AFTER);
    let list = format!("{}?created[gte]={from}&created[lte]={to}&limit=100", sought.shelf.path);
    turn(stripe, sought, list, None, Box::new(then))
}

fn turn<'c, T: 'c>(
    stripe: &'c Stripe,
    sought: Sought<'c>,
    list: String,
    after: Option<String>,
    then: Then<'c, T>,
) -> Step<'c, T> {
    let Some(left) = sought.pages.checked_sub(1) else { return then(FoundIntent::Unclear) };
    let after = after.map(|last| format!("&starting_after={last}")).unwrap_or_default();
    let request = Outgoing { max_answer: Outgoing::MAX_LIST, ..stripe.get(&format!("{list}{after}")) };
    Step::ask_first(request, move |answer| {
        let prefix = sought.shelf.prefix;
        let page = if answer.status == 200 { read_list(&answer.body) } else { None };
        let Some((entries, has_more)) = page else { return then(FoundIntent::Unclear) };
        if let Some(entry) = entries.iter().find(|entry| entry.is_of(sought.reference)) {
            let known = id(&entry.id, prefix).map(ToString::to_string);
            return then(known.map_or(FoundIntent::Unclear, FoundIntent::Id));
        }
        if !has_more {
            return then(FoundIntent::Nothing);
        }
        match entries.last().and_then(|entry| id(&entry.id, prefix)) {
            Some(end) => turn(stripe, Sought { pages: left, ..sought }, list, Some(end.to_string()), then),
            None => then(FoundIntent::Unclear),
        }
    })
}
