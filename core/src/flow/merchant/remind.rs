//! A merchant sends the payer the message about the present state of a payment once more.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use crate::access::{Caller, Codes, Particular};
use crate::answer::message::Reminded;
use crate::api::message_notification::NotificationRequest;
use crate::api::target::Target;
use crate::attempt::stage::Stage;
use crate::change::{Change, EventKind};
use crate::flow::Failure;
use crate::flow::commit::{Decision, decide_and_commit};
use crate::flow::find::{self, books_of};
use crate::gateway::decline;
use crate::message::facts::{self, MessageFacts};
use crate::operation::begin::counting;
use crate::port::{Limited, Messages, PortError, Record, Store, World};
use crate::rejection::{AboutRefusal, Rejection};
use crate::value::json;
use crate::value::time::Timestamp;
use crate::violation::{Rule, Violation};
use crate::words::Plugin;
use crate::words::message::MessageOccasion;

/// The operation that a refusal names.
const OPERATION: &str = "message_notification";

/// How often the payer of one transaction is reminded by one channel, in how long: a reminder goes to every recipient of the
/// transaction.
///
/// Decision: the contract puts no limit on it. A loop in a merchant's program would flood payers with paid messages, which no
/// person needs more often, so there is one, with `Retry-After`.
const MOST: usize = 3;
const WINDOW: Duration = Duration::from_hours(1);

/// Sends the messages:
///
/// 1. read the body, reporting every wrong field;
/// 2. find the transaction, which the caller may change;
/// 3. what there is to say follows from its state; each channel must have been chosen for it, and not be used too often;
/// 4. one batch stores the event and the messages, which are sent after the answer.
///
/// # Errors
/// The rejection, which repeats the request once it could be read, or a failure of the world.
pub async fn remind(world: &impl World, caller: &Caller, body: &[u8]) -> Result<String, Failure> {
    // 1
    let asked = NotificationRequest::parse(body)?;
    // 2
    let now = caller.situation.now;
    let record = find::named(world, caller.merchant(), &asked.target, now).await;
    let record = record.map_err(|failure| repeating(failure, &asked))?;
    let session_id = record.transaction.session_id.clone();
    let load = async || Ok(world.ledger(&session_id).load(&session_id).await?.ok_or(Rejection::NotFound)?);
    // 3, 4
    let decided = decide_and_commit(world, Some(Box::new(record)), load, async |record: Box<Record>| {
        let codes = Codes::untouched(&record.transaction.pg_codes);
        caller.may(Particular::Update(record.transaction.plugin, codes))?;
        let refused = |found| repeating(Rejection::Invalid(found).into(), &asked);
        let facts = present(world, &record, now).await?;
        refuse_unchosen(&record, facts.as_ref(), &asked).map_err(refused)?;
        refuse_many(world, &record, &asked, now).await.map_err(|failure| repeating(failure, &asked))?;
        let mut change = Change::of(record.transaction, EventKind::Notified, now).by(caller.actor());
        if let Some(facts) = facts {
            facts::add(&mut change, &facts, &asked.channels);
        }
        Ok(Decision::Commit(Box::new(change), ()))
    });
    decided.await?;
    Ok(json::write(&Reminded { message: "Customer notified." })?)
}

/// A refusal that repeats what was asked. Other failures stay as they are.
fn repeating(failure: Failure, asked: &NotificationRequest) -> Failure {
    let Failure::Refused(refused) = failure else { return failure };
    let (session_id, order_no) = match &asked.target {
        Target::Session(text) => (Some(text.clone()), None),
        Target::Order(text) => (None, Some(text.clone())),
        Target::Both { session_id, order_no } => (Some(session_id.clone()), Some(order_no.clone())),
    };
    let channels = Some(asked.channels.clone());
    let about = AboutRefusal { session_id, order_no, channels, reference: None };
    Failure::Refused(refused.during(OPERATION).about(about))
}

/// What there is to say about the present state; `None` if nothing.
pub(crate) async fn present(
    world: &impl World,
    record: &Record,
    now: Timestamp,
) -> Result<Option<MessageFacts>, PortError> {
    let transaction = &record.transaction;
    let books = books_of(world, transaction).await?;
    let attempt = counting(books.as_ref(), record.attempt.as_ref());
    let state = transaction.state_at(now, record.has_open_attempt());
    let requested = || {
        (state.is_payable() && transaction.plugin == Plugin::PaymentRequest)
            .then_some(MessageOccasion::Created)
    };
    let Some(occasion) = facts::current(state).or_else(requested) else { return Ok(None) };
    let shown = attempt.filter(|_| occasion != MessageOccasion::Created);
    Ok(Some(MessageFacts {
        reference: shown.map(|attempt| attempt.reference.as_str().into()),
        amount: facts::amount(transaction, attempt, occasion),
        reason: shown
            .filter(|attempt| attempt.stage == Stage::Failed)
            .and_then(|attempt| decline::reason(&attempt.params)),
        is_test: shown.is_some_and(|attempt| attempt.is_sandbox),
        ..facts::of(transaction, occasion, &world.installation().public_url)
    }))
}

/// Refuses a channel by which the payer was reminded too often.
async fn refuse_many(
    world: &impl World,
    record: &Record,
    asked: &NotificationRequest,
    now: Timestamp,
) -> Result<(), Failure> {
    let Record { transaction, .. } = record;
    for channel in &asked.channels {
        let sent = world
            .ledger(&transaction.session_id)
            .reminded_at(&transaction.session_id, *channel, now.minus(WINDOW))
            .await?;
        let Some(oldest) = sent.len().checked_sub(MOST).and_then(|place| sent.get(place)) else { continue };
        let retry_after = oldest.plus(WINDOW).since(now).as_secs().max(1);
        world.limited(&Limited { limit: "reminders", merchant: Some(&transaction.merchant), retry_after });
        return Err(Rejection::TooManyRequests { retry_after }.into());
    }
    Ok(())
}

/// Names each channel that the merchant did not choose for what there is to say.
fn refuse_unchosen(
    record: &Record,
    facts: Option<&MessageFacts>,
    asked: &NotificationRequest,
) -> Result<(), Vec<Violation>> {
    let is_chosen = |channel| {
        facts.is_some_and(|facts| !facts::recipients(&record.transaction, channel, facts.occasion).is_empty())
    };
    let unchosen = asked.channels.iter().enumerate().filter(|(_, channel)| !is_chosen(**channel));
    let found: Vec<Violation> = unchosen
        .map(|(place, _)| Violation::new(alloc::format!("channels.{place}"), Rule::NotChosenChannel))
        .collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}
