//! Merchants with their parsed settings, cached for the life of the isolate by version.
//!
//! The cache alone is never trusted: every request asks the database for the version, and gets the document
//! too if the version is not the cached one, or proves the version with what it stores (`proof`). A change of the document
//! or of the secrets always comes with a new version.

use std::cell::RefCell;
use std::collections::BTreeMap;

use checkout_core::settings::situation::Merchant;
use checkout_core::value::id::MerchantId;

use super::key_facts::KeyFacts;

/// The most merchants, prefixes of keys, and users that are cached.
const CAPACITY: usize = 256;

#[derive(Default)]
struct Cached {
    loaded: BTreeMap<MerchantId, Merchant>,
    /// By its prefix, a key with its merchant.
    keys: BTreeMap<String, (MerchantId, KeyFacts)>,
    /// By the folded name or the number of a user.
    users: BTreeMap<String, MerchantId>,
    /// By the issuer and the audience of the merchant's single sign-on.
    providers: BTreeMap<String, MerchantId>,
}

thread_local! {
    // Plain data, and borrowed within one function only: never across an await.
    static CACHED: RefCell<Cached> = RefCell::default();
}

/// A cached merchant.
pub(super) fn of_merchant(merchant: &MerchantId) -> Option<Merchant> {
    CACHED.with_borrow(|cached| cached.loaded.get(merchant).cloned())
}

/// The cached merchant that had a key of this prefix.
pub(super) fn of_key(prefix: &str) -> Option<Merchant> {
    known_key(prefix).map(|(merchant, _)| merchant)
}

/// The cached merchant that had a key of this prefix, with what the key was.
pub(super) fn known_key(prefix: &str) -> Option<(Merchant, KeyFacts)> {
    CACHED.with_borrow(|cached| {
        let (merchant, facts) = cached.keys.get(prefix)?;
        Some((cached.loaded.get(merchant)?.clone(), facts.clone()))
    })
}

/// Drops what is cached of a key.
pub(super) fn drop_key(prefix: &str) {
    CACHED.with_borrow_mut(|cached| cached.keys.remove(prefix));
}

/// The cached merchant that had a user of this name or number.
pub(super) fn of_user(name: &str) -> Option<Merchant> {
    CACHED.with_borrow(|cached| cached.loaded.get(cached.users.get(name)?).cloned())
}

/// The cached merchant whose single sign-on is a provider for an audience, if the cached settings still say
/// so.
pub(super) fn of_provider(issuer: &str, audience: &str) -> Option<Merchant> {
    let found = CACHED.with_borrow(|cached| {
        cached.loaded.get(cached.providers.get(&provider(issuer, audience))?).cloned()
    })?;
    let own = found.settings.single_sign_on.as_ref()?;
    let is_own = own.issuer == issuer && own.audience == audience;
    is_own.then_some(found)
}

/// Caches which merchant's single sign-on is a provider for an audience. Only for one that was found.
pub(super) fn keep_provider(issuer: &str, audience: &str, merchant: &MerchantId) {
    CACHED.with_borrow_mut(|cached| note(&mut cached.providers, &provider(issuer, audience), merchant));
}

/// Issuers have no line breaks.
fn provider(issuer: &str, audience: &str) -> String {
    format!("{issuer}\n{audience}")
}

/// Caches a merchant in place of an earlier version.
pub(super) fn keep(merchant: Merchant) {
    CACHED.with_borrow_mut(|cached| {
        let id = &merchant.settings.merchant;
        if cached.loaded.len() >= CAPACITY && !cached.loaded.contains_key(id) {
            cached.loaded.clear();
        }
        cached.loaded.insert(id.clone(), merchant);
    });
}

/// Caches which merchant has a user of this name or number. Only for one that was found.
pub(super) fn keep_user(name: &str, merchant: &MerchantId) {
    CACHED.with_borrow_mut(|cached| note(&mut cached.users, name, merchant));
}

/// Caches a key with its merchant. Only for a key that was found genuine: anyone can send prefixes.
pub(super) fn keep_key(prefix: &str, merchant: &MerchantId, facts: &KeyFacts) {
    CACHED.with_borrow_mut(|cached| {
        if cached.keys.len() >= CAPACITY && !cached.keys.contains_key(prefix) {
            cached.keys.clear();
        }
        cached.keys.insert(prefix.into(), (merchant.clone(), facts.clone()));
    });
}

fn note(known: &mut BTreeMap<String, MerchantId>, name: &str, merchant: &MerchantId) {
    if known.get(name) == Some(merchant) {
        return;
    }
    if known.len() >= CAPACITY {
        known.clear();
    }
    known.insert(name.into(), merchant.clone());
}
