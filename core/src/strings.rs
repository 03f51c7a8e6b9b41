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
mod brand;
mod card;
pub mod consent;
mod decline;
mod english;
mod guide;
mod message;
mod pause;
mod price;
mod receipt;
pub mod screen;
mod screens;
pub mod sentence;
pub mod verify;
mod ways;

use alloc::format;
use alloc::string::String;

use crate::strings::screen::{Notice, PageStatus};
use crate::value::choice::{Choice, ChoiceError};
use crate::value::money::{AmountError, Currency, ExchangeRate};
use crate::value::time::Local;
use crate::words::Language;
use crate::words::decline::Reason;
use crate::words::payment_type::PaymentType;

pub use aftermath::AftermathWords;
pub use brand::BrandWords;
pub use card::CardWords;
pub use guide::GuideWords;
pub use message::MessageWords;
pub use pause::PauseWords;
pub use price::{Price, PricePart, digits};
pub use receipt::ReceiptWords;
pub use ways::WayWords;

/// The texts of one language.
#[derive(Debug)]
pub struct Strings {
    /// The language.
    pub language: Language,
    /// Labels of values.
    pub label: Labels,
    /// Words on controls.
    pub action: Actions,
    /// What went wrong just now.
    pub notice: Notices,
    /// What is wrong with an amount that was typed.
    pub amount_fault: AmountFaults,
    /// How long to wait after too many declines.
    pub too_many_declines: PauseWords,
    /// Saved cards and device wallets.
    pub ways: WayWords,
    /// Next to the face of the merchant.
    pub brand: BrandWords,
    /// What is said instead if a card is only saved.
    pub card: CardWords,
    /// The label of a simulation, and what it means.
    pub test_mode: Message,
    /// At the end of the page: where a card's number is entered.
    pub no_card_here: &'static str,
}

/// Labels of values; the value follows them.
#[derive(Debug)]
pub struct Labels {
    /// The merchant that is to be paid, in the heading.
    pub pay_to: &'static str,
    /// The merchant, in a receipt.
    pub merchant: &'static str,
    /// The amount without fees.
    pub amount: &'static str,
    /// What one unit of the amount's currency is worth in the one that is charged.
    pub exchange_rate: &'static str,
    /// The amount without fees in the currency that is charged.
    pub converted: &'static str,
    /// A fee for which the merchant set no label.
    pub fee: &'static str,
    /// Amount and fee together.
    pub total: &'static str,
    /// The fee that a total contains.
    pub including: &'static str,
    /// The fee that a method adds, under its name: `{fee}` is its digits, or its rule.
    pub fee_added: &'static str,
    /// The merchant's order number.
    pub order_number: &'static str,
    /// The file that goes with it.
    pub attachment: &'static str,
    /// The number of the attempt.
    pub reference_number: &'static str,
    /// How it is or was paid.
    pub method: &'static str,
    /// When it was paid.
    pub date: &'static str,
    /// When payment is due.
    pub due_at: &'static str,
    /// From when the page can no longer be paid.
    pub open_until: &'static str,
    /// The list of amounts.
    pub summary: &'static str,
    /// The field in which the payer types how much to pay.
    pub amount_to_pay: &'static str,
    /// Before the smallest amount that may be typed.
    pub amount_from: &'static str,
    /// Between the smallest and the largest amount that may be typed.
    pub amount_to: &'static str,
    /// What the payer chose to pay of it.
    pub chosen_amount: &'static str,
    /// The amount of the order, of which a part was paid.
    pub order_amount: &'static str,
    /// Further details of the order.
    pub details: &'static str,
    /// The payer's name.
    pub payer: &'static str,
    /// The billing address.
    pub billing_address: &'static str,
    /// The shipping address.
    pub shipping_address: &'static str,
    /// A flag that is set.
    pub yes: &'static str,
    /// A flag that is not.
    pub no: &'static str,
    /// A method whose payment page still waits for the payer.
    pub started: &'static str,
}

/// Words on controls.
#[derive(Debug)]
pub struct Actions {
    /// Pay, while no method is chosen.
    pub pay: &'static str,
    /// Pay `{amount}`, with a method that is not named.
    pub pay_amount: &'static str,
    /// Go on to the page of `{method}`, where `{amount}` is paid.
    pub continue_to: &'static str,
    /// Pay `{amount}` with the saved `{card}`.
    pub pay_with_card: &'static str,
    /// Place the order and pay `{amount}` in cash later.
    pub pay_on_delivery: &'static str,
    /// While the payment is being opened.
    pub connecting: &'static str,
    /// Go back to the merchant; the merchant's host follows.
    pub return_to: &'static str,
    /// Ask again about the state of a payment.
    pub check_again: &'static str,
    /// The other language, in that language.
    pub other_language: &'static str,
}

