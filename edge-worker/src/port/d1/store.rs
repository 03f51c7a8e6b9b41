//! The store of one request.

use std::rc::Rc;

use checkout_core::value::id::SessionId;
use worker::D1Database;

use super::statement::Db;

/// The store of one request.
pub(crate) struct D1Store {
    pub(super) db: Db,
}

impl D1Store {
    /// A store in the database of a binding, for a merchant's request whose address names this transaction, if it names one.
    pub(crate) fn new(db: Rc<D1Database>, named: Option<&SessionId>) -> Self {
        Self { db: Db::new(db, named) }
    }

    /// Notes which transaction the body of a request names, before the caller is found.
    pub(crate) fn expect(&self, session_id: &SessionId) {
        self.db.ahead.want(session_id);
    }

    /// How often the database was asked.
    pub(crate) fn round_trips(&self) -> u32 {
        self.db.round_trips()
    }
}
