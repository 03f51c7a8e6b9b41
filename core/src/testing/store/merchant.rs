//! Merchants, their settings and their keys.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use super::{MemoryStore, Rows, failed, first};
use crate::access::key::{ApiKey, KeyKind};
use crate::access::{Caller, Rights};
use crate::port::{
    Due, KeyEntry, KeyHolder, Keyring, MerchantEntry, NewDocument, NewKey, NewMerchant, NewSecrets,
    PageOrigins, PortError, Registry, StoredDocument, StoredVersion,
};
use crate::record::audit::{Entry, RecordedEntry};
use crate::settings::situation::Merchant;
use crate::settings::{MerchantSettings, parse};
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

#[derive(Debug)]
pub(super) struct StoredMerchant {
    pub(super) settings: Rc<MerchantSettings>,
    pub(super) clock_offset: Duration,
    pub(super) document: String,
    /// The document of each version that changed it, and when.
    versions: Vec<(i64, Timestamp, String)>,
}

#[derive(Debug)]
pub(super) struct StoredKey {
    key: NewKey,
    revoked_at: Option<Timestamp>,
    used_at: Option<Timestamp>,
}

impl StoredMerchant {
    pub(super) fn found(&self) -> Merchant {
        Merchant { settings: Rc::clone(&self.settings), clock_offset: self.clock_offset }
    }
}

impl Rows {
    pub(super) fn caller(&self, key: &ApiKey, now: Timestamp) -> Option<KeyHolder> {
        self.holder(now, |stored| {
            stored.prefix == key.prefix() && hex::decode(&stored.hash).is_ok_and(|hash| key.matches(&hash))
        })
    }

    fn holder(&self, now: Timestamp, is_it: impl Fn(&NewKey) -> bool) -> Option<KeyHolder> {
        let holds = |stored: &&StoredKey| {
            stored.revoked_at.is_none()
                && stored.key.expires_at.is_none_or(|expires_at| expires_at > now)
                && is_it(&stored.key)
        };
        let stored = self.keys.iter().find(holds)?;
        let situation = self.merchants.get(&stored.key.merchant)?.found().at(now);
        let rights = Rights::Key(stored.key.kind, stored.key.scope.clone());
        let prefix = Some(stored.key.prefix.clone());
        Some(KeyHolder {
            caller: Caller { rights, prefix, is_basic: false, situation },
            used_at: stored.used_at,
        })
    }

    pub(super) fn add_merchant(&mut self, merchant: &NewMerchant) -> Result<bool, PortError> {
        let id = &merchant.settings.merchant;
        if self.merchants.contains_key(id) {
            return Ok(false);
        }
        // From the document, as a database would: the credentials are sealed only there.
        let secrets = merchant.settings.webhook.clone();
        let settings = parse::stored(id, 1, &merchant.document, secrets)
            .map_err(|_| failed("the document cannot be read"))?;
        let document = merchant.document.clone();
        let versions = Vec::from([(1, merchant.at, document.clone())]);
        let settings = Rc::new(settings);
        self.merchants.insert(
            id.clone(),
            StoredMerchant { settings, clock_offset: Duration::ZERO, document, versions },
        );
        for key in &merchant.keys {
            self.add_key(key)?;
        }
        Ok(true)
    }

    pub(super) fn replace_document(
        &mut self,
        new: &NewDocument<'_>,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        let NewDocument { merchant, version, document } = *new;
        let found = self.merchants.get_mut(merchant);
        let Some(stored) = found.filter(|stored| stored.settings.version == version) else {
            return Ok(false);
        };
        let secrets = stored.settings.webhook.clone();
        let settings = parse::stored(merchant, version.saturating_add(1), document, secrets)
            .map_err(|_| failed("the document cannot be read"))?;
        stored.versions.push((version.saturating_add(1), at, document.into()));
        stored.settings = Rc::new(settings);
        stored.document = document.into();
        Ok(true)
    }

    fn replace_secrets(&mut self, new: &NewSecrets<'_>) -> bool {
        let found = self.merchants.get_mut(new.merchant);
        let Some(stored) = found.filter(|stored| stored.settings.version == new.version) else {
            return false;
        };
        let changed = Rc::make_mut(&mut stored.settings);
        changed.version = changed.version.saturating_add(1);
        changed.webhook = new.secrets.clone();
        true
    }

