//! Users, and how often someone tried to sign in.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::{MemoryStore, Rows};
use crate::access::user::{Preferences, User, folded};
use crate::port::{
    FoundUser, LinkUse, NewUser, PortError, TRY_PERIOD, TrySubject, UserChange, UserEntry, UserKey, Users,
};
use crate::record::audit::Entry;
use crate::value::id::UserId;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

#[derive(Debug)]
pub(super) struct StoredUser {
    merchant: MerchantId,
    entry: UserEntry,
    password: Option<String>,
    epoch: i64,
    provider_subject: Option<String>,
}

/// How often a subject tried since when.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tries {
    count: u32,
    since: Timestamp,
}

impl Rows {
    pub(super) fn merchant_of_user(&self, id: UserId) -> Option<MerchantId> {
        let found = self.users.iter().find(|stored| stored.entry.user.id == id);
        found.map(|stored| stored.merchant.clone())
    }

    fn add_user(&mut self, new: &NewUser) -> Option<UserId> {
        let name = folded(&new.username);
        if self.users.iter().any(|stored| folded(&stored.entry.user.username) == name) {
            return None;
        }
        let id = UserId(u32::try_from(self.users.len()).unwrap_or(u32::MAX).saturating_add(1));
        let user = User {
            id,
            username: new.username.clone(),
            first_name: new.first_name.clone(),
            last_name: new.last_name.clone(),
            email: new.email.clone(),
            phone: new.phone.clone(),
            is_superuser: new.is_superuser,
            permissions: new.permissions.clone(),
            preferences: Preferences::default(),
        };
        let has_password = new.password.is_some();
        let entry = UserEntry {
            user,
            is_active: true,
            has_password,
            is_bound: false,
            created_at: new.at,
            updated_at: new.at,
            version: 1,
        };
        let merchant = new.merchant.clone();
        self.users.push(StoredUser {
            merchant,
            entry,
            password: new.password.clone(),
            epoch: 1,
            provider_subject: None,
        });
        Some(id)
    }

    fn count_tries(&mut self, subjects: &[TrySubject], now: Timestamp) -> Option<Timestamp> {
        let mut blocked_until = None;
        for subject in subjects {
            let tries = self.tries.entry(subject.key.clone()).or_insert(Tries { count: 0, since: now });
            if tries.since.plus(TRY_PERIOD) <= now {
                *tries = Tries { count: 0, since: now };
            }
            tries.count = tries.count.saturating_add(1);
            if tries.count > subject.most {
                blocked_until = blocked_until.max(Some(tries.since.plus(TRY_PERIOD)));
            }
        }
        blocked_until
    }

    /// Gives a user who is not switched off another password; whether there is one.
    pub(super) fn choose_password(&mut self, used: &LinkUse) -> bool {
        let is_it = |stored: &&mut StoredUser| stored.entry.user.id == used.user && stored.entry.is_active;
        let Some(stored) = self.users.iter_mut().find(is_it) else { return false };
        stored.password = Some(used.password.clone());
        stored.entry.has_password = true;
        stored.entry.updated_at = used.at;
        stored.entry.version = stored.entry.version.saturating_add(1);
        stored.epoch = stored.epoch.saturating_add(1);
        true
    }

    /// Stores how a user reads.
    pub(super) fn prefer(&mut self, id: UserId, preferences: &Preferences) {
        if let Some(stored) = self.users.iter_mut().find(|stored| stored.entry.user.id == id) {
            stored.entry.user.preferences = preferences.clone();
        }
    }

    fn change_user(&mut self, merchant: &MerchantId, change: &UserChange) -> bool {
        let is_it = |stored: &&mut StoredUser| {
            stored.merchant == *merchant
                && stored.entry.user.id == change.user.id
                && stored.entry.version == change.version
        };
        let Some(stored) = self.users.iter_mut().find(is_it) else { return false };
        let is_reached =
            stored.entry.user.email == change.user.email && stored.entry.is_active == change.is_active;
        if !is_reached || change.password.is_some() {
            self.user_links.remove(&change.user.id.0);
        }
        let preferences = stored.entry.user.preferences.clone();
        stored.entry.user = User { preferences, ..change.user.clone() };
        stored.entry.is_active = change.is_active;
        stored.entry.updated_at = change.at;
        stored.entry.version = change.version.saturating_add(1);
        if let Some(password) = &change.password {
            stored.password = Some(password.clone());
            stored.entry.has_password = true;
        }
        if change.unbinds {
            stored.provider_subject = None;
            stored.entry.is_bound = false;
        }
        if change.ends_tokens {
            stored.epoch = stored.epoch.saturating_add(1);
        }
        true
    }
}

