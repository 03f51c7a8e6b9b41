//! Merchants, their settings and their keys.

use std::rc::Rc;
use std::time::Duration;

use checkout_core::access::key::KeyKind;
use checkout_core::access::permission::Permissions;
use checkout_core::port::{
    KeyEntry, MerchantEntry, MerchantSecrets, NewDocument, NewKey, NewMerchant, NewSecrets, PortError,
    StoredDocument,
};
use checkout_core::record::audit::Entry;
use checkout_core::settings::situation::Merchant;
use checkout_core::settings::{MerchantSettings, NextKey, WebhookSecrets, parse};
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::value::sealed::Sealed;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Bilingual;

use super::audit::{self, Of};
use super::fault::{corrupt, failed, is_duplicate};
use super::row::Row;
use super::settings_cache as cache;
use super::statement::{Columns, Db, Statement, Values, json};

/// The columns of a merchant `v` in the order in which [`read_merchant`] takes them; those of `m` are NULL if the cache has
/// them.
macro_rules! settings_columns {
    () => {
        "v.id, v.version, m.document, m.hmac_key, m.signing_secrets, m.previous_until, m.next_hmac_key, m.next_hmac_at, \
         m.clock_offset"
    };
}
pub(super) use settings_columns;

/// How many columns of [`settings_columns`] follow the document.
const AFTER_DOCUMENT: usize = 6;

/// Notes that a key was used.
pub(super) async fn note_use(
    db: &Db,
    merchant: &MerchantId,
    prefix: &str,
    at: Timestamp,
) -> Result<(), PortError> {
    const SQL: &str = "UPDATE api_key SET used_at = max(coalesce(used_at, 0), CAST(? AS INTEGER)) WHERE prefix = ? AND merchant_id = ?";
    Values::default().number(at.millis()).text(prefix).text(merchant.as_str()).run(db, SQL).await
}

/// A merchant.
pub(super) async fn merchant(db: &Db, id: &MerchantId) -> Result<Option<Merchant>, PortError> {
    const SQL: &str = concat!(
        "SELECT ",
        settings_columns!(),
        " FROM merchant v LEFT JOIN merchant m ON m.id = v.id AND NOT (m.id = ? AND m.version = CAST(? AS INTEGER)) WHERE v.id = ?"
    );
    let cached = cache::of_merchant(id);
    let read = db.version.take();
    let is_read = |cached: &&Merchant| {
        let known = &cached.settings;
        read.as_ref().is_some_and(|(of, version)| *of == known.merchant && *version == known.version)
    };
    if let Some(cached) = cached.as_ref().filter(is_read) {
        return Ok(Some(cached.clone()));
    }
    let values = cached_version(cached.as_ref()).text(id.as_str());
    match values.first(db, SQL).await? {
        Some(mut row) => read_merchant(&mut row, cached).map(Some),
        None => Ok(None),
    }
}

/// The merchants after one, in the order of their ids.
pub(super) async fn merchants(
    db: &Db,
    after: Option<&MerchantId>,
    limit: u32,
) -> Result<Vec<MerchantEntry>, PortError> {
    const SQL: &str = "SELECT id, document ->> '$.name.en', document ->> '$.name.ar', \
         NOT EXISTS (SELECT 1 FROM json_each(merchant.document, '$.gateways') listed WHERE NOT COALESCE(listed.value ->> '$.sandbox', 0)), \
         COALESCE(document ->> '$.is_paused', 0), created_at, version \
         FROM merchant WHERE id > ? ORDER BY id LIMIT CAST(? AS INTEGER)";
    // No merchant has the empty id.
    let values = Values::default().text(after.map_or("", MerchantId::as_str)).number(limit);
    values.rows(db, SQL).await?.into_iter().map(read_entry).collect()
}

fn read_entry(mut row: Row) -> Result<MerchantEntry, PortError> {
    Ok(MerchantEntry {
        id: row.word("merchant.id", MerchantId::parse)?,
        name: Bilingual { en: row.text("merchant.document")?, ar: row.text("merchant.document")? },
        is_test: row.flag("merchant.document")?,
        is_paused: row.flag("merchant.document")?,
        created_at: row.time("merchant.created_at")?,
        version: row.number("merchant.version")?,
    })
}

