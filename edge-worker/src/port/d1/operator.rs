//! The table `operator`.

use checkout_core::access::key::ApiKey;
use checkout_core::access::operator::Operator;
use checkout_core::port::{NewOperator, OperatorEntry, PortError};
use checkout_core::record::audit::Entry;
use checkout_core::value::id::OperatorId;
use checkout_core::value::time::Timestamp;
use checkout_core::words::role::Role;

use super::audit::{self, Of};
use super::fault::{corrupt, failed};
use super::row::Row;
use super::statement::{Columns, Db, Values};

/// The operator of a key, and when it was used last. Prefixes are unique; the hash decides.
pub(super) async fn find(
    db: &Db,
    key: &ApiKey,
    now: Timestamp,
) -> Result<Option<(Operator, Option<Timestamp>)>, PortError> {
    const SQL: &str = "SELECT hash, used_at, id, name, role FROM operator WHERE prefix = ? AND revoked_at IS NULL \
         AND (expires_at IS NULL OR expires_at > CAST(? AS INTEGER))";
    let values = Values::default().text(key.prefix()).number(now.millis());
    let Some(mut row) = values.first(db, SQL).await? else { return Ok(None) };
    let hash = row.word("operator.hash", |text| hex::decode(text).ok())?;
    if !key.matches(&hash) {
        return Ok(None);
    }
    let used_at = row.optional_time("operator.used_at")?;
    Ok(Some((read_operator(&mut row)?, used_at)))
}

fn read_operator(row: &mut Row) -> Result<Operator, PortError> {
    Ok(Operator {
        id: OperatorId(row.small("operator.id")?),
        name: row.text("operator.name")?.into(),
        role: row.word("operator.role", Role::parse)?,
    })
}

/// Notes that the key of an operator was used.
pub(super) async fn note_use(db: &Db, id: OperatorId, at: Timestamp) -> Result<(), PortError> {
    const SQL: &str = "UPDATE operator SET used_at = max(coalesce(used_at, 0), CAST(? AS INTEGER)) WHERE id = CAST(? AS INTEGER)";
    Values::default().number(at.millis()).number(id.0).run(db, SQL).await
}

/// Adds an operator, with its entry of the audit.
pub(super) async fn add(db: &Db, new: &NewOperator, entry: &Entry) -> Result<OperatorId, PortError> {
    const NUMBER: &str = "(SELECT id FROM operator WHERE prefix = ?)";
    let row = Columns::default()
        .text("name", &new.name)
        .text("role", new.role.as_str())
        .text("prefix", &new.prefix)
        .text("hash", &new.hash)
        .text("last4", &new.last4)
        .time("created_at", new.at)
        .optional_time("expires_at", new.expires_at)
        .insert(db, "operator")?;
    let of = Of::made(entry, NUMBER, Values::default().text(&new.prefix));
    let batch = vec![row, audit::insert(db, entry, of)?];
    db.batch(batch).await.map_err(|error| failed(&error))?;
    let found =
        Values::default().text(&new.prefix).first(db, "SELECT id FROM operator WHERE prefix = ?").await?;
    let mut row = found.ok_or_else(|| corrupt("operator.prefix"))?;
    row.small("operator.id").map(OperatorId)
}

/// Every operator, in the order of their numbers.
pub(super) async fn all(db: &Db) -> Result<Vec<OperatorEntry>, PortError> {
    const SQL: &str = "SELECT id, name, role, prefix, last4, created_at, expires_at, revoked_at, used_at FROM operator ORDER BY id";
    let rows = Values::default().rows(db, SQL).await?;
    rows.into_iter()
        .map(|mut row| {
            Ok(OperatorEntry {
                operator: read_operator(&mut row)?,
                prefix: row.text("operator.prefix")?,
                last4: row.text("operator.last4")?,
                created_at: row.time("operator.created_at")?,
                expires_at: row.optional_time("operator.expires_at")?,
                revoked_at: row.optional_time("operator.revoked_at")?,
                used_at: row.optional_time("operator.used_at")?,
            })
        })
        .collect()
}

/// Revokes an operator; whether there was one that was not revoked.
pub(super) async fn revoke(db: &Db, id: OperatorId, entry: &Entry) -> Result<bool, PortError> {
    const LIVE: &str = "(SELECT '' FROM operator WHERE id = CAST(? AS INTEGER) AND revoked_at IS NULL)";
    const SQL: &str = "UPDATE operator SET revoked_at = CAST(? AS INTEGER) WHERE id = CAST(? AS INTEGER) AND revoked_at IS NULL";
    let of = Of::row(entry, LIVE, Values::default().number(id.0));
    let revoked = Values::default().number(entry.at.millis()).number(id.0).bind(db, SQL)?;
    audit::change(db, entry, of, revoked).await
}
