//! The words that every module uses: closed lists of the wire and of the settings.

mod accepted;
pub mod agreement;
pub mod card_brand;
pub mod decline;
pub mod media_type;
pub mod message;
pub mod operation_reason;
pub mod payment_type;
pub mod role;
pub mod signing;

use alloc::string::String;
use core::fmt;

/// Declares a closed list of words: an enum, with the word of each value on the wire, in the store or in a protocol.
macro_rules! word_list {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$about:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$about])* $value,)+
        }

        impl $name {
            /// Every value, in the order of the list.
            $vis const ALL: [Self; [$($word),+].len()] = [$(Self::$value),+];

            /// Every word, in the order of the list.
            $vis const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word.
            #[must_use]
            $vis const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }

            /// The value that the word names.
            #[must_use]
            $vis fn parse(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == word)
            }
        }

        $crate::words::written_by_word!($name);
    };
}
pub(crate) use word_list;

/// Lets a type that has `WORDS`, `as_str` and `parse` be written, read and described by its word.
macro_rules! written_by_word {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <alloc::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                Self::parse(&word).ok_or_else(|| serde::de::Error::unknown_variant(&word, Self::WORDS))
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": Self::WORDS })
            }
        }
    };
}
pub(crate) use written_by_word;

/// Every pair of different values of a list of which the first leads to the second.
pub(crate) fn pairs<T: Copy + PartialEq, const N: usize>(
    all: [T; N],
    leads: impl Fn(T, T) -> bool + Copy,
) -> impl Iterator<Item = (T, T)> {
    all.into_iter().flat_map(move |from| {
        all.into_iter().filter_map(move |to| (from != to && leads(from, to)).then_some((from, to)))
    })
}

word_list! {
    /// What a gateway does with a payment at once.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Operation {
        /// Charges directly.
        Purchase = "purchase",
        /// Only holds the money; it is captured later.
        Authorize = "authorize",
    }
}

word_list! {
    /// A plugin, which is the `type` of a transaction.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Plugin {
        /// A shop.
        ECommerce = "e_commerce",
        /// A payment link.
        PaymentRequest = "payment_request",
    }
}

word_list! {
    /// A language of the page.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Language {
        /// English, written from left to right.
        #[default]
        En = "en",
        /// Arabic, written from right to left.
        Ar = "ar",
    }
}

impl Language {
    /// The writing direction, as HTML names it.
    #[must_use]
    pub const fn direction(self) -> &'static str {
        match self {
            Self::En => "ltr",
            Self::Ar => "rtl",
        }
    }
}

word_list! {
    /// A device wallet.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Wallet {
        /// Apple Pay.
        ApplePay = "apple_pay",
        /// Google Pay.
        GooglePay = "google_pay",
    }
}

impl Wallet {
    /// The name of the wallet in the older list `wallets` of the payment methods listing.
    #[must_use]
    pub(crate) const fn legacy_name(self) -> &'static str {
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
}

word_list! {
    /// What is done to a payment that succeeded, each with a separate child transaction.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ChildOperation {
        /// Gives money back.
        Refund = "refund",
        /// Takes held money.
        Capture = "capture",
        /// Releases held money.
        Void = "void",
    }
}

impl ChildOperation {
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

word_list! {
    /// The state of a child transaction, as the wire names it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ChildState {
        /// A capture: held money was taken.
        Paid = "paid",
        /// Money was given back.
        Refunded = "refunded",
        /// The gateway accepted the refund and will confirm it later.
        RefundQueued = "refund_queued",
        /// The gateway refused a queued refund.
        RefundRejected = "refund_rejected",
        /// Held money was released.
        Voided = "voided",
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