/// The merchant whose single sign-on is this provider for one of these audiences; `None` if there is none, or
/// several. What is cached is not asked again: it is compared with what the caller reads afterwards.
pub(super) async fn merchant_of_provider(
    db: &Db,
    issuer: &str,
    audiences: &[String],
) -> Result<Option<Merchant>, PortError> {
    if let Some(cached) = audiences.iter().find_map(|audience| cache::of_provider(issuer, audience)) {
        return Ok(Some(cached));
    }
    if audiences.is_empty() {
        return Ok(None);
    }
    let places = vec!["?"; audiences.len()].join(", ");
    let sql = format!(
        "SELECT id, version, document, hmac_key, signing_secrets, previous_until, next_hmac_key, next_hmac_at, clock_offset FROM merchant \
         WHERE document ->> '$.single_sign_on.issuer' = ? AND document ->> '$.single_sign_on.audience' IN ({places}) LIMIT 2"
    );
    let values = audiences.iter().fold(Values::default().text(issuer), |values, one| values.text(one));
    let mut found = db.rows(values.bind(db, &sql)?).await?;
    let Some(mut row) = found.pop().filter(|_| found.is_empty()) else { return Ok(None) };
    let found = read_merchant(&mut row, None)?;
    if let Some(own) = &found.settings.single_sign_on {
        cache::keep_provider(&own.issuer, &own.audience, &found.settings.merchant);
    }
    Ok(Some(found))
}

/// The origins that the merchant of a transaction allows, from its document.
pub(super) async fn allowed_origins(db: &Db, session_id: &SessionId) -> Result<Vec<String>, PortError> {
    const SQL: &str = "SELECT m.document ->> '$.allowed_origins' FROM txn t JOIN merchant m ON m.id = t.merchant_id \
         WHERE t.session_id = ? AND t.hidden_at IS NULL";
    let Some(mut row) = Values::default().text(session_id.as_str()).first(db, SQL).await? else {
        return Ok(Vec::new());
    };
    let listed = row.optional_text("merchant.document")?;
    let parse = |text: String| serde_json::from_str(&text).map_err(|_| corrupt("merchant.document"));
    listed.map_or(Ok(Vec::new()), parse)
}

/// The merchant and the version that need not be sent again; no merchant has the empty id.
pub(super) fn cached_version(cached: Option<&Merchant>) -> Values {
    let settings = cached.map(|cached| &cached.settings);
    let (merchant, version) = settings.map_or(("", 0), |known| (known.merchant.as_str(), known.version));
    Values::default().text(merchant).number(version)
}

/// Reads id, version, and the document with its secrets and the clock, which are NULL if the cached version
/// is the stored one.
pub(super) fn read_merchant(row: &mut Row, cached: Option<Merchant>) -> Result<Merchant, PortError> {
    let merchant = row.word("merchant.id", MerchantId::parse)?;
    let version = row.number("merchant.version")?;
    let Some(document) = row.optional_text("merchant.document")? else {
        row.skip(AFTER_DOCUMENT);
        return cached
            .filter(|cached| cached.settings.merchant == merchant && cached.settings.version == version)
            .ok_or_else(|| corrupt("merchant.document"));
    };
    let secrets = read_secrets(row)?;
    let settings =
        parse::stored(&merchant, version, &document, secrets).map_err(|_| corrupt("merchant.document"))?;
    let clock_offset = u64::try_from(row.number("merchant.clock_offset")?)
        .map(Duration::from_millis)
        .map_err(|_| corrupt("merchant.clock_offset"))?;
    let found = Merchant { settings: Rc::new(settings), clock_offset };
    cache::keep(found.clone());
    Ok(found)
}

/// Reads the secrets of webhooks.
pub(super) fn read_secrets(row: &mut Row) -> Result<WebhookSecrets, PortError> {
    let hmac_key = Sealed(row.text("merchant.hmac_key")?);
    let signing =
        row.word("merchant.signing_secrets", |text| serde_json::from_str::<Vec<String>>(text).ok())?;
    let signing = signing.into_iter().map(Sealed).collect();
    let previous_until = row.optional_time("merchant.previous_until")?;
    let next_key = row.optional_text("merchant.next_hmac_key")?;
    let next_at = row.optional_time("merchant.next_hmac_at")?;
    let next_hmac = next_key.zip(next_at).map(|(key, from)| NextKey { key: Sealed(key), from });
    Ok(WebhookSecrets { hmac_key, next_hmac, signing, previous_until })
}

/// The stored document and its version.
pub(super) async fn document(db: &Db, merchant: &MerchantId) -> Result<Option<StoredDocument>, PortError> {
    const SQL: &str = "SELECT document, version FROM merchant WHERE id = ?";
    match Values::default().text(merchant.as_str()).first(db, SQL).await? {
        Some(mut row) => Ok(Some(StoredDocument {
            text: row.text("merchant.document")?,
            version: row.number("merchant.version")?,
        })),
        None => Ok(None),
    }
}

