mod callbacks;
mod operations;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::gateway::charge::{ChargeOperation, PgParams};
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::payer::Payer;
use crate::value::money::{Currency, Money};
use crate::words::Language;

const KEY: &str = "sandbox-key-1";

fn credentials(endpoint: Option<&str>) -> Credentials {
    let values = [(API_KEY, KEY.to_string())].into_iter().collect();
    Credentials { endpoint: endpoint.map(Into::into), is_test: true, values }
}

fn charge_ref() -> ChargeRef {
    ChargeRef {
        reference: reference(),
        gateway_id: None,
        total: kwd("10.250"),
        operation: ChargeOperation::Purchase,
        form: FormOfPayment::Redirect,
        saves_card: false,
        params: PgParams::new(),
        opened_at: Timestamp::from_millis(0),
    }
}

/// The request with which an exchange begins.
fn request<T>(step: Step<'_, T>) -> Outgoing {
    step.call().unwrap().request
}

fn bank() -> Sandbox {
    Sandbox::new(credentials(None))
}

fn reference() -> ReferenceNumber {
    ReferenceNumber::parse("7H3K9M2P4Q5R").unwrap()
}

fn kwd(text: &str) -> Money {
    Money::parse(text, Currency::parse("KWD").unwrap()).unwrap()
}

fn answer(status: u16, body: &str) -> Incoming {
    Incoming { query: String::new(), status, headers: Vec::new(), body: body.as_bytes().to_vec() }
}

/// A charge of the bank, with `more` members or with other values for these.
fn charge(status: &str, more: &str) -> String {
    format!(
        r#"{{"id":"ch_1","reference":"7H3K9M2P4Q5R","status":"{status}","amount":"10.250","currency":"KWD","operation":"purchase"{more}}}"#
    )
}

fn approved() -> String {
    let card = r#"{"brand":"VISA","number":"411111******1111","expiry_month":"01","expiry_year":"39","holder":"TEST CARD"}"#;
    charge(
        "approved",
        &format!(
            r#","message":"approved","auth_code":"A1B2C3","rrn":"123456789012","transaction_id":"tr_1","post_date":"2026-11-21","card":{card}"#
        ),
    )
}

