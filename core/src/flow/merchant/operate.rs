//! Capturing, refunding and voiding payments.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::basis::{Leave, OperationBasis};
use crate::access::{Caller, Particular};
use crate::answer::approval::ApprovalShown;
use crate::answer::operation::{OperationDone, ReportSource, body};
use crate::api::operation::{CheckedOperation, OperationKey, RawOperation, operation_key};
use crate::api::target::Target;
use crate::approval::Approval;
use crate::change::ChildWrite;
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::flow::commit::generate;
use crate::flow::commit::idempotency::{Done, do_once};
use crate::flow::commit::{Decided, Decision, decide_and_commit};
use crate::flow::ending::end;
use crate::flow::exchange::connect::signature_key;
use crate::flow::exchange::staff;
use crate::flow::operation::{Booked, ReportedOperation, send, settle};
use crate::flow::{Failure, find};
use crate::gateway::profile::Profile;
use crate::operation::approval::{Asker, ask};
use crate::operation::begin::{self, Books, begin};
use crate::operation::command::Command;
use crate::payment::ending::Ending;
use crate::port::{Approvals, Bookkeeping, PortError, Store, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::transaction::initiator::Initiator;
use crate::value::id::{DeliveryId, ReferenceNumber, SessionId};
use crate::value::json;
use crate::value::money::Money;
use crate::words::ChildOperation;
use crate::words::operation_reason::OperationReason;

/// What a merchant is answered if the gateway gave no reason.
const NO_REASON: &str = "the gateway declined the operation";

/// A request as it came in.
#[derive(Debug)]
pub struct OperationInput<'a> {
    /// The caller, who may do this at all.
    pub caller: Caller,
    /// The header `Tracking-Key`.
    pub tracking_key: Option<&'a str>,
    /// The header `Idempotency-Key`, which has the same effect.
    pub idempotency_key: Option<&'a str>,
    /// The bytes of the body, limited in size.
    pub body: &'a [u8],
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationAnswer {
    /// The status: 202 if nothing was asked of the gateway, because it has to be approved.
    pub status: u16,
    /// The request for approval, where there has to be one.
    pub request: Option<ReferenceNumber>,
    /// The JSON body.
    pub body: String,
    /// Whether the same request did the operation before, for the header `Idempotent-Replayed`.
    pub is_replayed: bool,
    /// The notifications to be delivered after the answer.
    pub deliveries: Vec<DeliveryId>,
}

/// Does an operation:
///
/// 1. the caller is known, and may operate;
/// 2. read the body, reporting every wrong field; the caller must be permitted to do what it asks for;
/// 3. a known key starts nothing and answers with the state of the first operation, or of the request for its approval;
/// 4. find the payment; another merchant's payment is answered like one that does not exist; ending or hiding
///    it moves no money;
/// 5. **commit 1**: the operation is recorded and its amount reserved, even if everything stops now; where the settings say that
///    it has to be approved, only the request is recorded, and nothing follows; what is more than its caller may refund in a day is
///    refused;
/// 6. the gateway is asked;
/// 7. **commit 2** stores its answer. What it did not answer is asked again later.
///
/// # Errors
/// The rejection, or a failure of the world. What was refused moves nothing.
pub async fn operate(world: &impl World, input: OperationInput<'_>) -> Result<OperationAnswer, Failure> {
    // 1
    let caller = input.caller;
    // 2
    let key = operation_key(input.tracking_key, input.idempotency_key)?;
    let request = RawOperation::from_json(input.body)?;
    let asked = request.check()?;
    caller.may(Particular::Operate(asked.command))?;
    operate_once(world, &caller, &asked, key).await.map_err(|failure| failure.during(asked.command.as_str()))
}

async fn operate_once(
    world: &impl World,
    caller: &Caller,
    asked: &CheckedOperation<'_>,
    key: Option<OperationKey>,
) -> Result<OperationAnswer, Failure> {
    let merchant = caller.merchant();
    let operation = match asked.command {
        Command::Move(operation) => operation,
        Command::Cancel | Command::Expire | Command::Delete => {
            // 4
            let found = find::named(world, merchant, &asked.target, caller.situation.now).await?;
            return end_transaction(world, caller, &found.transaction.session_id, asked.command).await;
        }
    };
    // 3
    let find = async || Ok(find_known(world, caller, key.as_ref()).await?);
    let wanted = WantedOperation { operation, asked, key: key.as_ref() };
    let booked = match do_once(find, async || record(world, caller, wanted).await).await? {
        Done::Before(Known::Operation(child)) => return answer_again(world, caller, *child, wanted).await,
        Done::Before(Known::Request(approval)) => return ask_again(world, *approval, wanted).await,
        Done::Now(Recorded::Asked(approval)) => return accepted(*approval, false),
        Done::Now(Recorded::Begun(booked)) => *booked,
    };
    // 6, 7
    let learned = send(world, &caller.situation.settings, &booked.books, &booked.child).await?;
    let situation = &caller.situation.later(world);
    let settled = settle(world, booked, situation, ReportedOperation::of_request(learned)).await?;
    if settled.child.stage == OperationStage::Refused {
        let message = settled.child.message.unwrap_or_else(|| NO_REASON.into());
        return Err(Rejection::OperationDeclined { message }.into());
    }
    let body = describe(world, situation, &settled.books.transaction, &settled.child)?;
    Ok(OperationAnswer {
        status: 200,
        request: None,
        body,
        is_replayed: false,
        deliveries: settled.deliveries,
    })
}

/// Ends or hides a transaction.
async fn end_transaction(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
    command: Command,
) -> Result<OperationAnswer, Failure> {
    let (ending, detail) = match command {
        Command::Cancel => (Ending::CanceledByMerchant, "the payment transaction is canceled"),
        Command::Expire => (Ending::Expired, "the payment transaction is expired"),
        Command::Delete => (Ending::Deleted, "the payment transaction is deleted"),
        // Moves money, and ends nothing.
        Command::Move(_) => return Err(Rejection::Conflict.into()),
    };
    let ended = end(world, session_id, ending, Some(&caller.actor())).await?;
    let done = OperationDone::of(command, detail);
    let body = json::write(&done)?;
    Ok(OperationAnswer { status: 200, request: None, body, is_replayed: false, deliveries: ended.deliveries })
}

/// What is to be recorded.
#[derive(Clone, Copy)]
struct WantedOperation<'a> {
    operation: ChildOperation,
    asked: &'a CheckedOperation<'a>,
    key: Option<&'a OperationKey>,
}

