//! Words of the API inside of a sentence.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::value::text::without_bidi_controls;

/// A word inside of a sentence whose direction it does not change: what `<bdi>` is in markup.
pub(in crate::strings) fn isolated(word: &str) -> String {
    format!("\u{2068}{}\u{2069}", without_bidi_controls(word))
}

/// Words in a row.
pub(super) fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(isolated).collect::<Vec<_>>().join("، ")
}
