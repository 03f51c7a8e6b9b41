//! What a merchant says of a payer is optional, and never costs a payment: every gateway gets it in the form that it takes, or
//! does not get it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::rc::Rc;

use checkout_core::attempt::stage::Stage;
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::gateway::payer::{Payer, fitting, shortened};
use checkout_core::rejection::Rejection;
use checkout_core::testing::clock::ManualClock;
use checkout_core::testing::http::empty;
use checkout_core::value::time::Timestamp;
use checkout_tests::bank::Bank;
use checkout_tests::gateway::Gateway;
use checkout_tests::gateway::adyen::Adyen;
use checkout_tests::gateway::checkout_com::CheckoutCom;
use checkout_tests::gateway::knet::Knet;
use checkout_tests::gateway::mpgs::Mpgs;
use checkout_tests::gateway::stripe::Stripe;
use checkout_tests::gateway::tap::Tap;
use checkout_tests::shop::{Shop, order, refused};
use serde_json::{Value, json};
use std::cell::RefCell;

/// The gateway of the shop that is another one in these tests.
const CODE: &str = "credit-card";

/// Makes a gateway of a kind.
type Make = fn(&ManualClock) -> Box<dyn Gateway>;
/// What the other gateway was sent.
type Sent = Rc<RefCell<Vec<Outgoing>>>;

/// A shop whose cards are taken by another gateway, with what that is sent.
fn shop_at(make: Make) -> (Shop, Rc<Box<dyn Gateway>>, Sent) {
    let own = make(&ManualClock::at(Timestamp::from_millis(0))).settings();
    let shop = Shop::open_with(1, |settings| {
        let one = settings.pointer_mut("/gateways/2").and_then(Value::as_object_mut).unwrap();
        for name in ["apple_pay", "google_pay", "exchanges"] {
            one.remove(name);
        }
        one.insert("fees".into(), json!([]));
        one.extend(own.as_object().unwrap().clone());
        if own["connector"] == "knet" {
            one.insert("default_currency".into(), json!("KWD"));
            for name in ["tokenization", "auto_debit"] {
                one.insert(name.into(), json!(false));
            }
        }
    });
    let gateway = Rc::new(make(&shop.world.clock));
    let sent = Sent::default();
    let (answering, bank, noting) = (Rc::clone(&gateway), shop.bank.clone(), Rc::clone(&sent));
    shop.world.http.answer_by(move |request| {
        if request.url.starts_with(answering.origin()) {
            noting.borrow_mut().push(request.clone());
            return Ok(answering.answer(request));
        }
        if request.url.starts_with(Bank::ORIGIN) { bank.answer(request) } else { Ok(empty(200)) }
    });
    (shop, gateway, sent)
}

/// The gateways.
const GATEWAYS: [Make; 6] = [
    |clock| Box::new(Mpgs::new(clock, "shop")),
    |clock| Box::new(Adyen::new(clock, "shop")),
    |clock| Box::new(Stripe::new(clock, "shop")),
    |clock| Box::new(Tap::new(clock, "shop")),
    |clock| Box::new(CheckoutCom::new(clock, "shop")),
    |clock| Box::new(Knet::new(clock, "shop")),
];

/// Payers as merchants describe them.
fn payers() -> Vec<Value> {
    let phones = [
        "50001234",
        "٥٠٠٠١٢٣٤",
        "+965 5000-1234",
        "0096550001234",
        "050001234",
        "ask the shop",
        "1",
        "+",
        "-",
        "+44 20 7946 0018",
        "00000000",
        "12345678901234",
        "5000 1234 x12",
        "\u{202a}50001234\u{202c}",
    ];
    let emails = [
        "sara@example.com",
        "\"sara ali\"@example.com",
        "\"a,b\"@example.com",
        "سارة@example.com",
        "sara@مثال.كوم",
        "sara@x-1.example",
        "sara@[127.0.0.1]",
        "sara+tag@example.com",
        "a@b.c",
        "o'brien@example.com",
    ];
    let names = ["Sara", "س", " ", "🙂", "<b>", "O'Brien-Smith, Jr.", "x".repeat(64).leak()];
    let address = |country: &str, code: Value, state: Value, line: &str| {
        json!({"billing_address": {"city": "City", "country": country, "line1": line, "line2": line,
            "postal_code": code, "state": state}})
    };
    let long = "x".repeat(128);
    let mut all: Vec<Value> = phones.iter().map(|phone| json!({"customer_phone": phone})).collect();
    all.extend(emails.iter().map(|email| json!({"customer_email": email})));
    all.extend(names.iter().map(|name| json!({"customer_first_name": name, "customer_last_name": name})));
    all.extend(names.iter().map(|name| json!({"customer_first_name": name})));
    for (country, code, state) in [
        ("KW", json!("13001"), json!("Hawalli Governorate")),
        ("KW", json!("ص ب ١٢٣"), json!("حولي")),
        ("US", json!("12345-6789"), json!("California")),
        ("US", json!("12345-6789"), json!("CA")),
        ("US", json!("1234"), json!("CA")),
        ("CA", json!("K1A 0B1"), Value::Null),
        ("GB", json!("SW1A 1AA"), json!("x".repeat(40))),
        ("IE", json!("D02/AF30"), Value::Null),
        ("DE", Value::Null, json!("B")),
        ("AQ", json!("123456789012"), json!("é")),
    ] {
        all.push(address(country, code.clone(), state.clone(), &long));
        all.push(address(country, code, state, "شارع 1"));
    }
    all.push(json!({"order_no": "#1/2 \"<&>\" ١"}));
    all.push(json!({"customer_id": "x"}));
    all
}

