//! PUT and PATCH of a payment transaction with the ports in memory.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::merchant::update::{Extent, UpdateAnswer, UpdateInput, update};
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_core::state::State;
use checkout_core::testing::store::Fault;
use checkout_core::value::id::SessionId;
use checkout_tests::shop::{Shop, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

fn send(
    shop: &Shop,
    session_id: &SessionId,
    extent: Extent,
    body: &Value,
    if_match: Option<&str>,
) -> Result<UpdateAnswer, Failure> {
    let body = body.to_string();
    let input = UpdateInput {
        caller: shop.private(),
        session_id: session_id.clone(),
        extent,
        if_match,
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    block_on(update(&shop.world, input))
}

fn patch(shop: &Shop, session_id: &SessionId, body: &Value) -> Result<Value, Failure> {
    send(shop, session_id, Extent::Partial, body, None).map(|answer| read(&answer.body))
}

fn put(shop: &Shop, session_id: &SessionId, body: &Value) -> Result<Value, Failure> {
    send(shop, session_id, Extent::Full, body, None).map(|answer| read(&answer.body))
}

fn read(body: &str) -> Value {
    serde_json::from_str(body).unwrap()
}

/// What is shown, and the part of its tag that is of the fields which a merchant writes, as a tag.
fn retrieved(shop: &Shop, session_id: &SessionId) -> (Value, String) {
    let answer = block_on(retrieve(&shop.world, &shop.private(), session_id)).unwrap();
    let (fields, _) = answer.tag.split_once('-').unwrap();
    (read(&answer.body), format!("{fields}\""))
}

/// A transaction with a field of every kind.
fn rich() -> Value {
    let mut body = order(&["knet", "credit-card"]);
    let more = json!({
        "customer_first_name": "Noura", "customer_email": "noura@example.com", "customer_phone": "+96522221111",
        "language": "ar", "expiration_time": "2 00:00:00", "due_datetime": "2030-01-31T12:00:00Z",
        "extra": {"cart": [1.10, "x"]}, "unit_code": "salmiya",
        "billing_address": {"city": "Salmiya", "country": "KW", "line1": "Street 1"},
        "notifications": {"email": ["paid"]}, "email_recipients": ["shop@example.com"],
        "card_acceptance_criteria": {"min_expiry_time": 45},
        "agreement": {"id": "A1", "type": "other"},
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

#[test]
fn a_patch_changes_what_it_names_and_nothing_else() {
    let shop = Shop::open(1);
    let session_id = shop.create(&rich());
    let (mut expected, _) = retrieved(&shop, &session_id);
    let answered =
        patch(&shop, &session_id, &json!({"customer_first_name": "Sara", "vendor_name": null})).unwrap();
    expected["customer_first_name"] = json!("Sara");
    assert_eq!(answered, expected);
    assert_eq!(retrieved(&shop, &session_id).0, expected);
    assert_eq!(shop.transaction(&session_id).details.unit_code.as_deref(), Some("salmiya"));
}

#[test]
fn an_empty_patch_changes_no_field_and_leaves_the_tag() {
    let shop = Shop::open(1);
    let session_id = shop.create(&rich());
    let before = retrieved(&shop, &session_id);
    patch(&shop, &session_id, &json!({})).unwrap();
    assert_eq!(retrieved(&shop, &session_id), before);
}

#[test]
fn a_new_amount_brings_new_totals_and_fees() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["credit-card"]));
    let answered = patch(&shop, &session_id, &json!({"amount": "100.000"})).unwrap();
    let method = &answered["payment_methods"][0];
    assert_eq!((&method["fee"], &method["amount"]), (&json!("2.000"), &json!("102.000")));
}

#[test]
fn a_new_currency_is_checked_against_the_amount_that_stays() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["credit-card"]));
    // Zeros past the decimals of the new currency are ignored.
    let answered = patch(&shop, &session_id, &json!({"currency_code": "USD"})).unwrap();
    assert_eq!(answered["amount"], "10.00");
    patch(&shop, &session_id, &json!({"currency_code": "KWD", "amount": "10.005"})).unwrap();
    let rejection = refused(patch(&shop, &session_id, &json!({"currency_code": "USD"})));
    let expected = json!({"amount": ["must have at most 2 decimal places for USD"]});
    assert_eq!(read(&rejection.body("", "").unwrap())["errors"], expected);
}

