//! Tokens that this service gives: for whom, for how long, what ends them, and what is refused.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::ROOT;
use checkout_core::access::{Caller, Rights};
use checkout_core::answer::oauth::TokenRefusal;
use checkout_core::flow::account::{key, user};
use checkout_core::flow::caller::token::{NoToken, give};
use checkout_core::flow::operator::merchant::add_merchant;
use checkout_core::port::{Clock as _, TRY_PERIOD, World as _};
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_core::value::id::{MerchantId, UserId};
use checkout_tests::shop::{DEMO_SETTINGS, Shop, json_of};
use form_urlencoded::Serializer;
use pollster::block_on;
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse battery";

fn form(pairs: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

fn ask(shop: &Shop, pairs: &[(&str, &str)], authorization: Option<&str>) -> Result<String, TokenRefusal> {
    match block_on(give(&shop.world, form(pairs).as_bytes(), authorization)) {
        Ok(given) => Ok(given.access_token),
        Err(NoToken::Refused(refusal)) => Err(refusal),
        Err(NoToken::World(error)) => panic!("{error}"),
    }
}

fn by_password(shop: &Shop, username: &str, password: &str) -> Result<String, TokenRefusal> {
    ask(shop, &[("grant_type", "password"), ("username", username), ("password", password)], None)
}

fn by_client(shop: &Shop, id: &str, secret: &str) -> Result<String, TokenRefusal> {
    ask(shop, &[("grant_type", "client_credentials"), ("client_id", id), ("client_secret", secret)], None)
}

/// Who brings a token.
fn caller(shop: &Shop, token: &str) -> Result<Caller, Rejection> {
    shop.identify(Some(&format!("Bearer {token}")), &Route::CreateTransaction)?.into_caller()
}

fn add_user(shop: &Shop, username: &str) -> UserId {
    let body =
        json!({"username": username, "password": PASSWORD, "permissions": ["Can add e-commerce payments"]});
    let body = body.to_string();
    let added = user::add_user(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), body.as_bytes());
    let added = json_of(&block_on(added).unwrap());
    UserId(u32::try_from(added.get("id").and_then(Value::as_u64).unwrap()).unwrap())
}

fn change(shop: &Shop, id: UserId, body: &Value) {
    let body = body.to_string();
    let changed =
        user::change_user(&shop.world, &shop.merchant, id, Grantor::Operator(&ROOT), body.as_bytes());
    assert!(block_on(changed).is_ok());
}

/// Makes a key; its prefix and what follows the dot.
fn add_key(shop: &Shop, body: &Value) -> (String, String) {
    let body = body.to_string();
    let added = key::add_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), body.as_bytes());
    let added = json_of(&block_on(added).unwrap());
    let text = added.get("key").and_then(Value::as_str).unwrap();
    let (prefix, secret) = text.split_once('.').unwrap_or((text, ""));
    (prefix.into(), secret.into())
}

