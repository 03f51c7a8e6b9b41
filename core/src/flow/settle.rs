//! Asking a gateway about one attempt, and storing its answer: every outcome comes through here, from any
//! source.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use super::commit::{Decided, Decision, decide_and_commit};
use super::patience::{GATEWAY_TIMEOUT, first_gateway_limit, gateway_limit};
use super::{Failure, card, now_of, reverse, settle_operation};
use crate::answer::payload::{Beside, Cause, payload};
use crate::answer::token::Shown;
use crate::attempt::Attempt;
use crate::card::usage::{CardUse, Initiator};
use crate::change::Change;
use crate::flow::connect::{callback_url, return_url, speak};
use crate::flow::find::settings_for;
use crate::gateway::charge::{Opened, Order, Outcome};
use crate::gateway::connector::Connector;
use crate::gateway::exchange::{Incoming, Outgoing};
use crate::gateway::instrument::Instrument;
use crate::gateway::profile::Profile;
use crate::operation::begin::Books;
use crate::payment::apply::{Learned, News, Occasion, apply, is_surely_absent};
use crate::port::{Bookkeeping, Http, PortError, Record, SendError, Store, Vault, World};
use crate::record::outbox::Delivery;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::id::{DeliveryId, ReferenceNumber};
use crate::words::Language;

/// What is known after a report was stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// The transaction and the attempt as they are now.
    pub record: Record,
    /// The notification that the report caused.
    pub delivery: Option<DeliveryId>,
}

/// A report about an attempt, and its origin for the notification.
#[derive(Debug, Clone)]
pub(crate) struct Arrived {
    pub(crate) learned: Learned,
    pub(crate) occasion: Occasion,
    pub(crate) cause: Cause,
}

/// Stores what was learned about the attempt of `record`. A conflict is decided again on what is stored then:
/// an outcome is a fact, and is never lost to a race.
///
/// # Errors
/// A failure of the world; the source of the report repeats it, or the sweep asks for it.
pub(crate) async fn settle(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
    arrived: Arrived,
) -> Result<Settled, Failure> {
    let now = now_of(world, settings);
    let reference = record.attempt.as_ref().map(|attempt| attempt.reference.clone());
    let reference = reference.ok_or(Rejection::Conflict)?;
    let load = async || Ok(world.store().load_attempt(&reference).await?.ok_or(Rejection::NotFound)?);
    let decided = decide_and_commit(world, Some(Box::new(record)), load, async |record: Box<Record>| {
        let attempt = record.attempt.as_ref().ok_or(Rejection::Conflict)?;
        let news = News {
            learned: arrived.learned.clone(),
            occasion: arrived.occasion,
            inquiry_after: settings.gateway(&attempt.pg_code).map_or(GATEWAY_TIMEOUT, |p| p.inquiry_after),
            now,
        };
        let Some(applied) = apply(&record.transaction, attempt, news) else {
            return Ok(Decision::Nothing(record));
        };
        let mut change = applied.change;
        // Boxed: few payments involve a saved card, and every payment would carry its future.
        Box::pin(card::attach(world, &mut change, &arrived.learned, settings)).await?;
        if applied.is_notified && !is_answered(attempt, arrived.occasion, settings) {
            let books = books_of(world, &record.transaction).await?;
            notify(world, &mut change, settings, (arrived.cause, books.as_ref()))?;
        }
        Box::pin(reverse::plan(world, &mut change, settings)).await?;
        Ok(Decision::Commit(Box::new(change), record))
    });
    let Decided { change, basis } = decided.await?;
    let Some(change) = change else { return Ok(Settled { record: *basis, delivery: None }) };
    let delivery = change.deliveries.first().map(|delivery| delivery.id.clone());
    if let Some(write) = change.child {
        // It is recorded: if this fails, the sweep asks about its outcome.
        let _ = Box::pin(reverse::carry_out(world, settings, write.child().clone())).await;
    }
    let attempt = change.attempt.map(|write| write.attempt().clone());
    Ok(Settled { record: Record { transaction: change.transaction, attempt }, delivery })
}

