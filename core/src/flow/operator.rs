//! What the operator of an installation does: [`merchant`]s and their settings, [`mod@key`]s, the test
//! [`clock`]s, the [`reconciliation`] with gateways, and the list of what needs the operator's [`attention`].

pub mod attention;
pub mod clock;
pub mod key;
pub mod merchant;
pub mod reconciliation;

use alloc::string::String;

use serde_json::{Map, Value};
use subtle::ConstantTimeEq;

use crate::access::header::Credential;
use crate::port::PortError;
use crate::rejection::Rejection;

/// The most bytes of a body.
pub const MAX_BODY_BYTES: usize = 262_144;

/// Whether the credential is the operator's token, compared in constant time.
///
/// # Errors
/// [`Rejection::CredentialsMissing`] or [`Rejection::CredentialsInvalid`].
pub fn is_operator(credential: &Credential, token: &str) -> Result<(), Rejection> {
    match credential {
        Credential::Bearer(given) if given.as_bytes().ct_eq(token.as_bytes()).into() => Ok(()),
        Credential::Missing => Err(Rejection::CredentialsMissing),
        Credential::Bearer(_) | Credential::Malformed | Credential::ApiKey(_) | Credential::Basic => {
            Err(Rejection::CredentialsInvalid)
        }
    }
}

fn object(body: &[u8]) -> Result<Map<String, Value>, Rejection> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) | Err(_) => Err(Rejection::MalformedBody),
    }
}

fn broken(detail: &str) -> PortError {
    PortError { port: "operator", detail: detail.into() }
}
