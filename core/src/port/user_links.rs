//! The links by which users choose a password.

use alloc::string::String;

use super::PortError;
use crate::desk::access_link::UserLink;
use crate::record::audit::Entry;
use crate::record::outbox::Message;
use crate::value::id::UserId;
use crate::value::time::Timestamp;

/// What a link does when it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkUse {
    /// The hash of its token.
    pub hash: String,
    /// The user whom it names.
    pub user: UserId,
    /// The hash of the new password.
    pub password: String,
    /// When.
    pub at: Timestamp,
}

/// Links. Another e-mail address or password of the user, and switching the user on or off, delete the user's link.
pub trait UserLinks {
    /// Stores a link in the place of the user's one before, with the letter that carries it, and with the entry of the audit if
    /// someone is to be named, all or nothing.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_user_link(
        &self,
        link: &UserLink,
        letter: &Message,
        entry: Option<&Entry>,
    ) -> Result<(), PortError>;

    /// The link with a hash, whether or not it is over.
    ///
    /// # Errors
    /// If the store fails.
    async fn user_link(&self, hash: &str) -> Result<Option<UserLink>, PortError>;

    /// Uses a link up, if it is there, not over, and its user is not switched off: the password is another one, which ends the
    /// user's tokens and every session, and the entry of the audit is written, all or nothing. Whether it was so.
    ///
    /// # Errors
    /// If the store fails.
    async fn use_user_link(&self, used: &LinkUse, entry: &Entry) -> Result<bool, PortError>;

    /// Deletes links that were over before `before`, at most `limit` of them.
    ///
    /// # Errors
    /// If the store fails.
    async fn delete_user_links(&self, before: Timestamp, limit: u32) -> Result<u32, PortError>;
}
