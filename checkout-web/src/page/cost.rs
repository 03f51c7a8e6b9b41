//! What a method costs for the amount in the field: computed by the server's own code, and shown as the
//! server shows it.

use checkout_core::gateway::terms::Quote;
use checkout_core::strings::{Price, Strings, digits};
use checkout_core::value::choice::ChoiceError;
use checkout_core::value::money::Money;

use crate::page::options::Method;

/// Shown in the place of an amount while there is none.
pub const NO_AMOUNT: &str = "\u{2013}";

/// What a method costs, in the texts of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// Amount and fee together; nothing without an amount.
    pub total: Option<Price>,
    /// The fee; empty if there is none.
    pub fee: String,
    /// What the fee adds, in digits; empty if there is none.
    pub added: String,
    /// The charged amount without the fee; empty if the amount is charged without exchange.
    pub converted: String,
}

impl Method {
    /// What an amount costs; `None` if the method cannot charge it.
    #[must_use]
    pub fn quote(&self, amount: Money) -> Option<Quote> {
        self.terms?.quote(amount)
    }

    /// Why the method cannot charge an amount; `None` if it can.
    #[must_use]
    pub fn fault(&self, amount: Money) -> Option<ChoiceError> {
        match self.quote(amount) {
            Some(_) => None,
            None if self.terms.is_some_and(|terms| terms.unfit(amount).is_some()) => {
                Some(ChoiceError::NotCharged)
            }
            None => Some(ChoiceError::OutOfRange),
        }
    }

    /// The cost of an amount; without an amount there is none.
    #[must_use]
    pub fn cost(&self, amount: Option<Money>, strings: &Strings) -> Cost {
        match amount.and_then(|amount| self.quote(amount)) {
            Some(quote) => Cost {
                total: Some(strings.price_parts(quote.total)),
                fee: if quote.fee.is_zero() { String::new() } else { strings.price(quote.fee) },
                added: ["+", &digits(quote.fee)].concat(),
                converted: quote.rate.map(|_| strings.price(quote.amount)).unwrap_or_default(),
            },
            None => {
                Cost { total: None, fee: String::new(), added: String::new(), converted: NO_AMOUNT.into() }
            }
        }
    }
}
