//! Statements as `platform.js` takes them: every value as text, one after the other without anything between them, and how
//! long each is.

use std::cell::RefCell;

use js_sys::Reflect;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::Env;

use super::units::units_of;

#[wasm_bindgen(module = "till-platform")]
extern "C" {
    /// Notes SQL under a number.
    #[wasm_bindgen(js_name = noteSql)]
    fn note_sql(number: i32, sql: &str);
}

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

/// The most SQL that JavaScript keeps. Till has fewer statements; what is beyond crosses each time.
const MOST_KNOWN: usize = 1_024;

/// What SQL that never changes is made of, which identifies it.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    /// Words, whole statements among them.
    pub(crate) words: &'a [&'static str],
    /// Columns, each with its placeholder.
    pub(crate) columns: &'a [(&'static str, &'static str)],
}

/// SQL that JavaScript has.
struct Known {
    words: Box<[&'static str]>,
    columns: Box<[(&'static str, &'static str)]>,
}

impl Known {
    /// Whether it is made of these: texts that never change and have one address and length are the same.
    fn is_of(&self, parts: Parts<'_>) -> bool {
        let is_same = |one: &'static str, other: &'static str| std::ptr::eq(one, other);
        self.words.len() == parts.words.len()
            && self.columns.len() == parts.columns.len()
            && self.words.iter().zip(parts.words).all(|(one, other)| is_same(one, other))
            && self
                .columns
                .iter()
                .zip(parts.columns)
                .all(|(one, other)| is_same(one.0, other.0) && is_same(one.1, other.1))
    }
}

thread_local! {
    /// The SQL that JavaScript has, at the place of its number.
    static KNOWN: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

/// The number of SQL that never changes, which JavaScript has from now on. `!n` is `-1 - n`.
fn number_of(parts: Parts<'_>, write: &dyn Fn() -> String) -> Option<i32> {
    KNOWN.with_borrow_mut(|known| {
        let found = known.iter().position(|one| one.is_of(parts));
        let number = i32::try_from(found.unwrap_or(known.len())).ok()?;
        if found.is_none() {
            if known.len() >= MOST_KNOWN {
                return None;
            }
            note_sql(number, &write());
            known.push(Known { words: parts.words.into(), columns: parts.columns.into() });
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
    /// Without values yet, and with room for those of a row.
    pub(crate) fn of_row() -> Self {
        Self { text: String::with_capacity(1_024), lengths: Vec::with_capacity(40) }
    }

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

    /// As [`end`](Self::end), for SQL that never changes and that `write` makes of its parts: it crosses to JavaScript only
    /// once.
    pub(crate) fn end_known(self, parts: Parts<'_>, write: &dyn Fn() -> String) -> Option<Self> {
        match number_of(parts, write) {
            Some(number) => self.end_with(!number),
            None => self.end(&write()),
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
        all.into_iter().reduce(Self::followed_by).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sql_is_known_by_its_words_and_columns_in_their_order() {
        const STATE: (&str, &str) = ("state", "?");
        const VERSION: (&str, &str) = ("version", "CAST(? AS INTEGER)");
        let known = Known {
            words: Box::new(["UPDATE", "txn", "session_id = ?"]),
            columns: Box::new([STATE, VERSION]),
        };
        let is_known = |words: &[&'static str], columns: &[(&'static str, &'static str)]| {
            known.is_of(Parts { words, columns })
        };
        let words = *known.words.first_chunk::<3>().unwrap();
        assert!(is_known(&words, &[STATE, VERSION]));
        for columns in
            [&[][..], &[STATE], &[VERSION, STATE], &[STATE, ("version", "?")], &[STATE, VERSION, STATE]]
        {
            assert!(!is_known(&words, columns), "{columns:?}");
        }
        let [verb, table, condition] = words;
        for words in [&[][..], &[verb, table], &[verb, condition, table], &[verb, "attempt", condition]] {
            assert!(!is_known(words, &[STATE, VERSION]), "{words:?}");
        }
    }
}
