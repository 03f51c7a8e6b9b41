//! A child transaction, the record of one capture, refund or void, and its states in the API.

pub mod amounts;
pub mod stage;

use alloc::boxed::Box;
use alloc::string::String;

use crate::child::amounts::OperationAmount;
use crate::child::stage::OperationStage;
use crate::gateway::charge::PgParams;
use crate::record::attention::{Attention, Concern};
use crate::state::Event;
use crate::transaction::initiator::Initiator;
use crate::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::operation_reason::OperationReason;
use crate::words::{ChildOperation, ChildState};

/// One operation on a payment that succeeded. What was requested is frozen when it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// Its own id.
    pub session_id: SessionId,
    /// The payment transaction.
    pub parent: SessionId,
    /// The merchant to which it belongs.
    pub merchant: MerchantId,
    /// Counts the operations of the payment transaction, from 1.
    pub number: i64,
    /// Its own reference, under which the gateway does it at most once.
    pub reference: ReferenceNumber,
    /// The attempt whose money it moves.
    pub attempt: ReferenceNumber,
    /// What is to be done.
    pub operation: ChildOperation,
    /// How much: in the currency of the payment transaction, except for an operation that gives back all of
    /// an attempt that does not count, which is in the currency charged.
    pub amount: Money,
    /// The gateway.
    pub pg_code: PgCode,
    /// Whether the gateway is a simulation.
    pub is_sandbox: bool,
    /// The key by which the merchant recognises the request (header `Tracking-Key`); free again once the
    /// operation was refused.
    pub tracking_key: Option<String>,
    /// The merchant's own keys, as JSON text as the merchant wrote it.
    pub extra: Option<String>,
    /// Why it was asked for, if that was said.
    pub reason: Option<OperationReason>,
    /// What was noted about it.
    pub note: Option<String>,
    /// The user who asked for it, as they were then.
    pub initiator: Option<Box<Initiator>>,
    /// Its stage.
    pub stage: OperationStage,
    /// When it was recorded.
    pub opened_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When its stage became known. Answers that say nothing new do not change it.
    pub known_at: Timestamp,
    /// When the gateway is asked next; `None` while nobody needs to ask.
    pub inquire_at: Option<Timestamp>,
    /// How often the gateway was asked since the outcome became unknown.
    pub inquiries: i64,
    /// Since when its outcome is awaited.
    pub open_since: Option<Timestamp>,
    /// The gateway's id of the operation.
    pub gateway_id: Option<String>,
    /// The gateway's message, at most 255 characters.
    pub message: Option<String>,
    /// Normalised gateway data.
    pub params: PgParams,
    /// The gateway's last raw answer, as JSON text.
    pub response: Option<String>,
}

impl Child {
    /// Whether the outcome is still to come.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.stage.is_open()
    }

    /// An entry of the attention list about it.
    #[must_use]
    pub fn attention(&self, concern: Concern, at: Timestamp) -> Attention {
        Attention {
            merchant: self.merchant.clone(),
            session_id: Some(self.parent.clone()),
            reference: self.reference.clone(),
            reason: concern.reason,
            detail: concern.detail,
            at,
        }
    }

    /// What the ledger of the payment needs of it.
    #[must_use]
    pub const fn part(&self) -> OperationAmount {
        OperationAmount { operation: self.operation, stage: self.stage, amount: self.amount }
    }

    /// Its state in the API; see [`OperationStage::state`].
    #[must_use]
    pub const fn state(&self) -> Option<ChildState> {
        self.stage.state(self.operation)
    }
}

impl ChildOperation {
    /// The event that it means for the payment transaction.
    #[must_use]
    pub const fn event(self) -> Event {
        match self {
            Self::Refund => Event::Refunded,
            Self::Capture => Event::Captured,
            Self::Void => Event::Voided,
        }
    }
}
