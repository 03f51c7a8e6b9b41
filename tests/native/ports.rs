//! The ports of what is stored: each belongs to one face, and none has a default implementation, which passes every test
//! when an implementation leaves it out.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The ports that are no part of what is stored.
const OTHERS: [&str; 9] =
    ["Cache", "Clock", "Files", "Http", "Rng", "Signatures", "Signer", "Vault", "World"];
const FACES: [&str; 2] = ["Directory", "Ledger"];

/// Each trait of the ports: what it extends, and what is in it without comments.
fn traits() -> BTreeMap<String, (Vec<String>, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src");
    let mut files: Vec<PathBuf> =
        fs::read_dir(source.join("port")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.push(source.join("port.rs"));
    let mut found = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for part in code.join("\n").split("pub trait ").skip(1) {
            let (head, rest) = part.split_once('{').unwrap();
            let (name, extended) = head.split_once(':').unwrap_or((head, ""));
            let extended = extended.split('+').map(|name| name.trim().to_string());
            // The end of a trait is the first brace at the beginning of a line.
            let body = rest.split_once("\n}").map_or(rest, |(body, _)| body);
            let extended = extended.filter(|name| !name.is_empty()).collect();
            found.insert(name.trim().to_string(), (extended, body.to_string()));
        }
    }
    found
}

#[test]
fn every_port_of_the_store_belongs_to_one_face() {
    let traits = traits();
    let mut listed: Vec<&str> =
        FACES.iter().flat_map(|face| traits[*face].0.iter().map(String::as_str)).collect();
    listed.sort_unstable();
    let is_part = |name: &&str| !OTHERS.contains(name) && !FACES.contains(name);
    let all: Vec<&str> = traits.keys().map(String::as_str).filter(is_part).collect();
    assert_eq!(listed, all);
}

#[test]
fn no_port_of_the_store_and_nothing_of_the_world_has_a_default() {
    for (name, (_, body)) in traits() {
        if name == "World" || !OTHERS.contains(&name.as_str()) {
            assert!(!body.contains('{'), "{name} has a default implementation");
        }
    }
}
