//! The merchant's units, and what its agreements may contain, in a settings document.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::reader::{At, DocumentReader};
use crate::transaction::agreement::AgreementSettings;
use crate::value::text::is_slug;
use crate::violation::Rule;
use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::words::agreement::{AgreementType, Frequency};

/// The longest slug of a unit.
const MAX_UNIT: usize = 64;
/// The longest id of an agreement.
const MAX_ID: usize = 128;

impl DocumentReader<'_> {
    pub(super) fn units(&mut self, root: &Members<'_>) -> Vec<String> {
        let units = self.texts(At { base: "", name: "units" }, root, MAX_UNIT);
        let items: Vec<&RawValue> =
            root.get("units").and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
        for (place, item) in items.into_iter().enumerate() {
            if text_of(item).is_some_and(|text| units.iter().any(|unit| *unit == text) && !is_slug(&text)) {
                self.found.add(format!("units.{place}"), Rule::NotSlug);
            }
        }
        units
    }

    /// Decision: if nothing is configured, agreements of every type are accepted, and unscheduled ones have
    /// any id and the frequency `irregular`.
    pub(super) fn agreements(&mut self, root: &Members<'_>) -> AgreementSettings {
        let mut settings = AgreementSettings {
            enforce: false,
            types: Vec::new(),
            unscheduled_ids: Vec::new(),
            unscheduled_frequencies: Vec::from([Frequency::Irregular]),
        };
        if root.get("agreements").is_none() {
            return settings;
        }
        let Some(object) = self.object("", root, "agreements") else { return settings };
        settings.enforce = self.flag("agreements", &object, "enforce", false);
        let at = At { base: "agreements", name: "types" };
        settings.types = self.some_words(at, &object, AgreementType::WORDS, AgreementType::parse);
        if object.get("unscheduled").is_none() {
            return settings;
        }
        let Some(object) = self.object("agreements", &object, "unscheduled") else { return settings };
        let path = "agreements.unscheduled";
        settings.unscheduled_ids = self.texts(At { base: path, name: "ids" }, &object, MAX_ID);
        if object.get("frequencies").is_some() {
            let at = At { base: path, name: "frequencies" };
            settings.unscheduled_frequencies =
                self.some_words(at, &object, Frequency::WORDS, Frequency::parse);
        }
        settings
    }

    /// A list of different words, which has at least one if it is given.
    fn some_words<T: PartialEq>(
        &mut self,
        at: At<'_>,
        object: &Members<'_>,
        words: &'static [&'static str],
        parse: fn(&str) -> Option<T>,
    ) -> Vec<T> {
        let listed = self.words(at, object, words, parse);
        let path = at.path();
        if listed.is_empty() && object.get(at.name).is_some() && !self.found.has_within(&path) {
            self.found.add(path, Rule::EmptyList);
        }
        listed
    }
}
