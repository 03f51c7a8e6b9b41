//! Templates of new payments.

use super::fixture::Fixture;
use super::{Checked, holds, same};
use crate::desk::template::PaymentTemplate;
use crate::port::PaymentTemplates;
use crate::words::Plugin;

pub(super) async fn templates_are_saved_by_their_names(
    store: &impl PaymentTemplates,
    fixture: &Fixture,
) -> Checked {
    let template = |name: &str, fields: &str| PaymentTemplate {
        merchant: fixture.merchant.clone(),
        plugin: Plugin::PaymentRequest,
        name: name.into(),
        fields: fields.into(),
    };
    let entry = |action| fixture.entry(action).about(&fixture.merchant);
    let own = async |plugin, limit| store.payment_templates(&fixture.merchant, plugin, limit).await;
    let order = PaymentTemplate { plugin: Plugin::ECommerce, ..template("Lunch", "amount=9") };
    for one in [&template("Tea", "amount=1"), &template("Lunch", "amount=2"), &order] {
        store.save_payment_template(one, &entry("save_payment_template")).await?;
    }
    let both = [template("Lunch", "amount=2"), template("Tea", "amount=1")];
    same("by their names", own(Plugin::PaymentRequest, 9).await?, both.to_vec())?;
    same("at most so many", own(Plugin::PaymentRequest, 1).await?.len(), 1)?;
    let dearer = template("Tea", "amount=3");
    store.save_payment_template(&dearer, &entry("save_payment_template")).await?;
    same("in its place", own(Plugin::PaymentRequest, 9).await?.last().cloned(), Some(dearer))?;
    let delete = async |merchant, name| {
        let deleted = entry("delete_payment_template");
        store.delete_payment_template((merchant, Plugin::PaymentRequest), name, &deleted).await
    };
    let another = fixture.another()?.merchant;
    holds("not that of another merchant", !delete(&another, "Tea").await?)?;
    holds("deleted", delete(&fixture.merchant, "Tea").await?)?;
    holds("only once", !delete(&fixture.merchant, "Tea").await?)?;
    same("the other stays", own(Plugin::PaymentRequest, 9).await?.len(), 1)?;
    same("that of another kind, too", own(Plugin::ECommerce, 9).await?, [order].to_vec())
}
