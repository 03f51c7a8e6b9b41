//! One change of a transaction: everything that must be stored together or not at all.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::attachment::Attachment;
use crate::card::CardWrite;
use crate::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use crate::operation;
use crate::operation::child::Child;
use crate::payment::attempt::Attempt;
use crate::payment::stage::Stage;
use crate::short_link::ShortLink;
use crate::time::Timestamp;
use crate::transaction::Transaction;
use crate::transaction::state;

/// The next snapshot of a transaction, the event that led to it, and all that goes with it. One `Change` is one
/// batch: it is stored whole, or nothing of it is.
#[must_use = "a change that is not committed never happened"]
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The next snapshot; its version is the number of the event.
    pub transaction: Transaction,
    /// What happened.
    pub event: EventKind,
    /// When it happened.
    pub at: Timestamp,
    /// The attempt that changed with it.
    pub attempt: Option<AttemptWrite>,
    /// The operation that changed with it.
    pub child: Option<ChildWrite>,
    /// The kept card that it makes, uses or shows.
    pub card: Option<Box<CardWrite>>,
    /// The notifications that it causes.
    pub deliveries: Vec<Delivery>,
    /// What a person should look at.
    pub attention: Vec<Attention>,
    /// The file that was put away for it.
    pub attachment: Option<Attachment>,
    /// The short addresses that were drawn for it.
    pub short_links: Vec<ShortLink>,
    /// The answer that a repeated request gets.
    pub answer: Option<StoredAnswer>,
}

/// What happened to a transaction, for its event log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// It was made.
    Created,
    /// The merchant changed what he had said.
    Updated,
    /// The event moved it, or left its state as it was.
    Moved(state::Event),
    /// Something was learned about an attempt that does not move the transaction.
    AttemptNoted,
    /// The merchant deleted it: it is hidden from him and from the payer.
    Deleted,
    /// The operator shows it again.
    Restored,
    /// An operation on the payment was recorded.
    OperationOpened,
    /// Something was learned about an operation that moved no money.
    OperationNoted,
    /// The gateways were asked for the merchant, whose inquiries are counted.
    Inquired,
    /// The merchant asked for a notification.
    Notified,
}

impl EventKind {
    /// The word of the event log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Moved(event) => event.as_str(),
            Self::AttemptNoted => "attempt_noted",
            Self::Deleted => "deleted",
            Self::Restored => "restored",
            Self::OperationOpened => "operation_opened",
            Self::OperationNoted => "operation_noted",
            Self::Inquired => "inquired",
            Self::Notified => "notified",
        }
    }
}

/// How the attempt of a change is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptWrite {
    /// It is new.
    Open(Attempt),
    /// It moved from this stage, or kept it.
    Update {
        /// The stage before.
        from: Stage,
        /// The attempt as it is now.
        attempt: Attempt,
    },
}

impl AttemptWrite {
    /// The attempt as it is after the change.
    #[must_use]
    pub const fn attempt(&self) -> &Attempt {
        match self {
            Self::Open(attempt) | Self::Update { attempt, .. } => attempt,
        }
    }
}

/// How the operation of a change is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChildWrite {
    /// It is new.
    Open(Child),
    /// It moved from this stage, or kept it.
    Update {
        /// The stage before.
        from: operation::stage::Stage,
        /// The operation as it is now.
        child: Child,
    },
}

impl ChildWrite {
    /// The operation as it is after the change.
    #[must_use]
    pub const fn child(&self) -> &Child {
        match self {
            Self::Open(child) | Self::Update { child, .. } => child,
        }
    }
}

/// One notification of a merchant, its bytes fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The id that every try carries.
    pub id: DeliveryId,
    /// Who is told.
    pub merchant: MerchantId,
    /// About which transaction.
    pub session_id: SessionId,
    /// About which attempt.
    pub reference: ReferenceNumber,
    /// Where it goes.
    pub url: String,
    /// The body, sent unchanged with every try.
    pub body: String,
    /// When it is due.
    pub due_at: Timestamp,
}

/// Something that a person should look at (rulings: whatever is held, flagged or given up).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attention {
    /// Whose.
    pub merchant: MerchantId,
    /// Which transaction; `None` where nothing here belongs to what the gateway names.
    pub session_id: Option<SessionId>,
    /// Which attempt.
    pub reference: ReferenceNumber,
    /// Why.
    pub reason: Reason,
    /// Facts for the reader, without secrets.
    pub detail: String,
    /// Since when.
    pub at: Timestamp,
}

