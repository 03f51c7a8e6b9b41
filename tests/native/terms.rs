//! What a payment costs, against the same arithmetic in whole numbers of any size: every amount, every rate,
//! every fee, every pair of currencies.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::arithmetic_side_effects, reason = "an overflow in a test is a failure of it")]

use std::collections::BTreeSet;

use checkout_core::gateway::terms::{Quote, Terms};
use checkout_core::value::money::decimal::lex;
use checkout_core::value::money::exchange_rate::MAX_RATE_DIGITS;
use checkout_core::value::money::totals::Totals;
use checkout_core::value::money::{Currency, ExchangeRate, MAX_MINOR, Money};
use num_bigint::BigUint;
use proptest::prelude::*;

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn money(text: &str, code: &str) -> Money {
    Money::parse(text, currency(code)).unwrap()
}

fn rate(text: &str) -> ExchangeRate {
    ExchangeRate::parse(text).unwrap()
}

fn prints(quote: Option<Quote>) -> Option<[String; 3]> {
    quote.map(|quote| [quote.amount, quote.fee, quote.total].map(|money| money.to_string()))
}

/// A decimal text as a whole number and how many decimals it has.
fn whole(text: &str) -> (BigUint, u32) {
    let decimals = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    (text.replace('.', "").parse().unwrap(), u32::try_from(decimals).unwrap())
}

fn ten(power: u32) -> BigUint {
    BigUint::from(10_u32).pow(power)
}

/// Half up: twice the numerator and one denominator, over two denominators.
fn half_up(numerator: &BigUint, denominator: &BigUint) -> BigUint {
    (numerator * 2_u32 + denominator) / (denominator * 2_u32)
}

fn scale(currency: Currency) -> BigUint {
    ten(u32::from(currency.minor_units()))
}

/// Amount, fee and the total in the amount's own currency, in minor units; `None` for what cannot be charged.
fn expected(
    (minor, source): (i64, Currency),
    rate: Option<&str>,
    (fixed, percent, target): (i64, &str, Currency),
) -> Option<[BigUint; 3]> {
    let minor = BigUint::from(minor.unsigned_abs());
    let fits = |number: &BigUint| *number <= BigUint::from(MAX_MINOR.unsigned_abs());
    let (rate, decimals) = rate.map_or_else(|| (BigUint::from(1_u32), 0), whole);
    let amount = half_up(&(&minor * &rate * scale(target)), &(scale(source) * ten(decimals)));
    if amount == BigUint::ZERO && minor != BigUint::ZERO {
        return None;
    }
    let (percent, percent_decimals) = whole(percent);
    let share = half_up(&(&amount * percent), &ten(percent_decimals + 2));
    let fee =
        if minor == BigUint::ZERO { BigUint::ZERO } else { BigUint::from(fixed.unsigned_abs()) + share };
    let back = half_up(&(&fee * scale(source) * ten(decimals)), &(scale(target) * rate));
    let total = minor + back;
    let is_charged = [&amount, &fee, &(&amount + &fee), &total].into_iter().all(fits);
    is_charged.then_some([amount, fee, total])
}

fn any_currency() -> impl Strategy<Value = Currency> {
    prop::sample::select(Currency::all().collect::<Vec<_>>())
}

/// Small, usual and extreme amounts.
fn any_minor() -> impl Strategy<Value = i64> {
    prop_oneof![0..1_000_i64, 0..100_000_000_i64, 0..=MAX_MINOR, MAX_MINOR - 1_000..=MAX_MINOR]
}

/// Texts of rates, from the smallest to the largest.
fn any_rate() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,3}\\.[0-9]{1,6}",
        "[0-9]{1,18}",
        "0\\.[0-9]{1,18}",
        "0\\.0{0,21}[1-9]",
        "[0-9]{1,9}\\.[0-9]{1,9}",
    ]
    .prop_filter("a rate", |text| ExchangeRate::parse(text).is_some())
}

fn any_percent() -> impl Strategy<Value = String> {
    prop_oneof!["[0-9]{1,2}(\\.[0-9]{1,4})?", "[0-9]{1,18}", "[0-9]{1,3}\\.[0-9]{1,12}"]
}

