//! What a payment through one gateway costs the payer.
//!
//! [`Terms`] contain only currencies and numbers, so that the page computes with them exactly what the server
//! computes. A [`Quote`] is the result for one amount; the attempt stores it, and it is never computed again.

use alloc::borrow::Cow;
use core::fmt;

use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::value::money::decimal::lex;
use crate::value::money::totals::{Totals, UnfitTotal};
use crate::value::money::{Currency, ExchangeRate, Money};

/// How a gateway charges for amounts of one currency.
///
/// ```
/// use checkout_core::gateway::terms::Terms;
/// use checkout_core::value::money::totals::Totals;
/// use checkout_core::value::money::{Currency, ExchangeRate, Money};
///
/// let (dollar, dinar) = (Currency::parse("USD").unwrap(), Currency::parse("KWD").unwrap());
/// let terms = Terms {
///     source: dollar,
///     rate: ExchangeRate::parse("0.3075"),
///     fixed: Money::zero(dinar),
///     percent: 2.into(),
///     totals: Totals::ALL,
/// };
/// let quote = terms.quote(Money::parse("100.00", dollar).unwrap()).unwrap();
/// assert_eq!([quote.amount, quote.fee, quote.total].map(|money| money.to_string()), ["30.750", "0.615", "31.365"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The currency of the amounts.
    pub source: Currency,
    /// What one unit of it is worth in the currency charged; `None` if they are the same.
    pub rate: Option<ExchangeRate>,
    /// The fixed part of the fee; its currency is the one charged.
    pub fixed: Money,
    /// The other part of the fee, in percent of the amount in the currency charged.
    pub percent: Decimal,
    /// The totals that the gateway can charge.
    pub totals: Totals,
}

/// What one payment through one gateway costs the payer. Frozen on the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quote {
    /// The amount without fees, in the currency charged.
    pub amount: Money,
    /// The fee, in the currency charged.
    pub fee: Money,
    /// Amount and fee.
    pub total: Money,
    /// The rate at which the amount was exchanged; `None` if it is charged in its own currency.
    pub rate: Option<ExchangeRate>,
}

impl Terms {
    /// What an amount costs: the amount in the currency charged and the fee on it, each rounded half up to
    /// minor units. If nothing is paid there is no fee. `None` if the amount is in another currency than
    /// [`source`](Self::source), rounds to zero in the currency charged, or something is too large to be
    /// represented in either currency, and if the gateway cannot charge the total.
    #[must_use]
    pub fn quote(&self, amount: Money) -> Option<Quote> {
        // Nothing is charged where a card is only confirmed.
        self.any_quote(amount).filter(|quote| quote.total.is_zero() || self.totals.has(quote.total))
    }

    /// What an amount would cost, if only the total is none that the gateway can charge.
    #[must_use]
    pub fn unfit(&self, amount: Money) -> Option<UnfitTotal> {
        let total = self.any_quote(amount)?.total;
        (self.quote(amount).is_none()).then_some(UnfitTotal { total, totals: self.totals })
    }

    fn any_quote(&self, amount: Money) -> Option<Quote> {
        let charged = self.exchange(amount)?;
        if charged.is_zero() && !amount.is_zero() {
            return None;
        }
        let fee = if amount.is_zero() {
            charged
        } else {
            self.fixed.checked_add(charged.percent(self.percent)?)?
        };
        let quote = Quote { amount: charged, fee, total: charged.checked_add(fee)?, rate: self.rate };
        quote.total_of(amount)?;
        Some(quote)
    }

    /// Whether nothing is left of an amount in the currency charged.
    #[must_use]
    pub fn round_away(&self, amount: Money) -> bool {
        !amount.is_zero() && self.exchange(amount).is_some_and(|charged| charged.is_zero())
    }

    fn exchange(&self, amount: Money) -> Option<Money> {
        if amount.currency() != self.source {
            return None;
        }
        match self.rate {
            Some(rate) => amount.exchanged(rate, self.fixed.currency()),
            None => Some(amount),
        }
    }
}

/// Prints the terms in one line for the page, which reads them back: `USD KWD 0.250 2 0.3075 10:1:99999999`, without the
/// rate if nothing is exchanged, and without the totals if there is no limit.
impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.source, self.fixed.currency(), self.fixed, self.percent)?;
        if let Some(rate) = self.rate {
            write!(f, " {rate}")?;
        }
        if self.totals == Totals::ALL { Ok(()) } else { write!(f, " {}", self.totals) }
    }
}

impl Terms {
    /// Reads what [`Display`](fmt::Display) prints.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let source = Currency::parse(words.next()?)?;
        let charged = Currency::parse(words.next()?)?;
        let fixed = Money::parse(words.next()?, charged).ok()?;
        let percent = lex(words.next()?).ok()?;
        let mut words = words.peekable();
        let rate = match words.next_if(|word| !word.as_bytes().contains(&b':')) {
            Some(rate) => Some(ExchangeRate::parse(rate)?),
            None => None,
        };
        let totals = match words.next() {
            Some(totals) => Totals::parse(totals)?,
            None => Totals::ALL,
        };
        words.next().is_none().then_some(Self { source, rate, fixed, percent, totals })
    }
}

impl Serialize for Terms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Terms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("terms of a gateway are expected"))
    }
}

impl Quote {
    /// What the payment costs with its fee in the currency of `principal`, which is the amount that was
    /// quoted: the fee is exchanged back, rounded half up. `None` if that is too large to be represented;
    /// then there is no quote either.
    #[must_use]
    pub fn total_of(&self, principal: Money) -> Option<Money> {
        let fee = match self.rate {
            Some(rate) => self.fee.exchanged_back(rate, principal.currency())?,
            None => self.fee,
        };
        principal.checked_add(fee)
    }
}
