//! The floors of each crate: its `lib.rs` lists them, and every import keeps to the list. No crate has a cycle: what a facade
//! exports (`pub use`) belongs to the module that declares it, and the facade uses that module.
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
pub(crate) type Module = Vec<String>;

/// The crates that have floors.
pub(crate) const CRATES: [&str; 5] =
    ["core", "core/description", "edge-worker", "edge-worker/sandbox-bank", "checkout-web"];

fn root(of_crate: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(of_crate).join("src")
}

/// Every module with its code: without comments, without its tests, and without what only tests use.
pub(crate) fn modules(of_crate: &str) -> BTreeMap<Module, String> {
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
    // A visibility names a module and uses nothing of it.
    lines.collect::<Vec<_>>().join("\n").replace("pub(in crate::", "pub(in ")
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

/// How a path within the crate begins.
const STARTS: [&str; 3] = ["crate::", "super::", "self::"];

/// The paths of every `use` of this crate, and whether it exports them. `inner` are the modules that are declared here: a path
/// may begin with one.
pub(crate) fn imports(code: &str, inner: &BTreeSet<String>) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for (place, _) in code.match_indices("use ") {
        let before = code[..place].rsplit('\n').next().unwrap().trim();
        let tree = code[place + 4..].split(';').next().unwrap();
        let first = tree.split("::").next().unwrap();
        let prefix = if inner.contains(first) { "self::" } else { "" };
        // A text may have a line that begins like this too.
        let is_tree = !prefix.is_empty() || STARTS.iter().any(|start| tree.starts_with(start));
        if is_tree && (before.is_empty() || before.starts_with("pub")) {
            let is_export = before.starts_with("pub");
            found.extend(spread(tree).into_iter().map(|path| (is_export, format!("{prefix}{path}"))));
        }
    }
    found
}

/// Every path of this crate that the code names, in a `use` or in place.
fn paths(code: &str, inner: &BTreeSet<String>) -> Vec<String> {
    let mut found: Vec<String> = imports(code, inner).into_iter().map(|(_, path)| path).collect();
    let starts = STARTS.iter().map(|start| (*start).to_string());
    for start in starts.chain(inner.iter().map(|name| format!("{name}::"))) {
        for (place, _) in code.match_indices(&start) {
            let is_within =
                code[..place].ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before));
            let rest = &code[place..];
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter));
            let is_tree = end.is_some_and(|end| rest[end..].starts_with('{'));
            if !is_within && !is_tree {
                let path = rest[..end.unwrap_or(rest.len())].trim_end_matches(':');
                let prefix = if STARTS.contains(&start.as_str()) { "" } else { "self::" };
                found.push(format!("{prefix}{path}"));
            }
        }
    }
    found
}

/// The segments of a path from the root of the crate, as `here` reads it.
pub(crate) fn absolute(path: &str, here: &Module) -> Module {
    let mut absolute = here.clone();
    for segment in path.split("::").map(|segment| segment.split(' ').next().unwrap()) {
        match segment {
            "crate" => absolute.clear(),
            "self" => {}
            "super" => drop(absolute.pop()),
            name => absolute.push(name.into()),
        }
    }
    absolute
}

/// What each module exports under which name, with the path of what it is.
pub(crate) type Exports = BTreeMap<Module, BTreeMap<String, Module>>;

/// The modules that are declared in a module.
pub(crate) fn inner(of: &Module, modules: &BTreeMap<Module, String>) -> BTreeSet<String> {
    let children = modules.keys().filter(|module| module.len() == of.len() + 1 && module.starts_with(of));
    children.map(|module| module.last().unwrap().clone()).collect()
}

pub(crate) fn exports(modules: &BTreeMap<Module, String>) -> Exports {
    let of = |(module, code): (&Module, &String)| {
        let found = imports(code, &inner(module, modules)).into_iter().filter(|(is_export, _)| *is_export);
        let named = found.map(|(_, path)| {
            let name = path.rsplit(' ').next().unwrap().rsplit("::").next().unwrap().to_string();
            (name, absolute(&path, module))
        });
        (module.clone(), named.collect())
    };
    modules.iter().map(of).collect()
}

