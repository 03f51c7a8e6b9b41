//! The fields of a transaction in answers: as requests give them, with what their types add.

use serde_json::Value;

use crate::schema::{complete, of, put};
use checkout_core::transaction::address::{Address, ShippingAddress};
use checkout_core::transaction::agreement::Agreement;

/// The schema of a field, as requests give it.
pub(crate) fn described(fields: &Value, name: &str) -> Option<Value> {
    fields.pointer(&format!("/properties/{name}")).cloned()
}

/// A field that is shown as it was given. An object has the members that its type always has.
pub(crate) fn stored(fields: &Value, name: &str) -> Option<Value> {
    let given = described(fields, name)?;
    let written = match name {
        "billing_address" => of::<Address>(),
        "shipping_address" => of::<ShippingAddress>(),
        "agreement" => of::<Agreement>(),
        "due_datetime" | "amount" => return Some(without(given, &["maxLength"])),
        // It is shown as text, however it was given.
        "expiration_time" => {
            let mut text = without(given, &["minimum", "maximum"]);
            put(&mut text, "type", Some("string".into()));
            return Some(text);
        }
        _ => return Some(without(given, &["required"])),
    };
    let mut written = written;
    complete(&mut written, &given);
    put(&mut written, "description", given.get("description").cloned());
    Some(written)
}

/// A schema without some of what it says.
pub(crate) fn without(mut schema: Value, names: &[&str]) -> Value {
    if let Value::Object(members) = &mut schema {
        members.retain(|name, _| !names.contains(&name.as_str()));
    }
    schema
}
