//! The table of endpoints names the type that reads each body: it exists, and in the module of the requests.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

/// The source of a module of the core.
fn source(module: &str) -> String {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src");
    fs::read_to_string(core.join(module).with_extension("rs")).unwrap()
}

#[test]
fn the_type_that_reads_a_body_exists() {
    let table = source("route/table");
    let named: Vec<&str> = table
        .lines()
        .filter_map(|line| line.split(" as ").nth(1)?.split(',').next())
        .filter(|named| named.contains("::"))
        .collect();
    assert!(named.len() >= 20, "{named:?}");
    for path in named {
        let (module, name) = path.rsplit_once("::").unwrap();
        let declared = format!("struct {name}");
        let is_declared = |line: &str| {
            line.split_once(&declared).is_some_and(|(before, rest)| {
                before.trim_start().starts_with("pub") && rest.starts_with([' ', '<'])
            })
        };
        assert!(source(&module.replace("::", "/")).lines().any(is_declared), "{path}");
    }
}

#[test]
fn what_writes_an_answer_exists() {
    let table = source("route/table");
    let named: Vec<&str> =
        table.lines().filter_map(|line| line.split(" by ").nth(1)?.strip_suffix(';')).collect();
    assert!(named.len() >= 25, "{named:?}");
    for path in named {
        match path.rsplit_once("::") {
            Some((module, name)) if name.starts_with(char::is_uppercase) => {
                assert!(source(&module.replace("::", "/")).contains(&format!("pub struct {name}")), "{path}");
            }
            _ => assert!(!source(&path.replace("::", "/")).is_empty(), "{path}"),
        }
    }
}