#[test]
fn a_put_drops_what_it_does_not_name() {
    let shop = Shop::open(1);
    let session_id = shop.create(&rich());
    let answered = put(&shop, &session_id, &order(&["knet"])).unwrap();
    for gone in ["customer_email", "extra", "billing_address", "notifications", "agreement"] {
        assert!(answered.get(gone).is_none(), "{gone}");
    }
    assert_eq!((&answered["expiration_time"], &answered["language"]), (&json!("1 00:00:00"), &json!("en")));
    assert_eq!(answered["pg_codes"], json!(["knet"]));
}

#[test]
fn a_put_without_a_required_field_is_refused_and_changes_nothing() {
    let shop = Shop::open(1);
    let session_id = shop.create(&rich());
    let before = retrieved(&shop, &session_id);
    assert_eq!(refused(put(&shop, &session_id, &json!({"amount": "1.000"}))).code(), "invalid_fields");
    assert_eq!(retrieved(&shop, &session_id), before);
}

#[test]
fn the_type_cannot_change() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let rejection = refused(patch(&shop, &session_id, &json!({"type": "payment_request"})));
    assert!(rejection.body("", "").unwrap().contains("\"type\":[\"cannot be changed\"]"), "{rejection:?}");
}

#[test]
fn the_period_is_counted_from_the_creation() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    shop.wait(600);
    patch(&shop, &session_id, &json!({"expiration_time": "01:00:00"})).unwrap();
    let transaction = shop.transaction(&session_id);
    assert_eq!(transaction.expires_at.since(transaction.created_at).as_secs(), 3600);
}

#[test]
fn an_open_attempt_fixes_what_it_is_charged_by_and_lets_other_fields_pass() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let _at_the_bank = shop.pay_to_page(&session_id, "knet");
    for change in [json!({"amount": "11.000"}), json!({"pg_codes": ["knet"]})] {
        assert_eq!(refused(patch(&shop, &session_id, &change)), Rejection::AttemptInProgress, "{change}");
    }
    let answered = patch(&shop, &session_id, &json!({"vendor_name": "Till"})).unwrap();
    assert_eq!(answered["vendor_name"], json!("Till"));
}

#[test]
fn between_attempts_the_amount_can_change_and_the_next_attempt_takes_it() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(reference.as_str());
    shop.come_back(&reference).unwrap();
    assert_eq!(shop.state(&session_id), "attempted");
    patch(&shop, &session_id, &json!({"amount": "20.000"})).unwrap();
    let _at_the_bank = shop.pay_to_page(&session_id, "knet");
    assert_eq!(shop.latest(&session_id).principal.to_string(), "20.000");
}

#[test]
fn what_has_ended_cannot_be_changed() {
    let shop = Shop::open(1);
    let paid = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&paid, "knet");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let expected = Rejection::NotUpdatable { state: State::Paid };
    assert_eq!(refused(patch(&shop, &paid, &json!({"order_no": "B"}))), expected);
    let late = shop.create(&order(&["knet"]));
    shop.wait(2 * 86_400);
    let expected = Rejection::NotUpdatable { state: State::Expired };
    assert_eq!(refused(patch(&shop, &late, &json!({"expiration_time": "9 00:00:00"}))), expected);
}

#[test]
fn a_tag_of_another_version_stops_the_update() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let (_, old) = retrieved(&shop, &session_id);
    let first = send(&shop, &session_id, Extent::Partial, &json!({"order_no": "1"}), Some(&old)).unwrap();
    let second = send(&shop, &session_id, Extent::Partial, &json!({"order_no": "2"}), Some(&old));
    assert_eq!(refused(second), Rejection::PreconditionFailed);
    let now = block_on(retrieve(&shop.world, &shop.private(), &session_id)).unwrap();
    assert_eq!(now.tag, first.tag, "the answer to an update has the tag of what it made");
    send(&shop, &session_id, Extent::Partial, &json!({"order_no": "3"}), Some(&first.tag)).unwrap();
}

