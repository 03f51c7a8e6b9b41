//! What an answer to an SDK is made from.

use crate::attempt::Attempt;
use crate::card::SavedCard;
use crate::settings::situation::Situation;
use crate::strings::screen::PageStatus;
use crate::transaction::Transaction;
use crate::value::web_address::Reach;

/// For whom the object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SdkAudience {
    /// The merchant's server.
    Merchant,
    /// Anyone who knows the session id.
    Payer,
}

/// Everything from which the object is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SdkScene<'a> {
    /// The transaction.
    pub transaction: &'a Transaction,
    /// Its latest attempt; once it is settled, the one that settled it.
    pub latest: Option<&'a Attempt>,
    /// The screen that its page shows: nothing can be chosen here that could not be chosen there.
    pub status: PageStatus,
    /// All attempts, if the latest was declined softly.
    pub attempts: &'a [Attempt],
    /// The merchant, as the request finds it.
    pub situation: &'a Situation,
    /// The origin of the installation.
    pub public_url: &'a str,
    /// Which addresses merchants may name.
    pub reach: Reach,
    /// For whom.
    pub audience: SdkAudience,
    /// The saved cards with which it can be paid.
    pub cards: &'a [SavedCard],
}
