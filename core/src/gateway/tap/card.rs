//! The card of a charge, and the card that Tap has saved.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use super::request::id;
use crate::card::expiry::Expiry;
use crate::card::{BankToken, last_four};
use crate::gateway::charge::CardReport;
use crate::gateway::text::line;
use crate::wire::object::Object;

/// The longest name of a scheme and of a cardholder.
const MAX_BRAND_CHARS: usize = 32;
const MAX_HOLDER_CHARS: usize = 64;
/// How the ids of cards, of customers and of agreements begin.
const CARD: &str = "card_";
const CUSTOMER: &str = "cus_";
const AGREEMENT: &str = "payment_agreement_";

/// What is known of a card.
#[derive(Default)]
pub(super) struct TapCard {
    id: Option<String>,
    first_six: Option<String>,
    last_four: Option<String>,
    brand: Option<String>,
    holder: Option<String>,
    expiry: Option<Expiry>,
}

impl TapCard {
    pub(super) fn read(card: &mut Object<'_>) -> Self {
        let text = |card: &mut Object<'_>, name| card.raw(name).and_then(text_or_number);
        let within = card.object("expiry", |expiry| (text(expiry, "month"), text(expiry, "year")));
        let (month, year) = match within {
            Some(date) => date,
            None => (text(card, "exp_month"), text(card, "exp_year")),
        };
        let scheme = card.optional_text("scheme");
        Self {
            id: card.optional_text("id"),
            first_six: card.optional_text("first_six").filter(|digits| is_digits(digits, 6)),
            last_four: card.optional_text("last_four").filter(|digits| is_digits(digits, 4)),
            brand: scheme.or(card.optional_text("brand")),
            holder: card.optional_text("name"),
            expiry: month.zip(year).and_then(|(month, year)| expiry(&month, &year)),
        }
    }

    /// The number with at most its first six and its last four digits.
    pub(super) fn number(&self) -> Option<String> {
        let last = self.last_four.as_deref()?;
        Some(match self.first_six.as_deref() {
            Some(first) => format!("{first}******{last}"),
            None => format!("************{last}"),
        })
    }

    pub(super) fn brand(&self) -> Option<&str> {
        self.brand.as_deref()
    }

    pub(super) fn expiry(&self) -> Option<Expiry> {
        self.expiry
    }

    pub(super) fn holder(&self) -> Option<String> {
        short(self.holder.as_deref(), MAX_HOLDER_CHARS)
    }

    /// The same, with what another answer says in addition.
    pub(super) fn completed(self, other: Self) -> Self {
        Self { holder: self.holder.or(other.holder), expiry: self.expiry.or(other.expiry), ..self }
    }
}

/// The ids under which a card is charged again.
#[derive(Default)]
pub(super) struct SavedUnder {
    pub(super) customer: Option<String>,
    pub(super) agreement: Option<String>,
}

impl SavedUnder {
    /// The ids of the customer and of the card, if Tap has saved it.
    pub(super) fn ids<'a>(&'a self, card: &'a TapCard) -> Option<(&'a str, &'a str)> {
        let customer = self.customer.as_deref().and_then(|text| id(text, CUSTOMER))?;
        Some((customer, card.id.as_deref().and_then(|text| id(text, CARD))?))
    }

    /// The card that Tap has saved; `None` without the month until which it is valid.
    pub(super) fn report(&self, card: &TapCard) -> Option<Box<CardReport>> {
        let (customer, card_id) = self.ids(card)?;
        let agreement = self.agreement.as_deref().and_then(|text| id(text, AGREEMENT)).unwrap_or_default();
        Some(Box::new(CardReport {
            token: BankToken(format!("{customer}|{card_id}|{agreement}")),
            brand: short(card.brand(), MAX_BRAND_CHARS),
            holder: card.holder(),
            number: card.last_four.as_deref().and_then(last_four),
            expiry: card.expiry?,
        }))
    }
}

/// The parts of the token of a saved card: `cus_…|card_…|payment_agreement_…`, the last of them perhaps empty.
#[derive(Clone, Copy)]
pub(super) struct TapSavedCard<'a> {
    pub(super) customer: &'a str,
    pub(super) card: &'a str,
    pub(super) agreement: Option<&'a str>,
}

impl<'a> TapSavedCard<'a> {
    pub(super) fn of(token: &'a BankToken) -> Option<Self> {
        let mut parts = token.0.split('|');
        let (customer, card, agreement) = (parts.next()?, parts.next()?, parts.next()?);
        parts.next().is_none().then_some(())?;
        Some(Self {
            customer: id(customer, CUSTOMER)?,
            card: id(card, CARD)?,
            agreement: id(agreement, AGREEMENT),
        })
    }
}

/// A text, or a number as it is written.
pub(super) fn text_or_number(raw: &serde_json::value::RawValue) -> Option<String> {
    let text = raw.get();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { Some(text.into()) } else { crate::wire::json::text_of(raw).map(Cow::into_owned) }
}

/// Month and year, of which Tap writes one or two digits, and two or four.
fn expiry(month: &str, year: &str) -> Option<Expiry> {
    let year = year.strip_prefix("20").filter(|rest| rest.len() == 2).unwrap_or(year);
    Expiry::parse(&format!("{month:0>2}"), year)
}

fn is_digits(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn short(text: Option<&str>, max: usize) -> Option<String> {
    Some(text.and_then(line)?.chars().take(max).collect())
}
