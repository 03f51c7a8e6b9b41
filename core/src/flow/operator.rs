//! What the operators of an installation do: [`merchant`]s and their settings in [`version`]s, the [`check`] of
//! credentials at a gateway, the [`metrics`] and the [`page_check`], the [`reconciliation`] with gateways, the keys under which secrets are sealed ([`reseal`]), the list of what needs a person's [`attention`], the
//! [`operator`](staff)s themselves, and the [`audit`] of it all. A merchant changes the [`webhook_address`]es in its
//! settings itself, and at the desk the [`approval_policy`].

pub mod apple_domain;
pub mod approval_policy;
pub mod attention;
pub mod audit;
pub mod brand;
pub mod check;
mod document;
pub mod find;
pub mod merchant;
mod message_secret;
pub mod metrics;
pub mod page_check;
pub mod reconciliation;
pub mod reseal;
mod sign_on_secret;
pub mod staff;
pub mod transaction;
pub mod version;
pub mod webhook_address;

use crate::port::PortError;

fn broken(detail: &str) -> PortError {
    PortError { port: "operator", detail: detail.into() }
}
