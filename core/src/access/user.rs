//! The users of a merchant: people and services that sign in by name and password, or at the merchant's provider.

use alloc::string::String;

use super::permission::Permissions;
use crate::value::id::UserId;
use crate::words::Language;

/// The longest user name.
pub(crate) const MAX_USERNAME: usize = 150;
/// The longest first name, and the longest last name.
pub(crate) const MAX_NAME: usize = 32;
/// The longest e-mail address.
pub(crate) const MAX_EMAIL: usize = 254;
/// The longest telephone number.
pub(crate) const MAX_PHONE: usize = 128;

/// A user of a merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The number.
    pub id: UserId,
    /// The name with which the user signs in, unique in the installation whatever its case.
    pub username: String,
    /// The first name.
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The telephone number.
    pub phone: Option<String>,
    /// Whether the user may do everything that users can be permitted.
    pub is_superuser: bool,
    /// What the user may do.
    pub permissions: Permissions,
    /// How the user reads.
    pub preferences: Preferences,
}

/// How a user reads the desk and letters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preferences {
    /// The language of new sessions and of letters; `None` as it is chosen at each sign-in, and English in letters.
    pub language: Option<Language>,
    /// The time zone, by its name in the IANA database; `None` for the merchant's.
    pub time_zone: Option<String>,
}

/// The characters of a user name as a regular expression.
pub(crate) const USERNAME_PATTERN: &str = r"^[\p{L}\p{N}_.@+-]*$";

/// Whether a text is a user name: letters, digits and `_`, `.`, `@`, `+`, `-`, at most [`MAX_USERNAME`] characters.
#[must_use]
pub(crate) fn is_username(text: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || "_.@+-".contains(character);
    !text.is_empty() && text.chars().count() <= MAX_USERNAME && text.chars().all(is_part)
}

/// The form in which user names are compared: without case.
#[must_use]
pub fn folded(username: &str) -> String {
    username.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_name_has_letters_digits_and_five_signs() {
        for name in ["a", "sara@shop.example", "ops+till-2_x.y", "سارة", "A1"] {
            assert!(is_username(name), "{name}");
        }
        let long = "a".repeat(MAX_USERNAME + 1);
        for name in ["", " a", "a b", "a:b", "a/b", "a\n", "a,b", long.as_str()] {
            assert!(!is_username(name), "{name:?}");
        }
    }
}
