//! What is asked of a gateway about a payment that succeeded (capture, refund, void), and what it can say.

use alloc::string::String;

use super::charge::{ChargeRef, PgParams};
use crate::value::id::ReferenceNumber;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::ChildOperation;

/// An operation to be done by a gateway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationOrder {
    /// Our reference of the operation: the gateway does it at most once.
    pub reference: ReferenceNumber,
    /// The charge whose money it moves.
    pub charge: ChargeRef,
    /// What is to be done.
    pub operation: ChildOperation,
    /// How much, in the currency of the charge.
    pub amount: Money,
    /// Where the gateway reports by itself.
    pub callback_url: String,
}

/// An operation that was requested before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationRef {
    /// Our reference of the operation.
    pub reference: ReferenceNumber,
    /// The charge whose money it moves.
    pub charge: ChargeRef,
    /// What is to be done.
    pub operation: ChildOperation,
    /// How much, in the currency of the charge.
    pub amount: Money,
    /// The gateway's id of the operation, as far as it has said it.
    pub gateway_id: Option<String>,
    /// When it was recorded.
    pub opened_at: Timestamp,
}

/// What a gateway said about one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationReport {
    /// The reference that the gateway names.
    pub reference: String,
    /// What was moved, if the gateway gives it.
    pub amount: Option<Money>,
    /// The outcome of the operation.
    pub outcome: OperationOutcome,
    /// The gateway's own words about it, at most 255 characters.
    pub message: Option<String>,
    /// The gateway's id of the operation.
    pub gateway_id: Option<String>,
    /// Normalised gateway data.
    pub params: PgParams,
    /// The raw answer as JSON text.
    pub raw: Option<String>,
}

impl OperationReport {
    /// A report that gives nothing but the outcome.
    #[must_use]
    pub fn bare(reference: &str, outcome: OperationOutcome) -> Self {
        Self {
            reference: reference.into(),
            amount: None,
            outcome,
            message: None,
            gateway_id: None,
            params: PgParams::new(),
            raw: None,
        }
    }

    /// A report that nothing was done, and why.
    #[must_use]
    pub fn refused(reference: &str, message: Option<String>) -> Self {
        Self { message, ..Self::bare(reference, OperationOutcome::Refused) }
    }
}

/// An operation, as requests and answers need it, whether it is to be done or was requested before.
#[cfg(any(feature = "mpgs", feature = "stripe", feature = "tabby", feature = "tamara"))]
#[derive(Clone, Copy)]
pub(crate) struct AskedOperation<'o> {
    /// Our reference of the operation.
    pub(crate) reference: &'o str,
    /// The charge whose money it moves.
    pub(crate) charge: &'o ChargeRef,
    /// What is to be done.
    pub(crate) operation: ChildOperation,
    /// How much, in the currency of the charge.
    pub(crate) amount: Money,
    /// The gateway's id of the operation, if it is known.
    pub(crate) gateway_id: Option<&'o str>,
}

#[cfg(any(feature = "mpgs", feature = "stripe", feature = "tabby", feature = "tamara"))]
impl<'o> AskedOperation<'o> {
    pub(crate) fn ordered(order: &'o OperationOrder) -> Self {
        let OperationOrder { reference, charge, operation, amount, .. } = order;
        let (operation, amount) = (*operation, *amount);
        Self { reference: reference.as_str(), charge, operation, amount, gateway_id: None }
    }

    pub(crate) fn before(known: &'o OperationRef) -> Self {
        let OperationRef { reference, charge, operation, amount, gateway_id, .. } = known;
        let (operation, amount) = (*operation, *amount);
        Self { reference: reference.as_str(), charge, operation, amount, gateway_id: gateway_id.as_deref() }
    }

    pub(crate) fn bare(self, outcome: OperationOutcome) -> OperationReport {
        OperationReport::bare(self.reference, outcome)
    }

    pub(crate) fn refused(self, message: Option<String>) -> OperationReport {
        OperationReport::refused(self.reference, message)
    }
}

/// The outcome of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationOutcome {
    /// It is done.
    Done,
    /// It will be done or refused later.
    Queued,
    /// It was not done and will not be.
    Refused,
    /// The gateway knows no operation with this reference.
    Absent,
    /// Nothing certain: the answer is unreadable, late, or says that the gateway does not know either.
    Unknown,
}
