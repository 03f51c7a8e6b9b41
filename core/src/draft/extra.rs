//! `extra`: the merchant's own keys. Keys that its plugin declares as custom fields must fit the declaration;
//! all others are free.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::format;

use serde_json::value::RawValue;

use crate::settings::PluginSettings;
use crate::settings::custom_field::{CustomField, FieldKind};
use crate::transaction::items;
use crate::value::email::is_permitted_email;
use crate::value::money::Currency;
use crate::value::text::check_line;
use crate::value::time::date::Date;
use crate::violation::Rule;
use crate::wire::field::{Fields, is_blank, read_flag};
use crate::wire::json::is_empty_list;
use crate::wire::members::Members;

/// The most bytes, as written.
const MAX_BYTES: usize = 16_384;
/// The longest description of an order.
const MAX_DESCRIPTION: usize = 200;
/// The longest e-mail address.
const MAX_EMAIL: usize = 128;
/// The keys that are declared for every merchant; both are texts.
const DECLARED: [&str; 2] = ["payment_category_amount", "payment_category_name"];

/// Reads `extra` and checks it against what `plugin` declares. `currency` is that of the transaction, if it could be read.
pub(super) fn read(
    fields: &mut Fields,
    raw: Option<&RawValue>,
    plugin: Option<&PluginSettings>,
    currency: Option<Currency>,
) -> Option<Box<RawValue>> {
    let raw = raw.filter(|raw| !is_blank(raw));
    let members = match raw {
        Some(raw) => fields.object("extra", raw, MAX_BYTES)?,
        None => Members::default(),
    };
    for key in DECLARED {
        if let Some(Err(rule)) = members.get(key).map(Fields::decode_text) {
            fields.violation(format!("extra.{key}"), rule);
        }
    }
    for field in plugin.map(|plugin| plugin.custom_fields.as_slice()).unwrap_or_default() {
        let value = members.get(&field.key);
        if let Err(rule) = check(field, value) {
            fields.violation(format!("extra.{}", field.key), rule);
            continue;
        }
        if let (FieldKind::Items, Some(value)) = (&field.kind, value.filter(|value| !is_blank(value))) {
            for (path, rule) in items::read(value, currency).err().unwrap_or_default() {
                fields.violation(format!("extra.{}{path}", field.key), rule);
            }
        }
    }
    raw.filter(|raw| !is_empty_object(raw) && !is_empty_list(raw)).map(ToOwned::to_owned)
}

/// Whether an object has no member, and so says nothing. An object with a null member is not empty.
fn is_empty_object(raw: &RawValue) -> bool {
    let inside = raw.get().trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inside.is_some_and(|inside| inside.trim().is_empty())
}

/// Whether a value fits the declaration of its field. A form has only texts, so numbers and flags may be
/// written as text.
fn check(field: &CustomField, value: Option<&RawValue>) -> Result<(), Rule> {
    let Some(value) = value else {
        return if field.is_required { Err(Rule::Required) } else { Ok(()) };
    };
    if is_blank(value) {
        return if field.is_required { Err(Rule::Blank) } else { Ok(()) };
    }
    match &field.kind {
        FieldKind::Text { max_length, options } => {
            let text = Fields::decode_text(value)?;
            check_line(&text, *max_length)?;
            let is_option = options.is_empty() || options.iter().any(|option| *option == text);
            if is_option { Ok(()) } else { Err(Rule::NotPermitted(options.clone())) }
        }
        FieldKind::Description => Ok(check_line(&Fields::decode_text(value)?, MAX_DESCRIPTION)?),
        // Its items are checked one by one.
        FieldKind::Items => Ok(()),
        FieldKind::Number => is_number(value).then_some(()).ok_or(Rule::NotNumber),
        FieldKind::Boolean => read_flag(value).map(|_| ()).ok_or(Rule::NotBoolean),
        FieldKind::Date => {
            let text = Fields::decode_text(value)?;
            Date::parse(&text).map(|_| ()).ok_or(Rule::NotDate)
        }
        FieldKind::Email => {
            let text = Fields::decode_text(value)?;
            check_line(&text, MAX_EMAIL)?;
            if is_permitted_email(&text) { Ok(()) } else { Err(Rule::NotEmail) }
        }
    }
}

/// Whether a value is a JSON number, or the text of one.
fn is_number(value: &RawValue) -> bool {
    let text = Fields::decode_text(value).unwrap_or(Cow::Borrowed(value.get()));
    let is_plain = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    is_plain && serde_json::from_str::<&RawValue>(&text).is_ok_and(|number| number.get() == text)
}
