//! Callbacks at the address of an account: one address for all charges of a gateway.

use super::*;

fn account(shop: &Shop, code: &str) -> ReportAddress {
    ReportAddress::Account(shop.merchant.clone(), PgCode::parse(code).unwrap())
}

fn report(shop: &Shop, code: &str, request: &Incoming) -> Result<usize, Failure> {
    block_on(call_back(&shop.world, account(shop, code), request)).map(|called| called.deliveries.len())
}

#[test]
fn a_charge_is_settled_by_the_reference_that_the_gateway_names() {
    let shop = Shop::open(51);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let callback = shop.bank.callback(reference.as_str());
    assert_eq!(report(&shop, "knet", &callback).unwrap(), 1);
    assert_eq!(shop.state(&session_id), "paid");
    assert_eq!(report(&shop, "knet", &callback).unwrap(), 0, "a duplicate changes nothing");
}

#[test]
fn a_charge_of_another_gateway_is_not_settled_at_this_address() {
    let shop = Shop::open(52);
    let session_id = shop.create(&order(&["knet", "single"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let callback = shop.bank.callback(reference.as_str());
    // It is signed with the key of the other gateway.
    assert_eq!(refused(report(&shop, "single", &callback)), Rejection::SignatureInvalid);
    // It is signed with the right key, but the gateway named is not the one of the charge.
    let mut foreign = callback.clone();
    let key = callback_key("sandbox-single-api-key");
    foreign.headers = vec![(SIGNATURE_HEADER.into(), callback_signature(&key, &foreign.body))];
    assert_eq!(report(&shop, "single", &foreign).unwrap(), 0);
    assert_eq!(shop.state(&session_id), "pending");
}

#[test]
fn what_names_no_charge_is_acknowledged_and_ignored() {
    let shop = Shop::open(53);
    let key = callback_key("sandbox-knet-api-key");
    for body in ["", "{}", "null", r#"{"reference":"NOBODY"}"#] {
        let headers = vec![(SIGNATURE_HEADER.to_string(), callback_signature(&key, body.as_bytes()))];
        let request = Incoming { status: 0, query: String::new(), headers, body: body.into() };
        assert_eq!(report(&shop, "knet", &request).unwrap(), 0, "{body}");
    }
}

#[test]
fn an_account_that_does_not_exist_answers_like_a_wrong_signature() {
    let shop = Shop::open(54);
    let request = Incoming { status: 0, query: String::new(), headers: Vec::new(), body: Vec::new() };
    for code in ["knet", "cash", "nothing"] {
        assert_eq!(refused(report(&shop, code, &request)), Rejection::SignatureInvalid, "{code}");
    }
    let nobody = ReportAddress::Account(MerchantId::parse("nobody").unwrap(), PgCode::parse("knet").unwrap());
    assert_eq!(refused(block_on(call_back(&shop.world, nobody, &request))), Rejection::SignatureInvalid);
}

/// A notification of Mastercard Gateway, which says only what it is about.
fn notification(order: &str, kind: &str, transaction: &str) -> Incoming {
    let body = json!({"order": {"id": order}, "transaction": {"id": transaction, "type": kind}}).to_string();
    let headers = vec![("x-notification-secret".into(), "0123456789ABCDEF0123456789ABCDEF".into())];
    Incoming { status: 0, query: String::new(), headers, body: body.into_bytes() }
}

#[test]
fn a_reason_to_ask_is_followed_for_charges_of_the_account_only() {
    let shop = Shop::open_with(55, |settings| {
        let gateway = settings.pointer_mut("/gateways/1").unwrap().as_object_mut().unwrap();
        gateway.insert("connector".into(), json!("mpgs"));
        gateway.insert("endpoint".into(), json!("https://bank.example"));
        gateway.insert("wallets".into(), json!([]));
        let secret = "0123456789ABCDEF0123456789ABCDEF";
        let credentials = json!({"merchant_id": "TESTM5", "password": "pw", "notification_secret": secret});
        gateway.insert("credentials".into(), credentials);
        gateway.remove("apple_pay");
        gateway.remove("google_pay");
    });
    let bank = shop.bank.clone();
    shop.world.http.answer_by(move |request| {
        if request.url.starts_with("https://bank.example/") {
            let session = r#"{"result":"SUCCESS","session":{"id":"SESSION0002","updateStatus":"SUCCESS"},"successIndicator":"2a14"}"#;
            return Ok(answer(201, session));
        }
        bank.answer(request)
    });
    let session_id = shop.create(&order(&["mpgs"]));
    let own = shop.pay_to_page(&session_id, "mpgs");
    let other = shop.create(&order(&["knet"]));
    let foreign = shop.pay_to_page(&other, "knet");
    let asked = |address: ReportAddress, request: &Incoming| {
        block_on(call_back(&shop.world, address, request)).unwrap().questions
    };
    let own_only = std::slice::from_ref(&own);
    let payment = |reference: &ReferenceNumber| notification(reference.as_str(), "PAYMENT", "1");
    assert_eq!(asked(account(&shop, "mpgs"), &payment(&own)), own_only);
    assert_eq!(asked(account(&shop, "mpgs"), &payment(&foreign)), [], "a charge of another gateway");
    assert_eq!(asked(account(&shop, "mpgs"), &notification("NOBODY", "REFUND", "NOBODY")), []);
    let at_own = || ReportAddress::Subject(own.clone());
    assert_eq!(asked(at_own(), &payment(&own)), own_only);
    assert_eq!(asked(at_own(), &payment(&foreign)), own_only, "the address names what is meant");
    assert_eq!(asked(at_own(), &notification(own.as_str(), "REFUND", "NOBODY")), own_only);
}
