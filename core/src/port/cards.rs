//! Saved cards and agreements. How a payment changes them is stored with its change, by
//! [`Store::commit`](super::Store::commit).

use alloc::vec::Vec;

use super::{PortError, Record};
use crate::card::agreement::{AgreementKey, SavedAgreement};
use crate::card::{CardToken, Holder, SavedCard};
use crate::record::consent::Consent;
use crate::value::id::{MerchantId, PgCode, ReferenceNumber};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// How a card is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardName<'a> {
    /// Its token on the wire.
    Token(&'a CardToken),
    /// Its [`fingerprint`](crate::card::fingerprint).
    Fingerprint(&'a str),
}

/// The outcome for a card that was to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardDeletion {
    /// It is deleted.
    Deleted,
    /// An agreement locks it.
    Locked,
    /// The holder has no such card.
    Unknown,
}

/// Whose payments may wait for a card.
#[derive(Debug, Clone, Copy)]
pub struct Awaited<'a> {
    /// The merchant.
    pub merchant: &'a MerchantId,
    /// The gateway.
    pub pg_code: &'a PgCode,
    /// The customer.
    pub customer_id: &'a str,
    /// The gateway's id of the payment that the card belongs to.
    pub charge_id: &'a str,
    /// When their transactions were created at the earliest.
    pub since: Timestamp,
}

impl Slotted for Awaited<'_> {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}

/// The rows of saved cards and agreements.
pub trait Cards {
    /// The cards of a holder, the most recently used first, at most `limit`.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn cards(&self, holder: &Holder, limit: u32) -> Result<Vec<SavedCard>, PortError>;

    /// A card of a merchant.
    ///
    /// # Errors
    /// As [`cards`](Self::cards).
    async fn card(&self, merchant: &MerchantId, name: CardName<'_>) -> Result<Option<SavedCard>, PortError>;

    /// Deletes a card of a holder that no agreement locks, in one step.
    ///
    /// # Errors
    /// As [`cards`](Self::cards).
    async fn delete_card(&self, holder: &Holder, token: &CardToken) -> Result<CardDeletion, PortError>;

    /// The attempts of a customer at a gateway that are to save a card and have none, and are open or succeeded, and the one
    /// that has the id of the payment, however it is; each with its transaction. That one comes first, then those of the newest
    /// transactions, at most 20.
    ///
    /// # Errors
    /// As [`cards`](Self::cards).
    async fn awaiting_card(&self, awaited: Awaited<'_>) -> Result<Vec<Record>, PortError>;

    /// An agreement; `None` before its first payment.
    ///
    /// # Errors
    /// As [`cards`](Self::cards).
    async fn agreement(&self, key: &AgreementKey) -> Result<Option<SavedAgreement>, PortError>;

    /// What a payer agreed to by an attempt; `None` if they agreed to nothing.
    ///
    /// # Errors
    /// If the store fails or contains a row that cannot be read.
    async fn consent(&self, reference: &ReferenceNumber) -> Result<Option<Consent>, PortError>;
}
