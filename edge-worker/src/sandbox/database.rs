//! How the tables of the sandbox are reached. Every value is bound as text: the binding turns numbers into
//! floats. Rows cross from JavaScript as one JSON text, because the readers of JavaScript values are a tenth
//! of the Worker.

use checkout_core::port::PortError;
use js_sys::{Array, JSON};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use worker::worker_sys::types;
use worker::{D1Database, D1PreparedStatement, D1Type};

const PORT: &str = "sandbox";

/// A statement with its values.
pub(super) fn statement(
    db: &D1Database,
    sql: &str,
    values: &[&str],
) -> Result<D1PreparedStatement, PortError> {
    let values: Vec<D1Type<'_>> = values.iter().copied().map(D1Type::Text).collect();
    db.prepare(sql).bind_refs(&values).map_err(|error| PortError { port: PORT, detail: error.to_string() })
}

/// Runs statements as one transaction; one result each, in their order.
pub(super) async fn batch(db: &D1Database, statements: Vec<D1PreparedStatement>) -> Result<Array, PortError> {
    let statements: Array = statements.iter().map(D1PreparedStatement::inner).collect();
    let db: &types::D1Database = AsRef::<JsValue>::as_ref(db).unchecked_ref();
    let results = JsFuture::from(db.batch(statements).map_err(|error| failed(&error))?).await;
    results.and_then(JsCast::dyn_into).map_err(|error| failed(&error))
}

/// The rows of the statement at `place` of a batch.
pub(super) fn rows(results: &Array, place: u32) -> Result<Vec<Row>, PortError> {
    let result: types::D1Result = results.get(place).unchecked_into();
    let text = result.results().and_then(|rows| JSON::stringify(&rows.unwrap_or_default()));
    let text = text.map_err(|error| failed(&error))?.as_string();
    match text.map(|text| serde_json::from_str(&text)) {
        Some(Ok(Value::Array(rows))) => Ok(rows.into_iter().map(Row).collect()),
        Some(Ok(_) | Err(_)) | None => Err(corrupt("rows")),
    }
}

/// The first row of the statement at `place` of a batch.
pub(super) fn first(results: &Array, place: u32) -> Result<Option<Row>, PortError> {
    Ok(rows(results, place)?.into_iter().next())
}

/// One row, an object. Its readers take `<table>.<column>` and name it if a cell does not contain what it
/// promises.
pub(super) struct Row(Value);

impl Row {
    /// A text.
    pub(super) fn text(&self, column: &str) -> Result<String, PortError> {
        self.optional_text(column)?.ok_or_else(|| corrupt(column))
    }

    /// A text that may be NULL.
    pub(super) fn optional_text(&self, column: &str) -> Result<Option<String>, PortError> {
        match self.cell(column) {
            None => Ok(None),
            Some(cell) => cell.as_str().map(|text| Some(text.into())).ok_or_else(|| corrupt(column)),
        }
    }

    /// A text that `parse` accepts.
    pub(super) fn word<T>(
        &self,
        column: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, PortError> {
        parse(&self.text(column)?).ok_or_else(|| corrupt(column))
    }

    /// A whole number.
    pub(super) fn number(&self, column: &str) -> Result<i64, PortError> {
        self.optional_number(column)?.ok_or_else(|| corrupt(column))
    }

    /// A whole number that may be NULL.
    pub(super) fn optional_number(&self, column: &str) -> Result<Option<i64>, PortError> {
        match self.cell(column) {
            None => Ok(None),
            Some(cell) => cell.as_i64().map(Some).ok_or_else(|| corrupt(column)),
        }
    }

    fn cell(&self, column: &str) -> Option<&Value> {
        let (_, name) = column.split_once('.')?;
        self.0.get(name).filter(|cell| !cell.is_null())
    }
}

/// A stored value that is not possible.
pub(super) fn corrupt(place: &str) -> PortError {
    PortError { port: PORT, detail: format!("corrupt {place}") }
}

fn failed(error: &JsValue) -> PortError {
    let detail = error.dyn_ref::<js_sys::Error>().map(|error| error.message().into());
    PortError { port: PORT, detail: detail.unwrap_or_else(|| "no Error was thrown".into()) }
}
