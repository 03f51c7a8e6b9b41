//! The second factors of users.

use alloc::vec::Vec;

use super::PortError;
use crate::desk::factor::{DeskFactor, FactorSecret};
use crate::record::audit::Entry;
use crate::record::outbox::Message;
use crate::value::id::UserId;
use crate::value::sealed::Sealed;

/// Second factors.
pub trait DeskFactors {
    /// The factor of a user.
    ///
    /// # Errors
    /// If the store fails.
    async fn desk_factor(&self, user: UserId) -> Result<Option<DeskFactor>, PortError>;

    /// Stores the factor of a user in the place of the one before, ends every session of the user, and writes the entry of the
    /// audit, all or nothing.
    ///
    /// # Errors
    /// If the store fails.
    async fn set_desk_factor(
        &self,
        user: UserId,
        factor: &DeskFactor,
        entry: &Entry,
    ) -> Result<(), PortError>;

    /// Removes the factor of a user, ends every session of the user, writes the entry of the audit and stores the letter to the
    /// user, all or nothing; whether there was one.
    ///
    /// # Errors
    /// If the store fails.
    async fn remove_desk_factor(
        &self,
        user: UserId,
        entry: &Entry,
        letter: Option<&Message>,
    ) -> Result<bool, PortError>;

    /// Uses the code of a step up; whether neither it nor a later one was used before.
    ///
    /// # Errors
    /// If the store fails.
    async fn use_desk_step(&self, user: UserId, step: i64) -> Result<bool, PortError>;

    /// Uses a recovery code up, by its hash; whether the user had it.
    ///
    /// # Errors
    /// If the store fails.
    async fn use_desk_recovery(&self, user: UserId, hash: &str) -> Result<bool, PortError>;

    /// The sealed secrets of users whose number comes after `after`, in their order, at most `limit`.
    ///
    /// # Errors
    /// If the store fails.
    async fn desk_factor_secrets(
        &self,
        after: Option<UserId>,
        limit: u32,
    ) -> Result<Vec<FactorSecret>, PortError>;

    /// Replaces a sealed secret that is still as it was read; whether it was.
    ///
    /// # Errors
    /// If the store fails.
    async fn replace_desk_factor_secret(
        &self,
        before: &FactorSecret,
        after: &Sealed,
    ) -> Result<bool, PortError>;
}
