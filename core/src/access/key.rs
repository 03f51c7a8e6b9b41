//! Decides the form of API keys and how a key is compared with its stored hash.
//!
//! A private key is `<prefix>.<secret>`, 8 and 32 letters or digits; a public key is 40 lower-case
//! hexadecimal digits whose first 8 are its prefix. A key is found by its prefix and verified by its SHA-256;
//! the text itself is shown once and never stored. A plain hash is enough because the text is random and
//! long.
//!
//! A private key begins with `till` and ends with a check part: six letters that are the CRC-32 of all that precedes them. A
//! scanner of published code recognises such a key, and knows without asking whether it is one; a key that was typed or
//! copied wrongly is refused without asking the store. Keys that begin otherwise have no check part.
//!
//! After the prefix (and its dot) a key has two digits that name its slot. Lengths and alphabets of keys are published, so that no mark
//! can say so: the check part of the slot does, the CRC-32 of what precedes it, in a private key before the check part of the
//! whole, in a public key at its end. A key without it means the first slot; one of four thousand million such keys seems to
//! have it.

use crate::words::word_list;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crc::{CRC_32_ISO_HDLC, Crc};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::value::slot::{Slot, Slotted};

/// The characters of a prefix, of either kind.
pub(crate) const PREFIX_CHARS: usize = 8;
/// The characters of a private key's secret, after the dot.
pub(crate) const SECRET_CHARS: usize = 32;
/// The characters of a public key.
pub(crate) const PUBLIC_CHARS: usize = 40;

/// How a private key begins.
const MARK: &str = "till";
/// The characters of the check part, with which a private key ends.
const CHECK_CHARS: usize = 6;
/// The characters of a private key before its check part.
const CHECKED_CHARS: usize = PREFIX_CHARS + 1 + SECRET_CHARS - CHECK_CHARS;
/// The characters of a private key before the check part of its slot.
const SLOTTED_CHARS: usize = CHECKED_CHARS - CHECK_CHARS;
/// The digits of a public key before the check part of its slot.
const PUBLIC_SLOTTED_CHARS: usize = PUBLIC_CHARS - 8;
/// Where the slot of a private key is: after its prefix and the dot.
const PRIVATE_SLOT: Range<usize> = PREFIX_CHARS + 1..PREFIX_CHARS + 1 + Slot::CHARS;
/// Where the slot of a public key is: after its prefix.
const PUBLIC_SLOT: Range<usize> = PREFIX_CHARS..PREFIX_CHARS + Slot::CHARS;
static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The largest multiple of 62 in a byte. Bytes from here on are generated again, otherwise the first letters
/// of the alphabet would come more often than the rest.
const UNBIASED: u8 = 248;

word_list! {
    /// What a key may be used for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum KeyKind {
        /// Stored by the merchant's servers; every public endpoint.
        Private = "private",
        /// Seen by browsers and apps; the SDK endpoints and client-side wallet payments.
        Public = "public",
    }
}

/// The text of an API key that has the right form. The keyring says whether it is anyone's key.
///
/// There is no `==`: keys are compared by [`ApiKey::matches`].
#[derive(Clone)]
pub struct ApiKey {
    kind: KeyKind,
    text: String,
}

impl ApiKey {
    /// Makes a private key of 40 letters and digits and a dot, 22 of which are random (131 bits).
    ///
    /// `fill` fills a slice with fresh random bytes; it is called until enough of them can be used.
    #[must_use]
    pub(crate) fn generate_private(slot: Slot, fill: &mut impl FnMut(&mut [u8])) -> Self {
        let mut text = String::with_capacity(PREFIX_CHARS + 1 + SECRET_CHARS);
        text.push_str(MARK);
        while text.len() < SLOTTED_CHARS {
            let mut random = [0; 48];
            fill(&mut random);
            for character in random.into_iter().filter_map(base62) {
                if text.len() == PREFIX_CHARS {
                    text.push('.');
                    text.extend(slot.digits());
                }
                if text.len() < SLOTTED_CHARS {
                    text.push(character);
                }
            }
        }
        text.extend(check_part(&text));
        text.extend(check_part(&text));
        Self { kind: KeyKind::Private, text }
    }

    /// Makes a public key of 40 lower-case hexadecimal digits, 30 of which are random (120 bits).
    ///
    /// `fill` fills a slice with fresh random bytes.
    #[must_use]
    pub(crate) fn generate_public(slot: Slot, fill: &mut impl FnMut(&mut [u8])) -> Self {
        let mut random = [0; PUBLIC_SLOTTED_CHARS / 2];
        fill(&mut random);
        let mut text = hex::encode(random);
        text.replace_range(PUBLIC_SLOT, &format!("{slot}"));
        text.push_str(&public_check_part(&text));
        Self { kind: KeyKind::Public, text }
    }

