//! The secrets of the providers of messages in a settings document: sealed before they are stored, hidden when they are shown.
//!
//! Decision: `[sealed]` means the stored secret only while the provider and its address are those for which it was stored.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::flow::Failure;
use crate::messenger::provider::Provider;
use crate::port::{Vault, World};
use crate::settings::SEALED;
use crate::value::id::MerchantId;
use crate::violation::{Rule, Violation};
use crate::wire::tree::Tree;
use crate::words::message::Channel;

const NAME: &str = "messages";

/// The secrets that the provider of a channel declares.
fn secrets(document: &Tree<'_>, channel: Channel) -> Vec<&'static str> {
    let account = document.get(NAME).and_then(|all| all.get(channel.as_str()));
    let provider = account.and_then(|account| account.get("provider")?.text()).and_then(Provider::parse);
    let fields = provider.map_or(&[][..], |provider| provider.declaration().credentials);
    fields.iter().filter(|field| field.is_secret).map(|field| field.name).collect()
}

fn of<'d>(document: &'d Tree<'_>, channel: Channel, name: &str) -> Option<&'d str> {
    document.get(NAME)?.get(channel.as_str())?.get("credentials")?.get(name)?.text()
}

fn slot<'t, 'd>(document: &'t mut Tree<'d>, channel: Channel, name: &str) -> Option<&'t mut Tree<'d>> {
    document.get_mut(NAME)?.get_mut(channel.as_str())?.get_mut("credentials")?.get_mut(name)
}

/// Hides the secrets of a document that is shown.
pub(super) fn hide(document: &mut Tree<'_>) {
    for channel in Channel::ALL {
        for name in secrets(document, channel) {
            if let Some(secret) = slot(document, channel, name) {
                secret.hide(SEALED);
            }
        }
    }
}

/// The secrets of a document that is stored, with their paths.
pub(super) fn stored<'d>(document: &'d Tree<'_>) -> Vec<(String, &'d str)> {
    let mut found = Vec::new();
    for channel in Channel::ALL {
        for name in secrets(document, channel) {
            let text = of(document, channel, name);
            found.extend(text.map(|text| (format!("{NAME}.{}.credentials.{name}", channel.as_str()), text)));
        }
    }
    found
}

/// Seals the secrets of a document that comes in; a violation for each that is to be the stored one and is not there.
///
/// # Errors
/// A failure of the vault.
pub(super) fn seal(
    world: &impl World,
    merchant: &MerchantId,
    document: &mut Tree<'_>,
    stored: Option<&Tree<'_>>,
) -> Result<Vec<Violation>, Failure> {
    let mut missing = Vec::new();
    for channel in Channel::ALL {
        let same = stored.filter(|stored| is_same(stored, document, channel));
        for name in secrets(document, channel) {
            let Some(given) = of(document, channel, name).map(String::from) else { continue };
            let sealed = if given == SEALED {
                let saved = same.and_then(|same| of(same, channel, name)).map(String::from);
                if saved.is_none() {
                    let path = format!("{NAME}.{}.credentials.{name}", channel.as_str());
                    missing.push(Violation::new(path, Rule::Required));
                }
                saved.unwrap_or_default()
            } else {
                world.vault().seal(merchant, &given)?.0
            };
            if let Some(slot) = slot(document, channel, name) {
                *slot = Tree::Text(sealed.into());
            }
        }
    }
    Ok(missing)
}

/// Whether two documents name the same provider of a channel at the same address.
fn is_same(one: &Tree<'_>, other: &Tree<'_>, channel: Channel) -> bool {
    let text = |document: &Tree<'_>, name: &str| {
        document.get(NAME)?.get(channel.as_str())?.get(name)?.text().map(String::from)
    };
    ["provider", "endpoint"].iter().all(|name| text(one, name) == text(other, name))
}