/// Makes a merchant with its keys and its entry of the audit, in one batch; whether the id was free.
pub(super) async fn add(db: &Db, merchant: &NewMerchant, entry: &Entry) -> Result<bool, PortError> {
    let secrets = &merchant.settings.webhook;
    let signing = signing_text(&secrets.signing)?;
    let row = Columns::default()
        .text("id", merchant.settings.merchant.as_str())
        .number("version", merchant.settings.version)
        .text("document", &merchant.document)
        .text("hmac_key", &secrets.hmac_key.0)
        .text("signing_secrets", &signing)
        .time("created_at", merchant.at)
        .time("updated_at", merchant.at)
        .insert(db, "merchant")?;
    let mut batch = vec![audit::insert(db, entry, Of::named(entry))?, row];
    for key in &merchant.keys {
        batch.push(insert_key(db, key)?);
    }
    match db.batch(batch).await {
        Ok(()) => Ok(true),
        Err(error) if is_duplicate(&error, "merchant.id") => Ok(false),
        Err(error) => Err(failed(&error)),
    }
}

fn signing_text(signing: &[Sealed]) -> Result<String, PortError> {
    let signing: Vec<&str> = signing.iter().map(|sealed| sealed.0.as_str()).collect();
    json(&signing, "merchant.signing_secrets")
}

/// The secrets of webhooks, in the order of the columns `signing_secrets`, `previous_until`, `hmac_key`, `next_hmac_key` and
/// `next_hmac_at`.
fn webhook_values(secrets: &WebhookSecrets) -> Result<Values, PortError> {
    let WebhookSecrets { hmac_key, next_hmac, signing, previous_until } = secrets;
    Ok(Values::default()
        .text(&signing_text(signing)?)
        .optional_number(previous_until.map(Timestamp::millis))
        .text(&hmac_key.0)
        .optional_text(next_hmac.as_ref().map(|next| next.key.0.as_str()))
        .optional_number(next_hmac.as_ref().map(|next| next.from.millis())))
}

/// SQL of the id of a merchant whose settings still have a version.
const OF_VERSION: &str = "(SELECT id FROM merchant WHERE id = ? AND version = CAST(? AS INTEGER))";

/// What an entry is about: a merchant whose settings still have a version.
fn of_version(entry: &Entry, merchant: &MerchantId, version: i64) -> Of {
    Of::row(entry, OF_VERSION, Values::default().text(merchant.as_str()).number(version))
}

/// Replaces the document of a version; whether it was still that version.
pub(super) async fn replace_document(
    db: &Db,
    new: &NewDocument<'_>,
    entry: &Entry,
) -> Result<bool, PortError> {
    const SQL: &str = "UPDATE merchant SET document = ?, version = version + 1, updated_at = CAST(? AS INTEGER) \
         WHERE id = ? AND version = CAST(? AS INTEGER)";
    let NewDocument { merchant, version, document } = *new;
    let values = Values::default().text(document).number(entry.at.millis());
    let replaced = values.text(merchant.as_str()).number(version).bind(db, SQL)?;
    audit::change(db, entry, of_version(entry, merchant, version), replaced).await
}

/// Replaces the secrets of webhooks of a version; whether it was still that version.
pub(super) async fn replace_secrets(db: &Db, new: &NewSecrets<'_>, entry: &Entry) -> Result<bool, PortError> {
    const SQL: &str = "UPDATE merchant SET signing_secrets = ?, previous_until = CAST(? AS INTEGER), hmac_key = ?, \
         next_hmac_key = ?, next_hmac_at = CAST(? AS INTEGER), version = version + 1, \
         updated_at = CAST(? AS INTEGER) WHERE id = ? AND version = CAST(? AS INTEGER)";
    let values = webhook_values(new.secrets)?.number(entry.at.millis());
    let replaced = values.text(new.merchant.as_str()).number(new.version).bind(db, SQL)?;
    audit::change(db, entry, of_version(entry, new.merchant, new.version), replaced).await
}

/// Replaces the document and the secrets of a version, sealed under another key; whether it was still that version.
pub(super) async fn replace_sealed(
    db: &Db,
    next: &MerchantSecrets,
    entry: &Entry,
) -> Result<bool, PortError> {
    const SQL: &str = "UPDATE merchant SET signing_secrets = ?, previous_until = CAST(? AS INTEGER), hmac_key = ?, \
         next_hmac_key = ?, next_hmac_at = CAST(? AS INTEGER), document = ?, version = version + 1, \
         updated_at = CAST(? AS INTEGER) WHERE id = ? AND version = CAST(? AS INTEGER)";
    let values = webhook_values(&next.webhook)?.text(&next.document).number(entry.at.millis());
    let replaced = values.text(next.merchant.as_str()).number(next.version).bind(db, SQL)?;
    audit::change(db, entry, of_version(entry, &next.merchant, next.version), replaced).await
}

