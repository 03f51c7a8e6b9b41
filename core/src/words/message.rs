//! Messages to payers: how they go, about what they are, and what became of them.

use super::word_list;

word_list! {
    /// By what a message reaches the payer.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Channel {
        /// An e-mail.
        Email = "email",
        /// A text message to a telephone.
        Sms = "sms",
        /// A message of `WhatsApp`.
        Whatsapp = "whatsapp",
    }
}
impl Channel {
    /// What the word matches, as a regular expression for the API description.
    pub const PATTERN: &'static str = "^(email|sms|whatsapp)$";
}

word_list! {
    /// About what a payer gets a message.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum MessageOccasion {
        /// A payment is requested.
        Created = "created",
        /// It was paid.
        Paid = "paid",
        /// It was canceled.
        Canceled = "canceled",
        /// It failed, or was never sent to the gateway.
        Failed = "failed",
        /// The time to pay it is over.
        Expired = "expired",
        /// The money is held.
        Authorized = "authorized",
        /// Held money was released.
        Voided = "voided",
        /// Money was given back.
        Refunded = "refunded",
        /// Held money was taken.
        Captured = "captured",
    }
}

impl MessageOccasion {
    /// Whether it is about a capture, a refund or a void, of which no message of `WhatsApp` is sent.
    #[must_use]
    pub const fn is_operation(self) -> bool {
        matches!(self, Self::Voided | Self::Refunded | Self::Captured)
    }
}

word_list! {
    /// What became of a message to a payer, as its provider says.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Fate {
        /// It is being sent, or its sender stopped before it learned what became of it.
        Sending = "sending",
        /// It surely was not sent, and is sent again.
        Waiting = "waiting",
        /// The provider took it.
        Accepted = "accepted",
        /// It reached the payer's mailbox or telephone.
        Delivered = "delivered",
        /// The payer opened it.
        Read = "read",
        /// It came back, or the provider refused it.
        Failed = "failed",
        /// The payer reported it as unwanted.
        Complained = "complained",
        /// Nobody knows whether it was sent, and it is not sent again.
        Unknown = "unknown",
    }
}

impl Fate {
    /// Whether the provider took it, so that it is not sent again.
    #[must_use]
    pub(crate) const fn has_left(self) -> bool {
        matches!(self, Self::Accepted | Self::Delivered | Self::Read | Self::Complained)
    }

    /// How much it says: reports come in any order, and what says more stays.
    const fn weight(self) -> u8 {
        match self {
            Self::Sending | Self::Waiting => 0,
            Self::Accepted | Self::Unknown => 1,
            Self::Delivered => 2,
            Self::Read | Self::Failed => 3,
            Self::Complained => 4,
        }
    }

    /// Whether what is known is replaced by what is learned.
    #[must_use]
    pub const fn gives_way_to(self, learned: Self) -> bool {
        self.weight() <= learned.weight()
    }
}

word_list! {
    /// The state of a message to a payer, for its merchant.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum MessageState {
        /// No provider was asked yet.
        Queued = "queued",
        /// As [`Fate::Sending`].
        Sending = "sending",
        /// As [`Fate::Waiting`].
        Waiting = "waiting",
        /// As [`Fate::Accepted`].
        Accepted = "accepted",
        /// As [`Fate::Delivered`].
        Delivered = "delivered",
        /// As [`Fate::Read`].
        Read = "read",
        /// As [`Fate::Failed`].
        Failed = "failed",
        /// As [`Fate::Complained`].
        Complained = "complained",
        /// As [`Fate::Unknown`].
        Unknown = "unknown",
    }
}

impl MessageState {
    /// The state of a message, by what is known of it.
    #[must_use]
    pub const fn of(known: Option<Fate>) -> Self {
        match known {
            None => Self::Queued,
            Some(Fate::Sending) => Self::Sending,
            Some(Fate::Waiting) => Self::Waiting,
            Some(Fate::Accepted) => Self::Accepted,
            Some(Fate::Delivered) => Self::Delivered,
            Some(Fate::Read) => Self::Read,
            Some(Fate::Failed) => Self::Failed,
            Some(Fate::Complained) => Self::Complained,
            Some(Fate::Unknown) => Self::Unknown,
        }
    }

    /// What is known of a message in this state; `None` if nothing.
    #[must_use]
    pub fn fate(self) -> Option<Fate> {
        Fate::ALL.into_iter().find(|fate| Self::of(Some(*fate)) == self)
    }
}
