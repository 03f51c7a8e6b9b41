//! Custom fields of a plugin: keys of `extra` that the merchant declares with a label and a type. What is not
//! declared stays free.

use alloc::string::String;
use alloc::vec::Vec;

use crate::words::Bilingual;

/// A key of `extra` with a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomField {
    /// The key: 1 to 64 letters, digits, hyphens and underscores.
    pub key: String,
    /// What the payer reads next to the value.
    pub label: Bilingual,
    /// What values it accepts.
    pub kind: FieldKind,
    /// Whether every transaction of the plugin must have it.
    pub is_required: bool,
}

/// What values a custom field accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// One line of text.
    Text {
        /// The most characters.
        max_length: usize,
        /// The only texts that it accepts; empty for any.
        options: Vec<String>,
    },
    /// A JSON number, or its text.
    Number,
    /// `true` or `false`, or in a form their text, `1` or `0`.
    Boolean,
    /// A calendar date.
    Date,
    /// An e-mail address of at most 128 characters.
    Email,
    /// One line of at most 200 characters that says what is paid for.
    Description,
    /// A list of what the order has: objects with a `name`, and a `quantity` and an `amount` if they are given.
    Items,
}

impl FieldKind {
    /// The words of the settings document.
    pub const WORDS: &'static [&'static str] =
        &["text", "number", "boolean", "date", "email", "description", "items"];
}
