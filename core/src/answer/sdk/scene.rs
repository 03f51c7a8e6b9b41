//! What an answer to an SDK is made from.

use crate::attempt::Attempt;
use crate::card::SavedCard;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::time::Timestamp;
use crate::value::web_address::Reach;

/// For whom the object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The merchant's server.
    Merchant,
    /// Anyone who knows the session id.
    Payer,
}

/// Everything from which the object is made.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The transaction.
    pub transaction: &'a Transaction,
    /// Its latest attempt.
    pub latest: Option<&'a Attempt>,
    /// The settings of the merchant.
    pub settings: &'a MerchantSettings,
    /// The origin of the installation.
    pub public_url: &'a str,
    /// Which addresses merchants may name.
    pub reach: Reach,
    /// Now.
    pub now: Timestamp,
    /// For whom.
    pub audience: Audience,
    /// The saved cards with which it can be paid.
    pub cards: &'a [SavedCard],
}