fn terms(source: Currency, rate: Option<&str>, fixed: Money, percent: &str) -> Terms {
    let rate = rate.map(|rate| ExchangeRate::parse(rate).unwrap());
    Terms { source, rate, fixed, percent: lex(percent).unwrap(), totals: Totals::ALL }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn the_page_reads_back_the_terms_that_it_was_given(
        source in any_currency(),
        target in any_currency(),
        by in proptest::option::of(any_rate()),
        fixed in any_minor(),
        percent in any_percent(),
    ) {
        let target = if by.is_some() { target } else { source };
        let notified = terms(source, by.as_deref(), Money::new(fixed, target).unwrap(), &percent);
        prop_assert_eq!(Terms::parse(&notified.to_string()), Some(notified));
    }

    #[test]
    fn a_quote_is_what_whole_numbers_of_any_size_come_to(
        minor in any_minor(),
        (source, target) in (any_currency(), any_currency()),
        fixed in prop_oneof![Just(0), 0..10_000_i64, 0..=MAX_MINOR],
        (rate, percent) in (any_rate(), any_percent()),
    ) {
        let amount = Money::new(minor, source).unwrap();
        let rate = (source != target).then_some(rate.as_str());
        let terms = terms(source, rate, Money::new(fixed, target).unwrap(), &percent);
        let found = terms.quote(amount);
        let expected = expected((minor, source), rate, (fixed, &percent, target));
        prop_assert_eq!(
            found.map(|quote| {
                [quote.amount, quote.fee, quote.total_of(amount).unwrap()]
                    .map(|money| BigUint::from(money.minor().unsigned_abs()))
            }),
            expected
        );
        if let Some(quote) = found {
            prop_assert_eq!(quote.amount.checked_add(quote.fee), Some(quote.total));
            prop_assert_eq!(quote.rate, terms.rate);
            prop_assert!([quote.amount, quote.fee, quote.total].iter().all(|money| money.currency() == target));
            prop_assert_eq!(quote.total_of(amount).unwrap().currency(), source);
        }
    }

    #[test]
    fn a_larger_amount_never_costs_less(
        (one, other) in (any_minor(), any_minor()),
        (source, target) in (any_currency(), any_currency()),
        (rate, percent) in (any_rate(), any_percent()),
    ) {
        let rate = (source != target).then_some(rate.as_str());
        let terms = terms(source, rate, Money::zero(target), &percent);
        let cost = |minor| terms.quote(Money::new(minor, source).unwrap());
        if let (Some(less), Some(more)) = (cost(one.min(other)), cost(one.max(other))) {
            prop_assert!(less.amount.minor() <= more.amount.minor());
            prop_assert!(less.fee.minor() <= more.fee.minor());
            prop_assert!(less.total.minor() <= more.total.minor());
        }
    }

    #[test]
    fn a_rate_is_read_back_as_it_was_printed(text in any_rate()) {
        let rate = rate(&text);
        prop_assert_eq!(ExchangeRate::parse(&rate.to_string()), Some(rate));
    }
}

#[test]
fn the_example_of_a_dollar_amount_charged_in_dinar() {
    let terms = terms(currency("USD"), Some("0.3075"), Money::zero(currency("KWD")), "2");
    let amount = money("100.00", "USD");
    let quote = terms.quote(amount).unwrap();
    assert_eq!(prints(Some(quote)), Some(["30.750", "0.615", "31.365"].map(Into::into)));
    assert_eq!(quote.total_of(amount), Some(money("102.00", "USD")));
}

#[test]
fn every_pair_of_minor_units_is_exchanged_and_rounded_half_up() {
    let codes = [("JPY", 0), ("USD", 2), ("KWD", 3), ("UYW", 4)];
    for (source, minor_units) in codes {
        assert_eq!(currency(source).minor_units(), minor_units);
    }
    for (source, target, amount, by, printed) in [
        ("JPY", "KRW", "3", "9.5", "29"),
        ("JPY", "USD", "1", "0.00649", "0.01"),
        ("JPY", "USD", "1", "0.00499", "0.00"),
        ("JPY", "KWD", "1", "0.0025", "0.003"),
        ("JPY", "UYW", "1", "0.00005", "0.0001"),
        ("USD", "JPY", "0.01", "50", "1"),
        ("USD", "JPY", "0.01", "49.99999", "0"),
        ("USD", "EUR", "1.01", "0.5", "0.51"),
        ("USD", "KWD", "0.01", "0.05", "0.001"),
        ("USD", "UYW", "0.01", "0.005", "0.0001"),
        ("KWD", "JPY", "0.001", "500", "1"),
        ("KWD", "USD", "0.001", "5", "0.01"),
        ("KWD", "BHD", "0.001", "0.5", "0.001"),
        ("KWD", "UYW", "0.001", "0.05", "0.0001"),
        ("UYW", "JPY", "0.0001", "4999", "0"),
        ("UYW", "USD", "0.0001", "50", "0.01"),
        ("UYW", "KWD", "0.0001", "5", "0.001"),
        ("UYW", "CLF", "0.0001", "0.5", "0.0001"),
    ] {
        let exchanged = money(amount, source).exchanged(rate(by), currency(target)).unwrap();
        assert_eq!(exchanged.to_string(), printed, "{amount} {source} by {by} into {target}");
    }
}

