//! Requests for approval of refunds and voids: who asked for what, and what another person decides.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::access::Caller;
use crate::answer::approval::{ApprovalPage, ApprovalShown};
use crate::api::approval::{ApproveRequest, RejectRequest};
use crate::approval::Approval;
use crate::approval::stage::{ApprovalFact, ApprovalState};
use crate::change::{ApprovalWrite, Change};
use crate::flow::Failure;
use crate::flow::commit::{Decision, decide_and_commit};
use crate::flow::exchange::staff;
use crate::flow::operation::{ApprovalBooks, requested};
use crate::operation::approval::{approve as approve_it, end};
use crate::port::{ApprovalSearch, Approvals, World};
use crate::rejection::Rejection;
use crate::route::query::APPROVALS;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;
use crate::violation::Rule;
use crate::wire::query::{MAX_LIMIT, Parameters};

/// How cursors of this list begin.
const PAGE: &str = "a1";
/// The longest cursor.
pub const MAX_CURSOR: usize = 400;

/// Lists the requests of a merchant, the newest first.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong parameter, or a failure of the world.
pub async fn list_approvals(
    world: &impl World,
    caller: &Caller,
    query: &str,
) -> Result<ApprovalPage, Failure> {
    let search = read_search(caller.merchant(), query)?;
    let (found, next) = load_page(world, &search).await?;
    Ok(ApprovalPage { next, results: found.into_iter().map(ApprovalShown::from).collect() })
}

/// The requests of a page, and the cursor of the one that follows.
///
/// # Errors
/// If the store fails.
pub(in crate::flow) async fn load_page(
    world: &impl World,
    search: &ApprovalSearch,
) -> Result<(Vec<Approval>, Option<String>), Failure> {
    let wanted = ApprovalSearch { limit: search.limit.saturating_add(1), ..search.clone() };
    let found = world.ledger(&wanted).find_approvals(&wanted).await?;
    Ok(page_of(search, found))
}

/// The page of a search of which one more was read than it holds, and the cursor of the one that follows.
pub(in crate::flow) fn page_of(
    search: &ApprovalSearch,
    mut found: Vec<Approval>,
) -> (Vec<Approval>, Option<String>) {
    let limit = usize::try_from(search.limit).unwrap_or(usize::MAX);
    let has_more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| has_more);
    let next = last.map(|last| cursor(&search.merchant, last.asked_at, &last.id));
    (found, next)
}

/// Reads the query of a list.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong parameter.
pub(in crate::flow) fn read_search(merchant: &MerchantId, query: &str) -> Result<ApprovalSearch, Rejection> {
    let mut given = Parameters::of(query, APPROVALS);
    let search = ApprovalSearch {
        merchant: merchant.clone(),
        after: given.read("cursor", Rule::NotCursor, |text| from_cursor(text, merchant)),
        limit: given.limit(MAX_LIMIT),
        state: given.read("state", Rule::OneOf(ApprovalState::WORDS), ApprovalState::parse),
        session_id: given.read("session_id", Rule::NotSessionId, SessionId::parse),
    };
    given.finish()?;
    Ok(search)
}

fn cursor(merchant: &MerchantId, at: Timestamp, id: &ReferenceNumber) -> String {
    URL_SAFE_NO_PAD.encode(format!("{PAGE}.{merchant}.{}.{id}", at.millis()))
}

/// Reads exactly what [`cursor`] makes for the same merchant.
fn from_cursor(text: &str, merchant: &MerchantId) -> Option<(Timestamp, ReferenceNumber)> {
    if text.len() > MAX_CURSOR {
        return None;
    }
    let plain = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let (rest, id) = plain.rsplit_once('.')?;
    let (_, millis) = rest.rsplit_once('.')?;
    let (at, id) = (Timestamp::from_millis(millis.parse().ok()?), ReferenceNumber::parse(id)?);
    (cursor(merchant, at, &id) == text).then_some((at, id))
}

/// Reads one request. Another merchant's is answered like one that does not exist.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn read_approval(
    world: &impl World,
    caller: &Caller,
    id: &ReferenceNumber,
) -> Result<ApprovalShown, Failure> {
    Ok(own_approval(world, caller, id).await?.into())
}

