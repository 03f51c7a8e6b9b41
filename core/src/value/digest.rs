//! The name of something that is counted or compared and must not be readable where that is stored.

use alloc::string::String;

use sha2::{Digest, Sha256};

/// The SHA-256 of texts, each with its length, in hexadecimal digits: other texts have another one, wherever one ends and
/// the next begins.
#[must_use]
pub fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hex::encode(hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn texts_that_end_elsewhere_are_other_texts() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&["a"]), digest(&["a", ""]));
        assert_eq!(digest(&["a", "b"]).len(), 64);
    }
}
