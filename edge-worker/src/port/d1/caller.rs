//! Who calls: a key or a user with the settings of its merchant, in one round trip.
//!
//! If the request names a transaction, that is read by the same statement, so that most calls about a
//! transaction cost one round trip less (`ahead`).

use std::rc::Rc;

use checkout_core::access::key::ApiKey;
use checkout_core::desk::session::{DeskSession, DeskSessionId};
use checkout_core::port::{FoundUser, KeyHolder, PortError, UserKey};
use checkout_core::settings::situation::Merchant;
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::value::time::Timestamp;

use super::key_facts::{KeyFacts, key_columns};
use super::merchant::{cached_version, read_merchant, settings_columns};
use super::record::{join_latest, record_columns};
use super::row::Row;
use super::settings_cache as cache;
use super::statement::{Db, Values};
use super::user::{read_session, read_user};

/// The columns of a user `c`, as [`read_found`] reads them.
macro_rules! user_columns {
    () => {
        "c.id, c.username, c.first_name, c.last_name, c.email, c.phone, c.is_superuser, c.permissions, c.language, \
         c.time_zone, c.password, c.epoch, c.is_active, c.provider_subject"
    };
}

/// A statement that finds a caller `c`, and one that reads a transaction of the same merchant, too.
struct Search {
    alone: &'static str,
    with_transaction: &'static str,
}

macro_rules! search {
    ($columns:expr, $table:literal, $condition:literal) => {
        Search {
            alone: search!(@ $columns, "", $table, "", $condition),
            with_transaction: search!(@ $columns, concat!(", ", record_columns!()), $table,
                concat!("LEFT JOIN txn t ON t.session_id = ? AND t.merchant_id = c.merchant_id AND t.hidden_at IS NULL ", join_latest!()),
                $condition),
        }
    };
    (@ $columns:expr, $more:expr, $table:literal, $join:expr, $condition:literal) => {
        concat!(
            "SELECT ", $columns, ", ", settings_columns!(), $more, " FROM ", $table, " c JOIN merchant v ON v.id = c.merchant_id \
             LEFT JOIN merchant m ON m.id = c.merchant_id AND NOT (m.id = ? AND m.version = CAST(? AS INTEGER)) ",
            $join, "WHERE ", $condition
        )
    };
}

impl Search {
    /// The rows of those whom `by` names. The document of a merchant is sent along only if the cache has another version of
    /// it.
    async fn rows(
        &self,
        db: &Db,
        cached: Option<&Merchant>,
        by: Values,
        named: Option<&SessionId>,
    ) -> Result<Vec<Row>, PortError> {
        db.proof.is_loaded();
        let values = cached_version(cached);
        match named {
            Some(session_id) => {
                values.text(session_id.as_str()).followed_by(by).rows(db, self.with_transaction).await
            }
            None => values.followed_by(by).rows(db, self.alone).await,
        }
    }
}

/// The caller of a key.
///
/// Prefixes are unique per merchant, and there are few keys: should two merchants share one, the hash
/// decides.
pub(super) async fn caller(
    db: &Db,
    key: &ApiKey,
    now: Timestamp,
    named: Option<&SessionId>,
) -> Result<Option<KeyHolder>, PortError> {
    const BY_PREFIX: Search = search!(
        key_columns!(),
        "api_key",
        "c.prefix = ? AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > CAST(? AS INTEGER))"
    );
    let cached = cache::of_key(key.prefix());
    let by = Values::default().text(key.prefix()).number(now.millis());
    for mut row in BY_PREFIX.rows(db, cached.as_ref(), by, named).await? {
        let facts = KeyFacts::read(&mut row)?;
        if facts.is_of(key) {
            let merchant = read_rest(db, row, cached, named)?;
            return Ok(Some(remember(facts, key.prefix(), merchant, now)));
        }
    }
    Ok(None)
}

/// The caller of a key that was found genuine before; what follows in this request proves that it still is.
pub(super) fn recall(db: &Db, key: &ApiKey, now: Timestamp) -> Option<KeyHolder> {
    let (merchant, facts) = cache::known_key(key.prefix())?;
    if !facts.is_alive(now) || !facts.is_of(key) {
        return None;
    }
    db.proof.begin(facts.to_prove(key.prefix(), &merchant, now));
    Some(facts.holder(key.prefix(), merchant, now))
}

