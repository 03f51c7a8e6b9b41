//! Amounts as each language writes them.
//!
//! Decision: English writes the code first, `KWD 1,234.500`. Arabic writes the currency last, with the sign
//! that the country prints on its own bills where it has one, `1,234.500 د.ك`, and otherwise with the code.
//! Digits are the same in both, as the countries' banks print them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use rust_decimal::Decimal;

use super::Strings;
use crate::value::money::{Currency, Money, SumOfMoney};
use crate::words::Language;

/// An amount for a payer to read: it has exactly the decimals of its currency, and a separator for thousands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// Its parts in the order of reading. Joined, they are its text.
    pub parts: [PricePart; 3],
}

/// A part of an amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricePart {
    /// The text; empty for the decimals of a currency that has none.
    pub text: String,
    /// Whether it is the whole number, rather than the currency or the decimals.
    pub is_whole: bool,
}

impl Price {
    /// An amount in a language.
    #[must_use]
    pub fn of(money: Money, language: Language) -> Self {
        let [whole, fraction] = split(&money.text());
        let currency = money.currency();
        let rest = |text: String| PricePart { text, is_whole: false };
        let whole = PricePart { text: whole, is_whole: true };
        let fraction = rest(fraction);
        let parts = match language {
            Language::En => [rest(sign_before(currency)), whole, fraction],
            Language::Ar => [whole, fraction, rest([" ", sign(currency, language)].concat())],
        };
        Self { parts }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> String {
        self.texts().concat()
    }

    /// The text of every part.
    #[must_use]
    pub fn texts(&self) -> [&str; 3] {
        self.parts.each_ref().map(|part| part.text.as_str())
    }
}

impl Strings {
    /// An amount in this language.
    #[must_use]
    pub fn price(&self, money: Money) -> String {
        self.price_parts(money).text()
    }

    /// A sum in this language, which may be below zero.
    #[must_use]
    pub fn sum(&self, sum: SumOfMoney) -> String {
        let sign = if sum.minor() < 0 { "\u{2212}" } else { "" };
        match Money::new(sum.minor().saturating_abs(), sum.currency()) {
            Ok(amount) => [sign, &self.price(amount)].concat(),
            Err(_) => [&sum.text(), " ", sum.currency().code()].concat(),
        }
    }

    /// An amount in this language, in parts.
    #[must_use]
    pub fn price_parts(&self, money: Money) -> Price {
        Price::of(money, self.language)
    }

    /// The rule of a fee: `2.5%`, `KWD 0.100`, or both; nothing if there is no fee.
    #[must_use]
    pub fn fee_rule(&self, percent: Decimal, fixed: Money) -> Option<String> {
        let percent = (!percent.is_zero()).then(|| format!("{}%", percent.normalize()));
        let fixed = (!fixed.is_zero()).then(|| self.price(fixed));
        let parts: Vec<String> = percent.into_iter().chain(fixed).collect();
        (!parts.is_empty()).then(|| parts.join(" + "))
    }

    /// How this language writes a currency.
    #[must_use]
    pub fn sign(&self, currency: Currency) -> &'static str {
        sign(currency, self.language)
    }

    /// The code of a currency, if amounts in this language are written without it.
    #[must_use]
    pub fn unwritten_code(&self, currency: Currency) -> Option<&'static str> {
        match self.language {
            Language::En => None,
            Language::Ar => arabic_sign(currency).map(|_| currency.code()),
        }
    }
}

/// An amount without its currency, in every language alike: `1,234.500`.
#[must_use]
pub fn digits(money: Money) -> String {
    split(&money.text()).concat()
}

/// An amount for readers of every language: the code of its currency and the digits, as in English.
#[must_use]
pub fn coded(money: Money) -> String {
    [sign_before(money.currency()), digits(money)].concat()
}

fn sign(currency: Currency, language: Language) -> &'static str {
    match language {
        Language::En => currency.code(),
        Language::Ar => arabic_sign(currency).unwrap_or(currency.code()),
    }
}

fn sign_before(currency: Currency) -> String {
    [currency.code(), " "].concat()
}

/// The whole number of an amount with its separators, and the point with the decimals.
fn split(digits: &str) -> [String; 2] {
    let point = digits.find('.').unwrap_or(digits.len());
    let (whole, fraction) = digits.split_at_checked(point).unwrap_or((digits, ""));
    [thousands(whole), fraction.into()]
}

fn thousands(whole: &str) -> String {
    let mut text = String::new();
    let mut left = whole.len();
    for digit in whole.chars() {
        text.push(digit);
        left = left.saturating_sub(1);
        if left > 0 && left.is_multiple_of(3) {
            text.push(',');
        }
    }
    text
}

/// The local sign of a currency of the Gulf.
fn arabic_sign(currency: Currency) -> Option<&'static str> {
    match currency.code() {
        "KWD" => Some("د.ك"),
        "SAR" => Some("ر.س"),
        "AED" => Some("د.إ"),
        "BHD" => Some("د.ب"),
        "OMR" => Some("ر.ع."),
        "QAR" => Some("ر.ق"),
        _ => None,
    }
}
