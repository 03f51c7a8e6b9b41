//! A payment in one currency through a gateway that charges in another, from the offer to the notification.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use checkout_core::answer::source::ViewSource;
use checkout_core::answer::view::{ViewOptions, view};
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::rejection::Rejection;
use checkout_core::value::id::SessionId;
use checkout_core::value::money::{Currency, Money};
use checkout_core::violation::{Violation, errors};
use checkout_tests::shop::{Shop, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

/// A shop whose first gateway charges in dinar, with a fee of two percent.
fn shop() -> Shop {
    let shop = Shop::open(1);
    shop.configure(two_percent);
    shop
}

fn two_percent(settings: &mut Value) {
    settings["gateways"][0]["fees"][0]["fixed"] = json!("0");
    settings["gateways"][0]["fees"][0]["percent"] = json!("2");
}

/// An order over this many dollars.
fn dollars(amount: &str, pg_codes: &[&str]) -> Value {
    let mut body = order(pg_codes);
    body["amount"] = json!(amount);
    body["currency_code"] = json!("USD");
    body
}

fn shown(shop: &Shop, session_id: &SessionId) -> Value {
    let transaction = shop.transaction(session_id);
    let source = ViewSource {
        transaction: &transaction,
        has_open_attempt: false,
        situation: &shop.situation(),
        public_url: "https://pay.example.com",
    };
    let text = view(source, &ViewOptions::default()).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// What is offered: code, amount, currency and fee.
fn offers(shop: &Shop, session_id: &SessionId) -> Value {
    let shown = shown(shop, session_id);
    let methods = shown["payment_methods"].as_array().unwrap();
    methods.iter().map(|m| json!([m["code"], m["amount"], m["currency_code"], m["fee"]])).collect()
}

/// The body of the only notification about a transaction.
fn notified(shop: &Shop, session_id: &SessionId) -> Value {
    let mut deliveries = shop.world.store.deliveries(session_id);
    assert_eq!(deliveries.len(), 1);
    serde_json::from_str(&deliveries.pop().unwrap().message.body).unwrap()
}

#[test]
fn an_amount_is_charged_in_the_currency_of_the_gateway_and_shown_in_both() {
    let shop = shop();
    let session_id = shop.create(&dollars("100.00", &["knet"]));
    assert_eq!(offers(&shop, &session_id), json!([["knet", "31.365", "KWD", "0.615"]]));
    let reference = shop.pay_to_page(&session_id, "knet");
    assert_eq!(shop.latest(&session_id).quote.total.to_string(), "31.365");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let body = notified(&shop, &session_id);
    assert_eq!(
        body["amount_details"],
        json!({"currency_code": "KWD", "amount": "30.750", "fee": "0.615", "total": "31.365", "exchange_rate": "0.3075"})
    );
    let amounts = ["amount", "currency_code", "settled_amount", "paid_amount", "fee"].map(|name| &body[name]);
    assert_eq!(json!(amounts), json!(["100.00", "USD", "100.00", "102.00", "0.615"]));
    let shown = shown(&shop, &session_id);
    assert_eq!((&shown["amount"], &shown["currency_code"]), (&json!("100.00"), &json!("USD")));
}

#[test]
fn without_an_exchange_nothing_says_a_rate_and_what_is_paid_is_amount_and_fee() {
    let shop = shop();
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let body = notified(&shop, &session_id);
    assert_eq!(
        body["amount_details"],
        json!({"currency_code": "KWD", "amount": "10.000", "fee": "0.200", "total": "10.200"})
    );
    assert_eq!(text(&body, "paid_amount"), Some("10.200"));
}

#[test]
fn another_rate_changes_offers_and_no_open_attempt() {
    let shop = shop();
    let session_id = shop.create(&dollars("100.00", &["knet", "credit-card"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    let frozen = shop.latest(&session_id).quote;
    shop.configure(|settings| {
        two_percent(settings);
        settings["exchange_rates"][0]["rate"] = json!("0.31");
    });
    assert_eq!(
        offers(&shop, &session_id),
        json!([["knet", "31.620", "KWD", "0.620"], ["credit-card", "102.00", "USD", "2.00"]])
    );
    assert_eq!(shop.pay_to_page(&session_id, "knet"), reference, "the same page of the bank");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    assert_eq!((shop.latest(&session_id).quote, shop.state(&session_id)), (frozen, "paid"));
    assert_eq!(notified(&shop, &session_id)["amount_details"]["exchange_rate"], "0.3075");
}

#[test]
fn an_answer_about_the_amount_before_the_exchange_is_held() {
    let shop = shop();
    let session_id = shop.create(&dollars("100.00", &["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve_another_amount(reference.as_str(), "100.000");
    shop.come_back(&reference).unwrap();
    assert_eq!((shop.state(&session_id), shop.attention().len()), ("pending", 1));
    assert_eq!(shop.transaction(&session_id).settlement, None);
}

#[test]
fn without_its_rate_a_gateway_is_no_longer_offered_and_the_last_one_ends_the_transaction() {
    let shop = shop();
    let both = shop.create(&dollars("100.00", &["knet", "credit-card"]));
    let only = shop.create(&dollars("100.00", &["knet"]));
    let direct = shop.create(&order(&["knet"]));
    shop.configure(|settings| {
        settings["exchange_rates"] = json!([]);
        settings["gateways"][0]["exchanges"] = Value::Null;
    });
    assert_eq!(offers(&shop, &both), json!([["credit-card", "102.00", "USD", "2.00"]]));
    assert!(matches!(refused(shop.pay(&both, "knet")), Rejection::Invalid(_)));
    for session_id in [&both, &only, &direct] {
        block_on(open_page(&shop.world, Some(session_id), Visit::PERSON)).unwrap();
    }
    assert_eq!([&both, &only, &direct].map(|id| shop.state(id)), ["pending", "invalided", "pending"]);
    let rejection = refused(shop.try_create(&dollars("1.00", &["knet"]), None));
    assert_eq!(
        serde_json::to_value(errors(&violations(rejection))).unwrap(),
        json!({"pg_codes": ["must hold at least one gateway that takes USD"]})
    );
}

fn violations(rejection: Rejection) -> Vec<Violation> {
    let Rejection::Invalid(found) = rejection else { return Vec::new() };
    found
}

#[test]
fn the_fee_may_be_charged_only_if_something_is_exchanged() {
    let shop = Shop::open(1);
    shop.configure(|settings| {
        two_percent(settings);
        settings["gateways"][0]["charge_default_currency"] = json!(false);
    });
    let (direct, exchanged) = (shop.create(&order(&["knet"])), shop.create(&dollars("100.00", &["knet"])));
    assert_eq!(offers(&shop, &direct), json!([["knet", "10.000", "KWD", "0.000"]]));
    assert_eq!(shown(&shop, &direct)["payment_methods"][0]["fee_description"], "");
    assert_eq!(offers(&shop, &exchanged), json!([["knet", "31.365", "KWD", "0.615"]]));
    assert_eq!(shown(&shop, &exchanged)["payment_methods"][0]["fee_description"], "KNET fee");
}

#[test]
fn a_fee_below_a_hundredth_is_shown_only_in_the_details() {
    let shop = shop();
    for (amount, fee, is_shown) in
        [("0.475", "0.010", true), ("0.474", "0.009", false), ("0.010", "0.000", false)]
    {
        let mut body = order(&["knet"]);
        body["amount"] = json!(amount);
        let session_id = shop.create(&body);
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        shop.come_back(&reference).unwrap();
        let body = notified(&shop, &session_id);
        assert_eq!(text(&body["amount_details"], "fee"), Some(fee));
        assert_eq!(text(&body, "fee"), is_shown.then_some(fee));
    }
}

#[test]
fn an_amount_is_refused_by_name_if_every_gateway_would_charge_nothing_or_too_much() {
    let shop = Shop::open(1);
    let create = |rate: &str, amount: &str, codes: &[&str]| {
        shop.configure(|settings| settings["exchange_rates"][0]["rate"] = json!(rate));
        violations(refused(shop.try_create(&dollars(amount, codes), None)))
            .iter()
            .map(|violation| format!("{}: {}", violation.path, violation.rule))
            .collect::<Vec<_>>()
    };
    let nothing = ["amount: must not come to zero in the currency that is charged"];
    assert_eq!(create("0.0001", "4.99", &["knet"]), nothing);
    assert!(shop.try_create(&dollars("5.00", &["knet"]), None).is_ok(), "rounded half up");
    let too_large = ["amount: must be at most 9007199254740991 minor units of its currency"];
    assert_eq!(create("1000000", "90071992547409.91", &["knet"]), too_large);
}

#[test]
fn an_amount_is_accepted_if_one_gateway_can_charge_it_and_the_other_is_not_offered() {
    let shop = Shop::open(1);
    shop.configure(|settings| settings["exchange_rates"][0]["rate"] = json!("0.0001"));
    let session_id = shop.create(&dollars("0.01", &["knet", "credit-card"]));
    assert_eq!(offers(&shop, &session_id), json!([["credit-card", "0.01", "USD", "0.00"]]));
    let not_offered = refused(shop.pay(&session_id, "knet"));
    assert_eq!(
        violations(not_offered).iter().map(|violation| &*violation.path).collect::<Vec<_>>(),
        ["pg_code"]
    );
}

#[test]
fn every_currency_of_iso_4217_is_paid_by_exchange_and_charged() {
    let shop = Shop::open(1);
    let all: Vec<&str> = Currency::all().map(|currency| currency.code()).collect();
    // Each currency is charged for amounts of the one before it.
    for (source, target) in all.iter().zip(all.iter().skip(1).chain(all.first())) {
        shop.configure(|settings| {
            settings["currencies"] = json!([source]);
            settings["exchange_rates"] = json!([{"source": source, "target": target, "rate": "2"}]);
            settings["gateways"] = json!([settings["gateways"][0]]);
            let gateway = &mut settings["gateways"][0];
            gateway["currencies"] = json!([target]);
            gateway["default_currency"] = json!(target);
            gateway["exchanges"] = json!([source]);
            gateway["fees"][0]["currency"] = json!(target);
            gateway["fees"][0]["fixed"] = json!("1");
        });
        let mut body = order(&["knet"]);
        body["amount"] = json!("7");
        body["currency_code"] = json!(source);
        let session_id = shop.create(&body);
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        shop.come_back(&reference).unwrap();
        let body = notified(&shop, &session_id);
        let money =
            |text: &str, code: &str| Money::parse(text, Currency::parse(code).unwrap()).unwrap().to_string();
        let charged = ["14", "1", "15"].map(|text| money(text, target));
        assert_eq!(
            ["amount", "fee", "total"].map(|name| &body["amount_details"][name]),
            charged.each_ref().map(|text| text)
        );
        assert_eq!(text(&body, "settled_amount"), Some(&*money("7", source)));
        let paid = if Currency::parse(source).unwrap().minor_units() == 0 { "8" } else { "7.5" };
        assert_eq!(text(&body, "paid_amount"), Some(&*money(paid, source)), "{source} {target}");
    }
}
