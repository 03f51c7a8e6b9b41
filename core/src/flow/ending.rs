//! Ending a payment transaction on request: canceling it from the page's side or by the merchant's server,
//! expiring and deleting it.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Failure;
use super::commit::{Decided, Decision, decide_and_commit};
use crate::attempt::stage::Stage;
use crate::flow::commit::notify::announce;
use crate::flow::inquire::{Inquiry, Question, inquire};
use crate::flow::situation::situation_of;
use crate::payment::apply::ReportOccasion;
use crate::payment::ending::{self, Ending};
use crate::port::{Record, Store, World};
use crate::record::audit::Actor;
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::state::State;
use crate::value::id::{DeliveryId, SessionId};

/// A transaction that was ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The transaction with its latest attempt.
    pub record: Record,
    /// The notifications to be delivered after the answer: of an attempt that was withdrawn in the process,
    /// and of the cancellation.
    pub deliveries: Vec<DeliveryId>,
}

/// Ends a transaction, for the payer unless someone else does it:
///
/// 1. load it; if it has already ended this way, it stays as it is, and nobody is notified again;
/// 2. an attempt that is still open is withdrawn at its gateway, which cancels the transaction in the same
///    batch, or the gateway is asked about it, and then everything is decided again; if its outcome stays
///    open, nothing is ended;
/// 3. one batch ends it and notifies the merchant, about expiry only if the merchant wants that; if someone
///    else changed it first, everything is decided again.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::AttemptInProgress`], what [`ending::end`] refuses, or a failure of
/// the world.
pub async fn end(
    world: &impl World,
    session_id: &SessionId,
    ending: Ending,
    by: Option<&Actor>,
) -> Result<Ended, Failure> {
    let mut deliveries = Vec::new();
    // 1
    let load = async || Ok(world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?);
    let decided = decide_and_commit(world, None, load, async |record: Box<Record>| {
        let situation = situation_of(world, &record.transaction.merchant).await?;
        let has_open = record.has_open_attempt();
        let now = situation.now;
        if is_ended(record.transaction.state_at(now, has_open), ending) {
            return Ok(Decision::Nothing(record));
        }
        // 2
        if has_open {
            close(world, *record, &situation, ending, &mut deliveries).await?;
            return Ok(Decision::Again);
        }
        // 3
        let mut change = ending::end(&record.transaction, record.attempt.as_ref(), ending, now)?;
        change.actor = by.cloned().map(Box::new);
        announce(world, &mut change, record.attempt.as_ref(), &situation)?;
        Ok(Decision::Commit(Box::new(change), record))
    });
    let Decided { change, basis: mut record } = decided.await?;
    if let Some(change) = change {
        deliveries.extend(change.message_ids());
        record.transaction = change.transaction;
    }
    Ok(Ended { record: *record, deliveries })
}

fn is_ended(state: State, ending: Ending) -> bool {
    match ending {
        Ending::CanceledByPayer | Ending::CanceledByMerchant => state == State::Canceled,
        Ending::Expired => state == State::Expired,
        Ending::Deleted => false,
    }
}

/// Withdraws an attempt whose payer is at the gateway's page; asks about one whose outcome is awaited. The
/// answer is about this attempt only: another may have been opened in the meantime.
async fn close(
    world: &impl World,
    record: Record,
    situation: &Situation,
    ending: Ending,
    deliveries: &mut Vec<DeliveryId>,
) -> Result<(), Failure> {
    let occasion = match ending {
        Ending::CanceledByPayer | Ending::CanceledByMerchant => ReportOccasion::Canceling,
        Ending::Expired | Ending::Deleted => ReportOccasion::Ending,
    };
    let was_waiting = is_waiting(&record);
    let question = if was_waiting { Question::Withdraw } else { Question::Inquire(None) };
    let is_limited = ending == Ending::CanceledByPayer;
    let settled = inquire(world, record, situation, Inquiry { question, occasion, is_limited }).await?;
    deliveries.extend(settled.delivery);
    let is_open = settled.record.has_open_attempt();
    // A page that turns out to wait for the payer can be withdrawn next.
    if is_open && (was_waiting || !is_waiting(&settled.record)) {
        return Err(Rejection::AttemptInProgress.into());
    }
    Ok(())
}

fn is_waiting(record: &Record) -> bool {
    record.attempt.as_ref().is_some_and(|attempt| attempt.stage == Stage::Redirected)
}
