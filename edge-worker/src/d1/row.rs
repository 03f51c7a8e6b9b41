//! Reads one row, cell by cell in the order of its columns. A row is untrusted input: a cell that does not hold what
//! its column promises is a `corrupt <table>.<column>`.

use checkout_core::money::{Currency, Money};
use checkout_core::port::PortError;
use checkout_core::time::Timestamp;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use worker::d1::serde_wasm_bindgen;

use super::fault::corrupt;

/// A row that is being read. Every reader takes the next cell; `column` names it in errors.
pub(super) struct Row {
    cells: Array,
    next: u32,
}

impl Row {
    /// A row as `raw` answers it: an array of cells.
    pub(super) fn new(row: JsValue) -> Result<Self, PortError> {
        let cells = row.dyn_into::<Array>().map_err(|_| corrupt("row"))?;
        Ok(Self { cells, next: 0 })
    }

    /// A text that may be absent.
    pub(super) fn optional_text(&mut self, column: &str) -> Result<Option<String>, PortError> {
        match self.cell() {
            None => Ok(None),
            Some(cell) => cell.as_string().map(Some).ok_or_else(|| corrupt(column)),
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
        parse(&self.text(column)?).ok_or_else(|| corrupt(column))
    }

    /// A whole number that may be absent.
    pub(super) fn optional_number(&mut self, column: &str) -> Result<Option<i64>, PortError> {
        match self.cell() {
            None => Ok(None),
            // Refuses what JavaScript does not hold exactly.
            Some(cell) => serde_wasm_bindgen::from_value(cell).map(Some).map_err(|_| corrupt(column)),
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

    /// Two cells that are both there or both absent.
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

    fn cell(&mut self) -> Option<JsValue> {
        let cell = self.cells.get(self.next);
        self.next = self.next.saturating_add(1);
        (!cell.is_null() && !cell.is_undefined()).then_some(cell)
    }
}
