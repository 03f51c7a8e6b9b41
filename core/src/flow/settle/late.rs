//! A card that the gateway saved after it reported the payment: the report about the card names the payment, and not the
//! card's data, which came with the payment.

use alloc::boxed::Box;
use core::time::Duration;

use super::card::{save, written};
use crate::answer::payload::Cause;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::expiry::Expiry;
use crate::card::last_four;
use crate::card::usage::{CardUse, ChargeInitiator};
use crate::change::{AttemptWrite, Change, EventKind};
use crate::flow::Failure;
use crate::flow::commit::notify::{Notice, notify};
use crate::flow::commit::{Decided, Decision, commit_outcome};

use crate::gateway::callback::SavedReport;
use crate::gateway::charge::CardReport;
use crate::port::{Awaited, Bookkeeping, Cards, Record, Store, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::value::id::{DeliveryId, PgCode, ReferenceNumber};

/// How long after its transaction was created a payment may still wait for its card.
const AWAITED_FOR: Duration = Duration::from_hours(31 * 24);

/// Saves the card of a payment that succeeded without one:
///
/// 1. find the payment among those of the customer at the gateway; one whose card is saved, that wanted none, or that ended
///    without success, needs nothing more;
/// 2. a payment that is not known to the end may be the one, if no other is: the gateway is asked to report again. What concerns
///    none of them is of someone else;
/// 3. the card is stored with what the payment said about it, and the merchant is notified. A payment that did not settle its
///    transaction, such as a second one, saves no card.
///
/// # Errors
/// [`Rejection::AttemptInProgress`] while the payment may be one that is not known to the end, or a failure of the world.
pub(crate) async fn save_late(
    world: &impl World,
    situation: &Situation,
    pg_code: &PgCode,
    report: SavedReport,
) -> Result<Option<DeliveryId>, Failure> {
    // 1
    let awaited = Awaited {
        merchant: &situation.settings.merchant,
        pg_code,
        customer_id: &report.customer_id,
        charge_id: &report.charge_id,
        since: situation.now.minus(AWAITED_FOR),
    };
    let waiting = world.ledger(&awaited).awaiting_card(awaited).await?;
    let is_over = |attempt: &Attempt| !attempt.is_open() && attempt.stage != Stage::Success;
    let named = |attempt: &Attempt| attempt.gateway_id.as_deref() == Some(report.charge_id.as_str());
    let mut attempts = waiting.iter().filter_map(|record| record.attempt.as_ref());
    let reference = match attempts.clone().find(|attempt| named(attempt)) {
        Some(attempt) if attempt.card != CardUse::Save || is_over(attempt) => return Ok(None),
        Some(attempt) if attempt.stage == Stage::Success => attempt.reference.clone(),
        // 2
        Some(_) => return Err(Rejection::AttemptInProgress.into()),
        None if attempts.any(Attempt::is_open) => return Err(Rejection::AttemptInProgress.into()),
        None => return Ok(None),
    };
    // 3
    Box::pin(store(world, situation, &reference, report)).await
}

async fn store(
    world: &impl World,
    situation: &Situation,
    reference: &ReferenceNumber,
    report: SavedReport,
) -> Result<Option<DeliveryId>, Failure> {
    let load =
        async || Ok(world.ledger(reference).load_attempt(reference).await?.ok_or(Rejection::NotFound)?);
    let decided = commit_outcome(world, None, load, async |record: Box<Record>| {
        let attempt = record.attempt.as_ref().ok_or(Rejection::Conflict)?;
        let Some(card) = card_of(attempt, &report).filter(|_| attempt.card == CardUse::Save) else {
            return Ok(Decision::Nothing(()));
        };
        let books =
            world.ledger(&record.transaction.session_id).books(&record.transaction.session_id).await?;
        let settled = books.as_ref().and_then(|books| books.settled.as_ref());
        if settled.is_none_or(|settled| settled.reference != attempt.reference) {
            return Ok(Decision::Nothing(()));
        }
        let now = situation.now;
        let mut next = Attempt { updated_at: now, ..attempt.clone() };
        let Some(saved) = save(world, &record.transaction, &next, &card, &situation.settings).await? else {
            return Ok(Decision::Nothing(()));
        };
        next.card = CardUse::Saved(saved.card.token.clone());
        let mut change = Change::of(record.transaction.clone(), EventKind::AttemptNoted, now)
            .with_attempt(AttemptWrite::Update { from: attempt.stage, attempt: next });
        change.card = Some(Box::new(written(&change, saved, ChargeInitiator::Payer)));
        notify(world, &mut change, situation, Notice { cause: Cause::Callback, books: books.as_ref() })?;
        Ok(Decision::Commit(Box::new(change), ()))
    });
    let Decided { change, .. } = decided.await?;
    Ok(change.and_then(|change| change.message_ids().next()))
}

/// What the payment said about its card; `None` without the month until which it is valid.
fn card_of(attempt: &Attempt, report: &SavedReport) -> Option<CardReport> {
    let said = |name: &str| attempt.params.get(name).map(alloc::string::String::as_str);
    let expiry = Expiry::parse(said("card_expiry_month")?, said("card_expiry_year")?)?;
    Some(CardReport {
        token: report.token.clone(),
        brand: said("card_type").map(Into::into),
        holder: said("card_holder").map(Into::into),
        number: said("card_number").and_then(last_four),
        expiry,
    })
}
