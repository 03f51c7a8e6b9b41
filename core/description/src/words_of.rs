//! The prose of an endpoint, from the module that has it.

use crate::administration::ADMINISTRATION;
use crate::agreements::AGREEMENTS;
use crate::approvals::APPROVALS;
use crate::filters::LISTINGS;
use crate::prose::{PROSE, Prose};

/// The prose of an endpoint.
pub(crate) fn prose_of(name: &str) -> Option<&'static Prose> {
    all_prose().find(|prose| prose.name == name)
}

/// The prose of every endpoint.
pub(crate) fn all_prose() -> impl Iterator<Item = &'static Prose> {
    PROSE.iter().chain(LISTINGS).chain(AGREEMENTS).chain(APPROVALS).chain(ADMINISTRATION)
}
