//! The prose of an endpoint, from the module that has it.

use super::administration::ADMINISTRATION;
use super::prose::{PROSE, Prose};

/// The prose of an endpoint.
pub(super) fn prose_of(name: &str) -> Option<&'static Prose> {
    all_prose().find(|prose| prose.name == name)
}

/// The prose of every endpoint.
pub(super) fn all_prose() -> impl Iterator<Item = &'static Prose> {
    PROSE.iter().chain(ADMINISTRATION)
}
