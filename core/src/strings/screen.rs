//! Which screens and notices there are: each has its texts.

use super::HeadedText;
use crate::words::word_list;

word_list! {
    /// Which screen is shown.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PageStatus {
        /// The payer can pay.
        Payable = "payable",
        /// The last attempt did not succeed; the payer can try again.
        Declined = "declined",
        /// The outcome of an attempt is awaited.
        Pending = "pending",
        /// It is awaited for longer than usual.
        Late = "late",
        /// It is awaited, and a person decides about it.
        Held = "held",
        /// Paid.
        Paid = "paid",
        /// The money is held.
        Authorized = "authorized",
        /// Cash on delivery is acknowledged.
        CashOnDelivery = "cash_on_delivery",
        /// The only attempt failed.
        Failed = "failed",
        /// The time to pay is over.
        Expired = "expired",
        /// The merchant canceled.
        Canceled = "canceled",
        /// The merchant's configuration no longer permits the payment.
        Invalid = "invalid",
        /// The merchant accepts no payments for now.
        Paused = "paused",
    }
}

impl PageStatus {
    /// Whether the payer can choose a method.
    #[must_use]
    pub const fn can_pay(self) -> bool {
        matches!(self, Self::Payable | Self::Declined)
    }

    /// Whether the outcome of an attempt is awaited.
    #[must_use]
    pub const fn is_awaited(self) -> bool {
        matches!(self, Self::Pending | Self::Late | Self::Held)
    }

    /// Whether the page waits for something that may happen without the payer.
    #[must_use]
    pub const fn waits(self) -> bool {
        self.is_awaited() || matches!(self, Self::Paused)
    }

    /// Whether the payment succeeded.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Paid | Self::Authorized | Self::CashOnDelivery)
    }

    /// Whether the last attempt is what the screen is about.
    #[must_use]
    pub const fn shows_attempt(self) -> bool {
        match self {
            Self::Paid
            | Self::Authorized
            | Self::CashOnDelivery
            | Self::Pending
            | Self::Late
            | Self::Held
            | Self::Failed => true,
            Self::Payable
            | Self::Declined
            | Self::Expired
            | Self::Canceled
            | Self::Invalid
            | Self::Paused => false,
        }
    }

    /// Whether nothing more will happen on the page.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !self.can_pay() && !self.waits()
    }
}

/// The screens of one language.
#[derive(Debug)]
pub(super) struct Screens {
    pub(super) payable: HeadedText,
    pub(super) pending: HeadedText,
    pub(super) late: HeadedText,
    pub(super) held: HeadedText,
    pub(super) paid: HeadedText,
    pub(super) authorized: HeadedText,
    pub(super) cash_on_delivery: HeadedText,
    pub(super) failed: HeadedText,
    pub(super) expired: HeadedText,
    pub(super) canceled: HeadedText,
    pub(super) invalid: HeadedText,
    pub(super) paused: HeadedText,
}

impl Screens {
    /// The heading and the sentences of a screen.
    pub(super) const fn screen(&self, status: PageStatus) -> HeadedText {
        match status {
            PageStatus::Payable | PageStatus::Declined => self.payable,
            PageStatus::Pending => self.pending,
            PageStatus::Late => self.late,
            PageStatus::Held => self.held,
            PageStatus::Paid => self.paid,
            PageStatus::Authorized => self.authorized,
            PageStatus::CashOnDelivery => self.cash_on_delivery,
            PageStatus::Failed => self.failed,
            PageStatus::Expired => self.expired,
            PageStatus::Canceled => self.canceled,
            PageStatus::Invalid => self.invalid,
            PageStatus::Paused => self.paused,
        }
    }
}

/// What went wrong just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenNotice {
    /// The bank declined.
    Declined,
    /// The payer canceled at the bank.
    Withdrawn,
    /// The gateway could not be reached; nothing was charged.
    GatewayTrouble,
    /// The gateway's page could not be opened, and the gateway has not said what it knows about the payment.
    PageNotOpened,
    /// An answer of a gateway about an attempt that had ended does not fit the payment, and a person decides whether it was paid.
    Checked,
    /// The payer came back from a page that another window had replaced by another attempt.
    Replaced,
    /// The merchant changed what the payer agrees to.
    OtherTerms,
    /// The payment costs something else than the page showed.
    PriceChanged,
    /// A payment is in progress.
    InProgress,
    /// The payment was tried too often recently.
    TooManyAttempts,
    /// Too many payments were declined recently; how long the payer waits.
    TooManyDeclines(PauseText),
    /// The chosen method is not offered.
    MethodUnknown,
    /// The browser turned out not to have the wallet whose button was pressed.
    NoWallet,
    /// No method was chosen.
    NotChosen,
    /// The saved card cannot be removed.
    CardLocked,
}

impl ScreenNotice {
    /// Whether it is no alarm: nothing failed.
    #[must_use]
    pub const fn is_calm(self) -> bool {
        matches!(
            self,
            Self::Withdrawn
                | Self::Replaced
                | Self::OtherTerms
                | Self::PriceChanged
                | Self::NoWallet
                | Self::NotChosen
        )
    }
}

/// How long a payer waits, in the words of a sentence: the shortest of these that is long enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseText {
    /// A minute.
    Minute,
    /// Five minutes.
    FiveMinutes,
    /// A quarter of an hour.
    QuarterHour,
    /// Half an hour.
    HalfHour,
    /// An hour.
    Hour,
    /// Six hours.
    SixHours,
    /// A day.
    Day,
}

impl PauseText {
    /// The words for a number of seconds.
    #[must_use]
    pub const fn of(seconds: u64) -> Self {
        match seconds {
            0..=60 => Self::Minute,
            61..=300 => Self::FiveMinutes,
            301..=900 => Self::QuarterHour,
            901..=1_800 => Self::HalfHour,
            1_801..=3_600 => Self::Hour,
            3_601..=21_600 => Self::SixHours,
            _ => Self::Day,
        }
    }
}

/// The outcome for the money as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aftermath {
    /// All of the held money was taken.
    Captured,
    /// Some of it was.
    PartlyCaptured,
    /// Some of it was, and the rest was released.
    RestReleased,
    /// The held money was released.
    Voided,
    /// Everything was returned.
    Refunded,
    /// Everything that can be returned was, and the fee remains with the merchant.
    RefundedExceptFee,
    /// Some of it was.
    PartlyRefunded,
    /// A refund waits for the gateway, and nothing was returned yet.
    RefundQueued,
}
