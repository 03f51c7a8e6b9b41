//! Numbers that name things in addresses: users, operators, versions of settings, entries of the audit.

use core::fmt;

/// Declares a number that is written in one way: without a sign, and without zeros before it.
macro_rules! numbers {
    ($($(#[doc = $about:literal])* $name:ident;)*) => {
        $(
            $(#[doc = $about])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
            pub struct $name(pub u32);

            impl $name {
                /// Reads a number as it is in an address.
                #[must_use]
                pub fn parse(text: &str) -> Option<Self> {
                    let is_plain = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
                    text.parse().ok().filter(|number| is_plain && (1..=MAX).contains(number)).map(Self)
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}

numbers! {
    /// The number of a user, unique in the installation.
    UserId;
    /// The number of an operator. 0 is the one whose token is a secret of the Worker, which no address names.
    OperatorId;
    /// The number of a version of a merchant's settings.
    SettingsVersion;
    /// The number of an entry of the audit; later entries have greater ones.
    EntryId;
}

/// What the text of a number matches, for the API description.
pub const PATTERN: &str = "^[1-9][0-9]{0,9}$";

/// The largest number.
pub const MAX: u32 = 2_147_483_647;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_in_one_way() {
        assert_eq!(UserId::parse("34"), Some(UserId(34)));
        for text in ["", "0", "034", "+34", "-1", "2147483648", "34 ", "x"] {
            assert_eq!(UserId::parse(text), None, "{text:?}");
            assert_eq!(OperatorId::parse(text), None, "{text:?}");
        }
    }
}
