//! What the API shows of the fields that a merchant gave: each as it was given, dates in ISO 8601, sets with
//! every name once, and no field that can only be written.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use checkout_core::answer::source::ViewSource;
use checkout_core::answer::view::{ViewOptions, view};
use checkout_core::transaction::{Details, Transaction};
use checkout_tests::shop::{Shop, order, session_of};
use serde_json::{Value, json};

/// A request with every field.
const FULL: &str = include_str!("../bench/request.json");

/// What the creation of an order with more fields answers. The stored transaction shows the same, also after
/// it was written as text and read again.
fn shown(more: &Value) -> Value {
    let shop = Shop::open(1);
    let mut body = order(&["cash"]);
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = shop.try_create(&body, None).unwrap();
    let transaction = shop.transaction(&session_of(&answer));
    let print = |transaction: &Transaction| {
        let source = ViewSource {
            transaction,
            has_open_attempt: false,
            situation: &shop.situation(),
            public_url: "https://pay.example.com",
        };
        view(source, &ViewOptions::default())
    };
    assert_eq!(print(&transaction), Ok(answer.body.clone()));
    let details: Details = Details::from_json(&serde_json::to_string(&transaction.details).unwrap()).unwrap();
    assert_eq!(print(&Transaction { details, ..transaction }), Ok(answer.body.clone()));
    serde_json::from_str(&answer.body).unwrap()
}

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn every_field_comes_back_but_the_unit() {
    let given: Value = serde_json::from_str(FULL).unwrap();
    let shown = shown(&given);
    for (name, value) in given.as_object().unwrap() {
        match name.as_str() {
            "unit_code" => assert_eq!(shown.get(name), None, "is only written"),
            "agreement" => {
                let mut agreement = value.clone();
                agreement["expiry_date"] = json!("2031-12-31");
                assert_eq!(shown[name], agreement);
            }
            "due_datetime" => assert_eq!(shown[name], "2030-12-31T17:59:59Z"),
            "notifications" => {
                assert_eq!(names(&shown[name]), names(value));
                for (channel, events) in value.as_object().unwrap() {
                    let set = |events: &Value| events.as_array().unwrap().clone();
                    let (mut events, shown) = (set(events), set(&shown[name][channel]));
                    events.sort_by_key(ToString::to_string);
                    assert_eq!(shown, events, "{channel}");
                }
            }
            _ => assert_eq!(&shown[name], value, "{name}"),
        }
    }
}

#[test]
fn what_was_not_given_has_no_member() {
    let shown = shown(&json!({"order_no": null, "webhook_url": null, "redirect_url": null}));
    let expected = [
        "amount",
        "billing",
        "checkout_page_url",
        "checkout_url",
        "created_at",
        "currency_code",
        "due_datetime",
        "expiration_time",
        "language",
        "operation",
        "payment_methods",
        "payment_type",
        "pg_codes",
        "session_id",
        "state",
        "type",
    ];
    assert_eq!(names(&shown), BTreeSet::from(expected));
}

#[test]
fn a_method_says_what_is_charged_through_it_and_how_it_is_called() {
    let codes = json!(["credit-card", "knet", "cash"]);
    for (language, called, fee) in [("en", "KNET", "KNET fee"), ("ar", "كي نت", "رسوم كي نت")] {
        let shown = shown(&json!({"pg_codes": codes, "language": language, "type": "payment_request"}));
        let methods = shown["payment_methods"].as_array().unwrap();
        let order: Vec<_> = methods.iter().map(|method| &method["code"]).collect();
        assert_eq!(order, codes.as_array().unwrap().iter().collect::<Vec<_>>());
        let icon = "https://pay.example.com/icons/bank.svg";
        let webp = "https://pay.example.com/icons/bank.webp";
        let url = format!("{}&pg_code=knet", shown["checkout_url"].as_str().unwrap());
        assert_eq!(
            methods[1],
            json!({"amount": "10.250", "code": "knet", "currency_code": "KWD", "fee": "0.250",
                "fee_description": fee, "flow": "redirect", "icon": icon, "icons": {"svg": icon, "webp": webp},
                "is_sandbox": true, "name": called, "operation": "purchase", "pg": called, "redirect_url": url, "type": "payment_request"})
        );
        assert_eq!((&methods[2]["amount"], &methods[2]["fee"]), (&json!("10.000"), &json!("0.000")));
    }
}

