//! Requests for approval, for a person who asks or decides.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::access::Caller;
use crate::access::granting::missing;
use crate::approval::Approval;
use crate::approval::stage::ApprovalState;
use crate::desk::form::DeskForm;
use crate::desk::personal::seen_by;
use crate::flow::merchant::approvals::{
    approve, load_page, own_approval, page_of, read_search, reject, withdraw,
};
use crate::flow::{Failure, find};
use crate::port::{ApprovalSearch, Approvals, FirstApprovals, World};
use crate::rejection::{RefusedRequest, Rejection};
use crate::route::Action;
use crate::transaction::Transaction;
use crate::value::id::ReferenceNumber;
use crate::value::json;

/// How many requests a page of the list has.
const PAGE: u32 = 50;

/// A page of the list.
#[derive(Debug, Clone, Default)]
pub struct ApprovalList {
    /// Those that wait for a decision, above the others on the first page of all.
    pub waiting: Vec<Approval>,
    /// Whether more wait than these.
    pub more_wait: bool,
    /// The others that fit, the newest first.
    pub rows: Vec<Approval>,
    /// The cursor of the page that follows.
    pub next: Option<String>,
}

/// The requests that fit the filters of the API's list.
///
/// # Errors
/// What is wrong with a filter, or a failure of the world.
pub async fn approvals(world: &impl World, caller: &Caller, query: &str) -> Result<ApprovalList, Failure> {
    let search = ApprovalSearch { limit: PAGE, ..read_search(caller.merchant(), query)? };
    let is_first_of_all = search.state.is_none() && search.session_id.is_none() && search.after.is_none();
    if !is_first_of_all {
        let (rows, next) = load_page(world, &search).await?;
        return Ok(ApprovalList { rows, next, ..ApprovalList::default() });
    }
    let wanted = PAGE.saturating_add(1);
    let FirstApprovals { waiting, all } =
        world.ledger(&search).first_approvals(&search.merchant, wanted).await?;
    let ((waiting, more), (mut rows, next)) = (page_of(&search, waiting), page_of(&search, all));
    rows.retain(|row| !waiting.iter().any(|other| other.id == row.id));
    Ok(ApprovalList { waiting, more_wait: more.is_some(), rows, next })
}

/// What is shown of one request.
#[derive(Debug, Clone)]
pub struct ApprovalOpened {
    /// The request.
    pub approval: Approval,
    /// The payment, for someone who may see it.
    pub payment: Option<Transaction>,
    /// Whether the person asked for it.
    pub is_own: bool,
    /// Whether the person has approved it.
    pub has_approved: bool,
    /// What the person can decide now.
    pub offered: Vec<Verdict>,
}

/// A request of the caller's merchant.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn approval(
    world: &impl World,
    caller: &Caller,
    id: &ReferenceNumber,
) -> Result<ApprovalOpened, Failure> {
    let approval = own_approval(world, caller, id).await?;
    let payment = match find::seen_by(world, caller, &approval.session_id).await {
        Ok(record) => Some(seen_by(caller, record.transaction)),
        Err(Failure::Refused(_)) => None,
        Err(failure) => return Err(failure),
    };
    let by = caller.actor();
    let is_own = approval.is_asked_by(&by);
    let has_approved = approval.decided.approved_by.iter().any(|one| one.by.is_same(&by));
    let is_undecided = approval.state == ApprovalState::Asked && caller.situation.now < approval.expires_at;
    let may = |action| is_undecided && missing(caller, action).is_none();
    let is_offered = |verdict: &Verdict| match verdict {
        Verdict::Approve => may(Action::Approve) && !is_own && !has_approved,
        Verdict::Reject => may(Action::Approve) && !is_own,
        Verdict::Withdraw => may(Action::Operate) && (is_own || caller.may_anything()),
    };
    let offered = [Verdict::Approve, Verdict::Reject, Verdict::Withdraw].into_iter().filter(is_offered);
    Ok(ApprovalOpened { offered: offered.collect(), payment, is_own, has_approved, approval })
}

/// What a form asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// That it is approved.
    Approve,
    /// That it is rejected.
    Reject,
    /// That it is taken back.
    Withdraw,
}

/// What became of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictTaken {
    /// It was recorded, now or by the same form before.
    Done,
    /// The request had ended, or is not as the form showed it: nothing was done.
    Over,
    /// Who asked cannot decide: nothing was done.
    Own,
    /// A rejection needs a note: nothing was done.
    NoteMissing,
}

#[derive(Serialize)]
struct ApproveBody<'a> {
    hash: &'a str,
}

#[derive(Serialize)]
struct RejectBody<'a> {
    note: &'a str,
}

/// Decides about a request as a form asks. A form that is sent twice, or by two tabs, does it once.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn decide(
    world: &impl World,
    caller: &Caller,
    id: &ReferenceNumber,
    (verdict, form): (Verdict, &DeskForm),
) -> Result<VerdictTaken, Failure> {
    let done = match (verdict, form.filled("note")) {
        (Verdict::Approve, _) => {
            let body = json::write(&ApproveBody { hash: form.get("hash").unwrap_or_default() })?;
            approve(world, caller, id, body.as_bytes()).await
        }
        (Verdict::Reject, Some(note)) => {
            let body = json::write(&RejectBody { note })?;
            reject(world, caller, id, body.as_bytes()).await
        }
        (Verdict::Reject, None) => {
            // Another merchant's request is not found, whatever the form lacks.
            own_approval(world, caller, id).await?;
            return Ok(VerdictTaken::NoteMissing);
        }
        (Verdict::Withdraw, _) => withdraw(world, caller, id).await,
    };
    let refused = match done {
        Ok(_) => return Ok(VerdictTaken::Done),
        Err(Failure::Refused(refused)) => refused,
        Err(failure) => return Err(failure),
    };
    match &refused {
        RefusedRequest { rejection: Rejection::OwnApproval, .. } => Ok(VerdictTaken::Own),
        RefusedRequest { rejection: Rejection::Conflict, .. } => Ok(VerdictTaken::Over),
        RefusedRequest { rejection: Rejection::ApprovalEnded { .. }, .. } => {
            let stored = own_approval(world, caller, id).await?;
            Ok(if is_result_of(verdict, caller, &stored) { VerdictTaken::Done } else { VerdictTaken::Over })
        }
        _ => Err(Failure::Refused(refused)),
    }
}

/// Whether a request ended as the caller wants it, and by the caller.
fn is_result_of(verdict: Verdict, caller: &Caller, stored: &Approval) -> bool {
    let wanted = match verdict {
        // A second approval by the same person is no refusal.
        Verdict::Approve => return false,
        Verdict::Reject => ApprovalState::Rejected,
        Verdict::Withdraw => ApprovalState::Withdrawn,
    };
    let by = caller.actor();
    stored.state == wanted && stored.decided.ended_by.as_ref().is_some_and(|ended| ended.is_same(&by))
}
