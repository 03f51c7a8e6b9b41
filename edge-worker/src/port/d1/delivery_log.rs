//! The tables `delivery` and `delivery_try` as a log, and the table `receiver`.

use checkout_core::port::{
    Deliveries, DeliverySearch, FullDelivery, LoggedDelivery, LoggedTry, PortError, Receivers, Released,
    Resend, Resent,
};
use checkout_core::record::audit::Entry;
use checkout_core::record::outbox::{DeliveryState, Message, MessageKind, Which};
use checkout_core::record::receiver::{Disabling, Receiver, ReceiverEffect, TryError, origin};
use checkout_core::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;

use super::D1Store;
use super::audit::{self, Of};
use super::fault::corrupt;
use super::log_page::{self, newest_first, of_order, of_orders, of_session, on_page};
use super::messages::no_webhooks;
use super::row::Row;
use super::statement::{Columns, Db, Statement, Values};

/// Whether the receiver of a delivery `d` is disabled.
macro_rules! is_disabled {
    ($delivery:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM receiver r WHERE r.merchant_id = ",
            $delivery,
            ".merchant_id AND r.address IN (",
            $delivery,
            ".receiver, ",
            $delivery,
            ".url) AND r.disabled_at IS NOT NULL)"
        )
    };
}

macro_rules! logged {
    ($from:expr) => {
        concat!(
            "SELECT d.id, d.session_id, d.reference, d.kind, d.url, d.state, d.created_at, d.due_at, d.failed_tries, \
             d.last_status, d.resent_at FROM ",
            $from
        )
    };
}

/// The page, and what it is narrowed to: `?7` to `?9` are the state, the kind and the receiver, or NULL.
macro_rules! narrowed {
    () => {
        concat!(
            on_page!(),
            " AND (?7 IS NULL OR d.state = ?7) AND (?8 IS NULL OR d.kind = ?8) AND (?9 IS NULL OR d.receiver = ?9) \
             AND d.kind <> 'approval'"
        )
    };
}

/// The most messages of a receiver that is enabled again for which a doorbell is rung at once; the cron handler finds the rest.
const MAX_RUNG: u32 = 500;

const OF_MERCHANT: &str =
    concat!(logged!("delivery d INDEXED BY delivery_of_merchant"), narrowed!(), newest_first!());
/// Of what was not delivered, which is little. That nothing is delivered follows from the state; the index asks for it.
const OPEN: &str = concat!(
    logged!("delivery d INDEXED BY delivery_open"),
    narrowed!(),
    " AND d.state = ?7 AND d.state <> 'delivered'",
    newest_first!()
);
const OF_SESSION: &str = concat!(
    logged!("delivery d INDEXED BY sqlite_autoindex_delivery_1"),
    narrowed!(),
    of_session!("?10"),
    newest_first!()
);
const OF_ORDER: &str = concat!(logged!(of_orders!()), narrowed!(), of_order!("?10"), newest_first!());

impl Deliveries for D1Store {
    async fn find_deliveries(&self, search: &DeliverySearch) -> Result<Vec<LoggedDelivery>, PortError> {
        let values = log_page::values(&search.page)
            .optional_text(search.state.map(DeliveryState::as_str))
            .optional_text(search.kind.map(MessageKind::as_str))
            .optional_text(search.receiver.as_deref());
        let is_open = search.state.is_some_and(|state| state != DeliveryState::Delivered);
        let rows = match (&search.page.session_id, &search.page.order_no) {
            (Some(session_id), _) => values.text(session_id.as_str()).rows(&self.db, OF_SESSION).await,
            (None, Some(order_no)) => values.text(order_no).rows(&self.db, OF_ORDER).await,
            (None, None) if is_open => values.rows(&self.db, OPEN).await,
            (None, None) => values.rows(&self.db, OF_MERCHANT).await,
        };
        rows?.into_iter().map(read).collect()
    }

