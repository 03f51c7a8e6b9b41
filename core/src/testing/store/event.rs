//! The log of events.

use crate::approval::stage::ApprovalState;
use crate::attempt::stage::Stage;
use crate::change::EventKind;
use crate::child::stage::OperationStage;
use crate::record::audit::Actor;
use crate::state::State;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

/// One row of the event log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The transaction.
    pub session_id: SessionId,
    /// Its number, which is the version that it led to.
    pub number: i64,
    /// When.
    pub at: Timestamp,
    /// What happened.
    pub kind: EventKind,
    /// The state after it.
    pub state: State,
    /// The attempt that changed with it, and its stage after it.
    pub attempt: Option<AttemptEvent>,
    /// The operation that changed with it, and its stage after it.
    pub operation: Option<(ReferenceNumber, OperationStage)>,
    /// The request for approval that changed with it, and its state after it.
    pub approval: Option<(ReferenceNumber, ApprovalState)>,
    /// Who of the merchant or of the operators caused it.
    pub actor: Option<Actor>,
}

/// The attempt of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptEvent {
    /// Its reference number.
    pub reference: ReferenceNumber,
    /// Its stage after the event.
    pub stage: Stage,
}
