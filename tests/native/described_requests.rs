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
use serde_json::{Map, Number, Value, json};

use crate::description::file;

/// A schema that a value is held against.
#[derive(Clone, Copy)]
struct Schema<'a>(&'a Value);

impl<'a> Schema<'a> {
    /// What it says of a value; `None` if only the reader can know, as whether a date exists.
    fn accepts(self, value: &Value) -> Option<bool> {
        if !self.has_kind(value) || self.list("enum").is_some_and(|words| !words.contains(value)) {
            return Some(false);
        }
        if let Some(choices) = self.list("anyOf").or_else(|| self.list("oneOf")) {
            let all: Vec<_> = choices.iter().map(|one| Schema(one).accepts(value)).collect();
            return if all.contains(&Some(true)) || !all.contains(&None) {
                Some(all.contains(&Some(true)))
            } else {
                None
            };
        }
        match value {
            Value::String(text) => self.accepts_text(text),
            Value::Number(number) => Some(self.is_within(number)),
            Value::Array(items) => {
                let nothing = json!({});
                let of_items = Schema(self.0.get("items").unwrap_or(&nothing));
                let all = items.iter().map(|item| of_items.accepts(item));
                if self.fits(items.len(), "minItems", "maxItems") { all_of(all) } else { Some(false) }
            }
            Value::Object(members) => self.accepts_object(members),
            Value::Null | Value::Bool(_) => Some(true),
        }
    }

    fn list(self, name: &str) -> Option<&'a Vec<Value>> {
        self.0.get(name).and_then(Value::as_array)
    }

    fn limit(self, name: &str) -> Option<usize> {
        self.0.get(name).and_then(Value::as_u64).map(|limit| usize::try_from(limit).unwrap())
    }

    fn fits(self, size: usize, least: &str, most: &str) -> bool {
        self.limit(least).is_none_or(|least| size >= least)
            && self.limit(most).is_none_or(|most| size <= most)
    }

    /// Fractions have no limits in any schema.
    fn is_within(self, number: &Number) -> bool {
        let bound = |name: &str| self.0.get(name).and_then(Value::as_i64);
        number.as_i64().is_none_or(|number| {
            bound("minimum").is_none_or(|least| number >= least)
                && bound("maximum").is_none_or(|most| number <= most)
        })
    }

    fn has_kind(self, value: &Value) -> bool {
        let is = |kind: &Value| match kind.as_str().unwrap() {
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => value.is_null(),
        };
        match self.0.get("type") {
            Some(Value::Array(kinds)) => kinds.iter().any(is),
            Some(kind) => is(kind),
            None => true,
        }
    }

    fn accepts_text(self, text: &str) -> Option<bool> {
        let pattern = self.0.get("pattern").map(|pattern| Regex::new(pattern.as_str().unwrap()).unwrap());
        let is_right = pattern.is_none_or(|pattern| pattern.is_match(text))
            && self.fits(text.chars().count(), "minLength", "maxLength");
        if is_right && self.0.get("format").is_some() { None } else { Some(is_right) }
    }

    fn accepts_object(self, members: &Map<String, Value>) -> Option<bool> {
        let required = self.list("required");
        if required
            .is_some_and(|names| names.iter().any(|name| !members.contains_key(name.as_str().unwrap())))
        {
            return Some(false);
        }
        let known = self.0.get("properties");
        let is_open = self.0.get("additionalProperties") != Some(&json!(false));
        all_of(members.iter().map(|(name, member)| match known.and_then(|known| known.get(name)) {
            Some(schema) => Schema(schema).accepts(member),
            None => Some(is_open),
        }))
    }

    /// Values at its edges, and values that other schemas accept.
    fn candidates(self) -> Vec<Value> {
        let mut found = anything();
        for size in
            ["minLength", "maxLength"].into_iter().filter_map(|name| self.limit(name)).flat_map(around)
        {
            found.extend(["x", "1", "é"].map(|letter| json!(letter.repeat(size))));
        }
        for name in ["minimum", "maximum"] {
            let numbers = self.0.get(name).and_then(Value::as_i64).into_iter();
            found.extend(numbers.flat_map(|limit| [-1, 0, 1].map(|step| json!(limit.saturating_add(step)))));
        }
        for word in self.list("enum").into_iter().flatten() {
            found.push(word.clone());
            let others = word.as_str().map(|word| [json!(word.to_uppercase()), json!(format!("{word} "))]);
            found.extend(others.into_iter().flatten());
        }
        if let Some(items) = self.0.get("items") {
            let of_items = Schema(items).candidates();
            let one = of_items.iter().find(|item| Schema(items).accepts(item) == Some(true));
            for most in self.limit("maxItems").into_iter().flat_map(around) {
                found.extend(one.map(|one| json!(vec![one; most])));
            }
            found.extend(of_items.into_iter().map(|item| json!([item])));
        }
        found
    }
}

fn all_of(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let all: Vec<_> = all.collect();
    if all.contains(&Some(false)) { Some(false) } else { (!all.contains(&None)).then_some(true) }
}

/// A limit, and what is next to it.
fn around(limit: usize) -> [usize; 3] {
    [limit.saturating_sub(1), limit, limit.saturating_add(1)]
}

/// Values of every kind.
fn anything() -> Vec<Value> {
    let texts =
        ["x", "é", "a\nb", "a\u{0}b", "x y", "https://shop.example.com/a", "KWD", "KW", "kw", "1.5", "-1"];
    let others = [
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(1.5),
        json!(1_000_000_000_000_i64),
        json!([{}]),
        json!(["x"]),
        json!([1]),
        json!([[]]),
        json!({"more": 1}),
        json!("x".repeat(100_000)),
        json!(vec!["x"; 2_000]),
    ];
    texts.into_iter().map(Value::from).chain(others).collect()
}

/// What requests may also write, as the description says in words.
fn is_tolerated(schema: &Value, value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Number(_) => schema.get("pattern").is_some_and(|pattern| pattern == AMOUNT_PATTERN),
        Value::Null | Value::Bool(_) | Value::Object(_) => false,
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
            let mut values = Schema(&schema).candidates();
            values.retain(|value| !is_too_much(&path, value) && !is_tolerated(&schema, value));
            for (value, is_taken) in values.iter().zip(judged(bodies, &path, &values, read)) {
                let (Some(is_accepted), Some(is_taken)) = (Schema(&schema).accepts(value), is_taken) else {
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
