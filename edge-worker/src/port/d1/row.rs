//! Reads one row, cell by cell in the order of its columns. A row is untrusted input: a cell that does not
//! contain what its column promises is a `corrupt <table>.<column>`.
//!
//! Rows cross from JavaScript all at once, because every crossing costs more than what it carries: as one text of all cells
//! one after the other, and as numbers that say how long each of them is ([`Row::all`]).

use std::rc::Rc;
use std::vec;

use checkout_core::port::PortError;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;

use super::fault::corrupt;
use crate::platform::units::split_at_units;

/// The largest number that JavaScript holds exactly.
const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// One cell: the database has texts, whole numbers and NULL. Both others are a part of the text of the rows.
#[derive(Clone, Copy)]
enum Cell {
    Null,
    Text { from: usize, to: usize },
    Number { from: usize, to: usize },
}

/// A row that is being read. Every reader takes the next cell; `column` names it in errors.
pub(super) struct Row {
    text: Rc<String>,
    cells: vec::IntoIter<Cell>,
}

impl Row {
    /// Rows in one piece, as `platform.js` sends them: the text of their cells, and whole numbers of four bytes. They are how
    /// many columns there are, of each cell its length in UTF-16 code units, and how many numbers there were before this last
    /// one. -1 is NULL, and a number of `n` characters is `-2 - n`.
    pub(super) fn all(mut bytes: Vec<u8>) -> Result<Vec<Self>, PortError> {
        let shape = shape_of(&mut bytes).ok_or_else(|| corrupt("row"))?;
        let (columns, lengths) = shape.split_first().ok_or_else(|| corrupt("row"))?;
        let columns = usize::try_from(*columns).map_err(|_| corrupt("row"))?;
        let text = Rc::new(String::from_utf8(bytes).map_err(|_| corrupt("row"))?);
        let mut from = 0;
        let mut rows = Vec::new();
        // Without rows there are no columns.
        for row in lengths.chunks(columns.max(1)) {
            let mut cells = Vec::with_capacity(columns);
            for length in row {
                let cell = cell_at(&text, from, *length).ok_or_else(|| corrupt("row"))?;
                if let Cell::Text { to, .. } | Cell::Number { to, .. } = cell {
                    from = to;
                }
                cells.push(cell);
            }
            rows.push(Self { text: Rc::clone(&text), cells: cells.into_iter() });
        }
        Ok(rows)
    }

    /// Passes over cells.
    pub(super) fn skip(&mut self, cells: usize) {
        self.cells.by_ref().take(cells).for_each(drop);
    }

    /// Whether the next cell is NULL, or there is none.
    pub(super) fn is_null(&self) -> bool {
        matches!(self.cells.as_slice(), [] | [Cell::Null, ..])
    }

    /// The text of the next cell, which may be absent.
    fn next_text(&mut self, column: &str) -> Result<Option<&str>, PortError> {
        match self.cells.next() {
            Some(Cell::Null) => Ok(None),
            Some(Cell::Text { from, to }) => self.text.get(from..to).map(Some).ok_or_else(|| corrupt(column)),
            Some(Cell::Number { .. }) | None => Err(corrupt(column)),
        }
    }

    /// A text that may be absent.
    pub(super) fn optional_text(&mut self, column: &str) -> Result<Option<String>, PortError> {
        Ok(self.next_text(column)?.map(str::to_owned))
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
        self.next_text(column)?.and_then(parse).ok_or_else(|| corrupt(column))
    }

    /// A whole number that may be absent.
    pub(super) fn optional_number(&mut self, column: &str) -> Result<Option<i64>, PortError> {
        let is_exact = |number: &i64| number.unsigned_abs() <= MAX_SAFE_INTEGER;
        match self.cells.next() {
            Some(Cell::Null) => Ok(None),
            Some(Cell::Number { from, to }) => {
                let number = self.text.get(from..to).and_then(|digits| digits.parse().ok()).filter(is_exact);
                number.map(Some).ok_or_else(|| corrupt(column))
            }
            Some(Cell::Text { .. }) | None => Err(corrupt(column)),
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
        let currency = self.next_text(column)?;
        let money = match (minor, currency) {
            (None, None) => return Ok(None),
            (Some(minor), Some(code)) => {
                Currency::parse(code).and_then(|currency| Money::new(minor, currency).ok())
            }
            (Some(_), None) | (None, Some(_)) => None,
        };
        money.map(Some).ok_or_else(|| corrupt(column))
    }
}

/// Takes the numbers from the end of rows in one piece.
fn shape_of(bytes: &mut Vec<u8>) -> Option<Vec<i32>> {
    let (rest, count) = bytes.split_last_chunk()?;
    let count = usize::try_from(i32::from_le_bytes(*count)).ok()?;
    let text = rest.len().checked_sub(count.checked_mul(size_of::<i32>())?)?;
    let (numbers, _) = rest.get(text..)?.as_chunks();
    let shape = numbers.iter().map(|number| i32::from_le_bytes(*number)).collect();
    bytes.truncate(text);
    Some(shape)
}

/// The cell that begins in a text at `from`; `None` if the text ends before.
fn cell_at(text: &str, from: usize, length: i32) -> Option<Cell> {
    let units = match length {
        -1 => return Some(Cell::Null),
        0.. => length,
        ..-1 => (-2_i32).checked_sub(length)?,
    };
    let (cell, _) = split_at_units(text.get(from..)?, usize::try_from(units).ok()?)?;
    let to = from.checked_add(cell.len())?;
    Some(if length < 0 { Cell::Number { from, to } } else { Cell::Text { from, to } })
}

#[cfg(test)]
pub(in crate::port::d1) mod tests;
