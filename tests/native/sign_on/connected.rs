//! Users of a merchant whose provider says who they are: by a token, and by a name and a password.

use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::ROOT;
use checkout_core::access::{Caller, Principal};
use checkout_core::flow::account::user::{add_user, change_user};
use checkout_core::flow::operator::merchant::{add_merchant, replace_settings};
use checkout_core::flow::{Failure, identify};
use checkout_core::port::{Users as _, World as _};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::route::Route;
use checkout_core::testing::http::json;
use checkout_core::value::id::{MerchantId, UserId};
use checkout_core::value::network::Network;
use checkout_tests::shop::{DEMO_SETTINGS, json_of};
use pollster::block_on;
use serde_json::{Value, json as value};

use super::provider::{ISSUER, Realm};

const PASSWORD: &str = "correct horse battery";

fn document(own: &Value) -> Value {
    let mut document: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    document.as_object_mut().unwrap().insert("single_sign_on".into(), own.clone());
    document
}

fn own(audience: &str) -> Value {
    value!({"issuer": ISSUER, "audience": audience, "accepts_basic": true, "client_id": "till"})
}

fn merchant(id: &str) -> MerchantId {
    MerchantId::parse(id).unwrap()
}

fn try_add(realm: &Realm, id: &str, own: &Value) -> Result<(), Failure> {
    let body = value!({"merchant_id": id, "settings": document(own)}).to_string();
    block_on(add_merchant(&realm.world, &ROOT, body.as_bytes())).map(drop)
}

fn try_replace(realm: &Realm, id: &str, own: &Value) -> Result<(), Failure> {
    let body = document(own).to_string();
    block_on(replace_settings(&realm.world, &ROOT, &merchant(id), "", body.as_bytes())).map(drop)
}

/// A realm whose provider is that of the merchant `one`.
fn realm() -> Realm {
    let realm = Realm::new();
    try_add(&realm, "one", &own("till")).unwrap();
    realm
}

fn user(realm: &Realm, merchant_id: &str, body: &Value) -> UserId {
    let body = body.to_string();
    let owner = merchant(merchant_id);
    let added = add_user(&realm.world, &owner, Grantor::Operator(&ROOT), body.as_bytes());
    let added = json_of(&block_on(added).unwrap());
    UserId(u32::try_from(added.get("id").and_then(Value::as_u64).unwrap()).unwrap())
}

/// The user whom tokens of the provider name, without a password here.
fn noura(realm: &Realm) -> UserId {
    user(realm, "one", &value!({"username": "Noura", "permissions": ["Can add e-commerce payments"]}))
}

fn called(realm: &Realm, authorization: &str) -> Result<Caller, Failure> {
    let action = Route::CreateTransaction.facts().action;
    let credential = checkout_core::access::header::Credential::offered(action, Some(authorization));
    let principal: Principal = block_on(identify(&realm.world, &credential, action, None))?;
    Ok(principal.into_caller()?)
}

fn bearer(realm: &Realm, token: &str) -> Result<Caller, Failure> {
    called(realm, &format!("Bearer {token}"))
}

fn basic(realm: &Realm, username: &str, password: &str) -> Result<Caller, Failure> {
    use base64::Engine;
    let pair = base64::engine::general_purpose::STANDARD.encode(format!("{username}:{password}"));
    called(realm, &format!("Basic {pair}"))
}

fn is_invalid(called: Result<Caller, Failure>) -> bool {
    called.err() == Some(Rejection::CredentialsInvalid.into())
}

