//! One change of a transaction: everything that must be stored together or not at all.

use crate::approval::Approval;
use crate::approval::day::RefundClaim;
use crate::approval::stage::ApprovalState;
use crate::attempt::Attempt;
use crate::attempt::hold::HoldWrite;
use crate::attempt::stage::Stage;
use crate::card::CardWrite;
use crate::card::agreement::CycleClaim;
use crate::card::ladder::{LadderWrite, TryClaim};
use crate::child::{self, Child};
use crate::record::attachment::Attachment;
use crate::record::attention::Attention;
use crate::record::audit::Actor;
use crate::record::consent::Consent;
use crate::record::decision::RoutingDecision;
use crate::record::health::HealthWrite;
use crate::record::idempotency::StoredAnswer;
use crate::record::outbox::{Message, MessageContent, Recipient, Subject};
use crate::record::short_link::ShortLink;
use crate::settings::limits::DeclineLimits;
use crate::state;
use crate::transaction::Transaction;
use crate::transaction::listing::Maker;
use crate::transaction::listing::search::Term;
use crate::value::id::DeliveryId;
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The next snapshot of a transaction, the event that led to it, and everything that belongs to it. One
/// `Change` is one batch: either all of it is stored or nothing.
#[must_use = "a change that is not committed never happened"]
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The next snapshot; its version is the number of the event.
    pub transaction: Transaction,
    /// What happened.
    pub event: EventKind,
    /// When it happened.
    pub at: Timestamp,
    /// Who of the merchant or of the operators caused it; `None` for payers, gateways, and what is due.
    pub actor: Option<Box<Actor>>,
    /// The attempt that changed with it.
    pub attempt: Option<AttemptWrite>,
    /// The operation that changed with it.
    pub child: Option<ChildWrite>,
    /// The request for approval that changed with it.
    pub approval: Option<Box<ApprovalWrite>>,
    /// That the refund that it begins fits the day of who begins it.
    pub refund: Option<Box<RefundClaim>>,
    /// The cycle of an agreement that its attempt takes: it is stored only while the cycle is free.
    pub cycle: Option<Box<CycleClaim>>,
    /// That the card of its attempt may be debited once more, if nobody asked for that debit.
    pub retry: Option<Box<TryClaim>>,
    /// What it means for the ladder of an auto debit.
    pub ladder: Option<Box<LadderWrite>>,
    /// What it means for the time in which held money can be captured.
    pub hold: Option<Box<HoldWrite>>,
    /// The saved card that it makes, uses or shows.
    pub card: Option<Box<CardWrite>>,
    /// The messages that it causes.
    pub messages: Vec<Message>,
    /// What a person should look at.
    pub attention: Vec<Attention>,
    /// The file that was stored for it.
    pub attachment: Option<Attachment>,
    /// The short links that were generated for it.
    pub short_links: Vec<ShortLink>,
    /// Who tries the attempt that it opens, if their own device called: it is stored only while they may.
    pub payer: Option<Box<PayerClaim>>,
    /// What the payer agreed to by the attempt that it opens.
    pub consent: Option<Box<Consent>>,
    /// Why its attempt goes to its gateway.
    pub decision: Option<Box<RoutingDecision>>,
    /// What it shows about a gateway.
    pub health: Option<Box<HealthWrite>>,
    /// By what its payer is found, if that was said with it: it replaces what was stored.
    pub contact: Option<Vec<Term>>,
    /// By what a card that it names is found.
    pub digits: Option<Term>,
    /// The answer that a repeated request gets.
    pub answer: Option<StoredAnswer>,
}

impl Slotted for Change {
    fn slot(&self) -> Slot {
        self.transaction.session_id.slot()
    }
}

/// That a payer may try another payment: what came of their others was below these limits when that was read, and still is
/// when the attempt is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayerClaim {
    /// The payer: a hash of their address.
    pub payer: String,
    /// How much their attempts may have come to.
    pub limits: DeclineLimits,
    /// When that was asked.
    pub at: Timestamp,
}

impl PayerClaim {
    /// What was tried before it no longer counts.
    #[must_use]
    pub fn since(&self) -> Timestamp {
        self.at.minus(self.limits.window)
    }
}

/// What happened to a transaction, for its event log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// It was made.
    Created,
    /// The merchant changed what it had said.
    Updated,
    /// The event moved it, or left its state as it was.
    Moved(state::Event),
    /// Something was learned about an attempt that does not move the transaction.
    AttemptNoted,
    /// The merchant deleted it: it is hidden from the merchant and from the payer.
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
    /// A refund or void was asked for that has to be approved.
    ApprovalAsked,
    /// Someone approved it.
    ApprovalGiven,
    /// Someone who can approve refused it.
    ApprovalRejected,
    /// It was taken back.
    ApprovalWithdrawn,
    /// Nobody decided about it in time.
    ApprovalExpired,
    /// It was approved, and was not possible any more.
    ApprovalFailed,
    /// What identifies its payer was erased: from it, and from everything that is stored of it.
    Erased,
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
            Self::ApprovalAsked => "approval_asked",
            Self::ApprovalGiven => "approval_given",
            Self::ApprovalRejected => "approval_rejected",
            Self::ApprovalWithdrawn => "approval_withdrawn",
            Self::ApprovalExpired => "approval_expired",
            Self::ApprovalFailed => "approval_failed",
            Self::Erased => "erased",
        }
    }
}

