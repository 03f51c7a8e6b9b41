//! Settings documents as they are stored, with sealed credentials, and as they are shown, without them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{broken, message_secret, sign_on_secret};
use crate::flow::Failure;
use crate::gateway::ConnectorKind;
use crate::port::{PortError, Vault, World};
use crate::rejection::Rejection;
use crate::settings::SEALED;
use crate::value::id::MerchantId;
use crate::value::sealed::Sealed;
use crate::violation::{AccessRule, Rule, Violation};
use crate::wire::tree::Tree;

/// A settings document that comes in, as it is changed before it is stored: its credentials are sealed. Its members are
/// read by [`parse`](crate::settings::parse::parse).
///
/// # Errors
/// [`Rejection::MalformedBody`] for anything other than JSON.
pub(super) fn given(text: &str) -> Result<Tree<'_>, Rejection> {
    Tree::parse(text).ok_or(Rejection::MalformedBody)
}

/// A document that is stored.
///
/// # Errors
/// If it is not JSON.
pub(super) fn stored(text: &str) -> Result<Tree<'_>, PortError> {
    Tree::parse(text).ok_or_else(|| broken("a document is not JSON"))
}

/// A stored document without its credentials.
///
/// # Errors
/// If it is not JSON.
pub(super) fn hidden(text: &str) -> Result<Tree<'_>, PortError> {
    let mut document = stored(text)?;
    for gateway in document.get_mut("gateways").map(Tree::items_mut).into_iter().flatten() {
        for field in secrets(gateway) {
            if let Some(secret) = gateway.get_mut("credentials").and_then(|all| all.get_mut(field)) {
                secret.hide(SEALED);
            }
        }
    }
    message_secret::hide(&mut document);
    sign_on_secret::hide(&mut document);
    Ok(document)
}

/// The names of the secrets that the connector of a gateway declares.
fn secrets(gateway: &Tree<'_>) -> impl Iterator<Item = &'static str> + use<> {
    let connector = gateway.get("connector").and_then(Tree::text).and_then(ConnectorKind::parse);
    let fields = connector.map_or(&[][..], |connector| connector.declaration().credentials);
    fields.iter().filter(|field| field.is_secret).map(|field| field.name)
}

/// The sealed credential of this name of the gateway that has the same code and connector.
fn stored_credential<'d>(document: &'d Tree<'_>, gateway: &Tree<'_>, name: &str) -> Option<&'d str> {
    let identity = |gateway: &Tree<'_>| {
        let text = |name| gateway.get(name).and_then(Tree::text).map(String::from);
        Some((text("code")?, text("connector")?))
    };
    let wanted = identity(gateway)?;
    let mut gateways = document.get("gateways")?.items().iter();
    let stored = gateways.find(|stored| identity(stored).as_ref() == Some(&wanted))?;
    stored.get("credentials")?.get(name)?.text()
}

/// Refuses a stored document with secrets that cannot be opened: the key with which they were sealed is not there any more.
///
/// # Errors
/// [`Rejection::Invalid`] with every such secret, or a failure of the world.
pub(super) fn refuse_closed(world: &impl World, merchant: &MerchantId, text: &str) -> Result<(), Failure> {
    let document = stored(text)?;
    let mut sealed = Vec::new();
    for (place, gateway) in document.get("gateways").map(Tree::items).into_iter().flatten().enumerate() {
        for name in secrets(gateway) {
            let text = gateway.get("credentials").and_then(|all| all.get(name)?.text());
            sealed.extend(text.map(|text| (format!("gateways.{place}.credentials.{name}"), text)));
        }
    }
    sealed.extend(message_secret::stored(&document));
    sealed.extend(sign_on_secret::stored(&document));
    let is_closed = |text: &str| world.vault().open(merchant, &Sealed(text.into())).is_err();
    let closed = sealed.into_iter().filter(|(_, text)| is_closed(text));
    let found: Vec<Violation> =
        closed.map(|(path, _)| Violation::new(path, Rule::Access(AccessRule::NotOpened))).collect();
    if found.is_empty() { Ok(()) } else { Err(Rejection::Invalid(found).into()) }
}

/// Seals every credential of a document that comes in; `[sealed]` is the credential of the same gateway in `stored`.
///
/// # Errors
/// [`Rejection::Invalid`] with every credential that is not there, or a failure of the world.
pub(super) fn seal(
    world: &impl World,
    merchant: &MerchantId,
    mut document: Tree<'_>,
    stored: Option<&Tree<'_>>,
) -> Result<String, Failure> {
    let mut missing = Vec::new();
    let gateways = document.get_mut("gateways").map(Tree::items_mut);
    for (place, gateway) in gateways.into_iter().flatten().enumerate() {
        for name in secrets(gateway) {
            let given = gateway.get("credentials").and_then(|all| all.get(name)?.text());
            let Some(given) = given.map(String::from) else { continue };
            let sealed = if given == SEALED {
                let saved = stored.and_then(|stored| stored_credential(stored, gateway, name));
                if saved.is_none() {
                    let path = format!("gateways.{place}.credentials.{name}");
                    missing.push(Violation::new(path, Rule::Required));
                }
                saved.unwrap_or_default().to_string()
            } else {
                world.vault().seal(merchant, &given)?.0
            };
            if let Some(slot) = gateway.get_mut("credentials").and_then(|all| all.get_mut(name)) {
                *slot = Tree::Text(sealed.into());
            }
        }
    }
    missing.extend(message_secret::seal(world, merchant, &mut document, stored)?);
    missing.extend(sign_on_secret::seal(world, merchant, &mut document, stored)?);
    if missing.is_empty() { Ok(document.to_json()) } else { Err(Rejection::Invalid(missing).into()) }
}