fn content(token: &str) -> Value {
    let part = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

#[test]
fn a_name_and_a_password_give_a_token_that_is_the_users_for_an_hour() {
    let shop = Shop::open(1);
    let id = add_user(&shop, "sara");
    let token = by_password(&shop, "Sara", PASSWORD).unwrap();
    let found = caller(&shop, &token).unwrap();
    assert_eq!((found.merchant(), found.user().map(|user| user.id)), (&shop.merchant, Some(id)));
    let content = content(&token);
    let number = |name: &str| content.get(name).and_then(Value::as_i64).unwrap();
    assert_eq!(number("exp").checked_sub(number("iat")), Some(3_600));
    let url = shop.world.installation().public_url.clone();
    assert_eq!(content.get("iss"), Some(&json!(url)));
    assert_eq!(content.get("aud"), Some(&json!(format!("{url}/b/"))));
    // The hour, and the minute by which clocks may differ.
    shop.wait(3_659);
    assert!(caller(&shop, &token).is_ok());
    shop.wait(1);
    assert_eq!(caller(&shop, &token).err(), Some(Rejection::CredentialsInvalid));
}

#[test]
fn two_tokens_of_one_moment_differ() {
    let shop = Shop::open(2);
    add_user(&shop, "sara");
    assert_ne!(by_password(&shop, "sara", PASSWORD), by_password(&shop, "sara", PASSWORD));
}

#[test]
fn the_permissions_of_a_token_are_those_that_the_user_has_now() {
    let shop = Shop::open(3);
    let id = add_user(&shop, "sara");
    let token = by_password(&shop, "sara", PASSWORD).unwrap();
    change(&shop, id, &json!({"permissions": ["Can view payment requests"]}));
    assert_eq!(caller(&shop, &token).err(), Some(Rejection::PermissionMissing));
}

#[test]
fn another_password_and_being_switched_off_end_the_tokens_of_a_user() {
    for body in [json!({"password": "another long password"}), json!({"is_active": false})] {
        let shop = Shop::open(4);
        let id = add_user(&shop, "sara");
        add_user(&shop, "noura");
        let token = by_password(&shop, "sara", PASSWORD).unwrap();
        let other = by_password(&shop, "noura", PASSWORD).unwrap();
        change(&shop, id, &body);
        assert_eq!(caller(&shop, &token).err(), Some(Rejection::CredentialsInvalid), "{body}");
        assert!(caller(&shop, &other).is_ok());
        change(&shop, id, &json!({"is_active": true}));
        assert!(caller(&shop, &token).is_err(), "what ended does not come back: {body}");
    }
}

#[test]
fn a_private_key_is_a_client_whose_token_may_what_the_key_may() {
    let shop = Shop::open(5);
    let (id, secret) =
        add_key(&shop, &json!({"kind": "private", "permissions": ["Can add e-commerce payments"]}));
    for token in [
        by_client(&shop, &id, &secret),
        ask(&shop, &[("grant_type", "client_credentials")], Some(&format!("Api-Key {id}.{secret}"))),
        ask(
            &shop,
            &[("grant_type", "client_credentials")],
            Some(&format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")))),
        ),
    ] {
        let token = token.unwrap();
        let found = caller(&shop, &token).unwrap();
        let Rights::Key(_, Some(scope)) = &found.rights else { panic!("{:?}", found.rights) };
        assert_eq!(scope.names(), ["Can add e-commerce payments"]);
        let refused = shop.identify(Some(&format!("Bearer {token}")), &Route::Inquire).err();
        assert_eq!(refused, Some(Rejection::PermissionMissing));
        assert!(!format!("{token}{}", content(&token)).contains(&secret));
    }
    let token = by_client(&shop, &id, &secret).unwrap();
    let revoked = key::revoke_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), &id);
    assert!(block_on(revoked).is_ok());
    assert_eq!(caller(&shop, &token).err(), Some(Rejection::CredentialsInvalid));
    assert_eq!(by_client(&shop, &id, &secret), Err(TokenRefusal::InvalidClient));
}

#[test]
fn a_token_ends_with_its_key() {
    let shop = Shop::open(6);
    let expires_at = shop.world.clock.now().plus(Duration::from_mins(10)).to_string();
    let (id, secret) = add_key(&shop, &json!({"kind": "private", "expires_at": expires_at}));
    let token = by_client(&shop, &id, &secret).unwrap();
    shop.wait(599);
    assert!(caller(&shop, &token).is_ok());
    shop.wait(1);
    assert_eq!(caller(&shop, &token).err(), Some(Rejection::CredentialsInvalid));
}

#[test]
fn a_client_that_is_none_gets_no_token() {
    let shop = Shop::open(7);
    let (id, secret) = add_key(&shop, &json!({"kind": "private"}));
    let (public, _) = add_key(&shop, &json!({"kind": "public"}));
    let wrong = format!("{}x", secret.get(1..).unwrap());
    for (id, secret) in [
        (id.as_str(), wrong.as_str()),
        ("zzzzzzzz", &secret),
        (&public, &secret),
        (public.get(..8).unwrap(), public.get(8..).unwrap()),
        ("sara", PASSWORD),
        (&id, "short"),
    ] {
        assert_eq!(by_client(&shop, id, secret), Err(TokenRefusal::InvalidClient), "{id}");
    }
    let alone = [("grant_type", "client_credentials"), ("client_id", id.as_str())];
    assert_eq!(ask(&shop, &alone, None), Err(TokenRefusal::InvalidClient));
    for header in ["Basic", "Bearer x", &format!("Api-Key {public}"), "Basic eDp5, Basic eDp5"] {
        let refused = ask(&shop, &[("grant_type", "client_credentials")], Some(header));
        assert_eq!(refused, Err(TokenRefusal::InvalidClient), "{header}");
    }
}

#[test]
fn a_client_that_asks_for_a_user_is_of_the_same_merchant() {
    let shop = Shop::open(8);
    add_user(&shop, "sara");
    let (id, secret) = add_key(&shop, &json!({"kind": "private"}));
    let with = |id: &str, secret: &str| {
        let mut pairs = vec![("grant_type", "password"), ("username", "sara"), ("password", PASSWORD)];
        pairs.extend([("client_id", id), ("client_secret", secret)]);
        ask(&shop, &pairs, None)
    };
    assert!(with(&id, &secret).is_ok());
    assert!(with("any-application", "").is_ok(), "an id alone claims nothing");
    assert_eq!(with("any-application", "secret"), Err(TokenRefusal::InvalidClient));
    let settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    let other = json!({"merchant_id": "another", "settings": settings}).to_string();
    let other = json_of(&block_on(add_merchant(&shop.world, &ROOT, other.as_bytes())).unwrap());
    let (id, secret) = other.get("private_key").and_then(Value::as_str).unwrap().split_once('.').unwrap();
    assert_eq!(with(id, secret), Err(TokenRefusal::InvalidGrant));
}

