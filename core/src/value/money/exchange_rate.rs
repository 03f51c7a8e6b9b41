//! Exchange rates, and the arithmetic of amounts that rounds.
//!
//! Every computation is exact until it is rounded, once, half up to the minor units of the resulting
//! currency. A decimal library would round a long product before that, and could so round a half in the wrong
//! direction.
//!
//! ```
//! use checkout_core::value::money::{Currency, ExchangeRate, Money};
//!
//! let (dollar, dinar) = (Currency::parse("USD").unwrap(), Currency::parse("KWD").unwrap());
//! let rate = ExchangeRate::parse("0.3075").unwrap();
//! let charged = Money::parse("100.00", dollar).unwrap().exchanged(rate, dinar).unwrap();
//! assert_eq!(charged.to_string(), "30.750");
//! ```

use core::fmt;

use rust_decimal::Decimal;

use super::decimal::lex;
use super::{Currency, Money};

/// The most digits of a rate, not counting zeros before the first other digit and after the last one.
pub const MAX_RATE_DIGITS: u32 = 18;

/// How many units of the target currency one unit of the source currency is worth: above zero, of at most
/// [`MAX_RATE_DIGITS`] digits and [`MAX_AMOUNT_CHARS`](super::MAX_AMOUNT_CHARS) characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExchangeRate(Decimal);

impl ExchangeRate {
    /// Reads a rate such as `0.3075`; `None` if the strict reader does not read it as a decimal, or it is
    /// zero, or it has more digits than a rate may have.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rate = lex(text).ok()?.normalize();
        let end = 10_i128.checked_pow(MAX_RATE_DIGITS)?;
        (1..end).contains(&rate.mantissa()).then_some(Self(rate))
    }
}

/// Prints the rate without zeros at its end: `0.3075`.
impl fmt::Display for ExchangeRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Money {
    /// The amount in the target currency of a rate; `None` if it is too large to be represented.
    #[must_use]
    pub fn exchanged(self, rate: ExchangeRate, target: Currency) -> Option<Self> {
        let shift = steps(self.currency(), target)?.checked_sub(i32::try_from(rate.0.scale()).ok()?)?;
        rounded(self.minor(), Ratio { up: rate.0.mantissa(), down: 1 }, shift, target)
    }

    /// An amount in the target currency of a rate, in its source currency; `None` if it is too large to be
    /// represented.
    #[must_use]
    pub(crate) fn exchanged_back(self, rate: ExchangeRate, source: Currency) -> Option<Self> {
        let shift = steps(self.currency(), source)?.checked_add(i32::try_from(rate.0.scale()).ok()?)?;
        rounded(self.minor(), Ratio { up: 1, down: rate.0.mantissa() }, shift, source)
    }

    /// That many percent of the amount; `None` if that is negative, or too large to be represented.
    #[must_use]
    pub fn percent(self, percent: Decimal) -> Option<Self> {
        // Most methods have no such fee.
        if percent.is_zero() {
            return Some(Self::zero(self.currency()));
        }
        let percent = percent.normalize();
        let shift = (-2_i32).checked_sub(i32::try_from(percent.scale()).ok()?)?;
        rounded(self.minor(), Ratio { up: percent.mantissa(), down: 1 }, shift, self.currency())
    }
}

/// By how many powers of ten the minor units of one currency are finer than those of another.
fn steps(from: Currency, to: Currency) -> Option<i32> {
    i32::from(to.minor_units()).checked_sub(i32::from(from.minor_units()))
}

/// `up` ÷ `down`.
#[derive(Clone, Copy)]
struct Ratio {
    up: i128,
    down: i128,
}

/// `minor` × `ratio` × 10^`shift`, rounded half up.
fn rounded(minor: i64, ratio: Ratio, shift: i32, currency: Currency) -> Option<Money> {
    let Ratio { up, down } = ratio;
    let power = 10_i128.checked_pow(shift.unsigned_abs())?;
    let (up, down) = if shift >= 0 { (up.checked_mul(power)?, down) } else { (up, down.checked_mul(power)?) };
    let product = i128::from(minor).checked_mul(up)?;
    let half = down.checked_div(2)?;
    let quotient = product.checked_add(half)?.checked_div_euclid(down)?;
    Money::new(i64::try_from(quotient).ok()?, currency).ok()
}
