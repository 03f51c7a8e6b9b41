//! The secret of this service at a provider of single sign-on, in a settings document: sealed before it is stored, hidden
//! when it is shown.
//!
//! Decision: `[sealed]` means the stored secret only while issuer and client are those for which it was stored. Otherwise
//! someone who may change settings, and does not know the secret, could have it sent to a provider of their own.

use alloc::string::String;

use crate::flow::Failure;
use crate::port::{Vault, World};
use crate::settings::SEALED;
use crate::value::id::MerchantId;
use crate::violation::{Rule, Violation};
use crate::wire::tree::Tree;

const NAME: &str = "single_sign_on";
const SECRET: &str = "client_secret";

/// Hides the secret of a document that is shown.
pub(super) fn hide(document: &mut Tree<'_>) {
    if let Some(secret) = slot(document) {
        *secret = Tree::Text(SEALED.into());
    }
}

/// Seals the secret of a document that comes in; a violation if the stored one is wanted and there is none for the same
/// client.
///
/// # Errors
/// A failure of the vault.
pub(super) fn seal(
    world: &impl World,
    merchant: &MerchantId,
    document: &mut Tree<'_>,
    stored: Option<&Tree<'_>>,
) -> Result<Option<Violation>, Failure> {
    let Some(given) = text(document, SECRET) else { return Ok(None) };
    let sealed = if given == SEALED {
        let is_same = |stored: &&Tree<'_>| {
            ["issuer", "client_id"].iter().all(|name| text(stored, name) == text(document, name))
        };
        match stored.filter(is_same).and_then(|stored| text(stored, SECRET)) {
            Some(sealed) => sealed,
            None => return Ok(Some(Violation::new("single_sign_on.client_secret", Rule::Required))),
        }
    } else {
        world.vault().seal(merchant, &given)?.0
    };
    if let Some(secret) = slot(document) {
        *secret = Tree::Text(sealed.into());
    }
    Ok(None)
}

fn text(document: &Tree<'_>, name: &str) -> Option<String> {
    document.get(NAME)?.get(name)?.text().map(String::from)
}

/// The secret, if there is one. `null` means that there is none.
fn slot<'t, 'd>(document: &'t mut Tree<'d>) -> Option<&'t mut Tree<'d>> {
    document.get_mut(NAME)?.get_mut(SECRET).filter(|secret| secret.text().is_some())
}