/// The module that declares what a path names: a facade that exports it is followed.
pub(crate) fn owner(
    path: &[String],
    modules: &BTreeMap<Module, String>,
    exports: &Exports,
) -> Option<Module> {
    let mut end = path.len();
    while end > 0 && !modules.contains_key(&path[..end]) {
        end -= 1;
    }
    let module = path[..end].to_vec();
    let exported = path.get(end).and_then(|name| exports.get(&module)?.get(name));
    match exported {
        Some(exported) => owner(&[exported, &path[end + 1..]].concat(), modules, exports),
        None => Some(module).filter(|module| !module.is_empty()),
    }
}

/// What each module uses of the others.
fn uses(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let exports = exports(modules);
    let of = |(module, code): (&Module, &String)| {
        let paths = paths(code, &inner(module, modules));
        let found = paths.iter().filter_map(|path| owner(&absolute(path, module), modules, &exports));
        (module.clone(), found.filter(|used| used != module).collect())
    };
    modules.iter().map(of).collect()
}

/// A list of floors: of a crate in its `lib.rs`, or of a module whose documentation has one.
struct Floors {
    /// The module whose inner modules are listed; empty for a crate.
    of: Module,
    /// The inner modules, the lowest first, each with the group that contains it; a list need not have groups.
    listed: Vec<(String, String)>,
}

impl Floors {
    /// The rows `| module | what |` or `| group | module | what |` of a table: the module is in its first backticks.
    fn read(of: Module, text: &str) -> Option<Self> {
        let (_, table) = text.split_once("//! # Floors")?;
        let rows = table.lines().skip(1).map_while(|line| line.strip_prefix("//!"));
        let cells = rows.filter_map(|row| row.trim().strip_prefix("| ")?.split_once('`'));
        let listed = cells.map(|(group, rest)| {
            let group = group.split(" |").next().unwrap().trim_matches(['[', ' ']);
            (rest.split('`').next().unwrap().to_string(), group.to_string())
        });
        let mut listed: Vec<(String, String)> = listed.collect();
        listed.reverse();
        Some(Self { of, listed })
    }

    /// Every list of a crate.
    fn all(of_crate: &str) -> Vec<Self> {
        let own = fs::read_to_string(root(of_crate).join("lib.rs")).unwrap();
        let own = Self::read(Module::new(), &own).unwrap();
        let of_module = |module: Module| {
            let path = root(of_crate).join(module.join("/")).with_extension("rs");
            Self::read(module, &fs::read_to_string(path).unwrap())
        };
        let inner = modules(of_crate).into_keys().filter_map(of_module);
        std::iter::once(own).chain(inner).collect()
    }

    /// The floor of a module that is listed, or is in one that is; those below have smaller numbers.
    fn floor(&self, module: &Module) -> Option<usize> {
        let name = module.strip_prefix(self.of.as_slice())?.first()?;
        self.listed.iter().position(|(listed, _)| listed == name)
    }

