//! The table `message_note`: what became of messages to payers, and the list of them.

use checkout_core::messenger::MessageReport;
use checkout_core::messenger::provider::Provider;
use checkout_core::port::{ListedMessage, MessageNote, MessageSearch, Messages, PortError, SentMessage};
use checkout_core::record::outbox::MessageKind;
use checkout_core::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;
use checkout_core::words::message::{Channel, Fate, MessageState};

use super::D1Store;
use super::fault::corrupt;
use super::log_page::{self, newest_first, of_order, of_orders, of_session, on_page};
use super::row::Row;
use super::statement::{Values, json};

/// The kinds of `delivery` that are messages to payers.
macro_rules! to_payers {
    () => {
        "('email', 'sms', 'whatsapp')"
    };
}

/// The kinds of `delivery` that are no webhooks, nor alerts: messages to payers, and what goes to nobody.
macro_rules! no_webhooks {
    () => {
        "('email', 'sms', 'whatsapp', 'approval')"
    };
}

macro_rules! columns {
    () => {
        "SELECT d.id, d.kind, d.body, n.provider, n.provider_id, n.fate, n.detail, n.at, d.session_id, d.reference, \
         d.created_at FROM "
    };
}

macro_rules! listed {
    ($from:expr) => {
        concat!(columns!(), $from, " LEFT JOIN message_note n ON n.delivery_id = d.id")
    };
}

pub(super) use {columns, listed, no_webhooks, to_payers};

/// The page, and what it is narrowed to: `?7` is the kind or NULL, `?8` the state or empty.
macro_rules! narrowed {
    () => {
        concat!(
            on_page!(),
            " AND (?7 IS NULL OR d.kind = ?7) AND (?8 = '' OR COALESCE(n.fate, 'queued') = ?8) AND d.kind IN ",
            to_payers!()
        )
    };
}

const OF_MERCHANT: &str =
    concat!(listed!("delivery d INDEXED BY message_of_merchant"), narrowed!(), newest_first!());
/// Of what no provider was asked about yet, which is little. That it is not delivered follows from its state; the index asks for it.
const QUEUED: &str = concat!(
    listed!("delivery d INDEXED BY delivery_open"),
    narrowed!(),
    " AND d.state = 'due' AND d.state <> 'delivered'",
    newest_first!()
);
/// Of one state.
const OF_FATE: &str = concat!(
    columns!(),
    "message_note n INDEXED BY message_note_of_merchant CROSS JOIN delivery d ON d.id = n.delivery_id \
     WHERE n.merchant_id = ?1 AND n.fate = ?8 AND n.created_at >= CAST(?2 AS INTEGER) AND n.created_at <= CAST(?3 AS INTEGER) \
     AND (n.created_at, n.delivery_id) < (CAST(?4 AS INTEGER), ?5) AND (?7 IS NULL OR d.kind = ?7) \
     ORDER BY n.created_at DESC, n.delivery_id DESC LIMIT CAST(?6 AS INTEGER)"
);
const OF_SESSION: &str = concat!(
    listed!("delivery d INDEXED BY sqlite_autoindex_delivery_1"),
    narrowed!(),
    of_session!("?9"),
    newest_first!()
);
const OF_ORDER: &str = concat!(listed!(of_orders!()), narrowed!(), of_order!("?9"), newest_first!());

