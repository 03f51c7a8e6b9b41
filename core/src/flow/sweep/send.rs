//! Sends the notifications that are due: one at a time to each receiver; the first time a receiver does not
//! answer ends its turn.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::Cell;

use super::super::deliver::deliver;
use super::turns::{Job, Slots, take_turns};
use super::{Run, count, note};
use crate::port::{Store, World};
use crate::value::id::DeliveryId;

/// Sends until nothing is due any more or the time is over; how many notifications were tried.
pub(super) async fn send_due<W: World>(run: &Run<'_, W>, slots: &Cell<usize>) -> usize {
    let slots = Slots { all: slots, of_lane: 1 };
    take_turns(async || notifications(run).await, &slots, run).await
}

/// What is due and was not taken up yet.
async fn notifications<'j, W: World>(run: &'j Run<'_, W>) -> Vec<Job<'j>> {
    match run.world.store().due_deliveries(run.due()).await {
        Ok(found) => {
            let fresh = found.into_iter().filter(|turn| run.takes(&turn.item.to_string()));
            fresh.map(|turn| Job::new(turn, |id| Box::pin(send(run, id)))).collect()
        }
        Err(error) => {
            note(run.swept, error);
            Vec::new()
        }
    }
}

async fn send<W: World>(run: &Run<'_, W>, id: DeliveryId) {
    let result = deliver(run.world, &id).await;
    count(run.swept, |swept| &mut swept.delivered, result.map(|effect| effect.is_some()));
}
