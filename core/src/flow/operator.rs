//! What the operator of an installation does: [`merchant`]s and their settings, [`mod@key`]s, the test
//! [`clock`]s, the [`reconciliation`] with gateways, and the list of what needs the operator's [`attention`].

pub mod attention;
pub mod clock;
pub mod key;
pub mod merchant;
pub mod reconciliation;

use alloc::string::String;

use serde_json::{Map, Value};

use crate::port::PortError;
use crate::rejection::Rejection;

fn object(body: &[u8]) -> Result<Map<String, Value>, Rejection> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) | Err(_) => Err(Rejection::MalformedBody),
    }
}

fn broken(detail: &str) -> PortError {
    PortError { port: "operator", detail: detail.into() }
}