impl Messages for D1Store {
    async fn reminded_at(
        &self,
        session_id: &SessionId,
        channel: Channel,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError> {
        const SQL: &str = "SELECT e.at FROM txn_event e WHERE e.session_id = ?1 AND e.kind = 'notified' \
             AND e.at > CAST(?2 AS INTEGER) AND EXISTS (SELECT 1 FROM delivery d WHERE d.id > 'evt_' || ?1 || '_' \
             AND d.id < 'evt_' || ?1 || '_~' AND d.number = e.number AND d.kind = ?3) ORDER BY e.number";
        let kind = MessageKind::of_channel(channel).as_str();
        let values = Values::default().text(session_id.as_str()).number(since.millis()).text(kind);
        values.rows(&self.db, SQL).await?.into_iter().map(|mut row| row.time("txn_event.at")).collect()
    }

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
            Some(mut row) => read_note(id, &mut row),
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
        report: &MessageReport,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        // What was erased stays erased: a detail may quote an address.
        const NAMED: &str = "UPDATE message_note SET fate = ?1, at = CAST(?3 AS INTEGER), \
             detail = CASE WHEN (SELECT d.body FROM delivery d WHERE d.id = message_note.delivery_id) = '' THEN NULL ELSE ?2 END \
             WHERE provider = ?4 AND provider_id = ?5 AND merchant_id = ?6 AND fate <> ?1 \
             AND fate IN (SELECT value FROM json_each(?7)) RETURNING 1";
        const OWN: &str = concat!(
            "INSERT INTO message_note (delivery_id, merchant_id, provider, provider_id, fate, detail, at) \
             SELECT d.id, d.merchant_id, ?4, ?5, ?1, CASE WHEN d.body = '' THEN NULL ELSE ?2 END, CAST(?3 AS INTEGER) \
             FROM delivery d WHERE d.id = ?8 AND d.merchant_id = ?6 AND d.kind IN ",
            to_payers!(),
            " ON CONFLICT (delivery_id) DO UPDATE SET provider_id = excluded.provider_id, fate = excluded.fate, \
             detail = excluded.detail, at = excluded.at WHERE message_note.provider = excluded.provider \
             AND (message_note.provider_id IS NULL OR message_note.provider_id = excluded.provider_id) \
             AND message_note.fate <> excluded.fate AND message_note.fate IN (SELECT value FROM json_each(?7)) RETURNING 1"
        );
        let values = Values::default()
            .text(report.fate.as_str())
            .optional_text(report.detail.as_deref())
            .number(at.millis())
            .text(provider.as_str())
            .text(&report.provider_id)
            .text(merchant.as_str())
            .text(&before(report.fate)?);
        let found = match &report.id {
            Some(id) => values.text(id.as_str()).first(&self.db, OWN).await?,
            None => values.first(&self.db, NAMED).await?,
        };
        Ok(found.is_some())
    }

    async fn messages(&self, session_id: &SessionId) -> Result<Vec<SentMessage>, PortError> {
        const SQL: &str = concat!(
            listed!("delivery d"),
            " WHERE true",
            of_session!("?1"),
            " AND d.kind IN ",
            to_payers!(),
            " ORDER BY d.number, length(d.id), d.id"
        );
        let rows = Values::default().text(session_id.as_str()).rows(&self.db, SQL).await?;
        rows.into_iter().map(|mut row| read(&mut row)).collect()
    }

    async fn find_messages(&self, search: &MessageSearch) -> Result<Vec<ListedMessage>, PortError> {
        let state = search.state.map_or("", MessageState::as_str);
        let values = log_page::values(&search.page)
            .optional_text(search.channel.map(|channel| MessageKind::of_channel(channel).as_str()))
            .text(state);
        let rows =
            match (&search.page.session_id, &search.page.order_no, search.state.map(MessageState::fate)) {
                (Some(session_id), ..) => values.text(session_id.as_str()).rows(&self.db, OF_SESSION).await,
                (None, Some(order_no), _) => values.text(order_no).rows(&self.db, OF_ORDER).await,
                (None, None, Some(Some(_))) => values.rows(&self.db, OF_FATE).await,
                (None, None, Some(None)) => values.rows(&self.db, QUEUED).await,
                (None, None, None) => values.rows(&self.db, OF_MERCHANT).await,
            };
        rows?.into_iter().map(read_listed).collect()
    }
}

/// The words of what gives way to what is learned.
fn before(fate: Fate) -> Result<String, PortError> {
    let words: Vec<&str> =
        Fate::ALL.into_iter().filter(|known| known.gives_way_to(fate)).map(Fate::as_str).collect();
    json(&words, "message_note.fate")
}

pub(super) fn read_listed(mut row: Row) -> Result<ListedMessage, PortError> {
    Ok(ListedMessage {
        sent: read(&mut row)?,
        session_id: row.word("delivery.session_id", SessionId::parse)?,
        reference: row.word("delivery.reference", ReferenceNumber::parse)?,
        created_at: row.time("delivery.created_at")?,
    })
}

fn read(row: &mut Row) -> Result<SentMessage, PortError> {
    let id = row.word("delivery.id", DeliveryId::parse)?;
    let kind = row.word("delivery.kind", MessageKind::parse)?;
    let body = row.text("delivery.body")?;
    let note = read_note(&id, row)?;
    Ok(SentMessage { id, channel: kind.channel().ok_or_else(|| corrupt("delivery.kind"))?, body, note })
}

/// What is known of a message; `None` if nothing.
fn read_note(id: &DeliveryId, row: &mut Row) -> Result<Option<MessageNote>, PortError> {
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
