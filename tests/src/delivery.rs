//! Delivers one message as a doorbell does, and says what came of it.

use checkout_core::flow::deliver::handle;
use checkout_core::port::{Doorbell, Next, PortError, Try, World};
use checkout_core::record::receiver::TryError;
use checkout_core::testing::store::{MemoryStore, StoredDelivery};
use checkout_core::value::id::DeliveryId;
use checkout_core::webhook::delivery::AnswerEffect;

/// Delivers a message of a transaction; what the answer means, or `None` if nothing was sent.
///
/// # Errors
/// What failed in the world.
pub async fn deliver(
    world: &impl World<Ledger = MemoryStore>,
    id: &DeliveryId,
) -> Result<Option<AnswerEffect>, Vec<PortError>> {
    let tries_before = row(world.ledger(id), id).map_or(0, |row| row.tries.len());
    let handled = handle(world, &[Doorbell::Delivery(id.clone())]).await;
    if !handled.report.failures.is_empty() {
        return Err(handled.report.failures);
    }
    Ok(row(world.ledger(id), id).filter(|row| row.tries.len() > tries_before).and_then(|row| {
        let is_to_payer = row.message.kind.channel().is_some();
        let last = row.tries.last().filter(|last| last.error != Some(TryError::Lost))?;
        Some(effect(last, is_to_payer))
    }))
}

fn row(store: &MemoryStore, id: &DeliveryId) -> Option<StoredDelivery> {
    store.deliveries(id.session_id()?).into_iter().find(|row| row.message.id == *id)
}

fn effect(last: &Try, is_to_payer: bool) -> AnswerEffect {
    match (last.next, last.status) {
        (Next::Delivered, Some(200)) if !is_to_payer => AnswerEffect::Redirect,
        (Next::Delivered, _) => AnswerEffect::Stay,
        (Next::Held, Some(410)) => AnswerEffect::Gone,
        (Next::GivenUp, _) if is_to_payer => AnswerEffect::Gone,
        (Next::Again(_) | Next::Held | Next::GivenUp, _) => AnswerEffect::Retry,
    }
}
