//! Templates of new payments.

use alloc::vec::Vec;

use super::PortError;
use crate::desk::template::PaymentTemplate;
use crate::record::audit::Entry;
use crate::value::id::MerchantId;
use crate::words::Plugin;

/// Templates. Each is written with its entry of the audit, all or nothing.
pub trait PaymentTemplates {
    /// Those of a merchant and kind of payment in the order of their names, at most so many.
    ///
    /// # Errors
    /// If the store fails.
    async fn payment_templates(
        &self,
        merchant: &MerchantId,
        plugin: Plugin,
        limit: u32,
    ) -> Result<Vec<PaymentTemplate>, PortError>;

    /// Stores one, in the place of the one that has its name.
    ///
    /// # Errors
    /// If the store fails.
    async fn save_payment_template(&self, template: &PaymentTemplate, entry: &Entry)
    -> Result<(), PortError>;

    /// Deletes the one of a name; whether there was one.
    ///
    /// # Errors
    /// If the store fails.
    async fn delete_payment_template(
        &self,
        of: (&MerchantId, Plugin),
        name: &str,
        entry: &Entry,
    ) -> Result<bool, PortError>;
}
