//! The description of the API is the one that the code prints, and describes everything.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

use checkout_core::checkout::element::ElementFacts;
use checkout_core::payment::receipt::is_final;
use checkout_core::rejection::{PROBLEMS, Rejection};
use checkout_core::state::State;
use checkout_core::strings::verify::VerifyWords;
use checkout_core::words::Language;
use checkout_description::{Printed, Reader, Sources, print, visit_readers};
use checkout_tests::shop::DEMO_SETTINGS;
use serde_json::Value;

/// A file of the project.
pub(crate) fn file(path: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", path].iter().collect()
}

/// The recorded webhooks by name.
fn webhooks() -> Vec<(String, String)> {
    let files = fs::read_dir(file("tests/vectors/webhooks")).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut found: Vec<_> = files.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect();
    found.sort();
    found
}

fn printed() -> Printed {
    let calls = fs::read_to_string(file("tests/vectors/calls.json")).unwrap();
    print(Sources { settings: DEMO_SETTINGS, calls: &calls, webhooks: &webhooks() }).unwrap()
}

/// `make describe` sets `TILL_DESCRIBE`, which writes the file.
fn assert_printed(path: &str, text: &str) {
    if env::var_os("TILL_DESCRIBE").is_some() {
        fs::write(file(path), text).unwrap();
    }
    assert!(fs::read_to_string(file(path)).is_ok_and(|known| known == text), "{path}: call make describe");
}

#[test]
fn the_served_description_is_the_printed_one() {
    assert_printed("www/openapi.json", &printed().text);
}

#[test]
fn the_endpoints_that_tests_visit_are_those_of_the_table() {
    assert_printed("tests/vectors/endpoints.json", &printed().endpoints);
}

#[test]
fn the_table_of_endpoints_is_read_without_scrolling() {
    for part in ["core/src/route/table.rs", "core/src/route/operators.rs"] {
        let text = fs::read_to_string(file(part)).unwrap();
        let long: Vec<_> = text.lines().filter(|line| line.chars().count() > 110).collect();
        assert_eq!(long, Vec::<&str>::new(), "{part}");
    }
}

#[test]
fn the_words_of_the_page_that_checks_receipts_are_those_of_the_core() {
    assert_printed("www/receipt/words.js", &VerifyWords::script().unwrap());
}

#[test]
fn the_facts_of_the_element_are_those_of_the_core() {
    for (name, text) in ElementFacts::scripts().unwrap() {
        assert_printed(&format!("clients/checkout/src/{name}"), &text);
    }
}

#[test]
fn every_outcome_that_has_a_receipt_has_a_name_on_the_page_that_checks_it() {
    for language in [Language::En, Language::Ar] {
        let named: BTreeSet<&str> = VerifyWords::of(language).states.iter().map(|(word, _)| *word).collect();
        let final_ones =
            State::WORDS.iter().filter_map(|word| State::parse(word)).filter(|state| is_final(*state));
        assert_eq!(final_ones.map(State::as_str).collect::<BTreeSet<_>>(), named);
    }
}

#[test]
fn every_endpoint_and_every_field_has_a_description() {
    assert_eq!(printed().gaps, Vec::<String>::new());
}

#[test]
fn every_code_is_the_refusal_of_an_operation() {
    // An address that does not answer the method is no operation.
    let Printed { text, .. } = printed();
    let silent =
        PROBLEMS.iter().filter(|problem| !text.contains(&format!("](/b/problems/{}/)", problem.code)));
    assert_eq!(silent.map(|problem| problem.code).collect::<Vec<_>>(), ["method_not_allowed"]);
}

/// The members of a schema with their paths, inner ones after a dot, each with whether it may be null.
fn members(schema: &Value, outer: &str, found: &mut Vec<(String, bool)>) {
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let path = format!("{outer}{name}");
        let allows = |list: &str| member.get(list).and_then(Value::as_array);
        let has_type = allows("type").is_some_and(|kinds| kinds.contains(&"null".into()));
        let has_word = allows("enum").is_none_or(|words| words.contains(&Value::Null));
        found.push((path.clone(), has_type && has_word));
        members(member, &format!("{path}."), found);
    }
}

/// What a reader says of a body in which the member is null: the paths that are wrong, or that it is not read at all.
fn wrong_paths(body: &Value, path: &str, read: &Reader<'_>) -> Option<Vec<String>> {
    let mut body = body.clone();
    let mut slot = &mut body;
    for name in path.split('.') {
        slot = slot.as_object_mut()?.entry(name).or_insert(Value::Null);
    }
    *slot = Value::Null;
    match read(body.to_string().as_bytes()) {
        Ok(()) => Some(Vec::new()),
        Err(Rejection::Invalid(found)) => Some(found.iter().map(|wrong| wrong.path.to_string()).collect()),
        Err(other) => Some(vec![format!("{other:?}"), path.to_owned()]),
    }
}

#[test]
fn a_schema_says_null_where_the_reader_takes_it_and_nowhere_else() {
    let served = fs::read_to_string(file("www/openapi.json")).unwrap();
    let document: Value = serde_json::from_str(&served).unwrap();
    let operations: Vec<&Value> = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|item| item.as_object().unwrap().values())
        .collect();
    let (mut tried, mut wrong) = (0, Vec::new());
    let calls = fs::read_to_string(file("tests/vectors/calls.json")).unwrap();
    let sources = Sources { settings: DEMO_SETTINGS, calls: &calls, webhooks: &[] };
    visit_readers(sources, &mut |name, bodies, read| {
        let operation = operations.iter().find(|one| one["operationId"] == name).unwrap();
        let content =
            operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
        let mut found = Vec::new();
        members(document.pointer(content.trim_start_matches('#')).unwrap(), "", &mut found);
        for (path, says_null) in found {
            let judged: Vec<_> = bodies.iter().filter_map(|body| wrong_paths(body, &path, read)).collect();
            let is_taken = judged.iter().any(|wrong| !wrong.contains(&path));
            tried += 1;
            if is_taken != says_null {
                wrong.push(format!("{name} {path}: null is {}", if is_taken { "taken" } else { "refused" }));
            }
        }
    })
    .unwrap();
    assert!(tried > 200, "{tried}");
    assert_eq!(wrong, Vec::<String>::new());
}