    /// What uses something that is above it.
    fn wrong(&self, uses: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<String> {
        let upwards = |module: &Module, used: &Module| {
            self.floor(module).is_some_and(|floor| self.floor(used).is_some_and(|other| other > floor))
        };
        let of = |(module, used): (&Module, &BTreeSet<Module>)| {
            let above = used.iter().filter(|other| upwards(module, other));
            above.map(|other| format!("{} uses {}", module.join("::"), other.join("::"))).collect::<Vec<_>>()
        };
        uses.iter().flat_map(of).collect()
    }
}

#[test]
fn every_module_is_on_a_floor() {
    for of_crate in CRATES {
        let modules = modules(of_crate);
        for floors in Floors::all(of_crate) {
            let place = format!("{of_crate} {}", floors.of.join("::"));
            let listed: BTreeSet<String> = floors.listed.iter().map(|(module, _)| module.clone()).collect();
            assert_eq!(inner(&floors.of, &modules), listed, "the list of {place}, and its modules");
            assert_eq!(floors.listed.len(), listed.len(), "each is listed once in {place}");
            let mut groups: Vec<&String> = floors.listed.iter().map(|(_, group)| group).collect();
            groups.dedup();
            let distinct: BTreeSet<&&String> = groups.iter().collect();
            assert_eq!(groups.len(), distinct.len(), "each group of {place} is in one piece: {groups:?}");
        }
    }
}

#[test]
fn no_module_uses_one_that_is_above_it() {
    for of_crate in CRATES {
        let uses = uses(&modules(of_crate));
        assert!(!uses.is_empty(), "{of_crate} has modules");
        for floors in Floors::all(of_crate) {
            assert_eq!(floors.wrong(&uses), [""; 0], "{of_crate} {}", floors.of.join("::"));
        }
    }
}

#[test]
fn the_flows_have_three_groups() {
    let all = Floors::all("core");
    let flow = all.iter().find(|floors| floors.of == ["flow"]).unwrap();
    let mut groups: Vec<&str> = flow.listed.iter().map(|(_, group)| group.as_str()).collect();
    groups.dedup();
    assert_eq!(groups, ["money", "audiences", "time"]);
}

#[test]
fn a_list_of_floors_finds_what_uses_a_module_above_it() {
    let text = "//! # Floors\n//!\n//! | group | module | what |\n//! |---|---|---|\n//! | high | [`a`] | |\n//! | low | [`b`] | |\n\nmod a;\n";
    let floors = Floors::read(Module::from(["flow".into()]), text).unwrap();
    assert_eq!(floors.listed, [("b".into(), "low".into()), ("a".into(), "high".into())]);
    let path = |text: &str| text.split("::").map(String::from).collect::<Module>();
    let uses = BTreeMap::from([
        (path("flow::a::x"), BTreeSet::from([path("flow::b")])),
        (path("flow::b::y"), BTreeSet::from([path("flow::a::x"), path("flow"), path("value")])),
    ]);
    assert_eq!(floors.wrong(&uses), ["flow::b::y uses flow::a::x"]);
}

/// The modules that use each other in a circle, and those between two circles: what remains without those that use no other,
/// and then without those that no other uses.
fn circle(of_crate: &str) -> Vec<String> {
    let mut left = uses(&modules(of_crate));
    assert!(left.len() > 1, "{of_crate} has modules");
    loop {
        let is_free = |used: &BTreeSet<Module>| used.iter().all(|other| !left.contains_key(other));
        let free: Vec<Module> =
            left.iter().filter(|(_, used)| is_free(used)).map(|(module, _)| module.clone()).collect();
        if free.is_empty() {
            break;
        }
        for module in free {
            left.remove(&module);
        }
    }
    loop {
        let used: BTreeSet<Module> = left.values().flatten().cloned().collect();
        let before = left.len();
        left.retain(|module, _| used.contains(module));
        if left.len() == before {
            return left.keys().map(|module| module.join("::")).collect();
        }
    }
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    for of_crate in CRATES {
        assert_eq!(circle(of_crate), [""; 0], "{of_crate}");
    }
}

#[test]
fn the_reader_of_imports_sees_every_form_of_a_path() {
    let text = "use crate::a::{self, b::{C, D}, e};\npub use super::f::G;\nfn x() { crate::h::i(self::j::K, k::L) }\n// crate::not::here\n";
    let mut found = paths(&code(text), &BTreeSet::from(["k".to_string()]));
    found.sort();
    let expected = [
        "crate::a::b::C",
        "crate::a::b::D",
        "crate::a::e",
        "crate::a::self",
        "crate::h::i",
        "self::j::K",
        "self::k::L",
        "super::f::G",
    ];
    for path in expected {
        assert!(found.iter().any(|one| one == path), "{path} in {found:?}");
    }
    assert!(!found.iter().any(|path| path.contains("not")), "{found:?}");
}

#[test]
fn what_a_facade_exports_belongs_to_the_module_that_declares_it() {
    let sources = [
        ("a", "mod b;\npub use b::Thing;\npub use self::c::Other as Renamed;\n"),
        ("a::b", "use super::c::Other;\n"),
        ("a::c", ""),
        ("d", "use crate::a::{Renamed, Thing};\n"),
    ];
    let modules: BTreeMap<Module, String> =
        sources.map(|(path, text)| (path.split("::").map(String::from).collect(), text.into())).into();
    let used: Vec<String> = uses(&modules)
        .into_iter()
        .map(|(module, used)| {
            let used: Vec<String> = used.iter().map(|other| other.join("::")).collect();
            format!("{}: {}", module.join("::"), used.join(" "))
        })
        .collect();
    assert_eq!(used, ["a: a::b a::c", "a::b: a::c", "a::c: ", "d: a::b a::c"]);
}
