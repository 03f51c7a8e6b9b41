//! The one reader of decimal text: amounts, percentages and exchange rates.
//!
//! It is strict because the readers of number libraries are not: they accept `1e3`, `+1.0` and `1_000`, and
//! round long fractions silently. Here a decimal is digits with at most one dot, with a digit on each side of
//! it. No sign, no exponent, no space, no digit of another script. Leading zeros are allowed; the decimals
//! count as written.

use rust_decimal::Decimal;
use thiserror::Error;

/// An amount as it is written, as a regular expression: digits with at most one dot between them.
pub const AMOUNT_PATTERN: &str = "^[0-9]+(\\.[0-9]+)?$";

/// The longest decimal text in characters.
pub const MAX_AMOUNT_CHARS: usize = 24;

/// Why a text is not a decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LexError {
    /// Something other than digits with one dot between them.
    #[error("must be digits with at most one decimal point, without sign, exponent or blank")]
    Malformed,
    /// More than [`MAX_AMOUNT_CHARS`] characters.
    #[error("must be at most {MAX_AMOUNT_CHARS} characters")]
    TooLong,
}

/// Reads a decimal that is not negative, for percentages and exchange rates. The scale is the decimals as
/// written.
///
/// ```
/// use checkout_core::value::money::decimal::{LexError, lex};
///
/// assert_eq!(lex("3.2500").unwrap().to_string(), "3.2500");
/// assert_eq!(lex("1e3"), Err(LexError::Malformed));
/// ```
///
/// # Errors
/// Says whether the text is too long or not a decimal.
pub fn lex(text: &str) -> Result<Decimal, LexError> {
    let Digits { value, decimals } = lex_digits(text)?;
    // 24 digits always fit into the 96 bits of a `Decimal`, so this error does not occur.
    Decimal::try_from_i128_with_scale(value, decimals).map_err(|_| LexError::TooLong)
}

/// A decimal as written: `12.50` has the value 1250 and 2 decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digits {
    pub(super) value: i128,
    pub(super) decimals: u32,
}

pub(super) fn lex_digits(text: &str) -> Result<Digits, LexError> {
    if text.chars().count() > MAX_AMOUNT_CHARS {
        return Err(LexError::TooLong);
    }
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return Err(LexError::Malformed),
        Some(parts) => parts,
        None => (text, ""),
    };
    if whole.is_empty() {
        return Err(LexError::Malformed);
    }
    let mut value: i128 = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        let digit = char::from(digit).to_digit(10).ok_or(LexError::Malformed)?;
        // 24 digits always fit into 128 bits, so this error does not occur.
        value = value
            .checked_mul(10)
            .and_then(|value| value.checked_add(i128::from(digit)))
            .ok_or(LexError::TooLong)?;
    }
    let decimals = u32::try_from(fraction.len()).map_err(|_| LexError::TooLong)?;
    Ok(Digits { value, decimals })
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn reads_digits_with_one_dot_and_keeps_the_decimals_as_written() {
        for (text, printed) in [
            ("0", "0"),
            ("0.0", "0.0"),
            ("14", "14"),
            ("10.250", "10.250"),
            ("007", "7"),
            ("000000000000000000000.01", "0.01"),
            ("999999999999999999999999", "999999999999999999999999"),
            ("0.0000000000000000000001", "0.0000000000000000000001"),
        ] {
            assert_eq!(lex(text).unwrap().to_string(), printed);
        }
    }

    #[test]
    fn refuses_everything_that_is_not_digits_with_one_dot() {
        for text in [
            "", ".", ".5", "5.", "1.2.3", "1..2", "-1", "+1", "-0", "1e3", "1E3", "1_000", "1,000", "1,5",
            " 1", "1 ", "1 0", "\t1", "1\n", "0x10", "NaN", "inf", "Infinity", "١٢", "１２", "1\u{a0}",
            "1.٢", "½", "--1", "1/2",
        ] {
            assert_eq!(lex(text), Err(LexError::Malformed), "{text:?}");
        }
    }

    #[test]
    fn refuses_more_than_24_characters() {
        assert_eq!(lex("0000000000000000000000001"), Err(LexError::TooLong));
        assert_eq!(lex("1.00000000000000000000000"), Err(LexError::TooLong));
        assert_eq!(lex(&"9".repeat(1_000_000)), Err(LexError::TooLong));
    }
}
