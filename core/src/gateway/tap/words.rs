//! The words with which Tap says how an object is.

use crate::words::word_list;

word_list! {
    /// How a charge or an authorisation is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum ChargeStatus {
        /// The payer has to do something.
        Initiated = "INITIATED",
        /// The payer or the bank is at it.
        InProgress = "IN_PROGRESS",
        /// The payer never completed it.
        Abandoned = "ABANDONED",
        /// The payer gave up.
        Cancelled = "CANCELLED",
        /// It failed.
        Failed = "FAILED",
        /// The bank declined.
        Declined = "DECLINED",
        /// A rule of the bank or of Tap forbids it.
        Restricted = "RESTRICTED",
        /// The money is held.
        Authorized = "AUTHORIZED",
        /// The money was taken.
        Captured = "CAPTURED",
        /// What was held or taken was released.
        Void = "VOID",
        /// The bank has not answered.
        TimedOut = "TIMEDOUT",
        /// Tap does not know.
        Unknown = "UNKNOWN",
    }
}

word_list! {
    /// How a refund is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum TapRefundStatus {
        /// Tap does it later.
        Pending = "PENDING",
        /// Tap has accepted it, and does it later.
        Accepted = "ACCEPTED",
        /// Tap is at it.
        InProgress = "IN_PROGRESS",
        /// The money was given back.
        Refunded = "REFUNDED",
        /// It was withdrawn.
        Cancelled = "CANCELLED",
        /// It failed.
        Failed = "FAILED",
        /// The bank or Tap declined.
        Declined = "DECLINED",
        /// A rule of the bank forbids it.
        Restricted = "RESTRICTED",
    }
}
