//! What amounts add up to, which may be below zero.

use alloc::string::{String, ToString as _};
use core::fmt;

use rust_decimal::Decimal;

use super::Currency;

/// A sum in a currency: more than one amount can be, or less than zero.
///
/// ```
/// use checkout_core::value::money::{Currency, SumOfMoney};
///
/// let dinar = Currency::parse("KWD").unwrap();
/// let (taken, returned) = (SumOfMoney::new(10_250, dinar), SumOfMoney::new(12_000, dinar));
/// assert_eq!(taken.checked_sub(returned).unwrap().to_string(), "-1.750");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumOfMoney {
    minor: i64,
    currency: Currency,
}

impl SumOfMoney {
    /// So many minor units.
    #[must_use]
    pub const fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Nothing.
    #[must_use]
    pub const fn zero(currency: Currency) -> Self {
        Self { minor: 0, currency }
    }

    /// The minor units.
    #[must_use]
    pub const fn minor(self) -> i64 {
        self.minor
    }

    /// The currency.
    #[must_use]
    pub const fn currency(self) -> Currency {
        self.currency
    }

    /// Both together; `None` when the currencies differ or it is too much.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let minor = self.minor.checked_add(other.minor)?;
        (self.currency == other.currency).then_some(Self { minor, ..self })
    }

    /// What is left without the other; `None` when the currencies differ or it is too much.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        let minor = self.minor.checked_sub(other.minor)?;
        (self.currency == other.currency).then_some(Self { minor, ..self })
    }

    /// Major units with exactly the decimals of the currency, without its code: `-1.750`.
    #[must_use]
    pub(crate) fn text(self) -> String {
        Decimal::new(self.minor, u32::from(self.currency.minor_units())).to_string()
    }
}

/// Prints major units with exactly the decimals of the currency and without its code.
impl fmt::Display for SumOfMoney {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_keeps_its_currency_and_its_decimals() {
        let of = |minor, code| SumOfMoney::new(minor, Currency::parse(code).unwrap());
        for (sum, text) in [
            (of(10_250, "KWD"), "10.250"),
            (of(-5, "KWD"), "-0.005"),
            (of(-70, "JPY"), "-70"),
            (of(0, "USD"), "0.00"),
            (of(i64::MAX, "KWD"), "9223372036854775.807"),
            (of(i64::MIN, "KWD"), "-9223372036854775.808"),
        ] {
            assert_eq!(sum.to_string(), text);
        }
        assert_eq!(of(1, "KWD").checked_add(of(1, "USD")), None);
        assert_eq!(of(1, "KWD").checked_sub(of(1, "USD")), None);
        assert_eq!(of(i64::MAX, "KWD").checked_add(of(1, "KWD")), None);
        assert_eq!(of(i64::MIN, "KWD").checked_sub(of(1, "KWD")), None);
    }
}
