//! A connector that is left out of the build: its gateways stay in stored settings, and cannot be asked.

use super::capabilities::Capabilities;
use super::connector::Declaration;

/// Nothing is possible, and nothing is in cash.
pub const DECLARATION: Declaration = Declaration {
    capabilities: Capabilities::NONE,
    credentials: &[],
    needs_endpoint: false,
    codes_without_reason: &[],
    connect: None,
};
