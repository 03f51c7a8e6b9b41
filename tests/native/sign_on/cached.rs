//! The keys of a provider: fetched when they are needed, cached, rotated, and used while the provider is away.

use checkout_core::access::fault::TokenFault;
use checkout_core::flow::Failure;
use checkout_core::flow::caller::sign_on::Refused;
use checkout_core::port::PortError;
use checkout_core::rejection::Rejection;
use checkout_core::testing::http::{HttpResult, empty, json};
use checkout_core::value::web_address::Reach;
use serde_json::{Value, json as value};

use super::provider::{DISCOVERY, KEYS, Realm, description, jwk, set, signed};

#[test]
fn a_token_of_the_provider_says_who_the_user_is() {
    let realm = Realm::new();
    let claims = realm.judge(&realm.token(1, "one")).unwrap();
    assert_eq!((claims.subject.as_str(), claims.username.as_str()), ("7", "noura"));
    assert_eq!(claims.expires_at.seconds(), realm.now() + 300);
    assert_eq!(realm.asked(), [DISCOVERY, KEYS]);
}

#[test]
fn a_merchant_without_single_sign_on_accepts_no_token() {
    let mut realm = Realm::new();
    let token = realm.token(1, "one");
    realm.settings.single_sign_on = None;
    assert_eq!(realm.fault(&token), Some(TokenFault::NotConfigured));
    assert_eq!(realm.asked(), [""; 0]);
}

#[test]
fn keys_are_fetched_once_in_ten_minutes() {
    let realm = Realm::new();
    for _ in 0..5 {
        assert_eq!(realm.fault(&realm.token(1, "one")), None);
    }
    assert_eq!(realm.asked(), [DISCOVERY, KEYS]);
    realm.pass(599);
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    assert_eq!(realm.asked(), [""; 0]);
    realm.pass(1);
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    assert_eq!(realm.asked(), [DISCOVERY, KEYS]);
}

#[test]
fn the_last_keys_are_used_for_a_day_while_the_provider_is_away() {
    let realm = Realm::new();
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    realm.asked();
    realm.go_away();
    for seconds in [600, 3_600, 80_000] {
        realm.pass(seconds);
        for _ in 0..3 {
            assert_eq!(realm.fault(&realm.token(1, "one")), None);
        }
        // It is asked once, and not by each token that comes.
        assert_eq!(realm.asked(), [DISCOVERY]);
    }
    realm.pass(24 * 3_600 - 600 - 3_600 - 80_000 - 1);
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    realm.pass(1);
    assert!(realm.is_away(&realm.token(1, "one")));
}

#[test]
fn a_provider_that_was_never_asked_and_is_away_makes_the_token_unknown_and_not_wrong() {
    let realm = Realm::new();
    realm.go_away();
    let refused = realm.judge(&realm.token(1, "one")).unwrap_err();
    assert!(matches!(Failure::from(refused), Failure::World(_)));
    assert_eq!(realm.asked(), [DISCOVERY]);
    // It is not asked again by each token that comes.
    for _ in 0..5 {
        assert!(realm.is_away(&realm.token(1, "one")));
    }
    realm.pass(9);
    assert!(realm.is_away(&realm.token(1, "one")));
    assert_eq!(realm.asked(), [""; 0]);
    realm.pass(1);
    realm.published.borrow_mut().description = Ok(json(200, &description().to_string()));
    realm.publish(set(&[jwk(1, "one")]));
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
}

#[test]
fn a_new_key_is_found_when_a_token_names_it_and_a_removed_one_is_no_longer_accepted() {
    let realm = Realm::new();
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    realm.pass(61);
    realm.publish(set(&[jwk(2, "two")]));
    // Nobody has asked yet: the old key is still cached.
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    assert_eq!(realm.fault(&realm.token(2, "two")), None);
    assert_eq!(realm.fault(&realm.token(1, "one")), Some(TokenFault::UnknownKey));
    assert_eq!(realm.fault(&realm.token(2, "two")), None);
}

#[test]
fn a_removed_key_is_accepted_for_ten_minutes_at_most() {
    let realm = Realm::new();
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    realm.publish(set(&[]));
    realm.pass(599);
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    realm.pass(1);
    assert_eq!(realm.fault(&realm.token(1, "one")), Some(TokenFault::UnknownKey));
}

