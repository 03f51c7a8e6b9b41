//! An operation on an intent, as requests and answers need it.

use alloc::string::String;

use crate::gateway::operation::{OperationOutcome, OperationReport};
use crate::words::ChildOperation;

/// An operation as it concerns the intent.
#[derive(Clone, Copy)]
pub(super) struct IntentOperation<'c> {
    pub(super) reference: &'c str,
    pub(super) charge: &'c str,
    pub(super) operation: ChildOperation,
}

impl IntentOperation<'_> {
    pub(super) fn bare(&self, outcome: OperationOutcome) -> OperationReport {
        OperationReport::bare(self.reference, outcome)
    }

    pub(super) fn refused(&self, message: Option<String>) -> OperationReport {
        OperationReport { message, ..self.bare(OperationOutcome::Refused) }
    }
}
