//! A recipient as it is shown to those who may know that there was one.

use alloc::string::String;

/// What is written for what is hidden, of any length.
const HIDDEN: &str = "***";
/// How many of the last digits of a telephone number are shown.
const SHOWN_DIGITS: usize = 2;

/// An e-mail address with the first character of its name and its domain, or a telephone number with its last digits.
#[must_use]
pub(crate) fn masked(recipient: &str) -> String {
    let mut shown = String::new();
    if let Some((name, domain)) = recipient.rsplit_once('@') {
        shown.extend(name.chars().take(1));
        shown.extend([HIDDEN, "@", domain]);
        return shown;
    }
    let count = recipient.chars().filter(char::is_ascii_digit).count();
    // So few digits would be most of the number.
    let skipped = if count < 6 { count } else { count.saturating_sub(SHOWN_DIGITS) };
    shown.push_str(HIDDEN);
    shown.extend(recipient.chars().filter(char::is_ascii_digit).skip(skipped));
    shown
}

/// A name with its first character.
#[must_use]
pub(crate) fn masked_name(name: &str) -> String {
    name.chars().take(1).chain(HIDDEN.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_a_recipient_is_hidden() {
        for (recipient, shown) in [
            ("sara@example.com", "s***@example.com"),
            ("\"a@b\"@example.com", "\"***@example.com"),
            ("@example.com", "***@example.com"),
            ("+965 5000 0012", "***12"),
            ("12345", "***"),
            ("ask me", "***"),
            ("", "***"),
        ] {
            assert_eq!(masked(recipient), shown, "{recipient}");
        }
    }
}
