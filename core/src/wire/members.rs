//! The members of a JSON object, raw, without a copy of their names.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::json::read;
use crate::rejection::Rejection;

/// The members in the order of the text. If a name occurs twice, the last one counts.
#[derive(Debug, Default)]
pub struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The members of an object; `None` for another value, and for a name that is not Unicode.
    #[must_use]
    pub fn of(raw: &'a RawValue) -> Option<Self> {
        Self::read(raw.get().as_bytes()).ok()
    }

    /// The members of a body that is one object.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything else.
    pub fn read(body: &'a [u8]) -> Result<Self, Rejection> {
        let mut members = Self::default();
        read(body, &mut |name, raw| members.push(name, raw))?;
        Ok(members)
    }

    /// Adds a member after the others.
    fn push(&mut self, name: Cow<'a, str>, raw: &'a RawValue) {
        self.0.push((name, raw));
    }

    /// A member; `null` reads as absent.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a RawValue> {
        let found = self.0.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, raw)| *raw).filter(|raw| raw.get() != "null")
    }

    /// Every member as it is in the text, including `null` and repeated ones.
    pub fn all(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, raw)| (name.as_ref(), *raw))
    }

    /// The members as they are in the text.
    pub(crate) fn into_iter(self) -> impl Iterator<Item = (Cow<'a, str>, &'a RawValue)> {
        self.0.into_iter()
    }

    /// Every member that is given and counts, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        let mut counts = BTreeMap::new();
        counts.extend(self.all());
        counts.into_iter().filter(|(_, raw)| raw.get() != "null")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_borrowed_or_unescaped_null_is_absent_and_the_last_counts() {
        let members = Members::read(br#"{"a": 1, "b": null, "\u0063": [2], "a": "3"}"#).unwrap();
        let text = |name| members.get(name).map(RawValue::get);
        assert_eq!((text("a"), text("b"), text("c"), text("d")), (Some("\"3\""), None, Some("[2]"), None));
        let counted: Vec<_> = members.iter().map(|(name, raw)| (name, raw.get())).collect();
        assert_eq!(counted, [("a", "\"3\""), ("c", "[2]")]);
    }
}
