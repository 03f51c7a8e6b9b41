//! What the operator's monitoring is shown.

use alloc::string::String;
use alloc::vec::Vec;

use super::PortError;
use crate::attempt::stage::Stage;
use crate::record::attention::Reason;
use crate::state::State;
use crate::value::time::Timestamp;

/// How many attempts at one family of gateways came to one stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptCount {
    /// The family of the gateways.
    pub pg_name: String,
    /// Whether they are simulations.
    pub is_sandbox: bool,
    /// The stage.
    pub stage: Stage,
    /// How many.
    pub count: u64,
}

/// Something that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiting {
    /// How many.
    pub count: u64,
    /// Since when the one waits that waits longest.
    pub since: Option<Timestamp>,
}

/// What the runs of the cron handler did, together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepTotals {
    /// When the last one ended.
    pub ended_at: Timestamp,
    /// How many there were.
    pub runs: u64,
    /// Attempts and operations whose gateway was asked.
    pub inquired: u64,
    /// Transactions that expired.
    pub expired: u64,
    /// Notifications that were tried.
    pub delivered: u64,
    /// Reconciliations that continued.
    pub reconciled: u64,
    /// What failed.
    pub failures: u64,
}

/// From when on a measurement counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Payment transactions that were created after this moment.
    pub payments: Timestamp,
    /// Attempts that were opened after this moment.
    pub attempts: Timestamp,
}

/// A measurement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measures {
    /// Payment transactions that were not deleted, in each state; a state without any may be left out.
    pub payments: Vec<(State, u64)>,
    /// Attempts, by the family of their gateway and their stage.
    pub attempts: Vec<AttemptCount>,
    /// Attempts of unknown outcome whose gateways are asked.
    pub unknown: Waiting,
    /// Notifications that are not delivered yet, and since when they are due.
    pub deliveries: Waiting,
    /// Open entries of the attention list, by their reason.
    pub attention: Vec<(Reason, u64)>,
    /// What the cron handler did; `None` before its first run.
    pub sweeps: Option<SweepTotals>,
}

/// What is measured and counted.
pub trait Monitoring {
    /// Measures: a few statements, each from an index.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn measure(&self, window: Window) -> Result<Measures, PortError>;

    /// Adds a run of the cron handler to the totals.
    ///
    /// # Errors
    /// If the store fails.
    async fn note_sweep(&self, run: &SweepTotals) -> Result<(), PortError>;
}
