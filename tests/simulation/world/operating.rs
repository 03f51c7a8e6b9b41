//! What an operator's calls ask of the store.

use checkout_core::api::erasure::ErasureSubject;
use checkout_core::card::CardToken;
use checkout_core::messenger::MessageReport;
use checkout_core::messenger::provider::Provider;
use checkout_core::port::{
    Alert, AlertAudience, AlertGroup, Alerts, CardReplacement, CardSecret, DeletedCards, Doorbell, Doorbells,
    Erasures, ListedMessage, Measures, MerchantSecrets, MessageNote, MessageSearch, Messages, Monitoring,
    PortError, SealedCards, SealedSecrets, SentMessage, SweepTotals, Window,
};
use checkout_core::record::attention::Attention;
use checkout_core::record::audit::Entry;
use checkout_core::transaction::Transaction;
use checkout_core::value::id::{DeliveryId, MerchantId, SessionId};
use checkout_core::value::sealed::SealKeyId;
use checkout_core::value::time::Timestamp;
use checkout_core::words::message::Channel;

use super::FaultyWorld;

impl Erasures for FaultyWorld {
    async fn erasable(
        &self,
        merchant: &MerchantId,
        subject: &ErasureSubject,
        quiet_since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError> {
        self.read(self.inner.store.erasable(merchant, subject, quiet_since, limit)).await
    }

    async fn erasable_by_age(
        &self,
        now: Timestamp,
        share: u32,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError> {
        self.read(self.inner.store.erasable_by_age(now, share, limit)).await
    }

    async fn not_erased(&self, merchant: &MerchantId, subject: &ErasureSubject) -> Result<u64, PortError> {
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
        at: Timestamp,
    ) -> Result<DeletedCards, PortError> {
        self.write(self.inner.store.delete_cards_of(merchant, customer_id, at)).await
    }
}

impl Doorbells for FaultyWorld {
    async fn note_rung(&self, ids: &[&str], at: Timestamp) -> Result<(), PortError> {
        self.write(self.inner.store.note_rung(ids, at)).await
    }

    async fn unring(&self, ids: &[&str]) -> Result<(), PortError> {
        self.write(self.inner.store.unring(ids)).await
    }

    async fn delete_rung(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.delete_rung(before, limit)).await
    }

    async fn flag_unprocessed(&self, bell: &Doorbell, at: Timestamp) -> Result<bool, PortError> {
        self.write(self.inner.store.flag_unprocessed(bell, at)).await
    }
}

impl Messages for FaultyWorld {
    async fn reminded_at(
        &self,
        session_id: &SessionId,
        channel: Channel,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError> {
        self.read(self.inner.store.reminded_at(session_id, channel, since)).await
    }

    async fn begin_message(
        &self,
        id: &DeliveryId,
        provider: Provider,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.begin_message(id, provider, at)).await
    }

    async fn message_note(&self, id: &DeliveryId) -> Result<Option<MessageNote>, PortError> {
        self.read(self.inner.store.message_note(id)).await
    }

    async fn note_message(&self, note: &MessageNote) -> Result<(), PortError> {
        self.write(self.inner.store.note_message(note)).await
    }

    async fn report_message(
        &self,
        merchant: &MerchantId,
        provider: Provider,
        report: &MessageReport,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.report_message(merchant, provider, report, at)).await
    }

    async fn messages(&self, session_id: &SessionId) -> Result<Vec<SentMessage>, PortError> {
        self.read(self.inner.store.messages(session_id)).await
    }

    async fn find_messages(&self, search: &MessageSearch) -> Result<Vec<ListedMessage>, PortError> {
        self.read(self.inner.store.find_messages(search)).await
    }
}

impl Alerts for FaultyWorld {
    async fn flag_gateways(&self, now: Timestamp) -> Result<(), PortError> {
        self.write(self.inner.store.flag_gateways(now)).await
    }

    async fn unreported_groups(
        &self,
        audience: AlertAudience,
        alerted_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<AlertGroup>, PortError> {
        self.read(self.inner.store.unreported_groups(audience, alerted_until, limit)).await
    }

    async fn unreported_entries(
        &self,
        audience: AlertAudience,
        group: &AlertGroup,
        limit: u32,
    ) -> Result<Vec<Attention>, PortError> {
        self.read(self.inner.store.unreported_entries(audience, group, limit)).await
    }

    async fn store_alert(&self, alert: &Alert<'_>) -> Result<bool, PortError> {
        self.write(self.inner.store.store_alert(alert)).await
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

    async fn replace_sealed(&self, next: &MerchantSecrets, entry: &Entry) -> Result<bool, PortError> {
        self.write(self.inner.store.replace_sealed(next, entry)).await
    }
}

impl SealedCards for FaultyWorld {
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
