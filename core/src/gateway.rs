//! Payment gateways: what the merchant configured for one `pg_code` ([`profile`]), what a payment through it
//! costs ([`terms`]), what a gateway can say about a charge ([`charge`]), an operation on it ([`operation`]),
//! all of them ([`listing`]) or by itself ([`callback`]), and how one gateway's protocol works ([`mod@connector`]),
//! one folder per connector.
//!
//! A connector is a pure codec: it makes an [`Outgoing`](exchange::Outgoing) and reads an
//! [`Incoming`](exchange::Incoming), in one [`step`] or several. Only the edge sends.

#[cfg(any(feature = "checkout_com", feature = "tabby", feature = "tamara", feature = "tap"))]
pub(crate) mod bearer;
pub mod callback;
pub mod capabilities;
pub mod charge;
pub mod check;
pub mod connector;
pub mod credentials;
pub mod decline;
pub mod dispute;
pub mod exchange;
pub mod flexible;
pub mod icon;
pub mod instrument;
pub mod listing;
pub mod mark;
pub mod operation;
pub mod page_form;
#[cfg(any(feature = "tabby", feature = "tamara"))]
mod pay_later;
pub mod payer;
pub mod profile;
pub(crate) mod restriction;
pub mod shown;
pub mod step;
#[cfg(any(feature = "tabby", feature = "tamara"))]
pub(crate) mod stored;
pub mod tag;
pub mod terms;
pub(crate) mod text;
pub mod wallet;

use connector::Declaration;

use crate::words::word_list;

/// Declares the connectors, a line each: its word in a settings document, its folder, which has a `DECLARATION`, and the
/// feature without which it is left out of a build. One without a feature is in every build.
macro_rules! connectors {
    ($($name:ident = $word:literal in $folder:ident $(if $feature:literal)?;)+) => {
        $(
            $(#[cfg(feature = $feature)])?
            pub mod $folder;
        )+

        word_list! {
            /// Which connector a profile uses.
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum ConnectorKind {
                $(
                    #[doc = concat!("The connector `", $word, "`.")]
                    $name = $word,
                )+
            }
        }

        impl ConnectorKind {
            /// What its folder declares.
            #[must_use]
            pub const fn declaration(self) -> &'static Declaration {
                match self {
                    $(
                        $(#[cfg(feature = $feature)])?
                        Self::$name => &$folder::DECLARATION,
                        // Its gateways stay in stored settings, and cannot be asked.
                        $(
                            #[cfg(not(feature = $feature))]
                            Self::$name => &Declaration {
                                capabilities: capabilities::Capabilities::NONE,
                                totals: |_| crate::value::money::totals::Totals::ALL,
                                credentials: &[],
                                needs_endpoint: false,
                                longest_reference: usize::MAX,
                                codes_without_reason: &[],
                                connect: None,
                            },
                        )?
                    )+
                }
            }
        }
    };
}

connectors! {
    Sandbox = "sandbox" in sandbox;
    Cash = "cash" in cash;
    Adyen = "adyen" in adyen if "adyen";
    CheckoutCom = "checkout_com" in checkout_com if "checkout_com";
    Knet = "knet" in knet if "knet";
    Mpgs = "mpgs" in mpgs if "mpgs";
    Stripe = "stripe" in stripe if "stripe";
    Tabby = "tabby" in tabby if "tabby";
    Tamara = "tamara" in tamara if "tamara";
    Tap = "tap" in tap if "tap";
}

impl ConnectorKind {
    /// Whether this build has it.
    #[must_use]
    pub(crate) const fn is_built_in(self) -> bool {
        let Declaration { connect, capabilities, .. } = self.declaration();
        connect.is_some() || !capabilities.is_online
    }
}
