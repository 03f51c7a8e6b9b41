//! Operators with roles, the audit of what they and merchants change, the versions of settings, and the secrets of webhooks.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod audit;
mod operators;
mod versions;
mod webhook_addresses;
mod webhook_secrets;

use checkout_core::access::Principal;
use checkout_core::access::operator::Operator;
use checkout_core::flow::Failure;
use checkout_core::flow::operator::audit::read_audit;
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::operator::staff::add_operator;
use checkout_core::rejection::Rejection;
use checkout_core::route::{OperatorRoute, Route};
use checkout_tests::shop::{DEMO_SETTINGS, Shop, json_of};
use pollster::block_on;
use serde_json::{Value, json};

fn demo() -> Value {
    serde_json::from_str(DEMO_SETTINGS).unwrap()
}

/// Makes an operator; what is answered.
fn made(shop: &Shop, by: &Operator, body: &Value) -> Result<Value, Failure> {
    block_on(add_operator(&shop.world, by, body.to_string().as_bytes())).map(|answer| json_of(&answer))
}

/// The operator who has a key.
fn operator(shop: &Shop, key: &str) -> Result<Operator, Rejection> {
    let route = Route::Operator(OperatorRoute::ListAttention);
    match shop.identify(Some(&format!("Bearer {key}")), &route)? {
        Principal::Operator(operator) => Ok(operator),
        other @ (Principal::Merchant(_) | Principal::Session | Principal::Anyone) => panic!("{other:?}"),
    }
}

/// A new operator of a role.
fn of_role(shop: &Shop, name: &str, role: &str) -> (Operator, String) {
    let body = json!({"name": name, "role": role});
    let answer = made(shop, &checkout_core::access::operator::ROOT, &body).unwrap();
    let key = answer.get("key").and_then(Value::as_str).unwrap().to_string();
    (operator(shop, &key).unwrap(), key)
}

fn replace(shop: &Shop, by: &Operator, settings: &Value) -> Result<Value, Failure> {
    let body = settings.to_string();
    let replaced = replace_settings(&shop.world, by, &shop.merchant, "", body.as_bytes());
    block_on(replaced).map(|answer| json_of(&answer))
}

/// The entries of the audit that a query finds.
fn entries(shop: &Shop, query: &str) -> Vec<Value> {
    let page = json_of(&block_on(read_audit(&shop.world, query)).unwrap());
    page.get("results").and_then(Value::as_array).cloned().unwrap()
}

/// The paths of the fields that are wrong.
fn paths(rejection: &Rejection) -> Vec<String> {
    let Rejection::Invalid(found) = rejection else { panic!("{rejection:?}") };
    found.iter().map(|violation| violation.path.to_string()).collect()
}
