//! What operators are for.

use super::word_list;

word_list! {
    /// What an operator may do; each may do what those before may.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Role {
        /// Reads everything that is not secret, and changes nothing.
        Read = "read",
        /// Helps merchants and decides what waits for a person.
        Support = "support",
        /// Does everything.
        Admin = "admin",
    }
}