/// Moves a merchant's clock, if the merchant's settings still have this version; whether they had. A trigger
/// moves what the simulated bank has delayed for the merchant.
pub(super) async fn move_clock(
    db: &Db,
    settings: &MerchantSettings,
    offset: Duration,
    entry: &Entry,
) -> Result<bool, PortError> {
    const SQL: &str = "UPDATE merchant SET clock_offset = CAST(? AS INTEGER), version = version + 1, \
         updated_at = CAST(? AS INTEGER) WHERE id = ? AND version = CAST(? AS INTEGER)";
    let offset = i64::try_from(offset.as_millis()).map_err(|_| corrupt("merchant.clock_offset"))?;
    let (merchant, version) = (&settings.merchant, settings.version);
    let values = Values::default().number(offset).number(entry.at.millis());
    let moved = values.text(merchant.as_str()).number(version).bind(db, SQL)?;
    audit::change(db, entry, of_version(entry, merchant, version), moved).await
}

/// Merchants whose clock was moved.
pub(super) async fn moved_clocks(db: &Db, limit: u32) -> Result<Vec<MerchantId>, PortError> {
    const SQL: &str =
        "SELECT id FROM merchant WHERE clock_offset > 0 ORDER BY RANDOM() LIMIT CAST(? AS INTEGER)";
    let rows = Values::default().number(limit).rows(db, SQL).await?;
    rows.into_iter().map(|mut row| row.word("merchant.id", MerchantId::parse)).collect()
}

/// Adds a key, with its entry of the audit.
pub(super) async fn add_key(db: &Db, key: &NewKey, entry: &Entry) -> Result<(), PortError> {
    let batch = vec![audit::insert(db, entry, Of::named(entry))?, insert_key(db, key)?];
    db.batch(batch).await.map_err(|error| failed(&error))
}

fn insert_key(db: &Db, key: &NewKey) -> Result<Statement, PortError> {
    Columns::default()
        .text("prefix", &key.prefix)
        .text("merchant_id", key.merchant.as_str())
        .text("kind", key.kind.as_str())
        .text("hash", &key.hash)
        .text("last4", &key.last4)
        .optional_text("name", key.name.as_deref())
        .optional_text("scope", key.scope.as_ref().map(Permissions::text).as_deref())
        .time("created_at", key.at)
        .optional_time("expires_at", key.expires_at)
        .insert(db, "api_key")
}

/// The keys of a merchant, newest first.
pub(super) async fn keys(db: &Db, merchant: &MerchantId) -> Result<Vec<KeyEntry>, PortError> {
    const SQL: &str = "SELECT kind, prefix, last4, name, scope, created_at, expires_at, revoked_at, used_at FROM api_key \
         WHERE merchant_id = ? ORDER BY created_at DESC, prefix";
    let rows = Values::default().text(merchant.as_str()).rows(db, SQL).await?;
    rows.into_iter()
        .map(|mut row| {
            Ok(KeyEntry {
                kind: row.word("api_key.kind", KeyKind::parse)?,
                prefix: row.text("api_key.prefix")?,
                last4: row.text("api_key.last4")?,
                name: row.optional_text("api_key.name")?,
                scope: match row.optional_text("api_key.scope")? {
                    Some(text) => Some(Permissions::parse(&text).ok_or_else(|| corrupt("api_key.scope"))?),
                    None => None,
                },
                created_at: row.time("api_key.created_at")?,
                expires_at: row.optional_time("api_key.expires_at")?,
                revoked_at: row.optional_time("api_key.revoked_at")?,
                used_at: row.optional_time("api_key.used_at")?,
            })
        })
        .collect()
}

/// Revokes a key; whether there was one that was not revoked.
pub(super) async fn revoke_key(
    db: &Db,
    merchant: &MerchantId,
    prefix: &str,
    entry: &Entry,
) -> Result<bool, PortError> {
    const LIVE: &str =
        "(SELECT merchant_id FROM api_key WHERE prefix = ? AND merchant_id = ? AND revoked_at IS NULL)";
    const SQL: &str = "UPDATE api_key SET revoked_at = CAST(? AS INTEGER) \
         WHERE prefix = ? AND merchant_id = ? AND revoked_at IS NULL";
    let of = Of::row(entry, LIVE, Values::default().text(prefix).text(merchant.as_str()));
    let values = Values::default().number(entry.at.millis()).text(prefix).text(merchant.as_str());
    audit::change(db, entry, of, values.bind(db, SQL)?).await
}
