//! Templates of new payments, in memory.

use alloc::string::String;
use alloc::vec::Vec;

use super::MemoryStore;
use crate::desk::template::PaymentTemplate;
use crate::port::{PaymentTemplates, PortError};
use crate::record::audit::Entry;
use crate::value::id::MerchantId;
use crate::words::Plugin;

/// By what one is found.
pub(super) type Key = (MerchantId, &'static str, String);

fn key(merchant: &MerchantId, plugin: Plugin, name: &str) -> Key {
    (merchant.clone(), plugin.as_str(), name.into())
}

impl PaymentTemplates for MemoryStore {
    async fn payment_templates(
        &self,
        merchant: &MerchantId,
        plugin: Plugin,
        limit: u32,
    ) -> Result<Vec<PaymentTemplate>, PortError> {
        let rows = self.rows.borrow();
        let is_own = |one: &&PaymentTemplate| one.merchant == *merchant && one.plugin == plugin;
        let found = rows.templates.values().filter(is_own).cloned();
        Ok(found.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect())
    }

    async fn save_payment_template(
        &self,
        template: &PaymentTemplate,
        entry: &Entry,
    ) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        let key = key(&template.merchant, template.plugin, &template.name);
        rows.templates.insert(key, template.clone());
        rows.journal(entry, None);
        Ok(())
    }

    async fn delete_payment_template(
        &self,
        (merchant, plugin): (&MerchantId, Plugin),
        name: &str,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_there = rows.templates.remove(&key(merchant, plugin, name)).is_some();
        if is_there {
            rows.journal(entry, None);
        }
        Ok(is_there)
    }
}
