//! What the schema of each request accepts, its reader takes, and what the reader takes, the schema accepts.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::indexing_slicing, reason = "a member that is missing fails the test")]

use std::collections::BTreeSet;
use std::fs;

use checkout_core::rejection::Rejection;
use checkout_core::value::money::AMOUNT_PATTERN;
use checkout_description::{Reader, Sources, visit_readers};
use checkout_tests::shop::DEMO_SETTINGS;
use regex::Regex;
use serde_json::{Value, json};

use crate::description::file;

/// What a schema says of a value; `None` if only the reader can know, as whether a date exists.
fn accepts(schema: &Value, value: &Value) -> Option<bool> {
    let has_kind = |kind: &str| match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    };
    let kinds = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        Some(kind) => Vec::from([kind.as_str().unwrap()]),
        None => Vec::new(),
    };
    if !kinds.is_empty() && !kinds.into_iter().any(has_kind) {
        return Some(false);
    }
    if schema.get("enum").is_some_and(|words| !words.as_array().unwrap().contains(value)) {
        return Some(false);
    }
    if let Some(any) = schema.get("anyOf").or_else(|| schema.get("oneOf")) {
        let all: Vec<_> = any.as_array().unwrap().iter().map(|one| accepts(one, value)).collect();
        let is_some = all.contains(&Some(true));
        return if is_some { Some(true) } else { all.contains(&None).then_some(None).unwrap_or(Some(false)) };
    }
    let limit =
        |name: &str| schema.get(name).and_then(Value::as_u64).map(|limit| usize::try_from(limit).unwrap());
    let fits = |size: usize, least: &str, most: &str| {
        limit(least).is_none_or(|least| size >= least) && limit(most).is_none_or(|most| size <= most)
    };
    match value {
        Value::String(text) => {
            let matches = schema
                .get("pattern")
                .is_none_or(|pattern| Regex::new(pattern.as_str().unwrap()).unwrap().is_match(text));
            if !matches || !fits(text.chars().count(), "minLength", "maxLength") {
                return Some(false);
            }
            if schema.get("format").is_some() { None } else { Some(true) }
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
            let is_within = bound("minimum").is_none_or(|least| number >= least)
                && bound("maximum").is_none_or(|most| number <= most);
            Some(is_within)
        }
        Value::Array(items) => {
            if !fits(items.len(), "minItems", "maxItems") {
                return Some(false);
            }
            let nothing = json!({});
            let of_items = schema.get("items").unwrap_or(&nothing);
            all_of(items.iter().map(|item| accepts(of_items, item)))
        }
        Value::Object(members) => {
            let required = schema.get("required").and_then(Value::as_array);
            if required
                .is_some_and(|names| names.iter().any(|name| !members.contains_key(name.as_str().unwrap())))
            {
                return Some(false);
            }
            let known = schema.get("properties");
            let is_closed = schema.get("additionalProperties") == Some(&json!(false));
            all_of(members.iter().map(|(name, member)| match known.and_then(|known| known.get(name)) {
                Some(schema) => accepts(schema, member),
                None => Some(!is_closed),
            }))
        }
        Value::Null | Value::Bool(_) => Some(true),
    }
}

fn all_of(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let all: Vec<_> = all.collect();
    if all.contains(&Some(false)) {
        Some(false)
    } else if all.contains(&None) {
        None
    } else {
        Some(true)
    }
}

/// Values at the edges of what a schema says, and values that other schemas accept.
fn candidates(schema: &Value) -> Vec<Value> {
    let mut found = vec![
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(1.5),
        json!(1_000_000_000_000_i64),
        json!("x"),
        json!("é"),
        json!("a\nb"),
        json!("a\u{0}b"),
        json!("x y"),
        json!([{}]),
        json!(["x"]),
        json!([1]),
        json!([[]]),
        json!({"more": 1}),
        json!("x".repeat(100_000)),
        json!(vec!["x"; 2_000]),
        json!("https://shop.example.com/a"),
        json!("KWD"),
        json!("KW"),
        json!("kw"),
        json!("1.5"),
        json!("-1"),
    ];
    let limit =
        |name: &str| schema.get(name).and_then(Value::as_u64).map(|limit| usize::try_from(limit).unwrap());
    let length = |characters: usize| json!("x".repeat(characters));
    for name in ["minLength", "maxLength"] {
        for characters in
            limit(name).into_iter().flat_map(|limit| [limit.saturating_sub(1), limit, limit + 1])
        {
            found.push(length(characters));
            found.push(json!("1".repeat(characters)));
            found.push(json!("é".repeat(characters)));
        }
    }
    for name in ["minimum", "maximum"] {
        for number in schema
            .get(name)
            .and_then(Value::as_i64)
            .into_iter()
            .flat_map(|limit| [limit - 1, limit, limit + 1])
        {
            found.push(json!(number));
        }
    }
    for word in schema.get("enum").and_then(Value::as_array).into_iter().flatten() {
        found.push(word.clone());
        found.extend(word.as_str().map(|word| json!(word.to_uppercase())));
        found.extend(word.as_str().map(|word| json!(format!("{word} "))));
    }
    if let Some(items) = schema.get("items") {
        let of_items = candidates(items);
        for most in limit("maxItems").into_iter().flat_map(|limit| [limit, limit + 1]) {
            let one = of_items.iter().find(|item| accepts(items, item) == Some(true));
            found.extend(one.map(|one| json!(vec![one; most])));
        }
        found.extend(of_items.into_iter().map(|item| json!([item])));
    }
    found
}