#[test]
fn however_many_unknown_keys_are_named_the_provider_is_asked_once_a_minute() {
    let realm = Realm::new();
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    realm.pass(60);
    realm.asked();
    let mut asked = 0;
    for second in 0..120 {
        for number in 0..3 {
            let unknown = realm.token(1, &format!("{second}-{number}"));
            assert_eq!(realm.fault(&unknown), Some(TokenFault::UnknownKey));
        }
        assert_eq!(realm.fault(&realm.token(1, "one")), None);
        asked += realm.asked().iter().filter(|url| *url == DISCOVERY).count();
        realm.pass(1);
    }
    assert_eq!(asked, 2);
}

#[test]
fn an_unknown_key_is_refused_while_the_provider_is_away_and_known_ones_are_not() {
    let realm = Realm::new();
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    realm.pass(60);
    realm.go_away();
    assert_eq!(realm.fault(&realm.token(2, "two")), Some(TokenFault::UnknownKey));
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
}

#[test]
fn what_a_token_claims_is_checked_before_anything_is_asked_or_verified() {
    let realm = Realm::new();
    let header = value!({"alg": "EdDSA", "kid": "one"});
    let now = realm.now();
    for (changes, fault) in [
        (value!({"iss": "https://id.example.com/realms/other"}), TokenFault::Issuer),
        (value!({"aud": "other"}), TokenFault::Audience),
        (value!({"exp": now - 60, "iat": now - 600}), TokenFault::Expired),
        (value!({"nbf": now + 61}), TokenFault::NotYet),
        (value!({"exp": now + 86_401}), TokenFault::Life),
        (value!({"nonce": "n"}), TokenFault::Purpose),
        (value!({"preferred_username": "a b"}), TokenFault::Username),
    ] {
        assert_eq!(realm.fault(&signed(1, &header, &realm.claims(&changes))), Some(fault), "{changes}");
    }
    for alg in ["none", "HS256", "RS512", "Ed25519"] {
        let token = signed(1, &value!({"alg": alg, "kid": "one"}), &realm.claims(&value!({})));
        assert_eq!(realm.fault(&token), Some(TokenFault::Algorithm), "{alg}");
    }
    assert_eq!((realm.asked(), realm.world.signatures.asked()), (Vec::new(), 0));
}

#[test]
fn only_the_algorithms_of_the_settings_are_accepted() {
    let realm = Realm::with(&value!({"algorithms": ["RS256", "ES256"]}));
    assert_eq!(realm.fault(&realm.token(1, "one")), Some(TokenFault::Algorithm));
    let realm = Realm::with(&value!({"algorithms": ["EdDSA"], "max_life_seconds": 299}));
    assert_eq!(realm.fault(&realm.token(1, "one")), Some(TokenFault::Life));
    let realm = Realm::with(&value!({"username_claim": "sub", "max_life_seconds": 300}));
    assert_eq!(realm.judge(&realm.token(1, "one")).unwrap().username, "7");
}

#[test]
fn a_signature_of_another_key_or_of_another_length_is_refused() {
    let realm = Realm::new();
    assert_eq!(realm.fault(&realm.token(2, "one")), Some(TokenFault::Signature));
    let token = realm.token(1, "one");
    let asked = realm.world.signatures.asked();
    let (input, _) = token.rsplit_once('.').unwrap();
    for signature in ["AA", "AAAA", &"A".repeat(84), &"A".repeat(88), &"A".repeat(4_000)] {
        assert_eq!(realm.fault(&format!("{input}.{signature}")), Some(TokenFault::Signature), "{signature}");
    }
    assert_eq!(realm.world.signatures.asked(), asked, "the platform is not asked about them");
    assert_eq!(realm.fault(&format!("{input}.{}", "A".repeat(86))), Some(TokenFault::Signature));
}

