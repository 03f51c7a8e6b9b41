//! From what the answers about a transaction are made.

use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::transaction::raw::RawDetails;
use crate::value::time::Timestamp;

/// Everything from which a view is made.
#[derive(Debug)]
pub struct Source<'a> {
    /// The transaction.
    pub transaction: Transaction<RawDetails<'a>>,
    /// Whether an attempt is open, which prevents the transaction from counting as expired.
    pub has_open_attempt: bool,
    /// The settings of the merchant.
    pub settings: &'a MerchantSettings,
    /// The origin of the installation.
    pub public_url: &'a str,
    /// Now.
    pub now: Timestamp,
}
