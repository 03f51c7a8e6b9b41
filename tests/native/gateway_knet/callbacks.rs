//! What KNET reports by itself, and what others make of it.

use checkout_core::gateway::callback::{Acknowledgement, Callback, CallbackContext, GatewayEvent};
use checkout_core::gateway::charge::Outcome;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::knet::RESOURCE_KEY;
use checkout_core::testing::gateway::{REFERENCE, at_account, at_charge, callback, money, reference};
use proptest::prelude::*;

use super::{knet, sealed, trandata, with};

const LINE: &str = "REDIRECT=https://pay.example/b/gw/v1/return/7H3K9M2P4Q5R/token/";

fn read(request: &Incoming) -> Option<Callback> {
    knet().read_callback(request, &at_charge())
}

fn posted(body: &str) -> Option<Callback> {
    read(&callback(&[], body))
}

fn queried(query: &str) -> Option<Callback> {
    read(&Incoming { query: query.into(), ..callback(&[], "") })
}

fn asks() -> Vec<GatewayEvent> {
    vec![GatewayEvent::Ask(REFERENCE.into())]
}

/// How many bytes of the plaintext are before this text.
fn place_of(text: &str, part: &str) -> usize {
    text.find(part).unwrap()
}

#[test]
fn every_shape_of_a_report_is_read_in_either_case() {
    for name in ["captured", "not captured", "denied by risk", "host timeout", "new word", "voided"] {
        let digits = trandata(name);
        for digits in [digits.clone(), digits.to_uppercase()] {
            for read in [
                posted(&digits),
                posted(&format!("{digits}\r\n")),
                posted(&format!("trandata={digits}")),
                posted(&format!("paymentid=100202632500099&trandata={digits}&tranid=1&ErrorText=&trackid=x")),
                queried(&format!("trandata={digits}")),
                queried(&format!("param=x&trandata={digits}")),
            ] {
                let expected = Callback { events: asks(), answer: Acknowledgement::Text(LINE.into()) };
                assert_eq!(read, Some(expected), "{name}");
            }
        }
    }
}

#[test]
fn only_that_the_payer_gave_up_is_believed() {
    let callback = posted(&trandata("canceled")).unwrap();
    let [GatewayEvent::Charge(report)] = callback.events.as_slice() else { panic!("{:?}", callback.events) };
    assert_eq!((&report.outcome, report.reference.as_str()), (&Outcome::Canceled, REFERENCE));
    assert_eq!(report.total, Some(money("10.250", "KWD")));
    assert_eq!(report.params.get("decline_reason").map(String::as_str), Some("canceled_by_payer"));
    assert_eq!(report.gateway_id.as_deref(), Some("100202632500099"));
    for sealed in sealed() {
        let events = posted(&sealed.trandata).map(|callback| callback.events).unwrap_or_default();
        for event in events {
            if let GatewayEvent::Charge(report) = event {
                assert_eq!(report.outcome, Outcome::Canceled, "{}", sealed.name);
            }
        }
    }
}

#[test]
fn a_cancellation_that_does_not_fit_is_the_occasion_to_ask() {
    for name in [
        "canceled with an error",
        "canceled without an amount",
        "canceled with another udf",
        "canceled without a udf",
    ] {
        assert_eq!(posted(&trandata(name)).unwrap().events, asks(), "{name}");
    }
    let other = posted(&trandata("canceled of another amount")).unwrap();
    let [GatewayEvent::Charge(report)] = other.events.as_slice() else { panic!() };
    assert_eq!(report.total, Some(money("1.000", "KWD")), "the core compares");
}

#[test]
fn a_duplicate_says_the_same_again() {
    for name in ["captured", "canceled"] {
        assert_eq!(posted(&trandata(name)), posted(&trandata(name)));
        assert!(posted(&trandata(name)).is_some());
    }
}

