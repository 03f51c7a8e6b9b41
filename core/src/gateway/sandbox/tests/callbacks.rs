//! Callbacks of the bank.

use super::*;

fn callback(body: &str, signature: &str) -> Incoming {
    let headers = vec![(SIGNATURE_HEADER.to_string(), signature.to_string())];
    Incoming { query: String::new(), status: 0, headers, body: body.as_bytes().to_vec() }
}

fn read(request: &Incoming) -> Option<Callback> {
    let context =
        CallbackContext { now: Timestamp::from_millis(0), subject: Some(reference()), return_url: None };
    bank().read_callback(request, &context)
}

#[test]
fn a_signed_callback_is_read() {
    let body = approved();
    let signature = callback_signature(&callback_key(KEY), body.as_bytes());
    let events = read(&callback(&body, &signature)).unwrap().events;
    let [GatewayEvent::Charge(report)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(report.outcome, Outcome::Approved);
    let signature = callback_signature(&callback_key(KEY), b"x");
    let callback = read(&callback("x", &signature)).unwrap();
    assert_eq!(callback.events, [GatewayEvent::Ask("7H3K9M2P4Q5R".into())]);
    assert_eq!(callback.answer, Acknowledgement::Json(r#"{"received":true}"#));
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
        assert_eq!(read(&callback(&body, &signature)), None, "{signature}");
    }
    assert_eq!(read(&callback(&format!("{body} "), &right)), None);
    assert_eq!(read(&answer(0, &body)), None);
}