    async fn logged_delivery(
        &self,
        merchant: &MerchantId,
        id: &DeliveryId,
    ) -> Result<Option<FullDelivery>, PortError> {
        const ONE: &str = "SELECT NULLIF(d.body, ''), d.id, d.session_id, d.reference, d.kind, d.url, d.state, d.created_at, \
             d.due_at, d.failed_tries, d.last_status, d.resent_at FROM delivery d WHERE d.id = ? AND d.merchant_id = ?";
        const TRIES: &str = "SELECT number, at, status, error, took_ms, excerpt FROM delivery_try \
             WHERE delivery_id = ? ORDER BY number";
        let found = Values::default().text(id.as_str()).text(merchant.as_str()).first(&self.db, ONE).await?;
        let Some(mut row) = found else { return Ok(None) };
        let tries = Values::default().text(id.as_str()).rows(&self.db, TRIES).await?;
        let tries = tries.into_iter().map(read_try).collect::<Result<_, _>>()?;
        let body = row.optional_text("delivery.body")?;
        Ok(Some(FullDelivery { row: read(row)?, body, tries }))
    }

    async fn resend(&self, resend: &Resend, entry: &Entry) -> Result<Resent, PortError> {
        const SET: &str = concat!(
            "UPDATE delivery SET state = CASE WHEN ",
            is_disabled!("delivery"),
            " THEN 'held' ELSE 'due' END, due_at = CAST(?1 AS INTEGER), failed_tries = 0, resent_at = CAST(?1 AS INTEGER) \
             WHERE body <> '' AND kind NOT IN ",
            no_webhooks!(),
            " AND kind <> 'alert_email' AND merchant_id = ?2 AND id "
        );
        const ONE: &str = "= ?3 RETURNING id, state";
        const MANY: &str = concat!(
            "IN (SELECT d.id FROM delivery d WHERE d.merchant_id = ?2 AND d.state = ?3 \
             AND d.created_at >= CAST(?4 AS INTEGER) AND d.created_at <= CAST(?5 AS INTEGER) \
             AND (d.resent_at IS NULL OR d.resent_at < CAST(?5 AS INTEGER)) AND (?6 IS NULL OR d.receiver = ?6) \
             AND d.body <> '' AND d.kind NOT IN ",
            no_webhooks!(),
            " AND d.kind <> 'alert_email' ORDER BY d.created_at, d.id LIMIT CAST(?7 AS INTEGER)) RETURNING id, state"
        );
        audit::record(&self.db, entry).await?;
        let values = Values::default().number(resend.now.millis()).text(resend.merchant.as_str());
        let statement = match &resend.which {
            Which::One(id) => values.text(id.as_str()).bind(&self.db, &[SET, ONE].concat()),
            Which::Of { state, receiver, since, until } => values
                .text(state.as_str())
                .number(since.millis())
                .number(until.millis())
                .optional_text(receiver.as_deref())
                .number(resend.limit)
                .bind(&self.db, &[SET, MANY].concat()),
        };
        let mut done = Resent { due: Vec::new(), held: 0 };
        for mut row in self.db.rows(statement?).await? {
            let id = row.word("delivery.id", DeliveryId::parse)?;
            match row.word("delivery.state", DeliveryState::parse)? {
                DeliveryState::Held => done.held = done.held.saturating_add(1),
                DeliveryState::Due | DeliveryState::Delivered | DeliveryState::GivenUp => {
                    done.due.push(id);
                }
            }
        }
        Ok(done)
    }
}

impl Receivers for D1Store {
    async fn receivers(&self, merchant: &MerchantId, limit: u32) -> Result<Vec<Receiver>, PortError> {
        const SQL: &str = "SELECT r.address, r.failing_since, r.disabled_at, r.reason, \
             (SELECT COUNT(*) FROM delivery d WHERE d.merchant_id = r.merchant_id AND d.state = 'held' \
             AND d.receiver = substr(r.address, 1, instr(substr(r.address, 9) || '/', '/') + 7) \
             AND r.address IN (d.receiver, d.url)) \
             FROM receiver r WHERE r.merchant_id = ? ORDER BY r.address LIMIT CAST(? AS INTEGER)";
        let rows = Values::default().text(merchant.as_str()).number(limit).rows(&self.db, SQL).await?;
        rows.into_iter().map(read_receiver).collect()
    }