/// Whether the merchant learns this from the answer to its own auto debit, and wants no other notification of
/// it.
fn is_answered(attempt: &Attempt, occasion: Occasion, settings: &MerchantSettings) -> bool {
    let is_own = matches!(attempt.card, CardUse::Charge(_, Initiator::Merchant));
    is_own && occasion == Occasion::Opening && !settings.notifies_auto_debits
}

/// The payment and everything that was done to it afterwards; `None` before it succeeded.
pub(crate) async fn books_of(
    world: &impl World,
    transaction: &Transaction,
) -> Result<Option<Books>, PortError> {
    match transaction.settlement {
        Some(_) => world.store().books(&transaction.session_id).await,
        None => Ok(None),
    }
}

/// Adds the notification about a change's attempt, if the merchant has an address for it.
pub(crate) fn notify(
    world: &impl World,
    change: &mut Change,
    settings: &MerchantSettings,
    (cause, books): (Cause, Option<&Books>),
) -> Result<(), PortError> {
    let Some(attempt) = change.attempt.as_ref().map(|write| write.attempt().clone()) else { return Ok(()) };
    notify_about(world, change, &attempt, settings, (cause, books))
}

/// Adds a notification about an attempt to a change, if the merchant has an address for it.
pub(crate) fn notify_about(
    world: &impl World,
    change: &mut Change,
    attempt: &Attempt,
    settings: &MerchantSettings,
    (cause, books): (Cause, Option<&Books>),
) -> Result<(), PortError> {
    let Some(url) = receiver(&change.transaction, settings) else { return Ok(()) };
    let card = change.card.as_ref().map(|write| Shown::of(&write.kept, settings, change.at));
    let beside = Beside { cause, card, books };
    let hmac_key = world.vault().open(&settings.merchant, &settings.webhook.hmac_key)?;
    change.deliveries.push(Delivery {
        id: change.delivery_id(),
        merchant: attempt.merchant.clone(),
        session_id: attempt.session_id.clone(),
        reference: attempt.reference.clone(),
        url,
        body: payload(&change.transaction, attempt, beside, &hmac_key),
        due_at: change.at,
    });
    Ok(())
}

/// Where notifications of a transaction go: its own address, otherwise the plugin's.
pub(crate) fn receiver(transaction: &Transaction, settings: &MerchantSettings) -> Option<String> {
    let of_plugin =
        || settings.plugin(transaction.plugin)?.webhook_url.as_ref().map(|url| url.as_str().to_string());
    transaction.details.webhook_url.clone().or_else(of_plugin)
}

/// Opens the charge of an attempt that is already stored.
pub(crate) async fn open_charge(
    world: &impl World,
    settings: &MerchantSettings,
    profile: &Profile,
    (transaction, attempt): (&Transaction, &Attempt),
    (instrument, chosen): (Instrument, Option<Language>),
) -> Result<Learned, PortError> {
    let Some(connector) = speak(world, settings, profile)? else { return Ok(Learned::NeverSent(None)) };
    let installation = world.installation();
    let reference = &attempt.reference;
    let card = card::card_charge(world, transaction, attempt).await?;
    if let (None, CardUse::Charge(..)) = (&card, &attempt.card) {
        return Ok(Learned::NeverSent(Some("the card was deleted".into())));
    }
    let language = chosen.unwrap_or(transaction.details.language);
    let order = Order {
        reference: reference.clone(),
        total: attempt.quote.total,
        operation: attempt.operation,
        card,
        keeps_card: attempt.card == CardUse::Keep,
        instrument,
        language,
        merchant: settings.name.text(language).to_string(),
        return_url: return_url(installation, attempt, chosen),
        callback_url: callback_url(installation, reference),
    };
    Ok(match world.http().send(connector.open(&order), gateway_limit(world)).await {
        Ok(answer) => match connector.read_open(&answer) {
            Opened::Reported(report) => Learned::Report(report),
            Opened::Refused { message } => Learned::NeverSent(message),
        },
        Err(SendError::NotSent) => Learned::NeverSent(None),
        Err(SendError::Unknown) => Learned::AnswerLost,
    })
}

