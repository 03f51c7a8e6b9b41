//! Hostile text and broken bodies: whatever is sent is refused by name or means what it says. Nothing panics,
//! and the same bytes always get the same verdict.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use checkout_core::draft::Draft;
use checkout_core::draft::flags::Flags;
use checkout_core::draft::request::DraftRequest;
use checkout_core::draft::writable::writable;
use checkout_core::flow::Failure;
use checkout_core::flow::merchant::create::{CreateInput, create};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::testing::world::World;
use checkout_core::transaction::{Details, Transaction};
use checkout_tests::shop::{Shop, session_of};
use pollster::block_on;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::value::RawValue;
use serde_json::{Value, json};

const FULL: &str = include_str!("../bench/request.json");
const NAUGHTY: &str = include_str!("../vectors/naughty.json");

/// Fields of free text, and the members of objects that are.
const TEXTS: [&str; 21] = [
    "order_no",
    "product_type",
    "vendor_name",
    "customer_id",
    "customer_first_name",
    "customer_last_name",
    "customer_phone",
    "customer_phone_2",
    "billing_address.city",
    "billing_address.line1",
    "billing_address.line2",
    "billing_address.postal_code",
    "billing_address.state",
    "shipping_address.city",
    "shipping_address.first_name",
    "shipping_address.last_name",
    "shipping_address.line1",
    "shipping_address.phone",
    "shipping_address.state",
    "agreement.id",
    "agreement.seller.name",
];

/// Fields whose text has a format: other texts are refused, and a text in that format comes back as it was
/// written.
const FORMED: [&str; 3] = ["customer_email", "shipping_address.email", "email_recipients.0"];

fn pointer(path: &str) -> String {
    format!("/{}", path.replace('.', "/"))
}

/// The whole request with one text in place of another.
fn with(path: &str, text: &str) -> String {
    let mut body: Value = serde_json::from_str(FULL).unwrap();
    *body.pointer_mut(&pointer(path)).unwrap() = json!(text);
    body.to_string()
}

fn send(shop: &Shop, body: &[u8]) -> Result<String, Failure> {
    let input = CreateInput { caller: shop.private(), idempotency_key: None, body, file: None, wrong: &[] };
    block_on(create(&shop.world, input)).map(|answer| answer.body)
}

/// A text in one field is refused naming only this field, or shown as it was sent.
fn check(shop: &Shop, path: &str, text: &str) -> Result<(), TestCaseError> {
    match send(shop, with(path, text).as_bytes()) {
        Ok(body) => {
            let shown: Value = serde_json::from_str(&body).unwrap();
            let is_blank = text.trim().is_empty();
            match shown.pointer(&pointer(path)) {
                Some(found) => prop_assert_eq!(found, &json!(text), "{}", path),
                None => prop_assert!(is_blank, "{} lost {:?}", path, text),
            }
        }
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
            prop_assert!(!found.is_empty());
            for violation in &found {
                // A text that is missing here may be required elsewhere, such as the payer's phone for SMS.
                let depends = violation.path.starts_with("notifications.") && text.trim().is_empty();
                prop_assert!(violation.path == path || depends, "{} for {} {:?}", violation.path, path, text);
            }
        }
        Err(failure) => prop_assert!(false, "{} {:?}: {:?}", path, text, failure),
    }
    Ok(())
}

#[test]
fn naughty_text_in_any_field_is_refused_by_its_name_or_shown_as_it_was_sent() {
    let naughty: BTreeMap<String, String> = serde_json::from_str(NAUGHTY).unwrap();
    let shop = Shop::open(1);
    for text in naughty.values() {
        for path in TEXTS.iter().chain(&FORMED) {
            check(&shop, path, text).unwrap();
        }
    }
}

proptest! {
    #[test]
    fn any_text_in_any_field_is_refused_by_its_name_or_shown_as_it_was_sent(
        path in prop::sample::select(TEXTS.iter().chain(&FORMED).copied().collect::<Vec<_>>()),
        text in prop_oneof![any::<String>(), "\\PC{0,70}", "[a-z@.\\u{202e}\\u{200b}ء-ي]{0,20}"],
    ) {
        check(&Shop::open(1), path, &text)?;
    }

    #[test]
    fn any_key_and_value_of_extra_is_refused_or_passed_on_as_it_was_written(
        key in any::<String>(),
        value in prop_oneof![
            any::<String>().prop_map(|text| json!(text).to_string()),
            "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,9})?([eE][-+]?[0-9]{1,4})?",
            "(\\[ ?){0,20}".prop_map(|open| format!("{open}{}", "]".repeat(open.matches('[').count()))),
        ].prop_filter("a value", |value| !value.is_empty()),
    ) {
        let shop = Shop::open(1);
        let extra = format!("{{{}: {value}}}", json!(key));
        let body = format!(
            r#"{{"type":"e_commerce","amount":"1","currency_code":"KWD","pg_codes":["knet"],"extra":{extra}}}"#
        );
        match send(&shop, body.as_bytes()) {
            Ok(answer) => {
                let shown: BTreeMap<String, &RawValue> = serde_json::from_str(&answer).unwrap();
                prop_assert_eq!(shown.get("extra").unwrap().get(), extra);
            }
            Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
                prop_assert!(found.iter().all(|violation| violation.path.starts_with("extra")), "{found:?}");
            }
            Err(failure) => prop_assert!(false, "{failure:?}"),
        }
    }
}

