//! Decides the `signature` field of webhooks and API answers.
//!
//! HMAC-SHA256 with the merchant's HMAC key over the names and values of 18 top-level text fields, printed as
//! 64 lower-case hexadecimal digits. Everything else in the body, including `fee` and `session_id`, is not
//! signed; the Standard Webhooks headers ([`super::standard`]) cover the exact bytes.
//!
//! ```
//! use checkout_core::webhook::signature;
//!
//! let body = r#"{"amount":"86.000","currency_code":"KWD","customer_first_name":"example-customer"}"#;
//! let digest = signature::sign_json(body, "pu9MpX3yPR");
//! assert_eq!(digest.as_deref(), Ok("6143b8ad4bd283540721ab000f6de746e722231aaaa90bc38f639081d3ff9f67"));
//! ```

use alloc::{collections::BTreeMap, string::String};

use hmac::digest::Key;
use hmac::{Hmac, Mac};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The signed fields, in the order in which they are signed (ascending by name).
pub const SIGNED_FIELDS: [&str; 18] = [
    "amount",
    "currency_code",
    "customer_address_city",
    "customer_address_country",
    "customer_address_line1",
    "customer_address_line2",
    "customer_address_postal_code",
    "customer_address_state",
    "customer_email",
    "customer_first_name",
    "customer_last_name",
    "customer_phone",
    "gateway_account",
    "gateway_name",
    "order_no",
    "reference_number",
    "result",
    "state",
];

/// Why a body cannot be signed. Bodies are our own, so either is a defect in the code that wrote the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The body is not one JSON object.
    #[error("a signed body must be a JSON object")]
    NotAnObject,
    /// A signed field is a number, a boolean, an array or an object. Receivers convert those to text by the
    /// rules of their programming language, so the digests would differ.
    #[error("the signed field {field} must be text or null")]
    NotText {
        /// The name of the field, one of [`SIGNED_FIELDS`].
        field: &'static str,
    },
}

/// Signs the fields that `value_of` finds, with the merchant's HMAC key; 64 lower-case hexadecimal digits.
///
/// `value_of` is asked once for each of [`SIGNED_FIELDS`]. A field that is absent or empty is left out; the
/// text `0` is a value like any other.
#[must_use]
pub fn sign<'v>(value_of: impl Fn(&str) -> Option<&'v str>, key: &str) -> String {
    let mut mac = keyed(key.as_bytes());
    for name in SIGNED_FIELDS {
        if let Some(value) = value_of(name).filter(|value| !value.is_empty()) {
            mac.update(name.as_bytes());
            mac.update(value.as_bytes());
        }
    }
    hex::encode(mac.finalize().into_bytes())
}

/// Signs the top-level fields of a serialised body; 64 lower-case hexadecimal digits.
///
/// A `signature` that the body already has does not change the result.
///
/// # Errors
///
/// [`SignatureError`] when the body is not an object, or a signed field is neither text nor null.
pub fn sign_json(body: &str, key: &str) -> Result<String, SignatureError> {
    let values = signed_values(body)?;
    Ok(sign(|name| values.get(name).map(String::as_str), key))
}

/// Whether the `signature` field of a serialised body is the one of its other fields with this key.
///
/// Compares in constant time. A body that cannot be signed, or has no signature, is not verified.
#[must_use]
pub fn verify(body: &str, key: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct SignedBody {
        signature: String,
    }
    let Ok(SignedBody { signature }) = serde_json::from_str(body) else { return false };
    sign_json(body, key).is_ok_and(|expected| expected.as_bytes().ct_eq(signature.as_bytes()).into())
}

/// HMAC-SHA256 of the parts, one after the other, with a key of any length.
#[must_use]
pub fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = keyed(key);
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// The state of HMAC-SHA256 with a key: its block is the key, or the digest of one that is longer, and zeros after it
/// (RFC 2104).
fn keyed(key: &[u8]) -> Hmac<Sha256> {
    let mut block = Key::<Hmac<Sha256>>::default();
    let digest;
    let key = if key.len() > block.len() {
        digest = Sha256::digest(key);
        digest.as_slice()
    } else {
        key
    };
    block.iter_mut().zip(key).for_each(|(place, byte)| *place = *byte);
    Hmac::new(&block)
}

