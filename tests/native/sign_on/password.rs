//! Names and passwords, exchanged at the provider.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use checkout_core::access::claims::Claims;
use checkout_core::access::fault::TokenFault;
use checkout_core::flow::caller::sign_on::{Login, Refused, exchange};
use checkout_core::gateway::exchange::{HttpMethod, Outgoing};
use checkout_core::port::{Clock, World};
use checkout_core::testing::http::{empty, json};
use pollster::block_on;
use serde_json::{Value, json as value};

use super::provider::{Realm, TOKENS, description, signed};

const LOGIN: Login<'static> = Login { username: "noura@shop.example", password: "p&ss=w\u{f6}rd +1" };

fn client() -> Value {
    value!({"accepts_basic": true, "client_id": "till:checkout", "client_secret": "s3cret/+&"})
}

fn sign_in(realm: &Realm) -> Result<Claims, Refused> {
    block_on(exchange(&realm.world, &realm.settings, LOGIN, realm.world.clock().now()))
}

fn fault(realm: &Realm) -> Option<TokenFault> {
    match sign_in(realm) {
        Ok(_) => None,
        Err(Refused::Fault(fault)) => Some(fault),
        Err(Refused::World(error)) => panic!("{error}"),
    }
}

fn answer(realm: &Realm, status: u16, body: &Value) {
    realm.published.borrow_mut().tokens = Ok(json(status, &body.to_string()));
}

fn request(realm: &Realm) -> Outgoing {
    realm.world.http.take_sent().into_iter().find(|request| request.url == TOKENS).unwrap()
}

fn header<'r>(request: &'r Outgoing, name: &str) -> Option<&'r str> {
    request.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
}

/// An ID token for a client.
fn id_token(realm: &Realm, client: &str) -> String {
    let claims = realm.claims(&value!({"aud": client, "at_hash": "h", "preferred_username": "by-id-token"}));
    signed(1, &value!({"alg": "EdDSA", "kid": "one"}), &claims)
}

#[test]
fn a_name_and_a_password_are_exchanged_for_a_token_that_says_who_the_user_is() {
    let realm = Realm::with(&client());
    answer(&realm, 200, &value!({"access_token": realm.token(1, "one"), "token_type": "Bearer"}));
    assert_eq!(sign_in(&realm).unwrap().username, "noura");
    let request = request(&realm);
    assert_eq!(request.method, HttpMethod::Post);
    assert_eq!(header(&request, "content-type"), Some("application/x-www-form-urlencoded"));
    let basic = STANDARD.encode("till%3Acheckout:s3cret%2F%2B%26");
    assert_eq!(header(&request, "authorization"), Some(format!("Basic {basic}").as_str()));
    let sent: Vec<(String, String)> = form_urlencoded::parse(&request.body).into_owned().collect();
    let pairs = [
        ("grant_type", "password"),
        ("username", LOGIN.username),
        ("password", LOGIN.password),
        ("scope", "openid"),
    ];
    assert_eq!(sent, pairs.map(|(name, value)| (name.into(), value.into())));
}

#[test]
fn a_public_client_names_itself_in_the_form() {
    let realm = Realm::with(&value!({"accepts_basic": true, "client_id": "till"}));
    answer(&realm, 200, &value!({"access_token": realm.token(1, "one")}));
    assert_eq!(fault(&realm), None);
    let request = request(&realm);
    assert_eq!(header(&request, "authorization"), None);
    let sent: Vec<(String, String)> = form_urlencoded::parse(&request.body).into_owned().collect();
    assert_eq!(sent.last(), Some(&("client_id".into(), "till".into())));
}

#[test]
fn without_a_token_of_access_for_this_audience_the_id_token_counts() {
    let realm = Realm::with(&client());
    let id_token = id_token(&realm, "till:checkout");
    let other = signed(1, &value!({"alg": "EdDSA", "kid": "one"}), &realm.claims(&value!({"aud": "other"})));
    for access in [value!("opaque"), value!(null), value!(other)] {
        answer(&realm, 200, &value!({"access_token": access, "id_token": id_token}));
        assert_eq!(sign_in(&realm).unwrap().username, "by-id-token", "{access}");
    }
    answer(&realm, 200, &value!({"access_token": realm.token(1, "one"), "id_token": id_token}));
    assert_eq!(sign_in(&realm).unwrap().username, "noura");
}

