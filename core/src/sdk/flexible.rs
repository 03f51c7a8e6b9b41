//! A flexible method, and whether it takes a payment.

use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::method::Icons;
use crate::gateway::flexible::{PayerField, PaymentLabel};
use crate::value::id::PgCode;
use crate::value::money::{AMOUNT_PATTERN, Currency};
use crate::words::Plugin;

/// A method that may be asked before it is offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FlexMethod {
    /// What the payer pays with it, the fee included.
    #[schemars(extend("pattern" = AMOUNT_PATTERN))]
    pub amount: String,
    /// The code of the gateway.
    #[schemars(with = "String")]
    pub code: PgCode,
    /// The country of the merchant.
    pub country: String,
    /// The currency in which the gateway charges.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// The name that the payer reads.
    pub description: String,
    /// The fee of the gateway.
    #[schemars(extend("pattern" = AMOUNT_PATTERN))]
    pub fee: String,
    /// What the fee is called; empty without one.
    pub fee_description: String,
    /// Which method it is.
    pub flow: String,
    /// The icon by format.
    pub icons: Icons,
    /// The same as `code`.
    #[schemars(with = "String")]
    pub pg_code: PgCode,
    /// Where an SDK asks whether the method takes the payment.
    pub pre_payment_check_url: String,
    /// What is known of the options before the check, whose answer has all of them.
    pub pre_payment_options: PaymentOptions,
    /// Whether the gateway is to be asked before the method is shown.
    pub pre_payment_options_available: bool,
    /// The merchant's public key at the gateway; empty if it has none.
    pub public_key: String,
    /// Where an SDK begins a payment with it.
    pub submit_url: String,
    /// The plugin of the transaction.
    #[serde(rename = "type")]
    pub kind: Plugin,
}

/// What is known before a gateway is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PaymentOptions {
    /// What the method needs to know of the payer and the payment lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<PayerField>,
}

/// Whether a method takes a payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OptionAnswer {
    /// Whether it is to be shown.
    pub is_available: bool,
    /// The ways of paying, if the method has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_labels: Option<Vec<PaymentLabel>>,
    /// What the method needs to know of the payer and the payment lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<PayerField>,
    /// Whether all ways of paying are one entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_checkout_enabled: Option<bool>,
}
