//! The table `settings_version`: the document of each version that changed it. The database fills it.

use checkout_core::port::{PortError, StoredVersion};
use checkout_core::value::id::MerchantId;

use super::audit;
use super::statement::{Db, Values};

/// Versions of a merchant's document before one, the newest first.
pub(super) async fn list(
    db: &Db,
    merchant: &MerchantId,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<StoredVersion>, PortError> {
    const SQL: &str = "SELECT v.version, v.at, a.actor_kind, a.actor, a.actor_name, a.role, a.action FROM settings_version v \
         LEFT JOIN audit a ON a.merchant_id = v.merchant_id AND a.version = v.version \
         WHERE v.merchant_id = ? AND v.version < CAST(? AS INTEGER) ORDER BY v.version DESC LIMIT CAST(? AS INTEGER)";
    let values = Values::default().text(merchant.as_str()).number(before.unwrap_or(i64::MAX)).number(limit);
    let rows = values.rows(db, SQL).await?;
    rows.into_iter()
        .map(|mut row| {
            let version = row.number("settings_version.version")?;
            let at = row.time("settings_version.at")?;
            let actor = audit::actor(&mut row)?;
            let action = row.optional_text("audit.action")?;
            Ok(StoredVersion { version, at, made: actor.zip(action) })
        })
        .collect()
}

/// The document of one version.
pub(super) async fn document(
    db: &Db,
    merchant: &MerchantId,
    version: i64,
) -> Result<Option<String>, PortError> {
    const SQL: &str =
        "SELECT document FROM settings_version WHERE merchant_id = ? AND version = CAST(? AS INTEGER)";
    let found = Values::default().text(merchant.as_str()).number(version).first(db, SQL).await?;
    found.map(|mut row| row.text("settings_version.document")).transpose()
}
