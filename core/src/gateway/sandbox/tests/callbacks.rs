//! Callbacks of the bank.

use super::*;

fn callback(body: &str, signature: &str) -> Incoming {
    let headers = vec![(SIGNATURE_HEADER.to_string(), signature.to_string())];
    Incoming { status: 0, headers, body: body.as_bytes().to_vec() }
}

#[test]
fn a_signed_callback_is_read() {
    let body = approved();
    let signature = callback_signature(&callback_key(KEY), body.as_bytes());
    let report = bank().read_callback(&reference(), &callback(&body, &signature)).unwrap();
    assert_eq!(report.outcome, Outcome::Approved);
    let signature = callback_signature(&callback_key(KEY), b"x");
    let report = bank().read_callback(&reference(), &callback("x", &signature)).unwrap();
    assert_eq!(report.outcome, Outcome::Unknown);
}

#[test]
fn a_callback_without_the_signature_of_the_bank_is_not_read() {
    let body = approved();
    let right = callback_signature(&callback_key(KEY), body.as_bytes());
    let wrong = [
        String::new(),
        right.chars().take(63).collect(),
        right.to_uppercase(),
        format!("{right}0"),
        callback_signature(&callback_key("another"), body.as_bytes()),
        callback_signature(KEY, body.as_bytes()),
    ];
    for signature in wrong {
        assert_eq!(bank().read_callback(&reference(), &callback(&body, &signature)), None, "{signature}");
    }
    assert_eq!(bank().read_callback(&reference(), &callback(&format!("{body} "), &right)), None);
    assert_eq!(bank().read_callback(&reference(), &answer(0, &body)), None);
}
