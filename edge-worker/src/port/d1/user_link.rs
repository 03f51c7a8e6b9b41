//! The table `user_link`.

use checkout_core::desk::access_link::UserLink;
use checkout_core::port::{LinkUse, PortError, UserLinks};
use checkout_core::record::audit::Entry;
use checkout_core::record::outbox::Message;
use checkout_core::value::id::UserId;
use checkout_core::value::time::Timestamp;

use super::D1Store;
use super::audit::{self, Of};
use super::commit::insert_message;
use super::fault::failed;
use super::statement::{Columns, Values};

impl UserLinks for D1Store {
    async fn add_user_link(
        &self,
        link: &UserLink,
        letter: &Message,
        entry: Option<&Entry>,
    ) -> Result<(), PortError> {
        const REPLACED: &str = " ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, \
             expires_at = excluded.expires_at";
        let row = Columns::default()
            .number("user_id", link.user.0)
            .text("hash", &link.hash)
            .time("expires_at", link.expires_at);
        let mut batch =
            vec![row.insert_or(&self.db, "user_link", REPLACED)?, insert_message(&self.db, letter)?];
        if let Some(entry) = entry {
            batch.push(audit::insert(&self.db, entry, Of::named(entry))?);
        }
        self.db.batch(batch).await.map_err(|error| failed(&error))
    }

    async fn user_link(&self, hash: &str) -> Result<Option<UserLink>, PortError> {
        const SQL: &str = "SELECT user_id, hash, expires_at FROM user_link WHERE hash = ?";
        let Some(mut row) = Values::default().text(hash).first(&self.db, SQL).await? else { return Ok(None) };
        Ok(Some(UserLink {
            user: UserId(row.small("user_link.user_id")?),
            hash: row.text("user_link.hash")?,
            expires_at: row.time("user_link.expires_at")?,
        }))
    }

    async fn use_user_link(&self, used: &LinkUse, entry: &Entry) -> Result<bool, PortError> {
        const OF_LINK: &str = "(SELECT u.merchant_id FROM user_link l JOIN user u ON u.id = l.user_id \
             WHERE l.hash = ? AND l.user_id = CAST(? AS INTEGER) AND l.expires_at > CAST(? AS INTEGER) AND u.is_active = 1)";
        const CHANGED: &str = "UPDATE user SET password = ?, epoch = epoch + 1, version = version + 1, \
             updated_at = CAST(? AS INTEGER) WHERE id = CAST(? AS INTEGER)";
        const USED: &str = "DELETE FROM user_link WHERE user_id = CAST(? AS INTEGER)";
        const ENDED: &str = "DELETE FROM desk_session WHERE user_id = CAST(? AS INTEGER)";
        let of = Values::default().text(&used.hash).number(used.user.0).number(used.at.millis());
        let whose = || Values::default().number(used.user.0);
        let chosen = Values::default().text(&used.password).number(used.at.millis()).number(used.user.0);
        let changes = vec![
            chosen.bind(&self.db, CHANGED)?,
            whose().bind(&self.db, USED)?,
            whose().bind(&self.db, ENDED)?,
        ];
        audit::change_all(&self.db, entry, Of::row(entry, OF_LINK, of), changes).await
    }

    async fn delete_user_links(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        const SQL: &str = "DELETE FROM user_link WHERE user_id IN (SELECT user_id FROM user_link \
             WHERE expires_at < CAST(? AS INTEGER) ORDER BY expires_at LIMIT CAST(? AS INTEGER)) RETURNING 1";
        Values::default().number(before.millis()).number(limit).count(&self.db, SQL).await
    }
}
