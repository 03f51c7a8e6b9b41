//! Creating and charging in one call: `payment_instrument`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::create::{CreateAnswer, CreateInput, create};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::state::State;
use checkout_core::testing::store::Fault;
use checkout_core::value::id::SessionId;
use checkout_core::webhook::signature::verify;
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, order, refusal_of};
use pollster::block_on;
use serde_json::{Value, json};

const APPLE: &str = r#"{ "paymentData": {"data":"x"} }"#;

/// The body of an order that is paid at once, its payload as it is written.
fn body(codes: &[&str], payload: &str) -> String {
    let order = order(codes).to_string();
    let instrument =
        format!(r#","payment_instrument":{{"instrument_type":"apple_pay","payload":{payload}}}}}"#);
    format!("{}{instrument}", order.strip_suffix('}').unwrap())
}

fn send(shop: &Shop, body: &str, key: Option<&str>) -> Result<CreateAnswer, Failure> {
    let input = CreateInput {
        caller: shop.private(),
        idempotency_key: key,
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    block_on(create(&shop.world, input))
}

fn body_of(answer: &CreateAnswer) -> Value {
    serde_json::from_str(&answer.body).unwrap()
}

fn only(shop: &Shop) -> SessionId {
    let [transaction] = &shop.world.store.transactions()[..] else { panic!("one transaction") };
    transaction.session_id.clone()
}

fn declined(result: Result<CreateAnswer, Failure>) -> Rejection {
    let refused = refusal_of(result);
    assert_eq!(refused.operation, Some("payment"));
    refused.rejection
}

#[test]
fn a_wallet_creates_and_pays_in_one_call_and_the_merchant_is_notified_after_it() {
    let shop = Shop::open(1);
    let answer = send(&shop, &body(&["credit-card"], APPLE), None).unwrap();
    let shown = body_of(&answer);
    assert_eq!((answer.status, answer.is_replayed), (201, false));
    assert_eq!((&shown["result"], &shown["state"]), (&json!("success"), &json!("paid")));
    assert_eq!(shown["session_id"], json!(only(&shop).as_str()));
    assert!(verify(&answer.body, shop.secret("webhook_hmac_key")));
    let asked = shop.bank.asked(shown["reference_number"].as_str().unwrap()).to_string();
    assert!(asked.contains("paymentData"), "{asked}");
    assert_eq!(answer.deliveries.len(), 1);
    assert_eq!(shop.bank.approved(), 1);
}

#[test]
fn one_key_is_one_transaction_and_one_charge() {
    let shop = Shop::open(2);
    let body = body(&["credit-card"], APPLE);
    let first = send(&shop, &body, Some("k-1")).unwrap();
    let again = send(&shop, &body, Some("k-1")).unwrap();
    assert!(again.is_replayed);
    assert_eq!(body_of(&first)["reference_number"], body_of(&again)["reference_number"]);
    assert_eq!((shop.bank.approved(), shop.world.store.transactions().len()), (1, 1));
    let other = body.replace("10.000", "11.000");
    assert_eq!(send(&shop, &other, Some("k-1")), Err(Rejection::IdempotencyKeyReused.into()));
}

#[test]
fn a_worker_that_dies_after_creating_charges_once_when_the_request_comes_again() {
    for (nth, fault) in [(1, Fault::AfterStoring), (2, Fault::BeforeStoring), (2, Fault::AfterStoring)] {
        let shop = Shop::open(3);
        let body = body(&["credit-card"], APPLE);
        shop.world.store.fail_commit(nth, fault);
        assert!(matches!(send(&shop, &body, Some("k-1")), Err(Failure::World(_))));
        match send(&shop, &body, Some("k-1")) {
            Ok(answer) => assert_eq!(body_of(&answer)["state"], json!("paid")),
            // The attempt exists, and whether the gateway got the request is not known yet.
            Err(Failure::Refused(RefusedRequest { rejection, about: Some(about), operation })) => {
                assert_eq!((rejection, operation), (Rejection::AttemptInProgress, Some("payment")));
                assert_eq!(about.session_id.as_deref(), Some(only(&shop).as_str()));
                assert_eq!(about.reference, Some(shop.latest(&only(&shop)).reference));
            }
            Err(failure) => panic!("{failure:?}"),
        }
        assert!(shop.bank.openings().len() <= 1);
        only(&shop);
    }
}

#[test]
fn a_charge_that_did_not_succeed_is_refused_and_leaves_the_transaction() {
    let shop = Shop::open(4);
    shop.bank.on_opening(Mood::Refuses);
    let body = body(&["credit-card"], APPLE);
    assert!(matches!(declined(send(&shop, &body, Some("k-1"))), Rejection::PaymentDeclined { .. }));
    assert_eq!(shop.state(&only(&shop)), "attempted");
    shop.bank.on_opening(Mood::Fine);
    assert!(
        matches!(declined(send(&shop, &body, Some("k-1"))), Rejection::PaymentDeclined { .. }),
        "the key means it"
    );
    assert_eq!(shop.bank.approved(), 0);
}

#[test]
fn a_refusal_names_the_transaction_and_the_attempt_that_it_left() {
    let shop = Shop::open(12);
    shop.bank.on_opening(Mood::Refuses);
    let body = body(&["credit-card"], APPLE);
    for key in [Some("k-1"), Some("k-1"), None] {
        let Err(Failure::Refused(rejection)) = send(&shop, &body, key) else { panic!("a decline") };
        let shown: Value =
            serde_json::from_str(&rejection.body("https://pay.example.com", "r-1").unwrap()).unwrap();
        let session_id = SessionId::parse(shown["session_id"].as_str().unwrap()).unwrap();
        assert_eq!(shop.state(&session_id), "attempted");
        assert_eq!(shown["reference_number"], json!(shop.latest(&session_id).reference.as_str()));
        let rest = (&shown["code"], &shown["status"], &shown["operation"], &shown["result"]);
        assert_eq!(rest, (&json!("payment_declined"), &json!(400), &json!("payment"), &json!("failed")));
    }
    assert_eq!(shop.world.store.transactions().len(), 2, "one for the key, one without");
}

#[test]
fn a_card_that_cannot_pay_leaves_nothing_behind_and_its_key_free() {
    let shop = Shop::open(13);
    let token = saved(&shop);
    let stored = || shop.world.store.transactions().len();
    let before = (stored(), shop.bank.openings().len());
    let unknown = "card_00000000000000000000000000000000";
    for (customer, token) in [("c-2", token.as_str()), ("c-1", unknown), ("c-1", "x")] {
        let body = with_card(customer, &json!({"token": token}));
        let Err(Failure::Refused(rejection)) = send(&shop, &body, Some("k-1")) else { panic!("{body}") };
        assert!(rejection.operation.is_some() && rejection.about.is_none(), "it names no transaction");
        assert_eq!((stored(), shop.bank.openings().len()), before);
    }
    let good = with_card("c-1", &json!({"token": token}));
    assert_eq!(body_of(&send(&shop, &good, Some("k-1")).unwrap())["state"], json!("paid"));
    // The card is valid until the end of January 2039.
    shop.wait(14 * 366 * 86_400);
    let late = send(&shop, &with_card("c-1", &json!({"token": token})), None);
    assert!(matches!(declined(late), Rejection::CardRefused(_)));
    assert_eq!(stored(), before.0 + 1);
}

#[test]
fn a_key_names_its_own_attempt_when_the_payer_tried_again_on_the_page() {
    for outcome in ["waits", "paid", "declined"] {
        let shop = Shop::open(9);
        shop.bank.on_opening(Mood::Refuses);
        let body = body(&["credit-card"], APPLE);
        let first = declined(send(&shop, &body, Some("k-1")));
        assert!(matches!(first, Rejection::PaymentDeclined { .. }));
        shop.bank.on_opening(Mood::Fine);
        let reference = shop.pay_to_page(&only(&shop), "credit-card");
        match outcome {
            "paid" => shop.bank.approve(reference.as_str()),
            "declined" => shop.bank.decline(reference.as_str()),
            _ => {}
        }
        shop.come_back(&reference).unwrap();
        let openings = shop.bank.openings().len();
        assert_eq!(declined(send(&shop, &body, Some("k-1"))), first);
        assert_eq!(shop.bank.openings().len(), openings);
    }
}

#[test]
fn a_charge_of_unknown_outcome_is_pending() {
    let shop = Shop::open(5);
    shop.bank.on_opening(Mood::Deaf);
    let answer = send(&shop, &body(&["credit-card"], APPLE), None).unwrap();
    let shown = body_of(&answer);
    assert_eq!(
        (answer.status, &shown["result"], &shown["state"]),
        (201, &json!("pending"), &json!("pending"))
    );
}

#[test]
fn what_cannot_be_paid_at_once_is_named_and_nothing_is_stored() {
    let shop = Shop::open(6);
    let refused = |body: &str| {
        let Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) =
            send(&shop, body, None)
        else {
            panic!("{body}")
        };
        assert_eq!(shop.world.store.transactions().len(), 0);
        found.iter().map(|violation| violation.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        refused(&body(&["credit-card", "cash"], APPLE)),
        ["pg_codes", "payment_instrument.instrument_type"]
    );
    assert_eq!(refused(&body(&["knet"], APPLE)), ["payment_instrument.instrument_type"]);
    assert_eq!(refused(&body(&["credit-card"], "7")), ["payment_instrument.payload"]);
    assert_eq!(refused(&body(&["credit-card"], "{}")), ["payment_instrument.payload.paymentData"]);
    let wrong = |instrument: Value| {
        let mut order = order(&["credit-card"]);
        order["payment_instrument"] = instrument;
        order["amount"] = json!("x");
        refused(&order.to_string())
    };
    assert_eq!(wrong(json!(7)), ["amount", "payment_instrument"]);
    assert_eq!(
        wrong(json!({"instrument_type": "samsung_pay"}))[1..],
        ["payment_instrument.instrument_type", "payment_instrument.payload"]
    );
}

/// A saved card of a customer, by its token.
fn saved(shop: &Shop) -> String {
    let mut saving = order(&["credit-card"]);
    let members = saving.as_object_mut().unwrap();
    members.insert("payment_type".into(), "save_card".into());
    members.insert("amount".into(), "0".into());
    members.insert("customer_id".into(), "c-1".into());
    let session_id = shop.create(&saving);
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    let shown = shop.receiver.take_bodies().pop().unwrap();
    shown.pointer("/token/token").and_then(Value::as_str).unwrap().to_owned()
}

fn with_card(customer: &str, payload: &Value) -> String {
    let mut order = order(&["credit-card"]);
    let members = order.as_object_mut().unwrap();
    members.insert("customer_id".into(), customer.into());
    members.insert("payment_instrument".into(), json!({"instrument_type": "token", "payload": payload}));
    order.to_string()
}

#[test]
fn a_saved_card_creates_and_pays_in_one_call_and_once_for_one_key() {
    let shop = Shop::open(7);
    let token = saved(&shop);
    let body = with_card("c-1", &json!({"token": token}));
    let first = body_of(&send(&shop, &body, Some("k-1")).unwrap());
    assert_eq!((&first["result"], &first["state"]), (&json!("success"), &json!("paid")));
    assert_eq!(first.pointer("/token/token"), Some(&json!(token)));
    let again = send(&shop, &body, Some("k-1")).unwrap();
    assert!(again.is_replayed);
    assert_eq!(body_of(&again), first);
    assert_eq!(shop.world.store.transactions().len(), 2, "the one that saved the card, and this one");
}

#[test]
fn the_card_of_another_customer_pays_nothing_and_a_security_code_is_refused_by_name() {
    let shop = Shop::open(8);
    let token = saved(&shop);
    let before = shop.bank.openings().len();
    let of_another = send(&shop, &with_card("c-2", &json!({"token": token})), None);
    assert!(matches!(declined(of_another), Rejection::CardRefused(_)));
    let unknown =
        send(&shop, &with_card("c-1", &json!({"token": "card_00000000000000000000000000000000"})), Some("k"));
    assert!(matches!(declined(unknown), Rejection::CardRefused(_)));
    assert_eq!(shop.world.store.transactions().len(), 1, "only the one that saved the card");
    let coded = send(&shop, &with_card("c-1", &json!({"token": token, "cvv": "123"})), None);
    let Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) = coded else {
        panic!("a security code was taken")
    };
    assert_eq!(
        found.iter().map(|violation| violation.path.as_ref()).collect::<Vec<_>>(),
        ["payment_instrument.payload.cvv"]
    );
    assert_eq!(shop.bank.openings().len(), before);
}

#[test]
fn a_repeated_request_that_finds_the_payment_made_by_its_twin_answers_about_it() {
    let shop = Shop::open(9);
    let token = saved(&shop);
    let body = with_card("c-1", &json!({"token": token}));
    // The transaction is stored, its attempt is not.
    shop.world.store.fail_commit(1, Fault::AfterStoring);
    assert!(matches!(send(&shop, &body, Some("k-1")), Err(Failure::World(_))));
    let mut stored = shop.world.store.transactions().into_iter();
    let session_id = stored.find(|one| one.state == State::Created).unwrap().session_id;
    let _ = shop.pay_to_page(&session_id, "credit-card");
    // While the payer's page is withdrawn for one, the other is paid.
    let world = Interrupted::after_send(&shop.world, || {
        assert_eq!(body_of(&send(&shop, &body, Some("k-1")).unwrap())["state"], json!("paid"));
    });
    let input = CreateInput {
        caller: shop.private(),
        idempotency_key: Some("k-1"),
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    let twin = block_on(create(&world, input)).unwrap();
    assert_eq!((twin.is_replayed, body_of(&twin)["state"].clone()), (true, json!("paid")));
    assert_eq!(shop.results(&session_id), ["canceled", "success"]);
}

#[test]
fn a_repeated_wallet_payment_withdraws_the_page_that_the_payer_opened_meanwhile() {
    let shop = Shop::open(10);
    let body = body(&["credit-card"], APPLE);
    // The transaction is stored, its attempt is not.
    shop.world.store.fail_commit(1, Fault::AfterStoring);
    assert!(matches!(send(&shop, &body, Some("k-1")), Err(Failure::World(_))));
    let session_id = only(&shop);
    let _ = shop.pay_to_page(&session_id, "credit-card");
    assert_eq!(body_of(&send(&shop, &body, Some("k-1")).unwrap())["state"], json!("paid"));
    assert_eq!((shop.results(&session_id), shop.bank.approved()), (vec!["canceled", "success"], 1));
}

#[test]
fn a_repeated_request_leads_nobody_to_pay_what_another_attempt_has_paid() {
    let shop = Shop::open(14);
    shop.bank.on_wallet("visa-3ds");
    let body = body(&["credit-card"], APPLE);
    // The transaction is stored, its attempt is not.
    shop.world.store.fail_commit(1, Fault::AfterStoring);
    assert!(matches!(send(&shop, &body, Some("k-1")), Err(Failure::World(_))));
    let page = shop.pay_to_page(&only(&shop), "credit-card");
    let pay = || body_of(&send(&shop, &body, Some("k-1")).unwrap());
    let challenge = pay();
    assert_eq!(challenge["status"], json!("3DS"));
    assert_eq!(pay(), challenge);
    shop.bank.approve_after_all(page.as_str());
    shop.call_back(&page).unwrap();
    let shown = pay();
    assert_eq!((&shown["result"], &shown["state"]), (&json!("pending"), &json!("paid")));
    assert_eq!(shown["reference_number"], challenge["reference_number"]);
    assert_eq!(shown.get("redirect_url"), None);
}
