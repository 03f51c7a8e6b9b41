//! Reads JSON objects whose members have one type each: what this service stored, and what gateways send.
//! Requests of merchants and payers are read by [`field`](super::field), which reports what is wrong; here an
//! object is either valid or not.
//!
//! There is one reader for all of them, because a reader that is derived for each is many times as large.
//! `null` reads as absent, and unknown names are ignored. If a name that is read occurs twice, the object is
//! invalid: it is not clear which one was meant.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::json;
use super::members::Members;

/// An object while its members are read.
#[derive(Debug)]
pub struct Object<'a> {
    members: Members<'a>,
    /// Which names there may be: of each member the bit of its name ([`bit_of`]).
    names: u64,
    is_sound: bool,
}

impl<'a> Object<'a> {
    /// What `read` makes of the object in a text; `None` if the text is no object, if a member is of another
    /// type than expected, and if a required member is missing.
    pub fn read<T, B: AsRef<[u8]> + ?Sized>(text: &'a B, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let members = Members::read(text.as_ref()).ok()?;
        let names = members.all().fold(0, |names, (name, _)| names | bit_of(name));
        let mut object = Self { members, names, is_sound: true };
        let value = read(&mut object);
        object.is_sound.then_some(value)
    }

    /// A text that is required.
    pub fn text(&mut self, name: &str) -> String {
        let text = self.optional_text(name);
        self.is_sound &= text.is_some();
        text.unwrap_or_default()
    }

    /// A text.
    pub fn optional_text(&mut self, name: &str) -> Option<String> {
        self.read_member(name, |raw| json::text_of(raw).map(Cow::into_owned))
    }

    /// A text that `parse` accepts.
    pub fn word<T>(&mut self, name: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let word = self.read_member(name, json::text_of)?;
        self.sound(parse(&word))
    }

    /// A text that is required, and that `parse` accepts.
    pub(crate) fn needed_word<T>(&mut self, name: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let word = self.word(name, parse);
        self.sound(word)
    }

    /// A whole number that is required, and that fits into `T`.
    pub(crate) fn needed_number<T: TryFrom<i64>>(&mut self, name: &str) -> Option<T> {
        let number = self.number(name);
        self.sound(number)
    }

    /// A whole number that fits into `T`.
    pub fn number<T: TryFrom<i64>>(&mut self, name: &str) -> Option<T> {
        let number: i64 = self.read_member(name, |raw| raw.get().parse().ok())?;
        self.sound(T::try_from(number).ok())
    }

    /// `true` or `false`.
    pub fn flag(&mut self, name: &str) -> Option<bool> {
        self.read_member(name, |raw| raw.get().parse().ok())
    }

    /// A list of texts.
    pub fn texts(&mut self, name: &str) -> Vec<String> {
        self.read_member(name, |raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
    }

    /// An object within.
    pub fn object<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.read_member(name, |raw| Self::read(raw.get(), read))
    }

