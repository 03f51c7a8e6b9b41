//! What the operator of an installation does: [`merchant`]s and their settings, the test
//! [`clock`]s, the [`check`] of credentials at a gateway, the [`metrics`], the [`reconciliation`] with gateways, the keys
//! under which secrets are sealed ([`reseal`]), and the list of what needs the operator's [`attention`].

pub mod attention;
pub mod check;
pub mod clock;
pub mod merchant;
pub mod metrics;
pub mod reconciliation;
pub mod reseal;
mod sign_on_secret;

use crate::port::PortError;
use crate::rejection::Rejection;
use crate::wire::tree::Tree;

/// A settings document that comes in, as it is changed before it is stored: its credentials are sealed. Its members are
/// read by [`parse`](crate::settings::parse::parse).
///
/// # Errors
/// [`Rejection::MalformedBody`] for anything other than JSON.
fn document(text: &str) -> Result<Tree<'_>, Rejection> {
    Tree::parse(text).ok_or(Rejection::MalformedBody)
}

fn broken(detail: &str) -> PortError {
    PortError { port: "operator", detail: detail.into() }
}