#[test]
fn a_browser_is_sent_on() {
    let body = format!("trandata={}", trandata("captured"));
    let request = callback(&[("sec-fetch-mode", "navigate")], body.as_str());
    let url = at_charge().return_url.unwrap();
    let expected = Callback { events: asks(), answer: Acknowledgement::Redirect(url) };
    assert_eq!(read(&request), Some(expected));
    let script = callback(&[("sec-fetch-mode", "cors")], body.as_str());
    assert_eq!(read(&script).unwrap().answer, Acknowledgement::Text(LINE.into()));
}

#[test]
fn a_browser_that_does_not_say_so_is_sent_on_and_the_server_of_knet_gets_its_line() {
    const AGENT: &str = "Mozilla/5.0 (Linux; Android 8.1.0; wv) AppleWebKit/537.36 Version/4.0 Chrome/68.0 Mobile Safari/537.36";
    let body = format!("trandata={}", trandata("captured"));
    let pages = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for headers in [
        &[("user-agent", AGENT), pages][..],
        &[("user-agent", AGENT), pages, ("x-requested-with", "com.facebook.katana")],
        &[("user-agent", AGENT), ("accept", "*/*"), ("accept-language", "ar")],
        &[pages, ("accept-language", "ar")],
    ] {
        let answer = read(&callback(headers, body.as_str())).unwrap().answer;
        assert_eq!(answer, Acknowledgement::Redirect(at_charge().return_url.unwrap()), "{headers:?}");
    }
    for headers in [
        &[][..],
        &[
            ("user-agent", "Java/1.8.0_292"),
            ("accept", "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"),
        ],
        &[("user-agent", "Mozilla/5.0"), ("accept", "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2")],
        &[("user-agent", "Apache-HttpClient/4.5.13 (Java/1.8.0_292)")],
    ] {
        let answer = read(&callback(headers, body.as_str())).unwrap().answer;
        assert_eq!(answer, Acknowledgement::Text(LINE.into()), "{headers:?}");
        assert_eq!(answer.onward(), LINE.strip_prefix("REDIRECT="), "a browser that is missed goes on too");
    }
}

#[test]
fn the_line_has_no_query() {
    let url = at_charge().return_url.map(|url| format!("{url}?language=ar"));
    let context = CallbackContext { return_url: url, ..at_charge() };
    let read = knet().read_callback(&callback(&[], trandata("captured")), &context);
    assert_eq!(read.unwrap().answer, Acknowledgement::Text(LINE.into()));
}

#[test]
fn an_empty_ping_changes_nothing() {
    for body in ["", " ", "\r\n"] {
        let expected = Callback { events: vec![], answer: Acknowledgement::Text(String::new()) };
        assert_eq!(posted(body), Some(expected));
    }
}

#[test]
fn trouble_in_the_clear_is_only_the_occasion_to_ask_and_learns_no_address() {
    let fields =
        format!("paymentid=1&Error=IPAY0100048&ErrorText=Cancelled&trackid={REFERENCE}&amt=10.250&udf1=");
    let silent = Acknowledgement::Text(String::new());
    let expected = Some(Callback { events: asks(), answer: silent });
    assert_eq!(posted(&fields), expected);
    assert_eq!(queried(&fields), expected);
    assert_eq!(posted(&format!("result=CAPTURED&amt=10.250&trackid={REFERENCE}")), expected);
    assert_eq!(posted(&fields.replace(REFERENCE, "8J4L2N6P3Q7S")), None);
    assert_eq!(posted("result=CAPTURED&amt=10.250"), None);
}

