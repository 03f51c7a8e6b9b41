//! How far the payments of a merchant were compared with the lists of its gateways.

use alloc::vec::Vec;

use super::{Due, PortError, Record};
use crate::child::Child;
use crate::reconciliation::Reconciliation;
use crate::record::attention::Attention;
use crate::value::id::{MerchantId, PgCode, ReferenceNumber};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// What was found in one step of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepFindings {
    /// The successes that the gateway confirms, or whose difference is reported: they are not asked about
    /// again.
    pub settled: Vec<ReferenceNumber>,
    /// The differences. A closed one is opened again if the difference is another one now.
    pub differences: Vec<Attention>,
}

/// What is recorded of a charge that a gateway lists.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedCharge {
    /// The transaction and the attempt.
    pub record: Record,
    /// The operations on the transaction.
    pub children: Vec<Child>,
}

/// Which successes that no run has settled are searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsettled<'a> {
    /// The merchant.
    pub merchant: &'a MerchantId,
    /// The gateway.
    pub pg_code: &'a PgCode,
    /// They were opened after this moment.
    pub after: Timestamp,
    /// They were not opened after this moment.
    pub until: Timestamp,
    /// The most rows.
    pub limit: u32,
}

impl Slotted for Unsettled<'_> {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}

/// Reconciliations. One begins with the first attempt at a gateway, in the batch that stores it.
pub trait Reconciliations {
    /// Reconciliations that are due, the longest due first.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn due_reconciliations(&self, due: Due<'_>) -> Result<Vec<Reconciliation>, PortError>;

    /// The reconciliations of a merchant, by gateway code.
    ///
    /// # Errors
    /// As [`due_reconciliations`](Self::due_reconciliations).
    async fn reconciliations(&self, merchant: &MerchantId) -> Result<Vec<Reconciliation>, PortError>;

    /// Stores a reconciliation, with its version counted up, and what was found at `at`, if nobody changed it
    /// first; whether it was stored. What was found is stored in either case: it is a fact.
    ///
    /// # Errors
    /// As [`due_reconciliations`](Self::due_reconciliations).
    async fn save_reconciliation(
        &self,
        next: &Reconciliation,
        found: &StepFindings,
        at: Timestamp,
    ) -> Result<bool, PortError>;

    /// The attempts with these references, each with its transaction and the operations on it, including
    /// hidden ones.
    ///
    /// # Errors
    /// As [`due_reconciliations`](Self::due_reconciliations).
    async fn listed(&self, references: &[ReferenceNumber]) -> Result<Vec<RecordedCharge>, PortError>;

    /// Successes at a gateway that no run has settled, in the order in which they were opened.
    ///
    /// # Errors
    /// As [`due_reconciliations`](Self::due_reconciliations).
    async fn unsettled(&self, wanted: Unsettled<'_>) -> Result<Vec<Record>, PortError>;
}
