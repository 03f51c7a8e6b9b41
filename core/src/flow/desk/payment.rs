//! A payment with what became of it, and its list, for a person.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use futures_util::future::{join, join5, try_join};
use serde::Serialize;

use super::history::{Happened, in_order, sent};
use crate::access::granting::missing;
use crate::access::{Caller, Codes, Particular};
use crate::api::list_transactions::DayZone;
use crate::approval::Approval;
use crate::attempt::Attempt;
use crate::attempt::hold::CaptureDeadline;
use crate::card::last_four;
use crate::child::Child;
use crate::desk::form::DeskForm;
use crate::desk::personal::seen_by;
use crate::flow::merchant::basis::{Allowance, allowance};
use crate::flow::merchant::list;
use crate::flow::merchant::operate::{OperationInput, operate};
use crate::flow::{Failure, find};
use crate::gateway::profile::Profile;
use crate::operation::begin::{Books, is_hold_over, left_for};
use crate::operation::command::Command;
use crate::operation::standing::{ListedPage, Standing};
use crate::port::{ApprovalSearch, Approvals, Bookkeeping, Holds, PortError, Store, Timelines, World};
use crate::record::event::LoggedEvent;
use crate::rejection::{RefusedRequest, Rejection};
use crate::route::Action;
use crate::state::{State, step};
use crate::transaction::Transaction;
use crate::transaction::listing::{Listed, Listing, Maker};
use crate::value::choice::typed_amount;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::value::json;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::ChildOperation;

/// The most events that are shown.
const MAX_EVENTS: u32 = 200;
/// The most requests for approval that are looked at, the newest first.
const MAX_REQUESTS: u32 = 50;
/// How many payments a page of the list has.
pub const PAGE: u32 = 50;

/// A page of the list.
#[derive(Debug, Clone)]
pub struct PaymentList {
    /// The payments, newest first.
    pub rows: Vec<PaymentRow>,
    /// The cursor of the page that follows.
    pub next: Option<String>,
}

/// A payment of the list.
#[derive(Debug, Clone)]
pub struct PaymentRow {
    /// The payment, as the person may see it.
    pub transaction: Transaction,
    /// Its state at this moment.
    pub state: State,
    /// Who made it.
    pub made_by: Option<Maker>,
    /// The attempt that settled it, otherwise its latest, with its operations.
    pub standing: Option<Standing>,
}

impl PaymentRow {
    /// The last digits of the card with which it was tried.
    #[must_use]
    pub fn digits(&self) -> Option<String> {
        let number = self.standing.as_ref()?.attempt.params.get("card_number")?;
        last_four(number)
    }

    /// Its refunds, in order.
    pub fn refunds(&self) -> impl Iterator<Item = &Child> {
        let children = self.standing.iter().flat_map(Standing::operations);
        children.filter(|child| child.operation == ChildOperation::Refund)
    }
}

/// The payments that fit the filters of the API's listing.
///
/// # Errors
/// What is wrong with a filter, or a failure of the world.
pub async fn payments(world: &impl World, caller: &Caller, query: &str) -> Result<PaymentList, Failure> {
    let filters = list::read(world, caller, query, DayZone::Reader)?;
    let (page, next) = list::load_page(world, Listing { limit: PAGE, ..filters }).await?;
    Ok(PaymentList { rows: rows(caller, page), next })
}

/// The newest payments, so many.
///
/// # Errors
/// A failure of the world.
pub(super) async fn newest(world: &impl World, caller: &Caller, limit: u32) -> Result<PaymentList, Failure> {
    let now = caller.situation.now;
    let (page, next) = list::load_page(world, Listing::of(caller.merchant(), now, limit)).await?;
    Ok(PaymentList { rows: rows(caller, page), next })
}

/// The rows of a page, as the caller may see them.
fn rows(caller: &Caller, mut page: ListedPage) -> Vec<PaymentRow> {
    let row = |Listed { transaction, has_open_attempt, made_by, .. }: Listed| {
        let state = transaction.state_at(caller.situation.now, has_open_attempt);
        let standing = page.standings.remove(&transaction.session_id);
        PaymentRow { transaction: seen_by(caller, transaction), state, made_by, standing }
    };
    page.listed.into_iter().map(row).collect()
}

