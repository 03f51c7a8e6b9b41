mod callbacks;
mod lists;
mod operations;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{DECLARATION, MERCHANT_ID, SECRET_KEY, SOURCE};
use crate::card::BankToken;
use crate::card::usage::ChargeInitiator;
use crate::gateway::charge::{CardCharge, ChargeOperation, ChargeRef, Opened, Order, Outcome, Report};
use crate::gateway::check::Checked;
use crate::gateway::connector::Connector;
use crate::gateway::credentials::Credentials;
use crate::gateway::exchange::{Outgoing, Returned};
use crate::gateway::payer::Payer;
use crate::testing::gateway::{
    REFERENCE, answer, assert_sent, charge, connect, converse, money, order, wallet,
};
use crate::words::{Language, Wallet};

const SECRET: &str = "sk_test_made_up";
const CHARGE: &str = "chg_TS01A4120261127x9K2";
const AUTHORIZATION: &str = "auth_TS04A1720261127Rt2a";
const CARD_TOKEN: &str = "cus_TS07A54o2K5|card_IIGi4523jJ9E589|payment_agreement_23Ah4436I5R027";
const TOKEN_ANSWER: &str = r#"{"id":"tok_nLKq4223436fVYL27Nj9P855","object":"token","used":false}"#;
const REFUSED: &str = r#"{"errors":[{"code":"1216","description":"Agreement id is missing"}]}"#;
const NOTHING: &str = r#"{"errors":[{"code":"1128","description":"Charges not found"}]}"#;
const APPLE: &str =
    r#"{"token":{"paymentData":{"data":"AA==","signature":"AA==","version":"EC_v1"},"paymentMethod":{}}}"#;
const GOOGLE: &str = r#"{"paymentMethodData":{"tokenizationData":{"type":"PAYMENT_GATEWAY","token":"{\"signature\":\"s\",\"protocolVersion\":\"ECv2\"}"}}}"#;

fn assert_request(name: &str, request: &Outgoing) {
    assert_sent(include_str!("../../../../tests/vectors/gateways/tap.json"), name, request);
}

fn tap() -> Box<dyn Connector> {
    connect(&DECLARATION, &[(SECRET_KEY, SECRET)])
}

/// A charge or an authorisation as Tap writes it.
fn item(kind: &str, status: &str, more: &str) -> String {
    let (id, object) = if kind == "charge" { (CHARGE, "charge") } else { (AUTHORIZATION, "authorize") };
    format!(
        r#"{{"id":"{id}","object":"{object}","live_mode":false,"api_version":"V2","status":"{status}","amount":10.25,"currency":"KWD","metadata":{{"till":"charge"}},"transaction":{{"authorization_id":"157811","created":"1795219200944","url":"https://checkout.payments.tap.company?mode=page&token=63","amount":10.25,"currency":"KWD"}},"reference":{{"track":"tck_1","payment":"4327230736106619650","gateway":"123456789","acquirer":"314123157811","transaction":"{REFERENCE}","order":"ORDER-1001"}},"response":{{"code":"000","message":"Captured"}},"customer":{{"id":"cus_TS07A54o2K5","first_name":"Noura","email":"noura@example.com"}},"source":{{"object":"source","payment_method":"KNET","id":"src_kw.knet"}}{more}}}"#
    )
}

