//! The outcomes of captures, refunds and voids: asking the gateway, and storing its answer, from any source.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::commit::{Decided, Decision, decide_and_commit};
use super::patience::gateway_limit;
use super::{Failure, now_of};
use crate::answer::operation::{Source, body};
use crate::change::{Change, ChildWrite};
use crate::child::Child;
use crate::child::stage::Stage;
use crate::flow::connect::{callback_url, speak};
use crate::flow::find::settings_for;
use crate::gateway::charge::PgParams;
use crate::gateway::connector::Connector;
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationReport};
use crate::operation::apply::{Learned, apply, is_surely_absent};
use crate::operation::begin::{Books, Names};
use crate::port::{Bookkeeping, Http, PortError, Rng, SendError, Vault, World};
use crate::record::outbox::Delivery;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::id::{DeliveryId, ReferenceNumber, SessionId};

/// An operation, and the books of its payment.
pub(crate) struct Booked {
    pub(crate) books: Books,
    pub(crate) child: Child,
}

/// What is known after a report about an operation was stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settled {
    pub(crate) books: Books,
    pub(crate) child: Child,
    pub(crate) deliveries: Vec<DeliveryId>,
}

/// Asks the gateway to do an operation that is already stored.
pub(super) async fn send(
    world: &impl World,
    settings: &MerchantSettings,
    child: &Child,
) -> Result<Learned, PortError> {
    let Some(profile) = settings.gateway(&child.pg_code) else { return Ok(Learned::NeverSent) };
    let Some(connector) = speak(world, settings, profile)? else { return Ok(Learned::NeverSent) };
    let order = OperationOrder {
        reference: child.reference.clone(),
        charge: child.attempt.clone(),
        operation: child.operation,
        amount: child.amount,
        callback_url: callback_url(world.installation(), &child.reference),
    };
    Ok(match world.http().send(connector.operate(&order), gateway_limit(world)).await {
        Ok(answer) => Learned::Report(connector.read_operate(&order, &answer)),
        Err(SendError::NotSent) => Learned::NeverSent,
        Err(SendError::Unknown) => Learned::AnswerLost,
    })
}

/// Stores what was learned about an operation. A conflict is decided again on what is stored then: an outcome
/// is a fact, and is never lost to a race.
pub(super) async fn settle(
    world: &impl World,
    stored: Booked,
    settings: &MerchantSettings,
    (learned, source): (Learned, Source),
) -> Result<Settled, Failure> {
    let (parent, reference) = (stored.child.parent.clone(), stored.child.reference.clone());
    let load = async || Ok(booked(world, &parent, &reference).await?.ok_or(Rejection::NotFound)?);
    let decided = decide_and_commit(world, Some(Box::new(stored)), load, async |stored: Box<Booked>| {
        let Booked { books, child } = &*stored;
        let Some(applied) = apply(books, child, learned.clone(), now_of(world, settings)) else {
            return Ok(Decision::Nothing(stored));
        };
        let is_notified = applied.is_notified || is_retracted(child, &applied.change, source);
        let mut change = applied.change;
        if is_notified {
            notify(world, &mut change, settings, source)?;
        }
        Ok(Decision::Commit(Box::new(change), stored))
    });
    let Decided { change, basis } = decided.await?;
    let Booked { mut books, child } = *basis;
    let Some(change) = change else { return Ok(Settled { books, child, deliveries: Vec::new() }) };
    let deliveries = change.deliveries.iter().map(|delivery| delivery.id.clone()).collect();
    let child = change.child.map_or(child, |write| write.child().clone());
    books.transaction = change.transaction;
    Ok(Settled { books, child, deliveries })
}

/// Whether the gateway refused an operation later whose request, repeated with its tracking key, may have been
/// answered as queued meanwhile.
fn is_retracted(child: &Child, change: &Change, source: Source) -> bool {
    let is_refused = change.child.as_ref().is_some_and(|write| write.child().stage == Stage::Refused);
    is_refused && source == Source::Gateway && child.tracking_key.is_some()
}

/// Adds the notifications about a change's operation, one for each address that the merchant has for them.
fn notify(
    world: &impl World,
    change: &mut Change,
    settings: &MerchantSettings,
    source: Source,
) -> Result<(), PortError> {
    let Some(child) = change.child.as_ref().map(ChildWrite::child) else { return Ok(()) };
    let receivers = receivers(&change.transaction, settings);
    let hmac_key = world.vault().open(&settings.merchant, &settings.webhook.hmac_key)?;
    let text = body(&change.transaction, child, source, &hmac_key);
    let (parent, number) = (&child.parent, change.transaction.version);
    let ids = [DeliveryId::new(parent, number), DeliveryId::second(parent, number)];
    let told = receivers.into_iter().zip(ids).map(|(url, id)| Delivery {
        id,
        merchant: child.merchant.clone(),
        session_id: parent.clone(),
        reference: child.reference.clone(),
        url,
        body: text.clone(),
        due_at: change.at,
    });
    change.deliveries = told.collect();
    Ok(())
}

