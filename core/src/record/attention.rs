//! What a person should look at: the attention list.

use alloc::string::String;
use core::fmt;

use super::facts::Facts;
use crate::words::word_list;

use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// Something that a person should look at: anything that is held, flagged or given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attention {
    /// The merchant.
    pub merchant: MerchantId,
    /// The transaction; `None` if nothing recorded here belongs to the gateway's charge.
    pub session_id: Option<SessionId>,
    /// The attempt.
    pub reference: ReferenceNumber,
    /// Why.
    pub reason: Reason,
    /// Facts for the reader, without secrets.
    pub detail: Facts,
    /// Since when.
    pub at: Timestamp,
}

word_list! {
    /// Why something is on the attention list.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Reason {
        /// The gateway charged another amount or currency than was asked for; the attempt is held.
        AmountMismatch = "amount_mismatch",
        /// The gateway answered about another reference; the attempt is held.
        ReferenceMismatch = "reference_mismatch",
        /// A second attempt of a paid transaction succeeded: the payer paid twice.
        SecondSuccess = "second_success",
        /// An attempt succeeded after the transaction was canceled or invalidated, or it only confirmed a card
        /// although the transaction now asks for money.
        LateSuccess = "late_success",
        /// The gateway finally did an operation that it had refused, or that it had not known: its amount may
        /// have been moved again in the meantime.
        LateOperation = "late_operation",
        /// The gateway took back what it had done: a capture, a refund, a void, or the collection of a payment.
        TakenBack = "taken_back",
        /// The payer's bank disputes a payment. How the dispute goes on changes the entry, and opens it again.
        Disputed = "disputed",
        /// The gateway did not report the outcome of an attempt for 72 hours.
        OutcomeUnknown = "outcome_unknown",
        /// The gateway lists a charge that no attempt asked for.
        UnknownCharge = "unknown_charge",
        /// An attempt succeeded, and the gateway lists no such charge, or one that took nothing.
        ChargeMissing = "charge_missing",
        /// The gateway captured, gave back or released a different total than the operations recorded here.
        OperationsMismatch = "operations_mismatch",
        /// A notification was tried to the end of its schedule.
        DeliveryGivenUp = "delivery_given_up",
        /// The first tries of a webhook failed; it is tried again. The entry is closed when its receiver answers well, or the
        /// webhook is given up.
        WebhookFailing = "webhook_failing",
        /// A receiver is disabled: it failed for five days, or answered that it is gone. What is for it is held.
        ReceiverDisabled = "receiver_disabled",
        /// What was due could not be handled, however often its doorbell was rung. The cron handler goes on trying.
        NotProcessed = "not_processed",
        /// A gateway failed so often in a row that it is skipped. The entry is closed when it answers again.
        GatewayFailing = "gateway_failing",
        /// The time in which held money can be captured ends soon. The entry is closed when it is captured or released.
        CaptureDue = "capture_due",
        /// No debit under an agreement succeeded, and nothing is charged under it. The entry is closed when it is resumed.
        AgreementPaused = "agreement_paused",
    }
}

word_list! {
    /// What an entry concerns, by which alerts are grouped and chosen.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Topic {
        /// A payment or an operation that is held, flagged or not known.
        Payment = "payment",
        /// Webhooks that do not arrive.
        Webhook = "webhook",
        /// Differences from the gateway's list.
        Reconciliation = "reconciliation",
        /// A gateway that fails.
        Gateway = "gateway",
    }
}

impl Topic {
    /// The reasons that concern it.
    pub fn reasons(self) -> impl Iterator<Item = Reason> {
        Reason::ALL.into_iter().filter(move |reason| reason.topic() == self)
    }
}

impl Reason {
    /// Whether it concerns the merchant alone: those who operate the installation are not alerted to it.
    #[must_use]
    pub const fn is_of_merchant(self) -> bool {
        matches!(self, Self::WebhookFailing)
    }

    /// Whether only those who operate the installation can do something about it: merchants are not shown it.
    #[must_use]
    pub const fn is_of_operators(self) -> bool {
        matches!(self, Self::NotProcessed)
    }