/// The heading of a message and the sentences under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// A few words.
    pub title: &'static str,
    /// What it means, and what to do.
    pub text: &'static str,
}

/// What went wrong just now.
#[derive(Debug)]
pub struct Notices {
    /// The bank declined.
    pub declined: Message,
    /// The payer canceled at the bank.
    pub withdrawn: Message,
    /// The gateway could not be reached.
    pub gateway_trouble: Message,
    /// The gateway's page could not be opened.
    pub page_not_opened: Message,
    /// The payer came back from a gateway's page that another window had replaced.
    pub replaced: Message,
    /// The merchant changed what the payer agrees to.
    pub other_terms: Message,
    /// The price is another one than the page showed.
    pub price_changed: Message,
    /// A payment is in progress.
    pub in_progress: Message,
    /// The payment was tried too often recently.
    pub too_many_attempts: Message,
    /// The method is not offered.
    pub method_unknown: Message,
    /// The browser does not have the wallet.
    pub no_wallet: Message,
    /// No method was chosen.
    pub not_chosen: Message,
    /// The saved card cannot be removed.
    pub card_locked: Message,
    /// The service could not be reached from the browser.
    pub offline: Message,
    /// The service gave no certain answer.
    pub no_answer: Message,
}

/// What is wrong with an amount that was typed.
#[derive(Debug)]
pub struct AmountFaults {
    /// It is no number; `{example}` is one.
    pub malformed: &'static str,
    /// Its comma has two readings.
    pub ambiguous: &'static str,
    /// It has more decimals than its currency.
    pub decimals: &'static str,
    /// The chosen method cannot charge it.
    pub not_charged: &'static str,
    /// It is less than `{least}` or more than `{most}`.
    pub out_of_range: &'static str,
}

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
    pub const fn screen(&self, status: PageStatus, payment_type: PaymentType) -> Message {
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
    pub const fn notice(&self, notice: Notice, payment_type: PaymentType) -> Message {
        if let (PaymentType::SaveCard, Some(message)) = (payment_type, self.card.notice(notice)) {
            return message;
        }
        match notice {
            Notice::Declined => self.notice.declined,
            Notice::Withdrawn => self.notice.withdrawn,
            Notice::GatewayTrouble => self.notice.gateway_trouble,
            Notice::PageNotOpened => self.notice.page_not_opened,
            Notice::Replaced => self.notice.replaced,
            Notice::OtherTerms => self.notice.other_terms,
            Notice::PriceChanged => self.notice.price_changed,
            Notice::InProgress => self.notice.in_progress,
            Notice::TooManyAttempts => self.notice.too_many_attempts,
            Notice::TooManyDeclines(pause) => self.too_many_declines.message(pause),
            Notice::MethodUnknown => self.notice.method_unknown,
            Notice::NoWallet => self.notice.no_wallet,
            Notice::NotChosen => self.notice.not_chosen,
            Notice::CardLocked => self.notice.card_locked,
        }
    }

    /// Why a payment was declined and what to do; `None` where nothing more is said than that it was.
    #[must_use]
    pub const fn decline(&self, reason: Reason, payment_type: PaymentType) -> Option<&'static str> {
        match (self.language, payment_type) {
            (Language::En, PaymentType::SaveCard) => decline::english_of_card(reason),
            (Language::Ar, PaymentType::SaveCard) => decline::arabic_of_card(reason),
            (Language::En, PaymentType::OneOff | PaymentType::AutoDebit) => decline::english(reason),
            (Language::Ar, PaymentType::OneOff | PaymentType::AutoDebit) => decline::arabic(reason),
        }
    }

    /// Why a payment was declined, where nothing more can be done about it.
    #[must_use]
    pub fn decline_cause(&self, reason: Reason, payment_type: PaymentType) -> Option<&'static str> {
        self.decline(reason, payment_type).map(decline::cause)
    }

    /// What is wrong with an amount that was typed.
    #[must_use]
    pub fn amount_fault(&self, fault: ChoiceError, choice: &Choice) -> String {
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
