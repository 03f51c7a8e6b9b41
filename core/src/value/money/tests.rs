use alloc::format;
use alloc::string::ToString;

use rust_decimal::Decimal;

use super::*;

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn money(text: &str, code: &str) -> Money {
    Money::parse(text, currency(code)).unwrap()
}

#[test]
fn text_becomes_minor_units_and_is_padded_to_the_decimals_of_the_currency() {
    for (text, code, minor, printed) in [
        ("14", "KWD", 14_000, "14.000"),
        ("10.250", "KWD", 10_250, "10.250"),
        ("12.34", "KWD", 12_340, "12.340"),
        ("0.001", "KWD", 1, "0.001"),
        ("0.01", "USD", 1, "0.01"),
        ("14", "JPY", 14, "14"),
        ("0", "JPY", 0, "0"),
        ("0", "KWD", 0, "0.000"),
        ("0.0001", "CLF", 1, "0.0001"),
        ("0000000000000000000001.5", "SAR", 150, "1.50"),
    ] {
        let amount = money(text, code);
        assert_eq!((amount.minor(), amount.to_string().as_str()), (minor, printed), "{text} {code}");
        assert_eq!(amount.currency(), currency(code));
    }
}

#[test]
fn zeros_past_the_decimals_of_the_currency_say_nothing_and_other_digits_are_refused() {
    for (text, code, printed) in [
        ("10.00", "JPY", "10"),
        ("100.000", "SAR", "100.00"),
        ("1.0010000", "KWD", "1.001"),
        ("0.000000000", "USD", "0.00"),
    ] {
        assert_eq!(money(text, code).to_string(), printed);
    }
    for (text, code, allowed) in [
        ("10.01", "JPY", 0),
        ("10.0010", "JPY", 0),
        ("1.00001", "KWD", 3),
        ("1.001", "USD", 2),
        ("0.00001", "UYW", 4),
    ] {
        let currency = currency(code);
        let refusal = AmountError::TooManyDecimals { allowed, currency };
        assert_eq!(Money::parse(text, currency), Err(refusal), "{text} {code}");
    }
}

#[test]
fn what_is_no_decimal_is_no_amount() {
    for text in ["", "-1", "+1", "1e3", "1,5", ".5", "5.", " 1", "ten"] {
        assert_eq!(Money::parse(text, currency("KWD")), Err(AmountError::Malformed), "{text:?}");
    }
    assert_eq!(Money::parse(&"1".repeat(25), currency("KWD")), Err(AmountError::TooLong));
}

#[test]
fn the_largest_amount_is_the_largest_exact_whole_number_of_javascript() {
    assert_eq!(money("9007199254740.991", "KWD").minor(), MAX_MINOR);
    assert_eq!(money("9007199254740991", "JPY").minor(), MAX_MINOR);
    for (text, code) in [
        ("9007199254740.992", "KWD"),
        ("9007199254740992", "JPY"),
        ("999999999999999999999999", "JPY"),
        ("999999999999999999999999", "CLF"),
    ] {
        assert_eq!(Money::parse(text, currency(code)), Err(AmountError::TooLarge), "{text} {code}");
    }
}

#[test]
fn minor_units_are_within_zero_and_the_largest() {
    let dinar = currency("KWD");
    assert_eq!(Money::new(-1, dinar), Err(AmountError::Malformed));
    assert_eq!(Money::new(i64::MIN, dinar), Err(AmountError::Malformed));
    assert_eq!(Money::new(0, dinar), Ok(Money::zero(dinar)));
    assert_eq!(Money::new(MAX_MINOR, dinar).unwrap().minor(), MAX_MINOR);
    assert_eq!(Money::new(i64::MAX, dinar), Err(AmountError::TooLarge));
    assert!(Money::zero(dinar).is_zero());
    assert!(!money("0.001", "KWD").is_zero());
}

#[test]
fn a_percentage_is_rounded_half_up() {
    for (amount, code, percent, printed) in [
        ("30.750", "KWD", "2", "0.615"),
        ("0.050", "KWD", "1", "0.001"),
        ("0.049", "KWD", "1", "0.000"),
        ("67.00", "USD", "1.5", "1.01"),
        ("66.99", "USD", "1.5", "1.00"),
        ("50", "JPY", "5", "3"),
        ("70", "JPY", "5", "4"),
        ("7", "KWD", "100.000", "7.000"),
        ("7", "KWD", "0", "0.000"),
        ("90071992547409.91", "USD", "100.0000000000000000000", "90071992547409.91"),
    ] {
        let share = money(amount, code).percent(decimal::lex(percent).unwrap());
        assert_eq!(share.unwrap().to_string(), printed, "{percent} % of {amount} {code}");
    }
}

#[test]
fn a_percentage_that_is_too_large_is_no_amount() {
    let largest = Money::new(MAX_MINOR, currency("KWD")).unwrap();
    for percent in ["100.00001", "999999999999999999999999"] {
        assert_eq!(largest.percent(decimal::lex(percent).unwrap()), None);
    }
    assert_eq!(money("0.001", "KWD").percent(Decimal::MAX), None);
    assert_eq!(money("1.000", "KWD").percent(Decimal::from(-100)), None);
}

#[test]
fn sums_and_differences_stay_in_range_and_in_one_currency() {
    let (ten, three) = (money("10", "KWD"), money("3.250", "KWD"));
    assert_eq!(ten.checked_add(three), Some(money("13.250", "KWD")));
    assert_eq!(ten.checked_sub(three), Some(money("6.750", "KWD")));
    assert_eq!(ten.checked_sub(ten), Some(Money::zero(currency("KWD"))));
    assert_eq!(three.checked_sub(ten), None);
    assert_eq!(Money::new(MAX_MINOR, currency("KWD")).unwrap().checked_add(money("0.001", "KWD")), None);
    assert_eq!(ten.checked_add(money("10", "BHD")), None);
    assert_eq!(ten.checked_sub(money("10", "BHD")), None);
}

#[test]
fn errors_say_what_is_allowed() {
    let decimals = |allowed, code| AmountError::TooManyDecimals { allowed, currency: currency(code) };
    for (error, text) in [
        (
            AmountError::Malformed,
            "must be digits with at most one decimal point, without sign, exponent or blank",
        ),
        (AmountError::TooLong, "must be at most 24 characters"),
        (decimals(3, "KWD"), "must have at most 3 decimal places for KWD"),
        (decimals(0, "JPY"), "must have no decimal places for JPY"),
        (AmountError::TooLarge, "must be at most 9007199254740991 minor units of its currency"),
    ] {
        assert_eq!(error.to_string(), text);
    }
    assert_eq!(format!("{:?}", decimals(3, "KWD")), "TooManyDecimals { allowed: 3, currency: KWD }");
}
