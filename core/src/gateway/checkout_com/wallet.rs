//! What a device wallet made, as Checkout.com wants it for a token.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::gateway::instrument::WalletPayload;
use crate::wire::json;
use crate::wire::members::Members;
use crate::words::Wallet;

/// The request for a token, in the wire format.
#[derive(Serialize)]
pub(super) struct WalletTokenRequest {
    #[serde(rename = "type")]
    kind: &'static str,
    token_data: Box<RawValue>,
}

impl WalletTokenRequest {
    /// The request; `None` if the payload has no token.
    pub(super) fn of(wallet: Wallet, payload: &WalletPayload) -> Option<Self> {
        let members = Members::of(payload.raw())?;
        Some(match wallet {
            Wallet::ApplePay => Self { kind: "applepay", token_data: apple_data(&members)? },
            Wallet::GooglePay => Self { kind: "googlepay", token_data: google_data(&members)? },
        })
    }
}

/// `paymentData`, byte for byte.
fn apple_data(members: &Members<'_>) -> Option<Box<RawValue>> {
    let within = members.get("token").and_then(Members::of);
    let data = members.get("paymentData").or_else(|| within?.get("paymentData"))?;
    data.get().starts_with('{').then(|| data.to_owned())
}

/// The object in the text that Google made for the gateway.
fn google_data(members: &Members<'_>) -> Option<Box<RawValue>> {
    let method = Members::of(members.get("paymentMethodData")?)?;
    let token = json::text_of(Members::of(method.get("tokenizationData")?)?.get("token")?)?;
    let data = RawValue::from_string(String::from(token.trim())).ok()?;
    data.get().starts_with('{').then_some(data)
}
