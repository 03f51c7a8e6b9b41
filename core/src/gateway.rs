//! Payment gateways: what the merchant configured for one `pg_code` ([`profile`]), what a payment through it
//! costs ([`terms`]), what a gateway can say about a charge ([`charge`]), an operation on it ([`operation`]),
//! all of them ([`listing`]) or by itself ([`callback`]), and how one gateway's protocol works ([`mod@connector`]),
//! one folder per connector.
//!
//! A connector is a pure codec: it makes an [`Outgoing`](exchange::Outgoing) and reads an
//! [`Incoming`](exchange::Incoming), in one [`step`] or several. Only the edge sends.

#[cfg(feature = "adyen")]
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
#[cfg(feature = "knet")]
pub mod knet;
pub mod left_out;
pub mod listing;
#[cfg(feature = "mpgs")]
pub mod mpgs;
pub mod operation;
pub mod profile;
pub mod sandbox;
pub mod step;
#[cfg(feature = "stripe")]
pub mod stripe;
pub mod tag;
pub mod terms;
pub(crate) mod text;
pub mod wallet;

use connector::Declaration;

use crate::words::word_list;

/// Declares the connectors, a line each: its word in a settings document, its folder, which has a `DECLARATION`, and the
/// feature without which it is left out of a build.
macro_rules! connectors {
    ($($(#[$about:meta])* $name:ident = $word:literal in $folder:ident $(if $feature:literal)?;)+) => {
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
                    $(
                        $(#[cfg(feature = $feature)])?
                        Self::$name => &$folder::DECLARATION,
                        $(#[cfg(not(feature = $feature))] Self::$name => &left_out::DECLARATION,)?
                    )+
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
    Adyen = "adyen" in adyen if "adyen";
    /// KNET, the debit network of Kuwait.
    Knet = "knet" in knet if "knet";
    /// Mastercard Gateway.
    Mpgs = "mpgs" in mpgs if "mpgs";
    /// Stripe.
    Stripe = "stripe" in stripe if "stripe";
}

impl ConnectorKind {
    /// Whether this build has it.
    #[must_use]
    pub const fn is_built_in(self) -> bool {
        let Declaration { connect, capabilities, .. } = self.declaration();
        connect.is_some() || !capabilities.is_online
    }
}
