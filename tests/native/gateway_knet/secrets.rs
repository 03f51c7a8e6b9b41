//! What must not be seen is not seen.

use checkout_core::gateway::callback::GatewayEvent;
use checkout_core::gateway::charge::{Opened, Outcome};
use checkout_core::gateway::credentials::Credentials;
use checkout_core::gateway::knet::Knet;
use checkout_core::testing::gateway::{
    answer, at_charge, callback, charge, converse, operation_order, order,
};
use checkout_core::words::ChildOperation;

use super::{CREDENTIALS, KEY, failed, inquired, knet, said, trandata};

const PASSWORD: &str = "Exm9pl";
const CARD: &str = "8888880000000001";

fn assert_hidden(text: &str) {
    for secret in [PASSWORD, KEY, CARD, "noura", "Noura", "Al-Sabah", "96550000000", "tok_1"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
}

#[test]
fn debug_output_shows_no_secret() {
    let values = CREDENTIALS.iter().map(|(name, value)| (*name, (*value).to_string())).collect();
    let knet = Knet::new(Credentials { endpoint: None, is_test: true, values });
    assert_hidden(&format!("{knet:?}"));
    let connector = super::knet();
    let charge = charge("10.250", "KWD");
    assert_hidden(&format!("{:?}", connector.inquire(&charge, None)));
    let refund = operation_order(charge, ChildOperation::Refund, "1.000");
    assert_hidden(&format!("{:?}", connector.operate(&refund)));
    assert_hidden(&format!("{:?}", connector.check()));
    assert_hidden(&format!("{:?}", callback(&[], trandata("captured"))));
}

#[test]
fn the_page_has_the_password_only_encrypted_and_nothing_of_the_payer() {
    let opened = knet().open(&order("10.250", "KWD")).done().unwrap();
    let Opened::Reported(report) = opened else { panic!() };
    let Outcome::Open { page_url } = &report.outcome else { panic!() };
    assert_hidden(page_url);
    assert!(!page_url.contains("Shop"), "the merchant's name is not sent");
    assert_hidden(&format!("{report:?}"));
}

#[test]
fn a_stored_answer_has_only_known_fields() {
    let more = format!(
        "<password>{PASSWORD}</password><cardnumber>{CARD}</cardnumber><udf2>noura@example.com</udf2>\
         <udf3>96550000000</udf3><udf7>tok_1</udf7><custname>Noura Al-Sabah</custname>"
    );
    for result in ["CAPTURED", "NOT CAPTURED"] {
        let body = format!("{}{more}", said(result, "00").replace("<udf2></udf2>", ""));
        let report = inquired(&answer(200, body.clone()));
        assert_ne!(report.outcome, Outcome::Unknown);
        assert!(report.raw.as_ref().unwrap().contains("B24047"), "the rest is stored");
        assert_hidden(&format!("{report:?}"));
        let refund = operation_order(charge("10.250", "KWD"), ChildOperation::Refund, "10.250");
        let (_, report) = converse(knet().operate(&refund), &[answer(200, body)]);
        assert!(report.raw.is_some());
        assert_hidden(&format!("{report:?}"));
    }
}

#[test]
fn words_with_a_card_number_are_not_stored() {
    let error = failed("IPAY0100263", &format!("No transaction of card {CARD}"));
    let report = inquired(&answer(200, error.clone()));
    assert_eq!((report.outcome.clone(), &report.message), (Outcome::Absent, &None));
    assert_hidden(&format!("{report:?}"));
    let refund = operation_order(charge("10.250", "KWD"), ChildOperation::Refund, "1.000");
    let (_, report) = converse(knet().operate(&refund), &[answer(200, error)]);
    assert_hidden(&format!("{report:?}"));
    let (_, checked) = converse(knet().check(), &[answer(200, failed("IPAY0100015", CARD))]);
    assert_hidden(&format!("{checked:?}"));
}

#[test]
fn a_reported_cancellation_has_no_secret() {
    let callback = knet().read_callback(&callback(&[], trandata("canceled")), &at_charge()).unwrap();
    let [GatewayEvent::Charge(report)] = callback.events.as_slice() else { panic!() };
    assert!(report.raw.is_some());
    assert_hidden(&format!("{callback:?}"));
}
