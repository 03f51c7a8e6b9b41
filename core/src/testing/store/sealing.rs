//! What is sealed in the store.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::Bound;

use super::{MemoryStore, first};
use crate::card::CardToken;
use crate::port::{
    CardReplacement, CardSecret, MerchantSecrets, NewDocument, PortError, SealedCards, SealedSecrets,
};
use crate::record::audit::Entry;
use crate::value::id::MerchantId;
use crate::value::sealed::SealKeyId;

impl SealedSecrets for MemoryStore {
    async fn merchant_secrets(
        &self,
        after: Option<&MerchantId>,
        limit: u32,
    ) -> Result<Vec<MerchantSecrets>, PortError> {
        let rows = self.rows.borrow();
        let from = after.map_or(Bound::Unbounded, |after| Bound::Excluded(after.clone()));
        let stored = rows.merchants.range((from, Bound::Unbounded)).map(|(id, stored)| {
            let secrets = MerchantSecrets {
                merchant: id.clone(),
                version: stored.settings.version,
                document: stored.document.clone(),
                webhook: stored.settings.webhook.clone(),
            };
            (id.clone(), secrets)
        });
        Ok(first(stored, limit))
    }

    async fn replace_sealed(&self, next: &MerchantSecrets, entry: &Entry) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let MerchantSecrets { merchant, version, document, webhook } = next;
        let new = NewDocument { merchant, version: *version, document };
        let is_replaced = rows.replace_document(&new, entry.at)?;
        if let Some(stored) = rows.merchants.get_mut(merchant).filter(|_| is_replaced) {
            Rc::make_mut(&mut stored.settings).webhook = webhook.clone();
        }
        Ok(rows.journal_if(is_replaced, entry))
    }
}

impl SealedCards for MemoryStore {
    async fn card_secrets(
        &self,
        key: Option<&SealKeyId>,
        after: Option<&CardToken>,
        limit: u32,
    ) -> Result<Vec<CardSecret>, PortError> {
        let rows = self.rows.borrow();
        let found = rows.cards.values().filter(|card| {
            let sealed_by = card.bank_token.parts().and_then(|(key, _)| key);
            sealed_by.as_ref() == key && after.is_none_or(|after| card.token > *after)
        });
        let secrets = found.map(|card| {
            let (merchant, sealed) = (card.holder.merchant.clone(), card.bank_token.clone());
            (card.token.clone(), CardSecret { token: card.token.clone(), merchant, sealed })
        });
        Ok(first(secrets, limit))
    }

    async fn replace_card_secrets(&self, all: &[CardReplacement]) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        for CardReplacement { before, after } in all {
            let found = rows.cards.get_mut(&before.token);
            if let Some(card) = found.filter(|card| card.bank_token == before.sealed) {
                card.bank_token = after.clone();
            }
        }
        Ok(())
    }

    async fn cards_by_key(&self) -> Result<Vec<(Option<SealKeyId>, u64)>, PortError> {
        let rows = self.rows.borrow();
        let mut counts = alloc::collections::BTreeMap::new();
        for card in rows.cards.values() {
            let count: &mut u64 = counts.entry(card.bank_token.parts().and_then(|(key, _)| key)).or_default();
            *count = count.saturating_add(1);
        }
        Ok(counts.into_iter().collect())
    }
}