#[test]
fn a_form_that_is_not_what_the_grant_needs_is_refused_with_what_is_wrong() {
    let shop = Shop::open(9);
    add_user(&shop, "sara");
    let password = [("grant_type", "password"), ("username", "sara"), ("password", PASSWORD)];
    let [grant, username, secret] = password;
    let wrong: [(&[(&str, &str)], TokenRefusal); 8] = [
        (&[], TokenRefusal::InvalidRequest("`grant_type` is required")),
        (&[("grant_type", "")], TokenRefusal::InvalidRequest("`grant_type` is required")),
        (&[grant, username], TokenRefusal::InvalidRequest("`username` and `password` are required")),
        (
            &[grant, secret, ("username", "")],
            TokenRefusal::InvalidRequest("`username` and `password` are required"),
        ),
        (
            &[grant, grant, username, secret],
            TokenRefusal::InvalidRequest("each parameter may be given only once"),
        ),
        (&[("grant_type", "authorization_code")], TokenRefusal::UnsupportedGrantType),
        (&[("grant_type", "PASSWORD"), username, secret], TokenRefusal::UnsupportedGrantType),
        (&[grant, username, secret, ("scope", "everything")], TokenRefusal::InvalidScope),
    ];
    for (pairs, refusal) in wrong {
        assert_eq!(ask(&shop, pairs, None), Err(refusal), "{pairs:?}");
    }
    assert!(ask(&shop, &[grant, username, secret, ("scope", ""), ("audience", "x")], None).is_ok());
    let (header, both) = (Some("Basic eDp5"), [grant, username, secret, ("client_secret", "x")]);
    assert!(matches!(ask(&shop, &both, header), Err(TokenRefusal::InvalidRequest(_))));
}

#[test]
fn wrong_passwords_are_counted_as_those_of_basic_are() {
    let shop = Shop::open(10);
    add_user(&shop, "sara");
    for _ in 0..10 {
        assert_eq!(by_password(&shop, "sara", "a wrong password"), Err(TokenRefusal::InvalidGrant));
    }
    let refused = by_password(&shop, "sara", PASSWORD).unwrap_err();
    let TokenRefusal::TooMany { retry_after } = refused else { panic!("{refused:?}") };
    assert!((890..=901).contains(&retry_after), "{retry_after}");
    shop.wait(TRY_PERIOD.as_secs());
    assert!(by_password(&shop, "sara", PASSWORD).is_ok());
    assert_eq!(by_password(&shop, "sa ra", PASSWORD), Err(TokenRefusal::InvalidGrant));
}

#[test]
fn a_token_that_is_changed_belongs_to_nobody() {
    let shop = Shop::open(11);
    add_user(&shop, "sara");
    let token = by_password(&shop, "sara", PASSWORD).unwrap();
    for (place, letter) in token.char_indices() {
        let other = if letter == 'A' { "B" } else { "A" };
        let (before, after) = (token.get(..place).unwrap(), token.get(place + 1..).unwrap());
        let refused = caller(&shop, &format!("{before}{other}{after}")).err();
        assert_eq!(refused, Some(Rejection::CredentialsInvalid), "letter {place}");
    }
}

#[test]
fn a_token_opens_nothing_of_the_operator() {
    let shop = Shop::open(12);
    add_user(&shop, "sara");
    let token = by_password(&shop, "sara", PASSWORD).unwrap();
    let route = Route::Operator(checkout_core::route::OperatorRoute::ListAttention);
    let refused = shop.identify(Some(&format!("Bearer {token}")), &route).err();
    assert_eq!(refused, Some(Rejection::CredentialsInvalid));
}

#[test]
fn the_merchant_in_a_token_is_the_one_of_the_user() {
    let shop = Shop::open(13);
    add_user(&shop, "sara");
    let token = by_password(&shop, "sara", PASSWORD).unwrap();
    assert_eq!(content(&token).get("mid"), Some(&json!(shop.merchant.as_str())));
    let found = caller(&shop, &token).unwrap();
    assert_ne!(found.merchant(), &MerchantId::parse("another").unwrap());
}
