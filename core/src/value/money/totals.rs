//! Which totals can be charged in a currency: every gateway, and every sheet of a wallet, has a form of its own.

use core::fmt;

use super::{Currency, MAX_MINOR, Money};

/// The totals that can be charged in one currency, in its minor units: multiples of a step within limits.
///
/// ```
/// use checkout_core::value::money::totals::Totals;
/// use checkout_core::value::money::{Currency, Money};
///
/// let dinar = Currency::parse("KWD").unwrap();
/// let in_tens = Totals::parse("10:1:99999999").unwrap();
/// assert!(in_tens.has(Money::parse("10.250", dinar).unwrap()));
/// assert!(!in_tens.has(Money::parse("10.251", dinar).unwrap()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    step: i64,
    least: i64,
    most: i64,
}

impl Totals {
    /// Every amount above zero.
    pub const ALL: Self = Self { step: 1, least: 1, most: MAX_MINOR };
    /// None at all.
    #[cfg(any(
        feature = "checkout_com",
        feature = "knet",
        feature = "mpgs",
        feature = "stripe",
        feature = "tap"
    ))]
    pub(crate) const NONE: Self = Self { step: 1, least: 1, most: 0 };

    /// Of these only the multiples of so many minor units.
    #[must_use]
    pub(crate) const fn in_steps(self, step: i64) -> Self {
        Self { step, ..self }
    }

    /// Of these only those from so many minor units to so many.
    #[must_use]
    pub(crate) const fn within(self, least: i64, most: i64) -> Self {
        Self { least, most, ..self }
    }

    /// Whether an amount is one of them.
    #[must_use]
    pub fn has(&self, amount: Money) -> bool {
        let minor = amount.minor();
        (self.least..=self.most).contains(&minor) && minor.checked_rem(self.step) == Some(0)
    }
}

/// Prints them in one word, which [`Totals::parse`] reads: `10:1:99999999`.
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.step, self.least, self.most)
    }
}

impl Totals {
    /// Reads what [`Display`](fmt::Display) prints.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(':').map(|number| number.parse().ok());
        let (step, least, most) = (numbers.next()??, numbers.next()??, numbers.next()??);
        (numbers.next().is_none() && step > 0).then_some(Self { step, least, most })
    }
}

/// A total that is none of those that can be charged, in the words of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnfitTotal {
    /// The total.
    pub total: Money,
    /// What can be charged.
    pub totals: Totals,
}

impl fmt::Display for UnfitTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { total, totals: Totals { step, least, most } } = *self;
        let currency = total.currency();
        // Limits beyond every amount are not worth a word.
        let money = |minor: i64| Money::new(minor, currency).unwrap_or_else(|_| Money::zero(currency));
        let multiple = if step > 1 { Some(money(step)) } else { None };
        if most < least {
            return write!(f, "of which there is none in {currency}; the total is {total} {currency}");
        }
        if let Some(step) = multiple {
            write!(f, "a multiple of {step} {currency}")?;
        }
        let has_least = least > 1;
        let has_most = most < MAX_MINOR;
        let lowest = money(least);
        let highest = money(most.saturating_sub(most.checked_rem(step).unwrap_or_default()));
        match (has_least, has_most) {
            (true, true) => write!(f, "{}from {lowest} to {highest} {currency}", spaced(multiple))?,
            (true, false) => write!(f, "{}of at least {lowest} {currency}", spaced(multiple))?,
            (false, true) if multiple.is_some() => write!(f, " of at most {highest} {currency}")?,
            (false, true) => write!(f, "at most {highest} {currency}")?,
            (false, false) => {}
        }
        write!(f, "; the total is {total} {currency}")
    }
}

const fn spaced(before: Option<Money>) -> &'static str {
    if before.is_some() { " " } else { "" }
}

/// The decimals that an amount has beyond two, as the step that leaves them zero: 1, 10 or 100 minor units.
#[must_use]
pub(crate) fn step_of_two_decimals(currency: Currency) -> i64 {
    let more = u32::from(currency.minor_units()).saturating_sub(2);
    10_i64.checked_pow(more).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn money(amount: &str, currency: &str) -> Money {
        Money::parse(amount, Currency::parse(currency).unwrap()).unwrap()
    }

    #[test]
    fn a_total_is_within_the_limits_and_a_multiple_of_the_step() {
        let totals = Totals::ALL.in_steps(10).within(500, 99_999);
        for (amount, is_one) in
            [("0.500", true), ("0.490", false), ("0.505", false), ("99.990", true), ("100.000", false)]
        {
            assert_eq!(totals.has(money(amount, "KWD")), is_one, "{amount}");
        }
        assert!(Totals::ALL.has(money("0.001", "KWD")) && !Totals::ALL.has(money("0", "KWD")));
        assert!(!Totals::NONE.has(money("1", "KWD")));
    }

    #[test]
    fn what_is_printed_is_read_back_and_nothing_else_is() {
        for totals in [Totals::ALL, Totals::NONE, Totals::ALL.in_steps(10).within(500, 99_999)] {
            assert_eq!(Totals::parse(&totals.to_string()), Some(totals));
        }
        for text in ["", "1", "1:1", "1:1:1:1", "0:1:1", "-1:1:1", "a:1:1", "1::1"] {
            assert_eq!(Totals::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_can_be_charged_is_said_as_short_as_it_is() {
        let said = |totals| UnfitTotal { total: money("0.001", "KWD"), totals }.to_string();
        let all = Totals::ALL;
        assert_eq!(said(all.in_steps(10)), "a multiple of 0.010 KWD; the total is 0.001 KWD");
        assert_eq!(said(all.within(500, MAX_MINOR)), "of at least 0.500 KWD; the total is 0.001 KWD");
        assert_eq!(
            said(all.in_steps(10).within(500, 99_999)),
            "a multiple of 0.010 KWD from 0.500 to 99.990 KWD; the total is 0.001 KWD"
        );
        assert_eq!(said(Totals::NONE), "of which there is none in KWD; the total is 0.001 KWD");
    }
}