/// The text values of a body's signed fields.
fn signed_values(body: &str) -> Result<BTreeMap<&'static str, String>, SignatureError> {
    let fields: BTreeMap<String, &RawValue> =
        serde_json::from_str(body).map_err(|_| SignatureError::NotAnObject)?;
    let mut values = BTreeMap::new();
    for field in SIGNED_FIELDS {
        if let Some(raw) = fields.get(field) {
            let value: Option<String> =
                serde_json::from_str(raw.get()).map_err(|_| SignatureError::NotText { field })?;
            if let Some(value) = value {
                values.insert(field, value);
            }
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn the_signed_fields_are_in_ascending_order() {
        assert!(SIGNED_FIELDS.is_sorted());
    }

    #[test]
    fn sign_and_sign_json_agree() {
        let body = r#"{"state":"paid","amount":"1.000","fee":"0.250 KWD","order_no":""}"#;
        let by_fields = sign(
            |name| match name {
                "amount" => Some("1.000"),
                "state" => Some("paid"),
                "order_no" => Some(""),
                _ => None,
            },
            "test-key",
        );
        assert_eq!(sign_json(body, "test-key"), Ok(by_fields));
    }

    #[test]
    fn a_signed_field_that_is_a_number_is_refused_by_name() {
        let refused = sign_json(r#"{"amount":1}"#, "test-key");
        assert_eq!(refused, Err(SignatureError::NotText { field: "amount" }));
    }

    #[test]
    fn an_unsigned_field_may_have_any_type() {
        assert_eq!(sign_json(r#"{"is_sandbox":true,"extra":{"a":[1]}}"#, "k"), sign_json("{}", "k"));
    }

    #[test]
    fn a_body_that_is_not_an_object_is_refused() {
        for body in ["", "[]", "null", "\"text\"", "{"] {
            assert_eq!(sign_json(body, "test-key"), Err(SignatureError::NotAnObject), "{body}");
        }
    }

    #[test]
    fn escapes_in_the_body_are_signed_as_the_text_they_stand_for() {
        let escaped = sign_json(r#"{"customer_first_name":"\u0645\"","amount":"1"}"#, "k");
        let plain = sign(
            |name| match name {
                "amount" => Some("1"),
                "customer_first_name" => Some("م\""),
                _ => None,
            },
            "k",
        );
        assert_eq!(escaped, Ok(plain));
    }

    #[test]
    fn a_body_verifies_with_its_signature_and_not_with_another_value_or_key() {
        let digest = sign_json(r#"{"amount":"1.000"}"#, "test-key").unwrap();
        let body = format!(r#"{{"amount":"1.000","signature":"{digest}"}}"#);
        assert!(verify(&body, "test-key"));
        assert!(!verify(&body, "other-key"));
        assert!(!verify(&body.replace("1.000", "9.000"), "test-key"));
        assert!(!verify(r#"{"amount":"1.000"}"#, "test-key"));
        assert!(!verify(&body.to_uppercase(), "test-key"));
    }

    /// Digests computed with Python's `hmac`.
    #[test]
    fn hmac_takes_keys_of_any_length() {
        let none = hmac_sha256(b"", &[b"no key"]);
        assert_eq!(hex::encode(none), "361d4a2a0ab0e4000a7b58984bff4b5c2f863bd6af493de112b2510370a360a8");
        let block = hmac_sha256(&[b'k'; 64], &[b"a key of one block"]);
        assert_eq!(hex::encode(block), "87d4475d303a1ffef49cdd952afe3446f8725596e02389e6edaa379cca48c52b");
        let short = hmac_sha256(b"key", &[b"The quick brown fox ", b"jumps over the lazy dog"]);
        assert_eq!(hex::encode(short), "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
        let long = hmac_sha256(&[b'k'; 80], &[b"long key"]);
        assert_eq!(hex::encode(long), "572fc1a349b815a1f60f3069e4a7a345fa1348ce5db04892ffbd58a76eacc47a");
    }
}
