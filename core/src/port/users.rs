//! The users of merchants, and how often someone tried to sign in.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::PortError;
use crate::access::permission::Permissions;
use crate::access::user::User;
use crate::record::audit::Entry;
use crate::settings::situation::Merchant;
use crate::value::id::UserId;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

/// A user as it is stored, with the merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundUser {
    /// The user.
    pub user: Rc<User>,
    /// The hash of the password; `None` if the user signs in at the merchant's provider only.
    pub password: Option<String>,
    /// Counts up with everything that ends the user's tokens: a new password, and being switched off.
    pub epoch: i64,
    /// Whether the user may sign in.
    pub is_active: bool,
    /// The provider and its subject, separated by a space, who the user is; `None` before the first sign-in there.
    pub provider_subject: Option<String>,
    /// The merchant.
    pub merchant: Merchant,
}

/// How a user is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserKey<'a> {
    /// By the name, folded.
    Name(&'a str),
    /// By the number.
    Id(UserId),
}

/// What tries to sign in are counted for: a name, an address, or both together. A hash, so that nothing that was typed is
/// stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrySubject {
    /// The hash.
    pub key: String,
    /// How many tries are let through in one period.
    pub most: u32,
}

/// A user to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUser {
    /// The merchant.
    pub merchant: MerchantId,
    /// The name, as it is shown.
    pub username: String,
    /// The first name.
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The telephone number.
    pub phone: Option<String>,
    /// Whether the user may do everything that users can be permitted.
    pub is_superuser: bool,
    /// What the user may do.
    pub permissions: Permissions,
    /// The hash of the password.
    pub password: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What is shown of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserEntry {
    /// The user.
    pub user: User,
    /// Whether the user may sign in.
    pub is_active: bool,
    /// Whether there is a password here.
    pub has_password: bool,
    /// Whether a sign-in at the provider said which of its subjects the user is.
    pub is_bound: bool,
    /// When the user was made.
    pub created_at: Timestamp,
    /// When the user was changed last.
    pub updated_at: Timestamp,
    /// Counts up with every change.
    pub version: i64,
}

/// A change of a user, as a whole: the flow has read what stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserChange {
    /// The user as it is then.
    pub user: User,
    /// Whether the user may sign in.
    pub is_active: bool,
    /// The hash of another password, if it changes.
    pub password: Option<String>,
    /// The version that is changed.
    pub version: i64,
    /// Whether the user's tokens end with the change.
    pub ends_tokens: bool,
    /// Whether the next sign-in at the provider says again which of its subjects the user is.
    pub unbinds: bool,
    /// When.
    pub at: Timestamp,
}

/// Users.
pub trait Users {
    /// A user with the merchant's settings, in one round trip. A transaction that the request has `named` may be read with
    /// them, for who loads it next.
    ///
    /// # Errors
    /// If the store fails.
    async fn user(&self, key: UserKey<'_>, named: Option<&SessionId>)
    -> Result<Option<FoundUser>, PortError>;

    /// Counts a try for every subject; until when it is refused, if one of them had all its tries in this period.
    ///
    /// # Errors
    /// If the store fails.
    async fn count_tries(
        &self,
        subjects: &[TrySubject],
        now: Timestamp,
    ) -> Result<Option<Timestamp>, PortError>;

    /// Takes one try of every subject back, because the password was right.
    ///
    /// # Errors
    /// If the store fails.
    async fn take_back_tries(&self, subjects: &[TrySubject]) -> Result<(), PortError>;

    /// Deletes what was counted in periods that began before `before`, at most for `limit` subjects.
    ///
    /// # Errors
    /// If the store fails.
    async fn delete_tries(&self, before: Timestamp, limit: u32) -> Result<u32, PortError>;

    /// Notes that someone signed in rightly from a place, exact to a day.
    ///
    /// # Errors
    /// If the store fails.
    async fn note_place(&self, place: &str, at: Timestamp) -> Result<(), PortError>;

    /// Whether someone signed in rightly from a place since a moment.
    ///
    /// # Errors
    /// If the store fails.
    async fn knows_place(&self, place: &str, since: Timestamp) -> Result<bool, PortError>;

    /// Deletes places from which nobody signed in since `before`, at most `limit` of them.
    ///
    /// # Errors
    /// If the store fails.
    async fn delete_places(&self, before: Timestamp, limit: u32) -> Result<u32, PortError>;

    /// Notes which subject of the provider a user is, if what is stored is still `from`; whether it was.
    ///
    /// # Errors
    /// If the store fails.
    async fn bind_user(&self, id: UserId, from: Option<&str>, subject: &str) -> Result<bool, PortError>;

    /// Adds a user, with the entry of the audit, whose subject becomes the number; `None` if the name is taken.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_user(&self, user: &NewUser, entry: &Entry) -> Result<Option<UserId>, PortError>;

    /// The users of a merchant, in the order of their numbers.
    ///
    /// # Errors
    /// If the store fails.
    async fn users(&self, merchant: &MerchantId) -> Result<Vec<UserEntry>, PortError>;

    /// Changes a user of a merchant, if it still has the version, with the entry of the audit; whether it had.
    ///
    /// # Errors
    /// If the store fails.
    async fn change_user(
        &self,
        merchant: &MerchantId,
        change: &UserChange,
        entry: &Entry,
    ) -> Result<bool, PortError>;
}

/// How long a place counts from which someone signed in rightly.
pub(crate) const PLACE_LIFE: core::time::Duration = core::time::Duration::from_hours(720);

/// How long tries are counted together.
pub const TRY_PERIOD: core::time::Duration = core::time::Duration::from_mins(15);
