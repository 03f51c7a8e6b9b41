//! A transaction that is read together with who calls.

use std::cell::RefCell;

use checkout_core::value::id::SessionId;

use super::row::Row;

/// A transaction that is read with the caller, for the flow that loads it next.
///
/// It is used once, and only until something is written: a flow that loads again wants what is stored by then.
pub(super) struct Ahead(RefCell<State>);

#[derive(Default)]
enum State {
    /// Nothing is read ahead.
    #[default]
    Idle,
    /// The request names this transaction.
    Wanted(SessionId),
    /// It is the caller's merchant's: its cells.
    Found(SessionId, Row),
}

impl Ahead {
    /// For a request that names a transaction, or none.
    pub(super) fn of(named: Option<&SessionId>) -> Self {
        Self(RefCell::new(named.map_or(State::Idle, |session_id| State::Wanted(session_id.clone()))))
    }

    /// A request whose body names a transaction, before its caller is found.
    pub(super) fn want(&self, session_id: &SessionId) {
        self.0.replace(State::Wanted(session_id.clone()));
    }

    /// Drops what was found.
    pub(super) fn clear(&self) {
        self.0.take();
    }

    /// The cells of a transaction, if they were read.
    pub(super) fn take(&self, session_id: &SessionId) -> Option<Row> {
        match self.0.take() {
            State::Found(found, row) if found == *session_id => Some(row),
            State::Found(..) | State::Wanted(_) | State::Idle => None,
        }
    }

    /// What the request names, before its caller is found.
    pub(super) fn wanted(&self) -> Option<SessionId> {
        match &*self.0.borrow() {
            State::Wanted(session_id) => Some(session_id.clone()),
            State::Found(..) | State::Idle => None,
        }
    }

    /// Notes the rest of the caller's row: the cells of the transaction, all NULL if the merchant has no such one.
    pub(super) fn found(&self, rest: Row) {
        if let State::Wanted(session_id) = self.0.take()
            && !rest.is_null()
        {
            self.0.replace(State::Found(session_id, rest));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::text;
    use super::*;
    use crate::platform::Cell;

    const ONE: &str = "0000000000000000000000000000000000000001";
    const OTHER: &str = "0000000000000000000000000000000000000002";

    fn id(text: &str) -> SessionId {
        SessionId::parse(text).unwrap()
    }

    fn row(cells: &[Cell]) -> Row {
        // One cell more, which the caller's own columns took.
        let mut row = Row::of([Cell::Null].iter().chain(cells).cloned().collect());
        row.skip(1);
        row
    }

    /// The rest of a caller's row, after a request that names a transaction.
    fn read(named: &str, cells: &[Cell]) -> Ahead {
        let ahead = Ahead::of(Some(&id(named)));
        assert_eq!(ahead.wanted(), Some(id(named)));
        ahead.found(row(cells));
        ahead
    }

    #[test]
    fn a_transaction_that_was_read_with_its_caller_is_taken_once() {
        let ahead = read(ONE, &[text("0"), Cell::Number(1)]);
        assert_eq!(ahead.wanted(), None, "no second caller reads it");
        assert_eq!(ahead.take(&id(ONE)).unwrap().text("txn.session_id").unwrap(), "0");
        assert!(ahead.take(&id(ONE)).is_none());
    }

    #[test]
    fn another_transaction_is_not_what_was_read() {
        assert!(read(ONE, &[text("0")]).take(&id(OTHER)).is_none());
    }

    #[test]
    fn what_the_merchant_does_not_have_is_searched_again() {
        assert!(read(ONE, &[Cell::Null, Cell::Null]).take(&id(ONE)).is_none());
        assert!(read(ONE, &[]).take(&id(ONE)).is_none());
    }

    #[test]
    fn nothing_is_taken_after_something_was_written() {
        let ahead = read(ONE, &[text("0")]);
        ahead.clear();
        assert!(ahead.take(&id(ONE)).is_none());
    }

    #[test]
    fn a_request_that_names_no_transaction_reads_none() {
        let ahead = Ahead::of(None);
        ahead.found(row(&[text("0")]));
        assert!(ahead.take(&id(ONE)).is_none());
    }
}