/// How the attempt of a change is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptWrite {
    /// It is new.
    Open(Attempt),
    /// It moved from this stage, or stayed in it.
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
    /// It moved from this stage, or stayed in it.
    Update {
        /// The stage before.
        from: child::stage::OperationStage,
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

/// How the request for approval of a change is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalWrite {
    /// It is new.
    Open(Approval),
    /// It moved from this state, or stayed in it.
    Update {
        /// The state before.
        from: ApprovalState,
        /// The request as it is now.
        approval: Approval,
    },
}

impl ApprovalWrite {
    /// The request as it is after the change.
    #[must_use]
    pub const fn approval(&self) -> &Approval {
        match self {
            Self::Open(approval) | Self::Update { approval, .. } => approval,
        }
    }
}

impl Change {
    /// The user or the key that caused it.
    #[must_use]
    pub fn maker(&self) -> Option<Maker> {
        self.actor.as_deref().and_then(Maker::of)
    }

    /// A change that brings `transaction` forward by one event.
    pub fn of(mut transaction: Transaction, event: EventKind, at: Timestamp) -> Self {
        transaction.version = transaction.version.saturating_add(1);
        Self {
            transaction,
            event,
            at,
            actor: None,
            attempt: None,
            child: None,
            approval: None,
            refund: None,
            cycle: None,
            retry: None,
            ladder: None,
            hold: None,
            card: None,
            messages: Vec::new(),
            attention: Vec::new(),
            attachment: None,
            short_links: Vec::new(),
            payer: None,
            consent: None,
            decision: None,
            health: None,
            contact: None,
            digits: None,
            answer: None,
        }
    }

    /// Caused by someone who acts for the merchant, or by an operator.
    pub(crate) fn by(mut self, actor: Actor) -> Self {
        self.actor = Some(Box::new(actor));
        self
    }

    /// With an attempt that is written in the same batch.
    pub(crate) fn with_attempt(mut self, attempt: AttemptWrite) -> Self {
        self.attempt = Some(attempt);
        self
    }

    /// With an operation that is written in the same batch.
    pub(crate) fn with_child(mut self, child: ChildWrite) -> Self {
        self.child = Some(child);
        self
    }

    /// With a request for approval that is written in the same batch.
    pub(crate) fn with_approval(mut self, approval: ApprovalWrite) -> Self {
        self.approval = Some(Box::new(approval));
        self
    }

    /// With its effect on a card.
    pub fn with_card(mut self, card: CardWrite) -> Self {
        self.card = Some(Box::new(card));
        self
    }

    /// Adds a message for each recipient, due at once. Each has its own id: that of the event, and a letter
    /// from the second on.
    pub(crate) fn add_messages(
        &mut self,
        content: &MessageContent,
        recipients: impl IntoIterator<Item = Recipient>,
    ) {
        let Transaction { session_id, merchant, version, .. } = &self.transaction;
        let ids = DeliveryId::of_event(session_id, *version).skip(self.messages.len());
        let added = recipients.into_iter().zip(ids).map(|(recipient, id)| Message {
            id,
            merchant: merchant.clone(),
            kind: content.kind,
            subject: Subject { session_id: Some(session_id.clone()), reference: content.reference.clone() },
            recipient,
            body: content.body.clone(),
            due_at: self.at,
        });
        self.messages.extend(added);
    }

    /// The ids of the messages to the merchant that it causes.
    pub(crate) fn message_ids(&self) -> impl Iterator<Item = DeliveryId> {
        let to_merchant = self.messages.iter().filter(|message| message.kind.is_webhook());
        to_merchant.map(|message| message.id.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::event::EventWord;
    use crate::state::Event;

    #[test]
    fn every_event_has_its_word_in_the_list_and_no_other_is_there() {
        let others = [
            EventKind::Created,
            EventKind::Updated,
            EventKind::AttemptNoted,
            EventKind::Deleted,
            EventKind::Restored,
            EventKind::OperationOpened,
            EventKind::OperationNoted,
            EventKind::Inquired,
            EventKind::Notified,
            EventKind::ApprovalAsked,
            EventKind::ApprovalGiven,
            EventKind::ApprovalRejected,
            EventKind::ApprovalWithdrawn,
            EventKind::ApprovalExpired,
            EventKind::ApprovalFailed,
            EventKind::Erased,
        ];
        let mut words: Vec<&str> =
            Event::ALL.into_iter().map(EventKind::Moved).chain(others).map(EventKind::as_str).collect();
        let mut listed = EventWord::WORDS.to_vec();
        words.sort_unstable();
        listed.sort_unstable();
        assert_eq!(words, listed);
    }
}
