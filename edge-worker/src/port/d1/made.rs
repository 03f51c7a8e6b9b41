//! The statements that the store has made, for the contract of the store. Built only with the feature `contract`.

use std::cell::RefCell;
use std::collections::BTreeSet;

thread_local! {
    static STATEMENTS: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Notes a statement.
pub(super) fn note(sql: &str) {
    STATEMENTS.with_borrow_mut(|known| {
        known.insert(sql.to_owned());
    });
}

/// Every statement that was made so far.
pub(crate) fn all() -> BTreeSet<String> {
    STATEMENTS.with_borrow(BTreeSet::clone)
}
