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
    asks! {
        read erasable(
            merchant: &MerchantId,
            subject: &ErasureSubject,
            quiet_since: Timestamp,
            limit: u32,
        ) -> Vec<Transaction>;
        read erasable_by_age(now: Timestamp, share: u32, limit: u32) -> Vec<Transaction>;
        read not_erased(merchant: &MerchantId, subject: &ErasureSubject) -> u64;
        read has_transaction(merchant: &MerchantId, session_id: &SessionId) -> bool;
        write delete_cards_of(merchant: &MerchantId, customer_id: &str, at: Timestamp) -> DeletedCards;
    }
}

impl Doorbells for FaultyWorld {
    asks! {
        write note_rung(ids: &[&str], at: Timestamp);
        write unring(ids: &[&str]);
        write delete_rung(before: Timestamp, limit: u32) -> u32;
        write flag_unprocessed(bell: &Doorbell, at: Timestamp) -> bool;
    }
}

impl Messages for FaultyWorld {
    asks! {
        read reminded_at(session_id: &SessionId, channel: Channel, since: Timestamp) -> Vec<Timestamp>;
        write begin_message(id: &DeliveryId, provider: Provider, at: Timestamp) -> bool;
        read message_note(id: &DeliveryId) -> Option<MessageNote>;
        write note_message(note: &MessageNote);
        write report_message(
            merchant: &MerchantId,
            provider: Provider,
            report: &MessageReport,
            at: Timestamp,
        ) -> bool;
        read messages(session_id: &SessionId) -> Vec<SentMessage>;
        read find_messages(search: &MessageSearch) -> Vec<ListedMessage>;
    }
}

impl Alerts for FaultyWorld {
    asks! {
        write flag_gateways(now: Timestamp);
        read unreported_groups(
            audience: AlertAudience,
            alerted_until: Timestamp,
            limit: u32,
        ) -> Vec<AlertGroup>;
        read unreported_entries(audience: AlertAudience, group: &AlertGroup, limit: u32) -> Vec<Attention>;
        write store_alert(alert: &Alert<'_>) -> bool;
    }
}

impl Monitoring for FaultyWorld {
    asks! {
        read measure(window: Window) -> Measures;
        write note_sweep(run: &SweepTotals);
    }
}

impl SealedSecrets for FaultyWorld {
    asks! {
        read merchant_secrets(after: Option<&MerchantId>, limit: u32) -> Vec<MerchantSecrets>;
        write replace_sealed(next: &MerchantSecrets, entry: &Entry) -> bool;
    }
}

impl SealedCards for FaultyWorld {
    asks! {
        read card_secrets(key: Option<&SealKeyId>, after: Option<&CardToken>, limit: u32) -> Vec<CardSecret>;
        write replace_card_secrets(all: &[CardReplacement]);
        read cards_by_key() -> Vec<(Option<SealKeyId>, u64)>;
    }
}
