//! A transaction that was read together with who calls.

use std::cell::RefCell;

use checkout_core::value::id::SessionId;

use super::row::Row;

/// A transaction of the caller's merchant that was read with the caller, for the flow that loads it next.
///
/// It is used once, and only until something is written: a flow that loads again wants what is stored by then.
#[derive(Default)]
pub(super) struct Ahead(RefCell<Option<(SessionId, Row)>>);

impl Ahead {
    /// Drops what was found.
    pub(super) fn clear(&self) {
        self.0.take();
    }

    /// The cells of a transaction, if they were read.
    pub(super) fn take(&self, session_id: &SessionId) -> Option<Row> {
        self.0.take().filter(|(found, _)| found == session_id).map(|(_, row)| row)
    }

    /// Notes the rest of the caller's row: the cells of the transaction that was searched with them, all NULL if the merchant
    /// has no such one.
    pub(super) fn found(&self, searched: Option<&SessionId>, rest: Row) {
        self.0.replace(searched.filter(|_| !rest.is_null()).map(|session_id| (session_id.clone(), rest)));
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
        let ahead = Ahead::default();
        ahead.found(Some(&id(named)), row(cells));
        ahead
    }

    #[test]
    fn a_transaction_that_was_read_with_its_caller_is_taken_once() {
        let ahead = read(ONE, &[text("0"), Cell::Number(1)]);
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
        let ahead = Ahead::default();
        ahead.found(None, row(&[text("0")]));
        assert!(ahead.take(&id(ONE)).is_none());
    }
}
