//! What is asked again: a gateway about an attempt or an operation, and whether the time of a transaction is over.

use alloc::string::String;

use crate::attempt::stage::Stage;
use crate::flow::commit::commit;
use crate::flow::commit::notify::announce;
use crate::flow::inquire::{Inquiry, inquire};
use crate::flow::situation::situation_of;
use crate::flow::{Failure, operation};
use crate::payment::apply::{ReportOccasion, expire};
use crate::payment::chase::{MOST_LOST, after_loss};
use crate::port::{Bookkeeping, Clock, Doorbell, Doorbells, DueRow, PortError, Store, World};
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

/// Asks about an attempt; if its page still waits when its transaction is over, or was paid by another
/// attempt, it is withdrawn; whether it was due. So is one that was given up: its gateway may not have received the withdrawal, and what it
/// still has open can be paid.
pub(super) async fn ask_about_attempt(
    world: &impl World,
    reference: &ReferenceNumber,
) -> Result<bool, Failure> {
    let Some(record) = world.ledger(reference).load_attempt(reference).await? else { return Ok(false) };
    let Some((attempt, due_at)) = record.attempt.as_ref().and_then(|one| Some((one, one.inquire_at?))) else {
        return Ok(false);
    };
    let transaction = &record.transaction;
    let situation = situation_of(world, &transaction.merchant).await?;
    let now = situation.now;
    // A doorbell may ring twice.
    if due_at > now {
        return Ok(false);
    }
    let is_over = transaction.is_over(now) || !transaction.state.is_payable();
    let inquiry = match attempt.stage {
        Stage::Redirected if is_over => Inquiry { occasion: ReportOccasion::Ending, ..Inquiry::WITHDRAW },
        Stage::Canceled => Inquiry::WITHDRAW,
        Stage::Sending
        | Stage::Redirected
        | Stage::Unknown
        | Stage::Success
        | Stage::Failed
        | Stage::Error
        | Stage::Cod => Inquiry::BACKGROUND,
    };
    let until = after_loss(0, now);
    match world.ledger(reference).claim_inquiry(reference, due_at, until).await? {
        // Someone else asks.
        None => return Ok(false),
        Some(begun) if begun > MOST_LOST => {
            give_up(world, Doorbell::Attempt(turn_of(reference, &transaction.merchant))).await?;
            world.ledger(reference).end_inquiries(reference).await?;
            return Ok(false);
        }
        Some(begun) if begun > 1 => {
            world.ledger(reference).postpone_inquiry(reference, after_loss(begun, now)).await?;
        }
        Some(_) => {}
    }
    inquire(world, record, &situation, inquiry).await?;
    Ok(true)
}

/// Whatever is asked about this ends who asks: a person looks at it.
async fn give_up(world: &impl World, bell: Doorbell) -> Result<(), PortError> {
    world.ledger(&bell).flag_unprocessed(&bell, world.clock().now()).await.map(|_| ())
}

fn turn_of(reference: &ReferenceNumber, merchant: &MerchantId) -> DueRow<ReferenceNumber> {
    DueRow { item: reference.clone(), merchant: merchant.clone(), lane: String::new(), family: None }
}

/// Asks about an operation if that is due; whether it was.
pub(super) async fn ask_about_operation(
    world: &impl World,
    reference: &ReferenceNumber,
) -> Result<bool, Failure> {
    let Some(stored) = operation::load(world, reference).await? else { return Ok(false) };
    let child = &stored.child;
    let Some(due_at) = child.inquire_at else { return Ok(false) };
    let situation = situation_of(world, &child.merchant).await?;
    let now = situation.now;
    if due_at > now {
        return Ok(false);
    }
    match world.ledger(reference).claim_operation(reference, due_at, after_loss(0, now)).await? {
        None => return Ok(false),
        Some(begun) if begun > MOST_LOST => {
            give_up(world, Doorbell::Operation(turn_of(reference, &child.merchant))).await?;
            world.ledger(reference).end_operation_inquiries(reference).await?;
            return Ok(false);
        }
        Some(begun) if begun > 1 => {
            world.ledger(reference).postpone_operation(reference, after_loss(begun, now)).await?;
        }
        Some(_) => {}
    }
    operation::inquire_stored(world, stored).await
}

/// Ends a transaction if its time is over; whether it was.
pub(super) async fn end(world: &impl World, session_id: &SessionId, now: Timestamp) -> Result<bool, Failure> {
    let Some(record) = world.ledger(session_id).load(session_id).await? else { return Ok(false) };
    let latest = record.attempt.as_ref();
    let Some(mut change) = expire(&record.transaction, latest, now) else { return Ok(false) };
    let situation = situation_of(world, &record.transaction.merchant).await?;
    announce(world, &mut change, latest, &situation)?;
    commit(world, &mut change).await
}
