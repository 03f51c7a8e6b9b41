//! The unguessable part of the address at which a payer's browser comes back from a gateway.
//!
//! A reference number is printed on receipts and read out on the phone, so it must not open anything. The
//! token is made from the session id, which is known only to those who may see the payment, and from the
//! reference of the attempt: nothing is stored for it, no key has to be rotated, and a gateway that is given
//! the address learns nothing about the session id.

use alloc::string::String;
use core::fmt;

use subtle::ConstantTimeEq;

use crate::value::id::{ReferenceNumber, SessionId};
use crate::webhook::signature::hmac_sha256;

/// The digits of a token: 128 bits in hexadecimal digits.
const CHARS: usize = 32;

/// The token of one attempt.
#[derive(Clone, PartialEq, Eq)]
pub struct ReturnToken {
    text: String,
}

impl ReturnToken {
    /// The token of an attempt of a transaction.
    #[must_use]
    pub fn of(session_id: &SessionId, reference: &ReferenceNumber) -> Self {
        let digest =
            hmac_sha256(session_id.as_str().as_bytes(), &[b"return:", reference.as_str().as_bytes()]);
        Self { text: hex::encode(digest).chars().take(CHARS).collect() }
    }

    /// Exactly 32 digits of `0-9a-f`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == CHARS && text.bytes().all(is_digit)).then(|| Self { text: text.into() })
    }

    /// Whether it is the token of this attempt. Compares in constant time.
    #[must_use]
    pub(crate) fn is_of(&self, session_id: &SessionId, reference: &ReferenceNumber) -> bool {
        Self::of(session_id, reference).text.as_bytes().ct_eq(self.text.as_bytes()).into()
    }

    /// The text, as it is in the address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for ReturnToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_of_one_attempt_of_one_transaction() {
        let [session, other_session] = [7, 8].map(|byte| SessionId::generate(0, [byte; 19]));
        let [reference, other_reference] = [3, 4].map(|byte| ReferenceNumber::generate("", [byte; 8]));
        let token = ReturnToken::of(&session, &reference);
        assert_eq!(ReturnToken::parse(token.as_str()), Some(token.clone()));
        assert!(token.is_of(&session, &reference));
        assert!(!token.is_of(&other_session, &reference));
        assert!(!token.is_of(&session, &other_reference));
        assert!(!session.as_str().contains(token.as_str()), "the session id cannot be read from it");
    }

    #[test]
    fn a_token_has_exactly_its_digits() {
        for text in [
            "",
            "0123456789abcdef0123456789abcde",
            "0123456789ABCDEF0123456789abcdef",
            "0123456789abcdef0123456789abcdef0",
        ] {
            assert_eq!(ReturnToken::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_token_is_not_printed() {
        let token = ReturnToken::of(&SessionId::generate(0, [7; 19]), &ReferenceNumber::generate("", [3; 8]));
        assert!(!alloc::format!("{token:?}").contains(token.as_str()));
    }
}
