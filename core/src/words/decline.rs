//! Why a payment was declined, and what can be done about it: one list for every gateway.

use super::word_list;

word_list! {
    /// Why a payment was declined.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DeclineReason {
        /// There is not enough money on the account.
        InsufficientFunds = "insufficient_funds",
        /// An amount or a number of payments is over the limit of the card.
        LimitExceeded = "limit_exceeded",
        /// The card is expired, or its date was mistyped.
        ExpiredCard = "expired_card",
        /// The number is that of no card, or was mistyped.
        InvalidCard = "invalid_card",
        /// The security code is wrong.
        WrongSecurityCode = "wrong_security_code",
        /// The PIN is wrong, or was wrong too often.
        WrongPin = "wrong_pin",
        /// The address is not that of the cardholder.
        WrongAddress = "wrong_address",
        /// The card cannot be used for such a payment, currency or shop.
        NotPermitted = "not_permitted",
        /// The bank declines and does not say why.
        DoNotHonor = "do_not_honor",
        /// The bank wants to be asked by the cardholder.
        ContactIssuer = "contact_issuer",
        /// The card was reported lost or stolen.
        LostOrStolen = "lost_or_stolen",
        /// Fraud is suspected.
        SuspectedFraud = "suspected_fraud",
        /// The cardholder revoked the permission for such payments.
        Revoked = "revoked",
        /// The payer did not pass the check of the bank (3-D Secure).
        AuthenticationFailed = "authentication_failed",
        /// The bank wants the payer to be there and pass its check.
        AuthenticationRequired = "authentication_required",
        /// The payer gave up on the gateway's page.
        CanceledByPayer = "canceled_by_payer",
        /// The bank or the gateway could not decide for technical reasons; nothing was taken.
        TechnicalError = "technical_error",
        /// Another reason.
        Other = "other",
    }
}

word_list! {
    /// What the payer, or who debits a saved card, can do.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Advice {
        /// The same again, later.
        RetryLater = "retry_later",
        /// Check what was typed, and pay again.
        CorrectData = "correct_data",
        /// Pay again and pass the check of the bank.
        Authenticate = "authenticate",
        /// Pay with another card.
        OtherCard = "other_card",
        /// Pay by another method.
        OtherMethod = "other_method",
        /// Ask the bank that issued the card.
        ContactBank = "contact_bank",
        /// Never charge this card again without the cardholder.
        Stop = "stop",
    }
}

impl DeclineReason {
    /// Whether the payer may try again at once through another gateway: nothing says that the card is wrong, gone or stolen.
    #[must_use]
    pub(crate) const fn is_soft(self) -> bool {
        matches!(
            self,
            Self::InsufficientFunds
                | Self::LimitExceeded
                | Self::NotPermitted
                | Self::DoNotHonor
                | Self::ContactIssuer
                | Self::TechnicalError
                | Self::Other
        )
    }

    /// Whether the same card may be approved through another gateway at once: the first one, or its bank, may be the reason.
    #[must_use]
    pub(crate) const fn may_pass_elsewhere(self) -> bool {
        matches!(self, Self::NotPermitted | Self::DoNotHonor | Self::TechnicalError)
    }

    /// What can be done about it.
    #[must_use]
    pub const fn advice(self) -> Advice {
        match self {
            Self::InsufficientFunds | Self::LimitExceeded | Self::NotPermitted | Self::ExpiredCard => {
                Advice::OtherCard
            }
            Self::InvalidCard | Self::WrongSecurityCode | Self::WrongPin | Self::WrongAddress => {
                Advice::CorrectData
            }
            Self::DoNotHonor | Self::ContactIssuer => Advice::ContactBank,
            Self::LostOrStolen | Self::SuspectedFraud | Self::Revoked => Advice::Stop,
            Self::AuthenticationFailed | Self::AuthenticationRequired => Advice::Authenticate,
            Self::TechnicalError | Self::CanceledByPayer => Advice::RetryLater,
            Self::Other => Advice::OtherMethod,
        }
    }
}
