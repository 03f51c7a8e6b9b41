//! A JSON value in its parts, to be changed and written again: without spaces, its members in alphabetical order, its
//! numbers as they were written. If a name occurs twice, the last one counts.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::json;
use super::members::Members;
use crate::value::json::{Unwritten, write_texts};

/// How many levels a value has at most, so that the stack is never too small for it.
const MAX_LEVELS: u8 = 127;

/// A value.
#[derive(Debug)]
pub(crate) enum Tree<'a> {
    Text(Cow<'a, str>),
    Object(BTreeMap<Cow<'a, str>, Self>),
    List(Vec<Self>),
    /// A number, `true`, `false` or `null`.
    Other(&'a RawValue),
    /// A text that is compared, and never written: the second text is written in its place.
    Hidden(Cow<'a, str>, &'static str),
}

/// Two values are the same if they are written in the same way; hidden texts, if they are the same.
impl PartialEq for Tree<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(other)) | (Self::Hidden(one, _), Self::Hidden(other, _)) => {
                one == other
            }
            (Self::Object(one), Self::Object(other)) => one.iter().eq(other.iter()),
            (Self::List(one), Self::List(other)) => one == other,
            (Self::Other(one), Self::Other(other)) => one.get() == other.get(),
            (Self::Text(_) | Self::Object(_) | Self::List(_) | Self::Other(_) | Self::Hidden(..), _) => false,
        }
    }
}

impl<'a> Tree<'a> {
    /// Reads a text; `None` for what is not JSON, or has too many levels.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        Self::parse_only(text, &|_| true)
    }

    /// Reads a text, of its objects at every level only the members whose names are kept; nothing else of it is taken apart.
    pub(crate) fn parse_only(text: &'a str, keeps: &dyn Fn(&str) -> bool) -> Option<Self> {
        Self::of(serde_json::from_str(text).ok()?, MAX_LEVELS, keeps)
    }

    fn of(raw: &'a RawValue, levels: u8, keeps: &dyn Fn(&str) -> bool) -> Option<Self> {
        match raw.get().as_bytes() {
            [b'"', ..] => json::text_of(raw).map(Self::Text),
            [b'{', ..] => {
                let levels = levels.checked_sub(1)?;
                let members = Members::of(raw)?.into_iter().filter(|(name, _)| keeps(name));
                let members = members.map(|(name, raw)| Some((name, Self::of(raw, levels, keeps)?)));
                members.collect::<Option<_>>().map(Self::Object)
            }
            [b'[', ..] => {
                let levels = levels.checked_sub(1)?;
                let items = json::items(raw)?.into_iter().map(|raw| Self::of(raw, levels, keeps));
                items.collect::<Option<_>>().map(Self::List)
            }
            _ => Some(Self::Other(raw)),
        }
    }

    /// A text; `None` for another value.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Object(_) | Self::List(_) | Self::Other(_) | Self::Hidden(..) => None,
        }
    }

    /// A member of an object; `None` for another value.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.get(name),
            Self::Text(_) | Self::List(_) | Self::Other(_) | Self::Hidden(..) => None,
        }
    }

    /// A member of an object, to be changed; `None` for another value.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Self> {
        match self {
            Self::Object(members) => members.get_mut(name),
            Self::Text(_) | Self::List(_) | Self::Other(_) | Self::Hidden(..) => None,
        }
    }

    /// Sets a member of an object.
    pub(crate) fn set(&mut self, name: &'a str, value: Self) {
        if let Self::Object(members) = self {
            members.insert(Cow::Borrowed(name), value);
        }
    }

    /// Never writes a text again: `shown` is written in its place.
    pub(crate) fn hide(&mut self, shown: &'static str) {
        if let Self::Text(text) = self {
            *self = Self::Hidden(core::mem::take(text), shown);
        }
    }

    /// The members that differ from those of another object, as JSON.
    pub(crate) fn to_json_without(&self, other: &Tree<'_>) -> String {
        let Self::Object(members) = self else { return self.to_json() };
        let differing =
            members.iter().filter(|(name, value)| other.get(name).is_none_or(|same| same != *value));
        let mut text = String::new();
        write_members(&mut text, differing);
        text
    }

    /// Removes a member of an object.
    pub(crate) fn remove(&mut self, name: &str) {
        if let Self::Object(members) = self {
            members.remove(name);
        }
    }

    /// The items of a list; none for another value.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            Self::Text(_) | Self::Object(_) | Self::Other(_) | Self::Hidden(..) => &[],
        }
    }

    /// The items of a list, to be changed; none for another value.
    pub(crate) fn items_mut(&mut self) -> &mut [Self] {
        match self {
            Self::List(items) => items,
            Self::Text(_) | Self::Object(_) | Self::Other(_) | Self::Hidden(..) => &mut [],
        }
    }

    /// Visits every text in the value, to be read or changed; names of members are none.
    pub(crate) fn visit_texts(&mut self, visit: &mut dyn FnMut(&mut Cow<'a, str>)) {
        match self {
            Self::Text(text) => visit(text),
            Self::Object(members) => members.values_mut().for_each(|member| member.visit_texts(visit)),
            Self::List(items) => items.iter_mut().for_each(|item| item.visit_texts(visit)),
            Self::Other(_) | Self::Hidden(..) => {}
        }
    }

    /// The value as JSON.
    pub(crate) fn to_json(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    /// The value as JSON that a type holds.
    pub(crate) fn to_raw(&self) -> Result<Box<RawValue>, Unwritten> {
        RawValue::from_string(self.to_json()).map_err(|_| Unwritten)
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Text(own) => text.push_str(&write_texts(&**own)),
            Self::Hidden(_, shown) => text.push_str(&write_texts(*shown)),
            Self::Other(raw) => text.push_str(raw.get()),
            Self::Object(members) => write_members(text, members.iter()),
            Self::List(items) => write_all(text, ('[', ']'), items.iter(), |text, item| item.write(text)),
        }
    }
}

