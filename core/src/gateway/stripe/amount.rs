//! Amounts as Stripe counts them: whole numbers of the smallest unit of a currency, with some exceptions from ISO 4217.

use alloc::string::String;

use crate::value::money::totals::Totals;
use crate::value::money::{Currency, Money};

/// The currencies that Stripe charges, by its list of presentment currencies.
pub(super) const CURRENCIES: &[&str] = &[
    "AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BHD", "BIF", "BMD",
    "BND", "BOB", "BRL", "BSD", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CVE",
    "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GIP", "GMD", "GNF",
    "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS",
    "KHR", "KMF", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "MAD", "MDL", "MGA", "MKD",
    "MMK", "MNT", "MOP", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD",
    "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD",
    "SCR", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SZL", "THB", "TJS", "TND", "TOP", "TRY", "TTD", "TWD",
    "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VND", "VUV", "WST", "XAF", "XCD", "XOF", "XPF", "YER", "ZAR",
    "ZMW",
];

/// How Stripe counts an amount.
enum Count {
    /// As ISO 4217 does.
    Usual,
    /// As ISO 4217 does, and the last digit must be zero.
    InTens,
    /// In hundredths of the unit of ISO 4217.
    InHundredths,
    /// In hundreds of the unit of ISO 4217.
    InHundreds,
}

fn count_of(currency: Currency) -> Count {
    match currency.code() {
        "BHD" | "JOD" | "KWD" | "OMR" | "TND" => Count::InTens,
        "ISK" | "UGX" => Count::InHundredths,
        "MGA" => Count::InHundreds,
        _ => Count::Usual,
    }
}

/// The smallest charge in the currencies for which Stripe lists one, as Stripe counts.
const SMALLEST: &[(&str, i64)] = &[
    ("AED", 200),
    ("AUD", 50),
    ("BRL", 50),
    ("CAD", 50),
    ("CHF", 50),
    ("CZK", 1_500),
    ("DKK", 250),
    ("EUR", 50),
    ("GBP", 30),
    ("HKD", 400),
    ("HUF", 17_500),
    ("INR", 50),
    ("JPY", 50),
    ("MXN", 1_000),
    ("MYR", 200),
    ("NOK", 300),
    ("NZD", 50),
    ("PLN", 200),
    ("RON", 200),
    ("SEK", 300),
    ("SGD", 50),
    ("THB", 1_000),
    ("USD", 50),
];
/// The largest number that Stripe takes: eight digits.
const LARGEST: i64 = 99_999_999;
/// The same in rupiah: twelve.
const LARGEST_RUPIAH: i64 = 999_999_999_999;

/// The totals that Stripe charges in a currency. In one for which it lists no smallest charge, that depends on the currency
/// in which the account is paid out.
pub(super) fn totals(currency: Currency) -> Totals {
    let code = currency.code();
    if !CURRENCIES.contains(&code) {
        return Totals::NONE;
    }
    let smallest = SMALLEST.iter().find(|(listed, _)| *listed == code).map_or(1, |(_, smallest)| *smallest);
    let largest = if code == "IDR" { LARGEST_RUPIAH } else { LARGEST };
    match count_of(currency) {
        Count::Usual => Totals::ALL.within(smallest, largest),
        Count::InTens => Totals::ALL.in_steps(10).within(smallest, largest),
        Count::InHundredths => Totals::ALL.within(smallest, largest.checked_div(100).unwrap_or_default()),
        Count::InHundreds => Totals::ALL.in_steps(100).within(smallest, largest.saturating_mul(100)),
    }
}

