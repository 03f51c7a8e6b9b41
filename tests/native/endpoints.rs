//! Each endpoint that reads a body in fields names the type that reads it, a request; each that answers in JSON names the
//! types that it writes, answers.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;

/// The table as it is printed; `description` compares it with the table.
fn endpoints() -> Vec<Value> {
    let found: Vec<Value> = serde_json::from_str(include_str!("../vectors/endpoints.json")).unwrap();
    assert!(found.len() >= 120, "{}", found.len());
    found
}

#[test]
fn each_body_that_is_read_names_the_type_that_reads_it() {
    for endpoint in endpoints() {
        let is_read = !matches!(endpoint["body"].as_str().unwrap(), "nothing" | "bytes");
        let reader = endpoint["request"].as_str();
        assert_eq!(reader.is_some(), is_read, "{endpoint}");
        let is_request = |path: &str| {
            ["api::", "draft::request::", "settings::"].iter().any(|room| path.starts_with(room))
        };
        assert!(reader.is_none_or(is_request), "{endpoint}");
    }
}

#[test]
fn each_answer_in_json_names_what_it_writes() {
    for endpoint in endpoints() {
        for answer in endpoint["answers"].as_array().unwrap() {
            let types = answer["types"].as_array().unwrap();
            assert_eq!(types.is_empty(), answer["media"] != "Json", "{endpoint}");
            // One answer is written verbatim.
            let is_answer =
                |name: &str| ["answer::", "sdk::", "RawValue"].iter().any(|room| name.contains(room));
            assert!(types.iter().all(|name| is_answer(name.as_str().unwrap())), "{endpoint}");
        }
    }
}