fn declined(code: &str) -> String {
    item("charge", "DECLINED", "").replace(r#""code":"000""#, &format!(r#""code":"{code}""#))
}

const SAVED: &str = r#","card":{"id":"card_IIGi4523jJ9E589","object":"card","first_six":"446404","scheme":"MADA","brand":"VISA","last_four":"0007"},"payment_agreement":{"id":"payment_agreement_23Ah4436I5R027","type":"UNSCHEDULED"}"#;
const CARD_ANSWER: &str = r#"{"id":"card_IIGi4523jJ9E589","object":"card","customer":"cus_TS07A54o2K5","brand":"VISA","scheme":"MADA","name":"NOURA","exp_month":1,"exp_year":27,"last_four":"0007","first_six":"446404"}"#;

fn known(operation: ChargeOperation) -> ChargeRef {
    let id = if operation == ChargeOperation::Authorize { AUTHORIZATION } else { CHARGE };
    ChargeRef { gateway_id: Some(id.to_string()), operation, ..charge("10.250", "KWD") }
}

fn purchase() -> ChargeRef {
    known(ChargeOperation::Purchase)
}

fn held() -> ChargeRef {
    known(ChargeOperation::Authorize)
}

fn outcome_of(charge: &ChargeRef, status: u16, body: &str) -> Outcome {
    converse(tap().inquire(charge, None), &[answer(status, body)]).1.outcome
}

fn saved_card(initiator: ChargeInitiator, token: &str) -> Order {
    let card = CardCharge { token: BankToken(token.into()), initiator, agreement: None };
    Order { card: Some(card), ..order("10.250", "KWD") }
}

fn reported(opened: Opened) -> Report {
    let Opened::Reported(report) = opened else { panic!("{opened:?}") };
    report
}

#[test]
fn the_requests_that_open_a_charge_are_those_of_the_vectors() {
    let none = answer(500, "");
    let token = answer(200, TOKEN_ANSWER);
    let page = |name: &str, tap: Box<dyn Connector>, order: &Order| {
        let [request] = &converse(tap.open(order), core::slice::from_ref(&none)).0[..] else {
            panic!("{name}")
        };
        assert_request(name, request);
    };
    page("page", tap(), &order("10.250", "KWD"));
    let full =
        connect(&DECLARATION, &[(SECRET_KEY, SECRET), (MERCHANT_ID, "599424"), (SOURCE, "src_kw.knet")]);
    let bare =
        Order { payer: Payer::default(), order_no: None, language: Language::Ar, ..order("10.250", "KWD") };
    page("page with a source, a merchant and an unknown payer", full, &bare);
    let holds = Order { operation: ChargeOperation::Authorize, saves_card: true, ..order("10.5", "SAR") };
    page("page that holds and saves", tap(), &holds);
    for (name, order) in [
        ("saved card with the payer", saved_card(ChargeInitiator::Payer, CARD_TOKEN)),
        ("saved card without the payer", saved_card(ChargeInitiator::Merchant, CARD_TOKEN)),
        ("Apple Pay", Order { instrument: wallet(Wallet::ApplePay, APPLE), ..order("10.250", "KWD") }),
        ("Google Pay", Order { instrument: wallet(Wallet::GooglePay, GOOGLE), ..order("10.250", "KWD") }),
    ] {
        let tap = tap();
        let (requests, _) = converse(tap.open(&order), &[token.clone(), none.clone()]);
        assert_request(&format!("{name}: token"), &requests[0]);
        assert_request(name, &requests[1]);
    }
    let [request] = &converse(tap().check(), &[none]).0[..] else { panic!("one request") };
    assert_request("check", request);
}

#[test]
fn a_charge_that_is_open_sends_the_payer_to_its_page() {
    let order = order("10.250", "KWD");
    let tap = tap();
    let report = reported(converse(tap.open(&order), &[answer(200, item("charge", "INITIATED", ""))]).1);
    let page_url = "https://checkout.payments.tap.company/?mode=page&token=63".to_string();
    assert_eq!(report.outcome, Outcome::Open { page_url });
    assert_eq!((report.reference.as_str(), report.total), (REFERENCE, Some(money("10.250", "KWD"))));
    assert_eq!(report.gateway_id.as_deref(), Some(CHARGE));
    let elsewhere = item("charge", "INITIATED", "").replace("https://checkout", "javascript:checkout");
    assert_eq!(reported(converse(tap.open(&order), &[answer(200, elsewhere)]).1).outcome, Outcome::Unknown);
}

#[test]
fn a_charge_is_refused_only_if_that_is_certain() {
    let order = order("10.250", "KWD");
    for (status, body, is_refused) in [
        (400, REFUSED, true),
        (401, REFUSED, true),
        (403, REFUSED, true),
        (404, REFUSED, true),
        (400, "<html>", false),
        (402, REFUSED, false),
        (408, REFUSED, false),
        (409, REFUSED, false),
        (429, REFUSED, false),
        (500, REFUSED, false),
        (0, "", false),
    ] {
        let tap = tap();
        let opened = converse(tap.open(&order), &[answer(status, body)]).1;
        assert_eq!(matches!(opened, Opened::Refused { .. }), is_refused, "{status} {body}");
    }
}

#[test]
fn without_a_token_nothing_is_charged() {
    for body in [REFUSED, "", r#"{"id":"card_1"}"#, r#"{"id":"tok_/../"}"#] {
        let order = saved_card(ChargeInitiator::Merchant, CARD_TOKEN);
        let tap = tap();
        let (requests, opened) = converse(tap.open(&order), &[answer(400, body)]);
        assert!(requests.len() == 1 && matches!(opened, Opened::Refused { .. }), "{body}");
    }
}

#[test]
fn a_card_is_charged_only_by_a_token_of_tap_and_without_the_payer_only_under_an_agreement() {
    let bare = "cus_TS07A54o2K5|card_IIGi4523jJ9E589|";
    for (initiator, token, is_refused) in [
        (ChargeInitiator::Payer, CARD_TOKEN, false),
        (ChargeInitiator::Payer, bare, false),
        (ChargeInitiator::Merchant, CARD_TOKEN, false),
        (ChargeInitiator::Merchant, bare, true),
        (ChargeInitiator::Payer, "cus_1|pm_1", true),
        (ChargeInitiator::Payer, "cus_1|card_1", true),
        (ChargeInitiator::Payer, "cus_1|card_1/../x|", true),
        (ChargeInitiator::Payer, "cus_1|card_1||", true),
        (ChargeInitiator::Payer, "", true),
    ] {
        let order = saved_card(initiator, token);
        let tap = tap();
        assert_eq!(tap.open(&order).done().is_some(), is_refused, "{initiator:?} {token}");
    }
}

#[test]
fn a_key_of_the_other_environment_is_not_used() {
    for (key, is_test, is_used) in [
        ("sk_live_1", true, false),
        ("sk_test_1", true, true),
        ("sk_test_1", false, false),
        ("sk_live_1", false, true),
        ("other", true, true),
    ] {
        let values = [(SECRET_KEY, key.to_string())].into();
        let tap = DECLARATION.connect.unwrap()(Credentials { endpoint: None, is_test, values });
        assert_eq!(tap.open(&order("10.250", "KWD")).done().is_none(), is_used, "{key} {is_test}");
        assert_eq!(tap.check().done().is_none(), is_used, "{key} {is_test}");
    }
}

#[test]
fn each_status_has_its_outcome() {
    let (purchase, held) = (purchase(), held());
    for (status, of_charge, of_authorization) in [
        ("CAPTURED", Outcome::Approved, Outcome::Approved),
        ("AUTHORIZED", Outcome::Unknown, Outcome::Approved),
        ("DECLINED", Outcome::Declined, Outcome::Declined),
        ("FAILED", Outcome::Declined, Outcome::Declined),
        ("RESTRICTED", Outcome::Declined, Outcome::Declined),
        ("CANCELLED", Outcome::Canceled, Outcome::Canceled),
        ("ABANDONED", Outcome::Canceled, Outcome::Canceled),
        ("VOID", Outcome::Canceled, Outcome::Canceled),
        ("IN_PROGRESS", Outcome::Unknown, Outcome::Unknown),
        ("TIMEDOUT", Outcome::Unknown, Outcome::Unknown),
        ("UNKNOWN", Outcome::Unknown, Outcome::Unknown),
        ("captured", Outcome::Unknown, Outcome::Unknown),
        ("", Outcome::Unknown, Outcome::Unknown),
    ] {
        assert_eq!(outcome_of(&purchase, 200, &item("charge", status, "")), of_charge, "{status}");
        assert_eq!(outcome_of(&held, 200, &item("authorize", status, "")), of_authorization, "{status}");
    }
    // What was asked for is another kind of object.
    assert_eq!(outcome_of(&held, 200, &item("charge", "CAPTURED", "")), Outcome::Unknown);
    assert_eq!(outcome_of(&purchase, 200, &item("authorize", "CAPTURED", "")), Outcome::Unknown);
}

#[test]
fn what_cannot_be_read_is_unknown() {
    let whole = item("charge", "CAPTURED", "");
    let purchase = purchase();
    for end in 0..whole.len() {
        let part = whole.get(..end).unwrap();
        assert_eq!(outcome_of(&purchase, 200, part), Outcome::Unknown, "{part}");
    }
    for amount in ["\"10.25\"", "-10.25", "10.2505", "1e1", "null"] {
        let body = whole.replacen("10.25", amount, 1);
        assert_eq!(outcome_of(&purchase, 200, &body), Outcome::Unknown, "{amount}");
    }
    let nameless = whole.replace(&format!(r#""transaction":"{REFERENCE}","#), "");
    assert_eq!(outcome_of(&purchase, 200, &nameless), Outcome::Unknown);
    for status in [0, 400, 401, 404, 429, 500] {
        assert_eq!(outcome_of(&purchase, status, &whole), Outcome::Unknown, "{status}");
    }
    assert_eq!(outcome_of(&purchase, 404, REFUSED), Outcome::Unknown);
}

#[test]
fn a_decline_says_why_and_an_answer_is_stored_without_what_is_private() {
    let tap = tap();
    let purchase = purchase();
    let report = converse(tap.inquire(&purchase, None), &[answer(200, declined("505"))]).1;
    assert_eq!(report.params.get("decline_reason").map(String::as_str), Some("insufficient_funds"));
    assert_eq!(report.params.get("decline_code").map(String::as_str), Some("505"));
    let report = converse(tap.inquire(&purchase, None), &[answer(200, item("charge", "CAPTURED", SAVED))]).1;
    for (name, value) in [
        ("auth_code", "157811"),
        ("card_number", "446404******0007"),
        ("card_type", "MADA"),
        ("payment_id", CHARGE),
        ("ref", "314123157811"),
        ("result", "CAPTURED"),
        ("track_id", REFERENCE),
        ("transaction_id", "4327230736106619650"),
    ] {
        assert_eq!(report.params.get(name).map(String::as_str), Some(value), "{name}");
    }
    let raw = report.raw.unwrap();
    for private in ["noura", "Noura", "cus_", "card_II", "payment_agreement", "checkout.payments"] {
        assert!(!raw.contains(private), "{private} in {raw}");
    }
    assert!(raw.contains("4327230736106619650") && raw.contains(CHARGE), "{raw}");
}

#[test]
fn a_card_is_saved_with_its_expiry_which_only_the_card_says() {
    let saves = ChargeRef { saves_card: true, ..purchase() };
    let body = item("charge", "CAPTURED", SAVED);
    let tap = tap();
    let answers = [answer(200, body.clone()), answer(200, CARD_ANSWER)];
    let (requests, report) = converse(tap.inquire(&saves, None), &answers);
    assert_request("saved card", &requests[1]);
    let card = report.card.unwrap();
    assert_eq!(card.token.0, CARD_TOKEN);
    assert_eq!((card.expiry.month(), card.expiry.year()), ("01".to_string(), "27".to_string()));
    assert_eq!((card.brand.as_deref(), card.holder.as_deref()), (Some("MADA"), Some("NOURA")));
    assert_eq!(card.number.as_deref(), Some("**** 0007"));
    // Without the answer the payment is approved all the same.
    for lost in [answer(500, ""), answer(200, "{}"), answer(404, REFUSED)] {
        let report = converse(tap.inquire(&saves, None), &[answer(200, body.clone()), lost]).1;
        assert_eq!((report.outcome, report.card), (Outcome::Approved, None));
    }
    let dated = body.replace(r#""first_six""#, r#""expiry":{"month":"1","year":"2027"},"first_six""#);
    let report = converse(tap.inquire(&saves, None), &[answer(200, dated)]).1;
    assert_eq!(report.card.unwrap().token.0, CARD_TOKEN);
    // A card that was not to be saved is not reported.
    assert_eq!(converse(tap.inquire(&purchase(), None), &[answer(200, body)]).1.card, None);
}

#[test]
fn the_key_is_accepted_or_refused_only_if_tap_says_so() {
    let refused = Checked::Refused(Some("Agreement id is missing".to_string()));
    for (status, body, checked) in [
        (200, "{}", Checked::Accepted),
        (400, NOTHING, Checked::Accepted),
        (401, REFUSED, refused.clone()),
        (403, REFUSED, refused),
        (400, REFUSED, Checked::Unclear),
        (404, "", Checked::Unclear),
        (500, "", Checked::Unclear),
    ] {
        assert_eq!(converse(tap().check(), &[answer(status, body)]).1, checked, "{status} {body}");
    }
}

#[test]
fn the_charge_that_the_browser_names_is_only_a_hint() {
    let lost = charge("10.250", "KWD");
    let named = |id: &str| Returned { fields: [("tap_id".to_string(), id.to_string())].into() };
    let (tap, returned) = (tap(), named(CHARGE));
    let body = item("charge", "CAPTURED", "");
    let (requests, report) = converse(tap.inquire(&lost, Some(&returned)), &[answer(200, body.clone())]);
    assert!(requests[0].url.ends_with(CHARGE) && report.outcome == Outcome::Approved);
    // It is a charge of someone else: the list decides.
    let other = body.replace(REFERENCE, "OTHERREFEREN");
    let answers = [answer(200, other), answer(400, NOTHING)];
    assert_eq!(converse(tap.inquire(&lost, Some(&returned)), &answers).1.outcome, Outcome::Absent);
    for id in ["", "chg_", "auth_1", "chg_1/../../refunds/re_1", "cus_1"] {
        let returned = named(id);
        let (requests, _) = converse(tap.inquire(&lost, Some(&returned)), &[answer(400, NOTHING)]);
        assert!(requests[0].url.ends_with("/v2/charges/list"), "{id}");
    }
    // A charge that is known is asked for, whatever the browser says.
    let returned = named("chg_other");
    let purchase = purchase();
    assert!(converse(tap.inquire(&purchase, Some(&returned)), &[answer(500, "")]).0[0].url.ends_with(CHARGE));
}
