//! JSON Schemas (2020-12), as far as the description needs them.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use checkout_core::value::money::AMOUNT_PATTERN;
use checkout_core::value::time::PERIOD_PATTERN;
use checkout_core::wire::noted::{Note, Noted};

/// One line of text: no control character, and nothing that separates lines.
const LINE: &str = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$";

/// A text.
pub(crate) fn text() -> Value {
    json!({ "type": "string" })
}

/// A text that matches a regular expression.
pub(crate) fn matching(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

/// One of a list of words.
pub(crate) fn words(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

/// An amount in an answer.
pub(crate) fn amount() -> Value {
    matching(AMOUNT_PATTERN)
}

/// A moment.
pub(crate) fn moment() -> Value {
    json!({ "type": "string", "format": "date-time" })
}

/// A web address.
pub(crate) fn address() -> Value {
    json!({ "type": "string", "format": "uri" })
}

/// A flag.
pub(crate) fn flag() -> Value {
    json!({ "type": "boolean" })
}

/// A text of at most `max` characters.
pub(crate) fn line(max: usize) -> Value {
    json!({ "type": "string", "maxLength": max })
}

/// A list.
pub(crate) fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// An object whose members are not known here.
pub(crate) fn open_object() -> Value {
    json!({ "type": "object", "additionalProperties": true })
}

/// A schema of the components.
pub(crate) fn component(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A comment as one text.
pub(crate) fn sentence(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// A schema with a description.
pub(crate) fn about(mut schema: Value, text: &str) -> Value {
    if let Value::Object(members) = &mut schema {
        members.insert("description".into(), text.into());
    }
    schema
}

/// An object. A name that ends with `?` may be absent.
pub(crate) fn object<N: AsRef<str>>(members: impl IntoIterator<Item = (N, Value)>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, schema) in members {
        let name = name.as_ref();
        let plain = name.trim_end_matches('?');
        if plain == name {
            required.push(plain.into());
        }
        properties.insert(plain.into(), schema);
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    put(&mut schema, "required", (!required.is_empty()).then_some(Value::Array(required)));
    schema
}

/// Puts a member, if there is one.
pub(crate) fn put(schema: &mut Value, name: &str, value: Option<Value>) {
    if let (Value::Object(members), Some(value)) = (schema, value) {
        members.insert(name.into(), value);
    }
}

/// Replaces the schema of a property and leaves its description.
pub(crate) fn replace(schema: &mut Value, property: &str, mut by: Value) {
    let Some(slot) = schema.pointer_mut(&format!("/properties/{property}")) else { return };
    let described = slot.get("description").cloned();
    put(&mut by, "description", described);
    *slot = by;
}

/// The schema of a type as it is written.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy(&mut schema);
    schema
}

/// Removes what says nothing of the API: names of types, sizes of numbers, and the null of a member that is left out.
fn tidy(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    for name in ["title", "minimum", "maximum"] {
        members.remove(name);
    }
    let is_size =
        |format: &Value| format.as_str().is_some_and(|word| word.starts_with(['i', 'u']) && word != "uri");
    if members.get("format").is_some_and(is_size) {
        members.remove("format");
    }
    let required: Vec<String> = members
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).map(String::from).collect())
        .unwrap_or_default();
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        for (name, property) in properties {
            if !required.contains(name) {
                remove_null(property);
            }
            tidy(property);
        }
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(inner) = members.get_mut(inner) {
            tidy(inner);
        }
    }
    for all in ["anyOf", "oneOf"] {
        for one in members.get_mut(all).and_then(Value::as_array_mut).into_iter().flatten() {
            tidy(one);
        }
    }
}

fn remove_null(schema: &mut Value) {
    let is_null = |kind: &Value| kind.as_str() == Some("null");
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| !is_null(kind));
        let only = kinds.first().cloned().filter(|_| kinds.len() == 1);
        put(schema, "type", only);
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    let choices = schema.get("anyOf").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut real = choices.into_iter().filter(|choice| !choice.get("type").is_some_and(is_null));
    if let (Some(Value::Object(only)), None, Value::Object(members)) = (real.next(), real.next(), schema) {
        members.remove("anyOf");
        for (name, value) in only {
            members.entry(name).or_insert(value);
        }
    }
}