    /// Whether an entry that exists already is replaced by another one about the same, and is open again.
    #[must_use]
    pub const fn goes_on(self) -> bool {
        matches!(self, Self::Disputed)
    }

    /// What it concerns.
    #[must_use]
    pub const fn topic(self) -> Topic {
        match self {
            Self::AmountMismatch
            | Self::ReferenceMismatch
            | Self::SecondSuccess
            | Self::LateSuccess
            | Self::LateOperation
            | Self::TakenBack
            | Self::Disputed
            | Self::OutcomeUnknown
            | Self::CaptureDue
            | Self::AgreementPaused
            | Self::NotProcessed => Topic::Payment,
            Self::WebhookFailing | Self::DeliveryGivenUp | Self::ReceiverDisabled => Topic::Webhook,
            Self::UnknownCharge | Self::ChargeMissing | Self::OperationsMismatch => Topic::Reconciliation,
            Self::GatewayFailing => Topic::Gateway,
        }
    }

    /// Whether it says that the gateway's list differs. There is nothing left to ask then: a person settles
    /// it with the gateway.
    #[must_use]
    pub const fn is_of_list(self) -> bool {
        match self {
            Self::UnknownCharge | Self::ChargeMissing | Self::OperationsMismatch => true,
            Self::AmountMismatch
            | Self::ReferenceMismatch
            | Self::SecondSuccess
            | Self::LateSuccess
            | Self::LateOperation
            | Self::TakenBack
            | Self::Disputed
            | Self::OutcomeUnknown
            | Self::WebhookFailing
            | Self::DeliveryGivenUp
            | Self::ReceiverDisabled
            | Self::NotProcessed
            | Self::CaptureDue
            | Self::AgreementPaused
            | Self::GatewayFailing => false,
        }
    }

    /// Whether the attempt or operation waits for a person while its outcome is open.
    #[must_use]
    pub const fn holds(self) -> bool {
        match self {
            Self::AmountMismatch | Self::ReferenceMismatch | Self::OutcomeUnknown => true,
            Self::SecondSuccess
            | Self::LateSuccess
            | Self::LateOperation
            | Self::TakenBack
            | Self::Disputed
            | Self::UnknownCharge
            | Self::ChargeMissing
            | Self::OperationsMismatch
            | Self::WebhookFailing
            | Self::DeliveryGivenUp
            | Self::ReceiverDisabled
            | Self::NotProcessed
            | Self::CaptureDue
            | Self::AgreementPaused
            | Self::GatewayFailing => false,
        }
    }
}

word_list! {
    /// Whether an entry waits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AttentionState {
        /// It waits for a person.
        Open = "open",
        /// It was resolved, or closed by itself.
        Resolved = "resolved",
    }
}

/// An entry of a merchant's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedAttention {
    /// The entry.
    pub entry: Attention,
    /// How it was resolved; `None` while it is open.
    pub resolved: Option<Resolved>,
}

/// How an entry was resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// When.
    pub at: Timestamp,
    /// What was noted about it; `None` if nothing was, or it was erased.
    pub note: Option<String>,
}

/// What a person should look at, of whatever attempt or operation it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concern {
    /// Why.
    pub reason: Reason,
    /// Facts for the reader, without secrets.
    pub detail: Facts,
}

impl Attention {
    /// The name of the entry.
    #[must_use]
    pub fn id(&self) -> AttentionId {
        AttentionId { reference: self.reference.clone(), reason: self.reason }
    }
}

/// The name of an entry of the attention list: an attempt and a reason. Written `reference.reason`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttentionId {
    /// The attempt.
    pub reference: ReferenceNumber,
    /// The reason.
    pub reason: Reason,
}

impl AttentionId {
    /// What the text matches, as a regular expression for the API description.
    pub const PATTERN: &'static str = "^[A-Z0-9-]{1,128}\\.[a-z_]+$";

    /// Reads `reference.reason`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (reference, reason) = text.split_once('.')?;
        Some(Self { reference: ReferenceNumber::parse(reference)?, reason: Reason::parse(reason)? })
    }
}

impl Slotted for AttentionId {
    fn slot(&self) -> Slot {
        self.reference.slot()
    }
}

impl fmt::Display for AttentionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.reference, self.reason.as_str())
    }
}
