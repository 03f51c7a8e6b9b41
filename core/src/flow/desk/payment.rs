//! A payment with what became of it, and its list, for a person.

use alloc::string::String;
use alloc::vec::Vec;

use futures_util::future::join3;

use crate::access::{Caller, Particular};
use crate::api::list_transactions;
use crate::attempt::Attempt;
use crate::child::Child;
use crate::flow::{Failure, find};
use crate::operation::begin::left_for;
use crate::operation::command::Command;
use crate::port::{Bookkeeping, Store, Timelines, World};
use crate::record::event::LoggedEvent;
use crate::rejection::Rejection;
use crate::state::{State, step};
use crate::transaction::Transaction;
use crate::transaction::listing::{Listed, ListedPage, Listing};
use crate::value::id::SessionId;
use crate::value::money::Money;
use crate::words::ChildOperation;

/// The most events that are shown.
const MAX_EVENTS: u32 = 200;
/// How many payments a page of the list has.
pub const PAGE: u32 = 50;

/// A page of the list.
#[derive(Debug, Clone)]
pub struct PaymentList {
    /// The payments, newest first, each with its state at this moment.
    pub rows: Vec<(Transaction, State)>,
    /// The cursor of the page that follows.
    pub next: Option<String>,
}

/// The payments that fit the filters of the API's listing.
///
/// # Errors
/// What is wrong with a filter, or a failure of the world.
pub async fn payments(world: &impl World, caller: &Caller, query: &str) -> Result<PaymentList, Failure> {
    let (merchant, now) = (caller.merchant(), caller.situation.now);
    let filters = list_transactions::read(query, merchant, now)?;
    let wanted = Listing { limit: PAGE.saturating_add(1), ..filters };
    let ListedPage { mut listed, stopped_at } = world.ledger(&wanted).list(&wanted).await?;
    let most = usize::try_from(PAGE).unwrap_or(usize::MAX);
    let has_more = listed.len() > most;
    listed.truncate(most);
    let last = listed.last().filter(|_| has_more).and_then(|last| last.position(wanted.order()));
    let next = last.or(stopped_at).map(|place| place.to_cursor(merchant));
    let shown = |Listed { transaction, has_open_attempt, .. }: Listed| {
        let state = transaction.state_at(now, has_open_attempt);
        (transaction, state)
    };
    Ok(PaymentList { rows: listed.into_iter().map(shown).collect(), next })
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
    /// What happened, the newest first.
    pub events: Vec<LoggedEvent>,
    /// What the person may do with its money, and how much is left for it.
    pub offered: Vec<(ChildOperation, Money)>,
    /// Whether the person may cancel it.
    pub is_cancelable: bool,
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
    let (attempts, books, events) = join3(
        ledger.attempts(session_id),
        ledger.books(session_id),
        ledger.logged_events(session_id, MAX_EVENTS),
    )
    .await;
    let books = books?;
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
    let is_cancelable = state.is_payable() && !record.has_open_attempt() && may(Command::Cancel);
    Ok(PaymentShown {
        transaction: record.transaction,
        state,
        attempts: attempts?,
        children: books.as_ref().map(|books| books.children.clone()).unwrap_or_default(),
        events: events?,
        offered,
        is_cancelable,
    })
}

/// What a form of a payment was made for, to be compared with what it says.
#[derive(Debug, Clone)]
pub struct PaymentStanding {
    /// The number of its last event.
    pub version: i64,
    /// The keys of its captures, refunds and voids.
    pub keys: Vec<String>,
}

/// How a payment of the caller's merchant stands, for someone who may do something with it.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn standing(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<PaymentStanding, Failure> {
    let ledger = world.ledger(session_id);
    let record = ledger.load(session_id).await?;
    let record = record.filter(|record| record.transaction.merchant == *caller.merchant());
    let version = record.ok_or(Rejection::NotFound)?.transaction.version;
    let children = ledger.books(session_id).await?.map(|books| books.children).unwrap_or_default();
    Ok(PaymentStanding {
        version,
        keys: children.into_iter().filter_map(|child| child.tracking_key).collect(),
    })
}
