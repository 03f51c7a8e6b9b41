//! Auto debits that are tried again, and agreements that are paused. What a payment means for them is stored with its change,
//! by [`Store::commit`](super::Store::commit).

use alloc::vec::Vec;

use super::{Due, DueRow, PortError};
use crate::card::agreement::{AgreementKey, Pause, SavedAgreement};
use crate::card::ladder::Ladder;
use crate::card::{CardToken, Holder};
use crate::record::attention::Attention;
use crate::record::audit::Entry;
use crate::value::id::SessionId;
use crate::value::time::Timestamp;

/// An agreement that is paused, with the entry of the attention list about it.
#[derive(Debug, Clone)]
pub struct Pausing {
    /// Which one.
    pub key: AgreementKey,
    /// Why.
    pub pause: Pause,
    /// The entry.
    pub entry: Attention,
}

/// The rows of ladders, and what they mean for agreements.
pub trait Ladders {
    /// The ladder of a transaction; `None` if nothing is tried again.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn ladder(&self, session_id: &SessionId) -> Result<Option<Ladder>, PortError>;

    /// The transactions whose debit is to be tried again, in turns of the merchants and their gateways.
    ///
    /// # Errors
    /// As [`ladder`](Self::ladder).
    async fn due_ladders(&self, due: Due<'_>) -> Result<Vec<DueRow<SessionId>>, PortError>;

    /// Claims the debit that is due at `due_at`: it is due again at `until`, unless its outcome is stored before. `false` if
    /// someone else was first.
    ///
    /// # Errors
    /// As [`ladder`](Self::ladder).
    async fn claim_ladder(
        &self,
        session_id: &SessionId,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<bool, PortError>;

    /// Ends a ladder that is claimed until `until`, and pauses its agreement. What the list said of an earlier pause of the
    /// agreement is closed.
    ///
    /// # Errors
    /// As [`ladder`](Self::ladder).
    async fn end_ladder(
        &self,
        session_id: &SessionId,
        until: Timestamp,
        paused: Option<&Pausing>,
    ) -> Result<(), PortError>;

    /// When the debits of a card began that had no success or are open, the newest first, after `since` and at most
    /// [`MOST_TRIES`](crate::card::ladder::MOST_TRIES).
    ///
    /// # Errors
    /// As [`ladder`](Self::ladder).
    async fn tried_debits(
        &self,
        holder: &Holder,
        card: &CardToken,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError>;

    /// The agreements of a holder by their ids, at most `limit`.
    ///
    /// # Errors
    /// As [`ladder`](Self::ladder).
    async fn agreements(&self, holder: &Holder, limit: u32) -> Result<Vec<SavedAgreement>, PortError>;

    /// Resumes an agreement that is paused, with its entry of the audit, and closes that of the attention list; whether it
    /// was.
    ///
    /// # Errors
    /// As [`ladder`](Self::ladder).
    async fn resume_agreement(&self, key: &AgreementKey, entry: &Entry) -> Result<bool, PortError>;
}
