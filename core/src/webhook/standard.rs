//! Decides the Standard Webhooks headers of a delivery (Standard Webhooks 1.0.0, symmetric and asymmetric signatures).
//!
//! HMAC-SHA256 and Ed25519 over `id.timestamp.body`, so the headers cover the exact bytes that are sent. Every try is
//! signed again with its own time, since receivers refuse times older than five minutes; the id stays the
//! same for all tries of a delivery, so that receivers can drop duplicates.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};

use super::signature::hmac_sha256;
use crate::value::time::Timestamp;

/// The beginning of a signing secret's text.
pub(crate) const SECRET_PREFIX: &str = "whsec_";
/// The fewest random bytes of a signing secret.
pub(crate) const MIN_SECRET_BYTES: usize = 24;
/// The most random bytes of a signing secret.
pub(crate) const MAX_SECRET_BYTES: usize = 64;

/// Why a text or some bytes are not a signing secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The text does not have the form of a secret.
    #[error("a signing secret must be whsec_ followed by base64 with padding")]
    Malformed,
    /// The secret has too few or too many bytes.
    #[error("a signing secret must have 24 to 64 bytes")]
    Length,
}

/// A receiver's signing secret: 24 to 64 random bytes, written `whsec_<base64>`.
#[derive(Clone)]
pub struct SigningSecret(Vec<u8>);

impl SigningSecret {
    /// Reads `whsec_<base64>`, in the standard alphabet with padding.
    ///
    /// # Errors
    ///
    /// [`SecretError`] when the text has another form or another length.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let encoded = text.strip_prefix(SECRET_PREFIX).ok_or(SecretError::Malformed)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| SecretError::Malformed)?;
        Self::from_bytes(&bytes)
    }

    /// Takes random bytes as a secret.
    ///
    /// # Errors
    ///
    /// [`SecretError::Length`] when they are not 24 to 64.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, SecretError> {
        if (MIN_SECRET_BYTES..=MAX_SECRET_BYTES).contains(&bytes.len()) {
            Ok(Self(bytes.to_vec()))
        } else {
            Err(SecretError::Length)
        }
    }

    /// The text to show to the merchant, once: `whsec_<base64>`.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{SECRET_PREFIX}{}", STANDARD.encode(&self.0))
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningSecret([redacted; {} bytes])", self.0.len())
    }
}

/// The three headers of one try, with lower-case names: `webhook-id`, `webhook-timestamp` (whole seconds
/// since 1970, of this try) and `webhook-signature` (one `v1,<base64>` per secret, joined by single spaces).
///
/// `id` is the delivery's id and has no dot; `body` is what is sent, byte for byte. Several `secrets` are for
/// the time of a rotation, the newest first; with none the signature is empty and no receiver accepts it.
#[must_use]
pub fn headers(
    id: &str,
    at: Timestamp,
    body: &[u8],
    secrets: &[SigningSecret],
) -> [(&'static str, String); 3] {
    let seconds = at.seconds().to_string();
    let signatures: Vec<String> =
        secrets.iter().map(|secret| signature_of(id, &seconds, body, secret)).collect();
    [
        ("webhook-id", id.to_string()),
        ("webhook-timestamp", seconds),
        ("webhook-signature", signatures.join(" ")),
    ]
}

/// The text that a signature covers. An Ed25519 signature of it is added by [`add_asymmetric`].
#[must_use]
pub(crate) fn signed_text(id: &str, at: Timestamp, body: &str) -> String {
    format!("{id}.{}.{body}", at.seconds())
}

/// Adds an Ed25519 signature of [`signed_text`] after those of [`headers`]: ` v1a,<base64>`. Verifiers that know only
/// `v1` pass over it.
pub(crate) fn add_asymmetric(headers: &mut [(&'static str, String); 3], signature: &[u8]) {
    let [_, _, (_, list)] = headers;
    if !list.is_empty() {
        list.push(' ');
    }
    list.push_str("v1a,");
    list.push_str(&STANDARD.encode(signature));
}

fn signature_of(id: &str, seconds: &str, body: &[u8], secret: &SigningSecret) -> String {
    let digest = hmac_sha256(&secret.0, &[id.as_bytes(), b".", seconds.as_bytes(), b".", body]);
    format!("v1,{}", STANDARD.encode(digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const BODY: &[u8] = br#"{"test": 2432232314}"#;

    fn at() -> Timestamp {
        Timestamp::from_millis(1_614_265_330_999)
    }

    /// The known answer that the libraries of Standard Webhooks publish.
    #[test]
    fn the_published_example_gets_its_published_signature() {
        let headers = headers(ID, at(), BODY, &[SigningSecret::parse(SECRET).unwrap()]);
        assert_eq!(headers[0], ("webhook-id", ID.to_string()));
        assert_eq!(headers[1], ("webhook-timestamp", "1614265330".to_string()));
        assert_eq!(
            headers[2],
            ("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=".to_string())
        );
    }

    /// The second digest was computed with Python's `hmac`; that secret is the bytes 0 to 31.
    #[test]
    fn two_secrets_give_two_signatures_with_one_blank_between() {
        let second = SigningSecret::parse("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").unwrap();
        let [_, _, (_, signature)] =
            headers(ID, at(), BODY, &[SigningSecret::parse(SECRET).unwrap(), second]);
        assert_eq!(
            signature,
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,O4Gjv1HqPqsMrjmczoggs/sWA8gZD0VyHG+fLh4+ktI="
        );
    }

    #[test]
    fn an_ed25519_signature_follows_those_of_the_secrets() {
        let mut signed = headers(ID, at(), BODY, &[SigningSecret::parse(SECRET).unwrap()]);
        add_asymmetric(&mut signed, &[0xff; 3]);
        assert_eq!(signed[2].1, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,////");
        let mut alone = headers(ID, at(), BODY, &[]);
        add_asymmetric(&mut alone, &[0xff; 3]);
        assert_eq!(alone[2].1, "v1a,////");
    }

    #[test]
    fn an_ed25519_signature_covers_the_same_text() {
        assert_eq!(signed_text("evt_1", at(), r#"{"a":1}"#), r#"evt_1.1614265330.{"a":1}"#);
    }

    #[test]
    fn another_time_gives_another_signature_under_the_same_id() {
        let secrets = [SigningSecret::parse(SECRET).unwrap()];
        let [first_id, _, first] = headers(ID, at(), BODY, &secrets);
        let [second_id, _, second] = headers(ID, Timestamp::from_millis(1_614_265_331_000), BODY, &secrets);
        assert_eq!(first_id, second_id);
        assert_ne!(first, second);
    }

    #[test]
    fn a_secret_prints_as_it_was_read() {
        assert_eq!(SigningSecret::parse(SECRET).unwrap().to_text(), SECRET);
    }

    #[test]
    fn a_secret_has_24_to_64_bytes() {
        for (bytes, fits) in [(0, false), (23, false), (24, true), (64, true), (65, false)] {
            let secret = SigningSecret::from_bytes(&[7; 65][..bytes]);
            assert_eq!(secret.map(|_| ()), if fits { Ok(()) } else { Err(SecretError::Length) }, "{bytes}");
        }
    }

    #[test]
    fn a_text_of_another_form_is_not_a_secret() {
        for text in [
            "",
            "whsec_",
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_",
            " whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        ] {
            assert!(SigningSecret::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn debug_does_not_show_the_secret() {
        let shown = format!("{:?}", SigningSecret::parse(SECRET).unwrap());
        assert_eq!(shown, "SigningSecret([redacted; 24 bytes])");
    }
}