/// The violations of a refusal.
fn wrong(refused: Result<(), Failure>) -> Vec<String> {
    match refused {
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
            found.iter().map(|violation| violation.path.to_string()).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_token_of_the_provider_is_the_user_of_that_name_with_the_permissions_given_here() {
    let realm = realm();
    let id = noura(&realm);
    let found = bearer(&realm, &realm.token(1, "one")).unwrap();
    assert_eq!((found.merchant().as_str(), found.user().map(|user| user.id)), ("one", Some(id)));
}

#[test]
fn a_token_for_a_name_that_the_merchant_does_not_have_is_nobodys() {
    let realm = realm();
    assert!(is_invalid(bearer(&realm, &realm.token(1, "one"))));
    // Names are unique in the installation: another merchant's user of the name is not meant.
    try_add(&realm, "two", &Value::Null).unwrap();
    user(&realm, "two", &value!({"username": "noura", "permissions": ["Can add e-commerce payments"]}));
    assert!(is_invalid(bearer(&realm, &realm.token(1, "one"))));
}

#[test]
fn a_user_who_is_switched_off_here_has_no_use_of_a_token_or_a_password_there() {
    let realm = realm();
    let id = noura(&realm);
    realm.published.borrow_mut().tokens =
        Ok(json(200, &value!({"access_token": realm.token(1, "one")}).to_string()));
    assert!(bearer(&realm, &realm.token(1, "one")).is_ok());
    assert!(basic(&realm, "noura", PASSWORD).is_ok());
    let one = merchant("one");
    let off = change_user(&realm.world, &one, id, Grantor::Operator(&ROOT), br#"{"is_active": false}"#);
    assert!(block_on(off).is_ok());
    assert!(is_invalid(bearer(&realm, &realm.token(1, "one"))));
    assert!(is_invalid(basic(&realm, "noura", PASSWORD)));
}

#[test]
fn a_token_names_its_merchant_by_issuer_and_audience() {
    let realm = realm();
    noura(&realm);
    try_add(&realm, "two", &own("till-two")).unwrap();
    user(&realm, "two", &value!({"username": "omar", "permissions": ["Can add e-commerce payments"]}));
    let of = |audience: Value, name: &str| {
        super::provider::signed(
            1,
            &value!({"alg": "EdDSA", "kid": "one"}),
            &realm.claims(&value!({"aud": audience, "preferred_username": name})),
        )
    };
    assert_eq!(bearer(&realm, &of(value!("till-two"), "omar")).unwrap().merchant().as_str(), "two");
    assert_eq!(bearer(&realm, &of(value!(["account", "till"]), "noura")).unwrap().merchant().as_str(), "one");
    assert!(is_invalid(bearer(&realm, &of(value!("till-two"), "noura"))));
    assert!(is_invalid(bearer(&realm, &of(value!("till-three"), "noura"))));
    assert!(
        is_invalid(bearer(&realm, &of(value!(["till", "till-two"]), "noura"))),
        "it is not clear for whom"
    );
}

#[test]
fn a_provider_has_an_audience_for_one_merchant_only() {
    let realm = realm();
    assert_eq!(wrong(try_add(&realm, "two", &own("till"))), ["settings.single_sign_on.audience"]);
    try_add(&realm, "two", &own("till-two")).unwrap();
    assert_eq!(wrong(try_replace(&realm, "two", &own("till"))), ["single_sign_on.audience"]);
    try_replace(&realm, "one", &own("till")).unwrap();
    try_replace(&realm, "one", &own("till-one")).unwrap();
    try_replace(&realm, "two", &own("till")).unwrap();
}

#[test]
fn a_changed_setting_counts_at_once() {
    let realm = realm();
    noura(&realm);
    assert!(bearer(&realm, &realm.token(1, "one")).is_ok());
    let mut stricter = own("till");
    stricter.as_object_mut().unwrap().insert("algorithms".into(), value!(["RS256"]));
    try_replace(&realm, "one", &stricter).unwrap();
    assert!(is_invalid(bearer(&realm, &realm.token(1, "one"))));
    try_replace(&realm, "one", &Value::Null).unwrap();
    assert!(is_invalid(bearer(&realm, &realm.token(1, "one"))));
}

#[test]
fn a_user_without_a_password_here_signs_in_at_the_provider() {
    let realm = realm();
    let id = noura(&realm);
    realm.published.borrow_mut().tokens =
        Ok(json(200, &value!({"access_token": realm.token(1, "one")}).to_string()));
    let found = basic(&realm, "NOURA", PASSWORD).unwrap();
    assert_eq!(found.user().map(|user| user.id), Some(id));
    // A user with a password here is not asked for there.
    user(
        &realm,
        "one",
        &value!({"username": "omar", "password": PASSWORD, "permissions": ["Can add e-commerce payments"]}),
    );
    let asked = || realm.world.http.take_sent().len();
    let _ = asked();
    assert!(basic(&realm, "omar", PASSWORD).is_ok());
    assert!(is_invalid(basic(&realm, "omar", "a wrong password")));
    assert_eq!(asked(), 0);
}

#[test]
fn a_provider_that_names_another_user_signs_nobody_in() {
    let realm = realm();
    noura(&realm);
    user(&realm, "one", &value!({"username": "omar", "permissions": ["Can add e-commerce payments"]}));
    realm.published.borrow_mut().tokens =
        Ok(json(200, &value!({"access_token": realm.token(1, "one")}).to_string()));
    assert!(is_invalid(basic(&realm, "omar", PASSWORD)));
}

#[test]
fn wrong_passwords_at_the_provider_are_counted_and_a_provider_that_is_away_is_nobodys_fault() {
    let realm = realm();
    noura(&realm);
    realm.published.borrow_mut().tokens = Ok(json(503, "{}"));
    for _ in 0..12 {
        assert!(matches!(basic(&realm, "noura", PASSWORD), Err(Failure::World(_))));
    }
    realm.published.borrow_mut().tokens = Ok(json(400, r#"{"error": "invalid_grant"}"#));
    for _ in 0..30 {
        assert!(is_invalid(basic(&realm, "noura", "a wrong password")));
    }
    let refused = basic(&realm, "noura", PASSWORD).err();
    assert!(
        matches!(
            refused,
            Some(Failure::Refused(RefusedRequest { rejection: Rejection::TooManySignIns { .. }, .. }))
        ),
        "{refused:?}"
    );
}

#[test]
fn a_token_that_says_it_is_ours_is_verified_by_our_secret_only() {
    let realm = realm();
    noura(&realm);
    let url = realm.world.installation().public_url.clone();
    let claims = realm.claims(&value!({"iss": url}));
    let forged =
        super::provider::signed(1, &value!({"alg": "EdDSA", "kid": "one", "typ": "at+jwt"}), &claims);
    assert!(is_invalid(bearer(&realm, &forged)));
    assert_eq!(realm.world.http.take_sent().len(), 0, "nobody is asked");
    let mut ours = own("till");
    ours.as_object_mut().unwrap().insert("issuer".into(), value!(url));
    assert_eq!(wrong(try_replace(&realm, "one", &ours)), ["single_sign_on.issuer"]);
}

fn token_of(realm: &Realm, changes: &Value) -> String {
    super::provider::signed(1, &value!({"alg": "EdDSA", "kid": "one"}), &realm.claims(changes))
}

fn changed(realm: &Realm, id: UserId, body: &Value) -> Value {
    let body = body.to_string();
    let one = merchant("one");
    let shown = change_user(&realm.world, &one, id, Grantor::Operator(&ROOT), body.as_bytes());
    json_of(&block_on(shown).unwrap())
}

#[test]
fn the_first_sign_in_binds_the_user_to_its_subject() {
    let realm = realm();
    let id = noura(&realm);
    let (own, other) = (token_of(&realm, &value!({})), token_of(&realm, &value!({"sub": "8"})));
    assert!(bearer(&realm, &own).is_ok());
    assert!(is_invalid(bearer(&realm, &other)), "another person who took the name");
    realm.published.borrow_mut().tokens = Ok(json(200, &value!({"access_token": other}).to_string()));
    assert!(is_invalid(basic(&realm, "noura", PASSWORD)), "nor by a password");
    assert!(bearer(&realm, &own).is_ok());
    assert_eq!(changed(&realm, id, &value!({"phone": "1"}))["is_bound"], true);
    assert_eq!(changed(&realm, id, &value!({"is_bound": false}))["is_bound"], false);
    assert!(bearer(&realm, &other).is_ok(), "bound again");
    assert!(is_invalid(bearer(&realm, &own)));
}

#[test]
fn another_provider_of_the_merchant_binds_the_user_again() {
    let realm = realm();
    let id = noura(&realm);
    let bind = block_on(realm.world.store.bind_user(id, None, "https://old.example 9"));
    assert_eq!(bind, Ok(true));
    assert!(bearer(&realm, &token_of(&realm, &value!({}))).is_ok());
    assert!(is_invalid(bearer(&realm, &token_of(&realm, &value!({"sub": "9"})))));
}

#[test]
fn a_user_with_a_password_here_is_that_of_a_token_only_if_the_settings_say_so() {
    let realm = realm();
    let omar =
        value!({"username": "omar", "password": PASSWORD, "permissions": ["Can add e-commerce payments"]});
    user(&realm, "one", &omar);
    let token = token_of(&realm, &value!({"preferred_username": "omar"}));
    assert!(is_invalid(bearer(&realm, &token)));
    let mut wider = own("till");
    wider.as_object_mut().unwrap().insert("accepts_users_with_password".into(), value!(true));
    try_replace(&realm, "one", &wider).unwrap();
    assert!(bearer(&realm, &token).is_ok());
    assert!(is_invalid(bearer(
        &realm,
        &token_of(&realm, &value!({"preferred_username": "omar", "sub": "8"}))
    )));
}

#[test]
fn a_provider_is_asked_about_a_name_so_often_from_everywhere_together_and_no_more() {
    let realm = realm();
    noura(&realm);
    let right = Ok(json(200, &value!({"access_token": realm.token(1, "one")}).to_string()));
    let office = Network::of("192.0.2.7");
    realm.world.network.set(office);
    realm.published.borrow_mut().tokens = right.clone();
    assert!(basic(&realm, "noura", PASSWORD).is_ok());
    realm.published.borrow_mut().tokens = Ok(json(400, r#"{"error": "invalid_grant"}"#));
    let mut asked = 0;
    for number in 0..50 {
        realm.world.network.set(Network::of(&format!("203.0.113.{number}")));
        asked += usize::from(is_invalid(basic(&realm, "noura", "a wrong password")));
    }
    assert_eq!(asked, 30);
    realm.published.borrow_mut().tokens = right;
    realm.world.network.set(office);
    assert!(basic(&realm, "noura", PASSWORD).is_ok(), "from where the user signed in of late");
}
