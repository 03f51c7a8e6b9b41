//! By what a person looks for a payment: anything that is known of it, in one field.
//!
//! What identifies a payer is looked for by a keyed hash of the whole value, which says nothing without the key: a
//! [`Term`]. It is stored with the payment, so that no search reads the payments themselves.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::value::email::is_email;
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::money::{Currency, Money};
use crate::value::phone::Phone;
use crate::webhook::signature::hmac_sha256;

/// How many bytes of a hash are stored.
const DIGEST_BYTES: usize = 16;

/// What a term is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TermKind {
    /// The payer's e-mail address.
    Email,
    /// The payer's telephone number.
    Phone,
    /// The last four digits of a card.
    Digits,
}

impl TermKind {
    /// The word that is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Digits => "digits",
        }
    }
}

/// One value by which payments of a merchant are found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// What it is of.
    pub kind: TermKind,
    /// The hash of the value, in hexadecimal digits.
    pub digest: String,
}

impl Term {
    /// The term of a value in its one form.
    fn new(key: &[u8], merchant: &MerchantId, kind: TermKind, value: &str) -> Self {
        let parts = [merchant.as_str(), "\n", kind.as_str(), "\n", value].map(str::as_bytes);
        let hash = hmac_sha256(key, &parts);
        Self { kind, digest: hex::encode(hash.get(..DIGEST_BYTES).unwrap_or_default()) }
    }

    /// The term of an e-mail address; `None` if it is none.
    pub(crate) fn of_email(key: &[u8], merchant: &MerchantId, email: &str) -> Option<Self> {
        let email = email.trim();
        is_email(email).then(|| Self::new(key, merchant, TermKind::Email, &email.to_lowercase()))
    }

    /// The term of a telephone number in any notation; `home` is the country of one that does not name its own.
    pub(crate) fn of_phone(key: &[u8], merchant: &MerchantId, phone: &str, home: &str) -> Option<Self> {
        Phone::parse(phone, home).map(|phone| Self::new(key, merchant, TermKind::Phone, &phone.e164()))
    }

    /// The term of the last four digits of a card's number, however the others are masked.
    pub(crate) fn of_card(key: &[u8], merchant: &MerchantId, number: &str) -> Option<Self> {
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        let last = digits.len().checked_sub(4).and_then(|start| digits.get(start..))?;
        Some(Self::new(key, merchant, TermKind::Digits, last))
    }
}

/// What is looked for. A payment is found if it is known by one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentSearch {
    /// What was asked: an order number or a tracking key, as it is.
    pub text: String,
    /// The payment itself, or one of its operations.
    pub session_id: Option<SessionId>,
    /// The name of an attempt or an operation, as receipts show it.
    pub reference: Option<ReferenceNumber>,
    /// The amount.
    pub amount: Option<Money>,
    /// What identifies the payer or the card, under every key by which such terms were stored.
    pub terms: Vec<Term>,
}

impl PaymentSearch {
    /// Reads what was asked.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        Self {
            text: text.to_string(),
            session_id: SessionId::parse(&text.to_ascii_lowercase()),
            reference: ReferenceNumber::parse(&text.to_ascii_uppercase()),
            amount: amount(text),
            terms: Vec::new(),
        }
    }

    /// Adds what identifies a payer of a merchant, hashed under a key; `home` is the merchant's country.
    pub fn add_terms(&mut self, key: &[u8], merchant: &MerchantId, home: &str) {
        let email = Term::of_email(key, merchant, &self.text);
        let phone = Term::of_phone(key, merchant, &self.text, home);
        let card = masked_digits(&self.text).and_then(|digits| Term::of_card(key, merchant, &digits));
        self.terms.extend([email, phone, card].into_iter().flatten());
    }
}

/// An amount with its currency, in either order: `12.500 KWD`.
fn amount(text: &str) -> Option<Money> {
    let mut parts = text.split_whitespace();
    let (first, second) = (parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let read = |number: &str, code: &str| {
        let currency = Currency::parse(&code.to_ascii_uppercase())?;
        Money::parse(number, currency).ok()
    };
    read(first, second).or_else(|| read(second, first))
}

/// Four digits, as they are or behind what hides the others: `**** 1019`.
fn masked_digits(text: &str) -> Option<String> {
    let is_mask = |character: char| matches!(character, '*' | '•' | '·' | 'x' | 'X' | ' ');
    let digits = text.trim_start_matches(is_mask);
    (digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = &[7; 32];

    fn merchant(id: &str) -> MerchantId {
        MerchantId::parse(id).unwrap()
    }

    fn terms(text: &str) -> Vec<TermKind> {
        let mut search = PaymentSearch::read(text);
        search.add_terms(KEY, &merchant("demo"), "KW");
        search.terms.iter().map(|term| term.kind).collect()
    }

    #[test]
    fn what_is_asked_is_read_as_all_that_it_can_be() {
        for (text, kinds) in [
            ("Noor@Example.com", &[TermKind::Email][..]),
            ("+965 5000 1234", &[TermKind::Phone]),
            ("50001234", &[TermKind::Phone]),
            ("1019", &[TermKind::Digits]),
            ("**** 1019", &[TermKind::Digits]),
            ("•••• 1019", &[TermKind::Digits]),
            ("ORDER-1019", &[]),
            ("12.500 KWD", &[]),
            ("10190", &[]),
        ] {
            assert_eq!(terms(text), kinds, "{text}");
        }
        let found = PaymentSearch::read(" 7h3k9m2p4q5r ");
        assert_eq!((found.text.as_str(), found.session_id), ("7h3k9m2p4q5r", None));
        assert_eq!(found.reference, ReferenceNumber::parse("7H3K9M2P4Q5R"));
    }

    #[test]
    fn an_amount_has_its_currency() {
        let minor =
            |text| PaymentSearch::read(text).amount.map(|money| (money.minor(), money.currency().code()));
        for text in ["12.500 KWD", "12.5 kwd", "KWD  12.5"] {
            assert_eq!(minor(text), Some((12_500, "KWD")), "{text}");
        }
        for text in ["12.5", "KWD", "12.5 KWDD", "12,5 KWD", "12.5 KWD x", "12.5555 KWD", "-1 KWD"] {
            assert_eq!(minor(text), None, "{text}");
        }
    }

    #[test]
    fn one_value_has_one_term_in_every_notation_and_another_with_every_merchant_and_key() {
        let demo = merchant("demo");
        let phone = |text| Term::of_phone(KEY, &demo, text, "KW").unwrap();
        for text in ["50001234", "5000 1234", "00965 5000 1234", "+965-5000-1234", "٥٠٠٠١٢٣٤"] {
            assert_eq!(phone(text), phone("+96550001234"), "{text}");
        }
        let email = |key, merchant, text| Term::of_email(key, merchant, text).unwrap();
        let one = email(KEY, &demo, "a@example.com");
        assert_eq!(email(KEY, &demo, "A@EXAMPLE.com"), one);
        assert_eq!(one.digest.len(), 32);
        for other in [
            email(&[8; 32], &demo, "a@example.com"),
            email(KEY, &merchant("other"), "a@example.com"),
            email(KEY, &demo, "b@example.com"),
        ] {
            assert_ne!(other.digest, one.digest);
        }
        let card = |text| Term::of_card(KEY, &demo, text);
        assert_eq!(card("411111******1019"), card("1019"));
        assert_eq!(card("101"), None);
    }
}
