//! Short addresses of the checkout page and of an attachment.
//!
//! A code refers to a transaction and to its page or its file, never to an address that someone stored: it
//! leads only to the installation itself.

use crate::words::word_list;
use alloc::string::String;

use crate::value::id::{MerchantId, SessionId};
use crate::value::slot::{Leading, Slot, Slotted};

/// The characters of a code after its slot.
const CHARS: usize = 10;
/// How a code carries its slot.
const FORM: Leading = Leading::marked(CHARS);
/// Digits and letters.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A code: its slot, and 10 digits and letters (59 random bits). Anyone who knows it may open the page, so it must not be
/// guessable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShortCode(String);

impl ShortCode {
    /// What the text matches, as a regular expression for the API description.
    pub const PATTERN: &'static str = "^(x[0-9a-f]{2})?[0-9A-Za-z]{10}$";

    /// A new code in a slot.
    #[must_use]
    pub fn generate(slot: Slot, random: [u8; 16]) -> Self {
        let mut rest = u128::from_be_bytes(random);
        let mut text = String::with_capacity(CHARS);
        for _ in 0..CHARS {
            let digit = usize::try_from(rest.checked_rem(62).unwrap_or(0)).ok();
            rest = rest.checked_div(62).unwrap_or(0);
            text.extend(digit.and_then(|digit| ALPHABET.get(digit)).map(|letter| char::from(*letter)));
        }
        Self(FORM.write(slot, &text))
    }

    /// Exactly 10 digits and letters, after a slot if there is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (_, code) = FORM.read(text)?;
        code.bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| Self(text.into()))
    }

    /// The text on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Slotted for ShortCode {
    fn slot(&self) -> Slot {
        FORM.slot(&self.0)
    }
}

word_list! {
    /// To which part of a transaction a short address leads.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum LinkKind {
        /// The checkout page.
        Checkout = "checkout",
        /// The attachment that the transaction has when the address is opened.
        Attachment = "attachment",
    }
}

/// A short address. A transaction has at most one of each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShortLink {
    /// Its code.
    pub code: ShortCode,
    /// What it leads to.
    pub kind: LinkKind,
    /// The merchant.
    pub merchant: MerchantId,
    /// The transaction.
    pub session_id: SessionId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_ten_digits_and_letters() {
        assert_eq!(ShortCode::generate(Slot::FIRST, [0; 16]).as_str(), "x000000000000");
        let code = ShortCode::generate(Slot::FIRST, [255; 16]);
        assert_eq!(ShortCode::parse(code.as_str()), Some(code));
        for text in ["", "abc", "abcdefghi-", "abcdefghij1", "abcdefghi\u{e9}"] {
            assert_eq!(ShortCode::parse(text), None, "{text}");
        }
    }

    #[test]
    fn another_draw_is_another_code() {
        let code = |first: u8| {
            ShortCode::generate(Slot::FIRST, [first, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]).0
        };
        let mut codes: alloc::vec::Vec<_> = (0..=255).map(code).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), 256);
        assert_eq!(LinkKind::parse(LinkKind::Attachment.as_str()), Some(LinkKind::Attachment));
    }
}
