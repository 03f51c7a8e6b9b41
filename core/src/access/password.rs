//! Passwords, stored as Argon2id hashes (RFC 9106) in the PHC string format, which names its own parameters, so that
//! stronger ones can be chosen later without a change of what is stored.

use alloc::string::{String, ToString};
use core::fmt;

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};

/// The memory of one hash in KiB.
const MEMORY: u32 = 19_456;
/// How often the memory is passed over.
const PASSES: u32 = 2;
/// The bytes of a salt.
pub(crate) const SALT_BYTES: usize = 16;
/// The fewest characters of a password.
pub(crate) const MIN_CHARS: usize = 12;
/// The most bytes of a password: hashing a longer one would only take time.
pub const MAX_BYTES: usize = 256;

/// The hash of a password that nobody has, with the parameters of a new one: to compare with it takes as long as to compare
/// with the hash of a user.
pub(crate) const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5cyBzYWx0ISEhIQ$gNo7/HvzJOObwWX0Zz9WFVWMMtdUA2rUXHSjHBoU1ww";

/// A password as it was typed. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// A password that a request gives; `None` if it has more bytes than any password.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        (text.len() <= MAX_BYTES).then(|| Self(text.into()))
    }

    /// What was typed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The hash to store; `None` if it cannot be computed.
    #[must_use]
    pub fn hash(&self, salt: &[u8; SALT_BYTES]) -> Option<String> {
        let params = Params::new(MEMORY, PASSES, 1, None).ok()?;
        let salt = SaltString::encode_b64(salt).ok()?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        argon2.hash_password(self.0.as_bytes(), &salt).ok().map(|hash| hash.to_string())
    }

    /// Whether this is the password of a stored hash. A hash that cannot be read is of no password.
    #[must_use]
    pub fn matches(&self, stored: &str) -> bool {
        let verify = |hash| Argon2::default().verify_password(self.0.as_bytes(), &hash).is_ok();
        PasswordHash::new(stored).is_ok_and(verify)
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Password([redacted; {} bytes])", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_matches_its_own_hash_and_no_other() {
        let password = Password::of("correct horse battery").unwrap();
        let hash = password.hash(&[7; SALT_BYTES]).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(password.matches(&hash));
        assert!(!Password::of("correct horse batterz").unwrap().matches(&hash));
        assert_ne!(password.hash(&[8; SALT_BYTES]).unwrap(), hash, "another salt");
    }

    /// Written by the reference implementation: `argon2 "somesalt16bytes!" -id -t 2 -k 19456 -p 1 -e`.
    #[test]
    fn the_hash_of_another_implementation_is_read() {
        let hash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQxNmJ5dGVzIQ$W7E+NOcvUtK6WEYZbOnv0kZnNMjAXzWSAk4+lsPUvss";
        assert!(Password::of("password of the reference").unwrap().matches(hash));
        assert!(!Password::of("Password of the reference").unwrap().matches(hash));
    }

    #[test]
    fn nobody_has_the_password_of_nobody() {
        assert!(PasswordHash::new(NOBODYS).is_ok());
        for text in ["", "nobody", "password"] {
            assert!(!Password::of(text).unwrap().matches(NOBODYS));
        }
    }

    #[test]
    fn what_is_no_hash_matches_nothing() {
        for stored in ["", "$argon2id$", "password", "$argon2i$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAA"] {
            assert!(!Password::of("password").unwrap().matches(stored), "{stored:?}");
        }
    }

    #[test]
    fn a_password_is_bounded_and_not_shown() {
        assert!(Password::of(&"x".repeat(MAX_BYTES)).is_some());
        assert!(Password::of(&"x".repeat(MAX_BYTES + 1)).is_none());
        assert_eq!(alloc::format!("{:?}", Password::of("secret").unwrap()), "Password([redacted; 6 bytes])");
    }
}
