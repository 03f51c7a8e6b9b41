//! What can be charged: a gateway or the sheet of a wallet that cannot express a total is not offered it, anywhere.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use checkout_core::api::pay::PayForm;
use checkout_core::checkout::page::{PageView, SentForm, TransactionPage};
use checkout_core::flow::merchant::payment_methods::list;
use checkout_core::flow::payer::open_page::{Viewer, Visit, open_page};
use checkout_core::flow::sdk;
use checkout_core::flow::sdk::wallet::pay;
use checkout_core::rejection::Rejection;
use checkout_core::testing::clock::ManualClock;
use checkout_core::value::id::SessionId;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Wallet;
use checkout_tests::gateway::Gateway;
use checkout_tests::gateway::adyen::Adyen;
use checkout_tests::gateway::knet::Knet;
use checkout_tests::gateway::mpgs::Mpgs;
use checkout_tests::gateway::stripe::Stripe;
use checkout_tests::shop::{Shop, form, order, refusal_of, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

/// The gateway of the shop that is another one in these tests.
const CODE: &str = "credit-card";

/// A shop that takes cards through a gateway, in every currency that it can have here.
fn shop_at(gateway: &dyn Fn(&ManualClock) -> Box<dyn Gateway>) -> Shop {
    let clock = ManualClock::at(Timestamp::from_millis(0));
    let own = gateway(&clock).settings();
    Shop::open_with(1, |settings| {
        let currencies = ["KWD", "SAR", "AED", "USD", "CLF", "IDR", "JPY", "MGA", "UGX"];
        settings["currencies"] = json!(currencies);
        let one = settings.pointer_mut("/gateways/2").and_then(Value::as_object_mut).unwrap();
        for name in ["apple_pay", "google_pay", "exchanges"] {
            one.remove(name);
        }
        one.insert("currencies".into(), json!(currencies));
        one.insert("fees".into(), json!([]));
        one.extend(own.as_object().unwrap().clone());
        one.insert("default_currency".into(), json!("KWD"));
        if own["connector"] == "knet" {
            one.insert("currencies".into(), json!(["KWD"]));
            for name in ["tokenization", "auto_debit"] {
                one.insert(name.into(), json!(false));
            }
        } else {
            one.insert(
                "currencies".into(),
                json!(if own["connector"] == "stripe" {
                    json!(["KWD", "SAR", "AED", "USD", "IDR", "JPY", "MGA", "UGX"])
                } else {
                    json!(currencies)
                }),
            );
        }
    })
}

fn stripe() -> Shop {
    shop_at(&|clock| Box::new(Stripe::new(clock, "shop")))
}

fn over(amount: &str, currency: &str, codes: &[&str]) -> Value {
    let mut body = order(codes);
    body["amount"] = json!(amount);
    body["currency_code"] = json!(currency);
    body
}

/// What is wrong with a request, each field in one line.
fn wrong(rejection: &Rejection) -> Vec<String> {
    let Rejection::Invalid(found) = rejection else { panic!("{rejection:?}") };
    found.iter().map(|violation| format!("{}: {}", violation.path, violation.rule)).collect()
}

fn preload(shop: &Shop, session_id: &SessionId) -> Value {
    let text = block_on(sdk::init(&shop.world, session_id, Viewer::Person)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn codes(preload: &Value) -> Vec<&str> {
    preload["payment_methods"].as_array().unwrap().iter().filter_map(|one| text(one, "code")).collect()
}

fn flows(preload: &Value) -> Vec<&str> {
    preload["payment_services"].as_array().unwrap().iter().filter_map(|one| text(one, "flow")).collect()
}

fn page(shop: &Shop, session_id: &SessionId, sent: Option<SentForm<'_>>) -> TransactionPage {
    match block_on(open_page(&shop.world, Some(session_id), Visit { sent, ..Visit::PERSON })).unwrap() {
        PageView::Transaction(page) => *page,
        PageView::NotFound { .. } => panic!("{session_id} is not found"),
    }
}

#[test]
fn what_the_only_gateway_cannot_charge_is_refused_at_create_with_what_it_charges() {
    let tens = "amount: must be one of which a gateway of pg_codes can charge the total, a multiple of 0.010 \
                KWD of at most 99999.990 KWD; the total is";
    for (shop, amount, currency, expected) in [
        (stripe(), "10.251", "KWD", format!("{tens} 10.251 KWD")),
        (stripe(), "100000.000", "KWD", format!("{tens} 100000.000 KWD")),
        (
            stripe(),
            "0.49",
            "USD",
            "amount: must be one of which a gateway of pg_codes can charge the total, from 0.50 to 999999.99 USD; \
             the total is 0.49 USD"
                .into(),
        ),
        (
            stripe(),
            "10.50",
            "MGA",
            "amount: must be one of which a gateway of pg_codes can charge the total, a multiple of 1.00 MGA of at \
             most 99999999.00 MGA; the total is 10.50 MGA"
                .into(),
        ),
        (
            shop_at(&|clock| Box::new(Adyen::new(clock, "shop"))),
            "15000.50",
            "IDR",
            "amount: must be one of which a gateway of pg_codes can charge the total, a multiple of 1.00 IDR; the \
             total is 15000.50 IDR"
                .into(),
        ),
        (
            shop_at(&|clock| Box::new(Mpgs::new(clock, "shop"))),
            "10000000000.00",
            "USD",
            "amount: must be one of which a gateway of pg_codes can charge the total, at most 9999999999.99 USD; the \
             total is 10000000000.00 USD"
                .into(),
        ),
    ] {
        let refusal = refused(shop.try_create(&over(amount, currency, &[CODE]), None));
        assert_eq!(wrong(&refusal), [expected], "{amount} {currency}");
    }
}

#[test]
fn what_a_gateway_can_charge_is_created_and_offered() {
    for (shop, amount, currency) in vec![
        (stripe(), "10.250", "KWD"),
        (stripe(), "99999.990", "KWD"),
        (stripe(), "0.50", "USD"),
        (stripe(), "2.00", "AED"),
        (stripe(), "9999999999.99", "IDR"),
        (stripe(), "50", "JPY"),
        (stripe(), "999999", "UGX"),
        (stripe(), "10.00", "MGA"),
        (shop_at(&|clock| Box::new(Adyen::new(clock, "shop"))), "10.251", "KWD"),
        (shop_at(&|clock| Box::new(Mpgs::new(clock, "shop"))), "9999999999.999", "KWD"),
        (shop_at(&|clock| Box::new(Knet::new(clock, "shop"))), "10.251", "KWD"),
    ] {
        let session_id = shop.create(&over(amount, currency, &[CODE]));
        assert_eq!(codes(&preload(&shop, &session_id)), [CODE], "{amount} {currency}");
    }
}

#[test]
fn the_total_decides_after_fee_and_exchange() {
    let with = |fee: &str, exchange: bool| {
        let clock = ManualClock::at(Timestamp::from_millis(0));
        let own = Stripe::new(&clock, "shop").settings();
        Shop::open_with(2, |settings| {
            let one = settings.pointer_mut("/gateways/2").and_then(Value::as_object_mut).unwrap();
            one.extend(own.as_object().unwrap().clone());
            one.remove("apple_pay");
            one.remove("google_pay");
            one.insert(
                "fees".into(),
                json!([{"currency": "KWD", "fixed": fee, "percent": "0",
                "description": {"en": "Fee", "ar": "رسم"}}]),
            );
            if exchange {
                one.insert("currencies".into(), json!(["KWD"]));
                one.insert("exchanges".into(), json!(["USD"]));
            }
        })
    };
    let can = |shop: &Shop, amount: &str, currency: &str| {
        shop.try_create(&over(amount, currency, &[CODE]), None).is_ok()
    };
    let odd = with("0.005", false);
    assert_eq!([can(&odd, "10.245", "KWD"), can(&odd, "10.250", "KWD")], [true, false]);
    // 100.00 USD are 30.750 KWD; 100.01 USD are 30.753 KWD.
    let exchanged = with("0", true);
    assert_eq!([can(&exchanged, "100.00", "USD"), can(&exchanged, "100.01", "USD")], [true, false]);
}

#[test]
fn a_gateway_that_cannot_charge_is_left_out_where_another_one_can() {
    let shop = stripe();
    let session_id = shop.create(&over("10.251", "KWD", &[CODE, "knet"]));
    assert_eq!(codes(&preload(&shop, &session_id)), ["knet"]);
    let shown: Vec<_> = page(&shop, &session_id, None).methods.into_iter().map(|one| one.code).collect();
    assert_eq!(shown, ["knet"]);
    assert_eq!(
        wrong(&refused(shop.pay(&session_id, CODE))),
        ["pg_code: must be one of the gateways of the transaction"]
    );
    assert!(shop.world.store.attempts(&session_id).is_empty());
}

#[test]
fn an_update_to_what_cannot_be_charged_is_refused() {
    let shop = stripe();
    let session_id = shop.create(&over("10.250", "KWD", &[CODE]));
    let patch = |amount: &str| shop.patch(&session_id, &json!({"amount": amount}));
    assert!(wrong(&refused(patch("10.255")))[0].starts_with("amount: must be one of which a gateway"));
    assert!(patch("10.260").is_ok());
}

#[test]
fn the_methods_of_an_amount_are_those_that_can_charge_it() {
    let shop = stripe();
    let listed = |more: Value| {
        let mut body = json!({"plugin": "e_commerce", "currencies": ["KWD"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let text = block_on(list(&shop.world, &shop.private(), body.to_string().as_bytes()));
        let answer: Value = serde_json::from_str(&text.unwrap()).unwrap();
        answer["pg_codes"].as_array().unwrap().iter().any(|code| code == CODE)
    };
    assert!(listed(json!({})) && listed(json!({"amount": "10.250"})));
    assert!(!listed(json!({"amount": "10.251"})));
    let ask = |body: Value| block_on(list(&shop.world, &shop.private(), body.to_string().as_bytes()));
    assert_eq!(
        wrong(&refused(ask(json!({"plugin": "e_commerce", "currencies": ["KWD"], "amount": "1e3"})))).len(),
        1
    );
}

#[test]
fn an_amount_that_the_payer_types_and_the_method_cannot_charge_opens_nothing_and_is_said_at_its_field() {
    let shop = stripe();
    let mut body = over("10.250", "KWD", &[CODE]);
    body["type"] = json!("payment_request");
    let session_id = shop.create(&body);
    let refusal = refused(shop.pay_amount(&session_id, CODE, "4.005"));
    assert_eq!(wrong(&refusal), ["amount: must be an amount that can be charged through the chosen gateway"]);
    assert!(shop.world.store.attempts(&session_id).is_empty());
    let typed = PayForm { amount: Some("4.005".into()), ..form(&session_id, CODE) };
    let shown = page(&shop, &session_id, Some(SentForm { form: &typed, refusal: Some(&refusal) }));
    assert!(shown.amount_field.is_some_and(|field| field.fault.is_some()), "the payer reads why");
    shop.pay_amount(&session_id, CODE, "4.010").unwrap();
}

// Wallets.

/// The device wallets that a page and an SDK are offered for an amount through a gateway without a fee.
fn offered(amount: &str, currency: &str) -> (Vec<String>, Vec<String>) {
    let shop = Shop::open_with(3, |settings| {
        settings["currencies"] = json!(["KWD", "SAR", "AED", "USD", "CLF", "JPY"]);
        settings["gateways"][1]["currencies"] = json!(["KWD", "SAR", "AED", "USD", "CLF", "JPY"]);
    });
    let session_id = shop.create(&over(amount, currency, &["mpgs"]));
    let shown = page(&shop, &session_id, None).wallets;
    let flows = flows(&preload(&shop, &session_id)).into_iter().map(String::from).collect();
    (shown.iter().map(|one| one.wallet.as_str().to_owned()).collect(), flows)
}

#[test]
fn google_pay_is_offered_only_what_its_sheet_can_show() {
    let (both, apple) = (vec!["apple_pay".to_owned(), "google_pay".to_owned()], vec!["apple_pay".to_owned()]);
    for (amount, currency, expected) in [
        ("10.450", "KWD", &both),
        ("10.000", "KWD", &both),
        ("10.455", "KWD", &apple),
        ("10.25", "USD", &both),
        ("500", "JPY", &both),
        ("1.2300", "CLF", &both),
        ("1.2345", "CLF", &apple),
    ] {
        assert_eq!(offered(amount, currency), (expected.clone(), expected.clone()), "{amount} {currency}");
    }
    // The sheet of Apple opens for at most a hundred million.
    assert_eq!(offered("100000000.01", "USD").1, ["google_pay"]);
    assert_eq!(offered("100000000.00", "USD").1, both);
}

#[test]
fn google_pay_is_given_whole_amounts_or_two_decimals_and_its_own_text_is_the_same_amount() {
    let shop = Shop::open(4);
    let is_price = |text: &str| match text.split_once('.') {
        Some((whole, part)) => !whole.is_empty() && part.len() == 2,
        None => !text.is_empty(),
    };
    for (amount, currency, expected) in
        [("10.000", "KWD", "10.20"), ("10.00", "USD", "10.20"), ("10.250", "KWD", "10.455")]
    {
        let session_id = shop.create(&over(amount, currency, &[CODE]));
        let preload = preload(&shop, &session_id);
        let services = preload["payment_services"].as_array().unwrap();
        let google = services.iter().find(|one| one["flow"] == "google_pay");
        let sent = json!({"session_id": session_id, "code": CODE, "amount": expected,
            "google_pay_payload": {"paymentMethodData": {"tokenizationData": {"token": "{\"signature\":\"a\"}"}}}});
        let paid = block_on(pay(&shop.world, Wallet::GooglePay, sent.to_string().as_bytes()));
        let Some(google) = google else {
            assert_eq!(expected, "10.455");
            assert_eq!(refusal_of(paid), Rejection::InstrumentNotOffered.during("payment"));
            continue;
        };
        assert_eq!(text(google, "total_price"), Some(expected));
        let items = google["display_items"].as_array().unwrap();
        let prices: Vec<&str> = items.iter().filter_map(|item| text(item, "price")).collect();
        assert_eq!(prices, ["10.00", "0.20"]);
        assert!(prices.iter().all(|price| is_price(price)));
        paid.unwrap();
        assert_eq!(shop.latest(&session_id).quote.total.to_string().trim_end_matches('0'), "10.2");
    }
}

#[test]
fn parts_that_google_cannot_show_are_left_out_and_the_total_is_shown() {
    let shop = Shop::open_with(5, |settings| {
        settings["gateways"][2]["fees"][0]["percent"] = json!("0");
        settings["gateways"][2]["fees"][0]["fixed"] = json!("0.225");
    });
    let session_id = shop.create(&over("10.225", "KWD", &[CODE]));
    let preload = preload(&shop, &session_id);
    let google = &preload["payment_services"][1];
    assert_eq!((text(google, "total_price"), &google["display_items"]), (Some("10.45"), &json!([])));
    let button = page(&shop, &session_id, None).wallets.pop().unwrap();
    let prices = button.prices().unwrap();
    assert_eq!((prices.total.as_str(), prices.parts), ("10.45", None));
}

#[test]
fn where_the_payer_types_the_amount_the_sheet_is_asked_about_what_is_typed() {
    let shop = Shop::open(6);
    let mut body = over("10.000", "KWD", &["mpgs"]);
    body["type"] = json!("payment_request");
    let session_id = shop.create(&body);
    let pay_by = |amount: &str| {
        let sent = json!({"session_id": session_id, "code": "mpgs", "amount": amount,
            "google_pay_payload": {"paymentMethodData": {"tokenizationData": {"token": "{\"signature\":\"a\"}"}}}});
        block_on(pay(&shop.world, Wallet::GooglePay, sent.to_string().as_bytes()))
    };
    assert_eq!(refusal_of(pay_by("4.005")), Rejection::InstrumentNotOffered.during("payment"));
    assert!(shop.world.store.attempts(&session_id).is_empty());
    let typed = PayForm { amount: Some("4.005".into()), ..form(&session_id, "mpgs") };
    let shown = page(&shop, &session_id, Some(SentForm { form: &typed, refusal: None }));
    let google = shown.wallets.iter().find(|button| button.wallet == Wallet::GooglePay).unwrap();
    assert_eq!(google.prices(), None, "its button is hidden until another amount is typed");
    pay_by("4.01").unwrap();
}
