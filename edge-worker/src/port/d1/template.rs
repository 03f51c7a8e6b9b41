//! The table `payment_template`.

use checkout_core::desk::template::PaymentTemplate;
use checkout_core::port::{PaymentTemplates, PortError};
use checkout_core::record::audit::Entry;
use checkout_core::value::id::MerchantId;
use checkout_core::words::Plugin;

use super::D1Store;
use super::audit::{self, Of};
use super::fault::failed;
use super::statement::{Columns, Values};

impl PaymentTemplates for D1Store {
    async fn payment_templates(
        &self,
        merchant: &MerchantId,
        plugin: Plugin,
        limit: u32,
    ) -> Result<Vec<PaymentTemplate>, PortError> {
        const SQL: &str = "SELECT name, fields FROM payment_template WHERE merchant_id = ? AND plugin = ? \
             ORDER BY name LIMIT CAST(? AS INTEGER)";
        let values = Values::default().text(merchant.as_str()).text(plugin.as_str()).number(limit);
        let rows = values.rows(&self.db, SQL).await?;
        let read = |mut row: super::row::Row| {
            Ok(PaymentTemplate {
                merchant: merchant.clone(),
                plugin,
                name: row.text("payment_template.name")?,
                fields: row.text("payment_template.fields")?,
            })
        };
        rows.into_iter().map(read).collect()
    }

    async fn save_payment_template(
        &self,
        template: &PaymentTemplate,
        entry: &Entry,
    ) -> Result<(), PortError> {
        const REPLACED: &str =
            " ON CONFLICT (merchant_id, plugin, name) DO UPDATE SET fields = excluded.fields";
        let row = Columns::default()
            .text("merchant_id", template.merchant.as_str())
            .text("plugin", template.plugin.as_str())
            .text("name", &template.name)
            .text("fields", &template.fields);
        let batch = vec![
            row.insert_or(&self.db, "payment_template", REPLACED)?,
            audit::insert(&self.db, entry, Of::named(entry))?,
        ];
        self.db.batch(batch).await.map_err(|error| failed(&error))
    }

    async fn delete_payment_template(
        &self,
        (merchant, plugin): (&MerchantId, Plugin),
        name: &str,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        const WHOSE: &str =
            "(SELECT merchant_id FROM payment_template WHERE merchant_id = ? AND plugin = ? AND name = ?)";
        const SQL: &str = "DELETE FROM payment_template WHERE merchant_id = ? AND plugin = ? AND name = ?";
        let of = || Values::default().text(merchant.as_str()).text(plugin.as_str()).text(name);
        audit::change(&self.db, entry, Of::row(entry, WHOSE, of()), of().bind(&self.db, SQL)?).await
    }
}
