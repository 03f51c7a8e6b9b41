//! What is wrong with an exchange, of the settings or of an amount.

use core::fmt;

use crate::value::money::exchange_rate::MAX_RATE_DIGITS;
use crate::value::money::{Currency, MAX_AMOUNT_CHARS};

/// The rules of exchanges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExchangeRule {
    /// The text is no exchange rate.
    NotRate,
    /// The rate is one from a currency to itself.
    SameCurrency,
    /// There is no rate between two currencies.
    NoRate {
        /// The currency that is exchanged.
        source: Currency,
        /// The currency that it is exchanged into.
        target: Currency,
    },
    /// The currency that is to be exchanged is one of the gateway's own.
    OwnCurrency,
    /// The amount rounds to zero in every currency that could be charged.
    AmountLost,
}

impl fmt::Display for ExchangeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRate => write!(
                f,
                "must be a decimal number above zero with at most {MAX_RATE_DIGITS} digits and {MAX_AMOUNT_CHARS} \
                 characters, such as \"0.3075\""
            ),
            Self::SameCurrency => f.write_str("must be another currency than source"),
            Self::NoRate { source, target } => {
                write!(f, "needs exchange_rates to have a rate from {source} to {target}")
            }
            Self::OwnCurrency => f.write_str("must not be one of the gateway's currencies"),
            Self::AmountLost => f.write_str("must not come to zero in the currency that is charged"),
        }
    }
}
