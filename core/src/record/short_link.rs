//! Short addresses of the checkout page and of an attachment.
//!
//! A code refers to a transaction and to its page or its file, never to an address that someone stored: it
//! leads only to the installation itself.

use crate::words::word_list;
use alloc::string::String;

use crate::value::id::{MerchantId, SessionId};

/// The characters of a code.
const CHARS: usize = 10;
/// Digits and letters.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A code: 10 digits and letters, 59 random bits. Anyone who knows it may open the page, so it must not be
/// guessable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShortCode(String);

impl ShortCode {
    /// What the text matches, as a regular expression for the API description.
    pub const PATTERN: &'static str = "^[0-9A-Za-z]{10}$";

    /// A new code.
    #[must_use]
    pub fn generate(random: [u8; 16]) -> Self {
        let mut rest = u128::from_be_bytes(random);
        let mut text = String::with_capacity(CHARS);
        for _ in 0..CHARS {
            let digit = usize::try_from(rest.checked_rem(62).unwrap_or(0)).ok();
            rest = rest.checked_div(62).unwrap_or(0);
            text.extend(digit.and_then(|digit| ALPHABET.get(digit)).map(|letter| char::from(*letter)));
        }
        Self(text)
    }

    /// Exactly 10 digits and letters.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_code = text.len() == CHARS && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_code.then(|| Self(text.into()))
    }

    /// The text on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
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
        assert_eq!(ShortCode::generate([0; 16]).as_str(), "0000000000");
        let code = ShortCode::generate([255; 16]);
        assert_eq!(ShortCode::parse(code.as_str()), Some(code));
        for text in ["", "abc", "abcdefghi-", "abcdefghij1", "abcdefghi\u{e9}"] {
            assert_eq!(ShortCode::parse(text), None, "{text}");
        }
    }

    #[test]
    fn another_draw_is_another_code() {
        let code =
            |first: u8| ShortCode::generate([first, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]).0;
        let mut codes: alloc::vec::Vec<_> = (0..=255).map(code).collect();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), 256);
        assert_eq!(LinkKind::parse(LinkKind::Attachment.as_str()), Some(LinkKind::Attachment));
    }
}
