//! The outbox: who sends a message, and how that ended.

use checkout_core::port::{
    ClaimedMessages, DeliveryStatus, Finished, MessageClaim, NewestDelivery, Next, PortError, Try,
};
use checkout_core::record::outbox::{Message, MessageKind, Recipient, Subject};
use checkout_core::record::receiver::{ReceiverEffect, TryError};
use checkout_core::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;

use super::commit::attention_values;
use super::delivery_log;
use super::fault::{corrupt, failed};
use super::messages::no_webhooks;
use super::row::Row;
use super::statement::{Db, Statement, Values, json};

/// Claims messages that are due by their merchants' time until `lease_until`, those that no other sender holds, in the order
/// of their ids. A row that cannot be read is let go again, and holds up no other.
pub(super) async fn claim(
    db: &Db,
    ids: &[DeliveryId],
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<ClaimedMessages, PortError> {
    const FREE: &str = "UPDATE delivery SET lease_until = 0 WHERE id IN (SELECT value FROM json_each(?))";
    const SQL: &str = "UPDATE delivery SET lost_lease = lease_until, lease_until = CAST(? AS INTEGER) \
         WHERE id IN (SELECT value FROM json_each(?)) AND state = 'due' AND due_at <= CAST(? AS INTEGER) \
         + (SELECT m.clock_offset FROM merchant m WHERE m.id = delivery.merchant_id) AND lease_until <= CAST(? AS INTEGER) \
         RETURNING id, merchant_id, kind, session_id, reference, url, body, due_at, failed_tries, lost_lease, \
         (SELECT r.failing_since FROM receiver r WHERE r.merchant_id = delivery.merchant_id AND r.address = delivery.receiver)";
    let names: Vec<&str> = ids.iter().map(DeliveryId::as_str).collect();
    let values = Values::default()
        .number(lease_until.millis())
        .text(&json(&names, "delivery.id")?)
        .number(now.millis())
        .number(now.millis());
    let mut claimed = ClaimedMessages::default();
    for mut row in values.rows(db, SQL).await? {
        let id = row.word("delivery.id", DeliveryId::parse)?;
        match read(id.clone(), row) {
            Ok(claim) => claimed.claims.push(claim),
            Err(error) => claimed.unreadable.push((id, error)),
        }
    }
    if !claimed.unreadable.is_empty() {
        let names: Vec<&str> = claimed.unreadable.iter().map(|(id, _)| id.as_str()).collect();
        Values::default().text(&json(&names, "delivery.id")?).run(db, FREE).await?;
    }
    claimed.claims.sort_by_cached_key(|claim| ids.iter().position(|id| *id == claim.message.id));
    Ok(claimed)
}

/// Gives back messages that were claimed until `lease_until`.
pub(super) async fn release(db: &Db, ids: &[&str], lease_until: Timestamp) -> Result<(), PortError> {
    const SQL: &str = "UPDATE delivery SET lease_until = 0 \
         WHERE id IN (SELECT value FROM json_each(?)) AND lease_until = CAST(? AS INTEGER)";
    Values::default().text(&json(&ids, "delivery.id")?).number(lease_until.millis()).run(db, SQL).await
}

/// A message that was claimed.
fn read(id: DeliveryId, mut row: Row) -> Result<MessageClaim, PortError> {
    let merchant = row.word("delivery.merchant_id", MerchantId::parse)?;
    let kind = row.word("delivery.kind", MessageKind::parse)?;
    let message = Message {
        id,
        merchant,
        kind,
        subject: Subject {
            session_id: match row.optional_text("delivery.session_id")? {
                Some(text) => Some(SessionId::parse(&text).ok_or_else(|| corrupt("delivery.session_id"))?),
                None => None,
            },
            reference: row.word("delivery.reference", ReferenceNumber::parse)?,
        },
        recipient: Recipient::stored(kind, row.text("delivery.url")?),
        body: row.text("delivery.body")?,
        due_at: row.time("delivery.due_at")?,
    };
    let failed_tries = row.small("delivery.failed_tries")?;
    let lost_until = Some(row.time("delivery.lost_lease")?).filter(|until| until.millis() > 0);
    let failing_since = row.optional_time("receiver.failing_since")?;
    Ok(MessageClaim { message, failed_tries, failing_since, lost_until })
}

/// Records tries as one transaction.
pub(super) async fn finish_tries(db: &Db, finished: &[Finished<'_>]) -> Result<(), PortError> {
    let mut batch = Vec::new();
    for one in finished {
        batch.extend(statements(db, one)?);
    }
    db.batch(batch).await.map_err(|error| failed(&error))?;
    Ok(())
}

/// What records a try. A delivered message stays delivered, whatever a slower sender reports after it.
fn statements(db: &Db, finished: &Finished<'_>) -> Result<Vec<Statement>, PortError> {
    const TRY: &str = "INSERT INTO delivery_try (delivery_id, number, at, status, took_ms, error, excerpt) \
         SELECT ?, COALESCE(MAX(number), 0) + 1, CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS INTEGER), ?, ? \
         FROM delivery_try WHERE delivery_id = ?";
    const FLAG: &str = "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) \
         SELECT ?, ?, ?, ?, ?, CAST(? AS INTEGER) \
         FROM delivery WHERE id = ? AND (state IN ('given_up', 'held') OR (state = 'due' AND ? = 'webhook_failing')) \
         ON CONFLICT (reference, reason) DO UPDATE SET at = excluded.at, detail = excluded.detail, closed_at = NULL, how = NULL, note = NULL, \
         alerted_at = NULL, operators_alerted_at = NULL \
         WHERE attention.closed_at IS NOT NULL";
    let Finished { id, done, attention } = *finished;
    let status = done.status.map(i64::from);
    let entry = Values::default()
        .text(id.as_str())
        .number(done.at.millis())
        .optional_number(status)
        .number(done.took_ms)
        .optional_text(done.error.map(TryError::as_str))
        .optional_text(done.excerpt.as_deref())
        .text(id.as_str())
        .bind(db, TRY)?;
    let mut batch = vec![entry, outcome(db, id, done.next, status)?];
    batch.extend(delivery_log::of_receiver(db, id, done.receiver, done.at)?);
    if let Some(attention) = attention {
        let values = attention_values(attention).text(id.as_str()).text(attention.reason.as_str());
        batch.push(values.bind(db, FLAG)?);
    }
    batch.extend(recovered(db, id, done)?);
    Ok(batch)
}

/// That a webhook fails is no news any more once it was given up; that those of a receiver do, once it works again.
fn recovered(db: &Db, id: &DeliveryId, done: &Try) -> Result<Option<Statement>, PortError> {
    const OF_WEBHOOK: &str = "UPDATE attention SET closed_at = CAST(?1 AS INTEGER), how = 'given_up' \
         WHERE closed_at IS NULL AND reason = 'webhook_failing' AND reference = (SELECT reference FROM delivery WHERE id = ?2)";
    const OF_RECEIVER: &str = "UPDATE attention SET closed_at = CAST(?1 AS INTEGER), how = 'recovered' \
         WHERE closed_at IS NULL AND reason = 'webhook_failing' AND EXISTS (SELECT 1 FROM delivery d JOIN delivery f \
         ON f.merchant_id = d.merchant_id AND f.receiver = d.receiver WHERE d.id = ?2 AND f.reference = attention.reference)";
    let sql = match (done.next, done.receiver) {
        (Next::GivenUp | Next::Held, _) => OF_WEBHOOK,
        (Next::Delivered, ReceiverEffect::Works) => OF_RECEIVER,
        (Next::Delivered | Next::Again(_), _) => return Ok(None),
    };
    Values::default().number(done.at.millis()).text(id.as_str()).bind(db, sql).map(Some)
}

/// The state of the message after a try.
fn outcome(db: &Db, id: &DeliveryId, next: Next, status: Option<i64>) -> Result<Statement, PortError> {
    const DELIVERED: &str = "UPDATE delivery SET last_status = CAST(? AS INTEGER), state = 'delivered', lease_until = 0 WHERE id = ?";
    const AGAIN: &str = "UPDATE delivery SET last_status = CAST(? AS INTEGER), due_at = CAST(? AS INTEGER), \
         failed_tries = failed_tries + 1, lease_until = 0 WHERE id = ? AND state = 'due'";
    const GIVEN_UP: &str = "UPDATE delivery SET last_status = CAST(? AS INTEGER), state = 'given_up', \
         failed_tries = failed_tries + 1, lease_until = 0 WHERE id = ? AND state = 'due'";
    const HELD: &str = "UPDATE delivery SET last_status = CAST(? AS INTEGER), state = 'held', \
         failed_tries = failed_tries + 1, lease_until = 0 WHERE id = ? AND state = 'due'";
    let values = Values::default().optional_number(status);
    match next {
        Next::Held => values.text(id.as_str()).bind(db, HELD),
        Next::Delivered => values.text(id.as_str()).bind(db, DELIVERED),
        Next::Again(at) => values.number(at.millis()).text(id.as_str()).bind(db, AGAIN),
        Next::GivenUp => values.text(id.as_str()).bind(db, GIVEN_UP),
    }
}

/// The state of the newest message that an outcome of an attempt caused.
pub(super) async fn newest(
    db: &Db,
    reference: &ReferenceNumber,
) -> Result<Option<NewestDelivery>, PortError> {
    const SQL: &str = concat!(
        "SELECT id, last_status, state = 'delivered', lease_until FROM delivery WHERE reference = ? AND kind NOT IN ",
        no_webhooks!(),
        " AND NOT EXISTS (SELECT 1 FROM txn_event e \
         WHERE e.session_id = delivery.session_id AND e.number = delivery.number AND e.kind = 'notified') \
         ORDER BY number DESC LIMIT 1"
    );
    let Some(mut row) = Values::default().text(reference.as_str()).first(db, SQL).await? else {
        return Ok(None);
    };
    let id = row.word("delivery.id", DeliveryId::parse)?;
    let status = match row.optional_number("delivery.last_status")? {
        Some(status) => Some(u16::try_from(status).map_err(|_| corrupt("delivery.last_status"))?),
        None => None,
    };
    let is_delivered = row.flag("delivery.state")?;
    let leased_until = Some(row.time("delivery.lease_until")?).filter(|end| end.millis() > 0);
    Ok(Some(NewestDelivery { id, status: DeliveryStatus { status, is_delivered, leased_until } }))
}
