//! What a person should look at: the list, resolving an entry, and how much of everything waits.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use futures_util::future::try_join;
use serde::Serialize;

use crate::access::Caller;
use crate::access::granting::missing;
use crate::desk::form::DeskForm;
use crate::flow::Failure;
use crate::flow::merchant::attention::{load_page, read_search, resolve_own_attention};
use crate::port::{AttentionLists, AttentionSearch, Receivers, World};
use crate::record::attention::{AttentionId, AttentionState, ListedAttention, Topic};
use crate::rejection::{RefusedRequest, Rejection};
use crate::route::Action;
use crate::value::json;

/// How many entries a page of the list has.
const PAGE: u32 = 50;
/// Up to how many of a kind the first screen counts.
pub const MOST: u32 = 50;

/// A page of the list.
#[derive(Debug, Clone)]
pub struct AttentionList {
    /// Which entries these are.
    pub state: AttentionState,
    /// The newest first. What may quote a gateway about the payer is left out for someone who does not see who payers are.
    pub rows: Vec<ListedAttention>,
    /// The cursor of the page that follows.
    pub next: Option<String>,
}

/// The entries that fit the filters of the API's list.
///
/// # Errors
/// What is wrong with a filter, or a failure of the world.
pub async fn attention(world: &impl World, caller: &Caller, query: &str) -> Result<AttentionList, Failure> {
    let search = AttentionSearch { limit: PAGE, ..read_search(caller.merchant(), query)? };
    let (mut rows, next) = load_page(world, &search).await?;
    if !caller.sees_personal_data() {
        let quotes = |row: &&mut ListedAttention| {
            matches!(row.entry.reason.topic(), Topic::Payment | Topic::Reconciliation)
        };
        for row in rows.iter_mut().filter(quotes) {
            row.entry.detail = mem::take(&mut row.entry.detail).without_quotes();
        }
    }
    Ok(AttentionList { state: search.state, rows, next })
}

/// What became of an entry that was to be resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryResolved {
    /// It is resolved.
    Done,
    /// It was resolved before: nothing was done.
    Over,
    /// It is about something that waits for an outcome: nothing was done.
    Waiting,
    /// It needs a note: nothing was done.
    NoteMissing,
}

#[derive(Serialize)]
struct ResolveBody<'a> {
    note: &'a str,
}

/// Resolves an entry as a form asks.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn resolve_entry(
    world: &impl World,
    caller: &Caller,
    id: &AttentionId,
    form: &DeskForm,
) -> Result<EntryResolved, Failure> {
    let Some(note) = form.filled("note") else { return Ok(EntryResolved::NoteMissing) };
    let body = json::write(&ResolveBody { note })?;
    match resolve_own_attention(world, caller, id, body.as_bytes()).await {
        Ok(_) => Ok(EntryResolved::Done),
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::AlreadyResolved, .. })) => {
            Ok(EntryResolved::Over)
        }
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::NotResolvable, .. })) => {
            Ok(EntryResolved::Waiting)
        }
        Err(failure) => Err(failure),
    }
}

/// How much of each kind waits, up to one more than [`MOST`]; `None` of what the caller may not see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WaitingShown {
    /// Open entries of the attention list.
    pub attention: Option<u32>,
    /// Requests for approval.
    pub approvals: Option<u32>,
    /// Receivers that fail or are disabled.
    pub receivers: Option<u32>,
}

/// Counts what waits for someone.
///
/// # Errors
/// If the store fails.
pub async fn waiting(world: &impl World, caller: &Caller) -> Result<WaitingShown, Failure> {
    let may = |action| missing(caller, action).is_none();
    let (may_list, may_decide, may_manage) =
        (may(Action::List), may(Action::ReadApprovals), may(Action::ManageAccess));
    let merchant = caller.merchant();
    let matters = async {
        if !may_list && !may_decide {
            return Ok(None);
        }
        world.ledger(merchant).open_matters(merchant, MOST).await.map(Some)
    };
    let receivers = async {
        if !may_manage {
            return Ok(None);
        }
        world.directory().count_receivers(merchant, MOST).await.map(Some)
    };
    let (matters, receivers) = try_join(matters, receivers).await?;
    Ok(WaitingShown {
        attention: matters.filter(|_| may_list).map(|matters| matters.attention),
        approvals: matters.filter(|_| may_decide).map(|matters| matters.approvals),
        receivers,
    })
}