/// One request of the caller's merchant, as it is stored.
///
/// # Errors
/// As [`read_approval`].
pub(in crate::flow) async fn own_approval(
    world: &impl World,
    caller: &Caller,
    id: &ReferenceNumber,
) -> Result<Approval, Failure> {
    let found = world.ledger(id).approval(id).await?;
    let own = found.filter(|approval| approval.merchant == *caller.merchant());
    Ok(own.ok_or(Rejection::NotFound)?)
}

/// Approves a request, as a person who did not ask for it:
///
/// 1. read the body, and find the request; the hash in the body, if there is one, must be its own;
/// 2. one commit: its state, guarded by what it was and by its hash, and with the last person who is needed the entry of the
///    outbox by which it is carried out after the answer. The same person counts once, however often they approve.
///
/// # Errors
/// [`Rejection::UserRequired`], [`Rejection::NotFound`], [`Rejection::OwnApproval`], [`Rejection::ApprovalEnded`], or a failure of
/// the world.
pub async fn approve(
    world: &impl World,
    caller: &Caller,
    id: &ReferenceNumber,
    body: &[u8],
) -> Result<ApprovalShown, Failure> {
    // 1
    let asked = ApproveRequest::read(body)?;
    // 2
    decide(world, caller, id, |stored, now| {
        if asked.hash.as_ref().is_some_and(|hash| *hash != stored.approval.hash) {
            return Err(Rejection::Conflict);
        }
        approve_it(&stored.books, &stored.approval, caller.actor(), now)
    })
    .await
}

/// Rejects a request with a note, as a person who can approve; the one who asked for it takes it back instead.
///
/// # Errors
/// As [`approve`], and [`Rejection::Invalid`].
pub async fn reject(
    world: &impl World,
    caller: &Caller,
    id: &ReferenceNumber,
    body: &[u8],
) -> Result<ApprovalShown, Failure> {
    let RejectRequest { note } = RejectRequest::read(body)?;
    decide(world, caller, id, |stored, now| {
        let by = caller.actor();
        if stored.approval.is_asked_by(&by) {
            return Err(Rejection::OwnApproval);
        }
        let ended = (ApprovalFact::Rejected, by, Some(note.clone()));
        end(&stored.books.transaction, &stored.approval, ended, now).map(Some)
    })
    .await
}

/// Takes a request back, as who asked for it, or as a caller who may do everything for the merchant.
///
/// # Errors
/// [`Rejection::PermissionMissing`] for everyone else; otherwise as [`approve`].
pub async fn withdraw(
    world: &impl World,
    caller: &Caller,
    id: &ReferenceNumber,
) -> Result<ApprovalShown, Failure> {
    decide(world, caller, id, |stored, now| {
        let by = caller.actor();
        let is_permitted = stored.approval.is_asked_by(&by) || caller.may_anything();
        let ended = (ApprovalFact::Withdrawn, by, None);
        let change = end(&stored.books.transaction, &stored.approval, ended, now)?;
        if is_permitted { Ok(Some(change)) } else { Err(Rejection::PermissionMissing) }
    })
    .await
}

/// Stores what someone decides about a request of their merchant, with the letter to who asked for it.
async fn decide(
    world: &impl World,
    caller: &Caller,
    id: &ReferenceNumber,
    decide: impl Fn(&ApprovalBooks, Timestamp) -> Result<Option<Change>, Rejection>,
) -> Result<ApprovalShown, Failure> {
    let situation = &caller.situation;
    let load = async || {
        let stored = requested(world, id).await?;
        let own = stored.filter(|stored| stored.approval.merchant == *caller.merchant());
        Ok(own.ok_or(Rejection::NotFound)?)
    };
    let decided = decide_and_commit(world, None, load, async |stored: Box<ApprovalBooks>| {
        let Some(mut change) = decide(&stored, situation.now)? else {
            return Ok(Decision::Nothing(stored.approval));
        };
        staff::add_ended(world, &mut change, situation).await?;
        Ok(Decision::Commit(Box::new(change), stored.approval))
    });
    let decided = decided.await?;
    let written = decided.change.and_then(|change| change.approval);
    let approval: Approval =
        written.as_deref().map(ApprovalWrite::approval).cloned().unwrap_or(decided.basis);
    Ok(approval.into())
}
