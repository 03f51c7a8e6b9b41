//! Amounts of money.
//!
//! An amount is a whole number of the minor units of its currency, from zero to [`MAX_MINOR`]: 10.250 KWD is
//! 10 250 fils. Text becomes an amount only through the strict reader of [`decimal`], where zeros past the
//! decimals of the currency are ignored and any other digit there is refused, and it is printed with exactly
//! the decimals of its currency. Arithmetic is checked and never mixes currencies; what has to be rounded, a
//! percentage or an exchange, is in [`mod@exchange_rate`].
//!
//! ```
//! use checkout_core::value::money::{AmountError, Currency, Money};
//!
//! let dinar = Currency::parse("KWD").unwrap();
//! assert_eq!(Money::parse("14", dinar).unwrap().to_string(), "14.000");
//! assert_eq!(Money::parse("14.0000", dinar).unwrap().to_string(), "14.000");
//! assert_eq!(
//!     Money::parse("14.0001", dinar),
//!     Err(AmountError::TooManyDecimals { allowed: 3, currency: dinar }),
//! );
//! ```

mod amount;
pub mod currency;
pub mod decimal;
pub mod exchange_rate;
mod sum;
pub mod totals;

pub use self::amount::{AmountError, MAX_MINOR, Money};
pub use self::currency::Currency;
pub use self::decimal::{AMOUNT_PATTERN, MAX_AMOUNT_CHARS};
pub use self::exchange_rate::ExchangeRate;
pub use self::sum::SumOfMoney;

#[cfg(test)]
mod tests;
