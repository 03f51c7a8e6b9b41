//! Payment gateways: what the merchant configured for one `pg_code` ([`profile`]), what a payment through it
//! costs ([`terms`]), what a gateway can say about a charge ([`charge`]), an operation on it ([`operation`])
//! or all of them ([`listing`]), and how one gateway's protocol works ([`mod@connector`]), one file per
//! connector.
//!
//! A connector is a pure codec: it makes an [`Outgoing`](exchange::Outgoing) and reads an
//! [`Incoming`](exchange::Incoming). Only the edge sends.

pub mod charge;
pub mod connector;
pub mod exchange;
pub mod icon;
pub mod instrument;
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
