//! An amount in a currency.

use alloc::string::{String, ToString as _};
use core::fmt;

use rust_decimal::Decimal;

use super::currency::Currency;
use super::decimal::{Digits, LexError, lex_digits};

/// The largest amount in minor units: the largest whole number that JavaScript, and so D1, represents
/// exactly.
pub const MAX_MINOR: i64 = 9_007_199_254_740_991;

/// An amount in a currency, from zero to [`MAX_MINOR`] minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Money {
    minor: i64,
    currency: Currency,
}

/// Why a text or a number is not an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountError {
    /// Not digits with at most one dot between them; a negative number is this too.
    Malformed,
    /// More than [`MAX_AMOUNT_CHARS`](super::MAX_AMOUNT_CHARS) characters.
    TooLong,
    /// More decimals than the currency has, zeros at the end not counted.
    TooManyDecimals {
        /// The decimals of the currency.
        allowed: u8,
        /// The currency of the amount.
        currency: Currency,
    },
    /// More than [`MAX_MINOR`] minor units.
    TooLarge,
}

impl Money {
    /// An amount of that many minor units.
    ///
    /// # Errors
    /// [`AmountError::Malformed`] below zero, [`AmountError::TooLarge`] above [`MAX_MINOR`].
    pub fn new(minor: i64, currency: Currency) -> Result<Self, AmountError> {
        match minor {
            ..0 => Err(AmountError::Malformed),
            0..=MAX_MINOR => Ok(Self { minor, currency }),
            _ => Err(AmountError::TooLarge),
        }
    }

    /// The amount zero in a currency.
    #[must_use]
    pub fn zero(currency: Currency) -> Self {
        Self { minor: 0, currency }
    }

    /// Reads an amount in major units in the format of the API, such as `10.250`.
    ///
    /// # Errors
    /// Says what is wrong with the text; for a text with several faults, the first of them in the order of
    /// [`AmountError::TooLong`], [`AmountError::Malformed`], [`AmountError::TooManyDecimals`],
    /// [`AmountError::TooLarge`].
    pub fn parse(text: &str, currency: Currency) -> Result<Self, AmountError> {
        let Digits { mut value, mut decimals } = lex_digits(text)?;
        let allowed = currency.minor_units();
        // Zeros past the decimals of the currency are ignored.
        while decimals > u32::from(allowed) && value.checked_rem(10) == Some(0) {
            value = value.checked_div(10).unwrap_or_default();
            decimals = decimals.saturating_sub(1);
        }
        let missing = u32::from(allowed)
            .checked_sub(decimals)
            .ok_or(AmountError::TooManyDecimals { allowed, currency })?;
        let minor = 10_i128
            .checked_pow(missing)
            .and_then(|factor| value.checked_mul(factor))
            .and_then(|minor| i64::try_from(minor).ok())
            .ok_or(AmountError::TooLarge)?;
        Self::new(minor, currency)
    }

    /// The amount in minor units, from zero to [`MAX_MINOR`].
    #[must_use]
    pub fn minor(&self) -> i64 {
        self.minor
    }

    /// The currency of the amount.
    #[must_use]
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// Whether the amount is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.minor == 0
    }

    /// Major units with exactly the decimals of the currency, without its code: `10.000`, `14`.
    #[must_use]
    pub(crate) fn text(&self) -> String {
        self.to_decimal().to_string()
    }

    /// The amount in major units, with the decimals of the currency.
    #[must_use]
    pub fn to_decimal(&self) -> Decimal {
        Decimal::new(self.minor, u32::from(self.currency.minor_units()))
    }

    /// The sum; `None` when the currencies differ or the sum is too large.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        if self.currency != other.currency {
            return None;
        }
        Self::new(self.minor.checked_add(other.minor)?, self.currency).ok()
    }

    /// The difference; `None` when the currencies differ or the other amount is larger.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        if self.currency != other.currency {
            return None;
        }
        Self::new(self.minor.checked_sub(other.minor)?, self.currency).ok()
    }
}

/// Prints major units with exactly the decimals of the currency and without its code: `10.000`, `14`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl core::error::Error for AmountError {}

impl fmt::Display for AmountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => fmt::Display::fmt(&LexError::Malformed, f),
            Self::TooLong => fmt::Display::fmt(&LexError::TooLong, f),
            Self::TooManyDecimals { allowed: 0, currency } => {
                write!(f, "must have no decimal places for {currency}")
            }
            Self::TooManyDecimals { allowed, currency } => {
                write!(f, "must have at most {allowed} decimal places for {currency}")
            }
            Self::TooLarge => write!(f, "must be at most {MAX_MINOR} minor units of its currency"),
        }
    }
}

impl From<LexError> for AmountError {
    fn from(error: LexError) -> Self {
        match error {
            LexError::Malformed => Self::Malformed,
            LexError::TooLong => Self::TooLong,
        }
    }
}
