//! Reconciliation: compares the payments recorded here with the gateway's own list, in both directions.
//!
//! Each gateway of a merchant is reconciled every hour, in a run of two parts. First the gateway's list of
//! what changed since the run before is compared, charge by charge (`compare`). Then the gateway is
//! asked about every success that no list has named. A run continues page by page over several ticks of the
//! cron, each time from where it stopped.
//!
//! Two clocks meet here: the list uses the gateway's time, which is the real one; when a run is due, and
//! which attempts are old enough to be missed, depend on the merchant's time, which its test clock may move.

pub(crate) mod compare;

use alloc::string::String;
use core::time::Duration;

use crate::gateway::listing::Period;
use crate::value::id::{MerchantId, PgCode};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// How long after a run the next one begins, and how long a gateway is left alone if it cannot be asked for
/// anything.
pub(crate) const PAUSE: Duration = Duration::from_hours(1);
/// How far a list reaches back before the end of the one before: a gateway may list late, and by another
/// clock.
pub(crate) const OVERLAP: Duration = Duration::from_hours(1);
/// How old a success must be before its absence from the lists counts.
pub(crate) const MISSED_AFTER: Duration = Duration::from_hours(1);
/// How long a run that someone is working on is left to them.
const LEASE: Duration = Duration::from_mins(5);
/// How long it is to the next tick.
const NEXT_TICK: Duration = Duration::from_mins(1);
/// After how many failures in a row a run is continued as rarely as one begins.
const MANY_FAILURES: i64 = 5;
/// How long a run waits for a gateway that did not answer.
const POSTPONED: Duration = Duration::from_mins(10);

/// The state of the reconciliation of one gateway of a merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reconciliation {
    /// The merchant.
    pub merchant: MerchantId,
    /// Which gateway.
    pub pg_code: PgCode,
    /// Counts up with every change; 0 before it is stored.
    pub version: i64,
    /// Attempts that were opened before are not missed (the merchant's time).
    pub since: Timestamp,
    /// Up to when lists were compared (the gateway's time).
    pub listed_to: Timestamp,
    /// When it continues (the merchant's time).
    pub due_at: Timestamp,
    /// How often in a row the gateway could not be asked, with a try under way.
    pub failures: i64,
    /// The run in progress.
    pub run: Option<ReconciliationRun>,
    /// The last run that was completed.
    pub last: Option<CompletedRun>,
}

impl Slotted for Reconciliation {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}

/// A run in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReconciliationRun {
    /// The end of its list (the gateway's time).
    pub to: Timestamp,
    /// Its position.
    pub place: RunPosition,
    /// What it did so far.
    pub tally: RunTally,
}

/// The position of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunPosition {
    /// The gateway's list is compared: at the page that begins here, `None` for the first.
    Listing(Option<String>),
    /// The gateway is asked about successes that were opened after this moment.
    Asking(Timestamp),
}

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunTally {
    /// Charges of the gateway's list that were compared.
    pub charges: i64,
    /// Successes about which the gateway was asked.
    pub asked: i64,
    /// Differences that were found, including those of earlier runs.
    pub differences: i64,
}

/// A run that was completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompletedRun {
    /// When (the merchant's time).
    pub at: Timestamp,
    /// What it did.
    pub tally: RunTally,
}

/// A reconciliation whose run someone continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClaimedRun {
    /// The reconciliation, to be stored.
    pub next: Reconciliation,
    /// Its run.
    pub run: ReconciliationRun,
}

impl Reconciliation {
    /// The reconciliation of a gateway from a moment on: `since` in the merchant's time, `listed_to` in the
    /// gateway's.
    #[must_use]
    pub fn new(merchant: MerchantId, pg_code: PgCode, since: Timestamp, listed_to: Timestamp) -> Self {
        Self {
            merchant,
            pg_code,
            version: 0,
            since,
            listed_to,
            due_at: since.plus(PAUSE),
            failures: 0,
            run: None,
            last: None,
        }
    }

    /// Someone continues the run, or begins one: nobody else does so until it is done, or its lease is over.
    #[must_use]
    pub(crate) fn claimed(self, real: Timestamp, now: Timestamp) -> ClaimedRun {
        let begun =
            ReconciliationRun { to: real, place: RunPosition::Listing(None), tally: RunTally::default() };
        let run = self.run.clone().unwrap_or(begun);
        // A try counts when it is claimed: what ends its sender would end the next one as well.
        let failures = self.failures.saturating_add(1);
        let lease = if failures > MANY_FAILURES { PAUSE } else { LEASE };
        ClaimedRun { next: Self { run: Some(run.clone()), failures, due_at: now.plus(lease), ..self }, run }
    }

    /// What the list of a run covers.
    #[must_use]
    pub fn period(&self, run: &ReconciliationRun) -> Period {
        Period { from: self.listed_to.minus(OVERLAP), to: run.to }
    }

    /// The position of a run that has finished the list: before every success that may be missed.
    #[must_use]
    pub fn asking(&self) -> RunPosition {
        RunPosition::Asking(self.since.minus(Duration::from_millis(1)))
    }

    /// The run has come this far; it continues with the next tick.
    #[must_use]
    pub fn at(self, run: ReconciliationRun, now: Timestamp) -> Self {
        Self { run: Some(run), failures: 0, due_at: now.plus(NEXT_TICK), ..self }
    }

    /// The run is complete.
    #[must_use]
    pub fn ended(self, run: &ReconciliationRun, now: Timestamp) -> Self {
        let last = Some(CompletedRun { at: now, tally: run.tally });
        Self { run: None, last, listed_to: run.to, failures: 0, due_at: now.plus(PAUSE), ..self }
    }

    /// The gateway could not be asked, which its claim counted; the run continues later from its position.
    #[must_use]
    pub(crate) fn put_off(self, now: Timestamp) -> Self {
        let pause = if self.failures > MANY_FAILURES { PAUSE } else { POSTPONED };
        Self { due_at: now.plus(pause), ..self }
    }

    /// There is no gateway to ask: it was removed, or it is not to be reconciled.
    #[must_use]
    pub(crate) fn left_alone(self, now: Timestamp) -> Self {
        Self { run: None, failures: 0, due_at: now.plus(PAUSE), ..self }
    }

    /// Everything since `from` is compared once more, beginning at once.
    #[must_use]
    pub(crate) fn rewound(self, from: Timestamp, now: Timestamp) -> Self {
        let [since, listed_to] = [self.since, self.listed_to].map(|moment| moment.min(from));
        Self { since, listed_to, run: None, failures: 0, due_at: now, ..self }
    }
}

#[cfg(test)]
mod tests;
