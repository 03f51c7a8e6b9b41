//! The merchant's units, and what its agreements may contain, in a settings document.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::{Reader, join, member};
use crate::transaction::agreement::{AgreementSettings, FREQUENCIES, TYPES, known};
use crate::value::text::is_slug;
use crate::violation::Rule;

/// The longest slug of a unit.
const MAX_UNIT: usize = 64;
/// The longest id of an agreement.
const MAX_ID: usize = 128;
/// The frequency of agreements without a schedule.
const IRREGULAR: &str = "irregular";

impl Reader<'_> {
    pub(super) fn units(&mut self, root: &Map<String, Value>) -> Vec<String> {
        let units = self.texts(("", "units"), root, MAX_UNIT);
        let items = member(root, "units").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for (place, item) in items.iter().enumerate() {
            if units.iter().any(|unit| item == unit.as_str() && !is_slug(unit)) {
                self.found.add(format!("units.{place}"), Rule::NotSlug);
            }
        }
        units
    }

    /// Decision: if nothing is configured, agreements of every type are accepted, and unscheduled ones have
    /// any id and the frequency `irregular`.
    pub(super) fn agreements(&mut self, root: &Map<String, Value>) -> AgreementSettings {
        let mut settings = AgreementSettings {
            enforce: false,
            types: Vec::new(),
            unscheduled_ids: Vec::new(),
            unscheduled_frequencies: Vec::from([IRREGULAR]),
        };
        if member(root, "agreements").is_none() {
            return settings;
        }
        let Some(object) = self.object("", root, "agreements") else { return settings };
        settings.enforce = self.flag("agreements", object, "enforce", false);
        settings.types = self.some_words(("agreements", "types"), object, TYPES, |word| known(TYPES, word));
        if member(object, "unscheduled").is_none() {
            return settings;
        }
        let Some(object) = self.object("agreements", object, "unscheduled") else { return settings };
        let path = "agreements.unscheduled";
        settings.unscheduled_ids = self.texts((path, "ids"), object, MAX_ID);
        if member(object, "frequencies").is_some() {
            settings.unscheduled_frequencies =
                self.some_words((path, "frequencies"), object, FREQUENCIES, |word| known(FREQUENCIES, word));
        }
        settings
    }

    /// A list of different words, which has at least one if it is given.
    fn some_words(
        &mut self,
        (base, name): (&str, &str),
        object: &Map<String, Value>,
        words: &'static [&'static str],
        parse: fn(&str) -> Option<&'static str>,
    ) -> Vec<&'static str> {
        let listed = self.words((base, name), object, words, parse);
        let path = join(base, name);
        if listed.is_empty() && member(object, name).is_some() && !self.found.has_within(&path) {
            self.found.add(path, Rule::EmptyList);
        }
        listed
    }
}
