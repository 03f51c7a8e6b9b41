//! A device wallet that a page may offer.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::billing::Billing;
use crate::gateway::terms::Terms;
use crate::gateway::wallet::Environment;
use crate::value::id::{PgCode, SessionId};
use crate::value::money::{AMOUNT_PATTERN, Currency};
use crate::words::{Operation, Wallet, word_list};

/// A device wallet, with what its sheet shows and where its token goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WalletService {
    /// Apple Pay: what the payer pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = AMOUNT_PATTERN))]
    pub amount: Option<String>,
    /// The sums.
    pub billing: Billing,
    /// The code of the gateway.
    #[schemars(with = "String")]
    pub code: PgCode,
    /// The country of the merchant.
    pub country_code: String,
    /// The currency in which the gateway charges.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// Google Pay: what the total consists of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_items: Option<Vec<DisplayItem>>,
    /// Apple Pay: the domain of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Google Pay: `TEST` or `PRODUCTION`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<Environment>,
    /// The fee of the gateway.
    #[schemars(extend("pattern" = AMOUNT_PATTERN))]
    pub fee: String,
    /// What the fee is called; empty without one.
    pub fee_description: String,
    /// The wallet.
    pub flow: Wallet,
    /// Google Pay: the gateway as Google knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gateway: Option<String>,
    /// Google Pay: the merchant as the gateway knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gateway_merchant_id: Option<String>,
    /// The merchant as the wallet knows it.
    pub merchant_id: String,
    /// Google Pay: the name in the sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merchant_name: Option<String>,
    /// Whether it charges at once or only holds the money.
    pub operation: Operation,
    /// Where the token of the wallet is sent.
    #[schemars(extend("format" = "uri"))]
    pub payment_url: String,
    /// The same as `code`.
    pub pg_code: PgCode,
    /// The transaction.
    pub session_id: SessionId,
    /// Apple Pay: the name in the sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shop_name: Option<String>,
    /// If the payer may choose the amount: how the gateway charges one, for Till's module for browsers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub terms: Option<Terms>,
    /// Google Pay: what the payer pays, as its sheet takes it: whole, or with two decimals.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = AMOUNT_PATTERN))]
    pub total_price: Option<String>,
    /// Apple Pay: where the sheet gets its merchant session.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub validation_url: Option<String>,
}

/// A part of the total, for the sheet of Google Pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DisplayItem {
    /// What it is, in the language of the transaction.
    pub label: String,
    /// How much, as the sheet takes it.
    #[schemars(extend("pattern" = AMOUNT_PATTERN))]
    pub price: String,
    /// What kind of part.
    #[serde(rename = "type")]
    pub kind: ItemKind,
}

word_list! {
    /// The kind of a part of the total.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ItemKind {
        /// A line of its own.
        LineItem = "LINE_ITEM",
    }
}
