//! Sends the notifications that are due: one at a time to a receiver, more once it answers well; the first time a receiver
//! does not answer ends its turn. Those that end at the same time are recorded together.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::time::Duration;

use super::run::{BEGINNING, Run, count, note};
use super::turns::{Job, SILENCE, Slots, take_turns};
use crate::flow::deliver::{Tried, account_for, attempt, ring_again};
use crate::port::{Claim, Claimed, Clock, Finished, PortError, Store, Turn, World};
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::webhook::delivery::{Effect, LEASE, SEND_TIMEOUT};

/// A message that is claimed when a batch begins is held until its send has ended.
const _: () = assert!(BEGINNING.as_secs() + SEND_TIMEOUT.as_secs() + SILENCE.as_secs() < LEASE.as_secs());
/// How long after its claim a message may still be sent.
const HOLD: Duration = LEASE.saturating_sub(SEND_TIMEOUT).saturating_sub(SILENCE);

/// Sends until nothing is due any more or the time is over; how many notifications were tried.
pub(super) async fn send_due<W: World>(run: &Run<'_, W>, slots: &Cell<usize>) -> usize {
    let desk = Desk::default();
    let slots = Slots { all: slots, of_lane: run.limits.receiver_slots, lanes: Some(run.lanes()) };
    take_turns(async || notifications(run, &desk).await, &slots, run).await
}

/// What is due and was not taken up yet. Each is claimed when it begins: what only waits for its turn is left to a payer's
/// browser that wants it delivered at once.
async fn notifications<'j, W: World>(run: &'j Run<'_, W>, desk: &'j Desk) -> Vec<Job<'j>> {
    match run.world.store().due_deliveries(run.due()).await {
        Ok(found) => {
            let fresh = found.into_iter().filter(|turn| run.takes(&turn.item.to_string()));
            fresh.map(|turn| Job::new(turn, |id| Box::pin(claim_and_send(run, desk, id)))).collect()
        }
        Err(error) => {
            note(run.swept, error);
            Vec::new()
        }
    }
}

async fn claim_and_send<W: World>(run: &Run<'_, W>, desk: &Desk, id: DeliveryId) -> bool {
    match claim(run, &[id]).await {
        Ok((held, unreadable)) => {
            for (_, error) in unreadable {
                note(run.swept, error);
            }
            match held.into_iter().next() {
                Some(held) => send(run, desk, held).await,
                None => true,
            }
        }
        Err(error) => {
            note(run.swept, error);
            false
        }
    }
}

/// A message that was claimed at a moment.
pub(super) struct Held {
    /// The message.
    pub(super) claim: Claim,
    at: Timestamp,
}

impl Held {
    /// Until when it is held.
    pub(super) fn until(&self) -> Timestamp {
        self.at.plus(LEASE)
    }
}

/// Claims messages: those that are due and that nobody else holds; and those that cannot be read.
///
/// # Errors
/// If the store fails.
pub(super) async fn claim<W: World>(
    run: &Run<'_, W>,
    ids: &[DeliveryId],
) -> Result<(Vec<Held>, Vec<(DeliveryId, PortError)>), PortError> {
    let at = run.world.clock().now();
    let Claimed { claims, unreadable } = run.world.store().claim_all(ids, at, at.plus(LEASE)).await?;
    // What may end its sender comes last: the others are recorded by then.
    let (mut held, lost): (Vec<Held>, Vec<Held>) =
        claims.into_iter().map(|claim| Held { claim, at }).partition(|held| held.claim.lost_until.is_none());
    held.extend(lost);
    Ok((held, unreadable))
}

/// The sending of a message.
pub(super) fn job<'j, W: World>(run: &'j Run<'_, W>, desk: &'j Desk, held: Held) -> Job<'j> {
    let (merchant, lane) = (held.claim.message.merchant.clone(), held.claim.message.lane());
    Job::new(Turn { item: held, merchant, lane, family: None }, |held| Box::pin(send(run, desk, held)))
}

/// Sends a message; whether it was accepted. One that waited too long for its turn is left to the next run: its lease may
/// be over before the answer comes.
async fn send<W: World>(run: &Run<'_, W>, desk: &Desk, held: Held) -> bool {
    if run.world.clock().now().since(held.at) >= HOLD {
        return true;
    }
    let claimed = account_for(run.world, held.claim, &run.recent).await;
    let tried = match claimed {
        Ok(Some(claim)) => attempt(run.world, claim, &run.recent).await,
        Ok(None) => return true,
        Err(error) => Err(error),
    };
    match tried {
        Ok(tried) => {
            let is_good = matches!(tried.effect, Effect::Redirect | Effect::Stay);
            desk.record(run, tried).await;
            is_good
        }
        Err(error) => {
            note(run.swept, error);
            false
        }
    }
}

/// Where tries wait to be recorded. One that comes while another is written is written with the next.
#[derive(Default)]
pub(super) struct Desk {
    waiting: RefCell<Vec<Tried>>,
    is_writing: Cell<bool>,
}

impl Desk {
    async fn record<W: World>(&self, run: &Run<'_, W>, tried: Tried) {
        self.waiting.borrow_mut().push(tried);
        if self.is_writing.replace(true) {
            return;
        }
        loop {
            let batch = self.waiting.take();
            if batch.is_empty() {
                break;
            }
            write(run, batch).await;
        }
        self.is_writing.set(false);
    }
}

/// Records tries together; if that fails, one by one, so that one that cannot be recorded does not hold up the others.
async fn write<W: World>(run: &Run<'_, W>, batch: Vec<Tried>) {
    let store = run.world.store();
    let finished: Vec<Finished<'_>> = batch.iter().map(Tried::finished).collect();
    if let Err(error) = store.finish_tries(&finished).await {
        note(run.swept, error);
        if finished.len() > 1 {
            for Finished { id, done, attention } in &finished {
                let recorded = store.finish_try(id, done, *attention).await;
                recorded.unwrap_or_else(|error| note(run.swept, error));
            }
        }
    }
    ring_again(run.world, &batch).await;
    for tried in batch {
        match tried.encoded {
            Ok(()) => {
                let mut swept = run.swept.borrow_mut();
                swept.delivered = swept.delivered.saturating_add(1);
            }
            Err(failure) => count(run.swept, |swept| &mut swept.delivered, Err(failure)),
        }
    }
}
