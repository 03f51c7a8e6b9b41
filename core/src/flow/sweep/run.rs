//! A run of what is due, and what it did.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::time::Duration;

use super::news::News;
use crate::flow::Failure;
use crate::flow::commit::commit;
use crate::flow::commit::notify::announce;
use crate::flow::exchange::patience::GATEWAY_TIMEOUT;
use crate::flow::find::RecentSettings;
use crate::flow::situation::situation_of;
use crate::payment::apply::expire;
use crate::port::{Lanes, PortError, RunLimits, Store, World};
use crate::settings::situation::Situation;
use crate::value::id::SessionId;
use crate::value::time::Timestamp;

/// How long one run takes at most: the next one begins after a minute.
pub const RUN: Duration = Duration::from_secs(50);

/// How long work that was begun may take: a gateway's answer, and the answer to the refund of a payment that
/// does not count.
pub(super) const TAIL: Duration = GATEWAY_TIMEOUT.saturating_add(GATEWAY_TIMEOUT);

/// How long a run begins anything. A notification takes no longer than [`TAIL`].
pub(super) const BEGINNING: Duration = RUN.saturating_sub(TAIL);

/// What a run did.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Swept {
    /// Attempts and operations whose gateway was asked.
    pub inquired: usize,
    /// Transactions that expired.
    pub expired: usize,
    /// Notifications that were tried.
    pub delivered: usize,
    /// Reconciliations that continued.
    pub reconciled: usize,
    /// Transactions whose payer's data was erased because of its age.
    pub erased: usize,
    /// Alerts that were raised.
    pub alerts: usize,
    /// What failed, for the operator's log.
    pub failures: Vec<PortError>,
}

pub(super) fn note(swept: &RefCell<Swept>, error: PortError) {
    swept.borrow_mut().failures.push(error);
}

/// A run for everyone, or for one merchant whose clock was moved.
pub(super) struct Run<'r, W> {
    pub(super) world: &'r W,
    pub(super) merchant: Option<&'r Situation>,
    /// Until when something may begin.
    pub(super) until: Timestamp,
    pub(super) swept: &'r RefCell<Swept>,
    /// What was taken up. A row that is due again at once, or failed, waits for the next run.
    pub(super) taken: RefCell<BTreeSet<String>>,
    /// How many payments that have ended may still be asked about.
    pub(super) closed_left: Cell<u32>,
    pub(super) limits: RunLimits,
    /// The settings of merchants whose webhooks are sent.
    pub(super) recent: RecentSettings,
    /// What is known of receivers, if the world has no memory of them.
    pub(super) own_lanes: RefCell<Lanes>,
    /// Whether doorbells were rung for everything but reconciliations.
    pub(super) rings: bool,
    /// What the run has caused itself.
    pub(super) news: News,
}

/// Counts what was done, and notes what failed.
pub(super) fn count(
    swept: &RefCell<Swept>,
    of: impl FnOnce(&mut Swept) -> &mut usize,
    result: Result<bool, Failure>,
) {
    match result {
        Ok(true) => {
            let mut swept = swept.borrow_mut();
            let done = of(&mut swept);
            *done = done.saturating_add(1);
        }
        // A rejection here is a race that someone else won.
        Ok(false) | Err(Failure::Refused(_)) => {}
        Err(Failure::World(error)) => note(swept, error),
    }
}

pub(super) async fn end(world: &impl World, session_id: &SessionId, now: Timestamp) -> Result<bool, Failure> {
    let Some(record) = world.store().load(session_id).await? else { return Ok(false) };
    let latest = record.attempt.as_ref();
    let Some(mut change) = expire(&record.transaction, latest, now) else { return Ok(false) };
    let situation = situation_of(world, &record.transaction.merchant).await?;
    announce(world, &mut change, latest, &situation)?;
    commit(world, &mut change).await
}
