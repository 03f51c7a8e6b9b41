//! Edges of JSON against `vectors/json.json`: every body keeps its meaning or is refused by name, in create,
//! PUT and PATCH, and what is refused is not stored. The same vectors go over HTTP in `worker/json.test.mjs`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use checkout_core::flow::Failure;
use checkout_core::flow::merchant::create::{CreateInput, create};
use checkout_core::flow::merchant::update::{self, Extent, update};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::value::id::SessionId;
use checkout_tests::shop::{Shop, order, session_of};
use pollster::block_on;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The members that come before those of a vector; if a name occurs twice the last one counts.
const BASE: &str = r#""type":"e_commerce","amount":"10.250","currency_code":"KWD","pg_codes":["knet"]"#;

#[derive(Deserialize)]
struct Vector {
    name: String,
    /// Members after those of the base; `⟦text*n⟧` means n times the text.
    members: Option<String>,
    /// The whole body.
    body: Option<String>,
    /// The bytes of the whole body, in hex.
    hex: Option<String>,
    /// `malformed_body`, or none.
    code: Option<String>,
    /// Paths and messages; none if the body is accepted.
    #[serde(default)]
    violations: Vec<(String, String)>,
    /// What the answer shows, as it is written.
    #[serde(default)]
    shows: BTreeMap<String, String>,
}

impl Vector {
    fn bytes(&self) -> Vec<u8> {
        match (&self.members, &self.body, &self.hex) {
            (Some(members), None, None) => format!("{{{BASE},{}}}", expand(members)).into_bytes(),
            (None, Some(body), None) => body.clone().into_bytes(),
            (None, None, Some(bytes)) => hex::decode(bytes).unwrap(),
            _ => panic!("{} has not one body", self.name),
        }
    }
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(include_str!("../vectors/json.json")).unwrap()
}

fn expand(members: &str) -> String {
    let mut parts = members.split('⟦');
    let mut whole = parts.next().unwrap().to_owned();
    for part in parts {
        let (repeated, rest) = part.split_once('⟧').unwrap();
        let (text, count) = repeated.rsplit_once('*').unwrap();
        whole.push_str(&text.repeat(count.parse().unwrap()));
        whole.push_str(rest);
    }
    whole
}

/// The code, the violations, and what is shown.
type Verdict = (Option<String>, Vec<(String, String)>, BTreeMap<String, String>);

fn verdict(vector: &Vector, result: Result<String, Failure>) -> Verdict {
    match result {
        Ok(body) => {
            let shown: BTreeMap<String, &RawValue> = serde_json::from_str(&body).unwrap();
            let raw = |name: &String| shown.get(name).map_or("absent", |raw| raw.get()).to_owned();
            (None, Vec::new(), vector.shows.keys().map(|name| (name.clone(), raw(name))).collect())
        }
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
            let verdict = found.iter().map(|found| (found.path.to_string(), found.rule.to_string()));
            (None, verdict.collect(), BTreeMap::new())
        }
        Err(Failure::Refused(RefusedRequest { rejection, .. })) => {
            (Some(rejection.code().into()), Vec::new(), BTreeMap::new())
        }
        Err(failed @ (Failure::World(_) | Failure::Unwritten)) => panic!("{}: {failed:?}", vector.name),
    }
}

fn expected(vector: &Vector) -> Verdict {
    (vector.code.clone(), vector.violations.clone(), vector.shows.clone())
}

fn create_with(shop: &Shop, body: &[u8]) -> Result<String, Failure> {
    let input = CreateInput { caller: shop.private(), idempotency_key: None, body, file: None, wrong: &[] };
    block_on(create(&shop.world, input)).map(|answer| answer.body)
}

fn update_with(shop: &Shop, id: &SessionId, extent: Extent, body: &[u8]) -> Result<String, Failure> {
    let input = update::UpdateInput {
        caller: shop.private(),
        session_id: id.clone(),
        extent,
        if_match: None,
        body,
        file: None,
        wrong: &[],
    };
    block_on(update(&shop.world, input)).map(|answer| answer.body)
}

#[test]
fn every_body_gets_its_verdict_from_create_and_is_read_alike_by_put_and_patch() {
    let shop = Shop::open(1);
    let mut wrong = Vec::new();
    for vector in vectors() {
        let body = vector.bytes();
        let stored = session_of(&shop.try_create(&order(&["knet"]), None).unwrap());
        let before = shop.transaction(&stored);
        let all = [
            ("create", create_with(&shop, &body)),
            ("put", update_with(&shop, &stored, Extent::Full, &body)),
            ("patch", update_with(&shop, &stored, Extent::Partial, &body)),
        ];
        for (operation, result) in all {
            let is_taken = result.is_ok();
            let found = verdict(&vector, result);
            if found != expected(&vector) {
                wrong.push((vector.name.clone(), operation, found));
            } else if operation != "create" && !is_taken {
                assert_eq!(shop.transaction(&stored), before, "{}", vector.name);
            }
        }
    }
    assert!(wrong.is_empty(), "name, operation, found: {wrong:#?}");
}

#[test]
fn the_vectors_have_names_of_their_own() {
    let names: Vec<String> = vectors().into_iter().map(|vector| vector.name).collect();
    let unique: std::collections::BTreeSet<&String> = names.iter().collect();
    assert_eq!(unique.len(), names.len());
}
