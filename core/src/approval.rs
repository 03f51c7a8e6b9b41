//! A request for approval: a refund or void that another person has to permit before the gateway is asked.

pub mod day;
pub mod decided;
pub mod stage;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use crate::approval::decided::Verdicts;
use crate::approval::stage::ApprovalState;
use crate::record::audit::Actor;
use crate::record::facts::Facts;
use crate::transaction::initiator::Initiator;
use crate::value::digest::digest;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::ChildOperation;
use crate::words::operation_reason::OperationReason;

/// How the keys of operations begin that carry out a request. Keys of merchants have no space.
const KEY: &str = "approval ";

/// A request for approval. What is to be approved is frozen when it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// Its own id.
    pub id: ReferenceNumber,
    /// The merchant to which it belongs.
    pub merchant: MerchantId,
    /// The payment transaction.
    pub session_id: SessionId,
    /// The attempt whose money is moved.
    pub attempt: ReferenceNumber,
    /// What is to be done.
    pub operation: ChildOperation,
    /// How much.
    pub amount: Money,
    /// How much was left for the operation when it was asked for.
    pub remaining: Money,
    /// The merchant's own keys, as JSON text as the merchant wrote it.
    pub extra: Option<String>,
    /// Why it is asked for, if that was said.
    pub reason: Option<OperationReason>,
    /// What was noted about it.
    pub note: Option<String>,
    /// The user who asks for it, as they were then.
    pub initiator: Option<Box<Initiator>>,
    /// The key by which the merchant recognises the request (header `Tracking-Key`).
    pub tracking_key: Option<String>,
    /// Who asks for it.
    pub asked_by: Actor,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// Until when it can be approved.
    pub expires_at: Timestamp,
    /// How many persons have to approve it.
    pub approvers: u8,
    /// The hash of what is to be approved, as it was when it was asked for.
    pub hash: String,
    /// Its state.
    pub state: ApprovalState,
    /// Who decided what.
    pub decided: Verdicts,
    /// Why it failed.
    pub failure: Option<Facts>,
    /// The operation that carries it out, once it has begun.
    pub reference: Option<ReferenceNumber>,
    /// When it last changed.
    pub changed_at: Timestamp,
}

impl Approval {
    /// The key under which the operation is done at most once that carries it out.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{KEY}{}", self.id)
    }

    /// Whether it still stops another request for the same operation on the same attempt: nobody has decided yet, or the
    /// operation has not begun.
    #[must_use]
    pub fn is_open(&self) -> bool {
        match self.state {
            ApprovalState::Asked => true,
            ApprovalState::Approved => self.reference.is_none(),
            ApprovalState::Done
            | ApprovalState::Failed
            | ApprovalState::Rejected
            | ApprovalState::Withdrawn
            | ApprovalState::Expired => false,
        }
    }

    /// Whether someone is who asks for it.
    #[must_use]
    pub fn is_asked_by(&self, by: &Actor) -> bool {
        self.asked_by.is_same(by)
    }

    /// Whether what is stored is what was asked for.
    #[must_use]
    pub(crate) fn is_intact(&self) -> bool {
        self.hash == self.sealed()
    }

    /// The hash of what is to be approved.
    #[must_use]
    pub(crate) fn sealed(&self) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        digest(&[
            self.id.as_str(),
            self.merchant.as_str(),
            self.session_id.as_str(),
            self.attempt.as_str(),
            self.operation.as_str(),
            &self.amount.text(),
            &self.remaining.text(),
            self.amount.currency().code(),
            self.reason.map_or("", OperationReason::as_str),
            &text(&self.note),
            &text(&self.extra),
            self.asked_by.kind.as_str(),
            &self.asked_by.id,
            &format!("{}", self.approvers),
        ])
    }
}

/// The request that an operation with this key carries out.
#[must_use]
pub(crate) fn carried_out_by(tracking_key: Option<&str>) -> Option<ReferenceNumber> {
    tracking_key.and_then(|key| key.strip_prefix(KEY)).and_then(ReferenceNumber::parse)
}