/// The caller of the private key with this prefix.
pub(super) async fn holder(
    db: &Db,
    (merchant, prefix): (&MerchantId, &str),
    now: Timestamp,
    named: Option<&SessionId>,
) -> Result<Option<KeyHolder>, PortError> {
    const OF_MERCHANT: Search = search!(
        key_columns!(),
        "api_key",
        "c.prefix = ? AND c.merchant_id = ? AND c.kind = 'private' AND c.revoked_at IS NULL \
         AND (c.expires_at IS NULL OR c.expires_at > CAST(? AS INTEGER))"
    );
    let cached = cache::of_merchant(merchant);
    let by = Values::default().text(prefix).text(merchant.as_str()).number(now.millis());
    match OF_MERCHANT.rows(db, cached.as_ref(), by, named).await?.into_iter().next() {
        Some(mut row) => {
            let facts = KeyFacts::read(&mut row)?;
            let merchant = read_rest(db, row, cached, named)?;
            Ok(Some(remember(facts, prefix, merchant, now)))
        }
        None => Ok(None),
    }
}

/// Reads the merchant of a genuine caller, and notes the transaction that was searched with them.
fn read_rest(
    db: &Db,
    mut row: Row,
    cached: Option<Merchant>,
    named: Option<&SessionId>,
) -> Result<Merchant, PortError> {
    let merchant = read_merchant(&mut row, cached)?;
    db.ahead.found(named, row);
    Ok(merchant)
}

fn remember(facts: KeyFacts, prefix: &str, merchant: Merchant, now: Timestamp) -> KeyHolder {
    cache::keep_key(prefix, &merchant.settings.merchant, &facts);
    facts.holder(prefix, merchant, now)
}

/// A user.
pub(super) async fn user(
    db: &Db,
    key: UserKey<'_>,
    named: Option<&SessionId>,
) -> Result<Option<FoundUser>, PortError> {
    const BY_NAME: Search = search!(user_columns!(), "user", "c.folded = ?");
    const BY_ID: Search = search!(user_columns!(), "user", "c.id = CAST(? AS INTEGER)");
    let (name, search, by) = match key {
        UserKey::Name(name) => (name.to_owned(), BY_NAME, Values::default().text(name)),
        UserKey::Id(id) => (id.to_string(), BY_ID, Values::default().number(id.0)),
    };
    let cached = cache::of_user(&name);
    let found = search.rows(db, cached.as_ref(), by, named).await?;
    let Some(row) = found.into_iter().next() else { return Ok(None) };
    read_found(db, row, &name, cached, named).map(Some)
}

/// Reads a user with their merchant; `name` is by what the cache knows whose they are.
fn read_found(
    db: &Db,
    mut row: Row,
    name: &str,
    cached: Option<Merchant>,
    named: Option<&SessionId>,
) -> Result<FoundUser, PortError> {
    let user = read_user(&mut row)?;
    let password = row.optional_text("user.password")?;
    let epoch = row.number("user.epoch")?;
    let is_active = row.flag("user.is_active")?;
    let provider_subject = row.optional_text("user.provider_subject")?;
    let merchant = read_rest(db, row, cached, named)?;
    cache::keep_user(name, &merchant.settings.merchant);
    Ok(FoundUser { user: Rc::new(user), password, epoch, is_active, provider_subject, merchant })
}

/// A session at the desk with its user.
pub(super) async fn desk_session(
    db: &Db,
    id: &DeskSessionId,
    named: Option<&SessionId>,
) -> Result<Option<(DeskSession, FoundUser)>, PortError> {
    const BY_SESSION: Search = search!(
        concat!(
            "s.id, s.user_id, s.rights, s.device, s.language, s.created_at, s.seen_at, s.factor_at, \
             EXISTS (SELECT 1 FROM desk_factor f WHERE f.user_id = s.user_id), s.issuer, ",
            user_columns!()
        ),
        "desk_session s JOIN user",
        "s.id = ? AND c.id = s.user_id"
    );
    let cached = cache::of_user(id.as_str());
    let by = Values::default().text(id.as_str());
    let found = BY_SESSION.rows(db, cached.as_ref(), by, named).await?;
    let Some(mut row) = found.into_iter().next() else { return Ok(None) };
    let session = read_session(&mut row)?;
    let found = read_found(db, row, id.as_str(), cached, named)?;
    Ok(Some((session, found)))
}