#[test]
fn tokens_that_are_wrong_are_refused_although_the_provider_gave_them() {
    let realm = Realm::with(&client());
    for (tokens, expected) in [
        (value!({}), TokenFault::Purpose),
        (value!({"access_token": "opaque"}), TokenFault::NotCompact),
        (value!({"access_token": realm.token(2, "one")}), TokenFault::Signature),
        (value!({"id_token": id_token(&realm, "another-client")}), TokenFault::Audience),
        (
            value!({"access_token": realm.token(2, "one"), "id_token": id_token(&realm, "till")}),
            TokenFault::Audience,
        ),
    ] {
        answer(&realm, 200, &tokens);
        assert_eq!(fault(&realm), Some(expected), "{tokens}");
    }
}

#[test]
fn an_id_token_is_no_token_of_access_even_for_the_same_audience() {
    let realm = Realm::with(&client());
    assert_eq!(realm.fault(&id_token(&realm, "till")), Some(TokenFault::Purpose));
}

#[test]
fn a_password_that_the_provider_refuses_is_refused() {
    for status in [400, 401, 403] {
        for error in
            ["invalid_grant", "login_required", "interaction_required", "consent_required", "mfa_required"]
        {
            let realm = Realm::with(&client());
            answer(&realm, status, &value!({"error": error, "error_description": "of no use"}));
            assert_eq!(fault(&realm), Some(TokenFault::Password), "{status} {error}");
        }
    }
}

#[test]
fn a_provider_that_refuses_this_service_or_fails_does_not_say_that_the_password_is_wrong() {
    for (status, body) in [
        (401, value!({"error": "invalid_client"})),
        (400, value!({"error": "unauthorized_client"})),
        (400, value!({"error": "unsupported_grant_type"})),
        (400, value!({"error": LOGIN.password})),
        (400, value!({"error": ["invalid_grant"]})),
        (400, value!("invalid_grant")),
        (429, value!({"error": "slow_down"})),
        (500, value!({"error": "invalid_grant"})),
        (200, value!([])),
        (200, value!({"access_token": 7})),
        (302, value!({})),
    ] {
        let realm = Realm::with(&client());
        answer(&realm, status, &body);
        let refused = sign_in(&realm).unwrap_err();
        let Refused::World(error) = refused else { panic!("{status} {body}: {refused:?}") };
        assert!(!error.detail.contains(LOGIN.password) && !error.detail.contains("s3cret"), "{error}");
    }
    let realm = Realm::with(&client());
    realm.published.borrow_mut().tokens = Ok(empty(400));
    assert!(matches!(sign_in(&realm), Err(Refused::World(_))));
    realm.go_away();
    assert!(matches!(sign_in(&realm), Err(Refused::World(_))));
}

#[test]
fn a_provider_without_a_permitted_token_endpoint_exchanges_nothing() {
    for address in [
        value!(null),
        value!("http://id.example.com/token"),
        value!("https://localhost/token"),
        value!("https://pay.example.com/token"),
    ] {
        let realm = Realm::with(&client());
        let mut all = description();
        all.as_object_mut().unwrap().insert("token_endpoint".into(), address.clone());
        realm.published.borrow_mut().description = Ok(json(200, &all.to_string()));
        assert!(matches!(sign_in(&realm), Err(Refused::World(_))), "{address}");
        assert!(!realm.asked().iter().any(|url| url.ends_with("/token")), "{address}");
    }
}

#[test]
fn a_password_goes_nowhere_unless_the_settings_say_so() {
    for more in [
        value!({}),
        value!({"client_id": "till", "client_secret": "s3cret"}),
        value!({"accepts_basic": false, "client_id": "till"}),
    ] {
        let realm = Realm::with(&more);
        assert_eq!(fault(&realm), Some(TokenFault::NotConfigured), "{more}");
        assert_eq!(realm.asked(), [""; 0]);
    }
    let mut realm = Realm::with(&client());
    realm.settings.single_sign_on = None;
    assert_eq!(fault(&realm), Some(TokenFault::NotConfigured));
}

#[test]
fn neither_password_nor_secret_is_shown() {
    let realm = Realm::with(&client());
    answer(&realm, 400, &value!({"error": "invalid_grant"}));
    assert_eq!(fault(&realm), Some(TokenFault::Password));
    let shown = format!("{LOGIN:?} {:?}", realm.world.http.take_sent());
    assert!(!shown.contains("rd +1") && !shown.contains("s3cret"), "{shown}");
}
