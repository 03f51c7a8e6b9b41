//! The tables `user`, `sign_in_try` and `sign_in_place`.

use checkout_core::access::permission::Permissions;
use checkout_core::access::user::{Preferences, User, folded};
use checkout_core::desk::session::{DeskSession, DeskSessionId};
use checkout_core::port::{NewUser, PortError, TRY_PERIOD, TrySubject, UserChange, UserEntry};
use checkout_core::record::audit::Entry;
use checkout_core::value::id::MerchantId;
use checkout_core::value::id::UserId;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;

use super::audit::{self, Of};
use super::fault::{failed, is_duplicate};
use super::row::Row;
use super::statement::{Columns, Db, Values};

/// Reads the columns from `id` to `time_zone`.
pub(super) fn read_user(row: &mut Row) -> Result<User, PortError> {
    Ok(User {
        id: UserId(row.small("user.id")?),
        username: row.text("user.username")?,
        first_name: row.optional_text("user.first_name")?,
        last_name: row.optional_text("user.last_name")?,
        email: row.optional_text("user.email")?,
        phone: row.optional_text("user.phone")?,
        is_superuser: row.flag("user.is_superuser")?,
        permissions: row.word("user.permissions", Permissions::parse)?,
        preferences: Preferences {
            language: row.optional_text("user.language")?.as_deref().and_then(Language::parse),
            time_zone: row.optional_text("user.time_zone")?,
        },
    })
}

/// Reads a session at the desk, the columns from `id` to `issuer`.
pub(super) fn read_session(row: &mut Row) -> Result<DeskSession, PortError> {
    Ok(DeskSession {
        id: row.word("desk_session.id", DeskSessionId::parse)?,
        user: UserId(row.small("desk_session.user_id")?),
        rights: row.text("desk_session.rights")?,
        device: row.text("desk_session.device")?,
        language: row.optional_text("desk_session.language")?.as_deref().and_then(Language::parse),
        created_at: row.time("desk_session.created_at")?,
        seen_at: row.time("desk_session.seen_at")?,
        factor_at: row.optional_time("desk_session.factor_at")?,
        has_factor: row.flag("desk_session.has_factor")?,
        issuer: row.optional_text("desk_session.issuer")?,
    })
}

/// [`TRY_PERIOD`] in milliseconds.
const PERIOD: u128 = TRY_PERIOD.as_millis();

/// Counts a try for every subject; until when it is refused, if one of them had all its tries.
pub(super) async fn count_tries(
    db: &Db,
    subjects: &[TrySubject],
    now: Timestamp,
) -> Result<Option<Timestamp>, PortError> {
    let row = "(?, 1, CAST(? AS INTEGER), CAST(? AS INTEGER))";
    let rows = vec![row; subjects.len()].join(", ");
    let sql = format!(
        "INSERT INTO sign_in_try (subject, count, since, most) VALUES {rows} ON CONFLICT (subject) DO UPDATE SET \
         count = iif(since <= excluded.since - {PERIOD}, 1, count + 1), \
         since = iif(since <= excluded.since - {PERIOD}, excluded.since, since), most = excluded.most \
         RETURNING count > most, since"
    );
    let values = subjects.iter().fold(Values::default(), |values, subject| {
        values.text(&subject.key).number(now.millis()).number(subject.most)
    });
    let mut blocked_until = None;
    for mut row in db.rows(values.bind(db, &sql)?).await? {
        let is_over = row.flag("sign_in_try.count")?;
        let until = row.time("sign_in_try.since")?.plus(TRY_PERIOD);
        blocked_until = blocked_until.max(is_over.then_some(until));
    }
    Ok(blocked_until)
}

/// Takes one try of every subject back.
pub(super) async fn take_back_tries(db: &Db, subjects: &[TrySubject]) -> Result<(), PortError> {
    let places = vec!["?"; subjects.len()].join(", ");
    let values = subjects.iter().fold(Values::default(), |values, subject| values.text(&subject.key));
    let sql = format!("UPDATE sign_in_try SET count = max(count - 1, 0) WHERE subject IN ({places})");
    db.run(values.bind(db, &sql)?).await
}

/// Deletes what was counted in periods that began before `before`, at most for `limit` subjects.
pub(super) async fn delete_tries(db: &Db, before: Timestamp, limit: u32) -> Result<u32, PortError> {
    const SQL: &str = "DELETE FROM sign_in_try WHERE subject IN (SELECT subject FROM sign_in_try \
         WHERE since < CAST(? AS INTEGER) ORDER BY since LIMIT CAST(? AS INTEGER)) RETURNING 1";
    Values::default().number(before.millis()).number(limit).count(db, SQL).await
}

/// How exact it is noted when a name signed in from a place, in milliseconds.
const NOTED_EVERY: u32 = 86_400_000;

/// Notes that someone signed in rightly from a place.
pub(super) async fn note_place(db: &Db, place: &str, at: Timestamp) -> Result<(), PortError> {
    let sql = format!(
        "INSERT INTO sign_in_place (place, at) VALUES (?, CAST(? AS INTEGER)) \
         ON CONFLICT (place) DO UPDATE SET at = excluded.at WHERE at <= excluded.at - {NOTED_EVERY}"
    );
    db.run(Values::default().text(place).number(at.millis()).bind(db, &sql)?).await
}

/// Whether someone signed in rightly from a place since a moment.
pub(super) async fn knows_place(db: &Db, place: &str, since: Timestamp) -> Result<bool, PortError> {
    const SQL: &str = "SELECT 1 FROM sign_in_place WHERE place = ? AND at >= CAST(? AS INTEGER)";
    let found = Values::default().text(place).number(since.millis()).rows(db, SQL).await?;
    Ok(!found.is_empty())
}

