//! Signing in by name and password, and what too many wrong ones lead to.

use checkout_core::access::Particular;
use checkout_core::access::operator::ROOT;
use checkout_core::port::{TRY_PERIOD, UserKey, Users};
use checkout_core::route::Route;
use checkout_core::value::id::PgCode;
use checkout_core::value::network::{Network, Origin};
use checkout_core::words::Plugin;
use pollster::block_on;
use serde_json::json;

use super::*;

const CREATE: Route = Route::CreateTransaction;

#[test]
fn a_user_signs_in_by_name_and_password_whatever_the_case_of_the_name() {
    let shop = Shop::open(1);
    let id = added(&shop, &sara(&["Can add e-commerce payments"]));
    for name in ["sara", "Sara", "SARA"] {
        let caller = sign_in(&shop, name, PASSWORD, &CREATE).unwrap();
        assert_eq!((caller.merchant(), caller.user().map(|user| user.id)), (&shop.merchant, Some(id)));
    }
    let wrong = [("sara", "Correct horse battery"), ("sara", ""), ("sarah", PASSWORD), ("sara ", PASSWORD)];
    for (name, password) in wrong {
        let refused = sign_in(&shop, name, password, &CREATE);
        assert_eq!(refused.err(), Some(Rejection::CredentialsInvalid), "{name}:{password}");
    }
}

#[test]
fn the_password_is_stored_as_a_hash_that_differs_for_equal_passwords() {
    let shop = Shop::open(2);
    added(&shop, &sara(&[]));
    added(&shop, &json!({"username": "noura", "password": PASSWORD}));
    let stored =
        |name| block_on(shop.world.store.user(UserKey::Name(name), None)).unwrap().unwrap().password.unwrap();
    let (one, other) = (stored("sara"), stored("noura"));
    assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$") && !one.contains(PASSWORD), "{one}");
    assert_ne!(one, other);
}

#[test]
fn a_user_without_the_permission_is_known_and_refused() {
    let shop = Shop::open(3);
    added(&shop, &sara(&["Can view payment requests"]));
    assert_eq!(sign_in(&shop, "sara", PASSWORD, &CREATE).err(), Some(Rejection::PermissionMissing));
    assert_eq!(sign_in(&shop, "sara", PASSWORD, &Route::ListCards).err(), Some(Rejection::KeyRequired));
    assert!(sign_in(&shop, "sara", PASSWORD, &Route::ListMethods).is_ok());
}

#[test]
fn a_user_who_is_switched_off_or_has_no_password_is_like_none() {
    let shop = Shop::open(4);
    let id = added(&shop, &sara(&["Can add e-commerce payments"]));
    added(&shop, &json!({"username": "provider", "permissions": ["Can add e-commerce payments"]}));
    assert_eq!(sign_in(&shop, "provider", "", &CREATE).err(), Some(Rejection::CredentialsInvalid));
    try_change(&shop, id, Grantor::Operator(&ROOT), &json!({"is_active": false})).unwrap();
    assert_eq!(sign_in(&shop, "sara", PASSWORD, &CREATE).err(), Some(Rejection::CredentialsInvalid));
    try_change(&shop, id, Grantor::Operator(&ROOT), &json!({"is_active": true})).unwrap();
    assert!(sign_in(&shop, "sara", PASSWORD, &CREATE).is_ok());
}

#[test]
fn another_password_takes_the_place_of_the_first() {
    let shop = Shop::open(5);
    let id = added(&shop, &sara(&["Can add e-commerce payments"]));
    let epoch = || block_on(shop.world.store.user(UserKey::Id(id), None)).unwrap().unwrap().epoch;
    let before = epoch();
    try_change(&shop, id, Grantor::Operator(&ROOT), &json!({"phone": "+96512345678"})).unwrap();
    assert_eq!(epoch(), before, "tokens stay");
    try_change(&shop, id, Grantor::Operator(&ROOT), &json!({"password": "another long password"})).unwrap();
    assert_eq!(epoch(), before + 1, "tokens end");
    assert_eq!(sign_in(&shop, "sara", PASSWORD, &CREATE).err(), Some(Rejection::CredentialsInvalid));
    assert!(sign_in(&shop, "sara", "another long password", &CREATE).is_ok());
}

