//! One cell of a row.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};

/// One cell: the database has texts, whole numbers and NULL.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    /// NULL.
    Null,
    /// A text.
    Text(String),
    /// A whole number that JavaScript has exactly.
    Number(i64),
    /// What no column of ours contains.
    Other,
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

            fn visit_string<E>(self, text: String) -> Result<Cell, E> {
                Ok(Cell::Text(text))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Cell, E> {
                Ok(Cell::Number(number))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Cell, E> {
                Ok(i64::try_from(number).map_or(Cell::Other, Cell::Number))
            }

            #[expect(clippy::disallowed_types, reason = "the trait names it; it is read as what it is not")]
            fn visit_f64<E>(self, _: f64) -> Result<Cell, E> {
                Ok(Cell::Other)
            }
        }

        deserializer.deserialize_any(AnyCell)
    }
}
