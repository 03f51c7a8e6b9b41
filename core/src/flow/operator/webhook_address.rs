//! The addresses of a merchant's webhooks: of the settings, what the merchant may change itself.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::document;
use super::merchant::store;
use crate::access::Caller;
use crate::answer::administration::WebhookAddresses;
use crate::api::webhook_addresses::{ALERTS, MEMBERS, OPERATIONS, WebhookAddressesRequest};
use crate::flow::Failure;
use crate::port::{Clock, Registry, World};
use crate::record::attention::Topic;
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
        return Some((alerts(document)?, "webhook_url"));
    }
    let plugin = document.get_mut("plugins")?.get_mut(member)?;
    Some((plugin, "webhook_url"))
}

/// The object of a document about alerts.
fn alerts<'d, 'a>(document: &'d mut Tree<'a>) -> Option<&'d mut Tree<'a>> {
    if !matches!(document.get(ALERTS), Some(Tree::Object(_))) {
        document.set(ALERTS, Tree::Object(BTreeMap::new()));
    }
    document.get_mut(ALERTS)
}

/// Writes a list of texts into an object; an empty one is left out.
fn write_list<'a>(object: &mut Tree<'a>, name: &'static str, texts: impl Iterator<Item = Cow<'a, str>>) {
    let items: Vec<_> = texts.map(Tree::Text).collect();
    if items.is_empty() { object.remove(name) } else { object.set(name, Tree::List(items)) }
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
    let of_alerts = |name: &str| {
        let items = document.get(ALERTS).and_then(|alerts| alerts.get(name)).map(Tree::items);
        items.unwrap_or_default().iter().filter_map(Tree::text).map(String::from).collect::<Vec<_>>()
    };
    let (alert_emails, topics) = (of_alerts("emails"), of_alerts("on"));
    let alert_topics = topics.iter().filter_map(|word| Topic::parse(word)).collect();
    WebhookAddresses { alert_emails, alert_topics, alerts, e_commerce, operations, payment_request, version }
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
    if let Some((object, emails)) = given.emails.and_then(|emails| Some((alerts(&mut next)?, emails))) {
        write_list(object, "emails", emails.into_iter().map(Cow::Owned));
    }
    if let Some((object, topics)) = given.topics.and_then(|topics| Some((alerts(&mut next)?, topics))) {
        write_list(object, "on", topics.into_iter().map(|topic| Cow::Borrowed(topic.as_str())));
    }
    let found = fields.finish();
    if !found.is_empty() {
        return Err(Rejection::Invalid(found).into());
    }
    let entry = Entry::of(caller.actor(), "change_own_webhook_addresses", world.clock().now());
    let replaced = store(world, entry, merchant, &stored, &next.to_json()).await?;
    Ok(shown(&mut next, replaced.version))
}