fn open(page_url: &str) -> String {
    charge("open", &format!(r#","page_url":"{page_url}""#))
}

fn reported(status: u16, body: &str) -> Report {
    match read_open(&answer(status, body)) {
        Opened::Reported(report) => report,
        Opened::Refused { .. } => panic!("refused"),
    }
}

#[test]
fn opening_sends_every_field_of_the_order_as_text() {
    let order = Order {
        reference: reference(),
        total: kwd("10.25"),
        card: None,
        saves_card: false,
        operation: ChargeOperation::Authorize,
        instrument: Instrument::Page,
        language: Language::Ar,
        merchant: "متجر \"ت\"".into(),
        return_url: "https://pay.example/b/gw/v1/return/7H3K9M2P4Q5R/".into(),
        callback_url: "https://pay.example/b/gw/v1/callback/7H3K9M2P4Q5R/".into(),
        order_no: None,
        payer: Payer::default(),
        items: Vec::new(),
        country: "KW".into(),
        agreement: None,
        opened_at: Timestamp::from_millis(0),
    };
    let bank = bank();
    let request = request(bank.open(&order));
    assert_eq!(request.method, HttpMethod::Post);
    assert_eq!(request.url, "https://bank.sandbox.invalid/v1/charges");
    assert!(request.headers.contains(&("authorization", "Bearer sandbox-key-1".to_string())));
    assert!(request.headers.contains(&("content-type", "application/json".to_string())));
    assert_eq!(
        String::from_utf8(request.body).unwrap(),
        r#"{"reference":"7H3K9M2P4Q5R","amount":"10.250","currency":"KWD","operation":"authorize","language":"ar","merchant":"متجر \"ت\"","return_url":"https://pay.example/b/gw/v1/return/7H3K9M2P4Q5R/","callback_url":"https://pay.example/b/gw/v1/callback/7H3K9M2P4Q5R/"}"#
    );
}

#[test]
fn another_endpoint_replaces_the_usual_one() {
    let bank = Sandbox::new(credentials(Some("http://127.0.0.1:9/bank/")));
    let charge = charge_ref();
    let request = request(bank.inquire(&charge, None));
    assert_eq!(request.url, "http://127.0.0.1:9/bank/v1/charges/7H3K9M2P4Q5R");
    assert_eq!((request.method, request.body.is_empty()), (HttpMethod::Get, true));
}

#[test]
fn a_cancellation_is_posted_to_the_charge() {
    let (bank, charge) = (bank(), charge_ref());
    let request = request(bank.withdraw(&charge));
    assert_eq!(request.method, HttpMethod::Post);
    assert_eq!(request.url, "https://bank.sandbox.invalid/v1/charges/7H3K9M2P4Q5R/cancel");
}

#[test]
fn an_open_charge_is_reported_with_its_page() {
    for status in [200, 201] {
        let report = reported(status, &open("https://bank.example/pay/1/"));
        assert_eq!(report.outcome, Outcome::Open { page_url: "https://bank.example/pay/1/".into() });
        assert_eq!(report.total, Some(kwd("10.250")));
        assert_eq!(report.gateway_id.as_deref(), Some("ch_1"));
    }
}

#[test]
fn a_page_is_https_or_on_this_machine() {
    for page in
        ["http://127.0.0.1:8787/p/", "http://localhost:1/", "http://[::1]:1/", "https://bank.example/"]
    {
        assert_eq!(reported(201, &open(page)).outcome, Outcome::Open { page_url: page.into() }, "{page}");
    }
    for page in [
        "http://bank.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "/pay/1/",
        "",
        "https://user@bank.example/",
        "http://localhost.example/",
        "http://127.0.0.1.example/",
    ] {
        assert_eq!(reported(201, &open(page)).outcome, Outcome::Unknown, "{page}");
    }
    assert_eq!(
        reported(201, &open(&format!("https://bank.example/{}", "a".repeat(2_000)))).outcome,
        Outcome::Unknown
    );
    assert_eq!(reported(201, &charge("open", "")).outcome, Outcome::Unknown);
}

#[test]
fn a_refusal_carries_the_words_of_the_bank() {
    for status in [400, 401, 403, 404, 422] {
        let opened = read_open(&answer(status, r#"{"message":"no such \u0000currency"}"#));
        assert_eq!(opened, Opened::Refused { message: Some("no such currency".into()) }, "{status}");
    }
    assert_eq!(read_open(&answer(400, "<html>")), Opened::Refused { message: None });
    let long = format!(r#"{{"message":"{}"}}"#, "ا".repeat(300));
    let Opened::Refused { message: Some(message) } = read_open(&answer(400, &long)) else { panic!() };
    assert_eq!(message.chars().count(), 255);
}

#[test]
fn an_answer_that_does_not_say_whether_it_was_taken_is_unknown() {
    for status in [0, 100, 202, 204, 301, 408, 409, 425, 429, 500, 502, 503, 504, 599] {
        assert_eq!(reported(status, &approved()).outcome, Outcome::Unknown, "{status}");
    }
}

#[test]
fn what_cannot_be_read_is_unknown() {
    let bodies = vec![
        String::new(),
        "{}".into(),
        "null".into(),
        "[]".into(),
        "\u{feff}{}".into(),
        approved().chars().take(60).collect(),
        approved().replace("approved\",\"amount", "settled\",\"amount"),
        approved().replace("\"10.250\"", "10.250"),
        approved().replace("10.250", "10.2501"),
        approved().replace("10.250", "-10.250"),
        approved().replace("10.250", "1e1"),
        approved().replace("KWD", "XAU"),
        approved().replace("KWD", "kwd"),
        approved().replace("purchase", "refund"),
        approved().replace("\"reference\"", "\"ref\""),
    ];
    for body in bodies {
        assert_eq!(reported(201, &body).outcome, Outcome::Unknown, "{body}");
        assert_eq!(read_report(&reference(), &answer(200, &body)).outcome, Outcome::Unknown, "{body}");
    }
    assert_eq!(
        read_report(
            &reference(),
            &Incoming { query: String::new(), status: 200, headers: vec![], body: vec![0xff, 0xfe] }
        )
        .outcome,
        Outcome::Unknown
    );
}

#[test]
fn each_status_of_a_charge_has_its_outcome() {
    for (status, outcome) in [
        ("approved", Outcome::Approved),
        ("declined", Outcome::Declined),
        ("canceled", Outcome::Canceled),
        ("processing", Outcome::Unknown),
    ] {
        let report = read_report(&reference(), &answer(200, &charge(status, "")));
        assert_eq!(report.outcome, outcome, "{status}");
    }
}

#[test]
fn a_charge_that_the_bank_does_not_know_is_absent() {
    let report = read_report(&reference(), &answer(404, "{}"));
    assert_eq!((report.outcome, report.reference.as_str()), (Outcome::Absent, "7H3K9M2P4Q5R"));
}

#[test]
fn a_cancellation_that_came_too_late_says_how_the_charge_ended() {
    assert_eq!(read_report(&reference(), &answer(409, &approved())).outcome, Outcome::Approved);
    assert_eq!(read_report(&reference(), &answer(409, "{}")).outcome, Outcome::Unknown);
}

#[test]
fn an_inquiry_that_fails_is_unknown() {
    for status in [0, 201, 302, 400, 401, 408, 429, 500, 503] {
        assert_eq!(read_report(&reference(), &answer(status, "{}")).outcome, Outcome::Unknown, "{status}");
    }
}

#[test]
fn the_data_of_the_gateway_are_normalised() {
    let report = read_report(&reference(), &answer(200, &approved()));
    let params: Vec<(&str, &str)> =
        report.params.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(
        params,
        [
            ("auth_code", "A1B2C3"),
            ("card_expiry_month", "01"),
            ("card_expiry_year", "39"),
            ("card_holder", "TEST CARD"),
            ("card_number", "411111******1111"),
            ("card_type", "VISA"),
            ("full_card_expiry", "01/39"),
            ("payment_id", "ch_1"),
            ("pg_message", "approved"),
            ("post_date", "2026-11-21"),
            ("ref", "123456789012"),
            ("result", "CAPTURED"),
            ("rrn", "123456789012"),
            ("track_id", "7H3K9M2P4Q5R"),
            ("transaction_id", "tr_1"),
        ]
    );
    assert_eq!(report.message.as_deref(), Some("approved"));
    assert_eq!(report.raw.as_deref(), Some(approved().as_str()));
}

#[test]
fn words_of_the_bank_with_a_card_number_are_not_stored() {
    let number = "4111 1111 1111 1111";
    let report = read_report(&reference(), &answer(200, &approved().replace("TEST CARD", number)));
    assert_eq!((report.params.get("card_holder"), report.raw), (None, None));
    let body = approved().replace(r#""message":"approved""#, &format!(r#""message":"card {number}""#));
    assert!(body.contains(number));
    let report = read_report(&reference(), &answer(200, &body));
    assert_eq!((report.message, report.params.get("pg_message"), report.raw), (None, None, None));
}

#[test]
fn a_card_number_in_the_clear_is_masked_and_its_answer_is_not_stored() {
    for number in ["4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111"] {
        let report = read_report(&reference(), &answer(200, &approved().replace("411111******1111", number)));
        assert_eq!(
            report.params.get("card_number").map(String::as_str),
            Some("411111******1111"),
            "{number}"
        );
        assert_eq!(report.raw, None, "{number}");
    }
}

#[test]
fn the_reference_that_the_bank_names_is_reported_as_it_is() {
    let body = approved().replace("7H3K9M2P4Q5R", "ANOTHER");
    assert_eq!(read_report(&reference(), &answer(200, &body)).reference, "ANOTHER");
}

/// Computed with Python's `hashlib` and `hmac`.
#[test]
fn the_signature_of_a_callback_has_its_known_value() {
    assert_eq!(callback_key(KEY), "8a5de47104176e833de146c08e84bfb157f1012d6d7a939d5b57e2a6b3b0b27c");
    assert_eq!(
        callback_signature(&callback_key(KEY), b"{}"),
        "7b66f3ae357bd19dfb47331562be5c7f9f4b357679b751d0dd9bbc4f56081ff8"
    );
}

#[test]
fn debug_does_not_show_the_key() {
    assert!(!format!("{:?}", bank()).contains(KEY));
}
