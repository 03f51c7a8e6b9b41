//! The same bytes as `serde_json` writes.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Unwritable, write};

#[derive(Serialize)]
struct Everything<'a> {
    flag: bool,
    number: i64,
    #[serde(rename = "a \"name\"\n")]
    text: &'a str,
    character: char,
    unit: (),
    none: Option<u8>,
    some: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<u8>,
    raw: &'a RawValue,
    list: Vec<&'a RawValue>,
    pair: (u8, Word),
    newtype: Newtype,
    map: BTreeMap<Word, Option<&'a RawValue>>,
    #[serde(flatten)]
    more: BTreeMap<String, u64>,
    nothing: Nothing,
}

#[derive(Serialize)]
struct Nothing {}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Word {
    OneWord,
    Other,
}

#[derive(Serialize)]
struct Newtype(i8);

#[derive(Serialize)]
#[serde(untagged)]
enum Untagged {
    Text(String),
    Numbers(Vec<u16>),
}

#[test]
fn every_kind_of_value_is_written_as_serde_json_writes_it() {
    let raw: &RawValue = serde_json::from_str("{ \"a\" : [1.50, \"\\u0041\"] }").unwrap();
    for text in ["", "plain", "\u{0}\u{1f}\u{7f}\u{80}\u{2028}\"\\/\u{8}\u{c}\n\r\t", "\u{645}\"\u{1F600}"] {
        let value = Everything {
            flag: true,
            number: i64::MIN,
            text,
            character: '"',
            unit: (),
            none: None,
            some: Some(text),
            absent: None,
            raw,
            list: [raw, raw].into(),
            pair: (255, Word::Other),
            newtype: Newtype(-128),
            map: [(Word::OneWord, Some(raw)), (Word::Other, None)].into(),
            more: [(text.to_string(), u64::MAX), ("b".to_string(), 0)].into(),
            nothing: Nothing {},
        };
        assert_eq!(write(&value), Ok(serde_json::to_string(&value).unwrap()));
    }
    for value in [Untagged::Text("a".into()), Untagged::Numbers([1, 2].into()), Untagged::Numbers(Vec::new())]
    {
        assert_eq!(write(&value), Ok(serde_json::to_string(&value).unwrap()));
    }
}

#[test]
fn every_character_is_escaped_as_serde_json_escapes_it() {
    for character in (0..=0x2_FFFF).filter_map(char::from_u32) {
        let text = alloc::format!("a{character}b{character}");
        assert_eq!(write(&text), Ok(serde_json::to_string(&text).unwrap()));
    }
}

/// Displayed in parts.
struct Displayed;

impl core::fmt::Display for Displayed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("\n\"")?;
        f.write_str("a")
    }
}

impl Serialize for Displayed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[test]
fn what_is_displayed_is_a_text() {
    assert_eq!(write(&[Displayed, Displayed]).unwrap(), r#"["\n\"a","\n\"a"]"#);
}

#[test]
fn an_escape_is_found_wherever_it_is() {
    for length in 0..40 {
        for at in 0..length {
            for character in ["\"", "\\", "\u{1f}", "\u{0}", " ", "\u{7f}", "!", "#", "[", "]"] {
                for filling in ["a", "\u{7f}", "!", "#", "]"] {
                    let text = filling.repeat(at) + character + &filling.repeat(length);
                    assert_eq!(write(&text), Ok(serde_json::to_string(&text).unwrap()));
                }
                let text = "\u{645}".repeat(at) + character + &"\u{80}\u{10FFFF}".repeat(length);
                assert_eq!(write(&text), Ok(serde_json::to_string(&text).unwrap()));
            }
        }
    }
}

#[derive(Serialize)]
enum Variant {
    Newtype(u8),
    Tuple(u8, u8),
    Struct { a: u8 },
}

struct Bytes;

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(b"a")
    }
}

#[test]
fn what_has_no_json_is_an_error() {
    assert_eq!(write(&Variant::Newtype(1)), Err(Unwritable));
    assert_eq!(write(&Variant::Tuple(1, 2)), Err(Unwritable));
    assert_eq!(write(&Variant::Struct { a: 1 }), Err(Unwritable));
    assert_eq!(write(&Bytes), Err(Unwritable));
    assert_eq!(write(&BTreeMap::from([(1, 2)])), Err(Unwritable));
    assert_eq!(write(&BTreeMap::from([(true, 2)])), Err(Unwritable));
}
