//! Payment gateways: what the merchant configured for one `pg_code` ([`profile`]), what a payment through it costs
//! ([`terms`]), what a gateway can say about a charge ([`charge`]), an operation on it ([`operation`]) or all of them
//! ([`listing`]), how one gateway's protocol is spoken ([`mod@connector`]), one file per connector.
//!
//! A connector is a pure codec: it makes an [`Outgoing`](exchange::Outgoing) and reads an
//! [`Incoming`](exchange::Incoming). Only the edge sends.

pub mod charge;
pub mod connector;
pub mod exchange;
pub mod icon;
pub mod listing;
pub mod operation;
pub mod profile;
pub mod sandbox;
pub mod tag;
pub mod terms;
pub mod wallet;

use connector::{Connector, ConnectorKind, Credentials};
use sandbox::Sandbox;

/// The connector of a profile, with the credentials that it needs; `None` for cash.
#[must_use]
pub fn connector(kind: ConnectorKind, credentials: Credentials) -> Option<impl Connector> {
    match kind {
        ConnectorKind::Sandbox => Some(Sandbox::new(credentials)),
        ConnectorKind::Cash => None,
    }
}

/// What a gateway does with a payment at once (specification, field `operation`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// Charges directly.
    Purchase,
    /// Only holds the money; it is captured later.
    Authorize,
}

impl Operation {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Purchase => "purchase",
            Self::Authorize => "authorize",
        }
    }

    /// The operation that the word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Purchase, Self::Authorize].into_iter().find(|operation| operation.as_str() == word)
    }
}
