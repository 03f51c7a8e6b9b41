//! The telephone number of a payer, as providers want it.

use alloc::string::String;

/// The fewest digits of a number with its country, and the most (E.164).
const DIGITS: core::ops::RangeInclusive<usize> = 8..=15;

/// The countries whose payers write numbers without the country: its calling code, and the digits of a number.
const HOME: [(&str, &str, usize); 6] = [
    ("AE", "971", 9),
    ("BH", "973", 8),
    ("KW", "965", 8),
    ("OM", "968", 8),
    ("QA", "974", 8),
    ("SA", "966", 9),
];

/// A number of E.164 with its plus, from what the merchant gave: `+965 5000 0000`, `0096550000000`, `96550000000`, or a number
/// of the merchant's own country in the Gulf as people write it there. `None` if it is no telephone number.
#[must_use]
pub(crate) fn international(given: &str, country: &str) -> Option<String> {
    let written = given.trim();
    let is_separator = |character: char| matches!(character, ' ' | '-' | '(' | ')' | '.' | '/');
    let (has_plus, rest) = written.strip_prefix('+').map_or((false, written), |rest| (true, rest));
    let digits: String = rest.chars().filter(|character| !is_separator(*character)).collect();
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let abroad = digits.strip_prefix("00").filter(|_| !has_plus);
    let home = HOME.iter().find(|(known, ..)| *known == country).filter(|_| !has_plus && abroad.is_none());
    let own = digits.strip_prefix('0').unwrap_or(&digits);
    let full = match home {
        Some((_, code, length)) if own.len() == *length => [code, own].concat(),
        Some(_) | None => String::from(abroad.unwrap_or(&digits)),
    };
    let is_full = DIGITS.contains(&full.len()) && !full.starts_with('0');
    is_full.then(|| ["+", &full].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_gets_its_country_and_loses_its_separators() {
        for (given, country, expected) in [
            ("+965 5000-0000", "KW", Some("+96550000000")),
            ("0096550000000", "SA", Some("+96550000000")),
            ("96550000000", "KW", Some("+96550000000")),
            ("50000000", "KW", Some("+96550000000")),
            ("0501234567", "SA", Some("+966501234567")),
            ("501234567", "AE", Some("+971501234567")),
            ("+44 (20) 7946.0018", "KW", Some("+442079460018")),
            ("50000000", "DE", Some("+50000000")),
            ("0501234567", "DE", None),
            ("1234567", "KW", None),
            ("+9655000000012345", "KW", None),
            ("+", "KW", None),
            ("", "KW", None),
            ("call me", "KW", None),
            ("+965 5000 000\u{661}", "KW", None),
            ("++96550000000", "KW", None),
        ] {
            assert_eq!(international(given, country).as_deref(), expected, "{given}");
        }
    }
}
