//! Forms in place of JSON: create and update also take `application/x-www-form-urlencoded` and `multipart/form-data`.
//!
//! The fields of a form become the JSON object that says the same, and all rules are then those of JSON:
//!
//! - a list is a repeated field (`pg_codes=knet&pg_codes=cash`); `email_recipients` may also be separated by commas;
//! - an object is a field whose value is its JSON text (`extra={"a":1}`), or a field a member with dots
//!   (`agreement.id=A1`, `notifications.email=paid&notifications.email=failed`);
//! - everything else is text. Of a field that is given twice the last value counts.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::rejection::Rejection;

/// The most fields of a form.
pub const MAX_FIELDS: usize = 256;
/// The most dots in the name of a field.
const MAX_DOTS: usize = 3;
/// Fields that are lists.
const LISTS: &[&str] =
    &["pg_codes", "email_recipients", "notifications.email", "notifications.sms", "notifications.whatsapp"];
/// Fields that are objects.
const OBJECTS: &[&str] = &[
    "agreement",
    "agreement.extra_params",
    "agreement.seller",
    "billing_address",
    "card_acceptance_criteria",
    "extra",
    "notifications",
    "payment_instrument",
    "shipping_address",
];

/// The JSON text of a form.
///
/// # Errors
/// [`Rejection::MalformedBody`] for more than [`MAX_FIELDS`] fields, or a name that nests without end.
pub fn to_json(fields: &[(String, String)]) -> Result<String, Rejection> {
    if fields.len() > MAX_FIELDS {
        return Err(Rejection::MalformedBody);
    }
    let mut root = Object::default();
    for (name, value) in fields {
        if name.matches('.').count() > MAX_DOTS {
            return Err(Rejection::MalformedBody);
        }
        root.put(name, name, value);
    }
    // Texts and JSON that was read always serialise.
    Ok(serde_json::to_string(&root).unwrap_or_default())
}

#[derive(Serialize, Default)]
#[serde(transparent)]
struct Object<'f>(BTreeMap<&'f str, Member<'f>>);

#[derive(Serialize)]
#[serde(untagged)]
enum Member<'f> {
    Text(&'f str),
    List(Vec<String>),
    Object(Object<'f>),
    Raw(&'f RawValue),
}

impl<'f> Object<'f> {
    /// Puts a field into its place. `path` is its whole name, `rest` what of it is still to go down.
    fn put(&mut self, path: &'f str, rest: &'f str, value: &'f str) {
        if let Some((first, rest)) = rest.split_once('.') {
            let slot = self.0.entry(first).or_insert_with(|| Member::Object(Self::default()));
            if !matches!(slot, Member::Object(_)) {
                *slot = Member::Object(Self::default());
            }
            if let Member::Object(inner) = slot {
                inner.put(path, rest, value);
            }
        } else if LISTS.contains(&path) {
            self.append(path, rest, value);
        } else {
            let object = Some(value).filter(|_| OBJECTS.contains(&path)).and_then(|text| read(text, '{'));
            self.0.insert(rest, object.map_or(Member::Text(value), Member::Raw));
        }
    }

    fn append(&mut self, path: &str, name: &'f str, value: &'f str) {
        if let Some(list) = read(value, '[') {
            self.0.insert(name, Member::Raw(list));
            return;
        }
        let slot = self.0.entry(name).or_insert_with(|| Member::List(Vec::new()));
        if !matches!(slot, Member::List(_)) {
            *slot = Member::List(Vec::new());
        }
        if let Member::List(items) = slot {
            let separator = if path == "email_recipients" { ',' } else { '\0' };
            items.extend(
                value
                    .split(separator)
                    .map(str::trim)
                    .filter(|item| !item.is_empty())
                    .map(ToString::to_string),
            );
        }
    }
}

/// A JSON text that begins as it should.
fn read(text: &str, first: char) -> Option<&RawValue> {
    serde_json::from_str::<&RawValue>(text).ok().filter(|raw| raw.get().starts_with(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn json(fields: &[(&str, &str)]) -> String {
        let fields: Vec<(String, String)> =
            fields.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        to_json(&fields).unwrap()
    }

    #[test]
    fn plain_fields_are_texts_and_the_last_of_a_repeated_one_counts() {
        assert_eq!(
            json(&[("amount", "1.000"), ("amount", "2.000"), ("a\"b", "c\"d")]),
            r#"{"a\"b":"c\"d","amount":"2.000"}"#
        );
    }

    #[test]
    fn lists_are_repeated_fields_or_json() {
        assert_eq!(json(&[("pg_codes", "knet"), ("pg_codes", "cash")]), r#"{"pg_codes":["knet","cash"]}"#);
        assert_eq!(json(&[("pg_codes", r#"["knet", "cash"]"#)]), r#"{"pg_codes":["knet", "cash"]}"#);
        assert_eq!(
            json(&[("email_recipients", "a@b.example, c@d.example"), ("email_recipients", "e@f.example")]),
            r#"{"email_recipients":["a@b.example","c@d.example","e@f.example"]}"#
        );
    }

    #[test]
    fn objects_are_json_or_fields_with_dots() {
        assert_eq!(json(&[("extra", r#"{"a": 1.10}"#)]), r#"{"extra":{"a": 1.10}}"#);
        assert_eq!(json(&[("extra", "none")]), r#"{"extra":"none"}"#);
        assert_eq!(
            json(&[
                ("agreement.id", "A1"),
                ("agreement.seller.name", "Till"),
                ("notifications.email", "paid")
            ]),
            r#"{"agreement":{"id":"A1","seller":{"name":"Till"}},"notifications":{"email":["paid"]}}"#
        );
    }

    #[test]
    fn a_field_and_its_members_do_not_break_each_other() {
        assert_eq!(json(&[("agreement", "x"), ("agreement.id", "A1")]), r#"{"agreement":{"id":"A1"}}"#);
        assert_eq!(json(&[("agreement.id", "A1"), ("agreement", "x")]), r#"{"agreement":"x"}"#);
    }

    #[test]
    fn endless_forms_are_refused() {
        let many: Vec<(String, String)> = (0..257).map(|n| (format!("f{n}"), String::new())).collect();
        assert_eq!(to_json(&many), Err(Rejection::MalformedBody));
        assert_eq!(to_json(&[("a.b.c.d.e".into(), String::new())]), Err(Rejection::MalformedBody));
    }
}