#[test]
fn every_currency_can_be_the_one_paid_in_and_the_one_charged() {
    let all: Vec<Currency> = Currency::all().collect();
    let mut pairs = BTreeSet::new();
    for (source, target) in all.iter().flat_map(|source| all.iter().map(move |target| (*source, *target))) {
        let by = (source != target).then_some("1");
        let quote = terms(source, by, Money::zero(target), "0").quote(money("7", source.code())).unwrap();
        assert_eq!(quote.total, money("7", target.code()), "{source} {target}");
        assert_eq!(quote.total_of(money("7", source.code())), Some(money("7", source.code())));
        pairs.insert((source.minor_units(), target.minor_units()));
    }
    assert_eq!(pairs.len(), 16, "0, 2, 3 and 4 decimals, each with each");
}

#[test]
fn an_amount_that_comes_to_nothing_cannot_be_charged_and_nothing_costs_nothing() {
    let terms = terms(currency("JPY"), Some("0.0049"), money("0.50", "USD"), "0");
    assert_eq!((terms.quote(money("1", "JPY")), terms.round_away(money("1", "JPY"))), (None, true));
    assert_eq!(prints(terms.quote(money("2", "JPY"))), Some(["0.01", "0.50", "0.51"].map(Into::into)));
    assert!(!terms.round_away(money("2", "JPY")));
    let nothing = money("0", "JPY");
    assert_eq!(prints(terms.quote(nothing)), Some(["0.00", "0.00", "0.00"].map(Into::into)));
    assert!(!terms.round_away(nothing));
}

#[test]
fn what_cannot_be_represented_is_not_charged_and_does_not_panic() {
    let largest = |code| Money::new(MAX_MINOR, currency(code)).unwrap();
    let dear = terms(currency("JPY"), Some("999999999999999999"), largest("UYW"), "999999999999999999999999");
    let cheap = terms(currency("UYW"), Some("0.0000000000000000000001"), largest("JPY"), "100");
    for terms in [dear, cheap] {
        for minor in [1, 1_000, MAX_MINOR] {
            assert_eq!(terms.quote(Money::new(minor, terms.source).unwrap()), None);
        }
    }
    // The total fits into the charged currency, but with its fee not into the currency of the amount.
    let back = terms(currency("KWD"), Some("0.000001"), largest("UYW"), "0");
    assert_eq!(back.quote(money("1000.000", "KWD")), None);
    assert_eq!(back.quote(money("1", "USD")), None, "another currency than the one the terms are for");
}

#[test]
fn a_rate_is_a_decimal_above_zero_of_at_most_18_digits() {
    for text in ["0.3075", "1", "3.25", "000.5", "999999999999999999", "0.0000000000000000000001", "1.50000"]
    {
        assert!(ExchangeRate::parse(text).is_some(), "{text}");
    }
    assert_eq!(rate("1.50000").to_string(), "1.5");
    assert_eq!(rate("1000").to_string(), "1000");
    assert_eq!(MAX_RATE_DIGITS, 18);
    for text in [
        "",
        "0",
        "0.000",
        "-1",
        "+1",
        "1e3",
        "1,5",
        ".5",
        "5.",
        " 1",
        "NaN",
        "inf",
        "١",
        "1000000000000000001",
        "1.000000000000000001",
        "0.0000000000000000000000001",
        "999999999999999999999999",
    ] {
        assert_eq!(ExchangeRate::parse(text), None, "{text}");
    }
}
