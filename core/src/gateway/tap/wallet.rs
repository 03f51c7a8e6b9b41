//! The tokens of device wallets, which Tap exchanges for tokens of its own.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;

use serde_json::value::RawValue;

use crate::gateway::instrument::WalletPayload;
use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::words::Wallet;

/// The most bytes of a token that is sent.
const MAX_BYTES: usize = 20_000;

/// The word of a wallet, and its token: one object.
pub(super) fn token(wallet: Wallet, payload: &WalletPayload) -> Option<(&'static str, Box<RawValue>)> {
    let root = Members::of(payload.raw())?;
    let (word, token) = match wallet {
        Wallet::ApplePay => ("applepay", apple_token(&root)?),
        Wallet::GooglePay => ("googlepay", google_token(&root)?),
    };
    let is_object = token.get().starts_with('{') && token.get().len() <= MAX_BYTES;
    is_object.then_some((word, token))
}

/// `paymentData`, byte for byte.
fn apple_token(root: &Members<'_>) -> Option<Box<RawValue>> {
    let within = root.get("token").and_then(Members::of);
    root.get("paymentData").or_else(|| within?.get("paymentData")).map(ToOwned::to_owned)
}

/// The object that Google writes as a text.
fn google_token(root: &Members<'_>) -> Option<Box<RawValue>> {
    let method = root.get("paymentMethodData").and_then(Members::of);
    let tokenization = Members::of(method.as_ref().unwrap_or(root).get("tokenizationData")?)?;
    RawValue::from_string(text_of(tokenization.get("token")?)?.into_owned()).ok()
}
