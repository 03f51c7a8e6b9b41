//! Reads a document, noting every wrong field by its path.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::installation::Installation;
use crate::value::money::{Currency, ExchangeRate};
use crate::violation::Violations;

/// The longest name that a payer reads.
pub(super) const MAX_NAME: usize = 64;

pub(super) struct DocumentReader<'v> {
    pub(super) found: &'v mut Violations,
    pub(super) installation: Option<&'v Installation>,
    /// The exchange rates of the document, as far as they were read.
    pub(super) rates: Vec<NamedRate>,
}

pub(super) fn join(base: &str, name: &str) -> String {
    if base.is_empty() { name.into() } else { format!("{base}.{name}") }
}

/// Where a member is: in the object of a path, under its name.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) base: &'a str,
    pub(super) name: &'a str,
}

impl At<'_> {
    pub(super) fn path(self) -> String {
        join(self.base, self.name)
    }
}

/// A rate between two currencies, as far as it could be read.
pub(super) struct NamedRate {
    pub(super) source: Currency,
    pub(super) target: Currency,
    /// `None` for one whose violation is noted.
    pub(super) rate: Option<ExchangeRate>,
}
