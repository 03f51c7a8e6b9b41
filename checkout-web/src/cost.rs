//! What a method costs for the amount that stands in the field: computed by the server's own code, and shown as the
//! server shows it.

use checkout_core::gateway::terms::Quote;
use checkout_core::strings::price;
use checkout_core::value::money::Money;

use crate::options::Method;

/// Stands where an amount would, while there is none.
pub const NO_AMOUNT: &str = "\u{2013}";

/// What a method costs, in the texts of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// Amount and fee together.
    pub total: String,
    /// The fee; empty where there is none.
    pub fee: String,
    /// What the amount comes to without the fee; empty where it is charged as it is.
    pub converted: String,
}

impl Method {
    /// What an amount costs; `None` where the method cannot charge it.
    #[must_use]
    pub fn quote(&self, amount: Money) -> Option<Quote> {
        self.terms?.quote(amount)
    }

    /// The cost of an amount; of no amount there is none.
    #[must_use]
    pub fn cost(&self, amount: Option<Money>) -> Cost {
        match amount.and_then(|amount| self.quote(amount)) {
            Some(quote) => Cost {
                total: price(quote.total),
                fee: if quote.fee.is_zero() { String::new() } else { price(quote.fee) },
                converted: quote.rate.map(|_| price(quote.amount)).unwrap_or_default(),
            },
            None => Cost { total: NO_AMOUNT.into(), fee: String::new(), converted: NO_AMOUNT.into() },
        }
    }
}
