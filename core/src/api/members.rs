//! The members of a JSON object, raw, without a copy of their names.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::value::RawValue;

use super::json;

/// The members in the order of the text. Of a name that stands twice the last one counts.
#[derive(Debug, Default)]
pub struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The members of an object; `None` for another value, and for a name that is not Unicode.
    #[must_use]
    pub fn of(raw: &'a RawValue) -> Option<Self> {
        json::members(raw.get().as_bytes()).ok()
    }

    /// Adds a member behind the others.
    pub(super) fn push(&mut self, name: Cow<'a, str>, raw: &'a RawValue) {
        self.0.push((name, raw));
    }

    /// A member; `null` reads as absent.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a RawValue> {
        let found = self.0.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, raw)| *raw).filter(|raw| raw.get() != "null")
    }

    /// Every member as it stands in the text, `null` and repeated ones too.
    pub fn all(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, raw)| (name.as_ref(), *raw))
    }

    /// Every member that is given and counts, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        let mut counts = BTreeMap::new();
        counts.extend(self.all());
        counts.into_iter().filter(|(_, raw)| raw.get() != "null")
    }
}

/// A name, borrowed where it has no escapes.
pub(super) struct Name<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrow;

        impl<'de> Visitor<'de> for Borrow {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(name))
            }

            fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(name.into()))
            }
        }

        deserializer.deserialize_str(Borrow).map(Name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_borrowed_or_unescaped_null_is_absent_and_the_last_counts() {
        let members = json::members(br#"{"a": 1, "b": null, "\u0063": [2], "a": "3"}"#).unwrap();
        let text = |name| members.get(name).map(RawValue::get);
        assert_eq!((text("a"), text("b"), text("c"), text("d")), (Some("\"3\""), None, Some("[2]"), None));
        let counted: Vec<_> = members.iter().map(|(name, raw)| (name, raw.get())).collect();
        assert_eq!(counted, [("a", "\"3\""), ("c", "[2]")]);
    }
}