/// What is shown of one.
#[derive(Debug, Clone)]
pub struct PaymentShown {
    /// The payment.
    pub transaction: Transaction,
    /// Its state at this moment.
    pub state: State,
    /// Its attempts, in order.
    pub attempts: Vec<Attempt>,
    /// Its captures, refunds and voids, in order.
    pub children: Vec<Child>,
    /// The changes of it, the newest first.
    pub events: Vec<LoggedEvent>,
    /// The changes and what was sent about it, the oldest first.
    pub history: Vec<Happened>,
    /// Requests for approval that wait or are carried out, for a person who may see them.
    pub requests: Vec<Approval>,
    /// What the person may do with its money, and how much is left for it.
    pub offered: Vec<(ChildOperation, Money)>,
    /// What the person may still refund today; `None` without a limit.
    pub allowance: Option<Allowance>,
    /// How the person may end it before it is paid.
    pub endings: Vec<Command>,
    /// Whether the person may change it.
    pub is_editable: bool,
    /// Whether the person may create one like it.
    pub is_repeatable: bool,
    /// What was taken and given back; `None` before it succeeded.
    pub breakdown: Option<Breakdown>,
    /// What it waits for, other than its payer.
    pub next: Option<NextStep>,
}

/// The money of a payment that succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Breakdown {
    /// What the payer pays in addition.
    pub fee: Money,
    /// What was taken; `None` while it is only held.
    pub taken: Option<Money>,
    /// What was given back; `None` for nothing.
    pub refunded: Option<Money>,
    /// What was released; `None` for nothing.
    pub voided: Option<Money>,
    /// What can still be given back, or captured while it is held.
    pub left: Option<Money>,
}

/// What a payment waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// The gateway's answer, which Till asks for by itself.
    Outcome,
    /// Someone's capture or void, before a moment if the gateway's time for that ends.
    Capture(Option<Timestamp>),
    /// Someone who looks at the gateway: its time for a capture was over at this moment.
    Overdue(Timestamp),
}

/// What held money waits for.
fn held_until(deadline: Option<CaptureDeadline>, now: Timestamp) -> NextStep {
    match deadline.map(|deadline| deadline.capture_by) {
        Some(over) if over <= now => NextStep::Overdue(over),
        until => NextStep::Capture(until),
    }
}

fn breakdown(books: &Books, profile: Option<&Profile>) -> Option<Breakdown> {
    let settled = books.settled.as_ref()?;
    let balance = books.balance()?;
    let of_held = || left_for(books, ChildOperation::Capture, profile).ok();
    Some(Breakdown {
        fee: settled.quote.fee,
        taken: balance.paid(),
        refunded: balance.refunded(),
        voided: balance.voided(),
        left: left_for(books, ChildOperation::Refund, profile).ok().or_else(of_held),
    })
}

