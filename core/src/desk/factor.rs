//! The second factor of a user, as it is stored: the sealed secret of an authenticator app, the last code that was used, and the
//! hashes of recovery codes.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use super::totp::base32;
use crate::value::digest::digest;
use crate::value::id::{MerchantId, UserId};
use crate::value::sealed::Sealed;

/// How many recovery codes a user gets.
pub(crate) const RECOVERY_CODES: usize = 10;
/// The random bytes of each.
pub(crate) const RECOVERY_BYTES: usize = 10;
/// How long a factor is fresh, for what needs a fresh one.
pub(crate) const FRESH: Duration = Duration::from_mins(5);
/// The most wrong codes of a user in a period of tries.
pub(crate) const MOST_CODES: u32 = 5;

/// A second factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeskFactor {
    /// The secret that the app shares.
    pub secret: Sealed,
    /// The step of the last code that was used: no code counts twice.
    pub used_step: i64,
    /// The hashes of the recovery codes that are left.
    pub recovery: Vec<String>,
}

/// A sealed secret of a user, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorSecret {
    /// Whose it is.
    pub user: UserId,
    /// For whom it is sealed.
    pub merchant: MerchantId,
    /// The secret.
    pub sealed: Sealed,
}

/// A recovery code, in groups of four.
#[must_use]
pub(crate) fn recovery_code(random: [u8; RECOVERY_BYTES]) -> String {
    let letters: Vec<char> = base32(&random).chars().collect();
    let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join("-")
}

/// The hash of a recovery code of a user, however it was typed.
#[must_use]
pub(crate) fn recovery_hash(user: UserId, typed: &str) -> String {
    let plain: String =
        typed.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_uppercase()).collect();
    digest(&["desk recovery", &user.to_string(), &plain])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_is_recognised_however_it_is_typed() {
        let code = recovery_code([7; RECOVERY_BYTES]);
        assert_eq!((code.len(), code.matches('-').count()), (19, 3));
        let hash = recovery_hash(UserId(1), &code);
        assert_eq!(hash, recovery_hash(UserId(1), &code.to_lowercase().replace('-', " ")));
        assert_ne!(hash, recovery_hash(UserId(2), &code));
        assert_ne!(hash, recovery_hash(UserId(1), "AAAA"));
    }
}
