//! The totals of a payment transaction.

use alloc::string::String;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::value::money::Currency;

/// The sums.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Billing {
    /// Everything together.
    pub amount: Sum,
    /// The fee of the method.
    pub fee: Sum,
    /// How the gateway exchanges the amount, as in `1 SAR = 0.082 KWD`; absent if it charges the currency of the transaction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<String>,
    /// The amount without the fee.
    pub sub_total: Sum,
}

/// One sum, for machines and for readers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sum {
    /// ISO 4217 code.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// For a reader: the code and the amount, in every language.
    pub display: String,
    /// What it is, in the language of the page.
    pub label: String,
    /// In major units.
    pub value: String,
}