/// Why something stands on the attention list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The gateway charged another amount or currency than was asked for; the attempt is held.
    AmountMismatch,
    /// The gateway answered about another reference; the attempt is held.
    ReferenceMismatch,
    /// A second attempt of a paid transaction succeeded: the payer paid twice.
    SecondSuccess,
    /// An attempt succeeded after the transaction was canceled or invalidated, or only confirmed a card for one that
    /// asks for money by now.
    LateSuccess,
    /// The gateway did an operation after all that it had refused, or that it had not known of: its amount may have been
    /// moved again meanwhile.
    LateOperation,
    /// The gateway did not say what became of an attempt for 72 hours.
    OutcomeUnknown,
    /// The gateway lists a charge that no attempt asked for.
    UnknownCharge,
    /// An attempt succeeded, and the gateway lists no such charge, or one that took nothing.
    ChargeMissing,
    /// The gateway captured, gave back or released another sum than the operations recorded here.
    OperationsMismatch,
    /// A notification was tried to the end of its schedule, or the receiver said that it is gone.
    DeliveryGivenUp,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 10] = [
        Self::AmountMismatch,
        Self::ReferenceMismatch,
        Self::SecondSuccess,
        Self::LateSuccess,
        Self::LateOperation,
        Self::OutcomeUnknown,
        Self::UnknownCharge,
        Self::ChargeMissing,
        Self::OperationsMismatch,
        Self::DeliveryGivenUp,
    ];

    /// The word on the attention list.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AmountMismatch => "amount_mismatch",
            Self::ReferenceMismatch => "reference_mismatch",
            Self::SecondSuccess => "second_success",
            Self::LateSuccess => "late_success",
            Self::LateOperation => "late_operation",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::UnknownCharge => "unknown_charge",
            Self::ChargeMissing => "charge_missing",
            Self::OperationsMismatch => "operations_mismatch",
            Self::DeliveryGivenUp => "delivery_given_up",
        }
    }

    /// Whether it says that the gateway's list differs. Nothing is left to be asked then: a person settles it with the
    /// gateway.
    #[must_use]
    pub const fn is_of_list(self) -> bool {
        match self {
            Self::UnknownCharge | Self::ChargeMissing | Self::OperationsMismatch => true,
            Self::AmountMismatch
            | Self::ReferenceMismatch
            | Self::SecondSuccess
            | Self::LateSuccess
            | Self::LateOperation
            | Self::OutcomeUnknown
            | Self::DeliveryGivenUp => false,
        }
    }

    /// Whether what it is about waits for a person, as long as its outcome is open.
    #[must_use]
    pub const fn holds(self) -> bool {
        match self {
            Self::AmountMismatch | Self::ReferenceMismatch | Self::OutcomeUnknown => true,
            Self::SecondSuccess
            | Self::LateSuccess
            | Self::LateOperation
            | Self::UnknownCharge
            | Self::ChargeMissing
            | Self::OperationsMismatch
            | Self::DeliveryGivenUp => false,
        }
    }

    /// The reason that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == word)
    }
}

/// One entry of the attention list: an attempt and a reason. Written `reference.reason`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttentionId {
    /// The attempt.
    pub reference: ReferenceNumber,
    /// The reason.
    pub reason: Reason,
}

impl AttentionId {
    /// Reads `reference.reason`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (reference, reason) = text.split_once('.')?;
        Some(Self { reference: ReferenceNumber::parse(reference)?, reason: Reason::parse(reason)? })
    }
}

impl fmt::Display for AttentionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.reference, self.reason.as_str())
    }
}

/// The answer to a request with an idempotency key, kept so that the same request gets the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// Whose key it is.
    pub merchant: MerchantId,
    /// Which operation; keys of different operations do not meet.
    pub operation: &'static str,
    /// The key.
    pub key: String,
    /// What was asked: the SHA-256 of the body, hex.
    pub fingerprint: String,
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
    /// When it was stored.
    pub at: Timestamp,
}

impl Change {
    /// A change that brings `transaction` forward by one event.
    pub fn of(mut transaction: Transaction, event: EventKind, at: Timestamp) -> Self {
        transaction.version = transaction.version.saturating_add(1);
        Self {
            transaction,
            event,
            at,
            attempt: None,
            child: None,
            card: None,
            deliveries: Vec::new(),
            attention: Vec::new(),
            attachment: None,
            short_links: Vec::new(),
            answer: None,
        }
    }

    /// With an attempt that is written in the same batch.
    pub fn with_attempt(mut self, attempt: AttemptWrite) -> Self {
        self.attempt = Some(attempt);
        self
    }

    /// With an operation that is written in the same batch.
    pub fn with_child(mut self, child: ChildWrite) -> Self {
        self.child = Some(child);
        self
    }

    /// The id of a notification that this change causes.
    #[must_use]
    pub fn delivery_id(&self) -> DeliveryId {
        DeliveryId::new(&self.transaction.session_id, self.transaction.version)
    }
}
