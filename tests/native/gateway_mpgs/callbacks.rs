//! Notifications: genuine, forged, repeated, and about operations.

use checkout_core::gateway::callback::{Acknowledgement, Callback, GatewayEvent};
use checkout_core::gateway::mpgs::NOTIFICATION_SECRET;
use checkout_core::testing::gateway::{at_account, at_charge, callback};

use super::{SECRET, bank, connect, sample};

fn asks(name: &str) -> Callback {
    Callback { events: vec![GatewayEvent::Ask(name.into())], answer: Acknowledgement::Text(String::new()) }
}

#[test]
fn a_notification_says_what_to_ask_about() {
    let header =
        [("x-notification-secret", SECRET), ("x-notification-attempt", "1"), ("x-notification-id", "n-1")];
    for name in ["pay approved", "pay declined", "authorize approved", "verify approved"] {
        let request = callback(&header, sample(name));
        assert_eq!(bank().read_callback(&request, &at_account()), Some(asks("7H3K9M2P4Q5R")), "{name}");
        assert_eq!(bank().read_callback(&request, &at_charge()), Some(asks("7H3K9M2P4Q5R")), "{name}");
    }
    for name in ["captured", "refunded", "refund requested", "voided"] {
        let request = callback(&header, sample(name));
        assert_eq!(bank().read_callback(&request, &at_account()), Some(asks("8J4L2N6P3Q7S")), "{name}");
        // A notification about an operation comes to the address of its charge.
        assert_eq!(bank().read_callback(&request, &at_charge()), Some(asks("8J4L2N6P3Q7S")), "{name}");
        // A repeated one says the same.
        assert_eq!(bank().read_callback(&request, &at_account()), Some(asks("8J4L2N6P3Q7S")), "{name}");
    }
}

#[test]
fn without_the_secret_nothing_is_believed() {
    let body = sample("pay approved");
    let shorter = SECRET.split_at(31).0;
    let longer = format!("{SECRET}0");
    for header in [
        &[("x-notification-secret", "")][..],
        &[("x-notification-secret", "0123456789ABCDEF0123456789ABCDEF")],
        &[("x-notification-secret", shorter)],
        &[("x-notification-secret", &longer)],
        &[("x-notification", SECRET)],
        &[],
    ] {
        assert_eq!(bank().read_callback(&callback(header, body.clone()), &at_charge()), None, "{header:?}");
    }
    let header = [("x-notification-secret", SECRET)];
    assert_eq!(connect(&[]).read_callback(&callback(&header, body.clone()), &at_charge()), None);
    let unset = connect(&[(NOTIFICATION_SECRET, "")]);
    assert_eq!(unset.read_callback(&callback(&[("x-notification-secret", "")], body), &at_charge()), None);
}

#[test]
fn one_that_cannot_be_read_concerns_what_its_address_names() {
    for body in ["", "<html>", "{}", "[]", r#"{"order":{"id":7}}"#] {
        let request = callback(&[("x-notification-secret", SECRET)], body);
        assert_eq!(bank().read_callback(&request, &at_charge()), Some(asks("7H3K9M2P4Q5R")), "{body}");
        let nothing = Callback { events: Vec::new(), answer: Acknowledgement::Text(String::new()) };
        assert_eq!(bank().read_callback(&request, &at_account()), Some(nothing), "{body}");
    }
}