#[test]
fn a_provider_that_describes_itself_wrongly_is_as_one_that_is_away() {
    let describe = |changes: Value| -> HttpResult {
        let mut all = description();
        all.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        Ok(json(200, &all.to_string()))
    };
    for (why, answer) in [
        ("another issuer", describe(value!({"issuer": "https://id.example.com/realms/other"}))),
        ("the issuer with a slash", describe(value!({"issuer": "https://id.example.com/realms/shop/"}))),
        ("no issuer", describe(value!({"issuer": null}))),
        ("no keys", describe(value!({"jwks_uri": null}))),
        ("keys without encryption", describe(value!({"jwks_uri": "http://keys.example.com/shop.json"}))),
        ("keys on this machine", describe(value!({"jwks_uri": "https://127.0.0.1/keys"}))),
        ("keys in the network", describe(value!({"jwks_uri": "https://10.0.0.1/keys"}))),
        ("keys at a private name", describe(value!({"jwks_uri": "https://keys.internal/keys"}))),
        ("keys of ours", describe(value!({"jwks_uri": "https://pay.example.com/.well-known/jwks.json"}))),
        ("keys in a file", describe(value!({"jwks_uri": "file:///etc/passwd"}))),
        ("no JSON", Ok(json(200, "<html>"))),
        ("a list", Ok(json(200, "[]"))),
        ("an error", Ok(json(500, &description().to_string()))),
        ("a redirect", Ok(empty(302))),
        ("nothing", Ok(empty(200))),
    ] {
        let realm = Realm::new();
        realm.published.borrow_mut().description = answer;
        assert!(realm.is_away(&realm.token(1, "one")), "{why}");
        assert_eq!(realm.asked(), [DISCOVERY], "{why}");
    }
    let many: Vec<Value> = (0..33).map(|number| jwk(1, &number.to_string())).collect();
    for (why, answer) in [
        ("no JSON", Ok(json(200, "<html>"))),
        ("no list", Ok(json(200, r#"{"keys":{}}"#))),
        ("too many", set(&many)),
        ("too large", Ok(json(200, &format!(r#"{{"keys":[]{}}}"#, " ".repeat(65_537 - 11))))),
        ("an error", Ok(json(404, r#"{"keys":[]}"#))),
    ] {
        let realm = Realm::new();
        realm.publish(answer);
        assert!(realm.is_away(&realm.token(1, "one")), "{why}");
    }
}

#[test]
fn a_provider_that_is_encrypted_has_its_keys_encrypted_even_in_development() {
    let mut realm = Realm::new();
    realm.world.installation.reach = Reach::Development;
    let mut all = description();
    all.as_object_mut().unwrap().insert("jwks_uri".into(), "http://127.0.0.1:8080/keys".into());
    realm.published.borrow_mut().description = Ok(json(200, &all.to_string()));
    assert!(realm.is_away(&realm.token(1, "one")));
    assert_eq!(realm.asked(), [DISCOVERY]);
}

#[test]
fn a_token_with_any_other_letter_is_refused() {
    let realm = Realm::new();
    let token = realm.token(1, "one");
    assert_eq!(realm.fault(&token), None);
    for (place, letter) in token.char_indices() {
        let other = if letter == 'A' { 'B' } else { 'A' };
        let changed: String =
            token.char_indices().map(|(at, known)| if at == place { other } else { known }).collect();
        assert!(realm.fault(&changed).is_some(), "{place}: {changed}");
    }
}

#[test]
fn keys_that_can_no_longer_be_read_do_not_replace_the_last_ones() {
    let realm = Realm::new();
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    realm.pass(600);
    realm.publish(Ok(json(200, "<html>")));
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
}

#[test]
fn a_lost_cache_is_filled_again_and_a_broken_one_makes_the_token_unknown() {
    let realm = Realm::new();
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    realm.asked();
    realm.world.cache.empty();
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    assert_eq!(realm.asked(), [DISCOVERY, KEYS]);
    realm.world.cache.be_broken(true);
    assert!(realm.is_away(&realm.token(1, "one")));
}

#[test]
fn what_is_cached_is_public_and_lives_for_a_day() {
    let realm = Realm::new();
    assert_eq!(realm.fault(&realm.token(1, "one")), None);
    let all = realm.world.cache.all();
    let [(name, text, life)] = all.as_slice() else { panic!("{all:?}") };
    assert!(name.starts_with("sign-on/") && name.len() < 512, "{name}");
    assert_eq!(life.as_secs(), 86_400);
    assert!(text.contains("Ed25519") && !text.contains("noura"), "{text}");
}

#[test]
fn why_a_token_is_refused_is_never_answered() {
    let failure = Failure::from(Refused::Fault(TokenFault::Signature));
    assert_eq!(failure, Rejection::CredentialsInvalid.into());
    let error = PortError { port: "single sign-on", detail: "away".into() };
    assert_eq!(Failure::from(Refused::World(error.clone())), Failure::World(error));
}