/// Writes items between two brackets.
fn write_all<T>(
    text: &mut String,
    (open, close): (char, char),
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    text.push(open);
    for (place, item) in items.enumerate() {
        if place > 0 {
            text.push(',');
        }
        write(text, item);
    }
    text.push(close);
}

fn write_members<'m, 'a: 'm>(
    text: &mut String,
    members: impl Iterator<Item = (&'m Cow<'a, str>, &'m Tree<'a>)>,
) {
    write_all(text, ('{', '}'), members, |text, (name, value)| {
        text.push_str(&write_texts(&**name));
        text.push(':');
        value.write(text);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Option<String> {
        Tree::parse(text).map(|tree| tree.to_json())
    }

    #[test]
    fn a_value_is_written_without_spaces_and_in_alphabetical_order() {
        let text = " { \"b\" : [ 1.50, -0, 1e2, true, null, {}, [ ] ], \"\\u0061\": \"\\u00e4\\/\\n\" } ";
        let expected = r#"{"a":"ä/\n","b":[1.50,-0,1e2,true,null,{},[]]}"#;
        assert_eq!(written(text).as_deref(), Some(expected));
        assert_eq!(written(expected).as_deref(), Some(expected));
        assert_eq!(written(r#"{"a":1,"b":2,"a":{"c":3}}"#).as_deref(), Some(r#"{"a":{"c":3},"b":2}"#));
    }

    #[test]
    fn parts_are_found_changed_and_removed() {
        let mut tree = Tree::parse(r#"{"list":[{"a":"b","c":1}],"text":"x"}"#).unwrap();
        for item in tree.get_mut("list").unwrap().items_mut() {
            item.remove("c");
            *item.get_mut("a").unwrap() = Tree::Text("d".into());
        }
        tree.remove("nothing");
        assert_eq!(tree.to_json(), r#"{"list":[{"a":"d"}],"text":"x"}"#);
        assert_eq!(tree.get("text").and_then(Tree::text), Some("x"));
        assert_eq!(tree.get("list").unwrap().items().len(), 1);
        let text = tree.get_mut("text").unwrap();
        text.remove("a");
        assert!(text.get("a").is_none() && text.get_mut("a").is_none());
        assert!(text.items().is_empty() && text.items_mut().is_empty());
        assert!(tree.text().is_none() && tree.get("nothing").is_none());
    }

    #[test]
    fn a_hidden_text_is_compared_and_never_written() {
        let hidden = |text: &'static str| {
            let mut tree = Tree::parse(text).unwrap();
            tree.get_mut("a").unwrap().hide("***");
            tree
        };
        let (one, same, other) =
            (hidden(r#"{"a":"x","b":1}"#), hidden(r#"{"a":"x","b":1}"#), hidden(r#"{"a":"y","b":1}"#));
        assert_eq!(one.to_json(), r#"{"a":"***","b":1}"#);
        assert!(one == same && one != other && one.get("a").unwrap().text().is_none());
        assert!(one != Tree::parse(r#"{"a":"x","b":1}"#).unwrap(), "a text that is written is another value");
        assert_eq!(one.to_json_without(&other), r#"{"a":"***"}"#);
    }

    #[test]
    fn every_text_is_visited_wherever_it_is() {
        let mut tree = Tree::parse(r#"{"a":"1","b":[{"c":"2"},"3",4,null],"5":6}"#).unwrap();
        tree.visit_texts(&mut |text| *text = [text.as_ref(), "!"].concat().into());
        assert_eq!(tree.to_json(), r#"{"5":6,"a":"1!","b":[{"c":"2!"},"3!",4,null]}"#);
    }

    #[test]
    fn what_is_not_json_or_nested_too_deeply_is_no_value() {
        for text in ["", "{", "[1,]", "{} {}", r#""\ud800""#, r#"{"\ud800":1}"#, r#"{"a":"\ud800","a":1}"#] {
            assert_eq!(written(text), None, "{text}");
        }
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(written(&nested(127)), Some(nested(127)));
        assert_eq!(written(&nested(128)), None);
        assert_eq!(written(&nested(100_000)), None);
    }
}
