//! The table of endpoints names the type that reads each body and what writes each answer in JSON: both exist, the first
//! among the requests, the second among the answers.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

/// The source of a module of the core.
fn source(module: &str) -> String {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src");
    fs::read_to_string(core.join(module.replace("::", "/")).with_extension("rs")).unwrap()
}

/// What is declared of an endpoint: everything between its methods and the end of its line.
fn lines() -> Vec<String> {
    let table = source("route::table");
    let is_line = |line: &&str| line.starts_with("        ") && line.contains(" => ") && line.ends_with(';');
    let found: Vec<String> = table.lines().filter(is_line).map(String::from).collect();
    assert!(found.len() >= 120, "{}", found.len());
    found
}

/// Whether a module has a type of this path that others may name.
fn has_type(path: &str) -> bool {
    let Some((module, name)) = path.rsplit_once("::") else { return false };
    let declared = format!("struct {name}");
    source(module).lines().any(|line| {
        line.split_once(&declared).is_some_and(|(before, rest)| {
            before.trim_start().starts_with("pub") && rest.starts_with([' ', '<', ';'])
        })
    })
}

#[test]
fn each_body_that_is_read_names_the_type_that_reads_it() {
    for line in lines() {
        let is_read = ["json(", "form(", "multipart(", "record("].iter().any(|body| line.contains(body));
        let reader = line.split(" as ").nth(1).and_then(|rest| rest.split(',').next());
        assert_eq!(reader.is_some(), is_read, "{line}");
        let Some(path) = reader else { continue };
        let is_in_its_room =
            ["api::", "draft::request::", "settings::"].iter().any(|room| path.starts_with(room));
        assert!(is_in_its_room && has_type(path), "{path}");
    }
}

#[test]
fn each_answer_in_json_names_what_writes_it() {
    for line in lines() {
        let (_, answers) = line.split_once(" => ").unwrap();
        let writer = answers.split(" by ").nth(1).and_then(|rest| rest.strip_suffix(';'));
        assert_eq!(writer.is_some(), answers.contains(" Json"), "{line}");
        let Some(path) = writer else { continue };
        let is_type = path.rsplit("::").next().unwrap().starts_with(char::is_uppercase);
        assert!(path.starts_with("answer::"), "{path}");
        assert!(if is_type { has_type(path) } else { !source(path).is_empty() }, "{path}");
    }
}
