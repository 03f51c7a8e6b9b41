//! The small values: money against its vectors and against ISO 4217, and printing and reading back as
//! identities.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::arithmetic_side_effects, reason = "an overflow in a test is a failure of it")]

use std::collections::BTreeMap;
use std::time::Duration;

use checkout_core::value::country::alpha3;
use checkout_core::value::email::is_email;
use checkout_core::value::id::{DeliveryId, MerchantId, PgCode, ReferenceNumber, SessionId};
use checkout_core::value::money::{AmountError, Currency, MAX_AMOUNT_CHARS, MAX_MINOR, Money, decimal};
use checkout_core::value::slot::{Slot, Slotted};
use checkout_core::value::text::{check_line, without_bidi_controls};
use checkout_core::value::time::{Date, Timestamp, parse_period, print_period};
use checkout_core::value::web_address::{Reach, WebAddress};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    amounts: Vec<Amount>,
    refused_amounts: Vec<RefusedAmount>,
    refused_currencies: Vec<String>,
}

#[derive(Deserialize)]
struct Amount {
    text: String,
    currency: Currency,
    minor: i64,
    printed: String,
}

#[derive(Deserialize)]
struct RefusedAmount {
    text: String,
    currency: Currency,
    message: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../vectors/money.json")).unwrap()
}

#[test]
fn every_country_has_the_three_letters_of_the_public_list() {
    let listed = iso_country::data::all();
    let known = listed.iter().filter(|country| alpha3(country.alpha2).is_some());
    assert_eq!(known.clone().count(), 249);
    for country in known {
        assert_eq!(alpha3(country.alpha2), Some(country.alpha3), "{}", country.name);
    }
    for text in ["", "K", "kw", "KWT", "KWKWT", "XX", " K"] {
        assert_eq!(alpha3(text), None, "{text}");
    }
}

#[test]
fn money_agrees_with_its_vectors() {
    for Amount { text, currency, minor, printed } in vectors().amounts {
        let amount = Money::parse(&text, currency).unwrap();
        assert_eq!((amount.minor(), amount.to_string()), (minor, printed), "{text} {currency}");
    }
    for RefusedAmount { text, currency, message } in vectors().refused_amounts {
        let refusal = Money::parse(&text, currency).unwrap_err();
        assert_eq!(refusal.to_string(), message, "{text:?} {currency}");
    }
    for text in vectors().refused_currencies {
        assert_eq!(Currency::parse(&text), None, "{text:?}");
    }
}

/// Every text of three capitals.
fn every_code() -> impl Iterator<Item = String> {
    let letters = || 'A'..='Z';
    letters().flat_map(move |first| {
        letters()
            .flat_map(move |second| letters().map(move |third| String::from_iter([first, second, third])))
    })
}

/// The differences because our list is newer than the other: it lacks these codes, and has these that were
/// withdrawn since.
const ADDED: [&str; 1] = ["XAD"];
const WITHDRAWN: [&str; 5] = ["BGN", "CUC", "HRK", "SLL", "ZWL"];

#[test]
fn currencies_are_those_of_iso_4217_that_have_a_minor_unit() {
    for code in every_code() {
        let ours = Currency::parse(&code).map(|currency| u16::from(currency.minor_units()));
        let theirs = iso_currency::Currency::from_code(&code).and_then(iso_currency::Currency::exponent);
        if ADDED.contains(&code.as_str()) {
            assert!(ours.is_some() && theirs.is_none(), "{code} is no difference any more");
        } else if WITHDRAWN.contains(&code.as_str()) {
            assert!(ours.is_none() && theirs.is_some(), "{code} is no difference any more");
        } else {
            assert_eq!(ours, theirs, "{code}");
        }
    }
    assert_eq!(every_code().filter(|code| Currency::parse(code).is_some()).count(), Currency::all().count());
}

#[test]
fn the_vectors_have_every_currency_with_its_decimals() {
    let vectors: BTreeMap<String, u8> =
        serde_json::from_str(include_str!("../vectors/currencies.json")).unwrap();
    let ours: BTreeMap<String, u8> =
        Currency::all().map(|currency| (currency.code().to_owned(), currency.minor_units())).collect();
    assert_eq!(vectors, ours);
}

fn any_currency() -> impl Strategy<Value = Currency> {
    prop::sample::select(Currency::all().collect::<Vec<_>>())
}

fn any_money() -> impl Strategy<Value = Money> {
    (0..=MAX_MINOR, any_currency()).prop_map(|(minor, currency)| Money::new(minor, currency).unwrap())
}

/// Texts near the shape of an amount, and any others.
fn any_amount_text() -> impl Strategy<Value = String> {
    prop_oneof!["[0-9]{0,26}", "[0-9]{0,14}\\.[0-9]{0,14}", "[-+0-9.eE_ ,]{0,26}", any::<String>()]
}