#[test]
fn after_ten_wrong_passwords_nobody_signs_in_with_the_name_for_a_while_whether_it_exists_or_not() {
    for name in ["sara", "nobody"] {
        let shop = Shop::open(6);
        added(&shop, &sara(&["Can add e-commerce payments"]));
        for _ in 0..10 {
            let refused = sign_in(&shop, name, "a wrong password", &CREATE);
            assert_eq!(refused.err(), Some(Rejection::CredentialsInvalid));
        }
        let refused = sign_in(&shop, name, PASSWORD, &CREATE).err().unwrap();
        let Rejection::TooManySignIns { retry_after } = refused else { panic!("{refused:?}") };
        assert!((890..=901).contains(&retry_after), "{retry_after}");
        assert_eq!(refused.retry_after(), Some(retry_after));
        shop.wait(TRY_PERIOD.as_secs());
        assert_eq!(sign_in(&shop, name, PASSWORD, &CREATE).is_ok(), name == "sara");
    }
}

#[test]
fn right_passwords_are_never_too_many() {
    let shop = Shop::open(7);
    added(&shop, &sara(&["Can add e-commerce payments"]));
    for turn in 0..12 {
        assert!(sign_in(&shop, "sara", PASSWORD, &CREATE).is_ok(), "{turn}");
    }
}

#[test]
fn names_tried_from_one_place_are_counted_together() {
    let shop = Shop::open(8);
    shop.world.network.set(Network::of("192.0.2.7"));
    added(&shop, &sara(&["Can add e-commerce payments"]));
    for number in 0..30 {
        let refused = sign_in(&shop, &format!("name{number}"), "a wrong password", &CREATE);
        assert_eq!(refused.err(), Some(Rejection::CredentialsInvalid));
    }
    let refused = sign_in(&shop, "sara", PASSWORD, &CREATE).err();
    assert!(matches!(refused, Some(Rejection::TooManySignIns { .. })), "{refused:?}");
}

#[test]
fn the_addresses_of_one_ipv6_network_are_one_place() {
    let shop = Shop::open(11);
    added(&shop, &sara(&["Can add e-commerce payments"]));
    for number in 0..30 {
        shop.world.network.set(Network::of(&format!("2001:db8:1:2::{number}")));
        let refused = sign_in(&shop, &format!("name{number}"), "a wrong password", &CREATE);
        assert_eq!(refused.err(), Some(Rejection::CredentialsInvalid));
    }
    shop.world.network.set(Network::of("2001:db8:1:2:ffff::1"));
    let refused = sign_in(&shop, "sara", PASSWORD, &CREATE).err();
    assert!(matches!(refused, Some(Rejection::TooManySignIns { .. })), "{refused:?}");
    shop.world.network.set(Network::of("2001:db8:1:3::1"));
    assert!(sign_in(&shop, "sara", PASSWORD, &CREATE).is_ok());
}

#[test]
fn where_the_address_is_not_known_names_are_not_counted_together() {
    let shop = Shop::open(12);
    added(&shop, &sara(&["Can add e-commerce payments"]));
    for number in 0..31 {
        let refused = sign_in(&shop, &format!("name{number}"), "a wrong password", &CREATE);
        assert_eq!(refused.err(), Some(Rejection::CredentialsInvalid));
    }
    assert!(sign_in(&shop, "sara", PASSWORD, &CREATE).is_ok());
}

#[test]
fn what_is_no_name_and_password_is_refused_before_anything_is_looked_up() {
    let shop = Shop::open(9);
    let long = "x".repeat(300);
    for header in [
        "Basic",
        "Basic !!!",
        "Basic c2FyYQ==",
        &basic("sa ra", PASSWORD),
        &basic("sara", &long),
        &basic("", ""),
    ] {
        assert_eq!(
            shop.identify(Some(header), &CREATE).err(),
            Some(Rejection::CredentialsInvalid),
            "{header}"
        );
    }
}

#[test]
fn a_user_who_may_create_payments_charges_saved_cards_at_the_gateways_of_the_user() {
    let shop = Shop::open(10);
    for (gateway, is_allowed) in [("Can use mpgs", true), ("Can use knet", false)] {
        let name = gateway.replace("Can use ", "");
        added(
            &shop,
            &json!({"username": name, "password": PASSWORD, "permissions": ["Can add e-commerce payments", gateway]}),
        );
        let caller = sign_in(&shop, &name, PASSWORD, &Route::AutoDebit).unwrap();
        let mpgs = PgCode::parse("mpgs").unwrap();
        let may = caller.may(Particular::Pay(Plugin::ECommerce, &mpgs));
        assert_eq!(may.is_ok(), is_allowed, "{gateway}");
    }
}

fn wrong_from(shop: &Shop, networks: impl Iterator<Item = Option<Network>>, name: &str) -> Vec<Rejection> {
    let guess = |network| {
        shop.world.network.set(network);
        sign_in(shop, name, "a wrong password", &CREATE).err().unwrap()
    };
    networks.map(guess).collect()
}

