//! How the sheet of a wallet writes amounts, and which totals it can show. What it cannot show is not offered.
//!
//! Google takes whole amounts or exactly two decimals (`^[0-9]+(\.[0-9][0-9])?$`), in every currency: a third digit of zero
//! is left out. Apple takes the decimals of the currency, and opens no sheet over more than a hundred million.

use alloc::string::String;

use crate::gateway::terms::Quote;
use crate::value::money::totals::{Totals, step_of_two_decimals};
use crate::value::money::{Currency, Money};
use crate::words::Wallet;

/// The most whole units of a currency over which a sheet of Apple opens.
const MOST_OF_APPLE: i64 = 100_000_000;

/// What a sheet shows about a payment, in the form of its wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// What the payer pays.
    pub total: String,
    /// The amount and the fee, if there is a fee and the sheet can show both.
    pub parts: Option<Parts>,
}

/// What a total consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The amount without the fee.
    pub net: String,
    /// The fee.
    pub fee: String,
}

/// The networks of cards whose payments gateways take from a wallet, as it names them, with spaces between.
#[must_use]
pub const fn networks(wallet: Wallet) -> &'static str {
    match wallet {
        Wallet::ApplePay => "amex mada masterCard visa",
        Wallet::GooglePay => "AMEX MASTERCARD VISA",
    }
}

/// What the sheet shows; `None` if it cannot show the total.
#[must_use]
pub fn prices(wallet: Wallet, quote: &Quote) -> Option<Prices> {
    if !totals(wallet, quote.total.currency()).has(quote.total) {
        return None;
    }
    let fee = Some(quote.fee).filter(|fee| !fee.is_zero());
    let parts =
        fee.and_then(|fee| Some(Parts { net: price(wallet, quote.amount)?, fee: price(wallet, fee)? }));
    Some(Prices { total: price(wallet, quote.total)?, parts })
}

/// The totals that a sheet can show in a currency.
fn totals(wallet: Wallet, currency: Currency) -> Totals {
    match wallet {
        Wallet::ApplePay => {
            let unit = 10_i64.saturating_pow(u32::from(currency.minor_units()));
            Totals::ALL.within(1, MOST_OF_APPLE.saturating_mul(unit))
        }
        Wallet::GooglePay => Totals::ALL.in_steps(step_of_two_decimals(currency)),
    }
}

/// An amount as the wallet writes it; `None` if it cannot be written.
fn price(wallet: Wallet, money: Money) -> Option<String> {
    let text = money.text();
    match wallet {
        Wallet::ApplePay => Some(text),
        Wallet::GooglePay => {
            let Some((whole, decimals)) = text.split_once('.') else { return Some(text) };
            let (shown, rest) = decimals.split_at_checked(2)?;
            let is_written = rest.bytes().all(|digit| digit == b'0');
            is_written.then(|| [whole, ".", shown].concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(amount: &str, currency: &str) -> Money {
        Money::parse(amount, Currency::parse(currency).unwrap()).unwrap()
    }

    fn shown(
        wallet: Wallet,
        amount: &str,
        fee: &str,
        currency: &str,
    ) -> Option<(String, Option<[String; 2]>)> {
        let (amount, fee) = (money(amount, currency), money(fee, currency));
        let quote = Quote { amount, fee, total: amount.checked_add(fee).unwrap(), rate: None };
        let prices = prices(wallet, &quote)?;
        Some((prices.total, prices.parts.map(|parts| [parts.net, parts.fee])))
    }

    #[test]
    fn google_is_shown_whole_amounts_or_two_decimals() {
        for (amount, currency, expected) in [
            ("10.250", "KWD", Some("10.25")),
            ("10.000", "KWD", Some("10.00")),
            ("10.255", "KWD", None),
            ("0.010", "KWD", Some("0.01")),
            ("0.001", "KWD", None),
            ("10.25", "USD", Some("10.25")),
            ("500", "JPY", Some("500")),
            ("1.2300", "CLF", Some("1.23")),
            ("1.2310", "CLF", None),
        ] {
            let shown = shown(Wallet::GooglePay, amount, "0", currency).map(|(total, _)| total);
            assert_eq!(shown.as_deref(), expected, "{amount} {currency}");
        }
    }

    #[test]
    fn parts_are_shown_with_a_fee_and_only_if_both_can_be() {
        let parts = |net: &str, fee: &str| Some([net.into(), fee.into()]);
        for (amount, fee, expected) in [
            ("10.250", "0.200", Some(("10.45".into(), parts("10.25", "0.20")))),
            ("10.225", "0.225", Some(("10.45".into(), None))),
            ("10.250", "0.205", None),
            ("10.250", "0", Some(("10.25".into(), None))),
        ] {
            assert_eq!(shown(Wallet::GooglePay, amount, fee, "KWD"), expected, "{amount} {fee}");
        }
    }

    #[test]
    fn apple_is_shown_the_decimals_of_the_currency_up_to_a_hundred_million() {
        for (amount, currency, expected) in [
            ("10.255", "KWD", Some("10.255")),
            ("500", "JPY", Some("500")),
            ("100000000.00", "USD", Some("100000000.00")),
            ("100000000.01", "USD", None),
            ("100000000.001", "KWD", None),
        ] {
            let shown = shown(Wallet::ApplePay, amount, "0", currency).map(|(total, _)| total);
            assert_eq!(shown.as_deref(), expected, "{amount} {currency}");
        }
    }
}
