//! What an operator does to the tables: erasing, sealing again, measuring.

use checkout_core::api::erasure::Subject;
use checkout_core::card::CardToken;
use checkout_core::port::{
    CardReplacement, CardSecret, DeletedCards, Erasures, Measures, MerchantSecrets, Monitoring, PortError,
    SealedSecrets, SweepTotals, Window,
};
use checkout_core::transaction::Transaction;
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::value::sealed::SealKeyId;
use checkout_core::value::time::Timestamp;

use super::FaultyWorld;

impl Erasures for FaultyWorld {
    async fn erasable(
        &self,
        merchant: &MerchantId,
        subject: &Subject,
        quiet_since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError> {
        self.read(self.inner.store.erasable(merchant, subject, quiet_since, limit)).await
    }

    async fn not_erased(&self, merchant: &MerchantId, subject: &Subject) -> Result<u64, PortError> {
        self.read(self.inner.store.not_erased(merchant, subject)).await
    }

    async fn has_transaction(
        &self,
        merchant: &MerchantId,
        session_id: &SessionId,
    ) -> Result<bool, PortError> {
        self.read(self.inner.store.has_transaction(merchant, session_id)).await
    }

    async fn delete_cards_of(
        &self,
        merchant: &MerchantId,
        customer_id: &str,
    ) -> Result<DeletedCards, PortError> {
        self.write(self.inner.store.delete_cards_of(merchant, customer_id)).await
    }
}

impl Monitoring for FaultyWorld {
    async fn measure(&self, window: Window) -> Result<Measures, PortError> {
        self.read(self.inner.store.measure(window)).await
    }

    async fn note_sweep(&self, run: &SweepTotals) -> Result<(), PortError> {
        self.write(self.inner.store.note_sweep(run)).await
    }
}

impl SealedSecrets for FaultyWorld {
    async fn merchant_secrets(
        &self,
        after: Option<&MerchantId>,
        limit: u32,
    ) -> Result<Vec<MerchantSecrets>, PortError> {
        self.read(self.inner.store.merchant_secrets(after, limit)).await
    }

    async fn replace_secrets(&self, next: &MerchantSecrets, at: Timestamp) -> Result<bool, PortError> {
        self.write(self.inner.store.replace_secrets(next, at)).await
    }

    async fn card_secrets(
        &self,
        key: Option<&SealKeyId>,
        after: Option<&CardToken>,
        limit: u32,
    ) -> Result<Vec<CardSecret>, PortError> {
        self.read(self.inner.store.card_secrets(key, after, limit)).await
    }

    async fn replace_card_secrets(&self, all: &[CardReplacement]) -> Result<(), PortError> {
        self.write(self.inner.store.replace_card_secrets(all)).await
    }

    async fn cards_by_key(&self) -> Result<Vec<(Option<SealKeyId>, u64)>, PortError> {
        self.read(self.inner.store.cards_by_key()).await
    }
}
