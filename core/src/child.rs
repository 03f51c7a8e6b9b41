//! A child transaction, the record of one capture, refund or void, and its states on the wire (specification, Payload
//! fields, `transaction`).

pub mod amounts;
pub mod stage;

use alloc::string::String;

use crate::child::amounts::Part;
use crate::child::stage::Stage;
use crate::gateway::charge::PgParams;
use crate::state::Event;
use crate::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::{ChildOperation, ChildState};

/// One operation on a payment that succeeded. What was asked for is frozen when it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// Its own id.
    pub session_id: SessionId,
    /// The payment transaction.
    pub parent: SessionId,
    /// Whose it is.
    pub merchant: MerchantId,
    /// Counts the operations of the payment transaction, from 1.
    pub number: i64,
    /// Its own reference, under which the gateway does it at most once.
    pub reference: ReferenceNumber,
    /// The attempt whose money it moves.
    pub attempt: ReferenceNumber,
    /// What is to be done.
    pub operation: ChildOperation,
    /// How much: in the currency of the payment transaction, but for what gives back all of an attempt that does not
    /// count, which is in the currency charged.
    pub amount: Money,
    /// The gateway.
    pub pg_code: PgCode,
    /// Whether the gateway is a simulation.
    pub is_sandbox: bool,
    /// The key by which the merchant knows the request again (header `Tracking-Key`); free again once the operation
    /// was refused.
    pub tracking_key: Option<String>,
    /// The merchant's own keys, JSON text as he wrote it.
    pub extra: Option<String>,
    /// Where it stands.
    pub stage: Stage,
    /// When it was recorded.
    pub opened_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When its stage became known. What teaches nothing new leaves it.
    pub known_at: Timestamp,
    /// When the gateway is asked next; `None` while nobody needs to ask.
    pub inquire_at: Option<Timestamp>,
    /// How often the gateway was asked since the outcome became unknown.
    pub inquiries: i64,
    /// Since when its end is awaited.
    pub open_since: Option<Timestamp>,
    /// The gateway's id of the operation.
    pub gateway_id: Option<String>,
    /// The gateway's words, at most 255 characters.
    pub message: Option<String>,
    /// Normalised gateway data.
    pub params: PgParams,
    /// The gateway's last raw answer, JSON text.
    pub response: Option<String>,
}

impl Child {
    /// What the books of the payment need of it.
    #[must_use]
    pub const fn part(&self) -> Part {
        Part { operation: self.operation, stage: self.stage, amount: self.amount }
    }

    /// Its state on the wire; see [`Stage::state`].
    #[must_use]
    pub const fn state(&self) -> Option<ChildState> {
        self.stage.state(self.operation)
    }
}

impl ChildOperation {
    /// What it means for the payment transaction.
    #[must_use]
    pub const fn event(self) -> Event {
        match self {
            Self::Refund => Event::Refunded,
            Self::Capture => Event::Captured,
            Self::Void => Event::Voided,
        }
    }
}
