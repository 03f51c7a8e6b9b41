//! A type has a name of its own in its crate, unless it is always written with its module: who reads `Order`, or searches for
//! it, finds one.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use crate::floors::{CRATES, Exports, Module, absolute, exports, imports, inner, modules, owner};

/// The keywords that declare a type.
const KEYWORDS: [&str; 5] = ["struct", "enum", "trait", "union", "type"];

/// The name of the type that a line declares. A type in a trait or an `impl` is not one of the crate.
fn declared(line: &str) -> Option<&str> {
    let is_inner = line.starts_with(' ');
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let (keyword, rest) = line.split_once(' ')?;
    let is_declared = KEYWORDS.contains(&keyword) && !(keyword == "type" && is_inner);
    let name = rest.split(|letter: char| !letter.is_alphanumeric()).next()?;
    Some(name).filter(|name| is_declared && name.starts_with(char::is_uppercase))
}

/// Where each name is declared.
fn declarations(modules: &BTreeMap<Module, String>) -> BTreeMap<String, Vec<Module>> {
    let mut found: BTreeMap<String, Vec<Module>> = BTreeMap::new();
    for (module, code) in modules {
        for name in code.lines().filter_map(declared) {
            found.entry(name.into()).or_default().push(module.clone());
        }
    }
    found
}

/// Whether other modules name a type, and never without its module: none imports it or exports it.
fn is_qualified(name: &str, of: &Module, modules: &BTreeMap<Module, String>, exports: &Exports) -> bool {
    let others = || modules.iter().filter(|(module, _)| *module != of);
    let is_it = |path: &str, here: &Module| {
        let path = path.split(' ').next().unwrap();
        path.rsplit("::").next() == Some(name)
            && owner(&absolute(path, here), modules, exports).as_ref() == Some(of)
    };
    let is_imported = others()
        .any(|(here, code)| imports(code, &inner(here, modules)).iter().any(|(_, path)| is_it(path, here)));
    let qualified = format!("{}::{name}", of.last().unwrap());
    !is_imported && others().any(|(_, code)| code.contains(&qualified))
}

/// The names that several types have, with those of them that are not always written with their modules.
fn shared(modules: &BTreeMap<Module, String>) -> Vec<String> {
    let exports = exports(modules);
    let mut wrong = Vec::new();
    for (name, places) in declarations(modules).into_iter().filter(|(_, places)| places.len() > 1) {
        let bare: Vec<String> = places
            .iter()
            .filter(|of| !is_qualified(&name, of, modules, &exports))
            .map(|of| of.join("::"))
            .collect();
        // One of them may have the name alone.
        if bare.len() > 1 {
            wrong.push(format!("{name}: {}", bare.join(", ")));
        }
    }
    wrong
}

#[test]
fn no_two_types_of_a_crate_have_the_same_name() {
    for of_crate in CRATES {
        let modules = modules(of_crate);
        assert!(declarations(&modules).len() > 5, "{of_crate} has types");
        let shared = shared(&modules);
        assert!(shared.is_empty(), "{of_crate}: {shared:#?}");
    }
}

#[test]
fn a_shared_name_is_found_unless_it_is_always_written_with_its_module() {
    let sources = [
        ("a", "pub(crate) struct Order;\nimpl X for Order {\n    type Item = u8;\n}\nenum Own {\n"),
        ("b", "pub enum Order {\n}\nstruct Own(u8);\ntype Item = u8;\n"),
        ("c", "pub trait Order {}\n"),
        ("d", "use crate::a;\nuse crate::b::Order;\nfn f(one: a::Order, two: Order) {}\n"),
    ];
    let mut modules: BTreeMap<Module, String> =
        sources.map(|(path, text)| (Module::from([path.to_string()]), text.into())).into();
    assert_eq!(shared(&modules), ["Order: b, c", "Own: a, b"]);
    modules.insert(Module::from(["e".to_string()]), "use crate::c;\nfn g(one: &dyn c::Order) {}\n".into());
    assert_eq!(shared(&modules), ["Own: a, b"]);
}
