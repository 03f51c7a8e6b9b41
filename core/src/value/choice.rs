//! An amount that a payer chooses within limits, and how it may be typed.

use alloc::string::String;

use thiserror::Error;

use crate::value::money::totals::UnfitTotal;
use crate::value::money::{AmountError, Currency, Money};

/// The amounts that a payer may choose, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountChoice {
    least: Money,
    most: Money,
}

impl AmountChoice {
    /// From a hundredth, or the smallest amount of the currency if that is larger, to `most`; `None` if there
    /// is no amount between them.
    #[must_use]
    pub fn up_to(most: Money) -> Option<Self> {
        let least = least(most.currency())?;
        (least.minor() <= most.minor()).then_some(Self { least, most })
    }

    /// The smallest amount.
    #[must_use]
    pub const fn least(&self) -> Money {
        self.least
    }

    /// The largest amount.
    #[must_use]
    pub const fn most(&self) -> Money {
        self.most
    }

    /// Reads an amount in the format of the API.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn read(&self, text: &str) -> Result<Money, ChoiceError> {
        let amount = Money::parse(text, self.most.currency()).map_err(ChoiceError::Amount)?;
        let is_within = (self.least.minor()..=self.most.minor()).contains(&amount.minor());
        if is_within { Ok(amount) } else { Err(ChoiceError::OutOfRange) }
    }

    /// Reads an amount that a payer typed, after [`typed_amount`]: a comma may be before the decimals.
    ///
    /// Decision: nothing is guessed. `12,5` has one reading. `1,250` has two if the currency has three
    /// decimals: it is the decimal one if the other is more than may be paid, otherwise it is refused.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn read_typed(&self, text: &str) -> Result<Money, ChoiceError> {
        let Some((whole, fraction)) = text.split_once(',') else { return self.read(text) };
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let decimals = usize::from(self.most.currency().minor_units());
        if !is_number(whole) || !is_number(fraction) || fraction.len() > decimals {
            return Err(ChoiceError::Amount(AmountError::Malformed));
        }
        let may_be_thousands = fraction.len() == 3 && whole.len() <= 3 && !whole.starts_with('0');
        if may_be_thousands && self.read(&[whole, fraction].concat()).is_ok() {
            return Err(ChoiceError::Ambiguous);
        }
        self.read(&[whole, ".", fraction].concat())
    }
}

/// Why a text is no amount that may be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceError {
    /// It is no amount of the currency.
    Amount(AmountError),
    /// It is too small or too large.
    OutOfRange,
    /// The chosen method cannot charge it.
    NotCharged,
    /// Its comma can be one of decimals or of thousands, and both readings are amounts that may be chosen.
    Ambiguous,
}

/// Why an amount is not what a payer pays, in the words of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PrincipalError {
    /// It is not within the permitted range.
    #[error("must be from {} to {}", .0.least, .0.most)]
    OutOfRange(AmountChoice),
    /// Nothing may be chosen, and it differs from the amount of the transaction.
    #[error("must be {0}, the amount of the transaction, or be left out")]
    Fixed(Money),
    /// Nothing may be chosen, and it is not what the payment costs through the chosen gateway.
    #[error("must be {0}, which the payment costs through the gateway, or be left out")]
    NotCost(Money),
    /// The chosen gateway cannot charge it.
    #[error("must be an amount that can be charged through the chosen gateway")]
    NotCharged,
    /// No gateway of the transaction can charge the total.
    #[error("must be one of which a gateway of pg_codes can charge the total, {0}")]
    Unfit(UnfitTotal),
}

/// 0.01 in the minor units of a currency, and not less than one of them.
fn least(currency: Currency) -> Option<Money> {
    let minor = match currency.minor_units() {
        0..=2 => 1,
        3 => 10,
        decimals => 10_i64.checked_pow(u32::from(decimals).saturating_sub(2))?,
    };
    Money::new(minor, currency).ok()
}