#[test]
fn null_and_blank_members_are_shown_as_absent() {
    let address =
        json!({"city": "c", "country": "KW", "line1": "l", "line2": null, "postal_code": "", "state": null});
    let agreement =
        json!({"id": "A", "type": "other", "start_date": "", "seller": {"name": null}, "total_cycles": ""});
    let shown = shown(&json!({
        "billing_address": address, "agreement": agreement, "card_acceptance_criteria": {"min_expiry_time": null},
        "email_recipients": [], "notifications": {"sms": [], "email": null}, "unit_code": "",
    }));
    assert_eq!(shown["billing_address"], json!({"city": "c", "country": "KW", "line1": "l"}));
    assert_eq!(shown["agreement"], json!({"id": "A", "type": "other"}));
    for empty in ["card_acceptance_criteria", "notifications", "email_recipients"] {
        assert_eq!(shown.get(empty), None, "{empty}");
    }
}

#[test]
fn keys_that_are_not_known_are_not_shown() {
    let address = json!({"city": "c", "country": "KW", "line1": "l", "lat": 1});
    let shown = shown(&json!({
        "agreement": {"id": "A", "type": "other", "mode": 1, "seller": {"x": 1}, "extra_params": {"y": 1}},
        "billing_address": address,
        "card_acceptance_criteria": {"min_expiry_time": 1, "exclude_bins": []},
    }));
    assert_eq!(shown["agreement"], json!({"id": "A", "type": "other"}));
    assert_eq!(shown["billing_address"], json!({"city": "c", "country": "KW", "line1": "l"}));
    assert_eq!(shown["card_acceptance_criteria"], json!({"min_expiry_time": 1}));
}

#[test]
fn dates_are_shown_year_first_whatever_form_they_came_in() {
    for (given, expected) in [("31/01/2031", "2031-01-31"), ("2031-01-31", "2031-01-31")] {
        let agreement = json!({"id": "A", "type": "event_based", "start_date": given, "expiry_date": given});
        let shown = shown(&json!({"agreement": agreement, "customer_birthdate": given}));
        let dates = [
            &shown["agreement"]["start_date"],
            &shown["agreement"]["expiry_date"],
            &shown["customer_birthdate"],
        ];
        assert_eq!(dates, [expected; 3]);
    }
}

#[test]
fn an_agreement_without_a_type_is_shown_as_recurring() {
    let agreement = json!({"id": "A", "amount_variability": "fixed", "cycle_interval_days": "7", "frequency": "weekly",
        "expiry_date": "2031-01-31", "total_cycles": "52", "extra_params": {"payment_processing_day": "31"}});
    let shown = shown(&json!({ "agreement": agreement }));
    assert_eq!(
        shown["agreement"],
        json!({"id": "A", "type": "recurring", "amount_variability": "fixed", "cycle_interval_days": 7,
            "frequency": "weekly", "expiry_date": "2031-01-31", "total_cycles": 52,
            "extra_params": {"payment_processing_day": 31}}),
        "numbers are numbers"
    );
}

#[test]
fn the_largest_amount_of_an_agreement_is_shown_as_text_as_it_was_written() {
    for (given, expected) in [(json!("10"), "10"), (json!("10.50"), "10.50"), (json!(10.5), "10.5")] {
        let agreement = json!({"id": "A", "type": "other", "max_amount_per_cycle": given});
        assert_eq!(shown(&json!({ "agreement": agreement }))["agreement"]["max_amount_per_cycle"], expected);
    }
}

