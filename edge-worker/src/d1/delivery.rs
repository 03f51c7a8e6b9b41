//! The outbox: who sends a message, and how that ended.

use checkout_core::port::{Claim, DeliveryStatus, NewestDelivery, Next, PortError, Try};
use checkout_core::record::attention::Attention;
use checkout_core::record::outbox::{Kind, Message, Recipient, Subject};
use checkout_core::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::time::Timestamp;

use super::commit::attention_values;
use super::fault::{corrupt, failed};
use super::statement::{Db, Statement, Values};

/// Claims a message that is due by its merchant's time until `lease_until`, if no other sender holds it.
pub(super) async fn claim(
    db: &Db,
    id: &DeliveryId,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Option<Claim>, PortError> {
    const SQL: &str = "UPDATE delivery SET lease_until = CAST(? AS INTEGER) \
         WHERE id = ? AND state = 'due' AND due_at <= CAST(? AS INTEGER) \
         + (SELECT m.clock_offset FROM merchant m WHERE m.id = delivery.merchant_id) AND lease_until <= CAST(? AS INTEGER) \
         RETURNING merchant_id, kind, session_id, reference, url, body, due_at, failed_tries";
    let values = Values::default()
        .number(lease_until.millis())
        .text(id.as_str())
        .number(now.millis())
        .number(now.millis());
    let Some(mut row) = values.first(db, SQL).await? else { return Ok(None) };
    let merchant = row.word("delivery.merchant_id", MerchantId::parse)?;
    let kind = row.word("delivery.kind", Kind::parse)?;
    let message = Message {
        id: id.clone(),
        merchant,
        kind,
        subject: Subject {
            session_id: row.word("delivery.session_id", SessionId::parse)?,
            reference: row.word("delivery.reference", ReferenceNumber::parse)?,
        },
        recipient: Recipient::stored(kind, row.text("delivery.url")?),
        body: row.text("delivery.body")?,
        due_at: row.time("delivery.due_at")?,
    };
    Ok(Some(Claim { message, failed_tries: row.small("delivery.failed_tries")? }))
}

/// Records a try. A delivered message stays delivered, whatever a slower sender reports after it.
pub(super) async fn finish_try(
    db: &Db,
    id: &DeliveryId,
    done: &Try,
    attention: Option<&Attention>,
) -> Result<(), PortError> {
    const TRY: &str = "INSERT INTO delivery_try (delivery_id, number, at, status, took_ms) \
         SELECT ?, COALESCE(MAX(number), 0) + 1, CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS INTEGER) \
         FROM delivery_try WHERE delivery_id = ?";
    const FLAG: &str = "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) \
         SELECT ?, ?, ?, ?, ?, CAST(? AS INTEGER) \
         FROM delivery WHERE id = ? AND state = 'given_up' ON CONFLICT DO NOTHING";
    let status = done.status.map(i64::from);
    let entry = Values::default()
        .text(id.as_str())
        .number(done.at.millis())
        .optional_number(status)
        .number(done.took_ms)
        .text(id.as_str())
        .bind(db, TRY)?;
    let mut batch = vec![entry, outcome(db, id, done.next, status)?];
    if let Some(attention) = attention {
        batch.push(attention_values(attention).text(id.as_str()).bind(db, FLAG)?);
    }
    db.batch(batch).await.map_err(|error| failed(&error))?;
    Ok(())
}

/// The state of the message after a try.
fn outcome(db: &Db, id: &DeliveryId, next: Next, status: Option<i64>) -> Result<Statement, PortError> {
    const DELIVERED: &str = "UPDATE delivery SET last_status = CAST(? AS INTEGER), state = 'delivered', lease_until = 0 WHERE id = ?";
    const AGAIN: &str = "UPDATE delivery SET last_status = CAST(? AS INTEGER), due_at = CAST(? AS INTEGER), \
         failed_tries = failed_tries + 1, lease_until = 0 WHERE id = ? AND state = 'due'";
    const GIVEN_UP: &str = "UPDATE delivery SET last_status = CAST(? AS INTEGER), state = 'given_up', \
         failed_tries = failed_tries + 1, lease_until = 0 WHERE id = ? AND state = 'due'";
    let values = Values::default().optional_number(status);
    match next {
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
    const SQL: &str = "SELECT id, last_status, state = 'delivered', lease_until FROM delivery \
         WHERE reference = ? AND NOT EXISTS (SELECT 1 FROM txn_event e \
         WHERE e.session_id = delivery.session_id AND e.number = delivery.number AND e.kind = 'notified') \
         ORDER BY number DESC LIMIT 1";
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
