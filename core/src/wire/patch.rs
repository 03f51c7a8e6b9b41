//! What leads from one JSON value to another, as JSON Patch (RFC 6902), with what each step replaces.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::tree::Tree;

/// One step: an operation of JSON Patch. What reads it as such ignores `before`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PatchStep {
    /// What was there, unless something is added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Box<RawValue>>,
    /// `add`, `remove` or `replace`.
    #[schemars(extend("enum" = ["add", "remove", "replace"]))]
    pub op: &'static str,
    /// Where, as a JSON Pointer (RFC 6901).
    pub path: String,
    /// What is there afterwards, unless something is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Box<RawValue>>,
}

/// The steps that lead from one value to another, in the order in which they are applied.
pub(crate) fn steps(before: &Tree<'_>, after: &Tree<'_>) -> Vec<PatchStep> {
    let mut steps = Vec::new();
    compare(&mut steps, "", before, after);
    steps
}

fn step(op: &'static str, path: String, before: Option<&Tree<'_>>, value: Option<&Tree<'_>>) -> PatchStep {
    let raw = |tree: Option<&Tree<'_>>| tree.and_then(|tree| tree.to_raw().ok());
    PatchStep { before: raw(before), op, path, value: raw(value) }
}

fn compare(steps: &mut Vec<PatchStep>, path: &str, before: &Tree<'_>, after: &Tree<'_>) {
    match (before, after) {
        (Tree::Object(old), Tree::Object(new)) => {
            for (name, value) in old {
                match new.get(name) {
                    Some(now) => compare(steps, &member(path, name), value, now),
                    None => steps.push(step("remove", member(path, name), Some(value), None)),
                }
            }
            for (name, value) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
                steps.push(step("add", member(path, name), None, Some(value)));
            }
        }
        (Tree::List(old), Tree::List(new)) => compare_lists(steps, path, old, new),
        (one, other) if one == other => {}
        _ => steps.push(step("replace", path.to_owned(), Some(before), Some(after))),
    }
}

/// What both lists begin and end with stays; what is between is compared item by item, and the rest of it is removed from
/// its end or added at it.
fn compare_lists(steps: &mut Vec<PatchStep>, path: &str, old: &[Tree<'_>], new: &[Tree<'_>]) {
    let first = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old, new) = (old.get(first..).unwrap_or_default(), new.get(first..).unwrap_or_default());
    let last = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let without_end = |length: usize| length.saturating_sub(last);
    let old = old.get(..without_end(old.len())).unwrap_or_default();
    let new = new.get(..without_end(new.len())).unwrap_or_default();
    let item = |place: usize| format!("{path}/{}", first.saturating_add(place));
    for (place, (one, other)) in old.iter().zip(new).enumerate() {
        compare(steps, &item(place), one, other);
    }
    for (place, gone) in old.iter().enumerate().skip(new.len()).rev() {
        steps.push(step("remove", item(place), Some(gone), None));
    }
    for (place, added) in new.iter().enumerate().skip(old.len()) {
        steps.push(step("add", item(place), None, Some(added)));
    }
}

/// The path of a member (RFC 6901).
fn member(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps, one text each.
    fn between(before: &str, after: &str) -> Vec<String> {
        let (before, after) = (Tree::parse(before).unwrap(), Tree::parse(after).unwrap());
        steps(&before, &after).iter().map(|step| serde_json::to_string(step).unwrap()).collect()
    }

    #[test]
    fn values_that_are_the_same_have_no_steps_between_them() {
        for text in ["{}", "[]", r#"{"a":[1,{"b":null}],"c":"d"}"#, "1.50"] {
            assert_eq!(between(text, text), Vec::<String>::new());
        }
        assert_eq!(between(r#"{"a":1,"b":2}"#, r#"{ "b": 2, "a": 1 }"#), Vec::<String>::new());
    }

    #[test]
    fn members_are_added_removed_and_replaced() {
        assert_eq!(
            between(r#"{"a":1,"b":{"c":"x","d/~":2}}"#, r#"{"b":{"c":"y"},"e":[]}"#),
            [
                r#"{"before":1,"op":"remove","path":"/a"}"#,
                r#"{"before":"x","op":"replace","path":"/b/c","value":"y"}"#,
                r#"{"before":2,"op":"remove","path":"/b/d~1~0"}"#,
                r#"{"op":"add","path":"/e","value":[]}"#,
            ]
        );
        assert_eq!(between("{}", "[]"), [r#"{"before":{},"op":"replace","path":"","value":[]}"#]);
    }

    #[test]
    fn one_item_that_is_added_or_removed_is_one_step() {
        assert_eq!(between("[1,2,3]", "[1,3]"), [r#"{"before":2,"op":"remove","path":"/1"}"#]);
        assert_eq!(between("[1,3]", "[1,2,3]"), [r#"{"op":"add","path":"/1","value":2}"#]);
        assert_eq!(between("[1,1,1]", "[1,1]"), [r#"{"before":1,"op":"remove","path":"/2"}"#]);
        assert_eq!(
            between("[]", "[1,2]"),
            [r#"{"op":"add","path":"/0","value":1}"#, r#"{"op":"add","path":"/1","value":2}"#,]
        );
        assert_eq!(
            between("[1,2,3,4]", "[9,4]"),
            [
                r#"{"before":1,"op":"replace","path":"/0","value":9}"#,
                r#"{"before":3,"op":"remove","path":"/2"}"#,
                r#"{"before":2,"op":"remove","path":"/1"}"#,
            ]
        );
    }
}
