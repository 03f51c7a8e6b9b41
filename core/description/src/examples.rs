//! Examples: calls of every operation that were recorded from a running Worker.

use serde_json::Value;

/// The recorded calls.
pub(crate) struct Examples {
    calls: Vec<Value>,
    values: Vec<(String, String)>,
}

impl Examples {
    /// Reads `tests/vectors/calls.json`; `None` if it is something else.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let document: Value = serde_json::from_str(text).ok()?;
        let values = document.get("values")?.as_object()?.iter();
        let values =
            values.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.into()))).collect();
        Some(Self { calls: document.get("calls")?.as_array()?.clone(), values })
    }

    fn of<'e>(&'e self, operation: &'e str) -> impl Iterator<Item = &'e Value> {
        self.calls.iter().filter(move |call| call.get("operation").and_then(Value::as_str) == Some(operation))
    }

    /// A body that the operation was sent.
    pub(crate) fn request(&self, operation: &str) -> Option<Value> {
        let body = self.of(operation).find_map(|call| call.get("json"))?;
        Some(self.fill(body))
    }

    /// What it answered with a status.
    pub(crate) fn answer(&self, operation: &str, status: u16) -> Option<Value> {
        let is_wanted = |answer: &&Value| answer.get("status").and_then(Value::as_u64) == Some(status.into());
        let body = self.of(operation).filter_map(|call| call.get("answer")).find(is_wanted)?.get("json")?;
        Some(self.fill(body))
    }

    /// The value with an example for every placeholder.
    fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let filled = self.values.iter().fold(text.clone(), |text, (name, value)| {
                    text.replace(&format!("{{{{{name}}}}}"), value)
                });
                Value::String(filled)
            }
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), self.fill(value))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }
}
