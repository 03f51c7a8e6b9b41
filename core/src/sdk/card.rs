//! A saved card.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::value::id::PgCode;
use crate::words::word_list;

/// A saved card as it is shown. Checkout SDKs get empty texts for what is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SavedCard")]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of the answer")]
pub struct CardShown {
    /// The ids of the agreements that lock it.
    pub agreements: Vec<String>,
    /// Whether the merchant may debit it without the payer.
    pub auto_debit_enabled: FlagText,
    /// Its brand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brand: Option<String>,
    /// Whose it is; left out of what payers see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    /// Whether the gateway wants its security code at every payment.
    pub cvv_required: bool,
    /// Where the payer deletes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub delete_url: Option<String>,
    /// Two digits.
    pub expiry_month: String,
    /// Two digits.
    pub expiry_year: String,
    /// Whether it has expired.
    pub is_expired: bool,
    /// Whether the customer used it last.
    pub is_preferred: bool,
    /// A picture of the mark of its brand, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub mark: Option<String>,
    /// The name on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_on_card: Option<String>,
    /// Its number, all but a few digits hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The name of that gateway.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pg: Option<String>,
    /// The gateway that has saved it.
    pub pg_code: PgCode,
    /// The family of that gateway.
    pub pg_name: String,
    /// Where the payer pays with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub submit_url: Option<String>,
    /// Till's name for it; never its number.
    pub token: String,
    /// Whether it expires soon.
    pub will_expire_soon: bool,
}

word_list! {
    /// A flag that is written as a text.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum FlagText {
        /// Set.
        True = "true",
        /// Not set.
        False = "false",
    }
}

impl From<bool> for FlagText {
    fn from(is_set: bool) -> Self {
        if is_set { Self::True } else { Self::False }
    }
}
