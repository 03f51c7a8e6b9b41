//! Every text of the hosted page, in English and Arabic, for the server that renders it and the script that
//! keeps it up to date.
//!
//! A language is one value of [`Strings`], so that no text can be missing in it. What only the server renders is
//! in separate values (`screens`, [`GuideWords`]), so that the page's module does not contain it.
//!
//! Decision: a label is next to its value, which is in a separate element with its own text direction. A sentence
//! that needs a name, an amount or a moment has its place in braces, `{merchant}`, and [`sentence::pieces`] takes
//! it apart; the module writes only sentences without places.

mod aftermath;
pub mod alert;
mod arabic;
pub mod attention;
mod brand;
mod card;
pub mod consent;
mod decline;
pub mod desk;
mod english;
pub mod facts;
mod flexible;
mod guide;
mod headed;
mod message;
mod next_way;
mod pause;
mod price;
mod receipt;
pub(crate) mod refusal;
pub mod screen;
mod screens;
pub mod sentence;
pub(crate) mod staff;
mod texts;
pub mod verify;
mod ways;

use alloc::format;
use alloc::string::String;

use crate::strings::screen::{PageStatus, ScreenNotice};
use crate::value::choice::{AmountChoice, ChoiceError};
use crate::value::money::{AmountError, Currency, ExchangeRate};
use crate::value::time::Local;
use crate::words::Language;
use crate::words::decline::DeclineReason;
use crate::words::payment_type::PaymentType;

pub use aftermath::AftermathWords;
pub use brand::BrandWords;
pub use card::CardWords;
pub use flexible::FlexibleWords;
pub use guide::GuideWords;
pub use headed::HeadedText;
pub use message::MessageWords;
pub use next_way::NextWords;
pub use pause::PauseWords;
pub use price::{Price, PricePart, coded, digits};
pub use receipt::ReceiptWords;
pub use texts::{Actions, AmountFaults, Labels, Notices, Strings};
pub use ways::WayWords;

impl Strings {
    /// The texts of a language.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &english::STRINGS,
            Language::Ar => &arabic::STRINGS,
        }
    }

    /// The heading and the sentences of a screen.
    #[must_use]
    pub const fn screen(&self, status: PageStatus, payment_type: PaymentType) -> HeadedText {
        screens::of(self.language, status, payment_type)
    }

    /// What happened to the money after the payment.
    #[must_use]
    pub const fn aftermath(&self) -> &'static AftermathWords {
        match self.language {
            Language::En => &AftermathWords::ENGLISH,
            Language::Ar => &AftermathWords::ARABIC,
        }
    }

    /// The receipt for people.
    #[must_use]
    pub const fn receipt(&self) -> &'static ReceiptWords {
        match self.language {
            Language::En => &ReceiptWords::ENGLISH,
            Language::Ar => &ReceiptWords::ARABIC,
        }
    }

    /// What messages to payers say.
    #[must_use]
    pub const fn message(&self) -> &'static MessageWords {
        match self.language {
            Language::En => &MessageWords::ENGLISH,
            Language::Ar => &MessageWords::ARABIC,
        }
    }

    /// What the payer can do next.
    #[must_use]
    pub const fn guide(&self) -> &'static GuideWords {
        match self.language {
            Language::En => &GuideWords::ENGLISH,
            Language::Ar => &GuideWords::ARABIC,
        }
    }

    /// The heading and the sentences of a notice.
    #[must_use]
    pub const fn notice(&self, notice: ScreenNotice, payment_type: PaymentType) -> HeadedText {
        if let (PaymentType::SaveCard, Some(message)) = (payment_type, self.card.notice(notice)) {
            return message;
        }
        match notice {
            ScreenNotice::Declined => self.notice.declined,
            ScreenNotice::Withdrawn => self.notice.withdrawn,
            ScreenNotice::GatewayTrouble => self.notice.gateway_trouble,
            ScreenNotice::PageNotOpened => self.notice.page_not_opened,
            ScreenNotice::Checked => self.notice.checked,
            ScreenNotice::Replaced => self.notice.replaced,
            ScreenNotice::OtherTerms => self.notice.other_terms,
            ScreenNotice::PriceChanged => self.notice.price_changed,
            ScreenNotice::InProgress => self.notice.in_progress,
            ScreenNotice::TooManyAttempts => self.notice.too_many_attempts,
            ScreenNotice::TooManyDeclines(pause) => self.too_many_declines.message(pause),
            ScreenNotice::MethodUnknown => self.notice.method_unknown,
            ScreenNotice::NoWallet => self.notice.no_wallet,
            ScreenNotice::NotChosen => self.notice.not_chosen,
            ScreenNotice::CardLocked => self.notice.card_locked,
        }
    }

    /// Why a payment was declined and what to do; `None` where nothing more is said than that it was.
    #[must_use]
    pub const fn decline(&self, reason: DeclineReason, payment_type: PaymentType) -> Option<&'static str> {
        match (self.language, payment_type) {
            (Language::En, PaymentType::SaveCard) => decline::english_of_card(reason),
            (Language::Ar, PaymentType::SaveCard) => decline::arabic_of_card(reason),
            (Language::En, PaymentType::OneOff | PaymentType::AutoDebit) => decline::english(reason),
            (Language::Ar, PaymentType::OneOff | PaymentType::AutoDebit) => decline::arabic(reason),
        }
    }

    /// Why a payment was declined, where nothing more can be done about it.
    #[must_use]
    pub fn decline_cause(&self, reason: DeclineReason, payment_type: PaymentType) -> Option<&'static str> {
        self.decline(reason, payment_type).map(decline::cause)
    }

    /// What is wrong with an amount that was typed.
    #[must_use]
    pub fn amount_fault(&self, fault: ChoiceError, choice: &AmountChoice) -> String {
        let (least, most) = (choice.least(), choice.most());
        match fault {
            // The largest amount is one that can be paid, with the decimals of its currency.
            ChoiceError::Amount(AmountError::Malformed) => {
                self.amount_fault.malformed.replace("{example}", &format!("{most}"))
            }
            ChoiceError::Ambiguous => self.amount_fault.ambiguous.into(),
            ChoiceError::NotCharged => self.amount_fault.not_charged.into(),
            ChoiceError::Amount(AmountError::TooManyDecimals { .. }) => self.amount_fault.decimals.into(),
            ChoiceError::Amount(AmountError::TooLong | AmountError::TooLarge) | ChoiceError::OutOfRange => {
                let text = self.amount_fault.out_of_range.replace("{least}", &self.price(least));
                text.replace("{most}", &self.price(most))
            }
        }
    }

    /// A moment for a payer to read, to the minute: `21 November 2026, 04:02 UTC+3`.
    #[must_use]
    pub fn moment(&self, moment: impl Into<Local>) -> String {
        guide::moment(self.language, moment.into())
    }
}

/// A day, `YYYY-MM-DD`, for a payer to read: `21 November 2026`.
#[must_use]
pub fn day(language: Language, date: &str) -> String {
    guide::day(language, date)
}

/// An exchange rate for a payer to read: `1 USD = 0.3075 KWD`. It reads from left to right in every language.
#[must_use]
pub fn rate(source: Currency, rate: ExchangeRate, target: Currency) -> String {
    format!("1 {source} = {rate} {target}")
}

#[cfg(test)]
mod tests;
