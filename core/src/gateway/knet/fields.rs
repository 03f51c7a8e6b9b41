//! The fields of what KNET says: fragments of XML without a root, JSON in newer answers, and joined text behind the
//! encryption. All three are flat lists of names and texts, and are read as such: what has another form is not read.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use crate::wire::json::text_of;
use crate::wire::members::Members;

/// The most fields of one message.
const MAX_FIELDS: usize = 64;
/// The longest name.
const MAX_NAME: usize = 32;

/// Names and texts, each name once.
#[derive(Default)]
pub(super) struct KnetFields(Vec<(String, String)>);

impl KnetFields {
    /// The fields of an answer: XML, or one JSON object.
    pub(super) fn of_answer(body: &[u8]) -> Option<Self> {
        let text = core::str::from_utf8(body).ok()?.trim();
        if text.starts_with('{') { Self::of_json(text) } else { Self::of_xml(text) }
    }

    /// The fields of joined text, `name=text&name=text`, where `+` is a space.
    pub(super) fn of_joined(text: &str) -> Option<Self> {
        let mut fields = Self::default();
        for pair in text.split('&') {
            pair.contains('=').then_some(())?;
            let (name, text) = form_urlencoded::parse(pair.as_bytes()).next()?;
            fields.add(&name, text.into_owned())?;
        }
        Some(fields)
    }

    fn of_json(text: &str) -> Option<Self> {
        let mut fields = Self::default();
        for (name, raw) in Members::read(text.as_bytes()).ok()?.all() {
            let text = match raw.get().as_bytes() {
                [b'"', ..] => text_of(raw)?.into_owned(),
                [b'{' | b'[', ..] => return None,
                // A number is read as the text that it is.
                _ => raw.get().to_owned(),
            };
            fields.add(name, text)?;
        }
        Some(fields)
    }

    fn of_xml(text: &str) -> Option<Self> {
        let text = match text.strip_prefix("<?xml") {
            Some(rest) => rest.split_once("?>")?.1.trim(),
            None => text,
        };
        Self::of_elements(text).or_else(|| Self::of_elements(within_root(text)?))
    }

    fn of_elements(text: &str) -> Option<Self> {
        let mut fields = Self::default();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (name, after) = rest.strip_prefix('<')?.split_once('>')?;
            if let Some(name) = name.strip_suffix('/') {
                fields.add(name.trim_end(), String::new())?;
                rest = after.trim_start();
                continue;
            }
            let (text, after) = after.split_once('<')?;
            fields.add(name, unescaped(text.trim())?.into_owned())?;
            rest = after.strip_prefix('/')?.strip_prefix(name)?.strip_prefix('>')?.trim_start();
        }
        Some(fields)
    }

    /// Adds a field; `None` if its name is none, or is there already: it is not clear which one was meant.
    fn add(&mut self, name: &str, text: String) -> Option<()> {
        let is_known = self.0.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        if is_known || !is_name(name) || self.0.len() >= MAX_FIELDS {
            return None;
        }
        self.0.push((name.to_owned(), text));
        Some(())
    }

    /// A field that is given: KNET writes `null` for nothing.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, text)| text.trim()).filter(|text| !text.is_empty() && *text != "null")
    }

    /// The first of these fields that is given.
    pub(super) fn first(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.get(name))
    }
}

fn is_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

/// What is inside of the only element around everything.
fn within_root(text: &str) -> Option<&str> {
    let (name, rest) = text.strip_prefix('<')?.split_once('>')?;
    let inner = rest.strip_suffix('>')?.strip_suffix(name)?.strip_suffix("</")?;
    is_name(name).then_some(inner)
}

/// A text without its entities; `None` for an entity that is not of XML itself.
fn unescaped(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('&') {
        return Some(Cow::Borrowed(text));
    }
    let mut parts = text.split('&');
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        let (entity, rest) = part.split_once(';')?;
        plain.push(match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => return None,
        });
        plain.push_str(rest);
    }
    Some(Cow::Owned(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xml(text: &str) -> Option<Vec<(String, String)>> {
        KnetFields::of_answer(text.as_bytes()).map(|fields| fields.0)
    }

    fn one(name: &str, text: &str) -> Vec<(String, String)> {
        alloc::vec![(name.into(), text.into())]
    }

    #[test]
    fn fragments_are_read_with_and_without_a_root() {
        for text in [
            "<a>b</a>",
            " <a> b </a>\r\n",
            "<response><a>b</a></response>",
            "<?xml version=\"1.0\"?>\n<r>\n<a>b</a>\n</r>",
            "{\"a\": \"b\"}",
        ] {
            assert_eq!(xml(text), Some(one("a", "b")), "{text}");
        }
        assert_eq!(xml("<a>b &amp; &lt;c&gt;</a>"), Some(one("a", "b & <c>")));
        assert_eq!(xml("<a/>"), Some(one("a", "")));
        assert_eq!(xml("{\"a\": 1.500}"), Some(one("a", "1.500")));
        assert_eq!(xml(""), Some(Vec::new()));
    }

    #[test]
    fn what_is_not_a_flat_list_is_not_read() {
        for text in [
            "b",
            "<a>b",
            "<a>b</a",
            "<a>b</c>",
            "<a>b</a>c",
            "<a>b</a><a>c</a>",
            "<a>b</a><A>c</A>",
            "<a x=\"1\">b</a>",
            "<a>&x;</a>",
            "<a>b & c</a>",
            "<!DOCTYPE a>",
            "<![CDATA[x]]>",
            "<a><b><c>d</c></b></a>",
            "<>b</>",
            "<html>",
            "{\"a\": {}}",
            "{\"a\": []}",
            "{\"a\": \"b\"",
            "{\"a\": \"b\", \"a\": \"c\"}",
            "[]",
        ] {
            assert_eq!(xml(text), None, "{text}");
        }
        let many: Vec<String> = (0..65).map(|place| alloc::format!("<a{place}>b</a{place}>")).collect();
        assert_eq!(xml(&many.concat()), None);
    }

    #[test]
    fn joined_text_has_spaces_as_plus_signs() {
        let fields =
            KnetFields::of_joined("result=NOT+CAPTURED&auth=&ref=null&trackid=7H3K9M2P4Q5R").unwrap();
        assert_eq!(fields.get("result"), Some("NOT CAPTURED"));
        assert_eq!((fields.get("auth"), fields.get("ref")), (None, None));
        assert_eq!(fields.first(&["payid", "TRACKID"]), Some("7H3K9M2P4Q5R"));
        for text in ["", "result", "result=a&result=b", "=a", "a=b&", "a b=c"] {
            assert!(KnetFields::of_joined(text).is_none(), "{text}");
        }
    }
}
