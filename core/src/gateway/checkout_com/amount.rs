//! Amounts as Checkout.com counts them: whole numbers, with a number of decimals of its own for some currencies.

use crate::value::money::totals::Totals;
use crate::value::money::{Currency, Money};

/// The currencies without decimals.
const WHOLE: [&str; 15] =
    ["BIF", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"];
/// The currencies with three decimals, of which the last one is zero. All others have two.
const THOUSANDTHS: [&str; 7] = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];
/// The largest number: nine digits.
const LARGEST: i64 = 999_999_999;
/// Why an amount cannot be sent.
pub(super) const UNFIT: &str = "Checkout.com cannot charge this amount in its currency";

fn decimals(currency: Currency) -> u8 {
    let code = currency.code();
    if WHOLE.contains(&code) {
        0
    } else if THOUSANDTHS.contains(&code) {
        3
    } else {
        2
    }
}

/// How many minor units of ISO 4217 make the smallest step of Checkout.com, and how many units of Checkout.com are one of them.
fn scale(currency: Currency) -> Option<(i64, i64)> {
    let (ours, own) = (currency.minor_units(), decimals(currency));
    match (ours, own) {
        (3, 3) => Some((10, 1)),
        _ if ours <= own => Some((1, 10_i64.checked_pow(u32::from(own.abs_diff(ours)))?)),
        _ => None,
    }
}

/// The totals that can be charged in a currency.
pub(super) fn totals(currency: Currency) -> Totals {
    match scale(currency) {
        Some((step, factor)) => {
            Totals::ALL.in_steps(step).within(1, LARGEST.checked_div(factor).unwrap_or_default())
        }
        None => Totals::NONE,
    }
}

/// An amount as it is sent; `None` if it cannot be.
pub(super) fn written(money: Money) -> Option<i64> {
    let (step, factor) = scale(money.currency())?;
    let is_whole = money.minor().checked_rem(step) == Some(0);
    let number = money.minor().checked_mul(factor).filter(|_| is_whole)?;
    (0..=LARGEST).contains(&number).then_some(number)
}

/// An amount of Checkout.com; `None` for a currency that is not known, and for a part of a unit.
pub(super) fn read(number: i64, currency: &str) -> Option<Money> {
    let currency = Currency::parse(currency)?;
    let (_, factor) = scale(currency)?;
    let minor = number.checked_div(factor).filter(|_| number.checked_rem(factor) == Some(0))?;
    (number >= 0).then(|| Money::new(minor, currency).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::gateway::money;

    #[test]
    fn an_amount_is_written_with_the_decimals_of_checkout_com_and_read_back() {
        for (amount, currency, number) in [
            ("10.25", "USD", Some(1_025)),
            ("10.250", "KWD", Some(10_250)),
            ("10.255", "KWD", None),
            ("10.250", "IQD", Some(10_250)),
            ("100", "JPY", Some(100)),
            ("100", "CLP", Some(10_000)),
            ("1.0000", "CLF", None),
            ("9999999.99", "USD", Some(999_999_999)),
            ("10000000.00", "USD", None),
            ("999999.990", "BHD", Some(999_999_990)),
            ("10000000", "CLP", None),
        ] {
            let money = money(amount, currency);
            assert_eq!(written(money), number, "{amount} {currency}");
            assert_eq!(totals(money.currency()).has(money), number.is_some(), "{amount} {currency}");
            if let Some(number) = number {
                assert_eq!(read(number, currency), Some(money), "{amount} {currency}");
            }
        }
        assert_eq!(read(10_050, "CLP"), None);
        assert_eq!(read(-1, "USD"), None);
        assert_eq!(read(1, "usd"), None);
    }

    #[test]
    fn every_currency_on_a_list_exists_and_every_total_can_be_written() {
        assert!(WHOLE.iter().chain(&THOUSANDTHS).all(|code| Currency::parse(code).is_some()));
        for currency in Currency::all() {
            for minor in [1, 10, 100, 1_000, 999_990, 999_999_999, 1_000_000_000] {
                let money = Money::new(minor, currency).unwrap();
                assert_eq!(totals(currency).has(money), written(money).is_some(), "{money} {currency}");
            }
        }
    }
}