/// What a payer typed, in the format of the API: spaces around it and direction marks are dropped, the digits
/// of Arabic and Persian keyboards and their decimal separator become those of the API. For the page only: a
/// program writes amounts in the format of the API.
#[must_use]
pub fn typed_amount(text: &str) -> String {
    let marks = |character: &char| !matches!(character, '\u{200e}' | '\u{200f}' | '\u{61c}');
    let plain = |character: char| {
        let zero = match character {
            '\u{660}'..='\u{669}' => 0x660,
            '\u{6f0}'..='\u{6f9}' => 0x6f0,
            '\u{66b}' => return '.',
            other => return other,
        };
        let digit = u32::from(character).checked_sub(zero);
        digit.and_then(|digit| char::from_digit(digit, 10)).unwrap_or(character)
    };
    text.chars().filter(marks).map(plain).collect::<String>().trim().into()
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn up_to(text: &str, currency: &str) -> Option<AmountChoice> {
        AmountChoice::up_to(Money::parse(text, Currency::parse(currency).unwrap()).unwrap())
    }

    #[test]
    fn a_choice_begins_at_a_hundredth_or_the_smallest_amount_of_the_currency() {
        for (amount, currency, least) in [
            ("5", "JPY", "1"),
            ("5.00", "USD", "0.01"),
            ("5.000", "KWD", "0.010"),
            ("5.0000", "CLF", "0.0100"),
        ] {
            let choice = up_to(amount, currency).unwrap();
            assert_eq!(
                (choice.least().to_string(), choice.most().to_string()),
                (least.into(), amount.into())
            );
            assert_eq!(choice.read(least), Ok(choice.least()));
            assert_eq!(choice.read(amount), Ok(choice.most()));
            assert_eq!(choice.read("0"), Err(ChoiceError::OutOfRange));
            assert_eq!(choice.read("6"), Err(ChoiceError::OutOfRange));
        }
        assert_eq!(up_to("0.009", "KWD"), None);
        assert_eq!(up_to("0", "JPY"), None);
    }

    #[test]
    fn what_is_typed_on_an_arabic_keyboard_is_the_same_amount() {
        for text in ["10.250", " 10.250\t", "١٠٫٢٥٠", "۱۰٫۲۵۰", "\u{200f}١٠.٢٥٠\u{200e}", "\u{61c}10٫250"]
        {
            assert_eq!(typed_amount(text), "10.250", "{text:?}");
        }
    }

    #[test]
    fn a_comma_before_the_decimals_is_read_and_one_that_may_part_thousands_is_never_guessed() {
        let dinars = up_to("2000.000", "KWD").unwrap();
        let few = up_to("150.000", "KWD").unwrap();
        let (dollars, yen) = (up_to("2000.00", "USD").unwrap(), up_to("2000", "JPY").unwrap());
        for (choice, text, expected) in [
            (dinars, "12,5", Ok("12.500")),
            (dinars, "١٢٫٥٠", Ok("12.500")),
            (dinars, "١٢,٥", Ok("12.500")),
            (dinars, " 12,50 ", Ok("12.500")),
            (dinars, "1,250", Err(ChoiceError::Ambiguous)),
            (dinars, "١,٢٥٠", Err(ChoiceError::Ambiguous)),
            (dinars, "0,250", Ok("0.250")),
            (dinars, "1250,125", Ok("1250.125")),
            (few, "1,250", Ok("1.250")),
            (few, "150,001", Err(ChoiceError::OutOfRange)),
            (dollars, "12,5", Ok("12.50")),
            (dollars, "1,99", Ok("1.99")),
        ] {
            assert_eq!(
                choice.read_typed(&typed_amount(text)).map(|amount| amount.to_string()),
                expected.map(String::from),
                "{text}"
            );
        }
        let malformed = Err(ChoiceError::Amount(AmountError::Malformed));
        for (choice, text) in [
            (dollars, "1,250"),
            (yen, "1,250"),
            (yen, "1,5"),
            (dinars, "1,2,3"),
            (dinars, "1,234.500"),
            (dinars, "1.234,500"),
            (dinars, ",5"),
            (dinars, "5,"),
            (dinars, "1, 5"),
            (dinars, "-1,5"),
        ] {
            assert_eq!(choice.read_typed(&typed_amount(text)), malformed, "{text}");
        }
    }

    #[test]
    fn nothing_else_that_is_typed_becomes_an_amount() {
        let choice = up_to("10.000", "KWD").unwrap();
        for text in ["", " ", "1,5", "1٬000", "1 0", "-1", "+1", "1e1", "１", "½", "१", "1.2.3", "٫5", "5٫"]
        {
            let read = choice.read(&typed_amount(text));
            assert_eq!(read, Err(ChoiceError::Amount(AmountError::Malformed)), "{text:?}");
        }
    }
}