/// What is known under a key.
enum Known {
    Operation(Box<Child>),
    Request(Box<Approval>),
}

/// What was recorded.
enum Recorded {
    /// The operation.
    Begun(Box<Booked>),
    /// That it has to be approved.
    Asked(Box<Approval>),
}

/// Finds the payment and records the operation, or the request for its approval; steps 4 and 5 of [`operate`].
async fn record(
    world: &impl World,
    caller: &Caller,
    wanted: WantedOperation<'_>,
) -> Result<Recorded, Failure> {
    let (situation, asked) = (&caller.situation, wanted.asked);
    // 4
    let merchant = caller.merchant();
    let found = find::named(world, merchant, &asked.target, situation.now).await?;
    let session_id = found.transaction.session_id;
    // 5
    let names = generate::names(world, &situation.settings, &session_id)?;
    let load = async || OperationBasis::load(world, caller, &session_id, wanted.operation).await;
    let decided = decide_and_commit(world, None, load, async |stored: Box<OperationBasis>| {
        let OperationBasis { books, requests, .. } = &*stored;
        let profile = books.settled.as_ref().and_then(|attempt| situation.settings.gateway(&attempt.pg_code));
        check_remaining(books, profile, wanted)?;
        let request = begin::BeginRequest {
            operation: wanted.operation,
            amount: asked.amount(books.transaction.amount.currency())?,
            tracking_key: wanted.key.map(|key| key.text.clone()),
            extra: asked.extra.clone(),
            reason: asked.reason,
            note: asked.note.clone(),
            initiator: caller.user().map(|user| Box::new(Initiator::of(user, caller.is_basic))),
        };
        let mut change = begin(books, profile, request, names.clone(), situation.now)?.by(caller.actor());
        let Some(child) = change.child.as_ref().map(ChildWrite::child) else {
            return Ok(Decision::Commit(Box::new(change), stored));
        };
        if let Leave::Now(claim) = stored.leave(caller, child)? {
            change.refund = claim;
            return Ok(Decision::Commit(Box::new(change), stored));
        }
        let by_whom = Asker {
            id: names.reference.clone(),
            by: caller.actor(),
            tracking_key: child.tracking_key.clone(),
        };
        let mut request = ask(books, requests, (child, profile), by_whom, &situation.settings.approvals)?;
        staff::add_asked(world, &mut request, situation).await?;
        Ok(Decision::Commit(Box::new(request), stored))
    });
    let Decided { change, basis } = decided.await?;
    let change = change.ok_or(Rejection::Conflict)?;
    if let Some(write) = change.approval {
        return Ok(Recorded::Asked(Box::new(write.approval().clone())));
    }
    let child = change.child.ok_or(Rejection::Conflict)?.child().clone();
    let mut books = basis.books;
    books.transaction = change.transaction;
    books.children.push(child.clone());
    Ok(Recorded::Begun(Box::new(Booked { books, child })))
}

