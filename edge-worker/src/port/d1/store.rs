//! The store of one request.

use std::rc::Rc;

use worker::D1Database;

use super::statement::Db;

/// The store of one request.
pub(crate) struct D1Store {
    pub(super) db: Db,
}

impl D1Store {
    /// A store in the database of a binding.
    pub(crate) fn new(db: Rc<D1Database>) -> Self {
        Self { db: Db::new(db) }
    }

    /// How often the database was asked.
    pub(crate) fn round_trips(&self) -> u32 {
        self.db.round_trips()
    }
}
