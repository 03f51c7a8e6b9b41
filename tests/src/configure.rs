//! An operator changes the settings of the shop.

use checkout_core::access::operator::ROOT;
use checkout_core::flow::operator::merchant::replace_settings;
use pollster::block_on;
use serde_json::Value;

use crate::shop::{DEMO_SETTINGS, Shop};

impl Shop {
    /// Replaces the settings by the demo document with changes.
    pub fn configure(&self, change: impl FnOnce(&mut Value)) {
        let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        change(&mut settings);
        let settings = settings.to_string();
        block_on(replace_settings(&self.world, &ROOT, &self.merchant, "", settings.as_bytes())).unwrap();
    }
}
