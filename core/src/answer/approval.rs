//! The answers about requests for approval.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;

use super::administration::ActorShown;
use crate::approval::Approval;
use crate::approval::stage::ApprovalState;
use crate::strings::facts::say;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::value::money::Currency;
use crate::value::time::Moment;
use crate::words::ChildOperation;
use crate::words::Language;
use crate::words::operation_reason::OperationReason;

/// Some of the requests for approval.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ApprovalPage {
    /// The `cursor` of the page that follows; null on the last one.
    pub next: Option<String>,
    /// The newest first.
    pub results: Vec<ApprovalShown>,
}

/// A request for approval of a refund or void. Nothing is asked of the gateway before it is approved.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ApprovalShown {
    /// How much is to be moved.
    pub amount: String,
    /// Who has approved it, in order.
    pub approved_by: Vec<ApproverShown>,
    /// How many persons have to approve it.
    pub approvers: u8,
    /// When it was asked for.
    pub asked_at: Moment,
    /// Who asked for it.
    pub asked_by: ActorShown,
    /// When it last changed.
    pub changed_at: Moment,
    /// ISO 4217 code.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// Who rejected it or took it back; absent if nobody did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<ActorShown>,
    /// What was noted about that; null if nothing was, or it was erased.
    pub ended_note: Option<String>,
    /// Until when it can be approved.
    pub expires_at: Moment,
    /// Why it failed; null if it did not.
    pub failure: Option<String>,
    /// The hash of what is to be approved.
    pub hash: String,
    /// The request.
    pub id: ReferenceNumber,
    /// What was noted about it; null if nothing was, or it was erased.
    pub note: Option<String>,
    /// What is to be done.
    pub operation: ChildOperation,
    /// Why it is asked for; null if that was not said.
    pub reason: Option<OperationReason>,
    /// The operation that carries it out; null before that has begun.
    pub reference_number: Option<ReferenceNumber>,
    /// How much was left when it was asked for.
    pub remaining: String,
    /// The payment transaction.
    pub session_id: SessionId,
    /// Its state.
    pub state: ApprovalState,
}

/// Who approved a request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ApproverShown {
    /// When.
    pub at: Moment,
    /// Who.
    pub by: ActorShown,
}

impl From<Approval> for ApprovalShown {
    fn from(approval: Approval) -> Self {
        let approvers = approval.decided.approved_by.into_iter();
        Self {
            amount: approval.amount.text(),
            approved_by: approvers
                .map(|one| ApproverShown { at: one.at.into(), by: one.by.into() })
                .collect(),
            approvers: approval.approvers,
            asked_at: approval.asked_at.into(),
            asked_by: approval.asked_by.into(),
            changed_at: approval.changed_at.into(),
            currency_code: approval.amount.currency(),
            ended_by: approval.decided.ended_by.map(ActorShown::from),
            ended_note: approval.decided.note,
            expires_at: approval.expires_at.into(),
            failure: approval.failure.map(|facts| say(Language::En, &facts)),
            hash: approval.hash,
            id: approval.id,
            note: approval.note,
            operation: approval.operation,
            reason: approval.reason,
            reference_number: approval.reference,
            remaining: approval.remaining.text(),
            session_id: approval.session_id,
            state: approval.state,
        }
    }
}
