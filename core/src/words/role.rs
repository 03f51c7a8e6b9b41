//! What operators are for, and the users of a merchant.

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

word_list! {
    /// The role of a user of a merchant: what it fills in, `access::role` says.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum StaffRole {
        /// Sees payments, and not who pays.
        Viewer = "viewer",
        /// Makes payments and sends them to payers.
        Cashier = "cashier",
        /// Helps payers: asks gateways, sends again, gives money back.
        Support = "support",
        /// Reads everything about money, and approves.
        Finance = "finance",
        /// Connects programs: keys, webhooks and what was delivered.
        Developer = "developer",
        /// Does everything.
        Owner = "owner",
    }
}
