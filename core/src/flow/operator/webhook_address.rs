//! The addresses of a merchant's webhooks: of the settings, what the merchant may change itself.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::string::ToString;

use super::document;
use super::merchant::store;
use crate::access::Caller;
use crate::answer::administration::WebhookAddresses;
use crate::api::webhook_addresses::{ALERTS, MEMBERS, OPERATIONS, WebhookAddressesRequest};
use crate::flow::Failure;
use crate::port::{Clock, Registry, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::tree::Tree;

/// The object of a document that has the address of a member, and its name there; `None` for a plugin that is not
/// installed.
fn place<'d, 'a>(document: &'d mut Tree<'a>, member: &str) -> Option<(&'d mut Tree<'a>, &'static str)> {
    if member == OPERATIONS {
        return Some((document, "operations_webhook_url"));
    }
    if member == ALERTS {
        if !matches!(document.get(ALERTS), Some(Tree::Object(_))) {
            document.set(ALERTS, Tree::Object(BTreeMap::new()));
        }
        return Some((document.get_mut(ALERTS)?, "webhook_url"));
    }
    let plugin = document.get_mut("plugins")?.get_mut(member)?;
    Some((plugin, "webhook_url"))
}

/// Shows the addresses.
///
/// # Errors
/// A failure of the world.
pub async fn read_addresses(world: &impl World, caller: &Caller) -> Result<WebhookAddresses, Failure> {
    let stored = world.directory().document(caller.merchant()).await?.ok_or(Rejection::NotFound)?;
    Ok(shown(&mut document::stored(&stored.text)?, stored.version))
}

fn shown(document: &mut Tree<'_>, version: i64) -> WebhookAddresses {
    let [e_commerce, payment_request, operations, alerts] = MEMBERS.map(|member| {
        let (object, name) = place(document, member)?;
        object.get(name)?.text().map(String::from)
    });
    WebhookAddresses { alerts, e_commerce, operations, payment_request, version }
}

/// Changes addresses; those that are not given stay. The rest of the settings is not looked at.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong address, [`Rejection::Conflict`] if the settings were changed in the meantime, or
/// a failure of the world.
pub async fn change_addresses(
    world: &impl World,
    caller: &Caller,
    body: &[u8],
) -> Result<WebhookAddresses, Failure> {
    let merchant = caller.merchant();
    let mut fields = Fields::default();
    let given = WebhookAddressesRequest::read(&mut fields, body, world.installation())?;
    let stored = world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let mut next = document::stored(&stored.text)?;
    for (member, address) in given.addresses {
        match (place(&mut next, member), address) {
            (Some((object, name)), Some(address)) => object.set(name, Tree::Text(address.to_string().into())),
            (Some((object, name)), None) => object.remove(name),
            (None, _) => fields.violation(member, Rule::PluginNotInstalled),
        }
    }
    let found = fields.finish();
    if !found.is_empty() {
        return Err(Rejection::Invalid(found).into());
    }
    let entry = Entry::of(caller.actor(), "change_own_webhook_addresses", world.clock().now());
    let replaced = store(world, entry, merchant, &stored, &next.to_json()).await?;
    Ok(shown(&mut next, replaced.version))
}
