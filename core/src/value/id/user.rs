//! The number of a user.

use core::fmt;

/// The number of a user, unique in the installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UserId(pub u32);

impl UserId {
    /// What its text is.
    #[cfg(feature = "description")]
    pub(crate) const PATTERN: &'static str = "^[1-9][0-9]{0,9}$";

    /// Reads a number as it is in an address.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_plain = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| is_plain && (1..=MAX_ID).contains(number)).map(Self)
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The largest number of a user.
const MAX_ID: u32 = 2_147_483_647;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_in_one_way() {
        assert_eq!(UserId::parse("34"), Some(UserId(34)));
        for text in ["", "0", "034", "+34", "-1", "2147483648", "34 ", "x"] {
            assert_eq!(UserId::parse(text), None, "{text:?}");
        }
    }
}
