//! Canceling a payment transaction from the page's side.

use alloc::vec::Vec;

use super::Failure;
use super::settle::{Question, inquire, notify_about, settings_for};
use crate::id::{DeliveryId, ReferenceNumber, SessionId};
use crate::payment::apply::Occasion;
use crate::payment::cancel;
use crate::payment::stage::Stage;
use crate::port::{Clock, CommitError, Record, Rng, Store, World};
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::transaction::state::State;
use crate::webhook::payload::Cause;

/// How often a cancellation is decided anew because somebody else changed the transaction first.
const MAX_TRIES: u8 = 5;

/// A canceled transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Canceled {
    /// The transaction with its latest attempt.
    pub record: Record,
    /// The notifications to be delivered after the answer: of an attempt that was withdrawn on the way, and of the
    /// cancellation.
    pub deliveries: Vec<DeliveryId>,
}

/// Cancels a transaction:
///
/// 1. load it; one that is canceled already stays so, and nobody is told again;
/// 2. an attempt that is still open is withdrawn at its gateway, which ends the transaction in the same batch, or asked
///    about, and then all is decided anew; where its outcome stays open nothing is canceled;
/// 3. one batch ends it and tells the merchant; where somebody else changed it first, all is decided anew.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::AttemptInProgress`], [`Rejection::NotCancelable`], or a failure of the world.
pub async fn cancel(world: &impl World, session_id: &SessionId) -> Result<Canceled, Failure> {
    let mut deliveries = Vec::new();
    for _ in 0..MAX_TRIES {
        // 1
        let record = world.store().load(session_id).await?.ok_or(Rejection::NotFound)?;
        let settings = settings_for(world, &record.transaction.merchant).await?;
        if record.transaction.state == State::Canceled {
            return Ok(Canceled { record, deliveries });
        }
        // 2
        if record.attempt.as_ref().is_some_and(|attempt| attempt.stage.is_open()) {
            close(world, record, &settings, &mut deliveries).await?;
            continue;
        }
        // 3
        let now = world.clock().now();
        let mut change = cancel::cancel(&record.transaction, record.attempt.as_ref(), now)?;
        let mut random = [0; 8];
        world.rng().fill(&mut random)?;
        let reference = ReferenceNumber::generate(&settings.reference_prefix, random);
        let told = cancel::notice(&change.transaction, record.attempt.as_ref(), &settings, reference, now);
        if let Some(told) = told {
            notify_about(world, &mut change, &told, &settings, Cause::Other)?;
        }
        match world.store().commit(&change).await {
            Ok(()) => {
                deliveries.extend(change.deliveries.iter().map(|delivery| delivery.id.clone()));
                let record = Record { transaction: change.transaction, attempt: record.attempt };
                return Ok(Canceled { record, deliveries });
            }
            Err(CommitError::Conflict | CommitError::KeyTaken) => {}
            Err(CommitError::Failed(error)) => return Err(error.into()),
        }
    }
    Err(Rejection::Conflict.into())
}

/// Withdraws an attempt whose payer is at the gateway's page; asks about one whose outcome is awaited. What is known
/// afterwards is known of this attempt only: another may have been opened meanwhile.
async fn close(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
    deliveries: &mut Vec<DeliveryId>,
) -> Result<(), Failure> {
    let was_waiting = is_waiting(&record);
    let question = if was_waiting { Question::Withdraw } else { Question::Inquire };
    let settled = inquire(world, record, settings, (question, Occasion::Canceling)).await?;
    deliveries.extend(settled.delivery);
    let is_open = settled.record.attempt.as_ref().is_some_and(|attempt| attempt.stage.is_open());
    // A page that turned out to wait for the payer can be withdrawn next.
    if is_open && (was_waiting || !is_waiting(&settled.record)) {
        return Err(Rejection::AttemptInProgress.into());
    }
    Ok(())
}

fn is_waiting(record: &Record) -> bool {
    record.attempt.as_ref().is_some_and(|attempt| attempt.stage == Stage::Redirected)
}