/// Deletes places from which nobody signed in since `before`, at most `limit` of them.
pub(super) async fn delete_places(db: &Db, before: Timestamp, limit: u32) -> Result<u32, PortError> {
    const SQL: &str = "DELETE FROM sign_in_place WHERE place IN (SELECT place FROM sign_in_place \
         WHERE at < CAST(? AS INTEGER) ORDER BY at LIMIT CAST(? AS INTEGER)) RETURNING 1";
    Values::default().number(before.millis()).number(limit).count(db, SQL).await
}

/// Notes which subject of the provider a user is, if what is stored is still `from`; whether it was.
pub(super) async fn bind(db: &Db, id: UserId, from: Option<&str>, subject: &str) -> Result<bool, PortError> {
    const SQL: &str = "UPDATE user SET provider_subject = ? WHERE id = CAST(? AS INTEGER) AND provider_subject IS ? RETURNING id";
    let bound = Values::default().text(subject).number(id.0).optional_text(from).rows(db, SQL).await?;
    Ok(!bound.is_empty())
}

/// Adds a user, with its entry of the audit; `None` if the name is taken.
pub(super) async fn add(db: &Db, user: &NewUser, entry: &Entry) -> Result<Option<UserId>, PortError> {
    const NUMBER: &str = "(SELECT id FROM user WHERE folded = ?)";
    let name = folded(&user.username);
    let row = Columns::default()
        .text("merchant_id", user.merchant.as_str())
        .text("username", &user.username)
        .text("folded", &name)
        .optional_text("first_name", user.first_name.as_deref())
        .optional_text("last_name", user.last_name.as_deref())
        .optional_text("email", user.email.as_deref())
        .optional_text("phone", user.phone.as_deref())
        .number("is_superuser", user.is_superuser)
        .text("permissions", &user.permissions.text())
        .optional_text("password", user.password.as_deref())
        .number("epoch", 1)
        .number("is_active", 1)
        .number("version", 1)
        .time("created_at", user.at)
        .time("updated_at", user.at);
    let of = Of::made(entry, NUMBER, Values::default().text(&name));
    match db.batch(vec![row.insert(db, "user")?, audit::insert(db, entry, of)?]).await {
        Ok(()) => {}
        Err(error) if is_duplicate(&error, "user.folded") => return Ok(None),
        Err(error) => return Err(failed(&error)),
    }
    let added = Values::default().text(&name).first(db, "SELECT id FROM user WHERE folded = ?").await?;
    added.map(|mut row| row.small("user.id").map(UserId)).transpose()
}

/// The users of a merchant, in the order of their numbers.
pub(super) async fn of_merchant(db: &Db, merchant: &MerchantId) -> Result<Vec<UserEntry>, PortError> {
    const SQL: &str = "SELECT id, username, first_name, last_name, email, phone, is_superuser, permissions, language, time_zone, is_active, \
         password IS NOT NULL AS has_password, provider_subject IS NOT NULL AS is_bound, created_at, updated_at, version FROM user WHERE merchant_id = ? ORDER BY id";
    let rows = Values::default().text(merchant.as_str()).rows(db, SQL).await?;
    rows.into_iter()
        .map(|mut row| {
            Ok(UserEntry {
                user: read_user(&mut row)?,
                is_active: row.flag("user.is_active")?,
                has_password: row.flag("user.password")?,
                is_bound: row.flag("user.provider_subject")?,
                created_at: row.time("user.created_at")?,
                updated_at: row.time("user.updated_at")?,
                version: row.number("user.version")?,
            })
        })
        .collect()
}

/// Changes a user of a merchant, if it still has the version; whether it had.
pub(super) async fn change(
    db: &Db,
    merchant: &MerchantId,
    change: &UserChange,
    entry: &Entry,
) -> Result<bool, PortError> {
    const OF_VERSION: &str = "(SELECT merchant_id FROM user \
         WHERE id = CAST(? AS INTEGER) AND merchant_id = ? AND version = CAST(? AS INTEGER))";
    const SQL: &str = "UPDATE user SET username = ?1, folded = ?2, first_name = ?3, last_name = ?4, email = ?5, phone = ?6, \
         is_superuser = CAST(?7 AS INTEGER), permissions = ?8, is_active = CAST(?9 AS INTEGER), \
         password = coalesce(?10, password), epoch = epoch + CAST(?11 AS INTEGER), version = version + 1, \
         updated_at = CAST(?12 AS INTEGER), provider_subject = iif(CAST(?16 AS INTEGER), NULL, provider_subject) \
         WHERE id = CAST(?13 AS INTEGER) AND merchant_id = ?14 AND version = CAST(?15 AS INTEGER)";
    let user = &change.user;
    let values = Values::default()
        .text(&user.username)
        .text(&folded(&user.username))
        .optional_text(user.first_name.as_deref())
        .optional_text(user.last_name.as_deref())
        .optional_text(user.email.as_deref())
        .optional_text(user.phone.as_deref())
        .number(user.is_superuser)
        .text(&user.permissions.text())
        .number(change.is_active)
        .optional_text(change.password.as_deref())
        .number(change.ends_tokens)
        .number(change.at.millis())
        .number(user.id.0)
        .text(merchant.as_str())
        .number(change.version)
        .number(change.unbinds);
    let of = Values::default().number(user.id.0).text(merchant.as_str()).number(change.version);
    audit::change(db, entry, Of::row(entry, OF_VERSION, of), values.bind(db, SQL)?).await
}
