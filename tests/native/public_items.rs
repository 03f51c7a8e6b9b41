//! What the core makes public is what another crate names: a public item that none does is `pub(crate)` or less.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the other crates are.
const OTHERS: [&str; 4] = ["core/description", "edge-worker", "checkout-web", "tests"];

/// The words before the name of an item that declare it.
const KINDS: [&str; 8] = ["fn", "struct", "enum", "trait", "const", "static", "type", "mod"];

fn sources(of: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(of).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            if !["target", "node_modules", "build", "testing"].contains(&name.as_str()) {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

fn sources_of(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder), &mut found);
    found.sort();
    found
}

/// The text without comments.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The code of the core in one file: without comments, and without its unit tests.
fn own_code(text: &str) -> String {
    let tests = text.find("\nmod tests {").unwrap_or(text.len());
    code(text.split_at(tests).0)
}

/// Names and keywords in their order, and each mark of punctuation for itself.
fn tokens(code: &str) -> Vec<&str> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut rest = code.trim_start();
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let end = if is_name(first) { rest.find(|letter| !is_name(letter)) } else { Some(first.len_utf8()) };
        let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
        found.push(token);
        rest = after.trim_start();
    }
    found
}

/// The tokens up to the first of these marks that is outside of brackets, or up to the bracket that closes what is around.
fn until<'t>(tokens: &[&'t str], marks: &[&str]) -> Vec<&'t str> {
    let mut depth = 0_u32;
    let mut found = Vec::new();
    for token in tokens {
        let closes = [")", "}", "]"].contains(token);
        if depth == 0 && (closes || marks.contains(token)) {
            break;
        }
        if ["(", "{", "["].contains(token) {
            depth = depth.saturating_add(1);
        }
        if closes {
            depth = depth.saturating_sub(1);
        }
        found.push(*token);
    }
    found
}

/// What one file makes public: the kind and name of each item, and the words of every public signature.
#[derive(Default)]
struct Public<'t> {
    items: Vec<(&'t str, &'t str)>,
    signatures: BTreeSet<&'t str>,
}

fn public(code: &str) -> Public<'_> {
    let tokens = tokens(code);
    let mut found = Public::default();
    for (place, token) in tokens.iter().enumerate() {
        let rest = tokens.get(place.saturating_add(1)..).unwrap_or_default();
        // What a macro declares may be public: the fields of the transaction are such.
        if *token == "macro_rules" {
            found.signatures.extend(until(rest.get(3..).unwrap_or_default(), &[]));
        }
        // What a trait's implementation answers with is as public as the trait.
        if *token == "type" {
            found.signatures.extend(until(rest, &[";"]));
        }
        if *token != "pub" || rest.first() == Some(&"(") {
            continue;
        }
        let is_modifier = |place: usize| {
            let next = rest.get(place.saturating_add(1)).copied();
            match rest.get(place).copied() {
                Some("async" | "unsafe") => true,
                Some("const") => matches!(next, Some("fn" | "async" | "unsafe")),
                _ => false,
            }
        };
        let start = (0..rest.len()).find(|place| !is_modifier(*place)).unwrap_or_default();
        let rest = rest.get(start..).unwrap_or_default();
        let (Some(kind), Some(name)) = (rest.first(), rest.get(1)) else { continue };
        match *kind {
            "use" => continue,
            kind if KINDS.contains(&kind) => found.items.push((kind, name)),
            _ => {}
        }
        let header = match *kind {
            "fn" | "struct" | "mod" | "enum" | "trait" => until(rest, &[";", "{"]),
            "const" | "static" => until(rest, &[";", "="]),
            "type" => until(rest, &[";"]),
            _ => until(rest, &[","]),
        };
        // Variants and the methods of a trait are as public as what they belong to.
        let has_public_body = ["enum", "trait"].contains(kind);
        let inside =
            rest.get(header.len().saturating_add(1)..).filter(|_| has_public_body).unwrap_or_default();
        found.signatures.extend(until(inside, &[]));
        // The name itself is no mention of it.
        let own = if KINDS.contains(kind) { 2 } else { 1 };
        found.signatures.extend(header.into_iter().skip(own));
    }
    found
}

/// The public items of the core that no other crate and no public signature names, each with its file.
fn unnamed() -> Vec<String> {
    let read = |path: &PathBuf| (path.clone(), fs::read_to_string(path).unwrap());
    let others: Vec<String> =
        OTHERS.iter().flat_map(|folder| sources_of(folder)).map(|path| code(&read(&path).1)).collect();
    let named: BTreeSet<&str> = others.iter().flat_map(|text| tokens(text)).collect();
    let own: Vec<(PathBuf, String)> =
        sources_of("core/src").iter().map(read).map(|(path, text)| (path, own_code(&text))).collect();
    let public: Vec<(&PathBuf, Public<'_>)> = own.iter().map(|(path, text)| (path, public(text))).collect();
    assert!(!named.is_empty() && !public.is_empty(), "there is something to compare");
    let signatures: BTreeSet<&str> =
        public.iter().flat_map(|(_, found)| found.signatures.iter().copied()).collect();
    let mut wrong = Vec::new();
    for (path, found) in &public {
        for (kind, name) in &found.items {
            let is_of_a_signature =
                ["struct", "enum", "trait", "type"].contains(kind) && signatures.contains(name);
            if !named.contains(name) && !is_of_a_signature {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src");
                wrong.push(format!("{}: {kind} {name}", path.strip_prefix(folder).unwrap().display()));
            }
        }
    }
    wrong
}

#[test]
fn every_public_item_of_the_core_is_named_by_another_crate() {
    let unnamed = unnamed();
    assert!(unnamed.is_empty(), "make these pub(crate) or less: {unnamed:#?}");
}

#[test]
fn the_reader_of_items_sees_every_kind_and_what_signatures_name() {
    let text = "
        pub const fn a(b: B) -> Result<C, D> { E }
        pub struct F<G: H> { pub i: I, pub j: J }
        pub enum K { L(M), N { o: O } }
        pub(crate) fn p(q: Q) {}
        pub const R: S = T;
        impl U for V { type W = X; }
        pub mod y;
    ";
    let found = public(text);
    let expected = [("fn", "a"), ("struct", "F"), ("enum", "K"), ("const", "R"), ("mod", "y")];
    assert_eq!(found.items, expected);
    for name in ["B", "C", "D", "H", "I", "J", "M", "O", "S", "X"] {
        assert!(found.signatures.contains(name), "{name} in {:?}", found.signatures);
    }
    for name in ["E", "F", "K", "Q", "T", "a"] {
        assert!(!found.signatures.contains(name), "{name} in {:?}", found.signatures);
    }
}
