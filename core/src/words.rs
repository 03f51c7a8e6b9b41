//! The words that every module uses: closed lists of the wire and of the settings.

pub mod media_type;
pub mod payment_type;

use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

/// What a gateway does with a payment at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Charges directly.
    Purchase,
    /// Only holds the money; it is captured later.
    Authorize,
}

impl Operation {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Purchase => "purchase",
            Self::Authorize => "authorize",
        }
    }

    /// The operation that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Purchase, Self::Authorize].into_iter().find(|operation| operation.as_str() == word)
    }
}

/// A plugin, which is the `type` of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plugin {
    /// A shop.
    ECommerce,
    /// A payment link.
    PaymentRequest,
}

impl Plugin {
    /// Every plugin.
    pub const ALL: [Self; 2] = [Self::ECommerce, Self::PaymentRequest];

    /// The words on the wire.
    pub const WORDS: &'static [&'static str] = &["e_commerce", "payment_request"];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ECommerce => "e_commerce",
            Self::PaymentRequest => "payment_request",
        }
    }

    /// The plugin that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plugin| plugin.as_str() == word)
    }
}

/// A language of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English, written from left to right.
    #[default]
    En,
    /// Arabic, written from right to left.
    Ar,
}

impl Language {
    /// The words on the wire.
    pub const WORDS: &'static [&'static str] = &["en", "ar"];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ar => "ar",
        }
    }

    /// The language that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::En, Self::Ar].into_iter().find(|language| language.as_str() == word)
    }

    /// The writing direction, as HTML names it.
    #[must_use]
    pub const fn direction(self) -> &'static str {
        match self {
            Self::En => "ltr",
            Self::Ar => "rtl",
        }
    }
}

/// A device wallet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wallet {
    /// Apple Pay.
    ApplePay,
    /// Google Pay.
    GooglePay,
}

impl Wallet {
    /// The words of the settings document.
    pub const WORDS: &'static [&'static str] = &["apple_pay", "google_pay"];

    /// The word of the settings document.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ApplePay => "apple_pay",
            Self::GooglePay => "google_pay",
        }
    }

    /// The name of the wallet in the older list `wallets` of the payment methods listing.
    #[must_use]
    pub const fn legacy_name(self) -> &'static str {
        match self {
            Self::ApplePay => "ApplePay",
            Self::GooglePay => "GooglePay",
        }
    }

    /// The name that a payer reads, at most 16 characters.
    #[must_use]
    pub const fn name(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::ApplePay, Language::En) => "Apple Pay",
            (Self::ApplePay, Language::Ar) => "أبل باي",
            (Self::GooglePay, Language::En) => "Google Pay",
            (Self::GooglePay, Language::Ar) => "جوجل باي",
        }
    }

    /// The wallet that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::ApplePay, Self::GooglePay].into_iter().find(|wallet| wallet.as_str() == word)
    }
}

/// What is done to a payment that succeeded, each with a separate child transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChildOperation {
    /// Gives money back.
    Refund,
    /// Takes held money.
    Capture,
    /// Releases held money.
    Void,
}

impl ChildOperation {
    /// Every operation.
    pub const ALL: [Self; 3] = [Self::Refund, Self::Capture, Self::Void];

    /// The words on the wire.
    pub const WORDS: &'static [&'static str] = &["refund", "capture", "void"];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refund => "refund",
            Self::Capture => "capture",
            Self::Void => "void",
        }
    }

    /// The operation that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.as_str() == word)
    }

    /// What can follow a payment that charged at once, and one that only held the money.
    #[must_use]
    pub const fn of(operation: Operation) -> &'static [Self] {
        match operation {
            Operation::Purchase => &[Self::Refund],
            Operation::Authorize => &[Self::Capture, Self::Void, Self::Refund],
        }
    }
}

impl fmt::Display for ChildOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The state of a child transaction, as the wire names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChildState {
    /// A capture: held money was taken.
    Paid,
    /// Money was given back.
    Refunded,
    /// The gateway accepted the refund and will confirm it later.
    RefundQueued,
    /// The gateway refused a queued refund.
    RefundRejected,
    /// Held money was released.
    Voided,
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

/// A text in both languages of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bilingual {
    /// English.
    pub en: String,
    /// Arabic.
    pub ar: String,
}

impl Bilingual {
    /// The text in `language`.
    #[must_use]
    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::En => &self.en,
            Language::Ar => &self.ar,
        }
    }
}
