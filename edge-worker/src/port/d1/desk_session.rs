//! The table `desk_session`.

use checkout_core::access::user::Preferences;
use checkout_core::desk::session::{DeskSession, DeskSessionId};
use checkout_core::port::{DeskSessions, FoundUser, PortError};
use checkout_core::value::id::{SessionId, UserId};
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;

use super::fault::failed;
use super::statement::{Columns, Values};
use super::user::read_session;
use super::{D1Store, caller};

impl DeskSessions for D1Store {
    async fn add_desk_session(&self, session: &DeskSession) -> Result<(), PortError> {
        let row = Columns::default()
            .text("id", session.id.as_str())
            .number("user_id", session.user.0)
            .text("rights", &session.rights)
            .text("device", &session.device)
            .optional_text("language", session.language.map(Language::as_str))
            .time("created_at", session.created_at)
            .time("seen_at", session.seen_at)
            .optional_time("factor_at", session.factor_at)
            .optional_text("issuer", session.issuer.as_deref());
        self.db.run(row.insert(&self.db, "desk_session")?).await
    }

    async fn desk_session(
        &self,
        id: &DeskSessionId,
        named: Option<&SessionId>,
    ) -> Result<Option<(DeskSession, FoundUser)>, PortError> {
        caller::desk_session(&self.db, id, named).await
    }

    async fn desk_sessions(&self, user: UserId) -> Result<Vec<DeskSession>, PortError> {
        const SQL: &str = "SELECT id, user_id, rights, device, language, created_at, seen_at, factor_at, \
             EXISTS (SELECT 1 FROM desk_factor f WHERE f.user_id = s.user_id), issuer \
             FROM desk_session s WHERE user_id = CAST(? AS INTEGER) ORDER BY created_at DESC, id DESC";
        let rows = Values::default().number(user.0).rows(&self.db, SQL).await?;
        rows.into_iter().map(|mut row| read_session(&mut row)).collect()
    }

    async fn note_desk_session(&self, id: &DeskSessionId, at: Timestamp) -> Result<(), PortError> {
        const SQL: &str = "UPDATE desk_session SET seen_at = CAST(? AS INTEGER) WHERE id = ?";
        Values::default().number(at.millis()).text(id.as_str()).run(&self.db, SQL).await
    }

    async fn choose_desk_language(&self, id: &DeskSessionId, language: Language) -> Result<(), PortError> {
        const SQL: &str = "UPDATE desk_session SET language = ? WHERE id = ?";
        Values::default().text(language.as_str()).text(id.as_str()).run(&self.db, SQL).await
    }

    async fn choose_preferences(&self, user: UserId, preferences: &Preferences) -> Result<(), PortError> {
        const CHOSEN: &str = "UPDATE user SET language = ?, time_zone = ? WHERE id = CAST(? AS INTEGER)";
        const SHOWN: &str = "UPDATE desk_session SET language = ? WHERE user_id = CAST(? AS INTEGER)";
        let language = preferences.language.map(Language::as_str);
        let chosen = Values::default().optional_text(language);
        let chosen = chosen.optional_text(preferences.time_zone.as_deref()).number(user.0);
        let mut batch = vec![chosen.bind(&self.db, CHOSEN)?];
        if let Some(language) = language {
            batch.push(Values::default().text(language).number(user.0).bind(&self.db, SHOWN)?);
        }
        self.db.batch(batch).await.map_err(|error| failed(&error))
    }

    async fn end_desk_session(&self, user: UserId, id: &DeskSessionId) -> Result<bool, PortError> {
        const SQL: &str =
            "DELETE FROM desk_session WHERE id = ? AND user_id = CAST(? AS INTEGER) RETURNING 1";
        Ok(Values::default().text(id.as_str()).number(user.0).count(&self.db, SQL).await? > 0)
    }

    async fn end_desk_sessions(&self, user: UserId) -> Result<(), PortError> {
        const SQL: &str = "DELETE FROM desk_session WHERE user_id = CAST(? AS INTEGER)";
        Values::default().number(user.0).run(&self.db, SQL).await
    }

    async fn delete_desk_sessions(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        const SQL: &str = "DELETE FROM desk_session WHERE id IN (SELECT id FROM desk_session \
             WHERE seen_at < CAST(? AS INTEGER) ORDER BY seen_at LIMIT CAST(? AS INTEGER)) RETURNING 1";
        Values::default().number(before.millis()).number(limit).count(&self.db, SQL).await
    }
}
