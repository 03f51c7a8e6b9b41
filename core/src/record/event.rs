//! The log of events of a payment transaction, as it is read.

use alloc::string::String;

use crate::record::audit::Actor;
use crate::state::State;
use crate::value::id::ReferenceNumber;
use crate::value::time::Timestamp;
use crate::words::word_list;

word_list! {
    /// What happened to a payment transaction.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum EventWord {
        /// It was made.
        Created = "created",
        /// The merchant changed what it had said, or the payer chose what the page offers.
        Updated = "updated",
        /// The payer opened the checkout page.
        PageOpened = "page_opened",
        /// A payment was begun at a gateway.
        AttemptOpened = "attempt_opened",
        /// It was paid.
        PurchaseSucceeded = "purchase_succeeded",
        /// Its money is held.
        AuthorizationSucceeded = "authorization_succeeded",
        /// It is paid in cash on delivery.
        CashAcknowledged = "cash_acknowledged",
        /// An attempt was declined; the payer may try again.
        AttemptFailed = "attempt_failed",
        /// The only attempt that was permitted was declined.
        OnlyAttemptFailed = "only_attempt_failed",
        /// An attempt was given up; the payer may try again.
        AttemptCanceled = "attempt_canceled",
        /// The only attempt that was permitted was given up.
        OnlyAttemptCanceled = "only_attempt_canceled",
        /// An attempt did not reach its gateway; the payer may try again.
        AttemptErred = "attempt_erred",
        /// The only attempt that was permitted did not reach its gateway.
        OnlyAttemptErred = "only_attempt_erred",
        /// Something was reported about an attempt that does not move the transaction.
        AttemptNoted = "attempt_noted",
        /// A capture, refund or void was recorded.
        OperationOpened = "operation_opened",
        /// Something was reported about an operation that moved no money.
        OperationNoted = "operation_noted",
        /// Held money was captured.
        Captured = "captured",
        /// Money was returned.
        Refunded = "refunded",
        /// Held money was released.
        Voided = "voided",
        /// It was canceled.
        Canceled = "canceled",
        /// Its time was over, or the merchant ended it.
        Expired = "expired",
        /// Its configuration made it impossible to pay.
        Invalided = "invalided",
        /// The gateways were asked on request.
        Inquired = "inquired",
        /// A notification was sent on request.
        Notified = "notified",
        /// It was deleted.
        Deleted = "deleted",
        /// The operator showed it again.
        Restored = "restored",
        /// A refund or void was asked for that has to be approved.
        ApprovalAsked = "approval_asked",
        /// Someone approved it.
        ApprovalGiven = "approval_given",
        /// It was refused.
        ApprovalRejected = "approval_rejected",
        /// It was taken back by who asked for it.
        ApprovalWithdrawn = "approval_withdrawn",
        /// Nobody decided about it in time.
        ApprovalExpired = "approval_expired",
        /// It was approved, and was not possible any more.
        ApprovalFailed = "approval_failed",
        /// What identifies its payer was erased.
        Erased = "erased",
    }
}

/// An event, as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    /// Its number, which is the version of the transaction that it led to.
    pub number: i64,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub event: EventWord,
    /// The state of the transaction after it.
    pub state: State,
    /// The attempt, the operation or the request for approval that changed with it, and the word of its stage after it.
    pub subject: Option<(ReferenceNumber, String)>,
    /// Who of the merchant or of the operators caused it.
    pub actor: Option<Actor>,
}
