//! The way of a browser to the provider of a merchant and back, where a user signs in.
//!
//! Decisions: the browser holds a secret of 256 random bits for ten minutes, and the database its hash only. What the provider
//! gets to repeat (`state`, `nonce`) and what proves that the code is ours (the verifier of PKCE) are derived from the secret, so
//! that nothing of them is stored and an answer counts in the browser that began only. The cookie is `SameSite=Lax`, because the
//! browser comes back from another site; it gives nobody a session.

use alloc::string::String;
use core::fmt;
use core::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::session::{DeskSessionId, SECRET_BYTES, cookie_value};
use crate::value::digest::digest;
use crate::value::id::MerchantId;
use crate::value::sealed::Sealed;
use crate::value::time::Timestamp;
use crate::webhook::signature::hmac_sha256;
use crate::words::Language;

/// For how long the provider may take.
pub(crate) const LIFE: Duration = Duration::from_mins(10);
/// The name of the cookie.
const COOKIE: &str = "__Host-desk-trip";

/// What the browser holds. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct TripSecret(String);

impl TripSecret {
    /// The secret of these random bytes.
    #[must_use]
    pub fn of(random: [u8; SECRET_BYTES]) -> Self {
        Self(URL_SAFE_NO_PAD.encode(random))
    }

    /// The secret in a header `Cookie`, if there is one of the right form.
    #[must_use]
    pub fn of_cookies(header: &str) -> Option<Self> {
        cookie_value(header, COOKIE).map(Self)
    }

    /// The header `Set-Cookie` that gives it to the browser, which drops it by itself: after the trip it is of no use.
    #[must_use]
    pub fn cookie(&self) -> String {
        alloc::format!(
            "{COOKIE}={}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={}",
            self.0,
            LIFE.as_secs()
        )
    }

    /// What names the trip.
    #[must_use]
    pub fn id(&self) -> TripId {
        TripId(digest(&["desk trip", &self.0]))
    }

    fn derived(&self, purpose: &str) -> String {
        URL_SAFE_NO_PAD.encode(hmac_sha256(self.0.as_bytes(), &[b"desk trip ", purpose.as_bytes()]))
    }

    /// What the provider gives back with the browser.
    #[must_use]
    pub(crate) fn state(&self) -> String {
        self.derived("state")
    }

    /// Whether the browser brings back what it took along.
    #[must_use]
    pub(crate) fn is_state(&self, given: &str) -> bool {
        self.state().as_bytes().ct_eq(given.as_bytes()).into()
    }

    /// What the ID token repeats.
    #[must_use]
    pub(crate) fn nonce(&self) -> String {
        self.derived("nonce")
    }

    /// What is given with the code (RFC 7636, 4.1).
    #[must_use]
    pub(crate) fn verifier(&self) -> String {
        self.derived("verifier")
    }

    /// The SHA-256 of the verifier, which the provider gets first (RFC 7636, 4.2).
    #[must_use]
    pub(crate) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier()))
    }
}

impl fmt::Debug for TripSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TripSecret([redacted])")
    }
}

/// What names a trip: the hash of its secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TripId(String);

impl TripId {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A trip as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskTrip {
    /// What names it.
    pub id: TripId,
    /// To whose provider.
    pub merchant: MerchantId,
    /// Which one it is.
    pub issuer: String,
    /// From what device, as its browser says.
    pub device: String,
    /// In which language the desk is shown.
    pub language: Language,
    /// The page to come back to, sealed for the merchant: its address may have what was searched for.
    pub back: Sealed,
    /// The session that the browser had: it goes on if a form waits, and ends otherwise.
    pub session: Option<DeskSessionId>,
    /// The form that waits for a fresh factor, sealed for the merchant.
    pub form: Option<Sealed>,
    /// When it began.
    pub created_at: Timestamp,
}

impl DeskTrip {
    /// Whether it has not taken too long.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        now < self.created_at.plus(LIFE)
    }
}

/// What the means by which someone signed in at a provider (RFC 8176) say about a second factor; `None` if the provider says
/// nothing.
#[must_use]
pub(crate) fn has_second_factor(means: Option<&[String]>) -> Option<bool> {
    /// A factor that is no password: something that someone has or is.
    const FACTORS: [&str; 13] =
        ["mfa", "mca", "otp", "hwk", "swk", "sc", "sms", "tel", "fpt", "face", "iris", "retina", "vbm"];
    means.map(|means| means.iter().any(|one| FACTORS.contains(&one.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_comes_back_from_its_cookie_only() {
        let secret = TripSecret::of([7; SECRET_BYTES]);
        let cookie = secret.cookie();
        assert!(cookie.starts_with("__Host-") && cookie.contains("SameSite=Lax; Max-Age=600"));
        let pair = cookie.split(';').next().unwrap();
        assert_eq!(TripSecret::of_cookies(&alloc::format!("a=b; {pair}")), Some(secret.clone()));
        for other in ["", "__Host-desk-trip=", "__Host-desk-trip=AAAA", "__Host-desk=AAAA"] {
            assert_eq!(TripSecret::of_cookies(other), None, "{other}");
        }
        assert!(!alloc::format!("{secret:?}").contains("Bwc"));
    }

    #[test]
    fn what_the_provider_gets_differs_for_each_use_and_trip() {
        let (one, other) = (TripSecret::of([1; SECRET_BYTES]), TripSecret::of([2; SECRET_BYTES]));
        let derived = [one.state(), one.nonce(), one.verifier(), one.challenge(), other.state()];
        for (place, text) in derived.iter().enumerate() {
            assert_eq!(text.len(), 43);
            assert!(derived.iter().skip(place + 1).all(|later| later != text));
        }
        assert!(one.is_state(&one.state()) && !one.is_state(&other.state()) && !one.is_state(""));
    }

    #[test]
    fn only_what_someone_has_or_is_is_a_second_factor() {
        let said = |means: &[&str]| {
            has_second_factor(Some(&means.iter().map(|one| (*one).into()).collect::<alloc::vec::Vec<_>>()))
        };
        assert_eq!(has_second_factor(None), None);
        assert_eq!(said(&["pwd", "mfa"]), Some(true));
        assert_eq!(said(&["hwk"]), Some(true));
        for weak in [&["pwd"][..], &[], &["pin", "kba"], &["user", "geo"], &["MFA"]] {
            assert_eq!(said(weak), Some(false), "{weak:?}");
        }
    }
}
