//! What the audit says of a change: only the members that differ.

use crate::record::audit::Entry;
use crate::wire::tree::Tree;

/// An entry with the members of two objects that differ.
pub(crate) fn changed(entry: Entry, before: &Tree<'_>, after: &Tree<'_>) -> Entry {
    let (old, new) = (before.to_json_without(after), after.to_json_without(before));
    Entry { before: Some(old), after: Some(new), ..entry }
}
