//! Parsed settings, kept for the life of the isolate by merchant and version.
//!
//! Nothing is trusted from here: every request asks the database for the version, and gets the document too where it
//! is another than the one kept. A change of the document or of the secrets always comes with a new version.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use checkout_core::settings::MerchantSettings;
use checkout_core::value::id::MerchantId;

/// The most merchants, and the most prefixes of keys, that are kept.
const CAPACITY: usize = 256;

#[derive(Default)]
struct Kept {
    settings: BTreeMap<MerchantId, Rc<MerchantSettings>>,
    merchants: BTreeMap<String, MerchantId>,
}

thread_local! {
    // Plain data, and borrowed within one function only: never across an await.
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// The settings that are kept of a merchant.
pub(super) fn of_merchant(merchant: &MerchantId) -> Option<Rc<MerchantSettings>> {
    KEPT.with_borrow(|kept| kept.settings.get(merchant).cloned())
}

/// The settings that are kept of the merchant who held a key of this prefix.
pub(super) fn of_key(prefix: &str) -> Option<Rc<MerchantSettings>> {
    KEPT.with_borrow(|kept| kept.settings.get(kept.merchants.get(prefix)?).cloned())
}

/// Keeps settings in place of an earlier version.
pub(super) fn keep(settings: Rc<MerchantSettings>) {
    KEPT.with_borrow_mut(|kept| {
        if kept.settings.len() >= CAPACITY && !kept.settings.contains_key(&settings.merchant) {
            kept.settings.clear();
        }
        kept.settings.insert(settings.merchant.clone(), settings);
    });
}

/// Keeps whose key a prefix is. Only for a key that was found genuine: anybody can send prefixes.
pub(super) fn keep_key(prefix: &str, merchant: &MerchantId) {
    KEPT.with_borrow_mut(|kept| {
        if kept.merchants.get(prefix) == Some(merchant) {
            return;
        }
        if kept.merchants.len() >= CAPACITY {
            kept.merchants.clear();
        }
        kept.merchants.insert(prefix.into(), merchant.clone());
    });
}
