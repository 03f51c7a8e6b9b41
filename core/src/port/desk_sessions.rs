//! The sessions of people at the desk.

use alloc::vec::Vec;

use super::{FoundUser, PortError};
use crate::access::user::Preferences;
use crate::desk::session::{DeskSession, DeskSessionId};
use crate::value::id::{SessionId, UserId};
use crate::value::time::Timestamp;
use crate::words::Language;

/// Sessions. One that has ended is deleted.
pub trait DeskSessions {
    /// Stores a session.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_desk_session(&self, session: &DeskSession) -> Result<(), PortError>;

    /// A session with its user and the merchant's settings, in one round trip. A transaction that the request has `named` may
    /// be read with them, for the flow that loads it next.
    ///
    /// # Errors
    /// If the store fails.
    async fn desk_session(
        &self,
        id: &DeskSessionId,
        named: Option<&SessionId>,
    ) -> Result<Option<(DeskSession, FoundUser)>, PortError>;

    /// The sessions of a user, the latest first.
    ///
    /// # Errors
    /// If the store fails.
    async fn desk_sessions(&self, user: UserId) -> Result<Vec<DeskSession>, PortError>;

    /// Notes that a session was used.
    ///
    /// # Errors
    /// If the store fails.
    async fn note_desk_session(&self, id: &DeskSessionId, at: Timestamp) -> Result<(), PortError>;

    /// Changes the language of a session.
    ///
    /// # Errors
    /// If the store fails.
    async fn choose_desk_language(&self, id: &DeskSessionId, language: Language) -> Result<(), PortError>;

    /// Stores how a user reads. A language that is chosen becomes that of every session of the user.
    ///
    /// # Errors
    /// If the store fails.
    async fn choose_preferences(&self, user: UserId, preferences: &Preferences) -> Result<(), PortError>;

    /// Ends a session of a user; whether there was one.
    ///
    /// # Errors
    /// If the store fails.
    async fn end_desk_session(&self, user: UserId, id: &DeskSessionId) -> Result<bool, PortError>;

    /// Ends every session of a user.
    ///
    /// # Errors
    /// If the store fails.
    async fn end_desk_sessions(&self, user: UserId) -> Result<(), PortError>;

    /// Deletes sessions that were not used since `before`, at most `limit` of them.
    ///
    /// # Errors
    /// If the store fails.
    async fn delete_desk_sessions(&self, before: Timestamp, limit: u32) -> Result<u32, PortError>;
}