    /// Reads a key of either kind; `None` when the text has the form of neither, or a wrong check part.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let kind = if is_private(text) {
            KeyKind::Private
        } else if is_public(text) {
            KeyKind::Public
        } else {
            return None;
        };
        Some(Self { kind, text: text.into() })
    }

    /// Whether it is a private or a public key.
    #[must_use]
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// The 8 characters that name the key. They are no secret: stored, listed and logged.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.text.get(..PREFIX_CHARS).unwrap_or_default()
    }

    /// The whole key, to show to the merchant once.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The SHA-256 of the whole text, which is stored instead of the key.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.text.as_bytes()).into()
    }

    /// Whether this is the key of a stored hash, in constant time. A stored value of another length than 32
    /// bytes matches no key.
    #[must_use]
    pub fn matches(&self, stored_hash: &[u8]) -> bool {
        self.hash().as_slice().ct_eq(stored_hash).into()
    }
}

impl Slotted for ApiKey {
    fn slot(&self) -> Slot {
        let (slotted_chars, place) = match self.kind {
            KeyKind::Private => (SLOTTED_CHARS, PRIVATE_SLOT),
            KeyKind::Public => (PUBLIC_SLOTTED_CHARS, PUBLIC_SLOT),
        };
        let (slotted, rest) = self.text.split_at_checked(slotted_chars).unwrap_or_default();
        let is_slotted = match self.kind {
            KeyKind::Private => rest.starts_with(check_part(slotted).collect::<String>().as_str()),
            KeyKind::Public => rest == public_check_part(slotted),
        };
        let slot = slotted.get(place).filter(|_| is_slotted).and_then(Slot::parse);
        slot.unwrap_or(Slot::FIRST)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({:?}, [redacted; {} bytes])", self.kind, self.text.len())
    }
}

/// The character of a random byte, or `None` for a byte that has to be generated again.
fn base62(random: u8) -> Option<char> {
    if random >= UNBIASED {
        return None;
    }
    BASE62.get(usize::from(random % 62)).copied().map(char::from)
}

fn is_private(text: &str) -> bool {
    let is_part =
        |part: &str, chars: usize| part.len() == chars && part.bytes().all(|b| b.is_ascii_alphanumeric());
    let has_form = text
        .split_once('.')
        .is_some_and(|(prefix, secret)| is_part(prefix, PREFIX_CHARS) && is_part(secret, SECRET_CHARS));
    let is_checked = || {
        text.split_at_checked(CHECKED_CHARS)
            .is_some_and(|(checked, given)| check_part(checked).eq(given.chars()))
    };
    has_form && (!text.starts_with(MARK) || is_checked())
}

/// The check part of what precedes it: its CRC-32 in base 62, the most significant digit first.
fn check_part(text: &str) -> impl Iterator<Item = char> + use<> {
    let mut rest = CRC.checksum(text.as_bytes());
    let mut digits = ['0'; CHECK_CHARS];
    for digit in digits.iter_mut().rev() {
        let place = usize::try_from(rest % 62).unwrap_or_default();
        *digit = BASE62.get(place).copied().map_or('0', char::from);
        rest /= 62;
    }
    digits.into_iter()
}

/// The check part of the slot of a public key: the CRC-32 of what precedes it in hexadecimal digits.
fn public_check_part(text: &str) -> String {
    format!("{:08x}", CRC.checksum(text.as_bytes()))
}

