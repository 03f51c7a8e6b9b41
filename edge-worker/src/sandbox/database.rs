//! How the tables of the sandbox are reached. Every value is bound as text: the binding turns numbers into
//! floats. Rows cross from JavaScript as one JSON text, because the readers of JavaScript values are a tenth
//! of the Worker.

use std::fmt;

use checkout_core::port::PortError;
use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::platform::{self, Database, Statement};

const PORT: &str = "sandbox";

/// A statement with its values.
pub(super) fn statement(sql: &str, values: &[&str]) -> Result<Statement, PortError> {
    let values = values.iter().fold(Statement::default(), |values, value| values.value(Some(value)));
    values.end(sql).ok_or_else(|| corrupt("statement"))
}

/// Runs statements as one transaction; the rows of each, in their order.
pub(super) async fn batch(db: &Database, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, PortError> {
    let answered = platform::batch_rows(db, &Statement::joined(statements)).await;
    let text = answered.map_err(|detail| PortError { port: PORT, detail })?.text;
    serde_json::from_str(&text).map_err(|_| corrupt("rows"))
}

/// The rows of the statement at `place` of a batch.
pub(super) fn rows(results: &[Vec<Row>], place: usize) -> Result<&[Row], PortError> {
    results.get(place).map(Vec::as_slice).ok_or_else(|| corrupt("rows"))
}

/// The first row of the statement at `place` of a batch.
pub(super) fn first(results: &[Vec<Row>], place: usize) -> Result<Option<&Row>, PortError> {
    Ok(rows(results, place)?.first())
}

/// One cell: the database has texts, whole numbers and NULL.
enum Cell {
    /// NULL.
    Null,
    /// A text.
    Text(String),
    /// A whole number.
    Number(i64),
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyCell;

        impl Visitor<'_> for AnyCell {
            type Value = Cell;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a cell")
            }

            fn visit_unit<E>(self) -> Result<Cell, E> {
                Ok(Cell::Null)
            }

            fn visit_str<E>(self, text: &str) -> Result<Cell, E> {
                Ok(Cell::Text(text.into()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Cell, E> {
                Ok(Cell::Number(number))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Cell, E> {
                i64::try_from(number).map(Cell::Number).map_err(E::custom)
            }
        }

        deserializer.deserialize_any(AnyCell)
    }
}

/// One row: its columns and their cells. Its readers take `<table>.<column>` and name it if a cell does not contain what it
/// promises.
#[derive(serde::Deserialize)]
pub(super) struct Row(Vec<(String, Cell)>);

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
        let (_, cell) = self.0.iter().find(|(known, _)| known == name)?;
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

    fn row(text: &str) -> Row {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn cells_are_read_by_the_names_of_their_columns() {
        let row = row(r#"[["a","\u0061 \"b\""],["n",-7],["none",null]]"#);
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
        let row = row(r#"[["a","b"],["n",1]]"#);
        let detail = |error: PortError| error.detail;
        assert_eq!(row.text("t.n").map_err(detail), Err("corrupt t.n".into()));
        assert_eq!(row.text("t.none").map_err(detail), Err("corrupt t.none".into()));
        assert_eq!(row.word("t.a", |_| None::<()>).map_err(detail), Err("corrupt t.a".into()));
        assert_eq!(row.number("t.a").map_err(detail), Err("corrupt t.a".into()));
        assert_eq!(row.number("t.none").map_err(detail), Err("corrupt t.none".into()));
        assert!(serde_json::from_str::<Vec<Row>>(r#"[[["a",[]]]]"#).is_err());
        assert!(serde_json::from_str::<Vec<Row>>("{}").is_err());
    }
}