/// What is asked of a gateway about a charge that was opened before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// What is its outcome?
    Inquire,
    /// Withdraw it, if it is not completed.
    Withdraw,
}

/// Asks the gateway of an attempt. If it cannot be asked, nothing certain is learned.
pub(crate) async fn ask(
    world: &impl World,
    settings: &MerchantSettings,
    attempt: &Attempt,
    question: Question,
) -> Result<Learned, PortError> {
    let Some(profile) = settings.gateway(&attempt.pg_code) else { return Ok(Learned::AnswerLost) };
    let Some(connector) = speak(world, settings, profile)? else { return Ok(Learned::AnswerLost) };
    let (request, limit): (Outgoing, Duration) = match question {
        Question::Inquire => (connector.inquire(&attempt.reference), gateway_limit(world)),
        // The request that follows a withdrawal asks a gateway too.
        Question::Withdraw => (connector.cancel(&attempt.reference), first_gateway_limit(world)),
    };
    let asked_at = now_of(world, settings);
    Ok(match world.http().send(request, limit).await {
        Ok(answer) => match connector.read_report(&attempt.reference, &answer) {
            // "No such charge" is as old as the question: the request that opens it may have arrived
            // meanwhile.
            report if report.outcome == Outcome::Absent && !is_surely_absent(attempt, asked_at) => {
                Learned::AnswerLost
            }
            report => Learned::Report(report),
        },
        // Asking changes nothing at the gateway that asking later would not find out.
        Err(SendError::NotSent | SendError::Unknown) => Learned::AnswerLost,
    })
}

/// Asks about the attempt of a record and stores the answer.
pub(crate) async fn inquire(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
    (question, occasion): (Question, Occasion),
) -> Result<Settled, Failure> {
    let Some(attempt) = record.attempt.clone() else { return Ok(Settled { record, delivery: None }) };
    let learned = ask(world, settings, &attempt, question).await?;
    let arrived = Arrived { learned, occasion, cause: Cause::Other };
    // Boxed: the caller may be deep in a payment.
    Box::pin(settle(world, record, settings, arrived)).await
}

/// Withdraws an attempt at its gateway, to make room for another one. If nobody was given its page, it is
/// given up even if its gateway does not answer: there is nobody who could pay it.
pub(crate) async fn withdraw(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
) -> Result<Settled, Failure> {
    let asked = inquire(world, record, settings, (Question::Withdraw, Occasion::Background)).await?;
    if !asked.record.attempt.as_ref().is_some_and(Attempt::was_never_shown) {
        return Ok(asked);
    }
    let arrived = Arrived { learned: Learned::GivenUp, occasion: Occasion::Background, cause: Cause::Other };
    Box::pin(settle(world, asked.record, settings, arrived)).await
}

/// The gateway reports by itself:
///
/// 1. load the attempt that the address names; if it names an operation, that is settled;
/// 2. the request must be signed by the gateway;
/// 3. store the outcome; a duplicate changes nothing.
///
/// Returns the notifications to be delivered after the answer.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::SignatureInvalid`], or a failure of the world.
pub async fn call_back(
    world: &impl World,
    reference: &ReferenceNumber,
    request: &Incoming,
) -> Result<Vec<DeliveryId>, Failure> {
    // 1
    let Some(record) = world.store().load_attempt(reference).await? else {
        return settle_operation::call_back(world, reference, request).await;
    };
    let settings = settings_for(world, &record.transaction.merchant).await?;
    let pg_code = record.attempt.as_ref().map(|attempt| &attempt.pg_code);
    let profile = pg_code.and_then(|code| settings.gateway(code)).ok_or(Rejection::NotFound)?;
    // 2
    let connector = speak(world, &settings, profile)?.ok_or(Rejection::NotFound)?;
    let report = connector.read_callback(reference, request).ok_or(Rejection::SignatureInvalid)?;
    // 3
    let arrived =
        Arrived { learned: Learned::Report(report), occasion: Occasion::Background, cause: Cause::Callback };
    Ok(settle(world, record, &settings, arrived).await?.delivery.into_iter().collect())
}