/// A payment that the caller may see.
///
/// # Errors
/// [`Rejection::NotFound`], a refusal, or a failure of the world.
pub async fn payment(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<PaymentShown, Failure> {
    let record = find::seen_by(world, caller, session_id).await?;
    let state = record.transaction.state_at(caller.situation.now, record.has_open_attempt());
    let ledger = world.ledger(session_id);
    let currency = record.transaction.amount.currency();
    let (attempts, books, happened, requests, allowance) = join5(
        ledger.attempts(session_id),
        ledger.books(session_id),
        try_join(ledger.logged_events(session_id, MAX_EVENTS), sent(world, caller.merchant(), session_id)),
        open_requests(world, caller, session_id),
        allowance(world, caller, currency),
    )
    .await;
    let (books, (events, sent)) = (books?, happened?);
    let may = |command| caller.may(Particular::Operate(command)).is_ok();
    let settings = &caller.situation.settings;
    let profile = books.as_ref().and_then(|books| settings.gateway(&books.settled.as_ref()?.pg_code));
    let left = |operation: ChildOperation| {
        let books = books.as_ref().filter(|_| may(Command::Move(operation)))?;
        let is_possible = step(books.transaction.state, operation.event()).is_ok()
            && profile.is_some_and(|profile| profile.operations.contains(&operation));
        let left = left_for(books, operation, profile).ok().filter(|left| is_possible && !left.is_zero())?;
        Some((operation, left))
    };
    let offered = ChildOperation::ALL.into_iter().filter_map(left).collect();
    let can_end = state.is_payable() && !record.has_open_attempt();
    let endings = [Command::Cancel, Command::Expire].into_iter().filter(|command| can_end && may(*command));
    let is_over = books.as_ref().is_some_and(|books| is_hold_over(books, profile));
    let next = if state == State::Authorized && !is_over {
        let deadline = ledger.capture_deadline(session_id).await?;
        Some(held_until(deadline, caller.situation.now))
    } else {
        record.has_open_attempt().then_some(NextStep::Outcome)
    };
    let stored = &record.transaction;
    let codes = Codes { stored: &stored.pg_codes, given: &stored.pg_codes, is_replaced: false };
    let is_editable = state.is_payable() && caller.may(Particular::Update(stored.plugin, codes)).is_ok();
    let is_repeatable = caller.may(Particular::Create(stored.plugin, &[])).is_ok();
    Ok(PaymentShown {
        transaction: seen_by(caller, record.transaction),
        state,
        attempts: attempts?,
        children: books.as_ref().map(|books| books.children.clone()).unwrap_or_default(),
        history: in_order(&events, sent),
        events,
        requests: requests?,
        offered,
        allowance: allowance?,
        endings: endings.collect(),
        is_editable,
        is_repeatable,
        breakdown: books.as_ref().and_then(|books| breakdown(books, profile)),
        next,
    })
}

async fn open_requests(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<Vec<Approval>, PortError> {
    if missing(caller, Action::ReadApprovals).is_some() {
        return Ok(Vec::new());
    }
    let search = ApprovalSearch {
        merchant: caller.merchant().clone(),
        session_id: Some(session_id.clone()),
        state: None,
        after: None,
        limit: MAX_REQUESTS,
    };
    let mut found = world.ledger(session_id).find_approvals(&search).await?;
    found.retain(Approval::is_open);
    Ok(found)
}

/// What became of what a form asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operated {
    /// It was done.
    Done,
    /// It waits for the approval of another person: the request.
    Asked(ReferenceNumber),
    /// Something is being done with the payment at the moment: this, if a form was sent twice.
    Running,
    /// The payment is not as the form showed it: nothing was done.
    Stale,
}

/// A filled-in form, as a client of the API would send it.
#[derive(Serialize)]
struct OperationBody<'a> {
    session_id: &'a str,
    operation: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

/// Refunds, voids, captures or cancels a payment as a form asks, once for the version that it showed: that is the idempotency
/// key, so a form that is sent twice, or by two tabs, does it once.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn operate_once(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
    form: &DeskForm,
) -> Result<Operated, Failure> {
    let current = own(world, caller, session_id).await?.version;
    let (operation, version) =
        (form.get("operation").unwrap_or_default(), form.filled("version").unwrap_or_default());
    let key = alloc::format!("desk-{operation}-{session_id}-{version}");
    if version != current.to_string() {
        // What it did changes the version: the same form, sent again then, is known by its key.
        let (ledger, merchant) = (world.ledger(session_id), caller.merchant());
        let (done, asked) =
            join(ledger.tracked(merchant, &key), ledger.tracked_approval(merchant, &key)).await;
        if done?.is_none() && asked?.is_none() {
            return Ok(Operated::Stale);
        }
    }
    let body = json::write(&OperationBody {
        session_id: session_id.as_str(),
        operation,
        amount: form.filled("amount").map(typed_amount),
        remaining: form.filled("remaining"),
        reason: form.filled("reason"),
        note: form.filled("note"),
    })?;
    let input = OperationInput {
        caller: caller.clone(),
        tracking_key: None,
        idempotency_key: Some(&key),
        body: body.as_bytes(),
    };
    match operate(world, input).await {
        Ok(answer) => Ok(answer.request.map_or(Operated::Done, Operated::Asked)),
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::OperationInProgress, .. })) => {
            Ok(Operated::Running)
        }
        // The key is that of the version: another tab of it did something else.
        Err(Failure::Refused(RefusedRequest {
            rejection: Rejection::RemainingChanged { .. } | Rejection::IdempotencyKeyReused,
            ..
        })) => Ok(Operated::Stale),
        Err(failure) => Err(failure),
    }
}

/// A payment of the caller's merchant, for someone who may do something with it; another merchant's is not found.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn own(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<Transaction, Failure> {
    let record = world.ledger(session_id).load(session_id).await?;
    let transaction = record.map(|record| record.transaction);
    Ok(transaction.filter(|one| one.merchant == *caller.merchant()).ok_or(Rejection::NotFound)?)
}