/// A change of the bytes of a body.
#[derive(Debug, Clone)]
enum Mutation {
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, u8),
    Cut(Index),
    /// A slice of the body is repeated.
    Repeat(Index, u8),
    /// A member of the body is repeated at its end, with another value.
    Again(Index, Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        4 => (any::<Index>(), any::<u8>()).prop_map(|(place, bits)| Mutation::Flip(place, bits)),
        4 => (any::<Index>(), prop::sample::select(&b"{}[]\":,\\u0e-. \n\x00\xff1a"[..]))
            .prop_map(|(place, byte)| Mutation::Insert(place, vec![byte])),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(place, count)| Mutation::Remove(place, count)),
        1 => any::<Index>().prop_map(Mutation::Cut),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(place, count)| Mutation::Repeat(place, count)),
        6 => (any::<Index>(), any::<Index>()).prop_map(|(name, value)| Mutation::Again(name, value)),
    ]
}

fn mutate(body: &mut Vec<u8>, mutation: &Mutation) {
    if body.is_empty() {
        return;
    }
    let range = |place: &Index, count: u8| {
        let start = place.index(body.len());
        start..body.len().min(start.saturating_add(usize::from(count % 40)))
    };
    match mutation {
        Mutation::Flip(place, bits) => {
            let place = place.index(body.len());
            *body.get_mut(place).unwrap() ^= bits;
        }
        Mutation::Insert(place, bytes) => {
            let place = place.index(body.len());
            body.splice(place..place, bytes.iter().copied());
        }
        Mutation::Remove(place, count) => drop(body.drain(range(place, *count))),
        Mutation::Cut(place) => body.truncate(place.index(body.len())),
        Mutation::Repeat(place, count) => {
            let range = range(place, *count);
            let slice = body.get(range.clone()).unwrap().to_vec();
            body.splice(range.start..range.start, slice);
        }
        Mutation::Again(name, value) => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(FULL).unwrap();
            let name = members.keys().nth(name.index(members.len())).unwrap();
            let value = members.values().nth(value.index(members.len())).unwrap();
            if body.iter().rposition(|byte| *byte == b'}').is_some_and(|end| {
                body.truncate(end);
                true
            }) {
                body.extend_from_slice(format!(",{}:{}}}", json!(name), value.get()).as_bytes());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn a_mutated_body_gets_one_verdict_and_what_is_taken_can_be_sent_back(
        mutations in prop::collection::vec(mutation(), 1..4),
    ) {
        let mut body = FULL.as_bytes().to_vec();
        for mutation in &mutations {
            mutate(&mut body, mutation);
        }
        let shop = Shop::open(1);
        let settings = shop.settings();
        let installation = World::new(1).installation;
        let parse = |body: &[u8]| {
            DraftRequest::from_json(body).map(|request| Draft::parse(&request, &installation, &settings))
        };
        let verdict = parse(&body);
        prop_assert_eq!(&verdict, &parse(&body));
        match (send(&shop, &body), verdict) {
            (Ok(answer), Ok(Ok(draft))) => {
                let answer = checkout_core::flow::merchant::create::CreateAnswer { status: 201, body: answer, session_id: None, is_replayed: false, tag: None, deliveries: Vec::new() };
                let transaction = shop.transaction(&session_of(&answer));
                let sent_back = writable(&transaction).unwrap();
                let Transaction { plugin, operation, amount, pg_codes, details, .. } = transaction;
                let expiration = draft.expiration;
                let details = Details { is_amount_editable: false, ..details };
                let again = Draft { plugin, operation, amount, pg_codes, expiration, details, flags: Flags::default() };
                prop_assert_eq!(parse(sent_back.as_bytes()), Ok(Ok(again)));
            }
            (Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(refused), .. })), Ok(Err(found))) => prop_assert_eq!(refused, found),
            (Err(Failure::Refused(refused)), Err(found)) => prop_assert_eq!(refused.rejection, found),
            (sent, parsed) => prop_assert!(false, "{sent:?} and {parsed:?}"),
        }
    }
}
