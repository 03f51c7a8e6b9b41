//! Reads one row, cell by cell in the order of its columns. A row is untrusted input: a cell that does not
//! contain what its column promises is a `corrupt <table>.<column>`.

use std::vec;

use checkout_core::port::PortError;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;

use super::fault::corrupt;
use crate::platform::Cell;

/// The largest number that JavaScript holds exactly.
const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// A row that is being read. Every reader takes the next cell; `column` names it in errors.
pub(super) struct Row {
    cells: vec::IntoIter<Cell>,
}

impl Row {
    /// A row of these cells.
    pub(super) fn of(cells: Vec<Cell>) -> Self {
        Self { cells: cells.into_iter() }
    }

    /// The rows of a JSON list of lists of cells.
    pub(super) fn all_of_json(text: &str) -> Option<Vec<Self>> {
        let rows: Vec<Vec<Cell>> = serde_json::from_str(text).ok()?;
        Some(rows.into_iter().map(Self::of).collect())
    }

    /// Passes over cells.
    pub(super) fn skip(&mut self, cells: usize) {
        self.cells.by_ref().take(cells).for_each(drop);
    }

    /// Whether the next cell is NULL, or there is none.
    pub(super) fn is_null(&self) -> bool {
        matches!(self.cells.as_slice(), [] | [Cell::Null, ..])
    }

    /// A text that may be absent.
    pub(super) fn optional_text(&mut self, column: &str) -> Result<Option<String>, PortError> {
        match self.cells.next() {
            Some(Cell::Null) => Ok(None),
            Some(Cell::Text(text)) => Ok(Some(text)),
            Some(Cell::Number(_) | Cell::Other) | None => Err(corrupt(column)),
        }
    }

    /// A text.
    pub(super) fn text(&mut self, column: &str) -> Result<String, PortError> {
        self.optional_text(column)?.ok_or_else(|| corrupt(column))
    }

    /// A text that `parse` accepts.
    pub(super) fn word<T>(
        &mut self,
        column: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, PortError> {
        self.optional_text(column)?.as_deref().and_then(parse).ok_or_else(|| corrupt(column))
    }

    /// A whole number that may be absent.
    pub(super) fn optional_number(&mut self, column: &str) -> Result<Option<i64>, PortError> {
        let is_exact = |number: &i64| number.unsigned_abs() <= MAX_SAFE_INTEGER;
        match self.cells.next() {
            Some(Cell::Null) => Ok(None),
            Some(Cell::Number(number)) if is_exact(&number) => Ok(Some(number)),
            Some(Cell::Number(_) | Cell::Text(_) | Cell::Other) | None => Err(corrupt(column)),
        }
    }

    /// A whole number.
    pub(super) fn number(&mut self, column: &str) -> Result<i64, PortError> {
        self.optional_number(column)?.ok_or_else(|| corrupt(column))
    }

    /// A whole number that fits into `T`.
    pub(super) fn small<T: TryFrom<i64>>(&mut self, column: &str) -> Result<T, PortError> {
        T::try_from(self.number(column)?).map_err(|_| corrupt(column))
    }

    /// 0 or 1.
    pub(super) fn flag(&mut self, column: &str) -> Result<bool, PortError> {
        match self.number(column)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(corrupt(column)),
        }
    }

    /// A moment in milliseconds.
    pub(super) fn time(&mut self, column: &str) -> Result<Timestamp, PortError> {
        self.number(column).map(Timestamp::from_millis)
    }

    /// A moment in milliseconds that may be absent.
    pub(super) fn optional_time(&mut self, column: &str) -> Result<Option<Timestamp>, PortError> {
        Ok(self.optional_number(column)?.map(Timestamp::from_millis))
    }

    /// Two cells: minor units and the code of their currency.
    pub(super) fn money(&mut self, column: &str) -> Result<Money, PortError> {
        self.optional_money(column)?.ok_or_else(|| corrupt(column))
    }

    /// Two cells that are both present or both NULL.
    pub(super) fn optional_money(&mut self, column: &str) -> Result<Option<Money>, PortError> {
        let minor = self.optional_number(column)?;
        let currency = self.optional_text(column)?;
        let money = match (minor, currency) {
            (None, None) => return Ok(None),
            (Some(minor), Some(code)) => {
                Currency::parse(&code).and_then(|currency| Money::new(minor, currency).ok())
            }
            (Some(_), None) | (None, Some(_)) => None,
        };
        money.map(Some).ok_or_else(|| corrupt(column))
    }
}

#[cfg(test)]
pub(in crate::port::d1) mod tests;