#[test]
fn an_event_is_shown_once_however_often_and_however_its_channel_was_named() {
    let notifications =
        json!({"email": ["paid", "created", "paid"], "SMS": ["failed", "failed"], "WhatsApp": ["paid"]});
    let shown = shown(&json!({
        "customer_email": "a@b.example", "customer_phone": "50001234", "notifications": notifications,
    }));
    assert_eq!(
        shown["notifications"],
        json!({"email": ["created", "paid"], "sms": ["failed"], "whatsapp": ["paid"]})
    );
}

#[test]
fn recipients_are_shown_in_their_order() {
    let recipients = json!(["z@b.example", "a@b.example"]);
    assert_eq!(shown(&json!({ "email_recipients": recipients }))["email_recipients"], recipients);
}

#[test]
fn characters_of_every_kind_come_back_as_they_were() {
    let text = "محمد \"quoted\" \\ <b>&amp;</b> \u{202e}é👩‍💻";
    let address = json!({"city": text, "country": "AE", "line1": text, "line2": text, "state": text, "email": "a@b.example",
        "first_name": text, "last_name": text, "phone": "+971 4 000"});
    let shown = shown(&json!({ "shipping_address": address }));
    assert_eq!(shown["shipping_address"], address);
}

/// One sum of `billing`.
fn sum(value: &str, label: &str) -> Value {
    json!({"currency_code": "KWD", "display": format!("KWD {value}"), "label": label, "value": value})
}

#[test]
fn billing_adds_up_what_the_first_method_costs_in_the_language_of_the_order() {
    for (language, labels) in
        [("en", ["Total", "KNET fee", "Amount"]), ("ar", ["الإجمالي", "رسوم كي نت", "المبلغ"])]
    {
        let shown = shown(&json!({"pg_codes": ["knet", "credit-card"], "language": language}));
        let [total, fee, amount] = labels;
        assert_eq!(
            shown["billing"],
            json!({"amount": sum("10.250", total), "fee": sum("0.250", fee), "sub_total": sum("10.000", amount)})
        );
    }
}

#[test]
fn billing_without_a_fee_names_none() {
    let shown = shown(&json!({"pg_codes": ["cash", "knet"], "amount": "1234.5"}));
    let total =
        json!({"currency_code": "KWD", "display": "KWD 1,234.500", "label": "Total", "value": "1234.500"});
    assert_eq!((&shown["billing"]["amount"], &shown["billing"]["fee"]), (&total, &sum("0.000", "Fee")));
}

#[test]
fn the_page_of_the_front_end_is_the_checkout_page() {
    let shown = shown(&json!({}));
    assert_eq!(shown["checkout_page_url"], shown["checkout_url"]);
}

#[test]
fn empty_objects_and_lists_are_left_out() {
    let shown = shown(&json!({
        "extra": {}, "notifications": {"email": [], "sms": []}, "email_recipients": [],
        "card_acceptance_criteria": {}, "customer_id": "c-1", "agreement": {
            "id": "a-1", "type": "unscheduled", "frequency": "irregular", "seller": {}, "extra_params": {}},
        "payment_type": "auto_debit", "pg_codes": ["credit-card"], "webhook_url": "https://shop.example.com/hook",
    }));
    for name in ["extra", "notifications", "email_recipients"] {
        assert_eq!(shown.get(name), None, "{name}");
    }
    assert_eq!(
        shown["card_acceptance_criteria"],
        json!({"min_expiry_time": 30}),
        "the default of auto debit"
    );
    let agreement = json!({"id": "a-1", "type": "unscheduled", "frequency": "irregular"});
    assert_eq!(shown["agreement"], agreement);
}

#[test]
fn an_extra_whose_member_is_null_comes_back_as_it_was_given() {
    assert_eq!(shown(&json!({"extra": {"value": null}}))["extra"], json!({"value": null}));
}
