//! The notifications about an operation.

use alloc::vec::Vec;

use crate::answer::operation::{ReportSource, body};
use crate::change::{Change, ChildWrite};
use crate::flow::exchange::connect::signature_key;
use crate::port::{PortError, World};
use crate::record::outbox::{MessageContent, MessageKind, Recipient};
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;

/// Adds the notifications about a change's operation, one for each address that the merchant has for them.
pub(super) fn notify(
    world: &impl World,
    change: &mut Change,
    situation: &Situation,
    source: ReportSource,
) -> Result<(), PortError> {
    let Some(child) = change.child.as_ref().map(ChildWrite::child) else { return Ok(()) };
    let receivers = receivers(&change.transaction, &situation.settings);
    let hmac_key = signature_key(world, situation)?;
    let content = MessageContent {
        kind: MessageKind::OperationWebhook,
        reference: child.reference.clone(),
        body: body(&change.transaction, child, source, &hmac_key)?,
    };
    change.add_messages(&content, receivers);
    Ok(())
}

/// Where notifications of operations go: to the transaction's own address, otherwise to the merchant's
/// address for operations and to that of the plugin.
///
/// Those of a plugin that takes no webhooks about operations go to the address for operations only.
fn receivers(transaction: &Transaction, settings: &MerchantSettings) -> Vec<Recipient> {
    let plugin = settings.plugin(transaction.plugin);
    let own = settings.operations_webhook_url.as_ref();
    if plugin.is_some_and(|plugin| !plugin.webhooks.takes_operation()) {
        return own.map(Recipient::to).into_iter().collect();
    }
    if let Some(url) = &transaction.details.webhook_url {
        return Vec::from([Recipient::to(url)]);
    }
    let of_plugin = plugin.and_then(|plugin| plugin.webhook_url.as_ref());
    let mut found: Vec<Recipient> = own.into_iter().chain(of_plugin).map(Recipient::to).collect();
    found.dedup();
    found
}
