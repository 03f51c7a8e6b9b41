//! The answers to requests with an idempotency key.

use checkout_core::port::PortError;
use checkout_core::record::idempotency::StoredAnswer;
use checkout_core::value::id::MerchantId;
use checkout_core::value::time::Timestamp;

use super::statement::{Db, Values};

/// The answer stored under a key of a merchant's operation.
pub(super) async fn find(
    db: &Db,
    merchant: &MerchantId,
    operation: &'static str,
    key: &str,
) -> Result<Option<StoredAnswer>, PortError> {
    const SQL: &str = "SELECT fingerprint, status, body, stored_at FROM answer \
         WHERE merchant_id = ? AND operation = ? AND key = ?";
    let values = Values::default().text(merchant.as_str()).text(operation).text(key);
    let Some(mut row) = values.first(db, SQL).await? else { return Ok(None) };
    Ok(Some(StoredAnswer {
        merchant: merchant.clone(),
        operation,
        key: key.into(),
        fingerprint: row.text("answer.fingerprint")?,
        status: row.small("answer.status")?,
        body: row.text("answer.body")?,
        at: row.time("answer.stored_at")?,
    }))
}

/// Deletes the oldest answers stored before `before`.
pub(super) async fn delete_before(db: &Db, before: Timestamp, limit: u32) -> Result<u32, PortError> {
    const SQL: &str = "DELETE FROM answer WHERE rowid IN (SELECT rowid FROM answer \
         WHERE stored_at < CAST(? AS INTEGER) ORDER BY stored_at LIMIT CAST(? AS INTEGER)) RETURNING 1";
    Values::default().number(before.millis()).number(limit).count(db, SQL).await
}
