//! What the hosted page shows of the order in addition to its amount, and what it does not show.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use checkout_core::access::operator::ROOT;
use checkout_core::checkout::page::{FieldValue, OrderDetails, PageView, TransactionPage};
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::value::id::SessionId;
use checkout_core::words::Language;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, order};
use pollster::block_on;
use serde_json::{Value, json};

fn page(shop: &Shop, session_id: &SessionId, language: Language) -> TransactionPage {
    match block_on(open_page(
        &shop.world,
        Some(session_id),
        Visit { language: Some(language), ..Visit::PERSON },
    ))
    .unwrap()
    {
        PageView::Transaction(page) => *page,
        PageView::NotFound { .. } => panic!("{session_id} is not found"),
    }
}

fn declare(shop: &Shop, fields: &Value) {
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    settings["plugins"]["e_commerce"]["custom_fields"] = fields.clone();
    block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", settings.to_string().as_bytes()))
        .unwrap();
}

/// An order that says everything about the payer.
fn personal() -> Value {
    let mut body = order(&["cash", "knet"]);
    let address = json!({"city": "Salmiya", "country": "KW", "line1": "Street 1", "line2": "Floor 2", "state": "Hawalli",
        "postal_code": "22001"});
    let mut shipping = address.clone();
    let more = json!({"email": "secret@ship.example", "first_name": "Sara", "last_name": "Ali", "phone": "+96599998888"});
    shipping.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let more = json!({
        "customer_first_name": "Noura", "customer_last_name": "Al\u{202e}i", "customer_email": "secret@mail.example",
        "customer_phone": "+96522221111", "customer_phone_2": "+96522223333", "customer_birthdate": "1990-01-31",
        "customer_id": "C-SECRET", "vendor_name": "V-SECRET", "product_type": "P-SECRET",
        "billing_address": address, "shipping_address": shipping,
        "extra": {"seat": "12\u{2066}A", "guests": 2, "gift": "true", "day": "2030-01-31", "mail": "noura@mail.example",
            "own": "E-SECRET"},
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn fields() -> Value {
    let field = |key: &str, kind: &str| json!({"key": key, "type": kind, "label": {"en": format!("The {key}"), "ar": format!("ال{key}")}});
    json!([
        field("gift", "boolean"),
        field("seat", "text"),
        field("guests", "number"),
        field("day", "date"),
        field("mail", "email"),
        field("absent", "text")
    ])
}

#[test]
fn names_addresses_and_labelled_fields_are_shown_in_order_and_without_controls_of_direction() {
    let shop = Shop::open(1);
    declare(&shop, &fields());
    let session_id = shop.create(&personal());
    let details = page(&shop, &session_id, Language::En).details;
    assert_eq!(details.payer.as_deref(), Some("Noura Ali"));
    let billing = details.billing.unwrap();
    assert_eq!(billing.lines, ["Street 1", "Floor 2", "Salmiya, Hawalli, 22001"]);
    assert_eq!(billing.country, "KW");
    assert_eq!(details.shipping.unwrap().lines.first().unwrap(), "Sara Ali");
    let shown: Vec<_> = details.fields.into_iter().map(|field| (field.label, field.value)).collect();
    let expected = [
        ("The gift", FieldValue::Flag(true)),
        ("The seat", FieldValue::Words("12A".into())),
        ("The guests", FieldValue::Digits("2".into())),
        ("The day", FieldValue::Digits("2030-01-31".into())),
        ("The mail", FieldValue::Words("n…@mail.example".into())),
    ];
    assert_eq!(shown, expected.map(|(label, value)| (label.to_owned(), value)));
    let arabic = page(&shop, &session_id, Language::Ar).details;
    assert_eq!(arabic.fields.first().unwrap().label, "الgift");
}

#[test]
fn nothing_by_which_a_payer_is_reached_and_nothing_that_is_the_merchants_own_is_on_the_page() {
    let shop = Shop::open(2);
    declare(&shop, &fields());
    let session_id = shop.create(&personal());
    for language in [Language::En, Language::Ar] {
        let shown = format!("{:?}", page(&shop, &session_id, language));
        for saved in ["secret", "SECRET", "2222", "9999", "1990", "noura@"] {
            assert!(!shown.contains(saved), "{saved}: {shown}");
        }
    }
}

#[test]
fn a_receipt_shows_what_was_bought_and_the_names_of_both_and_no_address() {
    let shop = Shop::open(3);
    declare(&shop, &json!([fields()[0], declared_items()[0], declared_items()[1]]));
    let mut body = personal();
    body["extra"] = json!({"gift": true, "about": "Gifts", "cart": [{"name": "Oud", "amount": "1.000"}]});
    let session_id = shop.create(&body);
    let before = page(&shop, &session_id, Language::En).details;
    assert!(before.billing.is_some() && !before.fields.is_empty());
    shop.pay(&session_id, "cash").unwrap();
    let receipt = page(&shop, &session_id, Language::En).details;
    let OrderDetails { payer, description, items, .. } = before;
    assert!(items.is_some() && description.is_some());
    assert_eq!(receipt, OrderDetails { payer, description, items, ..OrderDetails::default() });
}

#[test]
fn what_ended_without_success_shows_nothing_of_the_order() {
    let shop = Shop::open(3);
    let session_id = shop.create(&personal());
    shop.world.clock.advance(std::time::Duration::from_hours(25));
    assert_eq!(page(&shop, &session_id, Language::En).details, OrderDetails::default());
}

#[test]
fn an_order_that_says_nothing_more_has_no_details() {
    let shop = Shop::open(4);
    declare(&shop, &fields());
    for extra in [Value::Null, json!({}), json!({"seat": "", "guests": null})] {
        let mut body = order(&["knet"]);
        body["extra"] = extra;
        let session_id = shop.create(&body);
        assert_eq!(page(&shop, &session_id, Language::En).details, OrderDetails::default());
    }
}

#[test]
fn a_value_that_does_not_fit_what_was_declared_later_is_left_out() {
    let shop = Shop::open(5);
    let mut body = order(&["knet"]);
    body["extra"] = json!({"gift": {"a": 1}, "seat": [1], "guests": [2], "day": 7, "mail": "nobody"});
    let session_id = shop.create(&body);
    declare(&shop, &fields());
    assert_eq!(page(&shop, &session_id, Language::En).details.fields, []);
}

/// The fields of an order that says what it has.
fn declared_items() -> Value {
    let label = |en: &str, ar: &str| json!({"en": en, "ar": ar});
    json!([
        {"key": "about", "type": "description", "label": label("About", "عن الطلب")},
        {"key": "cart", "type": "items", "label": label("Your order", "طلبك")}
    ])
}

#[test]
fn what_is_paid_for_is_on_the_page_with_exact_amounts() {
    let shop = Shop::open(1);
    declare(&shop, &declared_items());
    let mut body = order(&["knet"]);
    body["extra"] = json!({
        "about": "Gift\u{202e}s", "cart": [{"name": "Oud \u{2066}A", "quantity": 2, "amount": "7.5"}, {"name": "Tea"}]
    });
    let details = page(&shop, &shop.create(&body), Language::Ar).details;
    assert_eq!(details.description.as_deref(), Some("Gifts"));
    let items = details.items.unwrap();
    assert_eq!(items.label, "طلبك");
    let shown: Vec<_> = items
        .list
        .iter()
        .map(|item| (item.name.as_str(), item.quantity, item.amount.map(|amount| amount.to_string())))
        .collect();
    assert_eq!(shown, [("Oud A", Some(2), Some("7.500".into())), ("Tea", None, None)]);
}

#[test]
fn items_that_are_wrong_are_refused_one_by_one_and_none_is_shown_that_does_not_fit() {
    let shop = Shop::open(1);
    let mut body = order(&["knet"]);
    body["extra"] = json!({"cart": [{"name": "", "amount": "1.23456"}], "about": "x".repeat(201)});
    let stored_before = shop.create(&body);
    declare(&shop, &declared_items());
    assert_eq!(page(&shop, &stored_before, Language::En).details.items, None);
    let rejection = match shop.try_create(&body, None) {
        Err(checkout_core::flow::Failure::Refused(refused)) => refused,
        other => panic!("{other:?}"),
    };
    let body: Value = serde_json::from_str(&rejection.body("", "").unwrap()).unwrap();
    let errors = &body["errors"];
    assert_eq!(errors["extra"]["about"], json!(["must have at most 200 characters"]));
    assert_eq!(errors["extra"]["cart"]["0"]["name"], json!(["must not be blank"]));
    assert!(errors["extra"]["cart"]["0"]["amount"].is_array(), "{errors}");
}
