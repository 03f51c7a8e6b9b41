//! Flexible methods, such as paying later: before one is offered, its gateway may be asked whether it takes this payer and
//! this amount, and it may need data of the payer that the merchant did not give.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use super::charge::OrderItem;
use super::payer::Payer;
use crate::value::money::Money;
use crate::words::{Language, word_list};

/// How a connector offers its method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flexible {
    /// The word of SDKs for it.
    pub flow: &'static str,
    /// What it needs to know of the payer: it is asked on the page if the transaction lacks it.
    pub needs: &'static [PayerField],
    /// Whether the gateway is asked before the method is offered.
    pub asks_first: bool,
}

word_list! {
    /// What a method needs to know of the payer.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PayerField {
        /// A phone number.
        Phone = "phone",
        /// An e-mail address.
        Email = "email",
        /// First and last name.
        Name = "name",
    }
}

impl PayerField {
    /// Whether it is known of a payer.
    #[must_use]
    pub const fn is_known(self, payer: &Payer) -> bool {
        match self {
            Self::Phone => payer.phone.is_some(),
            Self::Email => payer.email.is_some(),
            Self::Name => payer.first_name.is_some() && payer.last_name.is_some(),
        }
    }
}

/// An order, as far as it is known before the payer chooses a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferOrder {
    /// What the payer would pay, fees included, in the currency of the gateway.
    pub total: Money,
    /// Who would pay, as far as it is known.
    pub payer: Payer,
    /// What is bought; together it costs the total.
    pub items: Vec<OrderItem>,
    /// The language of the page.
    pub language: Language,
    /// The merchant's country, ISO 3166 in two letters.
    pub country: String,
    /// The merchant's order number.
    pub order_no: Option<String>,
}

/// What a gateway says about an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Offer {
    /// The method may be offered, with these ways of paying.
    Shown(Vec<PaymentLabel>),
    /// It may not.
    Hidden(HiddenReason),
}

/// A way of paying of a method, in words for the payer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PaymentLabel {
    /// The gateway's word for it.
    pub payment_type: String,
    /// In how many parts it is paid.
    pub instalment: u32,
    /// What the payer reads in English.
    pub description_en: String,
    /// What the payer reads in Arabic.
    pub description_ar: String,
}

word_list! {
    /// Why a method is not offered.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum HiddenReason {
        /// The gateway does not take this payer or this order.
        NotEligible = "not_eligible",
        /// The total is too small.
        TooSmall = "too_small",
        /// The total is too large.
        TooLarge = "too_large",
        /// The gateway did not answer in time, or what it answered cannot be read.
        NoAnswer = "no_answer",
    }
}
