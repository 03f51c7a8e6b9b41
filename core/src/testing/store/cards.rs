//! The rows of saved cards and agreements.

use alloc::vec::Vec;

use super::{MemoryStore, Rows, record};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::agreement::{AgreementKey, OpenDebits, SavedAgreement};
use crate::card::usage::{CardUse, ChargeInitiator};
use crate::card::{Card, CardEffect, CardToken, Holder, SavedCard};
use crate::change::{AttemptWrite, Change};
use crate::port::{Awaited, CardDeletion, CardName, Cards, CommitError, PortError, Record};
use crate::record::consent::Consent;
use crate::value::id::{MerchantId, ReferenceNumber};

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
        let mut card = write.saved.card.clone();
        // The gateway's token of a card never changes; sealed under another key meanwhile, it stays so.
        if let Some(stored) = self.cards.get(&card.token) {
            card.bank_token = stored.bank_token.clone();
        }
        self.cards.insert(card.token.clone(), card);
        let Some(write) = agreement else { return };
        let (next, initiator) = (&write.agreement, write.initiator);
        self.end_pause(&next.key, change.at.minus(self.offset_of(&change.transaction.merchant)));
        match (self.agreements.get_mut(&next.key), initiator) {
            (Some(stored), ChargeInitiator::Payer) => {
                stored.card = next.card.clone();
                stored.charged_at = next.charged_at;
            }
            (Some(stored), ChargeInitiator::Merchant) => {
                stored.cycles = stored.cycles.saturating_add(1);
                stored.charged_at = next.charged_at;
            }
            (None, ChargeInitiator::Payer) => {
                self.agreements.insert(next.key.clone(), next.clone());
            }
            (None, ChargeInitiator::Merchant) => {}
        }
    }

    /// An agreement, with its payments whose outcome is still to come.
    pub(super) fn agreement(&self, key: &AgreementKey) -> Option<SavedAgreement> {
        let stored = self.agreements.get(key)?;
        let attempts = self.debits.iter().filter(|(_, under)| *under == key);
        let opened = attempts.filter_map(|(reference, _)| self.attempts.get(reference));
        let opened: Vec<_> =
            opened.filter(|attempt| attempt.is_open()).map(|attempt| attempt.opened_at).collect();
        let count = u32::try_from(opened.len()).unwrap_or(u32::MAX);
        let open = OpenDebits { count, latest: opened.into_iter().max() };
        Some(SavedAgreement { open, ..stored.clone() })
    }

    pub(super) fn check_cycle(&self, change: &Change) -> Result<(), CommitError> {
        let Some(claim) = &change.cycle else { return Ok(()) };
        if claim.is_current(self.agreement(&claim.key).as_ref()) {
            Ok(())
        } else {
            Err(CommitError::Conflict)
        }
    }

    pub(super) fn write_cycle(&mut self, change: &Change) {
        if let (Some(AttemptWrite::Open(attempt)), Some(claim)) = (&change.attempt, &change.cycle) {
            self.debits.insert(attempt.reference.clone(), claim.key.clone());
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

    async fn awaiting_card(&self, awaited: Awaited<'_>) -> Result<Vec<Record>, PortError> {
        let rows = self.rows.borrow();
        let is_named = |attempt: &Attempt| attempt.gateway_id.as_deref() == Some(awaited.charge_id);
        let attempts = rows.attempts.values().filter(|attempt| {
            let is_of_gateway = attempt.merchant == *awaited.merchant && attempt.pg_code == *awaited.pg_code;
            let may_save = attempt.is_open() || attempt.stage == Stage::Success;
            is_of_gateway && (is_named(attempt) || (attempt.card == CardUse::Save && may_save))
        });
        let mut found: Vec<Record> = attempts
            .filter_map(|attempt| {
                let transaction = rows.transactions.get(&attempt.session_id)?;
                let is_customers = transaction.details.customer_id.as_deref() == Some(awaited.customer_id);
                let is_shown = !rows.hidden.contains(&attempt.session_id);
                let is_recent = transaction.created_at > awaited.since;
                (is_customers && is_shown && is_recent).then(|| record(transaction, Some(attempt)))
            })
            .collect();
        found.sort_by_key(|record| {
            core::cmp::Reverse((record.attempt.as_ref().is_some_and(is_named), record.transaction.created_at))
        });
        found.truncate(20);
        Ok(found)
    }

    async fn agreement(&self, key: &AgreementKey) -> Result<Option<SavedAgreement>, PortError> {
        Ok(self.rows.borrow().agreement(key))
    }

    async fn consent(&self, reference: &ReferenceNumber) -> Result<Option<Consent>, PortError> {
        let rows = self.rows.borrow();
        let of_attempt = rows.consents.iter().find(|(_, consent)| consent.reference == *reference);
        Ok(of_attempt.map(|(_, consent)| consent.clone()))
    }
}
