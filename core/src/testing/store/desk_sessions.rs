//! The sessions of people at the desk.

use alloc::vec::Vec;

use super::MemoryStore;
use crate::access::user::Preferences;
use crate::desk::session::{DeskSession, DeskSessionId};
use crate::port::{DeskSessions, FoundUser, PortError, UserKey, Users};
use crate::value::id::{SessionId, UserId};
use crate::value::time::Timestamp;
use crate::words::Language;

impl DeskSessions for MemoryStore {
    async fn add_desk_session(&self, session: &DeskSession) -> Result<(), PortError> {
        self.rows.borrow_mut().desk_sessions.insert(session.id.clone(), session.clone());
        Ok(())
    }

    async fn desk_session(
        &self,
        id: &DeskSessionId,
        named: Option<&SessionId>,
    ) -> Result<Option<(DeskSession, FoundUser)>, PortError> {
        let session = self.rows.borrow().desk_sessions.get(id).cloned();
        let Some(session) = session else { return Ok(None) };
        let found = self.user(UserKey::Id(session.user), named).await?;
        let has_factor = self.rows.borrow().desk_factors.contains_key(&session.user.0);
        Ok(found.map(|found| (DeskSession { has_factor, ..session }, found)))
    }

    async fn desk_sessions(&self, user: UserId) -> Result<Vec<DeskSession>, PortError> {
        let rows = self.rows.borrow();
        let mut own: Vec<DeskSession> =
            rows.desk_sessions.values().filter(|session| session.user == user).cloned().collect();
        own.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        Ok(own)
    }

    async fn note_desk_session(&self, id: &DeskSessionId, at: Timestamp) -> Result<(), PortError> {
        self.rows.borrow_mut().desk_sessions.entry(id.clone()).and_modify(|session| session.seen_at = at);
        Ok(())
    }

    async fn choose_desk_language(&self, id: &DeskSessionId, language: Language) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.desk_sessions.entry(id.clone()).and_modify(|session| session.language = Some(language));
        Ok(())
    }

    async fn choose_preferences(&self, user: UserId, preferences: &Preferences) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        if preferences.language.is_some() {
            for session in rows.desk_sessions.values_mut().filter(|session| session.user == user) {
                session.language = preferences.language;
            }
        }
        rows.prefer(user, preferences);
        Ok(())
    }

    async fn end_desk_session(&self, user: UserId, id: &DeskSessionId) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_own = rows.desk_sessions.get(id).is_some_and(|session| session.user == user);
        Ok(is_own && rows.desk_sessions.remove(id).is_some())
    }

    async fn end_desk_sessions(&self, user: UserId) -> Result<(), PortError> {
        self.rows.borrow_mut().desk_sessions.retain(|_, session| session.user != user);
        Ok(())
    }

    async fn delete_desk_sessions(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let over = rows.desk_sessions.values().filter(|session| session.seen_at < before);
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let over: Vec<DeskSessionId> = over.map(|session| session.id.clone()).take(most).collect();
        for id in &over {
            rows.desk_sessions.remove(id);
        }
        Ok(u32::try_from(over.len()).unwrap_or(u32::MAX))
    }
}
