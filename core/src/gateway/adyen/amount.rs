//! Amounts as Adyen writes them: whole numbers of minor units, with its own number of decimals for four currencies.

use alloc::string::String;

use serde::Serialize;

use crate::value::money::totals::Totals;
use crate::value::money::{Currency, MAX_MINOR, Money};
use crate::wire::object::Object;

/// The currencies whose decimals at Adyen are not those of ISO 4217.
const OWN_DECIMALS: [(&str, u8); 4] = [("CLP", 2), ("CVE", 0), ("IDR", 0), ("ISK", 2)];

/// The totals that Adyen can express in a currency.
pub(super) fn totals(currency: Currency) -> Totals {
    let (ours, own) = (currency.minor_units(), decimals(currency));
    let factor = 10_i64.saturating_pow(u32::from(ours.abs_diff(own)));
    if own < ours {
        Totals::ALL.in_steps(factor)
    } else {
        Totals::ALL.within(1, MAX_MINOR.checked_div(factor).unwrap_or_default())
    }
}

/// An amount on the wire.
#[derive(Serialize)]
pub(super) struct Amount {
    currency: &'static str,
    value: i64,
}

impl Amount {
    /// An amount; `None` if it has a part that Adyen cannot express, and if it is too large.
    pub(super) fn of(money: Money) -> Option<Self> {
        let currency = money.currency();
        let value = rescale(money.minor(), currency.minor_units(), decimals(currency))?;
        Some(Self { currency: currency.code(), value })
    }
}

/// The amount of that many minor units of Adyen in a currency; `None` if either cannot be read.
pub(super) fn read(value: &str, currency: &str) -> Option<Money> {
    let currency = Currency::parse(currency)?;
    // Only digits, so that `1e3` and `-0` are no amounts.
    let is_whole = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let value = is_whole.then(|| value.parse::<i64>().ok()).flatten()?;
    Money::new(rescale(value, decimals(currency), currency.minor_units())?, currency).ok()
}

/// The member `amount` of an object, as it is written: the number and the currency.
pub(super) fn written(object: &mut Object<'_>) -> Option<(String, String)> {
    object.object("amount", |amount| {
        let value = amount.raw("value").map(|raw| String::from(raw.get())).unwrap_or_default();
        (value, amount.optional_text("currency").unwrap_or_default())
    })
}

/// The amount in the member `amount` of an object; `None` if it cannot be read.
pub(super) fn member(object: &mut Object<'_>) -> Option<Money> {
    let (value, currency) = written(object)?;
    read(&value, &currency)
}

fn decimals(currency: Currency) -> u8 {
    let own = OWN_DECIMALS.iter().find(|(code, _)| *code == currency.code());
    own.map_or_else(|| currency.minor_units(), |(_, decimals)| *decimals)
}

fn rescale(value: i64, from: u8, to: u8) -> Option<i64> {
    let factor = 10_i64.checked_pow(u32::from(from.abs_diff(to)))?;
    let scaled = if to >= from {
        value.checked_mul(factor)?
    } else if value.checked_rem(factor)? == 0 {
        value.checked_div(factor)?
    } else {
        return None;
    };
    (0..=MAX_MINOR).contains(&scaled).then_some(scaled)
}
