//! Who may call: users who sign in by name and password, keys with a scope, and who gives permissions to whom.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod grants;
mod initiator;
mod replays;
mod sign_in;
mod updates;
mod withheld_cards;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use checkout_core::access::Caller;
use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::ROOT;
use checkout_core::flow::Failure;
use checkout_core::flow::account::user::{add_user, change_user};
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_core::value::id::UserId;
use checkout_tests::shop::{Shop, json_of};
use pollster::block_on;
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse battery";

/// A body that makes the user `sara` with these permissions.
fn sara(permissions: &[&str]) -> Value {
    json!({"username": "sara", "password": PASSWORD, "first_name": "Sara", "permissions": permissions})
}

/// Makes a user; the number.
fn added(shop: &Shop, body: &Value) -> UserId {
    let answer = try_add(shop, Grantor::Operator(&ROOT), body).unwrap();
    UserId(u32::try_from(answer.get("id").and_then(Value::as_u64).unwrap()).unwrap())
}

fn try_add(shop: &Shop, grantor: Grantor<'_>, body: &Value) -> Result<Value, Failure> {
    let body = body.to_string();
    block_on(add_user(&shop.world, &shop.merchant, grantor, body.as_bytes())).map(|shown| json_of(&shown))
}

fn try_change(shop: &Shop, id: UserId, grantor: Grantor<'_>, body: &Value) -> Result<Value, Failure> {
    let body = body.to_string();
    let changed = change_user(&shop.world, &shop.merchant, id, grantor, body.as_bytes());
    block_on(changed).map(|shown| json_of(&shown))
}

fn basic(username: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{username}:{password}")))
}

/// The user who signs in for a route.
fn sign_in(shop: &Shop, username: &str, password: &str, route: &Route) -> Result<Caller, Rejection> {
    let principal = shop.identify(Some(&basic(username, password)), route)?;
    principal.into_caller()
}

/// The violations of a refusal: each path with what is said about it.
fn wrong(rejection: Rejection) -> Vec<(String, String)> {
    let Rejection::Invalid(found) = rejection else { panic!("{rejection:?}") };
    found.into_iter().map(|violation| (violation.path.to_string(), violation.rule.to_string())).collect()
}