#[test]
fn what_is_not_surely_of_this_charge_is_refused() {
    let captured = trandata("captured");
    let many = "a=b&".repeat(64);
    let long = "00".repeat(8_208);
    for body in [
        trandata("canceled of another charge"),
        trandata("short answer"),
        trandata("order"),
        trandata("shortest"),
        trandata("no fields"),
        trandata("no track id"),
        trandata("track id twice"),
        trandata("line break"),
        "00".into(),
        "00".repeat(16),
        format!("{captured}0"),
        captured.get(2..).unwrap().into(),
        format!("{captured}{captured}"),
        format!("{captured}zz"),
        format!("trandata={captured}&trandata={captured}"),
        format!("trandata={}", captured.replace('a', "%")),
        format!("{many}trandata={captured}"),
        "trandata=".into(),
        "hello".into(),
        "{}".into(),
        long,
    ] {
        assert_eq!(posted(&body), None, "{body:.60}");
    }
    assert_eq!(read(&callback(&[], vec![0xff, 0xfe])), None);
}

#[test]
fn another_key_another_charge_and_another_address_read_nothing() {
    let captured = callback(&[], trandata("captured"));
    let other = with(&[(RESOURCE_KEY, "Q7w2Er9TyU4iOp1Y")]);
    assert_eq!(other.read_callback(&captured, &at_charge()), None);
    let short = with(&[(RESOURCE_KEY, "short")]);
    assert_eq!(short.read_callback(&captured, &at_charge()), None);
    let elsewhere = CallbackContext { subject: Some(reference("8J4L2N6P3Q7S")), ..at_charge() };
    assert_eq!(knet().read_callback(&captured, &elsewhere), None);
    assert_eq!(knet().read_callback(&captured, &at_account()), None);
    assert_eq!(knet().read_callback(&callback(&[], ""), &at_account()), None);
    let operation = CallbackContext { return_url: None, ..at_charge() };
    assert_eq!(knet().read_callback(&captured, &operation), None, "the address of a refund");
}

/// Who sees a report can write any 16 bytes that it likes over a block of it, at the price of the block before.
#[test]
fn a_block_that_is_written_over_never_pays() {
    let sealed = sealed().into_iter().find(|sealed| sealed.name == "not captured").unwrap();
    let target = "result=CAPTURED&";
    let block = place_of(&sealed.text, "result=").div_euclid(16).checked_add(1).unwrap();
    let from = block.checked_mul(16).unwrap();
    let known = sealed.text.as_bytes().get(from..).unwrap();
    let mut bytes = hex::decode(&sealed.trandata).unwrap();
    let before = bytes.get_mut(from.checked_sub(16).unwrap()..from).unwrap();
    for ((byte, known), wanted) in before.iter_mut().zip(known).zip(target.bytes()) {
        *byte ^= known ^ wanted;
    }
    assert_eq!(posted(&hex::encode(bytes)), None, "the block before is garbled");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_changed_byte_is_never_believed(place in 0_usize..10_000, change in 1_u8..=255) {
        for name in ["captured", "not captured", "canceled"] {
            let mut bytes = hex::decode(trandata(name)).unwrap();
            let place = place.checked_rem(bytes.len()).unwrap();
            *bytes.get_mut(place).unwrap() ^= change;
            let events = posted(&hex::encode(&bytes)).map(|callback| callback.events).unwrap_or_default();
            prop_assert!(events.is_empty() || events == asks(), "{name} {place} {change}");
        }
    }

    #[test]
    fn digits_without_the_key_are_refused(bytes in prop::collection::vec(any::<u8>(), 1..200)) {
        prop_assert_eq!(posted(&hex::encode(&bytes)), None);
        prop_assert_eq!(posted(&format!("trandata={}", hex::encode(&bytes))), None);
    }

    #[test]
    fn any_request_is_read_without_a_panic_and_settles_nothing(
        body in prop::collection::vec(any::<u8>(), 0..200),
        query in any::<String>(),
    ) {
        let request = Incoming { query, ..callback(&[], body) };
        let events = read(&request).map(|callback| callback.events).unwrap_or_default();
        prop_assert!(events.is_empty() || events == asks());
    }
}

#[test]
fn no_part_of_a_report_is_believed() {
    for name in ["captured", "canceled"] {
        let digits = trandata(name);
        for length in 1..digits.len() {
            assert_eq!(posted(digits.get(..length).unwrap()), None, "{name} {length}");
        }
    }
}
