//! Capturing, refunding and voiding payments.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::access::{Caller, Particular};
use crate::answer::operation::{OperationDone, ReportSource, body};
use crate::api::operation::{CheckedOperation, OperationKey, RawOperation, operation_key};
use crate::api::target::Target;
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::flow::commit::generate;
use crate::flow::commit::idempotency::{Done, do_once};
use crate::flow::commit::{Decided, Decision, decide_and_commit};
use crate::flow::ending::end;
use crate::flow::exchange::connect::signature_key;
use crate::flow::operation::{Booked, ReportedOperation, send, settle};
use crate::flow::{Failure, find};
use crate::operation::begin::{self, Books, begin};
use crate::operation::command::Command;
use crate::payment::ending::Ending;
use crate::port::{Bookkeeping, PortError, Store, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::transaction::initiator::Initiator;
use crate::value::id::{DeliveryId, SessionId};
use crate::value::json;
use crate::words::ChildOperation;

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
/// 3. a known key starts nothing and answers with the state of the first operation;
/// 4. find the payment; another merchant's payment is answered like one that does not exist; ending or hiding
///    it moves no money;
/// 5. **commit 1**: the operation is recorded and its amount reserved, even if everything stops now;
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
    let find = async || Ok(find_tracked(world, caller, key.as_ref()).await?);
    let wanted = WantedOperation { operation, asked, key: key.as_ref() };
    let booked = match do_once(find, async || record(world, caller, wanted).await).await? {
        Done::Before(child) => return answer_again(world, caller, child, wanted).await,
        Done::Now(booked) => booked,
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
    Ok(OperationAnswer { body, is_replayed: false, deliveries: settled.deliveries })
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
    Ok(OperationAnswer { body, is_replayed: false, deliveries: ended.deliveries })
}

/// What is to be recorded.
#[derive(Clone, Copy)]
struct WantedOperation<'a> {
    operation: ChildOperation,
    asked: &'a CheckedOperation<'a>,
    key: Option<&'a OperationKey>,
}

/// Finds the payment and records the operation; steps 4 and 5 of [`operate`].
async fn record(world: &impl World, caller: &Caller, wanted: WantedOperation<'_>) -> Result<Booked, Failure> {
    let (situation, asked) = (&caller.situation, wanted.asked);
    // 4
    let merchant = caller.merchant();
    let found = find::named(world, merchant, &asked.target, situation.now).await?;
    let session_id = found.transaction.session_id;
    // 5
    let names = generate::names(world, &situation.settings, &session_id)?;
    let load = async || Ok(world.ledger(&session_id).books(&session_id).await?.ok_or(Rejection::NotFound)?);
    let decided = decide_and_commit(world, None, load, async |books: Box<Books>| {
        let profile = books.settled.as_ref().and_then(|attempt| situation.settings.gateway(&attempt.pg_code));
        let request = begin::BeginRequest {
            operation: wanted.operation,
            amount: asked.amount(books.transaction.amount.currency())?,
            tracking_key: wanted.key.map(|key| key.text.clone()),
            extra: asked.extra.clone(),
            reason: asked.reason,
            note: asked.note.clone(),
            initiator: caller.user().map(|user| Box::new(Initiator::of(user, caller.is_basic))),
        };
        let change = begin(&books, profile, request, names.clone(), situation.now)?.by(caller.actor());
        Ok(Decision::Commit(Box::new(change), books))
    });
    let Decided { change, basis: mut books } = decided.await?;
    let change = change.ok_or(Rejection::Conflict)?;
    let child = change.child.ok_or(Rejection::Conflict)?.child().clone();
    books.transaction = change.transaction;
    books.children.push(child.clone());
    Ok(Booked { books: *books, child })
}

async fn find_tracked(
    world: &impl World,
    caller: &Caller,
    key: Option<&OperationKey>,
) -> Result<Option<Child>, PortError> {
    match key {
        Some(key) => world.ledger(caller.merchant()).tracked(caller.merchant(), &key.text).await,
        None => Ok(None),
    }
}

/// The state of a known operation. An idempotency key belongs to one request: another one with it is refused.
async fn answer_again(
    world: &impl World,
    caller: &Caller,
    child: Child,
    wanted: WantedOperation<'_>,
) -> Result<OperationAnswer, Failure> {
    let record = world.ledger(&child.parent).load(&child.parent).await?.ok_or(Rejection::NotFound)?;
    let is_strict = wanted.key.is_some_and(|key| key.is_strict);
    if is_strict && !is_same(wanted.asked, &child, &record.transaction) {
        return Err(Rejection::IdempotencyKeyReused.into());
    }
    let body = describe(world, &caller.situation, &record.transaction, &child)?;
    Ok(OperationAnswer { body, is_replayed: true, deliveries: Vec::new() })
}

/// Whether an operation is what is asked for. A request without an amount meant everything that was left.
fn is_same(asked: &CheckedOperation<'_>, child: &Child, transaction: &Transaction) -> bool {
    let is_of_target = match &asked.target {
        Target::Session(session_id) => session_id.as_str() == child.parent.as_str(),
        Target::Order(order_no) => transaction.details.order_no.as_ref() == Some(order_no),
        Target::Both { session_id, .. } => {
            session_id.as_str() == child.parent.as_str()
                && asked.target.agrees(transaction.details.order_no.as_deref())
        }
    };
    let amount = asked.amount(child.amount.currency());
    let is_amount = amount.is_ok_and(|amount| amount.is_none_or(|amount| amount == child.amount));
    let is_explained = asked.reason == child.reason && asked.note == child.note;
    asked.command == Command::Move(child.operation) && is_of_target && is_amount && is_explained
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
