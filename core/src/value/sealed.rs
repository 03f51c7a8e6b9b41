//! A secret in its stored form: `v2.`, the id of the key that sealed it, a dot, and base64. Secrets that were sealed
//! before keys had ids are `v1.` and base64.

use alloc::string::String;

use sha2::{Digest, Sha256};

const WITH_KEY: &str = "v2.";
const WITHOUT_KEY: &str = "v1.";
/// The digits of a key's id.
const ID_CHARS: usize = 8;
/// The fewest characters of the base64: an empty secret has a nonce and a tag, 28 bytes.
const MIN_CHARS: usize = 40;

/// A secret that only the installation can open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed(pub String);

impl Sealed {
    /// The stored form of what a key has sealed.
    #[must_use]
    pub fn under(key: &SealKeyId, base64: &str) -> Self {
        Self([WITH_KEY, key.as_str(), ".", base64].concat())
    }

    /// A text that has the form of a sealed secret; `None` for any other text.
    #[must_use]
    pub fn recognise(text: &str) -> Option<Self> {
        let sealed = Self(text.into());
        let (_, base64) = sealed.parts()?;
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
        (base64.len() >= MIN_CHARS && base64.bytes().all(is_base64)).then_some(sealed)
    }

    /// The key that sealed it, unless it was sealed before keys had ids, and the base64; `None` if it has another form.
    #[must_use]
    pub fn parts(&self) -> Option<(Option<SealKeyId>, &str)> {
        if let Some(base64) = self.0.strip_prefix(WITHOUT_KEY) {
            return Some((None, base64));
        }
        let (id, base64) = self.0.strip_prefix(WITH_KEY)?.split_once('.')?;
        Some((Some(SealKeyId::parse(id)?), base64))
    }

    /// Whether this key has sealed it.
    #[must_use]
    pub fn is_under(&self, key: &SealKeyId) -> bool {
        self.parts().is_some_and(|(sealed_by, _)| sealed_by.as_ref() == Some(key))
    }
}

/// The id of a key that seals: 8 hexadecimal digits, which follow from the key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SealKeyId(String);

impl SealKeyId {
    /// The id of a key: of its SHA-256 the first digits, which reveal nothing about 32 random bytes.
    #[must_use]
    pub fn of(key: &[u8; 32]) -> Self {
        let digest = Sha256::new().chain_update("till seal key").chain_update(key).finalize();
        let mut id = hex::encode(digest);
        id.truncate(ID_CHARS);
        Self(id)
    }

    /// Reads an id.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == ID_CHARS && text.bytes().all(is_digit)).then(|| Self(text.into()))
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_under_a_key_names_it() {
        let (one, two) = (SealKeyId::of(&[1; 32]), SealKeyId::of(&[2; 32]));
        assert_ne!(one, two);
        assert_eq!(SealKeyId::parse(one.as_str()), Some(one.clone()));
        let base64 = "A".repeat(40);
        let sealed = Sealed::under(&one, &base64);
        assert_eq!(sealed.parts(), Some((Some(one.clone()), base64.as_str())));
        assert!(sealed.is_under(&one) && !sealed.is_under(&two));
        let before = Sealed(["v1.", &base64].concat());
        assert_eq!(before.parts(), Some((None, base64.as_str())));
        assert!(!before.is_under(&one));
    }

    #[test]
    fn only_what_has_the_form_of_a_sealed_secret_is_recognised() {
        let base64 = "aB3+/4==".repeat(5);
        for text in [["v1.", &base64].concat(), ["v2.0a1b2c3d.", &base64].concat()] {
            assert_eq!(Sealed::recognise(&text), Some(Sealed(text.clone())), "{text}");
        }
        for text in ["", "v1.", "v1.short", "v2.0a1b2c3d.", "name", &base64] {
            assert_eq!(Sealed::recognise(text), None, "{text}");
        }
        for prefix in ["v3.", "v2.0A1B2C3D.", "v2.0a1b2c3.", "v2.", "v1.a b", " v1."] {
            let text = [prefix, &base64].concat();
            assert_eq!(Sealed::recognise(&text), None, "{text}");
        }
    }
}