fn is_too_many(rejection: Option<&Rejection>) -> bool {
    matches!(rejection, Some(Rejection::TooManySignIns { .. }))
}

#[test]
fn wrong_passwords_from_elsewhere_do_not_lock_a_user_out_of_their_own_network() {
    let shop = Shop::open(13);
    added(&shop, &sara(&["Can add e-commerce payments"]));
    let (office, home) = (Network::of("192.0.2.7"), Network::of("2001:db8:1:2::7"));
    for own in [office, home] {
        shop.world.network.set(own);
        assert!(sign_in(&shop, "sara", PASSWORD, &CREATE).is_ok());
    }
    // A stranger guesses again and again, from as many networks as it takes.
    for period in 0..3 {
        let strangers = (0..110).map(|number| Network::of(&format!("203.0.113.{}", number / 10)));
        let answers = wrong_from(&shop, strangers, "sara");
        assert!(is_too_many(answers.last()), "{period}: the name had all its tries");
        for own in [office, home] {
            shop.world.network.set(own);
            assert!(sign_in(&shop, "Sara", PASSWORD, &CREATE).is_ok(), "{period}");
        }
        shop.world.network.set(Network::of("198.51.100.1"));
        assert!(is_too_many(sign_in(&shop, "sara", PASSWORD, &CREATE).err().as_ref()), "{period}");
        shop.wait(TRY_PERIOD.as_secs());
    }
}

#[test]
fn neighbours_in_a_network_do_not_lock_a_user_out_of_it_and_guesses_there_have_an_end() {
    let shop = Shop::open(14);
    added(&shop, &sara(&["Can add e-commerce payments"]));
    added(&shop, &json!({"username": "noura", "password": PASSWORD, "permissions": []}));
    let office = Network::of("192.0.2.7");
    shop.world.network.set(office);
    assert!(sign_in(&shop, "sara", PASSWORD, &CREATE).is_ok());
    for number in 0..31 {
        let _ = sign_in(&shop, &format!("name{number}"), "a wrong password", &CREATE);
    }
    assert!(
        is_too_many(sign_in(&shop, "noura", PASSWORD, &CREATE).err().as_ref()),
        "never from there before"
    );
    assert!(sign_in(&shop, "sara", PASSWORD, &CREATE).is_ok());
    let answers = wrong_from(&shop, core::iter::repeat_n(office, 120), "sara");
    let looked_at = answers.iter().filter(|answer| **answer == Rejection::CredentialsInvalid).count();
    assert!((100..=110).contains(&looked_at), "{looked_at} guesses from there were looked at");
}

#[test]
fn a_place_is_deleted_when_nobody_signed_in_from_there_for_long() {
    let shop = Shop::open(15);
    added(&shop, &sara(&["Can add e-commerce payments"]));
    let office = Network::of("192.0.2.7");
    shop.world.network.set(office);
    assert!(sign_in(&shop, "sara", PASSWORD, &CREATE).is_ok());
    shop.wait(31 * 86_400);
    let strangers = (0..110).map(|number| Network::of(&format!("203.0.113.{}", number / 10)));
    wrong_from(&shop, strangers, "sara");
    shop.world.network.set(office);
    assert!(is_too_many(sign_in(&shop, "sara", PASSWORD, &CREATE).err().as_ref()));
}

#[test]
fn workers_of_others_are_limited_by_their_zone() {
    let shop = Shop::open(16);
    added(&shop, &sara(&["Can add e-commerce payments"]));
    let of = |zone| {
        let origin = Origin { address: Some("2a06:98c0:3600::103"), zone };
        Network::of_caller(origin, true)
    };
    for zone in [Some("stranger.example"), None] {
        let answers = wrong_from(&shop, core::iter::repeat_n(of(zone), 24), "sara");
        let looked_at = answers.iter().filter(|answer| **answer == Rejection::CredentialsInvalid).count();
        assert_eq!(looked_at, 10, "{zone:?}");
        shop.world.network.set(of(Some("shop.example")));
        assert!(sign_in(&shop, "sara", PASSWORD, &CREATE).is_ok(), "another zone signs in");
    }
    let names = (0..40).map(|number| format!("name{number}"));
    shop.world.network.set(of(Some("other.example")));
    let answers: Vec<_> = names.map(|name| sign_in(&shop, &name, PASSWORD, &CREATE).err()).collect();
    assert!(is_too_many(answers.last().unwrap().as_ref()), "limits of one network whatever the name");
}
