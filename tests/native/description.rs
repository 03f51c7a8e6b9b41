//! The description of the API is the one that the code prints, and describes everything.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};

use checkout_core::payment::receipt::is_final;
use checkout_core::rejection::PROBLEMS;
use checkout_core::state::State;
use checkout_core::strings::verify::VerifyWords;
use checkout_core::words::Language;
use checkout_description::{Printed, Sources, print};
use checkout_tests::shop::DEMO_SETTINGS;

/// A file of the project.
fn file(path: &str) -> PathBuf {
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