    async fn count_receivers(&self, merchant: &MerchantId, most: u32) -> Result<u32, PortError> {
        const SQL: &str = "SELECT COUNT(*) FROM (SELECT 1 FROM receiver WHERE merchant_id = ? LIMIT CAST(? AS INTEGER) + 1)";
        let values = Values::default().text(merchant.as_str()).number(most);
        values.first(&self.db, SQL).await?.map_or(Ok(0), |mut row| row.small("receiver.count"))
    }

    async fn enable_receiver(
        &self,
        merchant: &MerchantId,
        address: &str,
        now: Timestamp,
        entry: &Entry,
    ) -> Result<Option<Released>, PortError> {
        const COUNT: &str = "SELECT COUNT(*) FROM delivery WHERE merchant_id = ?1 AND state = 'held' AND receiver = ?2 \
             AND ?3 IN (receiver, url)";
        const DISABLED: &str = "(SELECT merchant_id FROM receiver WHERE merchant_id = ? AND address = ? AND disabled_at IS NOT NULL)";
        const ENABLE: &str = "DELETE FROM receiver WHERE merchant_id = ? AND address = ?";
        const RELEASED: &str = "SELECT id FROM delivery WHERE merchant_id = ? AND receiver = ? AND state = 'due' \
             AND due_at = CAST(? AS INTEGER) ORDER BY created_at, id LIMIT CAST(? AS INTEGER)";
        const RELEASE: &str = concat!(
            "UPDATE delivery SET state = 'due', due_at = CAST(?3 AS INTEGER), failed_tries = 0 \
             WHERE merchant_id = ?1 AND state = 'held' AND receiver = ?2 AND NOT ",
            is_disabled!("delivery")
        );
        let named = || Values::default().text(merchant.as_str());
        let of_origin = || named().text(origin(address));
        let held = of_origin().text(address).first(&self.db, COUNT).await?;
        let held: u32 = held.ok_or_else(|| corrupt("delivery.count"))?.small("delivery.count")?;
        let changes = vec![
            named().text(address).bind(&self.db, ENABLE)?,
            of_origin().number(now.millis()).bind(&self.db, RELEASE)?,
        ];
        let of = Of::row(entry, DISABLED, named().text(address));
        if !audit::change_all(&self.db, entry, of, changes).await? {
            return Ok(None);
        }
        let released = of_origin().number(now.millis()).number(MAX_RUNG).rows(&self.db, RELEASED).await?;
        let ids = released.into_iter().map(|mut row| row.word("delivery.id", DeliveryId::parse));
        Ok(Some(Released { count: held, due: ids.collect::<Result<_, _>>()? }))
    }
}

fn read(mut row: Row) -> Result<LoggedDelivery, PortError> {
    Ok(LoggedDelivery {
        id: row.word("delivery.id", DeliveryId::parse)?,
        session_id: match row.optional_text("delivery.session_id")? {
            Some(text) => Some(SessionId::parse(&text).ok_or_else(|| corrupt("delivery.session_id"))?),
            None => None,
        },
        reference: row.word("delivery.reference", ReferenceNumber::parse)?,
        kind: row.word("delivery.kind", MessageKind::parse)?,
        url: row.text("delivery.url")?,
        state: row.word("delivery.state", DeliveryState::parse)?,
        created_at: row.time("delivery.created_at")?,
        due_at: row.time("delivery.due_at")?,
        failed_tries: row.small("delivery.failed_tries")?,
        last_status: status(row.optional_number("delivery.last_status")?)?,
        resent_at: row.optional_time("delivery.resent_at")?,
    })
}

fn status(number: Option<i64>) -> Result<Option<u16>, PortError> {
    number.map(u16::try_from).transpose().map_err(|_| corrupt("delivery.status"))
}

