//! Payment gateways: what the merchant configured for one `pg_code` ([`profile`]), what a payment through it
//! costs ([`terms`]), what a gateway can say about a charge ([`charge`]), an operation on it ([`operation`]),
//! all of them ([`listing`]) or by itself ([`callback`]), and how one gateway's protocol works ([`mod@connector`]),
//! one folder per connector.
//!
//! A connector is a pure codec: it makes an [`Outgoing`](exchange::Outgoing) and reads an
//! [`Incoming`](exchange::Incoming), in one [`step`] or several. Only the edge sends.

pub mod adyen;
pub mod callback;
pub mod capabilities;
pub mod cash;
pub mod charge;
pub mod check;
pub mod connector;
pub mod credentials;
pub mod decline;
pub mod exchange;
pub mod icon;
pub mod instrument;
pub mod knet;
pub mod listing;
pub mod mpgs;
pub mod operation;
pub mod profile;
pub mod sandbox;
pub mod step;
pub mod stripe;
pub mod tag;
pub mod terms;
pub(crate) mod text;
pub mod wallet;

use connector::Declaration;

use crate::words::word_list;

/// Declares the connectors, a line each: its word in a settings document, and its folder, which has a `DECLARATION`.
macro_rules! connectors {
    ($($(#[$about:meta])* $name:ident = $word:literal in $folder:ident;)+) => {
        word_list! {
            /// Which connector a profile uses.
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum ConnectorKind { $($(#[$about])* $name = $word,)+ }
        }

        impl ConnectorKind {
            /// What its folder declares.
            #[must_use]
            pub const fn declaration(self) -> &'static Declaration {
                match self {
                    $(Self::$name => &$folder::DECLARATION,)+
                }
            }
        }
    };
}

connectors! {
    /// The simulated bank.
    Sandbox = "sandbox" in sandbox;
    /// Cash on delivery: there is no gateway to call.
    Cash = "cash" in cash;
    /// Adyen Checkout.
    Adyen = "adyen" in adyen;
    /// KNET, the debit network of Kuwait.
    Knet = "knet" in knet;
    /// Mastercard Gateway.
    Mpgs = "mpgs" in mpgs;
    /// Stripe.
    Stripe = "stripe" in stripe;
}