/// An amount as Stripe writes it, or why it cannot be written. What is given back or captured may be smaller than a charge.
pub(super) fn written(money: Money) -> Result<i64, &'static str> {
    let currency = money.currency();
    if !CURRENCIES.contains(&currency.code()) {
        return Err("Stripe does not charge in this currency");
    }
    let minor = money.minor();
    let ends_in_zeros = |unit: i64| minor.checked_rem(unit) == Some(0);
    match count_of(currency) {
        Count::Usual => Ok(minor),
        Count::InTens if ends_in_zeros(10) => Ok(minor),
        Count::InTens => Err("Stripe charges in this currency only amounts whose third decimal is zero"),
        Count::InHundredths => minor.checked_mul(100).ok_or("the amount is too large for Stripe"),
        Count::InHundreds if ends_in_zeros(100) => Ok(minor.checked_div(100).unwrap_or_default()),
        Count::InHundreds => Err("Stripe charges in this currency only whole amounts"),
    }
}

/// An amount of Stripe; `None` for a currency that is not known, and for a part of a unit.
pub(super) fn read(number: i64, currency: &str) -> Option<Money> {
    let code: String = currency.chars().map(|letter| letter.to_ascii_uppercase()).collect();
    let currency = Currency::parse(&code)?;
    let minor = match count_of(currency) {
        Count::Usual | Count::InTens => number,
        Count::InHundredths if number.checked_rem(100) != Some(0) => return None,
        Count::InHundredths => number.checked_div(100)?,
        Count::InHundreds => number.checked_mul(100)?,
    };
    Money::new(minor, currency).ok()
}

/// The code of a currency as Stripe writes it.
pub(super) fn code(currency: Currency) -> String {
    currency.code().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(amount: &str, currency: &str) -> Money {
        Money::parse(amount, Currency::parse(currency).unwrap()).unwrap()
    }

    #[test]
    fn an_amount_is_written_as_stripe_counts_it_and_read_back() {
        for (amount, currency, number) in [
            ("10.25", "USD", 1_025),
            ("10.250", "KWD", 10_250),
            ("500", "JPY", 500),
            ("500", "UGX", 50_000),
            ("500", "ISK", 50_000),
            ("500.00", "MGA", 500),
        ] {
            let money = money(amount, currency);
            assert_eq!(written(money), Ok(number), "{currency}");
            assert_eq!(read(number, &code(money.currency())), Some(money), "{currency}");
        }
        assert_eq!(read(50_001, "isk"), None);
        assert_eq!(read(-1, "usd"), None);
        assert_eq!(read(1, "xxx"), None);
    }

    #[test]
    fn an_amount_that_stripe_cannot_charge_is_not_written() {
        for (amount, currency) in [("10.251", "KWD"), ("0.50", "MGA"), ("1.000", "IQD"), ("1.0000", "CLF")] {
            assert!(written(money(amount, currency)).is_err(), "{currency}");
        }
    }

    #[test]
    fn every_total_that_is_charged_can_be_written_with_the_digits_that_stripe_takes() {
        for currency in Currency::all() {
            let totals = totals(currency);
            for minor in [1, 10, 50, 100, 1_234, 1_250, 99_999_990, 99_999_999, 100_000_000, 9_999_999_900] {
                let money = Money::new(minor, currency).unwrap();
                if totals.has(money) {
                    let number = written(money).unwrap();
                    assert!(
                        number <= if currency.code() == "IDR" { LARGEST_RUPIAH } else { LARGEST },
                        "{money}"
                    );
                }
            }
        }
        for (amount, currency, is_charged) in [
            ("0.50", "USD", true),
            ("0.49", "USD", false),
            ("999999.99", "USD", true),
            ("1000000.00", "USD", false),
            ("0.010", "KWD", true),
            ("99999.990", "KWD", true),
            ("100000.000", "KWD", false),
            ("999999", "ISK", true),
            ("1000000", "ISK", false),
            ("1.000", "IQD", false),
        ] {
            let money = money(amount, currency);
            assert_eq!(totals(money.currency()).has(money), is_charged, "{amount} {currency}");
        }
    }

    #[test]
    fn every_currency_on_the_list_exists() {
        assert!(CURRENCIES.is_sorted());
        assert!(CURRENCIES.iter().all(|code| Currency::parse(code).is_some()));
        assert!(SMALLEST.iter().all(|(code, _)| CURRENCIES.contains(code)));
    }
}
