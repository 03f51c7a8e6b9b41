//! How the tables of the sandbox are reached. Every value is bound as text: the binding turns numbers into
//! floats.

use std::collections::BTreeMap;

use checkout_core::port::PortError;
use wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement};

use crate::platform::{Cell, message_of};

const PORT: &str = "sandbox";

/// A statement with its values.
pub(super) struct Statement {
    sql: &'static str,
    values: Vec<String>,
}

impl Statement {
    fn bind(self, db: &D1Database) -> worker::Result<D1PreparedStatement> {
        let values: Vec<JsValue> = self.values.into_iter().map(JsValue::from).collect();
        db.prepare(self.sql).bind(&values)
    }
}

/// A statement with its values.
pub(super) fn statement(sql: &'static str, values: &[&str]) -> Statement {
    Statement { sql, values: values.iter().map(ToString::to_string).collect() }
}

/// Runs statements as one transaction; the rows of each, in their order.
pub(super) async fn batch(
    db: &D1Database,
    statements: Vec<Statement>,
) -> Result<Vec<Vec<SandboxRow>>, PortError> {
    let answers = async {
        let bound = statements.into_iter().map(|statement| statement.bind(db)).collect::<Result<_, _>>()?;
        db.batch(bound).await?.iter().map(worker::D1Result::results).collect()
    };
    let answers: worker::Result<_> = answers.await;
    answers.map_err(|error| PortError { port: PORT, detail: message_of(&error) })
}

/// The rows of the statement at `place` of a batch.
pub(super) fn rows(results: &[Vec<SandboxRow>], place: usize) -> Result<&[SandboxRow], PortError> {
    results.get(place).map(Vec::as_slice).ok_or_else(|| corrupt("rows"))
}

/// The first row of the statement at `place` of a batch.
pub(super) fn first(results: &[Vec<SandboxRow>], place: usize) -> Result<Option<&SandboxRow>, PortError> {
    Ok(rows(results, place)?.first())
}

/// One row: its columns and their cells. Its readers take `<table>.<column>` and name it if a cell does not contain what it
/// promises.
#[derive(serde::Deserialize)]
pub(super) struct SandboxRow(BTreeMap<String, Cell>);

impl SandboxRow {
    /// A text.
    pub(super) fn text(&self, column: &str) -> Result<String, PortError> {
        self.optional_text(column)?.ok_or_else(|| corrupt(column))
    }

    /// A text that may be NULL.
    pub(super) fn optional_text(&self, column: &str) -> Result<Option<String>, PortError> {
        match self.cell(column) {
            None => Ok(None),
            Some(Cell::Text(text)) => Ok(Some(text.clone())),
            Some(Cell::Number(_) | Cell::Null | Cell::Other) => Err(corrupt(column)),
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
            Some(Cell::Text(_) | Cell::Null | Cell::Other) => Err(corrupt(column)),
        }
    }

    fn cell(&self, column: &str) -> Option<&Cell> {
        let (_, name) = column.split_once('.')?;
        let cell = self.0.get(name)?;
        (!matches!(cell, Cell::Null)).then_some(cell)
    }
}

/// A stored value that is not possible.
pub(super) fn corrupt(place: &str) -> PortError {
    PortError { port: PORT, detail: format!("corrupt {place}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> SandboxRow {
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
        assert!(serde_json::from_str::<Vec<SandboxRow>>(r#"[{"a":[]}]"#).is_err());
        assert!(serde_json::from_str::<Vec<SandboxRow>>("{}").is_err());
    }
}