    fn versions(&self, merchant: &MerchantId, before: Option<i64>) -> Vec<StoredVersion> {
        let of_merchant = self.merchants.get(merchant).into_iter().flat_map(|stored| stored.versions.iter());
        let earlier = of_merchant.filter(|(version, ..)| before.is_none_or(|before| *version < before));
        let made = |version: i64| {
            let mut entries = self.journal.iter().rev();
            let is_it = |(recorded, made): &&(RecordedEntry, Option<i64>)| {
                recorded.merchant.as_ref() == Some(merchant) && *made == Some(version)
            };
            let (recorded, _) = entries.find(is_it)?;
            Some((recorded.actor.clone()?, recorded.action.clone()))
        };
        let shown = |(version, at, _): &(i64, Timestamp, String)| StoredVersion {
            version: *version,
            at: *at,
            made: made(*version),
        };
        earlier.rev().map(shown).collect()
    }

    pub(super) fn move_clock(&mut self, settings: &MerchantSettings, offset: Duration) -> bool {
        let found = self.merchants.get_mut(&settings.merchant);
        let Some(stored) = found.filter(|stored| stored.settings.version == settings.version) else {
            return false;
        };
        let moved = Rc::make_mut(&mut stored.settings);
        moved.version = moved.version.saturating_add(1);
        stored.clock_offset = offset;
        true
    }

    fn merchants(&self, after: Option<&MerchantId>, limit: u32) -> Vec<MerchantEntry> {
        let entry = |(id, stored): (&MerchantId, &StoredMerchant)| {
            let settings = &stored.settings;
            let (_, created_at, _) = stored.versions.first()?;
            Some(MerchantEntry {
                id: id.clone(),
                name: settings.name.clone(),
                is_test: settings.is_test(),
                is_paused: settings.is_paused,
                created_at: *created_at,
                version: settings.version,
            })
        };
        let later = self.merchants.iter().filter(|(id, _)| after.is_none_or(|after| *id > after));
        later.filter_map(entry).take(usize::try_from(limit).unwrap_or(usize::MAX)).collect()
    }

    pub(super) fn moved_clocks(&self, limit: u32) -> Vec<MerchantId> {
        let ids = self.merchants.keys().filter(|id| !self.offset_of(id).is_zero());
        first(ids.map(|id| (id.clone(), id.clone())), limit)
    }

    /// How far the clock of a merchant was moved.
    pub(super) fn offset_of(&self, merchant: &MerchantId) -> Duration {
        self.merchants.get(merchant).map_or(Duration::ZERO, |stored| stored.clock_offset)
    }

    /// Whether a search for due rows includes those of a merchant.
    pub(super) fn is_looked_at(&self, due: &Due<'_>, merchant: &MerchantId) -> bool {
        match due.merchant {
            Some(wanted) => wanted == merchant,
            None => self.offset_of(merchant).is_zero(),
        }
    }

    pub(super) fn add_key(&mut self, key: &NewKey) -> Result<(), PortError> {
        let is_same =
            |stored: &StoredKey| stored.key.prefix == key.prefix && stored.key.merchant == key.merchant;
        if !self.merchants.contains_key(&key.merchant) {
            return Err(failed("there is no such merchant"));
        }
        if self.keys.iter().any(is_same) {
            return Err(failed("the merchant has a key of this prefix"));
        }
        self.keys.push(StoredKey { key: key.clone(), revoked_at: None, used_at: None });
        Ok(())
    }

    pub(super) fn keys_of(&self, merchant: &MerchantId) -> Vec<KeyEntry> {
        let of_merchant = self.keys.iter().filter(|stored| stored.key.merchant == *merchant);
        let entries = of_merchant.map(|StoredKey { key, revoked_at, used_at }| {
            let entry = KeyEntry {
                kind: key.kind,
                prefix: key.prefix.clone(),
                last4: key.last4.clone(),
                name: key.name.clone(),
                scope: key.scope.clone(),
                created_at: key.at,
                expires_at: key.expires_at,
                revoked_at: *revoked_at,
                used_at: *used_at,
            };
            ((core::cmp::Reverse(key.at), key.prefix.clone()), entry)
        });
        first(entries, u32::MAX)
    }

    pub(super) fn revoke_key(&mut self, merchant: &MerchantId, prefix: &str, at: Timestamp) -> bool {
        let is_it = |stored: &&mut StoredKey| {
            stored.key.merchant == *merchant && stored.key.prefix == prefix && stored.revoked_at.is_none()
        };
        match self.keys.iter_mut().find(is_it) {
            Some(stored) => {
                stored.revoked_at = Some(at);
                true
            }
            None => false,
        }
    }
}

impl Keyring for MemoryStore {
    async fn caller(
        &self,
        key: &ApiKey,
        now: Timestamp,
        _: Option<&SessionId>,
    ) -> Result<Option<KeyHolder>, PortError> {
        let mut rows = self.rows.borrow_mut();
        let found = rows.caller(key, now);
        rows.remember(key, found.as_ref());
        Ok(found)
    }

    fn recall(&self, key: &ApiKey, now: Timestamp) -> Option<KeyHolder> {
        self.rows.borrow_mut().recall(key, now)
    }

