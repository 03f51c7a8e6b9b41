//! The links by which users choose a password, and from which devices they signed in.

use alloc::string::String;
use alloc::vec::Vec;

use super::delivery::StoredDelivery;
use super::{DeliveryState, MemoryStore, Rows};
use crate::desk::access_link::UserLink;
use crate::port::{KnownDevice, LinkUse, PortError, UserDevices, UserLinks};
use crate::record::audit::Entry;
use crate::record::outbox::Message;
use crate::value::id::UserId;
use crate::value::time::Timestamp;

impl Rows {
    /// Stores a letter to one of the staff.
    pub(super) fn post_letter(&mut self, letter: &Message) {
        self.deliveries.insert(letter.id.clone(), StoredDelivery::new(letter.clone(), DeliveryState::Due));
    }
}

impl UserLinks for MemoryStore {
    async fn add_user_link(
        &self,
        link: &UserLink,
        letter: &Message,
        entry: Option<&Entry>,
    ) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.user_links.insert(link.user.0, link.clone());
        rows.post_letter(letter);
        if let Some(entry) = entry {
            rows.journal(entry, None);
        }
        Ok(())
    }

    async fn user_link(&self, hash: &str) -> Result<Option<UserLink>, PortError> {
        Ok(self.rows.borrow().user_links.values().find(|link| link.hash == hash).cloned())
    }

    async fn use_user_link(&self, used: &LinkUse, entry: &Entry) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_open = rows
            .user_links
            .get(&used.user.0)
            .is_some_and(|link| link.hash == used.hash && used.at < link.expires_at);
        if !is_open || !rows.choose_password(used) {
            return Ok(false);
        }
        rows.user_links.remove(&used.user.0);
        rows.desk_sessions.retain(|_, session| session.user != used.user);
        rows.journal(entry, None);
        Ok(true)
    }

    async fn delete_user_links(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let over = rows.user_links.iter().filter(|(_, link)| link.expires_at < before);
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let over: Vec<u32> = over.map(|(user, _)| *user).take(most).collect();
        for user in &over {
            rows.user_links.remove(user);
        }
        Ok(u32::try_from(over.len()).unwrap_or(u32::MAX))
    }
}

impl UserDevices for MemoryStore {
    async fn user_device(&self, user: UserId, device: &str) -> Result<KnownDevice, PortError> {
        let rows = self.rows.borrow();
        let mut own = rows.user_devices.keys().filter(|(of, _)| *of == user.0).peekable();
        if own.peek().is_none() {
            return Ok(KnownDevice::First);
        }
        Ok(if own.any(|(_, known)| known == device) { KnownDevice::Known } else { KnownDevice::New })
    }

    async fn note_user_device(&self, user: UserId, device: &str, at: Timestamp) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.user_devices.entry((user.0, device.into())).and_modify(|seen| *seen = at);
        Ok(())
    }

    async fn add_user_device(
        &self,
        user: UserId,
        device: &str,
        entry: &Entry,
        letter: Option<&Message>,
    ) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.user_devices.insert((user.0, device.into()), entry.at);
        rows.journal(entry, None);
        if let Some(letter) = letter {
            rows.post_letter(letter);
        }
        Ok(())
    }

    async fn delete_user_devices(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let over = rows.user_devices.iter().filter(|(_, seen)| **seen < before);
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let over: Vec<(u32, String)> = over.map(|(key, _)| key.clone()).take(most).collect();
        for key in &over {
            rows.user_devices.remove(key);
        }
        Ok(u32::try_from(over.len()).unwrap_or(u32::MAX))
    }
}
