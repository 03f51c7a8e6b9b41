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
use crate::value::slot::{Leading, Slot, Slotted};
use crate::webhook::signature::hmac_sha256;

/// The digits of a token after its slot: 128 bits in hexadecimal digits.
const CHARS: usize = 32;
/// How a token carries the slot of its transaction.
const FORM: Leading = Leading::marked(CHARS);

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
        let mut digits = hex::encode(digest);
        digits.truncate(CHARS);
        Self { text: FORM.write(session_id.slot(), &digits) }
    }

    /// Exactly 32 digits of `0-9a-f`, after a slot if there is one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let (_, digits) = FORM.read(text)?;
        digits.bytes().all(is_digit).then(|| Self { text: text.into() })
    }

    /// Whether it is the token of this attempt. Compares in constant time.
    #[must_use]
    pub fn is_of(&self, session_id: &SessionId, reference: &ReferenceNumber) -> bool {
        let is_equal: bool =
            Self::of(session_id, reference).digits().as_bytes().ct_eq(self.digits().as_bytes()).into();
        is_equal && self.slot() == session_id.slot()
    }

    /// What is unguessable.
    fn digits(&self) -> &str {
        FORM.read(&self.text).map_or("", |(_, digits)| digits)
    }

    /// The text, as it is in the address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl Slotted for ReturnToken {
    fn slot(&self) -> Slot {
        FORM.slot(&self.text)
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
        let [reference, other_reference] =
            [3, 4].map(|byte| ReferenceNumber::generate("", Slot::FIRST, [byte; 8]));
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
        let token = ReturnToken::of(
            &SessionId::generate(0, [7; 19]),
            &ReferenceNumber::generate("", Slot::FIRST, [3; 8]),
        );
        assert!(!alloc::format!("{token:?}").contains(token.as_str()));
    }
}
