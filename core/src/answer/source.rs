//! From what the answers about a transaction are made.

use crate::settings::situation::Situation;
use crate::transaction::Transaction;

/// Everything from which a view is made.
#[derive(Debug, Clone, Copy)]
pub struct ViewSource<'a> {
    /// The transaction.
    pub transaction: &'a Transaction,
    /// Whether an attempt is open, which prevents the transaction from counting as expired.
    pub has_open_attempt: bool,
    /// The merchant, as the request finds it.
    pub situation: &'a Situation,
    /// The origin of the installation.
    pub public_url: &'a str,
}
