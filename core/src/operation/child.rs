//! The states of a child transaction, the record of one capture, refund or void (specification, Payload fields,
//! `transaction`).

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

/// What the gateway says of a queued refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundAnswer {
    /// The money was given back.
    Confirmed,
    /// The refund was refused.
    Refused,
}

/// The state after the gateway's answer; `None` where the child was not waiting for one.
#[must_use]
pub fn settle(state: ChildState, answer: RefundAnswer) -> Option<ChildState> {
    match (state, answer) {
        (ChildState::RefundQueued, RefundAnswer::Confirmed) => Some(ChildState::Refunded),
        (ChildState::RefundQueued, RefundAnswer::Refused) => Some(ChildState::RefundRejected),
        (
            ChildState::Paid | ChildState::Refunded | ChildState::RefundRejected | ChildState::Voided,
            RefundAnswer::Confirmed | RefundAnswer::Refused,
        ) => None,
    }
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
