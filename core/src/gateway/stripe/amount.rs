//! Amounts as Stripe counts them: whole numbers of the smallest unit of a currency, with some exceptions from ISO 4217.

use alloc::string::String;

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

/// An amount as Stripe writes it, or why it cannot be charged.
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
    fn every_currency_on_the_list_exists() {
        assert!(CURRENCIES.is_sorted());
        assert!(CURRENCIES.iter().all(|code| Currency::parse(code).is_some()));
    }
}