#[test]
fn a_tag_does_not_change_when_only_the_state_does() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let (_, before) = retrieved(&shop, &session_id);
    let _at_the_bank = shop.pay_to_page(&session_id, "knet");
    assert_eq!(retrieved(&shop, &session_id).1, before);
}

#[test]
fn a_public_key_and_no_key_change_nothing() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let public = shop.authorization("public_key");
    for route in [Route::PatchTransaction(session_id.clone()), Route::ReplaceTransaction(session_id.clone())]
    {
        assert_eq!(shop.identify(Some(&public), &route), Err(Rejection::PrivateKeyRequired));
        assert_eq!(shop.identify(None, &route), Err(Rejection::CredentialsMissing));
    }
}

#[test]
fn an_update_that_the_store_loses_is_not_half_done() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let before = retrieved(&shop, &session_id);
    shop.world.store.fail_commit(1, Fault::BeforeStoring);
    assert!(matches!(patch(&shop, &session_id, &json!({"order_no": "B"})), Err(Failure::World(_))));
    assert_eq!(retrieved(&shop, &session_id), before);
}

#[test]
fn read_only_fields_that_are_sent_in_are_ignored() {
    let read_only = json!({
        "attachment_short_url": 1, "checkout_short_url": [], "checkout_url": {}, "checkout_page_url": "x", "operation": "refund",
        "payment_methods": "all", "qr_code_url": false, "sdk_setup_preload_payload": 1, "session_id": "x",
        "settled_pg_code": "mpgs", "state": "paid", "billing": {"amount": "1"},
    });
    let shop = Shop::open(1);
    let mut body = rich();
    body.as_object_mut().unwrap().extend(read_only.as_object().unwrap().clone());
    let session_id = shop.create(&body);
    let before = retrieved(&shop, &session_id);
    assert_eq!((&before.0["state"], &before.0["operation"]), (&json!("created"), &json!("purchase")));
    assert_eq!(patch(&shop, &session_id, &read_only).unwrap(), before.0);
    assert_eq!(put(&shop, &session_id, &body).unwrap(), before.0);
    assert_eq!(retrieved(&shop, &session_id), before);
}

#[test]
fn flags_and_numbers_of_the_merchant_stay_with_a_patch_and_go_with_a_put() {
    let shop = Shop::open(1);
    let mut body = order(&["knet"]);
    let more = json!({"capture_delivery_address": "1", "capture_delivery_location": false, "transaction_log_id": "0042"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let session_id = shop.create(&body);
    let shown = |answered: &Value| {
        ["capture_delivery_address", "capture_delivery_location", "transaction_log_id"]
            .map(|name| answered.get(name).cloned())
    };
    let given = [json!(true), json!(false), json!(42)].map(Some);
    assert_eq!(shown(&retrieved(&shop, &session_id).0), given);
    assert_eq!(shown(&patch(&shop, &session_id, &json!({"order_no": "B"})).unwrap()), given);
    let patched = patch(&shop, &session_id, &json!({"capture_delivery_address": false})).unwrap();
    assert_eq!(shown(&patched), [json!(false), json!(false), json!(42)].map(Some));
    assert_eq!(shown(&put(&shop, &session_id, &order(&["knet"])).unwrap()), [None, None, None]);
}

#[test]
fn what_would_charge_at_once_is_refused_in_an_update_too() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let rejection = refused(patch(&shop, &session_id, &json!({"payment_instrument": {}})));
    assert_eq!(read(&rejection.body("", "").unwrap())["errors"].as_object().unwrap().len(), 1);
    assert!(rejection.body("", "").unwrap().contains("payment_instrument"), "{rejection:?}");
}

#[test]
fn an_order_number_that_was_long_enough_is_too_long_for_another_gateway() {
    let shop = Shop::open(1);
    let mut body = order(&["knet"]);
    body["order_no"] = json!("x".repeat(38));
    let session_id = shop.create(&body);
    let rejection = refused(patch(&shop, &session_id, &json!({"pg_codes": ["credit-card"]})));
    let expected = "must have at most 37 characters when a gateway of mpgs is among pg_codes";
    assert_eq!(read(&rejection.body("", "").unwrap())["errors"], json!({"order_no": [expected]}));
}