/// What requests may also write, as the description says in words.
fn is_tolerated(schema: &Value, value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Number(_) => schema.get("pattern").is_some_and(|pattern| pattern == AMOUNT_PATTERN),
        _ => false,
    }
}

/// The schemas of the members with their paths, inner ones after a dot.
fn members(schema: &Value, outer: &str, found: &mut Vec<(String, Value)>) {
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let path = format!("{outer}{name}");
        found.push((path.clone(), member.clone()));
        members(member, &format!("{path}."), found);
    }
}

/// What only the reader knows, because it depends on the settings of a merchant, on a file, or on another member.
const OF_THE_READER: &[&str] = &[
    // The gateways, the units and the users that a merchant has.
    "pg_code",
    "pg_codes",
    "unit_code",
    "initiator_id",
    // A document of its own.
    "settings",
    // A part of a form with a file; the address of a file that was uploaded.
    "attachment",
    "attachment_upload_url",
];

/// Values that the schema accepts and that are too much for something else: digits for the currency, characters for a gateway,
/// bytes for a password.
fn is_too_much(path: &str, value: &Value) -> bool {
    let most = match path {
        "amount" | "agreement.max_amount_per_cycle" => 15,
        "order_no" => 40,
        "password" => 256,
        _ => return false,
    };
    value.as_str().is_some_and(|text| text.len() > most)
}

/// Where a body is wrong; `None` if it is refused for something else.
fn wrong_paths(body: &Value, read: &Reader<'_>) -> Option<BTreeSet<String>> {
    match read(body.to_string().as_bytes()) {
        Ok(()) => Some(BTreeSet::new()),
        Err(Rejection::Invalid(found)) => Some(found.iter().map(|wrong| wrong.path.to_string()).collect()),
        Err(_) => None,
    }
}

/// Whether a reader finds nothing wrong with each of the values of a member; nothing if no body lets it look at the member.
fn judged(bodies: &[Value], path: &str, values: &[Value], read: &Reader<'_>) -> Vec<Option<bool>> {
    let of_body = |body: &Value| {
        let before = wrong_paths(body, read)?;
        let judged: Vec<_> =
            values.iter().map(|value| is_right((body, &before), path, value, read)).collect();
        (judged.contains(&Some(false)) && judged.contains(&Some(true))).then_some(judged)
    };
    let of_bodies: Vec<_> = bodies.iter().filter_map(of_body).collect();
    let of_value = |place: usize| {
        let all: Vec<bool> = of_bodies.iter().filter_map(|judged| judged[place]).collect();
        (!all.is_empty()).then(|| all.contains(&true))
    };
    (0..values.len()).map(of_value).collect()
}

/// Whether a reader finds nothing wrong with the value of a member in a body that is wrong in these places `before`.
fn is_right(
    (body, before): (&Value, &BTreeSet<String>),
    path: &str,
    value: &Value,
    read: &Reader<'_>,
) -> Option<bool> {
    let mut body = body.clone();
    let mut slot = &mut body;
    for name in path.split('.') {
        slot = slot.as_object_mut()?.entry(name).or_insert(Value::Null);
    }
    *slot = value.clone();
    let is_within =
        |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
    let is_about = |wrong: &String| {
        wrong == path || is_within(wrong, path) || (is_within(path, wrong) && !before.contains(wrong))
    };
    Some(!wrong_paths(&body, read)?.iter().any(is_about))
}

#[test]
fn a_schema_accepts_what_its_reader_takes_and_nothing_else() {
    let served = fs::read_to_string(file("www/openapi.json")).unwrap();
    let document: Value = serde_json::from_str(&served).unwrap();
    let schemas = &document["components"]["schemas"];
    let calls = fs::read_to_string(file("tests/vectors/calls.json")).unwrap();
    let sources = Sources { settings: DEMO_SETTINGS, calls: &calls, webhooks: &[] };
    let (mut tried, mut wrong) = (0, BTreeSet::new());
    visit_readers(sources, &mut |name, bodies, read| {
        let operations = document["paths"].as_object().unwrap().values();
        let mut operations = operations.flat_map(|item| item.as_object().unwrap().values());
        let operation = operations.find(|one| one["operationId"] == name).unwrap();
        let body = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let schema = &schemas[body.as_str().unwrap().rsplit('/').next().unwrap()];
        let mut all = Vec::new();
        members(schema, "", &mut all);
        let more = if schema.get("additionalProperties") == Some(&json!(false)) {
            json!({ "enum": [] })
        } else {
            json!({})
        };
        all.push(("no_such_member".to_owned(), more));
        all.retain(|(path, _)| !OF_THE_READER.contains(&path.as_str()));
        for (path, schema) in all {
            let mut values = candidates(&schema);
            values.retain(|value| !is_too_much(&path, value) && !is_tolerated(&schema, value));
            for (value, is_taken) in values.iter().zip(judged(bodies, &path, &values, read)) {
                let (Some(is_accepted), Some(is_taken)) = (accepts(&schema, value), is_taken) else {
                    continue;
                };
                tried += 1;
                if is_accepted != is_taken {
                    let text: String = value.to_string().chars().take(40).collect();
                    let who = if is_taken { "only the reader takes" } else { "only the schema accepts" };
                    wrong.insert(format!("{name} {path}: {who} {text}"));
                }
            }
        }
    })
    .unwrap();
    assert!(tried > 9_000, "{tried}");
    assert_eq!(wrong.into_iter().collect::<Vec<_>>(), Vec::<String>::new());
}