fn is_public(text: &str) -> bool {
    text.len() == PUBLIC_CHARS && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::*;

    const PRIVATE: &str = "aB3dE6gH.0123456789abcdefghijABCDEFGHIJ45";
    const PUBLIC: &str = "0123456789abcdef0123456789abcdef01234567";

    /// Counts up from `first`, over every value of a byte.
    fn counting(first: u8) -> impl FnMut(&mut [u8]) {
        let mut next = first;
        move |bytes| {
            for byte in bytes {
                *byte = next;
                next = next.wrapping_add(1);
            }
        }
    }

    #[test]
    fn a_key_of_either_kind_is_read_with_its_prefix() {
        let private = ApiKey::parse(PRIVATE).unwrap();
        assert_eq!(
            (private.kind(), private.prefix(), private.text()),
            (KeyKind::Private, "aB3dE6gH", PRIVATE)
        );
        let public = ApiKey::parse(PUBLIC).unwrap();
        assert_eq!((public.kind(), public.prefix(), public.text()), (KeyKind::Public, "01234567", PUBLIC));
    }

    #[test]
    fn a_text_of_another_form_is_no_key() {
        for text in [
            "",
            ".",
            PRIVATE.strip_prefix('a').unwrap(),
            PRIVATE.strip_suffix('5').unwrap(),
            &PRIVATE.replace('.', ""),
            &PRIVATE.replace('.', ".."),
            &PRIVATE.replace('0', "-"),
            &PRIVATE.replace("01", "é"),
            PUBLIC.strip_prefix('0').unwrap(),
            &PUBLIC.to_uppercase(),
            &PUBLIC.replace('a', "g"),
            &format!("{PUBLIC}0"),
            &format!(" {PUBLIC}"),
        ] {
            assert!(ApiKey::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn what_is_generated_is_read_back() {
        for first in 0..=255 {
            let private = ApiKey::generate_private(Slot::FIRST, &mut counting(first));
            assert_eq!(
                ApiKey::parse(private.text()).map(|key| key.kind()),
                Some(KeyKind::Private),
                "{first}"
            );
            let public = ApiKey::generate_public(Slot::FIRST, &mut counting(first));
            assert_eq!(ApiKey::parse(public.text()).map(|key| key.kind()), Some(KeyKind::Public), "{first}");
        }
    }

    #[test]
    fn bytes_without_a_fair_letter_are_generated_again() {
        let mut rounds = 0;
        let key = ApiKey::generate_private(Slot::FIRST, &mut |bytes: &mut [u8]| {
            bytes.fill(if rounds == 0 { 255 } else { 1 });
            rounds += 1;
        });
        assert_eq!(key.text().get(..SLOTTED_CHARS), Some("till1111.00111111111111111111"));
        assert_eq!(rounds, 2);
    }

    /// Computed with `zlib.crc32` of Python.
    #[test]
    fn a_private_key_ends_with_its_check_part() {
        let key = ApiKey::generate_private(Slot::FIRST, &mut |bytes: &mut [u8]| bytes.fill(1));
        assert_eq!(key.text(), "till1111.001111111111111111110Ya1zP4Y9uUW");
    }

    #[test]
    fn a_key_carries_its_slot_after_its_prefix() {
        for slot in (0..=255).map(Slot::from) {
            let private = ApiKey::generate_private(slot, &mut counting(5));
            let public = ApiKey::generate_public(slot, &mut counting(5));
            for key in [private, public] {
                assert_eq!(ApiKey::parse(key.text()).map(|key| key.slot()), Some(slot), "{}", key.text());
            }
        }
    }

    /// Counts the bits that change a key.
    #[test]
    fn what_is_random_in_a_public_key_suffices() {
        let key = |bit: usize| {
            let mut place = bit / 8;
            let key = ApiKey::generate_public(Slot::FIRST, &mut |bytes: &mut [u8]| {
                bytes.fill(0);
                if let Some(byte) = bytes.get_mut(core::mem::replace(&mut place, usize::MAX)) {
                    *byte = 1 << (bit % 8);
                }
            });
            String::from(key.text())
        };
        assert_eq!((0..128).filter(|bit| key(*bit) != key(usize::MAX / 8 * 8)).count(), 120);
    }

    #[test]
    fn a_key_with_any_letter_changed_or_two_exchanged_is_none() {
        let key = ApiKey::generate_private(Slot::FIRST, &mut counting(5));
        let letters: Vec<char> = key.text().chars().collect();
        for place in 4..letters.len() {
            if letters[place] == '.' {
                continue;
            }
            let mut changed = letters.clone();
            changed[place] = if letters[place] == 'x' { 'y' } else { 'x' };
            assert!(ApiKey::parse(&changed.iter().collect::<String>()).is_none(), "{place}");
            let mut exchanged = letters.clone();
            exchanged.swap(place, place - 1);
            let is_form = exchanged[PREFIX_CHARS] == '.' && exchanged[..MARK.len()] == letters[..MARK.len()];
            let is_other = exchanged != letters && is_form;
            assert!(!is_other || ApiKey::parse(&exchanged.iter().collect::<String>()).is_none(), "{place}");
        }
    }

    #[test]
    fn every_letter_stands_for_the_same_number_of_bytes() {
        let letters: Vec<char> = (0..=255).filter_map(base62).collect();
        for letter in BASE62.iter().copied().map(char::from) {
            assert_eq!(letters.iter().filter(|&&found| found == letter).count(), 4, "{letter}");
        }
    }

    #[test]
    fn a_key_matches_its_own_hash_and_no_other() {
        let key = ApiKey::parse(PUBLIC).unwrap();
        assert!(key.matches(&key.hash()));
        assert!(!key.matches(&ApiKey::parse(PRIVATE).unwrap().hash()));
        assert!(!key.matches(&key.hash()[..31]));
        assert!(!key.matches(&[]));
    }

    /// Computed with `sha256sum`.
    #[test]
    fn the_hash_is_the_sha_256_of_the_whole_text() {
        assert_eq!(
            hex::encode(ApiKey::parse(PRIVATE).unwrap().hash()),
            "66513adb57b86707971448821b19799b82baab0e3acb5bd489c8c471c4faabf0"
        );
    }

    #[test]
    fn debug_does_not_show_the_key() {
        let shown = format!("{:?} {:?}", ApiKey::parse(PRIVATE).unwrap(), ApiKey::parse(PUBLIC).unwrap());
        assert_eq!(shown, "ApiKey(Private, [redacted; 41 bytes]) ApiKey(Public, [redacted; 40 bytes])");
    }
}
