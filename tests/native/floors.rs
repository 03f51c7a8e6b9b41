//! The floors of each crate: its `lib.rs` lists them, and every import keeps to the list. No crate has a cycle.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![expect(
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    reason = "source files are ASCII where they are cut"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The segments of a module below the root of the crate, as `["payment", "apply"]`.
type Module = Vec<String>;

/// The crates that have floors.
const CRATES: [&str; 4] = ["core", "edge-worker", "edge-worker/sandbox-bank", "checkout-web"];

fn root(of_crate: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(of_crate).join("src")
}

/// Every module with its code: without comments, without its tests, and without what only tests use.
fn modules(of_crate: &str) -> BTreeMap<Module, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root(of_crate)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let inner = path.strip_prefix(root(of_crate)).unwrap().with_extension("");
            let module: Module = inner.iter().map(|part| part.to_str().unwrap().into()).collect();
            let is_test = module[0] == "testing" || module.last().unwrap() == "tests";
            if !is_test && module != ["lib"] {
                found.insert(module, code(&fs::read_to_string(path).unwrap()));
            }
        }
    }
    found
}

fn code(text: &str) -> String {
    let end = text.find("\n#[cfg(test)]").unwrap_or(text.len());
    let lines = text[..end].lines().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths that a `use` names, its braces spread out.
fn spread(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else { return vec![tree.trim().into()] };
    let (before, inner) = (&tree[..open], &tree[open + 1..tree.rfind('}').unwrap()]);
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (place, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let given = parts.iter().filter(|part| !part.trim().is_empty());
    given.flat_map(|part| spread(&format!("{}{}", before.trim(), part.trim()))).collect()
}

/// Every path of this crate that the code names, in a `use` or in place.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let starts = ["crate::", "super::", "self::"];
    for (place, _) in code.match_indices("use ") {
        let before = code[..place].rsplit('\n').next().unwrap().trim();
        let tree = code[place + 4..].split(';').next().unwrap();
        // A text may have a line that begins like this too.
        let is_tree = starts.iter().any(|start| tree.starts_with(start));
        if is_tree && (before.is_empty() || before.starts_with("pub")) {
            found.extend(spread(tree));
        }
    }
    for start in starts {
        for (place, _) in code.match_indices(start) {
            let is_inner =
                code[..place].ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before));
            let rest = &code[place..];
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter));
            if !is_inner {
                found.push(rest[..end.unwrap_or(rest.len())].trim_end_matches(':').into());
            }
        }
    }
    found.retain(|path| starts.iter().any(|start| path.starts_with(start)));
    found
}

/// The module that a path names something of, as `here` reads it.
fn owner(path: &str, here: &Module, modules: &BTreeMap<Module, String>) -> Option<Module> {
    let mut absolute = here.clone();
    for segment in path.split("::").map(|segment| segment.split(' ').next().unwrap()) {
        match segment {
            "crate" => absolute.clear(),
            "self" => {}
            "super" => drop(absolute.pop()),
            name => absolute.push(name.into()),
        }
    }
    while !absolute.is_empty() && !modules.contains_key(&absolute) {
        absolute.pop();
    }
    Some(absolute).filter(|module| !module.is_empty())
}

/// What each module uses of the others.
fn uses(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let of = |(module, code): (&Module, &String)| {
        let found = paths(code).iter().filter_map(|path| owner(path, module, modules)).collect();
        (module.clone(), found)
    };
    modules.iter().map(of).collect()
}

/// The modules at the top of a crate, the lowest first, as the documentation of its `lib.rs` lists them.
fn floors(of_crate: &str) -> Vec<String> {
    let text = fs::read_to_string(root(of_crate).join("lib.rs")).unwrap();
    let (_, table) = text.split_once("//! # Floors").unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("//! | ")?.split('`').nth(1));
    let mut listed: Vec<String> = rows.map(String::from).collect();
    listed.reverse();
    listed
}

#[test]
fn every_module_is_on_a_floor() {
    for of_crate in CRATES {
        let modules = modules(of_crate);
        let tops: BTreeSet<&String> = modules.keys().map(|module| &module[0]).collect();
        let listed = floors(of_crate);
        assert_eq!(tops, listed.iter().collect(), "the table in the lib.rs of {of_crate}, and its modules");
        assert_eq!(listed.len(), tops.len(), "each is listed once in {of_crate}");
    }
}

#[test]
fn no_module_uses_one_that_is_above_it() {
    for of_crate in CRATES {
        let listed = floors(of_crate);
        let floor = |module: &Module| listed.iter().position(|name| *name == module[0]).unwrap();
        let modules = modules(of_crate);
        let mut wrong = Vec::new();
        for (module, used) in uses(&modules) {
            let above = used.iter().filter(|other| floor(other) > floor(&module));
            wrong.extend(above.map(|other| format!("{} uses {}", module.join("::"), other.join("::"))));
        }
        assert!(!modules.is_empty() && wrong.is_empty(), "{of_crate}: {wrong:#?}");
    }
}

/// The modules that use each other in a circle, and those above one. A module and those inside of it are one house.
fn circle(of_crate: &str) -> Vec<String> {
    let mut left = uses(&modules(of_crate));
    assert!(left.len() > 1, "{of_crate} has modules");
    for (module, used) in &mut left {
        used.retain(|other| !other.starts_with(module) && !module.starts_with(other));
    }
    loop {
        let is_free = |used: &BTreeSet<Module>| used.iter().all(|other| !left.contains_key(other));
        let free: Vec<Module> =
            left.iter().filter(|(_, used)| is_free(used)).map(|(module, _)| module.clone()).collect();
        if free.is_empty() {
            return left.keys().map(|module| module.join("::")).collect();
        }
        for module in free {
            left.remove(&module);
        }
    }
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    for of_crate in CRATES.into_iter().chain(["core/scan"]) {
        assert_eq!(circle(of_crate), [""; 0], "{of_crate}");
    }
}

#[test]
fn the_reader_of_imports_sees_every_form_of_a_path() {
    let text = "use crate::a::{self, b::{C, D}, e};\npub use super::f::G;\nfn x() { crate::h::i(self::j::K) }\n// crate::not::here\n";
    let mut found = paths(&code(text));
    found.sort();
    let expected = [
        "crate::a::b::C",
        "crate::a::b::D",
        "crate::a::e",
        "crate::a::self",
        "crate::h::i",
        "self::j::K",
        "super::f::G",
    ];
    for path in expected {
        assert!(found.iter().any(|one| one == path), "{path} in {found:?}");
    }
    assert!(!found.iter().any(|path| path.contains("not")), "{found:?}");
}
