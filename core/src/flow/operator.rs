//! What the operator of an installation does: [`merchant`]s and their settings, [`mod@key`]s, the test
//! [`clock`]s, the [`reconciliation`] with gateways, and the list of what needs the operator's [`attention`].

pub mod attention;
pub mod clock;
pub mod key;
pub mod merchant;
pub mod reconciliation;

use serde_json::Value;

use crate::port::PortError;
use crate::rejection::Rejection;

/// A settings document that comes in, as it is changed before it is stored: its credentials are sealed. Its members are
/// read by [`parse`](crate::settings::parse::parse).
///
/// # Errors
/// [`Rejection::MalformedBody`] for anything other than JSON.
fn document(text: &str) -> Result<Value, Rejection> {
    serde_json::from_str(text).map_err(|_| Rejection::MalformedBody)
}

fn broken(detail: &str) -> PortError {
    PortError { port: "operator", detail: detail.into() }
}
