//! The custom fields of a plugin in a settings document.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::reader::{At, DocumentReader, MAX_NAME, join};
use crate::settings::custom_field::{CustomField, FieldKind};
use crate::value::text::{check_line, is_slug};
use crate::violation::Rule;
use crate::wire::json::text_of;
use crate::wire::members::Members;

/// The most fields of a plugin.
const MAX_FIELDS: usize = 50;
/// The longest key.
const MAX_KEY: usize = 64;
/// The longest text, and the limit if the field gives none.
const MAX_TEXT: usize = 1_000;
/// The most options of a field.
const MAX_OPTIONS: usize = 100;

impl DocumentReader<'_> {
    pub(super) fn custom_fields(&mut self, path: &str, object: &Members<'_>) -> Vec<CustomField> {
        let items = self.list(path, object, "custom_fields");
        let path = join(path, "custom_fields");
        if items.len() > MAX_FIELDS {
            self.found.add(path, Rule::TooManyItems { max: MAX_FIELDS });
            return Vec::new();
        }
        let mut fields: Vec<CustomField> = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let path = format!("{path}.{place}");
            let Some(object) = Members::of(item) else {
                self.found.add(path, Rule::NotObject);
                continue;
            };
            let Some(field) = self.custom_field(&path, &object) else { continue };
            if fields.iter().any(|known| known.key == field.key) {
                self.found.add(join(&path, "key"), Rule::Repeated);
            }
            fields.push(field);
        }
        fields
    }

    fn custom_field(&mut self, path: &str, object: &Members<'_>) -> Option<CustomField> {
        let key = self.line(path, object, "key", MAX_KEY).and_then(|key| {
            if is_slug(&key) { Some(key) } else { self.refuse(join(path, "key"), Rule::NotSlug) }
        });
        let label = self.bilingual(path, object, "label", MAX_NAME);
        let word = self.word(At { base: path, name: "type" }, object, FieldKind::WORDS, |word| {
            FieldKind::WORDS.iter().find(|known| **known == word).copied()
        });
        let is_required = self.flag(path, object, "required", false);
        let kind = match word? {
            "number" => FieldKind::Number,
            "boolean" => FieldKind::Boolean,
            "date" => FieldKind::Date,
            "email" => FieldKind::Email,
            "description" => FieldKind::Description,
            "items" => FieldKind::Items,
            _ => self.text_kind(path, object),
        };
        Some(CustomField { key: key?, label: label?, kind, is_required })
    }

    fn text_kind(&mut self, path: &str, object: &Members<'_>) -> FieldKind {
        let max_length = match object.get("max_length") {
            None => MAX_TEXT,
            Some(value) => {
                let given: Option<usize> = value.get().parse().ok();
                given.filter(|given| (1..=MAX_TEXT).contains(given)).unwrap_or_else(|| {
                    self.found.add(join(path, "max_length"), Rule::NotInteger { min: 1, max: 1_000 });
                    MAX_TEXT
                })
            }
        };
        FieldKind::Text {
            max_length,
            options: self.texts(At { base: path, name: "options" }, object, max_length),
        }
    }

    /// A list of different lines of text; one that is left out is empty, one that is given is not.
    pub(super) fn texts(&mut self, at: At<'_>, object: &Members<'_>, max_length: usize) -> Vec<String> {
        let items = self.list(at.base, object, at.name);
        let path = at.path();
        if items.len() > MAX_OPTIONS {
            self.found.add(path, Rule::TooManyItems { max: MAX_OPTIONS });
            return Vec::new();
        }
        if items.is_empty() && object.get(at.name).is_some() && !self.found.has(&path) {
            self.found.add(path.clone(), Rule::EmptyList);
        }
        let mut texts: Vec<String> = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let rule = match text_of(item) {
                None => Rule::NotText,
                Some(text) if text.is_empty() => Rule::Blank,
                Some(text) if texts.iter().any(|known| *known == text) => Rule::Repeated,
                Some(text) => match check_line(&text, max_length) {
                    Ok(()) => {
                        texts.push(text.into_owned());
                        continue;
                    }
                    Err(error) => error.into(),
                },
            };
            self.found.add(format!("{path}.{place}"), rule);
        }
        texts
    }
}