proptest! {
    #[test]
    fn an_amount_is_read_back_as_it_was_printed(amount in any_money()) {
        prop_assert_eq!(Money::parse(&amount.to_string(), amount.currency()), Ok(amount));
    }

    #[test]
    fn what_is_read_as_an_amount_has_the_shape_of_one(text in any_amount_text(), currency in any_currency()) {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, "0"));
        let is_decimal = digits(whole) && digits(fraction) && text.len() <= MAX_AMOUNT_CHARS;
        prop_assert_eq!(decimal::lex(&text).is_ok(), is_decimal);
        match Money::parse(&text, currency) {
            Ok(amount) => {
                prop_assert!(is_decimal);
                prop_assert_eq!(amount.to_decimal(), decimal::lex(&text).unwrap());
            }
            Err(AmountError::Malformed | AmountError::TooLong) => prop_assert!(!is_decimal),
            Err(AmountError::TooManyDecimals { allowed, .. }) => {
                prop_assert_eq!(allowed, currency.minor_units());
                prop_assert!(text.contains('.') && fraction.len() > usize::from(allowed));
            }
            Err(AmountError::TooLarge) => prop_assert!(is_decimal),
        }
    }

    #[test]
    fn a_difference_undoes_a_sum(left in 0..=MAX_MINOR, right in 0..=MAX_MINOR, currency in any_currency()) {
        let money = |minor| Money::new(minor, currency).unwrap();
        match money(left).checked_add(money(right)) {
            Some(sum) => {
                prop_assert_eq!(sum.minor(), left + right);
                prop_assert_eq!(sum.checked_sub(money(right)), Some(money(left)));
            }
            None => prop_assert!(left + right > MAX_MINOR),
        }
        prop_assert_eq!(money(left).checked_sub(money(right)).is_some(), left >= right);
    }

    #[test]
    fn a_moment_is_read_back_to_the_second(millis in any::<i64>()) {
        let moment = Timestamp::from_millis(millis);
        let whole = Timestamp::from_millis(moment.seconds() * 1_000);
        prop_assert_eq!(Timestamp::parse(&moment.to_string()), Some(whole));
        prop_assert!(moment.since(whole) < Duration::from_secs(1) && whole <= moment);
    }

    #[test]
    fn moments_print_in_their_order(left in any::<i64>(), right in any::<i64>()) {
        let (left, right) = (Timestamp::from_millis(left), Timestamp::from_millis(right));
        prop_assert_eq!(left.seconds().cmp(&right.seconds()), left.to_string().cmp(&right.to_string()));
        prop_assert_eq!(left.plus(right.since(left)), left.max(right));
    }

    #[test]
    fn a_date_is_read_back_from_both_spellings(year in 1..=9999, month in 1..=12, day in 1..=31) {
        let year_first = Date::parse(&format!("{year:04}-{month:02}-{day:02}"));
        prop_assert_eq!(year_first, Date::parse(&format!("{day:02}/{month:02}/{year:04}")));
        if let Some(date) = year_first {
            prop_assert_eq!(Date::parse(&date.to_string()), Some(date));
        } else {
            prop_assert!(day > 28);
        }
    }

    #[test]
    fn a_period_is_read_back_as_it_was_printed(seconds in any::<u64>()) {
        let period = Duration::from_secs(seconds);
        prop_assert_eq!(parse_period(&print_period(period)), Some(period));
        prop_assert_eq!(parse_period(&seconds.to_string()), Some(period));
        prop_assert_eq!(parse_period(&format!("PT{seconds}S")), Some(period));
    }

    #[test]
    fn generated_names_are_read_back(
        shard: u8,
        session: [u8; 19],
        reference: [u8; 8],
        prefix in "[A-Z0-9]{0,8}",
    ) {
        let session = SessionId::generate(shard, session);
        prop_assert_eq!(SessionId::parse(session.as_str()), Some(session.clone()));
        let reference = ReferenceNumber::generate(&prefix, Slot::from(shard), reference);
        prop_assert_eq!(reference.as_str().len(), prefix.len() + 15);
        prop_assert_eq!(reference.slot(), session.slot());
        prop_assert_eq!(ReferenceNumber::parse(reference.as_str()), Some(reference));
        let delivery = DeliveryId::new(&session, i64::from(shard));
        prop_assert_eq!(DeliveryId::parse(delivery.as_str()), Some(delivery));
    }

    #[test]
    fn an_address_that_is_allowed_stays_so_once_re_serialised(
        text in prop_oneof![
            "https?:/{0,3}[a-z0-9.@:%\\\\\\[\\]-]{0,20}(/[a-zé %]{0,5})?(\\?[a-z=&]{0,5})?(#[a-z]{0,3})?",
            "https://[a-z]{1,5}\\.[a-z]{2,4}(/[a-zé]{0,5})?(\\?[a-z=&]{0,5})?(#[a-z]{0,3})?",
            any::<String>(),
        ],
    ) {
        if let Ok(address) = WebAddress::parse(&text, Reach::Public) {
            prop_assert_eq!(WebAddress::parse(address.as_str(), Reach::Public), Ok(address.clone()));
            let origin = format!("https://{}", address.host());
            prop_assert_eq!(address.origin(), origin.as_str());
            let start = format!("{origin}/");
            prop_assert!(address.as_str().starts_with(&start) && address.as_str().is_ascii());
            let more = address.with_query(&[("order_no", &text)]);
            prop_assert!(more.starts_with(&start) && more.contains("order_no="));
        }
    }

    #[test]
    fn no_text_at_all_makes_a_reader_panic(text in any::<String>(), max in 0_usize..40) {
        let _ = (Timestamp::parse(&text), Date::parse(&text), parse_period(&text), Currency::parse(&text));
        let _ = (SessionId::parse(&text), ReferenceNumber::parse(&text), MerchantId::parse(&text));
        let _ = (PgCode::parse(&text), DeliveryId::parse(&text));
        let _ = (is_email(&text), without_bidi_controls(&text));
        let _ = WebAddress::parse(&text, Reach::Development);
        prop_assert!(check_line(&text, max).is_err() || text.chars().count() <= max);
    }
}
