//! Recording an operation before the gateway is asked anything: which operations are possible, and for how
//! much.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::attempt::Attempt;
use crate::change::{Change, ChildWrite, EventKind};
use crate::child::Child;
use crate::child::amounts::{Balance, Divisions, Worth};
use crate::child::stage::OperationStage;
use crate::gateway::charge::PgParams;
use crate::gateway::profile::Profile;
use crate::payment::chase;
use crate::rejection::Rejection;
use crate::rejection::refusal::Refusal;
use crate::state::step;
use crate::transaction::Transaction;
use crate::transaction::initiator::Initiator;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::operation_reason::OperationReason;
use crate::words::{ChildOperation, Operation};

/// A payment that succeeded, with everything that was done to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Books {
    /// The payment transaction.
    pub transaction: Transaction,
    /// The attempt that settled it; `None` if no attempt settled it.
    pub settled: Option<Attempt>,
    /// Its operations, in order.
    pub children: Vec<Child>,
}

impl Books {
    /// The balance of the attempt that settled the transaction; `None` if there is none, or money moved in
    /// another currency than that of the transaction.
    #[must_use]
    pub(crate) fn balance(&self) -> Option<Balance> {
        balance_of(self.settled.as_ref()?, &self.children)
    }
}

/// The attempt that counts for the payer and for messages: the one that settled the transaction, otherwise its latest.
pub(crate) fn counting<'a>(books: Option<&'a Books>, latest: Option<&'a Attempt>) -> Option<&'a Attempt> {
    books.and_then(|books| books.settled.as_ref()).or(latest)
}

/// The balance of the attempt that settled a transaction, by its operations; `None` as [`Books::balance`].
pub(super) fn balance_of(attempt: &Attempt, children: &[Child]) -> Option<Balance> {
    let worth = Worth {
        operation: attempt.operation.settles_as(),
        settled: attempt.principal,
        total: attempt.quote.total,
    };
    let is_foreign = worth.total.currency() != worth.settled.currency();
    let parts = || children.iter().filter(|child| child.attempt == attempt.reference).map(Child::part);
    (!is_foreign).then(|| Balance::new(worth, parts().collect()))
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeginRequest {
    /// The operation.
    pub operation: ChildOperation,
    /// How much; `None` for everything that is left.
    pub amount: Option<Money>,
    /// The header `Tracking-Key`.
    pub tracking_key: Option<String>,
    /// The merchant's own keys, as JSON text.
    pub extra: Option<String>,
    /// Why it is asked for.
    pub reason: Option<OperationReason>,
    /// What is noted about it.
    pub note: Option<String>,
    /// The user who asks for it.
    pub initiator: Option<Box<Initiator>>,
}

/// The names that a new operation gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The id of the child transaction.
    pub session_id: SessionId,
    /// The reference of the operation.
    pub reference: ReferenceNumber,
}

/// Records an operation: the change is committed *before* the gateway is asked anything.
///
/// # Errors
/// Why it cannot be done: the state, the gateway, the currency, or the amount.
pub fn begin(
    books: &Books,
    profile: Option<&Profile>,
    request: BeginRequest,
    names: Names,
    now: Timestamp,
) -> Result<Change, Rejection> {
    let operation = request.operation;
    let transaction = &books.transaction;
    let state = transaction.state;
    let not_allowed = Rejection::OperationNotAllowed { operation: operation.as_str(), state };
    let next_state = step(state, operation.event()).map_err(|_| not_allowed.clone())?;
    let attempt = books.settled.as_ref().ok_or(not_allowed.clone())?;
    let balance = books.balance().ok_or(Rejection::OperationForeignCurrency)?;
    let profile = profile
        .filter(|profile| profile.operations.contains(&operation))
        .ok_or(Rejection::OperationUnsupported)?;
    let amount = balance.check(operation, request.amount, Divisions::of(profile)).map_err(refuse)?;
    let child = Child {
        tracking_key: request.tracking_key,
        extra: request.extra,
        reason: request.reason,
        note: request.note,
        initiator: request.initiator,
        ..blank(&books.children, attempt, MoneyMovement { operation, amount }, names, now)
    };
    let mut next = transaction.clone();
    next.move_to(next_state, now);
    Ok(Change::of(next, EventKind::OperationOpened, now).with_child(ChildWrite::Open(child)))
}

/// Whether nothing of what a payment holds can be captured any more.
#[must_use]
pub(crate) fn is_hold_over(books: &Books, profile: Option<&Profile>) -> bool {
    let divisions = profile.map_or(Divisions::ANY, Divisions::of);
    books.balance().is_some_and(|balance| balance.is_hold_over(divisions))
}

/// All that is left for an operation on a payment.
///
/// # Errors
/// Why nothing is.
pub(crate) fn left_for(
    books: &Books,
    operation: ChildOperation,
    profile: Option<&Profile>,
) -> Result<Money, Rejection> {
    let balance = books.balance().ok_or(Rejection::OperationForeignCurrency)?;
    let divisions = profile.map_or(Divisions::ANY, Divisions::of);
    balance.check(operation, None, divisions).map_err(refuse)
}

/// The operation that gives back all that a successful attempt took or holds, its fee included; `None` if its
/// gateway cannot do that, or nothing was taken.
#[must_use]
pub fn reverse(
    children: &[Child],
    attempt: &Attempt,
    profile: Option<&Profile>,
    names: Names,
    now: Timestamp,
) -> Option<Child> {
    let operation = match attempt.operation.settles_as() {
        Operation::Purchase => ChildOperation::Refund,
        Operation::Authorize => ChildOperation::Void,
    };
    let total = attempt.quote.total;
    let can = profile.is_some_and(|profile| profile.operations.contains(&operation)) && !total.is_zero();
    can.then(|| blank(children, attempt, MoneyMovement { operation, amount: total }, names, now))
}

/// How the money of an attempt is moved, and how much of it.
struct MoneyMovement {
    operation: ChildOperation,
    amount: Money,
}

/// An operation on an attempt that has not been sent to the gateway yet.
fn blank(
    children: &[Child],
    attempt: &Attempt,
    MoneyMovement { operation, amount }: MoneyMovement,
    names: Names,
    now: Timestamp,
) -> Child {
    Child {
        session_id: names.session_id,
        parent: attempt.session_id.clone(),
        merchant: attempt.merchant.clone(),
        number: children.iter().map(|child| child.number).max().unwrap_or(0).saturating_add(1),
        reference: names.reference,
        attempt: attempt.reference.clone(),
        operation,
        amount,
        pg_code: attempt.pg_code.clone(),
        is_sandbox: attempt.is_sandbox,
        tracking_key: None,
        extra: None,
        reason: None,
        note: None,
        initiator: None,
        stage: OperationStage::Sending,
        opened_at: now,
        updated_at: now,
        known_at: now,
        inquire_at: Some(now.plus(chase::SENDING_GRACE)),
        inquiries: 0,
        open_since: None,
        gateway_id: None,
        message: None,
        params: PgParams::new(),
        response: None,
    }
}

fn refuse(refusal: Refusal) -> Rejection {
    match refusal {
        Refusal::OutOfRange { available } => Rejection::OperationAmount { available },
        Refusal::Indivisible { available } => Rejection::OperationIndivisible { available },
        Refusal::InProgress => Rejection::OperationInProgress,
        Refusal::NotAuthorized
        | Refusal::NothingTaken
        | Refusal::NothingLeft
        | Refusal::Captured
        | Refusal::Released
        | Refusal::FeeIncluded
        | Refusal::Voided => Rejection::OperationRefused { refusal },
    }
}
