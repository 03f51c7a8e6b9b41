//! The second factors of users.

use alloc::vec::Vec;

use super::MemoryStore;
use crate::desk::factor::{DeskFactor, FactorSecret};
use crate::port::{DeskFactors, PortError};
use crate::record::audit::Entry;
use crate::record::outbox::Message;
use crate::value::id::UserId;
use crate::value::sealed::Sealed;

impl DeskFactors for MemoryStore {
    async fn desk_factor(&self, user: UserId) -> Result<Option<DeskFactor>, PortError> {
        Ok(self.rows.borrow().desk_factors.get(&user.0).cloned())
    }

    async fn set_desk_factor(
        &self,
        user: UserId,
        factor: &DeskFactor,
        entry: &Entry,
    ) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.desk_factors.insert(user.0, factor.clone());
        rows.desk_sessions.retain(|_, session| session.user != user);
        rows.journal(entry, None);
        Ok(())
    }

    async fn remove_desk_factor(
        &self,
        user: UserId,
        entry: &Entry,
        letter: Option<&Message>,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        if rows.desk_factors.remove(&user.0).is_none() {
            return Ok(false);
        }
        rows.desk_sessions.retain(|_, session| session.user != user);
        rows.journal(entry, None);
        if let Some(letter) = letter {
            rows.post_letter(letter);
        }
        Ok(true)
    }

    async fn use_desk_step(&self, user: UserId, step: i64) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let Some(factor) = rows.desk_factors.get_mut(&user.0) else { return Ok(false) };
        let is_new = factor.used_step < step;
        factor.used_step = factor.used_step.max(step);
        Ok(is_new)
    }

    async fn use_desk_recovery(&self, user: UserId, hash: &str) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let Some(factor) = rows.desk_factors.get_mut(&user.0) else { return Ok(false) };
        let before = factor.recovery.len();
        factor.recovery.retain(|known| known != hash);
        Ok(factor.recovery.len() < before)
    }

    async fn desk_factor_secrets(
        &self,
        after: Option<UserId>,
        limit: u32,
    ) -> Result<Vec<FactorSecret>, PortError> {
        let rows = self.rows.borrow();
        let found = rows.desk_factors.iter().filter(|(user, _)| after.is_none_or(|after| **user > after.0));
        let found = found.filter_map(|(user, factor)| {
            let user = UserId(*user);
            let merchant = rows.merchant_of_user(user)?;
            Some(FactorSecret { user, merchant, sealed: factor.secret.clone() })
        });
        Ok(found.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect())
    }

    async fn replace_desk_factor_secret(
        &self,
        before: &FactorSecret,
        after: &Sealed,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let stored = rows.desk_factors.get_mut(&before.user.0);
        let Some(factor) = stored.filter(|factor| factor.secret == before.sealed) else { return Ok(false) };
        factor.secret = after.clone();
        Ok(true)
    }
}
