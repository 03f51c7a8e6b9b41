//! Statements as `platform.js` takes them: every value as text, one after the other without anything between them, and how
//! long each is.

use std::cell::RefCell;

use checkout_scan::text::units_of;
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use worker::Env;

use super::note_sql;

/// A database that is bound to the Worker.
pub(crate) struct Database(pub(super) JsValue);

impl Database {
    /// The database of a binding; `None` if there is no such binding.
    pub(crate) fn bound(env: &Env, binding: &str) -> Option<Self> {
        let database = Reflect::get(env, &binding.into()).ok()?;
        database.is_object().then_some(Self(database))
    }
}

/// The length that means NULL.
const NULL: i32 = -1;
/// The length of a text that no database takes.
const TOO_LONG: i32 = i32::MAX;

/// How long a text is for JavaScript, in UTF-16 code units.
fn length_of(text: &str) -> i32 {
    i32::try_from(units_of(text)).unwrap_or(TOO_LONG)
}

thread_local! {
    /// The SQL that JavaScript has, at the place of its number.
    static KNOWN: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// The number of SQL that never changes, which JavaScript has from now on. Two with one address and length are the same
/// text. `!n` is `-1 - n`.
fn number_of(sql: &'static str) -> Option<i32> {
    KNOWN.with_borrow_mut(|known| {
        let found = known.iter().position(|one| std::ptr::eq(*one, sql));
        let number = i32::try_from(found.unwrap_or(known.len())).ok()?;
        if found.is_none() {
            known.push(sql);
            note_sql(number, sql);
        }
        Some(number)
    })
}

/// A statement with its values, or several.
#[derive(Default)]
pub(crate) struct Statement {
    pub(super) text: String,
    pub(super) lengths: Vec<i32>,
}

impl Statement {
    /// With one more value: a text, or NULL.
    pub(crate) fn value(mut self, text: Option<&str>) -> Self {
        self.lengths.push(text.map_or(NULL, length_of));
        self.text.push_str(text.unwrap_or_default());
        self
    }

    /// With the values of another after its own.
    pub(crate) fn followed_by(mut self, other: Self) -> Self {
        self.text.push_str(&other.text);
        self.lengths.extend(other.lengths);
        self
    }

    /// With the SQL that takes the values; `None` if a text is longer than any database takes.
    pub(crate) fn end(mut self, sql: &str) -> Option<Self> {
        self.text.push_str(sql);
        self.end_with(length_of(sql))
    }

    /// As [`end`](Self::end), for SQL that never changes: it crosses to JavaScript only once.
    pub(crate) fn end_known(self, sql: &'static str) -> Option<Self> {
        match number_of(sql) {
            Some(number) => self.end_with(!number),
            None => self.end(sql),
        }
    }

    fn end_with(mut self, sql: i32) -> Option<Self> {
        let count = i32::try_from(self.lengths.len()).unwrap_or(TOO_LONG);
        self.lengths.insert(0, count);
        self.lengths.push(sql);
        (!self.lengths.contains(&TOO_LONG)).then_some(self)
    }

    /// Several, for one batch.
    pub(crate) fn joined(all: Vec<Self>) -> Self {
        all.into_iter().fold(Self::default(), Self::followed_by)
    }
}