    async fn prove(&self) -> Result<bool, PortError> {
        Ok(self.rows.borrow_mut().prove())
    }

    async fn holder(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        now: Timestamp,
        _: Option<&SessionId>,
    ) -> Result<Option<KeyHolder>, PortError> {
        Ok(self.rows.borrow().holder(now, |key| {
            key.merchant == *merchant && key.prefix == prefix && key.kind == KeyKind::Private
        }))
    }

    async fn note_use(&self, merchant: &MerchantId, prefix: &str, at: Timestamp) -> Result<(), PortError> {
        let is_it = |stored: &&mut StoredKey| stored.key.merchant == *merchant && stored.key.prefix == prefix;
        if let Some(stored) = self.rows.borrow_mut().keys.iter_mut().find(is_it) {
            stored.used_at = stored.used_at.max(Some(at));
        }
        Ok(())
    }
}

impl Registry for MemoryStore {
    async fn merchant(&self, id: &MerchantId) -> Result<Option<Merchant>, PortError> {
        Ok(self.rows.borrow().merchants.get(id).map(StoredMerchant::found))
    }

    async fn merchant_of_provider(
        &self,
        issuer: &str,
        audiences: &[String],
    ) -> Result<Option<Merchant>, PortError> {
        let rows = self.rows.borrow();
        let mut found = rows.merchants.values().filter(|stored| {
            let sign_on = stored.settings.single_sign_on.as_ref();
            sign_on.is_some_and(|own| own.issuer == issuer && audiences.contains(&own.audience))
        });
        let first = found.next().map(StoredMerchant::found);
        Ok(first.filter(|_| found.next().is_none()))
    }

    async fn document(&self, merchant: &MerchantId) -> Result<Option<StoredDocument>, PortError> {
        let rows = self.rows.borrow();
        Ok(rows
            .merchants
            .get(merchant)
            .map(|stored| StoredDocument { text: stored.document.clone(), version: stored.settings.version }))
    }

    async fn versions(
        &self,
        merchant: &MerchantId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<StoredVersion>, PortError> {
        let mut versions = self.rows.borrow().versions(merchant, before);
        versions.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(versions)
    }

    async fn version(&self, merchant: &MerchantId, version: i64) -> Result<Option<String>, PortError> {
        let rows = self.rows.borrow();
        let mut versions = rows.merchants.get(merchant).into_iter().flat_map(|stored| stored.versions.iter());
        Ok(versions.find(|(known, ..)| *known == version).map(|(_, _, document)| document.clone()))
    }

    async fn add_merchant(&self, merchant: &NewMerchant, entry: &Entry) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_added = rows.add_merchant(merchant)?;
        Ok(rows.journal_if(is_added, entry))
    }

    async fn replace_document(&self, new: &NewDocument<'_>, entry: &Entry) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_replaced = rows.replace_document(new, entry.at)?;
        Ok(rows.journal_if(is_replaced, entry))
    }

    async fn replace_secrets(&self, new: &NewSecrets<'_>, entry: &Entry) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_replaced = rows.replace_secrets(new);
        Ok(rows.journal_if(is_replaced, entry))
    }

    async fn move_clock(
        &self,
        settings: &MerchantSettings,
        offset: Duration,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_moved = rows.move_clock(settings, offset);
        Ok(rows.journal_if(is_moved, entry))
    }

    async fn merchants(
        &self,
        after: Option<&MerchantId>,
        limit: u32,
    ) -> Result<Vec<MerchantEntry>, PortError> {
        Ok(self.rows.borrow().merchants(after, limit))
    }

    async fn moved_clocks(&self, limit: u32) -> Result<Vec<MerchantId>, PortError> {
        Ok(self.rows.borrow().moved_clocks(limit))
    }

    async fn add_key(&self, key: &NewKey, entry: &Entry) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.add_key(key)?;
        rows.journal(entry, None);
        Ok(())
    }

    async fn keys(&self, merchant: &MerchantId) -> Result<Vec<KeyEntry>, PortError> {
        Ok(self.rows.borrow().keys_of(merchant))
    }

    async fn revoke_key(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_revoked = rows.revoke_key(merchant, prefix, entry.at);
        Ok(rows.journal_if(is_revoked, entry))
    }
}

impl PageOrigins for MemoryStore {
    async fn allowed_origins(&self, session_id: &SessionId) -> Result<Vec<String>, PortError> {
        let rows = self.rows.borrow();
        let shown = rows.transactions.get(session_id).filter(|_| !rows.hidden.contains(session_id));
        let merchant = shown.and_then(|transaction| rows.merchants.get(&transaction.merchant));
        Ok(merchant.map(|stored| stored.settings.allowed_origins.clone()).unwrap_or_default())
    }
}
