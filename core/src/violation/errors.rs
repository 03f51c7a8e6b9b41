//! The violations in a problem body: nested as the fields are.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Violation;

/// The most levels of objects. A deeper path is one name with its dots: a name may be the caller's, and may
/// have thousands of them.
const MAX_LEVELS: usize = 8;

/// The messages of violations as the member `errors` of a problem body, in the order of the fields: a field
/// has a list of texts, a nested field an object.
#[must_use]
pub fn errors(violations: &[Violation]) -> impl Serialize + use<> {
    let mut root = Node { texts: Vec::new(), members: Vec::new() };
    for violation in violations {
        root.insert(&violation.path, violation.rule.to_string(), MAX_LEVELS);
    }
    root
}

/// What is wrong with one field, and with its members.
struct Node {
    texts: Vec<String>,
    members: Vec<(String, Self)>,
}

impl Node {
    fn insert(&mut self, path: &str, text: String, levels: usize) {
        let split = path.split_once('.').filter(|_| levels > 1);
        let (first, rest) = split.map_or((path, None), |(first, rest)| (first, Some(rest)));
        let place = self.members.iter().position(|(name, _)| name == first);
        let place = place.unwrap_or_else(|| {
            self.members.push((first.into(), Self { texts: Vec::new(), members: Vec::new() }));
            self.members.len().saturating_sub(1)
        });
        let Some((_, member)) = self.members.get_mut(place) else { return };
        match rest {
            Some(rest) => member.insert(rest, text, levels.saturating_sub(1)),
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
        // The field and its members are both wrong: the field's own texts are added to theirs.
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

    #[test]
    fn a_name_with_dots_without_end_does_not_nest_without_end() {
        let path = "a.".repeat(100_000);
        let text = serde_json::to_string(&errors(&[Violation::new(path.clone(), Rule::NotText)])).unwrap();
        assert_eq!(text.matches('{').count(), MAX_LEVELS);
        assert!(text.contains("a.a.a."));
    }
}
