//! The table `message_note`: what became of messages to payers.

use checkout_core::messenger::Report;
use checkout_core::messenger::provider::Provider;
use checkout_core::port::{MessageNote, Messages, PortError, SentMessage};
use checkout_core::record::outbox::Kind;
use checkout_core::value::id::{DeliveryId, MerchantId, SessionId};
use checkout_core::value::time::Timestamp;
use checkout_core::words::message::Fate;

use super::D1Store;
use super::fault::corrupt;
use super::row::Row;
use super::statement::{Values, json};

impl Messages for D1Store {
    async fn begin_message(
        &self,
        id: &DeliveryId,
        provider: Provider,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        const SQL: &str = "INSERT INTO message_note (delivery_id, merchant_id, provider, fate, at) \
             SELECT d.id, d.merchant_id, ?, 'sending', CAST(? AS INTEGER) FROM delivery d WHERE d.id = ? \
             ON CONFLICT (delivery_id) DO UPDATE SET provider = excluded.provider, fate = excluded.fate, at = excluded.at \
             WHERE message_note.fate = 'waiting' RETURNING 1";
        let values = Values::default().text(provider.as_str()).number(at.millis()).text(id.as_str());
        Ok(values.first(&self.db, SQL).await?.is_some())
    }

    async fn message_note(&self, id: &DeliveryId) -> Result<Option<MessageNote>, PortError> {
        const SQL: &str =
            "SELECT provider, provider_id, fate, detail, at FROM message_note WHERE delivery_id = ?";
        match Values::default().text(id.as_str()).first(&self.db, SQL).await? {
            Some(row) => read_note(id, row),
            None => Ok(None),
        }
    }

    async fn note_message(&self, note: &MessageNote) -> Result<(), PortError> {
        const SQL: &str = "INSERT INTO message_note (delivery_id, merchant_id, provider, provider_id, fate, detail, at) \
             SELECT d.id, d.merchant_id, ?, ?, ?, ?, CAST(? AS INTEGER) FROM delivery d WHERE d.id = ? \
             ON CONFLICT (delivery_id) DO UPDATE SET provider = excluded.provider, provider_id = excluded.provider_id, \
             fate = excluded.fate, detail = excluded.detail, at = excluded.at \
             WHERE message_note.fate IN (SELECT value FROM json_each(?))";
        let values = Values::default()
            .text(note.provider.as_str())
            .optional_text(note.provider_id.as_deref())
            .text(note.fate.as_str())
            .optional_text(note.detail.as_deref())
            .number(note.at.millis())
            .text(note.id.as_str())
            .text(&before(note.fate)?);
        values.run(&self.db, SQL).await
    }

    async fn report_message(
        &self,
        merchant: &MerchantId,
        provider: Provider,
        report: &Report,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        const SQL: &str = "UPDATE message_note SET fate = ?1, at = CAST(?3 AS INTEGER), \
             detail = CASE WHEN (SELECT d.body FROM delivery d WHERE d.id = message_note.delivery_id) = '' THEN NULL ELSE ?2 END \
             WHERE provider = ?4 AND provider_id = ?5 AND merchant_id = ?6 AND fate <> ?1 \
             AND fate IN (SELECT value FROM json_each(?7)) RETURNING 1";
        let values = Values::default()
            .text(report.fate.as_str())
            .optional_text(report.detail.as_deref())
            .number(at.millis())
            .text(provider.as_str())
            .text(&report.provider_id)
            .text(merchant.as_str())
            .text(&before(report.fate)?);
        Ok(values.first(&self.db, SQL).await?.is_some())
    }

    async fn messages(&self, session_id: &SessionId) -> Result<Vec<SentMessage>, PortError> {
        const SQL: &str = "SELECT d.id, d.kind, d.body, n.provider, n.provider_id, n.fate, n.detail, n.at \
             FROM delivery d LEFT JOIN message_note n ON n.delivery_id = d.id \
             WHERE d.id > 'evt_' || ?1 || '_' AND d.id < 'evt_' || ?1 || '_~' AND d.kind IN ('email', 'sms', 'whatsapp') \
             ORDER BY d.number, length(d.id), d.id";
        let rows = Values::default().text(session_id.as_str()).rows(&self.db, SQL).await?;
        rows.into_iter().map(read).collect()
    }
}

/// The words of what gives way to what is learned.
fn before(fate: Fate) -> Result<String, PortError> {
    let words: Vec<&str> =
        Fate::ALL.into_iter().filter(|known| known.gives_way_to(fate)).map(Fate::as_str).collect();
    json(&words, "message_note.fate")
}

fn read(mut row: Row) -> Result<SentMessage, PortError> {
    let id = row.word("delivery.id", DeliveryId::parse)?;
    let kind = row.word("delivery.kind", Kind::parse)?;
    let body = row.text("delivery.body")?;
    let note = read_note(&id, row)?;
    Ok(SentMessage { id, channel: kind.channel().ok_or_else(|| corrupt("delivery.kind"))?, body, note })
}

/// What is known of a message; `None` if nothing.
fn read_note(id: &DeliveryId, mut row: Row) -> Result<Option<MessageNote>, PortError> {
    let provider = row.optional_text("message_note.provider")?;
    let provider_id = row.optional_text("message_note.provider_id")?;
    let fate = row.optional_text("message_note.fate")?;
    let detail = row.optional_text("message_note.detail")?;
    let at = row.optional_time("message_note.at")?;
    Ok(match (provider, fate, at) {
        (Some(provider), Some(fate), Some(at)) => Some(MessageNote {
            id: id.clone(),
            provider: Provider::parse(&provider).ok_or_else(|| corrupt("message_note.provider"))?,
            provider_id,
            fate: Fate::parse(&fate).ok_or_else(|| corrupt("message_note.fate"))?,
            detail,
            at,
        }),
        (None, _, _) | (_, None, _) | (_, _, None) => None,
    })
}
