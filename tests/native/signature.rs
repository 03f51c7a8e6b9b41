//! The `signature` field against its test vectors.
//!
//! The service produces the standard algorithm only. The subscription variant is here, so that the vectors of
//! what receivers also accept stay checked.

#![expect(clippy::unwrap_used, reason = "what the helpers of a test cannot read fails the test")]

use checkout_core::webhook::signature::{SIGNED_FIELDS, hmac_sha256, sign_json, verify};
use serde::Deserialize;
use serde_json::Value;

/// What the subscription variant signs in addition to [`SIGNED_FIELDS`]; a dot names a member of an object.
const SUBSCRIPTION_PATHS: [&str; 8] = [
    "agreement.id",
    "extra.autopay.subscription_id",
    "extra.merchant_id",
    "payment_type",
    "session_id",
    "token.customer_id",
    "token.pg_code",
    "token.token",
];

#[derive(Deserialize)]
struct Vector {
    name: String,
    payload: Value,
    key: String,
    algorithm: Algorithm,
    digest: String,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Algorithm {
    Standard,
    Subscription,
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(include_str!("../vectors/signature.json")).unwrap()
}

fn standard(payload: &Value, key: &str) -> String {
    sign_json(&payload.to_string(), key).unwrap()
}

fn subscription(payload: &Value, key: &str) -> String {
    let mut paths: Vec<&str> = SIGNED_FIELDS.into_iter().chain(SUBSCRIPTION_PATHS).collect();
    paths.sort_unstable();
    let lines: Vec<String> =
        paths.into_iter().filter_map(|path| Some(format!("{path}={}", text_at(payload, path)?))).collect();
    let digest = hmac_sha256(key.as_bytes(), &[lines.join("\n").as_bytes()]);
    digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn text_at<'v>(payload: &'v Value, path: &str) -> Option<&'v str> {
    let found = path.split('.').try_fold(payload, |value, name| value.get(name))?;
    found.as_str().filter(|text| !text.is_empty())
}

#[test]
fn every_vector_gets_its_digest() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 8);
    for vector in vectors {
        let digest = match vector.algorithm {
            Algorithm::Standard => standard(&vector.payload, &vector.key),
            Algorithm::Subscription => subscription(&vector.payload, &vector.key),
        };
        assert_eq!(digest, vector.digest, "{}", vector.name);
    }
}

#[test]
fn nested_fields_do_not_change_the_standard_digest() {
    let vectors = vectors();
    let all_fields = vectors.iter().find(|vector| vector.name == "all 18 signed fields").unwrap();
    let all_paths = vectors.iter().find(|vector| vector.name == "subscription with all 26 paths").unwrap();
    assert_eq!(standard(&all_paths.payload, &all_paths.key), all_fields.digest);
}

#[test]
fn the_signature_in_a_body_does_not_change_its_digest() {
    for mut vector in vectors().into_iter().filter(|vector| vector.algorithm == Algorithm::Standard) {
        vector.payload["signature"] = Value::String(vector.digest.clone());
        assert_eq!(standard(&vector.payload, &vector.key), vector.digest, "{}", vector.name);
        let body = vector.payload.to_string();
        assert!(verify(&body, &vector.key), "{}", vector.name);
    }
}