pub(super) fn read_try(mut row: Row) -> Result<LoggedTry, PortError> {
    let number = row.small("delivery_try.number")?;
    let at = row.time("delivery_try.at")?;
    let status = status(row.optional_number("delivery_try.status")?)?;
    let error = row.optional_text("delivery_try.error")?;
    let error = error.map(|word| TryError::parse(&word).ok_or_else(|| corrupt("delivery_try.error")));
    let took_ms =
        row.optional_number("delivery_try.took_ms")?.ok_or_else(|| corrupt("delivery_try.took_ms"))?;
    let excerpt = row.optional_text("delivery_try.excerpt")?;
    Ok(LoggedTry { number, at, status, error: error.transpose()?, took_ms, excerpt })
}

fn read_receiver(mut row: Row) -> Result<Receiver, PortError> {
    let address = row.text("receiver.address")?;
    let failing_since = row.optional_time("receiver.failing_since")?;
    let disabled_at = row.optional_time("receiver.disabled_at")?;
    let reason = row.optional_text("receiver.reason")?;
    let disabled = match (disabled_at, reason) {
        (Some(at), Some(word)) => {
            Some((at, Disabling::parse(&word).ok_or_else(|| corrupt("receiver.reason"))?))
        }
        _ => None,
    };
    Ok(Receiver { address, failing_since, disabled, held: row.small("receiver.held")? })
}

/// Adds the state of a new message: it is held if its receiver is disabled.
pub(super) fn with_state(columns: Columns, message: &Message) -> Columns {
    const STATE: &str = "CASE WHEN EXISTS (SELECT 1 FROM receiver r WHERE r.merchant_id = ? AND r.address IN (?, ?) \
         AND r.disabled_at IS NOT NULL) THEN 'held' ELSE 'due' END";
    let url = message.recipient.address();
    let values = Values::default().text(message.merchant.as_str()).text(origin(url)).text(url);
    columns.expression("state", STATE, values)
}

/// What a try of a delivery changes for its receiver, which the statements find by the delivery.
pub(super) fn of_receiver(
    db: &Db,
    id: &DeliveryId,
    effect: ReceiverEffect,
    at: Timestamp,
) -> Result<Vec<Statement>, PortError> {
    const WORKS: &str = "DELETE FROM receiver WHERE disabled_at IS NULL \
         AND (merchant_id, address) IN (SELECT d.merchant_id, d.receiver FROM delivery d WHERE d.id = ?1)";
    const FAILS: &str = "INSERT INTO receiver (merchant_id, address, failing_since) \
         SELECT d.merchant_id, d.receiver, CAST(?2 AS INTEGER) FROM delivery d WHERE d.id = ?1 ON CONFLICT DO NOTHING";
    const FAILED: &str = "UPDATE receiver SET disabled_at = CAST(?2 AS INTEGER), reason = 'failing' \
         WHERE disabled_at IS NULL AND failing_since IS NOT NULL \
         AND (merchant_id, address) IN (SELECT d.merchant_id, d.receiver FROM delivery d WHERE d.id = ?1)";
    const GONE: &str = "INSERT INTO receiver (merchant_id, address, disabled_at, reason) \
         SELECT d.merchant_id, d.url, CAST(?2 AS INTEGER), 'gone' FROM delivery d WHERE d.id = ?1 \
         ON CONFLICT DO UPDATE SET disabled_at = excluded.disabled_at, reason = excluded.reason WHERE disabled_at IS NULL";
    const HOLD: &str = concat!(
        "UPDATE delivery SET state = 'held' WHERE state = 'due' AND (merchant_id, receiver) IN \
         (SELECT d.merchant_id, d.receiver FROM delivery d WHERE d.id = ?1) AND ",
        is_disabled!("delivery")
    );
    let about = || Values::default().text(id.as_str());
    let at_moment = || about().number(at.millis());
    Ok(match effect {
        ReceiverEffect::Nothing => Vec::new(),
        ReceiverEffect::Works => vec![about().bind(db, WORKS)?],
        ReceiverEffect::Fails => vec![at_moment().bind(db, FAILS)?],
        ReceiverEffect::Disabled(Disabling::Failing) => {
            vec![at_moment().bind(db, FAILED)?, about().bind(db, HOLD)?]
        }
        ReceiverEffect::Disabled(Disabling::Gone) => {
            vec![at_moment().bind(db, GONE)?, about().bind(db, HOLD)?]
        }
    })
}
