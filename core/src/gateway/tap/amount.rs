//! Amounts as Tap writes them: numbers of major units, with at most the decimals of their currency.

use alloc::boxed::Box;
use alloc::string::ToString;

use serde_json::value::RawValue;

use crate::value::money::totals::Totals;
use crate::value::money::{Currency, MAX_MINOR, Money};
use crate::wire::object::Object;

/// The currencies that Tap charges, by its list of decimals.
pub(super) const CURRENCIES: &[&str] =
    &["AED", "BHD", "EGP", "EUR", "GBP", "KWD", "OMR", "QAR", "SAR", "USD"];

/// The totals that Tap charges in a currency: a tenth of its unit or more.
pub(super) fn totals(currency: Currency) -> Totals {
    if !CURRENCIES.contains(&currency.code()) {
        return Totals::NONE;
    }
    let unit = 10_i64.saturating_pow(u32::from(currency.minor_units()));
    Totals::ALL.within(unit.checked_div(10).unwrap_or(1).max(1), MAX_MINOR)
}

/// An amount as a number with all decimals of its currency.
pub(super) fn written(money: Money) -> Option<Box<RawValue>> {
    RawValue::from_string(money.to_string()).ok()
}

/// The amount of an object; `None` if there is none that can be read. The currency is the one in which the payer pays.
pub(super) fn read(object: &mut Object<'_>) -> Option<Money> {
    let currency = Currency::parse(&object.text("currency"))?;
    Money::parse(object.raw("amount")?.get(), currency).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(amount: &str, currency: &str) -> Money {
        Money::parse(amount, Currency::parse(currency).unwrap()).unwrap()
    }

    fn read_text(amount: &str, currency: &str) -> Option<Money> {
        let text = alloc::format!(r#"{{"amount":{amount},"currency":"{currency}"}}"#);
        Object::read(&text, read)?
    }

    #[test]
    fn an_amount_is_a_number_with_the_decimals_of_its_currency() {
        for (amount, currency) in [("10.250", "KWD"), ("0.50", "SAR"), ("1.000", "BHD")] {
            let money = money(amount, currency);
            assert_eq!(written(money).unwrap().get(), amount);
            assert_eq!(read_text(amount, currency), Some(money));
        }
    }

    #[test]
    fn an_amount_is_read_with_fewer_decimals_and_with_more_zeros() {
        for (amount, read) in [("1", "1.00"), ("1.0", "1.00"), ("1.5", "1.50"), ("1.500", "1.50")] {
            assert_eq!(read_text(amount, "SAR"), Some(money(read, "SAR")), "{amount}");
        }
        for amount in ["\"1.00\"", "-1.00", "1e2", "1.005", "null", "{}", "true"] {
            assert_eq!(read_text(amount, "SAR"), None, "{amount}");
        }
        assert_eq!(read_text("1.00", "sar"), None);
    }

    #[test]
    fn the_smallest_charge_is_a_tenth_of_the_unit() {
        for (amount, currency, is_charged) in [
            ("0.100", "KWD", true),
            ("0.099", "KWD", false),
            ("0.10", "SAR", true),
            ("0.09", "SAR", false),
            ("10.255", "KWD", true),
            ("100", "JPY", false),
        ] {
            let money = money(amount, currency);
            assert_eq!(totals(money.currency()).has(money), is_charged, "{amount} {currency}");
        }
        assert!(CURRENCIES.is_sorted());
        assert!(CURRENCIES.iter().all(|code| Currency::parse(code).is_some()));
    }
}