#[test]
fn no_optional_data_of_a_payer_keeps_them_from_the_page_of_a_gateway() {
    for make in GATEWAYS {
        for fields in payers() {
            let (shop, gateway, _) = shop_at(make);
            let mut body = order(&[CODE]);
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            let session_id = shop.create(&body);
            shop.pay(&session_id, CODE).unwrap();
            let attempt = shop.latest(&session_id);
            assert_eq!(
                attempt.stage,
                Stage::Redirected,
                "{} {fields}: {:?}",
                gateway.origin(),
                attempt.message
            );
            assert_eq!(gateway.ledger().take_problems(), Vec::<String>::new(), "{fields}");
        }
    }
}

#[test]
fn a_number_as_people_write_it_reaches_each_gateway_in_its_form() {
    for (make, pointer, expected) in
        [(GATEWAYS[0], "/customer/phone", "+965 50001234"), (GATEWAYS[1], "/telephoneNumber", "+96550001234")]
    {
        for phone in ["50001234", "٥٠٠٠ ١٢٣٤", "+96550001234"] {
            let (shop, _, sent) = shop_at(make);
            let mut body = order(&[CODE]);
            body["customer_phone"] = json!(phone);
            shop.pay(&shop.create(&body), CODE).unwrap();
            let sent = sent.borrow();
            let found = sent.iter().find_map(|request| {
                let json: Value = serde_json::from_slice(&request.body).ok()?;
                json.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
            });
            assert_eq!(found.as_deref(), Some(expected), "{phone}");
        }
    }
}

// The forms of which a connector names one.

#[test]
fn an_e_mail_address_that_some_systems_refuse_is_left_out() {
    let of = |email: &str, max| {
        let payer = Payer { email: Some(email.into()), ..Payer::default() };
        payer.plain_email(max).map(String::from)
    };
    assert_eq!(of("a@b.co", 6).as_deref(), Some("a@b.co"));
    assert_eq!(of("a@b.co", 5), None);
    assert_eq!(of("\"a b\"@example.com", 99), None);
}

#[test]
fn a_telephone_number_is_written_in_the_form_that_is_asked_for() {
    let of = |phone: &str| Payer { phone: Some(phone.into()), ..Payer::default() }.telephone();
    assert_eq!(of("+96550001234").map(|phone| phone.e123()).as_deref(), Some("+965 50001234"));
    assert_eq!(of("call me"), None);
}

#[test]
fn a_name_has_both_parts_or_is_none() {
    let named = |first: &str, last: &str| {
        Payer { first_name: Some(first.into()), last_name: Some(last.into()), ..Payer::default() }
            .both_names(5)
    };
    assert_eq!(named("Noura", "Al-Sabah"), Some(("Noura".into(), "Al-Sa".into())));
    assert_eq!(named(" ", "Al-Sabah"), None);
    assert_eq!(Payer::default().both_names(5), None);
}

#[test]
fn a_text_is_cut_or_left_out() {
    assert_eq!(shortened(Some(" a\nb c "), 3).as_deref(), Some("ab"));
    assert_eq!(fitting(Some("abc"), 3).as_deref(), Some("abc"));
    assert_eq!(fitting(Some("abcd"), 3), None);
    assert_eq!(shortened(Some(" "), 3), None);
}

// Telephone numbers to which messages go.

fn notified(phone: &str, channel: &str) -> Value {
    let mut body = order(&["knet"]);
    body["customer_phone"] = json!(phone);
    body["notifications"] = json!({channel: ["paid"]});
    body
}

#[test]
fn a_number_to_which_a_message_cannot_go_is_named_at_create_and_only_then() {
    let shop = Shop::open(2);
    for channel in ["sms", "whatsapp"] {
        for phone in ["50001234", "٥٠٠٠١٢٣٤", "+966501234567", "00966501234567", "96550001234"] {
            assert!(shop.try_create(&notified(phone, channel), None).is_ok(), "{phone}");
        }
        for phone in ["1234567", "0501234567", "442079460018", "call me", "+9655000", "٥٠٠٠"] {
            let Rejection::Invalid(found) = refused(shop.try_create(&notified(phone, channel), None)) else {
                panic!("{phone}")
            };
            let found: Vec<String> =
                found.iter().map(|violation| format!("{}: {}", violation.path, violation.rule)).collect();
            assert_eq!(
                found,
                [
                    "customer_phone: must be a telephone number that begins with + or 00 and the code of its country, \
                  or has the 8 digits of a number of KW, because notifications are sent to it"
                ],
                "{phone}"
            );
            let mut quiet = notified(phone, channel);
            quiet["notifications"] = json!({});
            assert!(shop.try_create(&quiet, None).is_ok(), "{phone}");
        }
    }
}