    /// Any value, as it is written.
    pub fn raw(&mut self, name: &str) -> Option<&'a RawValue> {
        // Most of the names that are asked for are absent.
        if self.names & bit_of(name) == 0 {
            return None;
        }
        let mut found = self.members.all().filter(|(known, _)| *known == name).map(|(_, raw)| raw);
        let raw = found.next();
        self.is_sound &= found.next().is_none();
        raw.filter(|raw| raw.get() != "null")
    }

    /// A copy of any value, as it is written.
    pub(crate) fn verbatim(&mut self, name: &str) -> Option<Box<RawValue>> {
        self.raw(name).map(ToOwned::to_owned)
    }

    /// A list of objects that is required; `read` takes the text of each.
    pub fn objects<T>(&mut self, name: &str, read: impl Fn(&'a str) -> Option<T>) -> Vec<T> {
        let objects = self.read_member(name, |raw| {
            json::items(raw)?.into_iter().map(|item| read(item.get())).collect::<Option<Vec<T>>>()
        });
        self.sound(objects).unwrap_or_default()
    }

    fn read_member<T>(&mut self, name: &str, read: impl FnOnce(&'a RawValue) -> Option<T>) -> Option<T> {
        let raw = self.raw(name)?;
        self.sound(read(raw))
    }

    fn sound<T>(&mut self, value: Option<T>) -> Option<T> {
        self.is_sound &= value.is_some();
        value
    }
}

/// One of 64 bits that depends on the first and the last letter of a name and on its length.
fn bit_of(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let letter = |byte: Option<&u8>| u32::from(*byte.unwrap_or(&0));
    let length = u32::try_from(bytes.len()).unwrap_or_default();
    let sum = letter(bytes.first()).wrapping_mul(7).wrapping_add(letter(bytes.last()).wrapping_mul(3));
    1_u64.wrapping_shl(sum.wrapping_add(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(object: &mut Object<'_>) -> (String, Option<u16>, Option<bool>, Vec<String>) {
        (object.text("text"), object.number("number"), object.flag("flag"), object.texts("texts"))
    }

    #[test]
    fn members_are_read_by_their_types_and_null_is_absent() {
        let text =
            r#"{"number": 7, "text": "\u0061\n", "flag": true, "texts": ["b"], "more": {}, "more": 1}"#;
        assert_eq!(
            Object::read(text, sum),
            Some(("a\n".into(), Some(7), Some(true), alloc::vec!["b".into()]))
        );
        let text = r#"{"text": "", "number": null}"#;
        assert_eq!(Object::read(text, sum), Some((String::new(), None, None, Vec::new())));
    }

    #[test]
    fn a_member_of_another_type_and_a_missing_one_break_the_object() {
        for text in [
            r#"{"text": "", "number": "1"}"#,
            r#"{"text": "", "number": 1, "number": 1}"#,
            r#"{"text": "", "number": 1, "number": null}"#,
            r#"{"text": "", "number": 65536}"#,
            r#"{"text": "", "number": 1.5}"#,
            r#"{"text": "", "number": -1}"#,
            r#"{"text": "", "flag": 1}"#,
            r#"{"text": "", "texts": "b"}"#,
            r#"{"text": "", "texts": [1]}"#,
            r#"{"text": 1}"#,
            r#"{"text": "\ud800"}"#,
            r#"{"text": null}"#,
            "{}",
            "[]",
            "",
        ] {
            assert_eq!(Object::read(text, sum), None, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_within_breaks_the_object_around_it() {
        let read = |object: &mut Object<'_>| object.object("inner", |inner| inner.text("text"));
        assert_eq!(Object::read(r#"{"inner": {"text": "a"}}"#, read), Some(Some("a".into())));
        assert_eq!(Object::read("{}", read), Some(None));
        assert_eq!(Object::read(r#"{"inner": {}}"#, read), None);
        assert_eq!(Object::read(r#"{"inner": "a"}"#, read), None);
        let word = |object: &mut Object<'_>| object.word("word", |word| (word == "a").then_some(1));
        assert_eq!(Object::read(r#"{"word": "a"}"#, word), Some(Some(1)));
        assert_eq!(Object::read(r#"{"word": "b"}"#, word), None);
        let list = |object: &mut Object<'_>| {
            object.objects("list", |text| Object::read(text, |inner| inner.text("a")))
        };
        assert_eq!(Object::read(r#"{"list": [{"a": "b"}]}"#, list), Some(alloc::vec!["b".into()]));
        for text in [r#"{"list": [{"a": "b"}, {}]}"#, r#"{"list": {}}"#, r#"{"list": null}"#, "{}"] {
            assert_eq!(Object::read(text, list), None, "{text}");
        }
        let verbatim = |object: &mut Object<'_>| object.verbatim("raw").map(|raw| raw.get().to_owned());
        assert_eq!(Object::read(r#"{"raw": [ 1]}"#, verbatim), Some(Some("[ 1]".into())));
    }
}
