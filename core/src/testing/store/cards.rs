//! The rows of saved cards and agreements.

use alloc::vec::Vec;

use super::{MemoryStore, Rows};
use crate::card::agreement::{AgreementKey, SavedAgreement};
use crate::card::usage::Initiator;
use crate::card::{Card, CardEffect, CardToken, Holder, SavedCard};
use crate::change::Change;
use crate::port::{CardDeletion, CardName, Cards, CommitError, PortError};
use crate::value::id::MerchantId;

impl Rows {
    pub(super) fn check_card(&self, change: &Change) -> Result<(), CommitError> {
        let Some(write) = change.card.as_ref().filter(|write| write.effect != CardEffect::Shown) else {
            return Ok(());
        };
        let card = &write.saved.card;
        let is_twice = |other: &Card| {
            other.token != card.token
                && (&other.holder.merchant, &other.fingerprint) == (&card.holder.merchant, &card.fingerprint)
        };
        if self.cards.values().any(is_twice) { Err(CommitError::Conflict) } else { Ok(()) }
    }

    pub(super) fn write_card(&mut self, change: &Change) {
        let Some(write) = &change.card else { return };
        let CardEffect::Saved(agreement) = &write.effect else { return };
        self.cards.insert(write.saved.card.token.clone(), write.saved.card.clone());
        let Some(write) = agreement else { return };
        let (next, initiator) = (&write.agreement, write.initiator);
        match (self.agreements.get_mut(&next.key), initiator) {
            (Some(stored), Initiator::Payer) => {
                stored.card = next.card.clone();
                stored.charged_at = next.charged_at;
            }
            (Some(stored), Initiator::Merchant) => {
                stored.cycles = stored.cycles.saturating_add(1);
                stored.charged_at = next.charged_at;
            }
            (None, Initiator::Payer) => {
                self.agreements.insert(next.key.clone(), next.clone());
            }
            (None, Initiator::Merchant) => {}
        }
    }

    fn saved(&self, card: &Card) -> SavedCard {
        let of_card = self
            .agreements
            .values()
            .filter(|stored| stored.card == card.token && stored.key.holder == card.holder);
        let order = |card: &Card| (card.used_at, card.token.clone());
        let mut others = self.cards.values().filter(|other| other.holder == card.holder);
        SavedCard {
            card: card.clone(),
            agreements: of_card.map(|stored| stored.key.id.clone()).collect(),
            is_preferred: !others.any(|other| order(other) > order(card)),
        }
    }
}

impl Cards for MemoryStore {
    async fn cards(&self, holder: &Holder, limit: u32) -> Result<Vec<SavedCard>, PortError> {
        let rows = self.rows.borrow();
        let mut found: Vec<SavedCard> =
            rows.cards.values().filter(|card| card.holder == *holder).map(|card| rows.saved(card)).collect();
        found.sort_by_key(|saved| (saved.card.used_at, saved.card.token.clone()));
        found.reverse();
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(found)
    }

    async fn card(&self, merchant: &MerchantId, name: CardName<'_>) -> Result<Option<SavedCard>, PortError> {
        let rows = self.rows.borrow();
        let is_named = |card: &Card| match name {
            CardName::Token(token) => card.token == *token,
            CardName::Fingerprint(fingerprint) => card.fingerprint == fingerprint,
        };
        let found = rows.cards.values().find(|card| card.holder.merchant == *merchant && is_named(card));
        Ok(found.map(|card| rows.saved(card)))
    }

    async fn delete_card(&self, holder: &Holder, token: &CardToken) -> Result<CardDeletion, PortError> {
        let mut rows = self.rows.borrow_mut();
        let Some(card) = rows.cards.get(token).filter(|card| card.holder == *holder) else {
            return Ok(CardDeletion::Unknown);
        };
        if !rows.saved(card).agreements.is_empty() {
            return Ok(CardDeletion::Locked);
        }
        rows.cards.remove(token);
        Ok(CardDeletion::Deleted)
    }

    async fn agreement(&self, key: &AgreementKey) -> Result<Option<SavedAgreement>, PortError> {
        Ok(self.rows.borrow().agreements.get(key).cloned())
    }
}
