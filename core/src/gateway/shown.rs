//! What a payer was shown that a payment costs. A page charges what it shows: its form, the calls of an SDK and the wallets
//! carry it, and an attempt is opened only if it costs that.

use alloc::string::String;
use core::fmt;

use crate::gateway::terms::{Quote, Terms};
use crate::value::money::{AmountError, Currency, Money};

/// What was shown of one payment method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownPrice {
    /// What is paid, with fees.
    Total(Money),
    /// How amounts are charged: the payer types one.
    Terms(Terms),
    /// Only the currency in which is paid.
    Currency(Currency),
}

/// What a client says about what it showed, each as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SaidPrice {
    /// What is paid, with fees.
    pub total: Option<String>,
    /// The currency in which is paid.
    pub currency: Option<Currency>,
}

impl ShownPrice {
    /// What a page shows of a method.
    #[must_use]
    pub const fn of(quote: &Quote, terms: Terms, is_editable: bool) -> Self {
        if is_editable { Self::Terms(terms) } else { Self::Total(quote.total) }
    }

    /// Whether a payment that costs `quote` is what was shown; `terms` are those of its gateway.
    #[must_use]
    pub fn is_of(&self, quote: &Quote, terms: Option<Terms>) -> bool {
        match self {
            Self::Total(total) => *total == quote.total,
            Self::Terms(shown) => Some(*shown) == terms,
            Self::Currency(currency) => *currency == quote.total.currency(),
        }
    }

    /// Reads what [`Display`](fmt::Display) prints.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let (currency, amount, more) = (Currency::parse(words.next()?)?, words.next(), words.next());
        match (amount, more) {
            (None, _) => Some(Self::Currency(currency)),
            (Some(amount), None) => Money::parse(amount, currency).ok().map(Self::Total),
            (Some(_), Some(_)) => Terms::parse(text).map(Self::Terms),
        }
    }
}

/// Prints it in one line for the page, which sends it back: `KWD 10.250`, `KWD KWD 0.250 0`, or `KWD`.
impl fmt::Display for ShownPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Total(total) => write!(f, "{} {total}", total.currency()),
            Self::Terms(terms) => write!(f, "{terms}"),
            Self::Currency(currency) => write!(f, "{currency}"),
        }
    }
}

impl SaidPrice {
    /// What was shown of a payment that is charged in `currency`; `None` if the client says nothing.
    ///
    /// # Errors
    /// What is wrong with the total.
    pub fn read(&self, currency: Currency) -> Result<Option<ShownPrice>, AmountError> {
        match (&self.total, self.currency) {
            (Some(total), said) => {
                Money::parse(total, said.unwrap_or(currency)).map(ShownPrice::Total).map(Some)
            }
            (None, Some(said)) => Ok(Some(ShownPrice::Currency(said))),
            (None, None) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::value::money::totals::Totals;

    #[test]
    fn what_a_page_prints_is_read_back() {
        for text in [
            "KWD 10.250",
            "JPY 10",
            "KWD KWD 0.250 0",
            "USD KWD 0.250 2 0.3075",
            "KWD KWD 0.000 0 10:1:99999999",
            "SAR",
        ] {
            assert_eq!(ShownPrice::parse(text).map(|shown| shown.to_string()).as_deref(), Some(text));
        }
        for text in
            ["", "10.250", "KWD ten", "KWD 10.2501", "KWD KWD", "KWD KWD 1 1 1 1", "KWD KWD 1 1 1:1:1 1"]
        {
            assert_eq!(ShownPrice::parse(text), None, "{text}");
        }
    }

    #[test]
    fn another_amount_currency_or_fee_is_another_price() {
        let dinar = Currency::parse("KWD").unwrap();
        let ten = Money::parse("10.000", dinar).unwrap();
        let terms = Terms {
            source: dinar,
            rate: None,
            fixed: Money::zero(dinar),
            percent: 0.into(),
            totals: Totals::ALL,
        };
        let quote = terms.quote(ten).unwrap();
        let is_of = |text: &str| ShownPrice::parse(text).unwrap().is_of(&quote, Some(terms));
        for same in ["KWD 10.000", "KWD 10", "KWD KWD 0.000 0", "KWD KWD 0.000 0.00", "KWD"] {
            assert!(is_of(same), "{same}");
        }
        for other in [
            "KWD 10.001",
            "BHD 10.000",
            "KWD KWD 0.001 0",
            "KWD KWD 0.000 0 10:1:99999999",
            "KWD KWD 0.000 1",
            "USD KWD 0.000 0 0.3",
            "USD",
        ] {
            assert!(!is_of(other), "{other}");
        }
    }

    #[test]
    fn a_client_may_say_the_total_alone() {
        let dinar = Currency::parse("KWD").unwrap();
        let said = |total: Option<&str>, currency: Option<&str>| {
            let said =
                SaidPrice { total: total.map(Into::into), currency: currency.and_then(Currency::parse) };
            said.read(dinar).map(|shown| shown.map(|shown| shown.to_string()))
        };
        assert_eq!(said(Some("10.25"), None), Ok(Some("KWD 10.250".into())));
        assert_eq!(said(Some("10.25"), Some("USD")), Ok(Some("USD 10.25".into())));
        assert_eq!(said(None, Some("USD")), Ok(Some("USD".into())));
        assert_eq!(said(None, None), Ok(None));
        assert!(said(Some("ten"), None).is_err());
    }
}
