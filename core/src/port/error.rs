//! A failure of the world.

use alloc::string::{String, ToString};
use core::fmt;

use crate::value::json::Unwritten;

/// A part of the outside world did not do what it should. The detail is for the operator's log and is never
/// sent to a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortError {
    /// Which port.
    pub port: &'static str,
    /// The error that it reported.
    pub detail: String,
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.port, self.detail)
    }
}

impl From<Unwritten> for PortError {
    fn from(unwritten: Unwritten) -> Self {
        Self { port: "json", detail: unwritten.to_string() }
    }
}
