//! How violations stand in a problem body: nested as the fields are.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Violation;

/// The messages of violations as the member `errors` of a problem body, in the order of the fields: a field holds a
/// list of texts, a nested field an object of its own.
#[must_use]
pub fn errors(violations: &[Violation]) -> impl Serialize + use<> {
    let mut root = Node { texts: Vec::new(), members: Vec::new() };
    for violation in violations {
        root.insert(&violation.path, violation.rule.to_string());
    }
    root
}

/// What is wrong with one field, and with its members.
struct Node {
    texts: Vec<String>,
    members: Vec<(String, Self)>,
}

impl Node {
    fn insert(&mut self, path: &str, text: String) {
        let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
        let place = self.members.iter().position(|(name, _)| name == first);
        let place = place.unwrap_or_else(|| {
            self.members.push((first.into(), Self { texts: Vec::new(), members: Vec::new() }));
            self.members.len().saturating_sub(1)
        });
        let Some((_, member)) = self.members.get_mut(place) else { return };
        match rest {
            Some(rest) => member.insert(rest, text),
            None => member.texts.push(text),
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.members.is_empty() && !self.texts.is_empty() {
            return self.texts.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        for (name, member) in &self.members {
            map.serialize_entry(name, member)?;
        }
        // The field and its members are both wrong: the field's own texts go beside theirs.
        if !self.texts.is_empty() {
            map.serialize_entry("non_field_errors", &self.texts)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::Rule;

    #[test]
    fn nested_paths_become_nested_objects() {
        let found = [
            Violation::new("amount", Rule::Required),
            Violation::new("agreement.id", Rule::TooLong { max: 128 }),
            Violation::new("amount", Rule::AmountTooSmall),
        ];
        assert_eq!(
            serde_json::to_value(errors(&found)).unwrap(),
            serde_json::json!({
                "amount": ["is required", "must be at least 0.01"],
                "agreement": {"id": ["must have at most 128 characters"]},
            })
        );
    }
}
