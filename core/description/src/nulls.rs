//! Which members of a body may be `null`: those that its reader accepts so.

use checkout_core::rejection::Rejection;
use serde_json::{Map, Value, json};

/// How a body is read.
pub type Reader<'a> = dyn Fn(&[u8]) -> Result<(), Rejection> + 'a;

/// Says `null` of every member that one of the bodies may have as `null`.
pub(crate) fn add(schema: &mut Value, bodies: &[Value], read: &Reader<'_>) {
    add_at(schema, "", bodies, read);
}

/// As `add`, of the members of the member `outer`, whose path is its names with dots.
fn add_at(schema: &mut Value, outer: &str, bodies: &[Value], read: &Reader<'_>) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (name, member) in properties {
        let path = if outer.is_empty() { name.clone() } else { format!("{outer}.{name}") };
        add_at(member, &path, bodies, read);
        if bodies.iter().any(|body| is_accepted(body, &path, read)) {
            allow(member);
        }
    }
}

/// Whether the reader finds nothing wrong with the member as `null`; with the rest of the body it may.
fn is_accepted(body: &Value, path: &str, read: &Reader<'_>) -> bool {
    let mut body = body.clone();
    let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
    let pointer = outer.split('.').filter(|part| !part.is_empty()).map(|part| format!("/{part}"));
    let Some(Value::Object(members)) = body.pointer_mut(&pointer.collect::<String>()) else { return false };
    members.insert(name.into(), Value::Null);
    let read = read(body.to_string().as_bytes());
    let Err(rejection) = read else { return true };
    let Rejection::Invalid(found) = rejection else { return false };
    let inner = format!("{path}.");
    !found.iter().any(|wrong| wrong.path == path || wrong.path.starts_with(&inner))
}

/// Allows `null`.
fn allow(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    let kinds = |kind: Value| kind.as_array().cloned().unwrap_or_else(|| Vec::from([kind]));
    add_null(members, "type", kinds, json!("null"));
    add_null(members, "enum", |words| words.as_array().cloned().unwrap_or_default(), Value::Null);
}

/// Adds `null` to a list of what is allowed, if there is one.
fn add_null(members: &mut Map<String, Value>, name: &str, list: fn(Value) -> Vec<Value>, null: Value) {
    let Some(known) = members.remove(name) else { return };
    let mut known = list(known);
    if !known.contains(&null) {
        known.push(null);
    }
    members.insert(name.into(), known.into());
}