/// Where notifications of operations go: to the transaction's own address, otherwise to the merchant's
/// address for operations and to that of the plugin.
fn receivers(transaction: &Transaction, settings: &MerchantSettings) -> Vec<String> {
    if let Some(url) = &transaction.details.webhook_url {
        return Vec::from([url.clone()]);
    }
    let own = settings.operations_webhook_url.as_ref();
    let of_plugin = settings.plugin(transaction.plugin).and_then(|plugin| plugin.webhook_url.as_ref());
    let mut found: Vec<String> =
        own.into_iter().chain(of_plugin).map(|url| url.as_str().to_string()).collect();
    found.dedup();
    found
}

/// Asks about the outcome of an open operation and stores the answer; whether it was asked.
///
/// # Errors
/// A failure of the world.
pub(crate) async fn inquire(world: &impl World, reference: &ReferenceNumber) -> Result<bool, Failure> {
    let Some(stored) = load(world, reference).await? else { return Ok(false) };
    let child = &stored.child;
    if !child.stage.is_open() {
        return Ok(false);
    }
    let settings = settings_for(world, &child.merchant).await?;
    let asked_at = now_of(world, &settings);
    let connector = match settings.gateway(&child.pg_code) {
        Some(profile) => speak(world, &settings, profile)?,
        None => None,
    };
    let learned = match connector {
        None => Learned::AnswerLost,
        Some(connector) => {
            let question = connector.inquire_operation(&child.attempt, reference);
            match world.http().send(question, gateway_limit(world)).await {
                Ok(answer) => match connector.read_operation(reference, &answer) {
                    // "No such operation" is as old as the question.
                    report
                        if report.outcome == OperationOutcome::Absent
                            && !is_surely_absent(child, asked_at) =>
                    {
                        Learned::AnswerLost
                    }
                    report => Learned::Report(report),
                },
                Err(SendError::NotSent | SendError::Unknown) => Learned::AnswerLost,
            }
        }
    };
    settle(world, stored, &settings, (learned, Source::Gateway)).await?;
    Ok(true)
}

/// The operator knows from the gateway the outcome of an operation that is awaited.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::NotResolvable`] if it is not awaited, or a failure of the world.
pub(crate) async fn decide(
    world: &impl World,
    reference: &ReferenceNumber,
    outcome: OperationOutcome,
) -> Result<(), Failure> {
    let stored = load(world, reference).await?.ok_or(Rejection::NotFound)?;
    if !matches!(stored.child.stage, Stage::Unknown | Stage::Queued) {
        return Err(Rejection::NotResolvable.into());
    }
    let settings = settings_for(world, &stored.child.merchant).await?;
    let report = OperationReport {
        reference: reference.to_string(),
        amount: None,
        outcome,
        message: None,
        gateway_id: None,
        params: PgParams::new(),
        raw: None,
    };
    settle(world, stored, &settings, (Learned::Report(report), Source::Gateway)).await?;
    Ok(())
}

/// The gateway reports about an operation by itself; the notifications to be delivered after the answer.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::SignatureInvalid`], or a failure of the world.
pub(crate) async fn call_back(
    world: &impl World,
    reference: &ReferenceNumber,
    request: &Incoming,
) -> Result<Vec<DeliveryId>, Failure> {
    let stored = load(world, reference).await?.ok_or(Rejection::NotFound)?;
    let settings = settings_for(world, &stored.child.merchant).await?;
    let profile = settings.gateway(&stored.child.pg_code).ok_or(Rejection::NotFound)?;
    let connector = speak(world, &settings, profile)?.ok_or(Rejection::NotFound)?;
    let report = connector.read_operation_callback(reference, request).ok_or(Rejection::SignatureInvalid)?;
    let news = (Learned::Report(report), Source::Gateway);
    Ok(settle(world, stored, &settings, news).await?.deliveries)
}

async fn load(world: &impl World, reference: &ReferenceNumber) -> Result<Option<Booked>, PortError> {
    let Some(child) = world.store().child(reference).await? else { return Ok(None) };
    booked(world, &child.parent, reference).await
}

async fn booked(
    world: &impl World,
    parent: &SessionId,
    reference: &ReferenceNumber,
) -> Result<Option<Booked>, PortError> {
    let Some(books) = world.store().books(parent).await? else { return Ok(None) };
    let child = books.children.iter().find(|stored| stored.reference == *reference).cloned();
    Ok(child.map(|child| Booked { books, child }))
}

pub(crate) fn draw_names(world: &impl World, settings: &MerchantSettings) -> Result<Names, PortError> {
    let (mut of_session, mut of_reference) = ([0; 19], [0; 8]);
    world.rng().fill(&mut of_session)?;
    world.rng().fill(&mut of_reference)?;
    Ok(Names {
        session_id: SessionId::generate(super::SHARD, of_session),
        reference: ReferenceNumber::generate(&settings.reference_prefix, of_reference),
    })
}
