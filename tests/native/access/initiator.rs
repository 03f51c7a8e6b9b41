//! The user who made a transaction or an operation, in answers and notifications.

use checkout_core::access::operator::ROOT;
use checkout_core::flow::caller::token::give;
use checkout_core::flow::merchant::create::{CreateInput, create};
use checkout_core::flow::merchant::operate::{self, operate};
use checkout_core::flow::merchant::update::{self, Extent, update};
use checkout_core::route::Route;
use checkout_core::value::id::SessionId;
use checkout_tests::shop::{order, refused, session_of};
use serde_json::json;

use super::*;

const ALL: [&str; 5] = [
    "Can add e-commerce payments",
    "Can change e-commerce payments",
    "Can use knet",
    "Can use credit-card",
    "payment.refund",
];

fn create_as(shop: &Shop, caller: Caller, body: &Value) -> Result<SessionId, Failure> {
    let body = body.to_string();
    let input = CreateInput { caller, idempotency_key: None, body: body.as_bytes(), file: None, wrong: &[] };
    block_on(create(&shop.world, input)).map(|answer| session_of(&answer))
}

fn with(mut body: Value, id: u32) -> Value {
    body.as_object_mut().unwrap().insert("initiator_id".into(), id.into());
    body
}

fn change_as(
    shop: &Shop,
    caller: Caller,
    session_id: &SessionId,
    extent: Extent,
    body: &Value,
) -> Result<(), Failure> {
    let body = body.to_string();
    let input = update::UpdateInput {
        caller,
        session_id: session_id.clone(),
        extent,
        if_match: None,
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    block_on(update(&shop.world, input)).map(|_| ())
}

/// The users whom the notifications about a transaction name, in order.
fn notified(shop: &Shop, session_id: &SessionId) -> Vec<Value> {
    let deliveries = shop.world.store.deliveries(session_id);
    let bodies = deliveries.iter().map(|row| serde_json::from_str::<Value>(&row.message.body).unwrap());
    bodies.map(|body| body.get("initiator").cloned().unwrap_or(Value::Null)).collect()
}

fn paid(shop: &Shop, session_id: &SessionId) {
    let reference = shop.pay_to_page(session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
}

#[test]
fn what_a_user_makes_names_the_user_and_what_a_key_makes_names_nobody() {
    let shop = Shop::open(41);
    let id = added(&shop, &sara(&ALL));
    let user = || sign_in(&shop, "sara", PASSWORD, &Route::CreateTransaction).unwrap();
    let session_id = create_as(&shop, user(), &order(&["credit-card"])).unwrap();
    paid(&shop, &session_id);
    let named = json!({"first_name": "Sara", "id": id.0, "username": "sara"});
    assert_eq!(notified(&shop, &session_id), [named]);
    assert_eq!(shop.transaction(&session_id).details.initiator_id, Some(id.0));
    let by_key = shop.create(&order(&["credit-card"]));
    paid(&shop, &by_key);
    assert_eq!(notified(&shop, &by_key), [Value::Null]);
}

#[test]
fn a_key_may_name_an_active_user_of_its_merchant_and_nobody_else() {
    let shop = Shop::open(42);
    let id = added(&shop, &sara(&[]));
    let off = added(&shop, &json!({"username": "off"}));
    try_change(&shop, off, Grantor::Operator(&ROOT), &json!({"is_active": false})).unwrap();
    let session_id = shop.create(&with(order(&["credit-card"]), id.0));
    paid(&shop, &session_id);
    assert_eq!(notified(&shop, &session_id), [Value::Null], "receivers learn of users who sign in only");
    assert_eq!(shop.transaction(&session_id).details.initiator.unwrap().username, "sara", "it is recorded");
    for number in [off.0, 99] {
        let found = wrong(refused(create_as(&shop, shop.private(), &with(order(&["knet"]), number))));
        assert_eq!(found[0].0, "initiator_id", "{number}");
    }
}

#[test]
fn a_user_cannot_name_another_one() {
    let shop = Shop::open(43);
    added(&shop, &sara(&ALL));
    let other = added(&shop, &json!({"username": "noura"}));
    let user = || sign_in(&shop, "sara", PASSWORD, &Route::CreateTransaction).unwrap();
    let found = wrong(refused(create_as(&shop, user(), &with(order(&["knet"]), other.0))));
    assert_eq!(
        found,
        [("initiator_id".to_string(), "must be the user who calls, or be left out".to_string())]
    );
    let session_id = create_as(&shop, user(), &order(&["knet"])).unwrap();
    let refused =
        refused(change_as(&shop, user(), &session_id, Extent::Partial, &json!({"initiator_id": other.0})));
    assert_eq!(wrong(refused)[0].0, "initiator_id");
}

#[test]
fn an_update_leaves_who_made_the_transaction() {
    let shop = Shop::open(44);
    let id = added(&shop, &sara(&ALL));
    added(&shop, &json!({"username": "noura", "password": PASSWORD, "permissions": ALL}));
    let user = |name| sign_in(&shop, name, PASSWORD, &Route::CreateTransaction).unwrap();
    let session_id = create_as(&shop, user("sara"), &order(&["knet"])).unwrap();
    let recorded = || {
        let details = shop.transaction(&session_id).details;
        (details.initiator_id, details.initiator.map(|user| user.username))
    };
    let made_by_sara = (Some(id.0), Some("sara".to_string()));
    change_as(&shop, user("noura"), &session_id, Extent::Partial, &json!({"amount": "11.000"})).unwrap();
    assert_eq!(recorded(), made_by_sara);
    change_as(&shop, user("noura"), &session_id, Extent::Full, &order(&["knet"])).unwrap();
    assert_eq!(recorded(), made_by_sara);
    change_as(&shop, shop.private(), &session_id, Extent::Partial, &json!({"amount": "12.000"})).unwrap();
    assert_eq!(recorded(), made_by_sara);
    change_as(&shop, shop.private(), &session_id, Extent::Full, &order(&["knet"])).unwrap();
    assert_eq!(recorded(), (None, None), "a key that replaces it says who made it");
}

#[test]
fn an_operation_names_the_user_who_asked_for_it() {
    let shop = Shop::open(45);
    let id = added(&shop, &sara(&ALL));
    let session_id = shop.create(&order(&["credit-card"]));
    paid(&shop, &session_id);
    let body =
        json!({"session_id": session_id.as_str(), "operation": "refund", "amount": "1.000"}).to_string();
    let caller = sign_in(&shop, "sara", PASSWORD, &Route::Operate).unwrap();
    let input =
        operate::OperationInput { caller, tracking_key: None, idempotency_key: None, body: body.as_bytes() };
    let answer = block_on(operate(&shop.world, input)).unwrap();
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(answer["initiator"], json!({"first_name": "Sara", "id": id.0, "username": "sara"}));
}

/// What is answered and notified about a refund that a caller asks for.
fn refunded(shop: &Shop, caller: Caller, session_id: &SessionId) -> [Value; 2] {
    let body =
        json!({"session_id": session_id.as_str(), "operation": "refund", "amount": "1.000"}).to_string();
    let input =
        operate::OperationInput { caller, tracking_key: None, idempotency_key: None, body: body.as_bytes() };
    let answer: Value = serde_json::from_str(&block_on(operate(&shop.world, input)).unwrap().body).unwrap();
    [answer.get("initiator").cloned().unwrap_or(Value::Null), notified(shop, session_id).pop().unwrap()]
}

#[test]
fn a_token_names_nobody_to_receivers() {
    let shop = Shop::open(46);
    let id = added(&shop, &sara(&ALL));
    let asked = format!("grant_type=password&username=sara&password={}", PASSWORD.replace(' ', "+"));
    let token = block_on(give(&shop.world, asked.as_bytes(), None)).unwrap().access_token;
    let by_token = || {
        let found = shop.identify(Some(&format!("Bearer {token}")), &Route::CreateTransaction);
        found.unwrap().into_caller().unwrap()
    };
    let basic = || sign_in(&shop, "sara", PASSWORD, &Route::CreateTransaction).unwrap();
    let session_id = create_as(&shop, by_token(), &order(&["credit-card"])).unwrap();
    paid(&shop, &session_id);
    assert_eq!(notified(&shop, &session_id), [Value::Null]);
    assert_eq!(shop.transaction(&session_id).details.initiator_id, Some(id.0), "who acted is recorded");
    assert_eq!(refunded(&shop, by_token(), &session_id), [Value::Null, Value::Null]);
    // Each act by itself: what was made by a token is refunded by a password.
    let [answered, _] = refunded(&shop, basic(), &session_id);
    assert_eq!(answered["username"], "sara");
    // An update by a token leaves who made it, and whether receivers learn it.
    let session_id = create_as(&shop, basic(), &order(&["credit-card"])).unwrap();
    change_as(&shop, by_token(), &session_id, Extent::Partial, &json!({"order_no": "7"})).unwrap();
    paid(&shop, &session_id);
    assert_eq!(notified(&shop, &session_id)[0]["username"], "sara");
    // A key names a user in an update, too: receivers do not learn it.
    let session_id = create_as(&shop, shop.private(), &order(&["credit-card"])).unwrap();
    change_as(&shop, shop.private(), &session_id, Extent::Partial, &with(json!({}), id.0)).unwrap();
    paid(&shop, &session_id);
    assert_eq!(notified(&shop, &session_id), [Value::Null]);
}