/// What a reader asks, as a schema that its values satisfy.
fn asked(schema: &mut Value, asked: &Noted) {
    let more = match asked {
        Noted::Required | Noted::Optional => return,
        Noted::Text(max) => json!({ "type": "string", "maxLength": max, "pattern": LINE }),
        Noted::Email => json!({ "type": "string", "format": "idn-email" }),
        Noted::Words(known) => words(known),
        Noted::Currency => matching("^[A-Z]{3}$"),
        Noted::Amount => {
            json!({ "type": "string", "pattern": AMOUNT_PATTERN, "maxLength": checkout_core::value::money::MAX_AMOUNT_CHARS })
        }
        Noted::List(max) => json!({ "type": "array", "maxItems": max }),
        Noted::NotEmpty => json!({ "minItems": 1 }),
        Noted::Object => open_object(),
        Noted::Whole(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Noted::Flag => flag(),
        Noted::Country => matching("^[A-Z]{2}$"),
        Noted::Slug => matching("^[A-Za-z0-9_-]+$"),
        Noted::Code => matching(checkout_core::value::id::PgCode::PATTERN),
        Noted::Date => json!({ "type": "string", "format": "date" }),
        Noted::DateTime => moment(),
        Noted::Period(longest) => {
            json!({ "type": ["string", "integer"], "pattern": PERIOD_PATTERN, "minimum": 1, "maximum": longest })
        }
        Noted::Address => matching("^https?://"),
        Noted::Chars(min, max) => json!({ "type": "string", "minLength": min, "maxLength": max }),
        Noted::NotBlank => json!({ "minLength": 1 }),
        Noted::Matching(pattern) => matching(pattern),
        Noted::Holding(name) => object([(*name, about(open_object(), "What the wallet encrypted."))]),
        Noted::Closed => json!({ "additionalProperties": false }),
        Noted::Nullable => json!({ "type": [schema.get("type"), "null"] }),
    };
    let (Value::Object(schema), Value::Object(more)) = (schema, more) else { return };
    schema.extend(more);
}

/// The schema of an object whose members a reader asked for. Names with a dot are members of members.
pub(crate) fn read(notes: &[Note]) -> Value {
    let mut root = json!({ "type": "object" });
    for note in notes {
        let Some(slot) = place(&mut root, note.path) else { continue };
        if note.is_of_items {
            let Value::Object(members) = slot else { continue };
            let items = members.entry("items").or_insert_with(|| json!({}));
            self::asked(items, &note.asked);
        } else {
            self::asked(slot, &note.asked);
        }
    }
    for note in notes.iter().filter(|note| note.asked == Noted::Required) {
        let is_optional = |other: &Note| other.path == note.path && other.asked == Noted::Optional;
        if !notes.iter().any(is_optional) {
            require(&mut root, note.path);
        }
    }
    root
}

/// The schema of a member, which is made if there is none.
fn place<'s>(root: &'s mut Value, path: &str) -> Option<&'s mut Value> {
    let mut slot = root;
    for name in path.split('.').filter(|name| !name.is_empty()) {
        let Value::Object(members) = slot else { return None };
        // Its members are known then.
        if members.get("additionalProperties") == Some(&json!(true)) {
            members.remove("additionalProperties");
        }
        let properties = members.entry("properties").or_insert_with(|| json!({}));
        let Value::Object(properties) = properties else { return None };
        slot = properties.entry(name).or_insert_with(|| json!({}));
    }
    Some(slot)
}

fn require(root: &mut Value, path: &str) {
    let (outer, name) = path.rsplit_once('.').unwrap_or(("", path));
    let pointer: String =
        outer.split('.').filter(|part| !part.is_empty()).fold(String::new(), |mut pointer, part| {
            pointer.push_str("/properties/");
            pointer.push_str(part);
            pointer
        });
    let Some(Value::Object(owner)) = root.pointer_mut(&pointer) else { return };
    let required = owner.entry("required").or_insert_with(|| json!([]));
    if let Value::Array(names) = required
        && !names.iter().any(|known| known.as_str() == Some(name))
    {
        names.push(name.into());
    }
}

/// Adds to every property what the other schema of the same object says of it and this one does not.
pub(crate) fn complete(schema: &mut Value, other: &Value) {
    let Value::Object(members) = schema else { return };
    if let (Some(Value::Object(properties)), Some(others)) =
        (members.get_mut("properties"), other.get("properties"))
    {
        for (name, property) in properties {
            if let Some(same) = others.get(name) {
                complete(property, same);
            }
        }
    }
    for name in ["description", "maxLength", "pattern", "format", "enum", "minimum", "maximum"] {
        if let Some(value) = other.get(name).filter(|_| !members.contains_key(name)) {
            members.insert(name.into(), value.clone());
        }
    }
}
