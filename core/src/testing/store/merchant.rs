//! Merchants, their settings and their keys.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Rows, failed, first};
use crate::access::key::ApiKey;
use crate::access::{Caller, Principal};
use crate::id::MerchantId;
use crate::port::{KeyEntry, NewKey, NewMerchant, PortError};
use crate::settings::{MerchantSettings, parse};
use crate::time::Timestamp;

#[derive(Debug)]
pub(super) struct StoredMerchant {
    pub(super) settings: Rc<MerchantSettings>,
    pub(super) document: String,
}

#[derive(Debug)]
pub(super) struct StoredKey {
    key: NewKey,
    revoked_at: Option<Timestamp>,
}

impl Rows {
    pub(super) fn caller(&self, key: &ApiKey, _now: Timestamp) -> Option<Caller> {
        let holds = |stored: &&StoredKey| {
            stored.revoked_at.is_none()
                && stored.key.prefix == key.prefix()
                && hex::decode(&stored.key.hash).is_ok_and(|hash| key.matches(&hash))
        };
        let stored = self.keys.iter().find(holds)?;
        let settings = Rc::clone(&self.merchants.get(&stored.key.merchant)?.settings);
        let principal = Principal::Key { merchant: stored.key.merchant.clone(), kind: stored.key.kind };
        Some(Caller { principal, settings })
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
        self.merchants.insert(id.clone(), StoredMerchant { settings: Rc::new(settings), document });
        for key in &merchant.keys {
            self.add_key(key)?;
        }
        Ok(true)
    }

    pub(super) fn replace_document(
        &mut self,
        merchant: &MerchantId,
        version: i64,
        document: &str,
    ) -> Result<bool, PortError> {
        let found = self.merchants.get_mut(merchant);
        let Some(stored) = found.filter(|stored| stored.settings.version == version) else {
            return Ok(false);
        };
        let secrets = stored.settings.webhook.clone();
        let settings = parse::stored(merchant, version.saturating_add(1), document, secrets)
            .map_err(|_| failed("the document cannot be read"))?;
        *stored = StoredMerchant { settings: Rc::new(settings), document: document.into() };
        Ok(true)
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
        self.keys.push(StoredKey { key: key.clone(), revoked_at: None });
        Ok(())
    }

    pub(super) fn keys_of(&self, merchant: &MerchantId) -> Vec<KeyEntry> {
        let of_merchant = self.keys.iter().filter(|stored| stored.key.merchant == *merchant);
        let entries = of_merchant.map(|StoredKey { key, revoked_at }| {
            let entry = KeyEntry {
                kind: key.kind,
                prefix: key.prefix.clone(),
                last4: key.last4.clone(),
                created_at: key.at,
                revoked_at: *revoked_at,
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
