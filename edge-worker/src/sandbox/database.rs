//! How the tables of the sandbox are reached. Every value is bound as text: the binding turns numbers into
//! floats. Rows cross from JavaScript as one JSON text, because the readers of JavaScript values are a tenth
//! of the Worker.

use std::collections::BTreeMap;

use checkout_core::port::PortError;
use js_sys::{Array, JSON};
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use worker::worker_sys::types;
use worker::{D1Database, D1PreparedStatement, D1Type};

use crate::d1::Cell;

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
        Some(Ok(rows)) => Ok(rows),
        Some(Err(_)) | None => Err(corrupt("rows")),
    }
}

/// The first row of the statement at `place` of a batch.
pub(super) fn first(results: &Array, place: u32) -> Result<Option<Row>, PortError> {
    Ok(rows(results, place)?.into_iter().next())
}

/// One row, an object. Its readers take `<table>.<column>` and name it if a cell does not contain what it
/// promises.
#[derive(Deserialize)]
pub(super) struct Row(BTreeMap<String, Cell>);

impl Row {
    /// A text.
    pub(super) fn text(&self, column: &str) -> Result<String, PortError> {
        self.optional_text(column)?.ok_or_else(|| corrupt(column))
    }

    /// A text that may be NULL.
    pub(super) fn optional_text(&self, column: &str) -> Result<Option<String>, PortError> {
        match self.cell(column) {
            None => Ok(None),
            Some(Cell::Text(text)) => Ok(Some(text.clone())),
            Some(Cell::Number(_) | Cell::Null) => Err(corrupt(column)),
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
            Some(Cell::Number(number)) => Ok(Some(*number)),
            Some(Cell::Text(_) | Cell::Null) => Err(corrupt(column)),
        }
    }

    fn cell(&self, column: &str) -> Option<&Cell> {
        let (_, name) = column.split_once('.')?;
        self.0.get(name).filter(|cell| !matches!(cell, Cell::Null))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Row {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn cells_are_read_by_the_names_of_their_columns() {
        let row = row(r#"{"a":"\u0061 \"b\"","n":-7,"none":null}"#);
        assert_eq!(row.text("t.a").unwrap(), "a \"b\"");
        assert_eq!(row.word("t.a", |text| Some(text.len())).unwrap(), 5);
        assert_eq!(row.number("t.n").unwrap(), -7);
        for absent in ["t.none", "t.other"] {
            assert_eq!(row.optional_text(absent).unwrap(), None, "{absent}");
            assert_eq!(row.optional_number(absent).unwrap(), None, "{absent}");
        }
    }

    #[test]
    fn a_cell_that_does_not_contain_what_it_promises_is_named() {
        let row = row(r#"{"a":"b","n":1}"#);
        let detail = |error: PortError| error.detail;
        assert_eq!(row.text("t.n").map_err(detail), Err("corrupt t.n".into()));
        assert_eq!(row.text("t.none").map_err(detail), Err("corrupt t.none".into()));
        assert_eq!(row.word("t.a", |_| None::<()>).map_err(detail), Err("corrupt t.a".into()));
        assert_eq!(row.number("t.a").map_err(detail), Err("corrupt t.a".into()));
        assert_eq!(row.number("t.none").map_err(detail), Err("corrupt t.none".into()));
        assert!(serde_json::from_str::<Vec<Row>>(r#"[{"a":[]}]"#).is_err());
        assert!(serde_json::from_str::<Vec<Row>>("{}").is_err());
    }
}
