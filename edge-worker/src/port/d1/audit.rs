//! The table `audit`: what was changed in the administration, and by whom.

use checkout_core::port::PortError;
use checkout_core::record::audit::{Actor, ActorKind, Entry, RecordedEntry, Search};
use checkout_core::value::id::{EntryId, MerchantId};
use checkout_core::value::time::Timestamp;
use checkout_core::words::role::Role;

use super::fault::{corrupt, failed, is_duplicate};
use super::row::Row;
use super::statement::{Db, Statement, Values};

/// What an entry says of the row that changes with it.
pub(super) struct Of {
    /// SQL of the merchant; NULL if the row is not as it must be, which refuses the batch.
    merchant: &'static str,
    /// SQL of the subject.
    subject: &'static str,
    /// The values of both.
    values: Values,
}

impl Of {
    /// Of what the entry names itself.
    pub(super) fn named(entry: &Entry) -> Self {
        let merchant = entry.merchant.as_ref().map_or("", MerchantId::as_str);
        Self { merchant: "?", subject: "?", values: Values::default().text(merchant).text(&entry.subject) }
    }

    /// Of a row that must be there: `merchant` is SQL that finds its merchant, and takes `values`.
    pub(super) fn row(entry: &Entry, merchant: &'static str, values: Values) -> Self {
        Self { merchant, subject: "?", values: values.text(&entry.subject) }
    }

    /// Of a row that the same batch has made: `subject` is SQL that finds its number, and takes `values`.
    pub(super) fn made(entry: &Entry, subject: &'static str, values: Values) -> Self {
        let merchant = entry.merchant.as_ref().map_or("", MerchantId::as_str);
        Self { merchant: "?", subject, values: Values::default().text(merchant).followed_by(values) }
    }
}

/// The statement that records an entry.
pub(super) fn insert(db: &Db, entry: &Entry, of: Of) -> Result<Statement, PortError> {
    let (sql, values) = row(entry, of);
    values.bind(db, &sql)
}

/// The SQL that inserts an entry by a `SELECT` of one row, and its values.
fn row(entry: &Entry, of: Of) -> (String, Values) {
    let Of { merchant, subject, values } = of;
    let values = values
        .number(entry.at.millis())
        .text(entry.action)
        .text(entry.actor.kind.as_str())
        .text(&entry.actor.id)
        .optional_text(entry.actor.name.as_deref())
        .optional_text(entry.actor.role.map(Role::as_str))
        .optional_number(entry.version)
        .optional_text(entry.before.as_deref())
        .optional_text(entry.after.as_deref());
    let sql = format!(
        "INSERT INTO audit (merchant_id, subject, at, action, actor_kind, actor, actor_name, role, version, before, after) \
         SELECT {merchant}, {subject}, CAST(? AS INTEGER), ?, ?, ?, ?, ?, CAST(? AS INTEGER), ?, ?"
    );
    (sql, values)
}

/// Records an entry, then makes the change that it is about, as one transaction; whether the row was as it must be.
pub(super) async fn change(db: &Db, entry: &Entry, of: Of, change: Statement) -> Result<bool, PortError> {
    change_all(db, entry, of, vec![change]).await
}

/// Records an entry, then makes the changes that it is about, as one transaction; whether the row was as it must be.
pub(super) async fn change_all(
    db: &Db,
    entry: &Entry,
    of: Of,
    changes: Vec<Statement>,
) -> Result<bool, PortError> {
    let mut batch = vec![insert(db, entry, of)?];
    batch.extend(changes);
    match db.batch(batch).await {
        Ok(()) => Ok(true),
        Err(error) if is_duplicate(&error, "audit.merchant_id") => Ok(false),
        Err(error) => Err(failed(&error)),
    }
}

/// Records an entry by itself.
pub(super) async fn record(db: &Db, entry: &Entry) -> Result<(), PortError> {
    db.run(insert(db, entry, Of::named(entry))?).await
}

/// Records an entry by itself, unless its actor has one of the same action, merchant and subject after `since`: one statement.
pub(super) async fn record_unless_since(db: &Db, entry: &Entry, since: Timestamp) -> Result<(), PortError> {
    // Of the last entries of the merchant alone.
    const IS_NEW: &str = " WHERE NOT EXISTS (SELECT 1 FROM audit INDEXED BY audit_of_moment WHERE merchant_id = ? \
         AND at > CAST(? AS INTEGER) AND action = ? AND actor_kind = ? AND actor = ? AND subject = ?) RETURNING id";
    let (sql, values) = row(entry, Of::named(entry));
    let known = Values::default()
        .text(entry.merchant.as_ref().map_or("", MerchantId::as_str))
        .number(since.millis())
        .text(entry.action)
        .text(entry.actor.kind.as_str())
        .text(&entry.actor.id)
        .text(&entry.subject);
    // Not as a change: what was read with the caller stays true.
    let recorded = values.followed_by(known).bind(db, &format!("{sql}{IS_NEW}"))?;
    db.rows(recorded).await.map(drop)
}

/// The columns in the order in which [`actor`] takes them.
pub(super) const ACTOR: &str = "a.actor_kind, a.actor, a.actor_name, a.role";

/// The entries that a search finds, the newest first.
pub(super) async fn find(db: &Db, search: &Search) -> Result<Vec<RecordedEntry>, PortError> {
    let mut conditions = vec!["a.id < CAST(? AS INTEGER)"];
    let before = search.before.map_or(i64::MAX, |before| i64::from(before.0));
    let mut values = Values::default().number(before);
    if let Some(merchant) = &search.merchant {
        conditions.push("a.merchant_id = ?");
        values = values.text(merchant.as_str());
    }
    if let Some((kind, id)) = &search.actor {
        conditions.push("a.actor_kind = ? AND a.actor = ?");
        values = values.text(kind.as_str()).text(id);
    }
    let sql = format!(
        "SELECT a.id, a.at, {ACTOR}, a.action, a.merchant_id, a.subject, a.before, a.after FROM audit a WHERE {} \
         ORDER BY a.id DESC LIMIT CAST(? AS INTEGER)",
        conditions.join(" AND ")
    );
    let rows = db.rows(values.number(search.limit).bind(db, &sql)?).await?;
    rows.into_iter().map(read).collect()
}

fn read(mut row: Row) -> Result<RecordedEntry, PortError> {
    Ok(RecordedEntry {
        id: EntryId(row.small("audit.id")?),
        at: row.time("audit.at")?,
        actor: actor(&mut row)?,
        action: row.text("audit.action")?,
        merchant: MerchantId::parse(&row.text("audit.merchant_id")?),
        subject: row.text("audit.subject")?,
        before: row.optional_text("audit.before")?,
        after: row.optional_text("audit.after")?,
    })
}

/// Who did it, from [`ACTOR`].
pub(super) fn actor(row: &mut Row) -> Result<Option<Actor>, PortError> {
    let kind = row.optional_text("audit.actor_kind")?;
    let id = row.optional_text("audit.actor")?.unwrap_or_default();
    let name = row.optional_text("audit.actor_name")?;
    let role = row.optional_text("audit.role")?;
    let role = role.map(|role| Role::parse(&role).ok_or_else(|| corrupt("audit.role"))).transpose()?;
    let Some(kind) = kind else { return Ok(None) };
    let kind = ActorKind::parse(&kind).ok_or_else(|| corrupt("audit.actor_kind"))?;
    Ok(Some(Actor { kind, id, name, role }))
}
