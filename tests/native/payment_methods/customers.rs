//! The codes through which a customer paid.

use super::*;
use checkout_core::access::operator::ROOT;

/// What the listing says of a customer.
fn paid_by(shop: &Shop, customer: &str) -> Value {
    let filters = json!({"plugin": "e_commerce", "customer_id": customer, "pg_names": ["kpay"]});
    let answer = ask(shop, &filters).unwrap();
    assert_eq!(answer["pg_codes"], json!(["knet", "single"]), "a customer filters nothing");
    answer["customer_payment_methods"].clone()
}

/// The customer pays through one gateway.
fn pay_by_knet(shop: &Shop) {
    let mut request = order(&["knet"]);
    request["customer_id"] = json!("c-1");
    let session_id = shop.create(&request);
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
}

#[test]
fn the_codes_through_which_a_customer_paid_are_named() {
    let shop = Shop::open(1);
    let of_customer = |codes: &[&str]| {
        let mut request = order(codes);
        request["customer_id"] = json!("c-1");
        shop.create(&request)
    };
    assert_eq!(paid_by(&shop, "c-1"), json!([]));
    for code in ["queued", "mpgs", "queued"] {
        let session_id = of_customer(&[code]);
        let reference = shop.pay_to_page(&session_id, code);
        shop.bank.approve(reference.as_str());
        shop.come_back(&reference).unwrap();
    }
    // Declined, and cash that may or may not have been paid.
    let session_id = of_customer(&["knet"]);
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(reference.as_str());
    shop.come_back(&reference).unwrap();
    shop.pay(&of_customer(&["cash"]), "cash").unwrap();
    assert_eq!(paid_by(&shop, "c-1"), json!(["mpgs", "queued"]));
    assert_eq!(paid_by(&shop, "c-2"), json!([]));
}

#[test]
fn who_may_use_no_gateway_sees_none_through_which_a_customer_paid() {
    let shop = Shop::open(3);
    pay_by_knet(&shop);
    let filters = json!({"plugin": "e_commerce", "customer_id": "c-1"}).to_string();
    let text = block_on(list(&shop.world, &shop.clerk(1), filters.as_bytes())).unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!([&answer["customer_payment_methods"], &answer["pg_codes"]], [&json!([]), &json!([])]);
    assert_eq!(paid_by(&shop, "c-1"), json!(["knet"]));
}

#[test]
fn another_merchants_customer_of_the_same_id_is_another_customer() {
    let shop = Shop::open(1);
    pay_by_knet(&shop);
    assert_eq!(paid_by(&shop, "c-1"), json!(["knet"]));

    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    settings["gateways"].as_array_mut().unwrap().truncate(1);
    let body = json!({"merchant_id": "other", "settings": settings}).to_string();
    let secrets = block_on(add_merchant(&shop.world, &ROOT, body.as_bytes())).unwrap();
    let key = shop.holder(&secrets.private_key);
    let filters = json!({"plugin": "e_commerce", "customer_id": "c-1"}).to_string();
    let answer: Value =
        serde_json::from_str(&block_on(list(&shop.world, &key, filters.as_bytes())).unwrap()).unwrap();
    assert_eq!([&answer["customer_payment_methods"], &answer["pg_codes"]], [&json!([]), &json!(["knet"])]);
}

#[test]
fn whatever_is_listed_can_be_passed_to_create() {
    for seed in [1, 2] {
        let shop = Shop::open_with(seed, |settings| {
            let gateways = settings["gateways"].as_array_mut().unwrap();
            let knet = gateways[0].clone();
            // As many as a merchant can have.
            while seed == 2 && gateways.len() < 100 {
                let mut more = knet.clone();
                more["code"] = json!(format!("knet-{}", gateways.len()));
                gateways.push(more);
            }
        });
        for filter in [json!({}), json!({"currencies": ["KWD"]}), json!({"payment_services": ["apple_pay"]})]
        {
            let listed = codes(&shop, &filter);
            let mut order = order(&[]);
            order["pg_codes"] = json!(listed);
            assert!(shop.try_create(&order, None).is_ok(), "{filter}: {listed:?}");
        }
    }
}