/// A caller who looked before says how much was left: what they decide on must be what is.
fn check_remaining(
    books: &Books,
    profile: Option<&Profile>,
    wanted: WantedOperation<'_>,
) -> Result<(), Rejection> {
    let Some(seen) = wanted.asked.remaining(books.transaction.amount.currency())? else { return Ok(()) };
    let available = begin::left_for(books, wanted.operation, profile)?;
    if available == seen { Ok(()) } else { Err(Rejection::RemainingChanged { available }) }
}

async fn find_known(
    world: &impl World,
    caller: &Caller,
    key: Option<&OperationKey>,
) -> Result<Option<Known>, PortError> {
    let Some(key) = key else { return Ok(None) };
    let (merchant, ledger) = (caller.merchant(), world.ledger(caller.merchant()));
    if let Some(child) = ledger.tracked(merchant, &key.text).await? {
        return Ok(Some(Known::Operation(Box::new(child))));
    }
    // Also if nothing has to be approved any more: the key may be that of a request from before.
    let request = ledger.tracked_approval(merchant, &key.text).await?;
    Ok(request.map(|approval| Known::Request(Box::new(approval))))
}

/// The answer that an operation has to be approved.
fn accepted(approval: Approval, is_replayed: bool) -> Result<OperationAnswer, Failure> {
    let request = Some(approval.id.clone());
    let body = json::write(&ApprovalShown::from(approval))?;
    Ok(OperationAnswer { status: 202, request, body, is_replayed, deliveries: Vec::new() })
}

/// The state of a known request for approval.
async fn ask_again(
    world: &impl World,
    approval: Approval,
    wanted: WantedOperation<'_>,
) -> Result<OperationAnswer, Failure> {
    let session_id = &approval.session_id;
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    let done = DoneBefore {
        session_id,
        operation: approval.operation,
        amount: approval.amount,
        reason: approval.reason,
        note: approval.note.as_deref(),
    };
    check_same(wanted, done, &record.transaction)?;
    accepted(approval, true)
}

/// The state of a known operation. An idempotency key belongs to one request: another one with it is refused.
async fn answer_again(
    world: &impl World,
    caller: &Caller,
    child: Child,
    wanted: WantedOperation<'_>,
) -> Result<OperationAnswer, Failure> {
    let record = world.ledger(&child.parent).load(&child.parent).await?.ok_or(Rejection::NotFound)?;
    let done = DoneBefore {
        session_id: &child.parent,
        operation: child.operation,
        amount: child.amount,
        reason: child.reason,
        note: child.note.as_deref(),
    };
    check_same(wanted, done, &record.transaction)?;
    let body = describe(world, &caller.situation, &record.transaction, &child)?;
    Ok(OperationAnswer { status: 200, request: None, body, is_replayed: true, deliveries: Vec::new() })
}

/// What was asked for before under the same key.
#[derive(Clone, Copy)]
struct DoneBefore<'a> {
    session_id: &'a SessionId,
    operation: ChildOperation,
    amount: Money,
    reason: Option<OperationReason>,
    note: Option<&'a str>,
}

fn check_same(
    wanted: WantedOperation<'_>,
    done: DoneBefore<'_>,
    transaction: &Transaction,
) -> Result<(), Rejection> {
    let is_strict = wanted.key.is_some_and(|key| key.is_strict);
    if is_strict && !is_same(wanted.asked, done, transaction) {
        return Err(Rejection::IdempotencyKeyReused);
    }
    Ok(())
}

/// Whether an operation is what is asked for. A request without an amount meant everything that was left.
fn is_same(asked: &CheckedOperation<'_>, done: DoneBefore<'_>, transaction: &Transaction) -> bool {
    let is_of_target = match &asked.target {
        Target::Session(session_id) => session_id.as_str() == done.session_id.as_str(),
        Target::Order(order_no) => transaction.details.order_no.as_ref() == Some(order_no),
        Target::Both { session_id, .. } => {
            session_id.as_str() == done.session_id.as_str()
                && asked.target.agrees(transaction.details.order_no.as_deref())
        }
    };
    let amount = asked.amount(done.amount.currency());
    let is_amount = amount.is_ok_and(|amount| amount.is_none_or(|amount| amount == done.amount));
    let is_explained = asked.reason == done.reason && asked.note.as_deref() == done.note;
    asked.command == Command::Move(done.operation) && is_of_target && is_amount && is_explained
}

fn describe(
    world: &impl World,
    situation: &Situation,
    transaction: &Transaction,
    child: &Child,
) -> Result<String, Failure> {
    let hmac_key = signature_key(world, situation)?;
    Ok(body(transaction, child, ReportSource::Input, &hmac_key)?)
}
