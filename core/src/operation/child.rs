//! A child transaction, the record of one capture, refund or void, and its states on the wire (specification, Payload
//! fields, `transaction`).

use alloc::string::String;
use core::fmt;

use super::amounts::Part;
use super::stage::Stage;
use crate::gateway::Operation;
use crate::gateway::charge::PgParams;
use crate::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::money::Money;
use crate::time::Timestamp;
use crate::transaction::state::Event;

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

/// What is done to a payment that succeeded, each with a child transaction of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChildOperation {
    /// Gives money back.
    Refund,
    /// Takes held money.
    Capture,
    /// Releases held money.
    Void,
}

impl ChildOperation {
    /// Every operation.
    pub const ALL: [Self; 3] = [Self::Refund, Self::Capture, Self::Void];

    /// The words on the wire.
    pub const WORDS: &'static [&'static str] = &["refund", "capture", "void"];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refund => "refund",
            Self::Capture => "capture",
            Self::Void => "void",
        }
    }

    /// What it means for the payment transaction.
    #[must_use]
    pub const fn event(self) -> Event {
        match self {
            Self::Refund => Event::Refunded,
            Self::Capture => Event::Captured,
            Self::Void => Event::Voided,
        }
    }

    /// The operation that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.as_str() == word)
    }

    /// What can follow a payment that charged at once, and one that only held the money.
    #[must_use]
    pub const fn of(operation: Operation) -> &'static [Self] {
        match operation {
            Operation::Purchase => &[Self::Refund],
            Operation::Authorize => &[Self::Capture, Self::Void, Self::Refund],
        }
    }
}

impl fmt::Display for ChildOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The state of a child transaction, as the wire names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChildState {
    /// A capture: held money was taken.
    Paid,
    /// Money was given back.
    Refunded,
    /// The gateway took the refund and will confirm it later.
    RefundQueued,
    /// The gateway refused a queued refund.
    RefundRejected,
    /// Held money was released.
    Voided,
}

impl ChildState {
    /// Every state.
    pub const ALL: [Self; 5] =
        [Self::Paid, Self::Refunded, Self::RefundQueued, Self::RefundRejected, Self::Voided];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Refunded => "refunded",
            Self::RefundQueued => "refund_queued",
            Self::RefundRejected => "refund_rejected",
            Self::Voided => "voided",
        }
    }
}
