//! Codes of an authenticator app (RFC 6238: HMAC with SHA-1, 30 seconds, six digits).

use alloc::format;
use alloc::string::String;
use core::fmt;

use hmac::{Hmac, Mac};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha1::Sha1;
use subtle::ConstantTimeEq;

use crate::value::time::Timestamp;

/// The bytes of a secret, as many as SHA-1 makes (RFC 4226, 4).
pub(crate) const SECRET_BYTES: usize = 20;
/// For how many seconds a code is valid.
const STEP_SECONDS: i64 = 30;
/// The letters of base32 (RFC 4648).
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A secret that an authenticator app shares. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; SECRET_BYTES]);

impl TotpSecret {
    /// The secret of these random bytes.
    #[must_use]
    pub(crate) const fn of(random: [u8; SECRET_BYTES]) -> Self {
        Self(random)
    }

    /// The secret in its stored form.
    #[must_use]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        hex::decode(text).ok()?.try_into().ok().map(Self)
    }

    /// The stored form.
    #[must_use]
    pub(crate) fn text(&self) -> String {
        hex::encode(self.0)
    }

    /// What a person types into an app that cannot read the picture, in groups of four.
    #[must_use]
    pub fn readable(&self) -> String {
        let letters = base32(&self.0);
        let mut text = String::new();
        for (place, letter) in letters.chars().enumerate() {
            if place > 0 && place.is_multiple_of(4) {
                text.push(' ');
            }
            text.push(letter);
        }
        text
    }

    /// What the app reads from a picture: for whom the secret is, and at whose desk.
    #[must_use]
    pub fn address(&self, issuer: &str, account: &str) -> String {
        let encoded = |text: &str| format!("{}", utf8_percent_encode(text, NON_ALPHANUMERIC));
        let (issuer, account) = (encoded(issuer), encoded(account));
        format!(
            "otpauth://totp/{issuer}:{account}?secret={}&issuer={issuer}&algorithm=SHA1&digits=6&period=30",
            base32(&self.0)
        )
    }

    /// The step whose code this is: that of the moment, the one before or the one after, because clocks differ.
    #[must_use]
    pub(crate) fn step_of(&self, code: &str, now: Timestamp) -> Option<i64> {
        let present = now.seconds().div_euclid(STEP_SECONDS);
        let near = [present, present.saturating_sub(1), present.saturating_add(1)];
        near.into_iter().find(|step| {
            let expected = format!("{:06}", number(&self.0, *step) % 1_000_000);
            bool::from(expected.as_bytes().ct_eq(code.as_bytes()))
        })
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret([redacted])")
    }
}

/// The number from whose end a code is taken (RFC 4226, 5.3).
fn number(secret: &[u8], step: i64) -> u32 {
    let Ok(mut mac) = <Hmac<Sha1> as Mac>::new_from_slice(secret) else { return 0 };
    mac.update(&step.to_be_bytes());
    let digest: [u8; 20] = mac.finalize().into_bytes().into();
    let [.., last] = digest;
    let from = usize::from(last & 15);
    let four = digest.iter().skip(from).take(4);
    four.fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff
}

/// Bytes in base32, without padding.
pub(crate) fn base32(bytes: &[u8]) -> String {
    let (mut held, mut bits, mut text) = (0_u32, 0_u32, String::new());
    for byte in bytes {
        held = (held << 8 | u32::from(*byte)) & 0xffff;
        bits = bits.saturating_add(8);
        while bits >= 5 {
            bits = bits.saturating_sub(5);
            push(&mut text, held >> bits);
        }
    }
    if bits > 0 {
        push(&mut text, held << 5_u32.saturating_sub(bits));
    }
    text
}

fn push(text: &mut String, five: u32) {
    let letter = usize::try_from(five & 31).ok().and_then(|place| BASE32.get(place));
    text.extend(letter.map(|letter| char::from(*letter)));
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: &[u8; 20] = b"12345678901234567890";

    /// RFC 6238, appendix B.
    #[test]
    fn the_codes_are_those_of_the_standard() {
        for (seconds, code) in [
            (59, 94_287_082),
            (1_111_111_109, 7_081_804),
            (1_111_111_111, 14_050_471),
            (1_234_567_890, 89_005_924),
            (2_000_000_000, 69_279_037),
            (20_000_000_000, 65_353_130),
        ] {
            assert_eq!(number(SEED, seconds / STEP_SECONDS) % 100_000_000, code, "{seconds}");
        }
    }

    /// RFC 4648, section 10.
    #[test]
    fn base32_is_that_of_the_standard() {
        for (bytes, text) in [
            ("", ""),
            ("f", "MY"),
            ("fo", "MZXQ"),
            ("foo", "MZXW6"),
            ("foob", "MZXW6YQ"),
            ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ] {
            assert_eq!(base32(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn a_code_is_of_its_step_and_its_neighbours_only() {
        let secret = TotpSecret::of(*SEED);
        let at = |seconds: i64| Timestamp::from_millis(seconds * 1_000);
        for (seconds, step) in [(29, Some(1)), (30, Some(1)), (59, Some(1)), (89, Some(1)), (90, None)] {
            assert_eq!(secret.step_of("287082", at(seconds)), step, "{seconds}");
        }
        for other in ["", "28708", "94287082", "287083", "２８７０８２"] {
            assert_eq!(secret.step_of(other, at(59)), None, "{other}");
        }
    }

    #[test]
    fn a_secret_is_read_back_and_not_shown() {
        let secret = TotpSecret::of(*SEED);
        assert_eq!(TotpSecret::parse(&secret.text()).as_ref(), Some(&secret));
        assert_eq!(TotpSecret::parse("00"), None);
        assert_eq!(secret.readable(), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
        assert!(
            secret
                .address("Sara & Co", "sara@shop")
                .starts_with("otpauth://totp/Sara%20%26%20Co:sara%40shop?secret=GEZDGNBV")
        );
        assert_eq!(format!("{secret:?}"), "TotpSecret([redacted])");
    }
}
