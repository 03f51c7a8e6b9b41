//! The words with which Stripe says how a `PaymentIntent` is.

use crate::words::word_list;

word_list! {
    /// How an intent is, of a payment or of a card that is confirmed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum IntentStatus {
        /// It is done.
        Succeeded = "succeeded",
        /// The money is held.
        RequiresCapture = "requires_capture",
        /// The payer has to do something.
        RequiresAction = "requires_action",
        /// Nothing pays it, or what did was declined.
        RequiresPaymentMethod = "requires_payment_method",
        /// It was not begun.
        RequiresConfirmation = "requires_confirmation",
        /// The bank has not answered.
        Processing = "processing",
        /// It is over, and nothing is held.
        Canceled = "canceled",
    }
}

impl IntentStatus {
    /// Whether nothing was taken or held, and nothing will be unless a new request asks for it.
    pub(super) const fn is_idle(self) -> bool {
        matches!(self, Self::RequiresPaymentMethod | Self::RequiresConfirmation | Self::Canceled)
    }
}

word_list! {
    /// When the money of an intent is taken.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum CaptureMethod {
        /// It is held at first.
        Manual = "manual",
        /// At once.
        Automatic = "automatic",
        /// At once, but not by the time of the answer.
        AutomaticAsync = "automatic_async",
    }
}
