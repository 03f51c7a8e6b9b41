//! One payment method of a transaction, as its view and an SDK show it.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::billing::Billing;
use crate::gateway::terms::Terms;
use crate::value::id::PgCode;
use crate::value::money::Currency;
use crate::words::{Operation, Plugin, word_list};

/// The members of both, and those that only one of them shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MethodMembers {
    /// What the payer pays with it, the fee included.
    pub amount: String,
    /// The sums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing: Option<Billing>,
    /// Whether the payer's card can be saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub can_save_card: Option<bool>,
    /// The brands of cards that it takes, as far as they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub card_brands: Vec<CardMark>,
    /// Of the next way to pay: how much of the transaction the payer chose before, if they may choose that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen_amount: Option<String>,
    /// The code of the gateway.
    #[schemars(with = "String")]
    pub code: PgCode,
    /// The currency in which the gateway charges.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// The fee of the gateway.
    pub fee: String,
    /// What the fee is called.
    pub fee_description: String,
    /// How the payer pays: on the page of the gateway.
    pub flow: RedirectFlow,
    /// The address of the icon.
    pub icon: String,
    /// The icon by format.
    pub icons: Icons,
    /// Whether it is paid in cash, later.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_cash: bool,
    /// Of the next way to pay: whether it is the method that was declined, through another gateway.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_same: bool,
    /// Whether it moves no money.
    pub is_sandbox: bool,
    /// The mark of its network, as the address of a picture, if the network is known and the merchant set no picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// The name that the payer reads.
    pub name: String,
    /// Whether it charges at once or only holds the money.
    pub operation: Operation,
    /// The name of the gateway in the language of the transaction, the same as `name`.
    pub pg: String,
    /// The same as `code`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub pg_code: Option<PgCode>,
    /// The checkout page with this method chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirect_url: Option<String>,
    /// Where an SDK begins a payment with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submit_url: Option<String>,
    /// If the payer may choose the amount: how the gateway charges one, for Till's module for browsers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub terms: Option<Terms>,
    /// The plugin of the transaction.
    #[serde(rename = "type")]
    pub kind: Plugin,
}

/// A brand of cards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CardMark {
    /// The address of a picture of its mark, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Its name.
    pub name: String,
}

/// A picture by format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Icons {
    /// Scalable Vector Graphics.
    pub svg: String,
    /// WebP; the merchant's own picture is the same in both.
    pub webp: String,
}

word_list! {
    /// How the payer pays.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RedirectFlow {
        /// On another page.
        Redirect = "redirect",
    }
}
