//! What a checkout SDK needs to offer the payment methods.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::billing::Billing;
use super::callback::SdkCallback;
use super::card::CardShown;
use super::method::MethodMembers;
use super::service::WalletService;
use crate::state::State;
use crate::value::id::SessionId;
use crate::value::money::Currency;
use crate::value::time::Moment;
use crate::words::payment_type::PaymentType;
use crate::words::{Language, Operation, Plugin};

/// The object. Lists of what does not exist yet are empty.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CheckoutSdk {
    /// The total without fees.
    pub amount: String,
    /// What the first payment method costs.
    pub billing: Billing,
    /// Where an SDK cancels the transaction.
    pub cancel_url: String,
    /// The saved cards with which it can be paid.
    pub cards: Vec<CardShown>,
    /// The hosted page of the transaction.
    pub checkout_url: String,
    /// ISO 4217 code.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// The merchant's id of the payer, for the merchant's server only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    /// The payer's phone number, for the merchant's server only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_phone: Option<String>,
    /// Until when it can be paid.
    pub expiration_time: Moment,
    /// Always empty.
    pub flex_methods: [(); 0],
    /// Whether the payer may choose how much to pay.
    pub is_amount_editable: bool,
    /// The language of the page.
    pub language: Language,
    /// Whether the first gateway charges at once or only holds the money.
    pub operation: Operation,
    /// The methods that use the page of a gateway.
    pub payment_methods: Vec<MethodMembers>,
    /// The device wallets.
    pub payment_services: Vec<WalletService>,
    /// What the payment is for.
    pub payment_type: PaymentType,
    /// The outcome of the latest attempt; an empty object while there is none.
    #[serde(with = "outcome")]
    #[schemars(with = "SdkCallback")]
    pub response: Option<Box<SdkCallback>>,
    /// Always an empty object.
    pub sdk_studio: Studio,
    /// The transaction.
    #[schemars(with = "String")]
    pub session_id: SessionId,
    /// Its state.
    pub state: State,
    /// The plugin.
    #[serde(rename = "type")]
    pub kind: Plugin,
}

/// How the SDK looks: none of it can be configured yet.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Studio {}

/// The outcome of an attempt as an SDK decodes it: always an object.
mod outcome {
    use alloc::boxed::Box;

    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
    use serde_json::value::RawValue;

    use super::{SdkCallback, Studio};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(
        outcome: &Option<Box<SdkCallback>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match outcome {
            Some(known) => known.serialize(serializer),
            None => Studio {}.serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Box<SdkCallback>>, D::Error> {
        let raw = <Box<RawValue>>::deserialize(deserializer)?;
        // An object without members is the one that has no colon.
        if raw.get().contains(':') {
            serde_json::from_str(raw.get()).map(Some).map_err(D::Error::custom)
        } else {
            Ok(None)
        }
    }
}