impl Users for MemoryStore {
    async fn user(&self, key: UserKey<'_>, _: Option<&SessionId>) -> Result<Option<FoundUser>, PortError> {
        let rows = self.rows.borrow();
        let is_it = |stored: &&StoredUser| match key {
            UserKey::Name(name) => folded(&stored.entry.user.username) == name,
            UserKey::Id(id) => stored.entry.user.id == id,
        };
        let Some(stored) = rows.users.iter().find(is_it) else { return Ok(None) };
        Ok(rows.merchants.get(&stored.merchant).map(|merchant| FoundUser {
            user: Rc::new(stored.entry.user.clone()),
            password: stored.password.clone(),
            epoch: stored.epoch,
            is_active: stored.entry.is_active,
            provider_subject: stored.provider_subject.clone(),
            merchant: merchant.found(),
        }))
    }

    async fn count_tries(
        &self,
        subjects: &[TrySubject],
        now: Timestamp,
    ) -> Result<Option<Timestamp>, PortError> {
        Ok(self.rows.borrow_mut().count_tries(subjects, now))
    }

    async fn take_back_tries(&self, subjects: &[TrySubject]) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        for subject in subjects {
            if let Some(tries) = rows.tries.get_mut(&subject.key) {
                tries.count = tries.count.saturating_sub(1);
            }
        }
        Ok(())
    }

    async fn delete_tries(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let over = rows.tries.iter().filter(|(_, tries)| tries.since < before);
        let over: Vec<String> =
            over.map(|(key, _)| key.clone()).take(usize::try_from(limit).unwrap_or(usize::MAX)).collect();
        let deleted = u32::try_from(over.len()).unwrap_or(u32::MAX);
        for key in over {
            rows.tries.remove(&key);
        }
        Ok(deleted)
    }

    async fn note_place(&self, place: &str, at: Timestamp) -> Result<(), PortError> {
        self.rows.borrow_mut().places.insert(place.into(), at);
        Ok(())
    }

    async fn knows_place(&self, place: &str, since: Timestamp) -> Result<bool, PortError> {
        Ok(self.rows.borrow().places.get(place).is_some_and(|at| *at >= since))
    }

    async fn delete_places(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let over = rows.places.iter().filter(|(_, at)| **at < before).map(|(place, _)| place.clone());
        let over: Vec<String> = over.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect();
        let deleted = u32::try_from(over.len()).unwrap_or(u32::MAX);
        for place in over {
            rows.places.remove(&place);
        }
        Ok(deleted)
    }

    async fn bind_user(&self, id: UserId, from: Option<&str>, subject: &str) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_it = |stored: &&mut StoredUser| {
            stored.entry.user.id == id && stored.provider_subject.as_deref() == from
        };
        let Some(stored) = rows.users.iter_mut().find(is_it) else { return Ok(false) };
        stored.provider_subject = Some(subject.into());
        stored.entry.is_bound = true;
        Ok(true)
    }

    async fn add_user(&self, user: &NewUser, entry: &Entry) -> Result<Option<UserId>, PortError> {
        let mut rows = self.rows.borrow_mut();
        let id = rows.add_user(user);
        if let Some(id) = id {
            rows.journal(&entry.clone().on(id), None);
        }
        Ok(id)
    }

    async fn users(&self, merchant: &MerchantId) -> Result<Vec<UserEntry>, PortError> {
        let rows = self.rows.borrow();
        let of_merchant = rows.users.iter().filter(|stored| stored.merchant == *merchant);
        Ok(of_merchant.map(|stored| stored.entry.clone()).collect())
    }

    async fn change_user(
        &self,
        merchant: &MerchantId,
        change: &UserChange,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_changed = rows.change_user(merchant, change);
        Ok(rows.journal_if(is_changed, entry))
    }
}
