//! The receipt of a payment transaction: what was to be paid, by which attempt, and how it ended, signed so
//! that anyone who has the public keys of the installation can check it.
//!
//! It is a compact JWS (RFC 7515) with Ed25519 (RFC 8037) whose key is named by its thumbprint (RFC 7638). It
//! contains nothing that identifies the payer.
//!
//! Decision: final are the outcomes after which no payment is possible any more, and those that only a late
//! success still changes (`failed`, `expired`); that success has a separate receipt. What a merchant does
//! later with the money has none: its child transactions show that. A receipt says what was true when the
//! transaction ended, so it is the same each time it is generated, as long as the key and the merchant's name
//! stay the same.

use alloc::format;
use alloc::string::{String, ToString};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::settings::MerchantSettings;
use crate::state::State;
use crate::transaction::Transaction;
use crate::value::money::Money;
use crate::value::time::Timestamp;

/// How a transaction came to its state.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// When.
    pub at: Timestamp,
    /// The attempt that brought it there; `None` if no attempt did.
    pub by: Option<EndedBy>,
}

/// The attempt that brought a transaction to its state.
#[derive(Debug, Clone, PartialEq)]
pub struct EndedBy {
    /// The attempt as it is now.
    pub attempt: Attempt,
    /// Its stage then.
    pub stage: Stage,
}

/// Whether a state is a final outcome, which has a receipt.
#[must_use]
pub const fn is_final(state: State) -> bool {
    match state {
        State::Created | State::Pending | State::Attempted | State::Refunded => false,
        State::Authorized
        | State::Paid
        | State::Failed
        | State::Canceled
        | State::Expired
        | State::Invalided
        | State::Cod => true,
    }
}

/// The content of a receipt, as JSON.
///
/// `state` is the one that the transaction shows: a transaction whose time is over expired at that moment,
/// even if this is noted later.
#[must_use]
pub(crate) fn claims(
    transaction: &Transaction,
    state: State,
    ended: Option<&Ended>,
    settings: &MerchantSettings,
    issuer: &str,
) -> String {
    let noted = ended.map_or(transaction.expires_at, |ended| ended.at);
    let at = if state == State::Expired { noted.min(transaction.expires_at) } else { noted };
    let mut root = Map::new();
    let mut text = |name: &str, value: &str| root.insert(name.into(), Value::from(value));
    text("iss", issuer);
    text("merchant_id", transaction.merchant.as_str());
    text("merchant_name", settings.name.text(transaction.details.language));
    text("session_id", transaction.session_id.as_str());
    text("operation", transaction.operation.as_str());
    text("state", state.as_str());
    text("amount", &transaction.amount.to_string());
    text("currency_code", transaction.amount.currency().code());
    if let Some(order_no) = &transaction.details.order_no {
        text("order_no", order_no);
    }
    root.insert("iat".into(), Value::from(at.seconds()));
    if let Some(EndedBy { attempt, stage }) = ended.and_then(|ended| ended.by.as_ref()) {
        put_attempt(&mut root, attempt, *stage);
        if state.is_success() {
            root.insert("settled_amount".into(), Value::from(attempt.principal.to_string()));
        }
    }
    Value::Object(root).to_string()
}

fn put_attempt(root: &mut Map<String, Value>, attempt: &Attempt, stage: Stage) {
    let quote = attempt.quote;
    let of = |money: Money| Value::from(money.to_string());
    let mut details = Map::new();
    details.insert("amount".into(), of(quote.amount));
    details.insert("currency_code".into(), Value::from(quote.total.currency().code()));
    details.insert("fee".into(), of(quote.fee));
    details.insert("total".into(), of(quote.total));
    if let Some(rate) = quote.rate {
        details.insert("exchange_rate".into(), Value::from(rate.to_string()));
    }
    root.insert("amount_details".into(), Value::Object(details));
    root.insert("reference_number".into(), Value::from(attempt.reference.as_str()));
    root.insert("pg_code".into(), Value::from(attempt.pg_code.as_str()));
    root.insert("result".into(), Value::from(stage.result()));
    root.insert("is_sandbox".into(), Value::from(attempt.is_sandbox));
}

/// The thumbprint that names a public key, from its 32 bytes in base64url.
#[must_use]
pub(crate) fn key_id(public_key: &str) -> String {
    let canonical = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{public_key}"}}"#);
    URL_SAFE_NO_PAD.encode(Sha256::digest(canonical))
}

/// The bytes that are signed: header and payload of the receipt.
#[must_use]
pub(crate) fn signing_input(public_key: &str, claims: &str) -> String {
    let header = format!(r#"{{"alg":"EdDSA","kid":"{}","typ":"{TYPE}"}}"#, key_id(public_key));
    format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims))
}

/// The `typ` of a receipt.
pub(crate) const TYPE: &str = "receipt+jws";

/// The receipt, once its input is signed.
#[must_use]
pub fn compact(input: &str, signature: &[u8]) -> String {
    format!("{input}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// The set of public keys (RFC 7517) with which receipts are checked, the current signing key first.
#[must_use]
pub(crate) fn key_set(public_keys: &[String]) -> String {
    let keys: alloc::vec::Vec<String> = public_keys
        .iter()
        .map(|key| {
            let id = key_id(key);
            format!(r#"{{"kty":"OKP","crv":"Ed25519","x":"{key}","kid":"{id}","alg":"EdDSA","use":"sig"}}"#)
        })
        .collect();
    format!(r#"{{"keys":[{}]}}"#, keys.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_named_by_its_thumbprint_as_rfc_8037_shows() {
        assert_eq!(
            key_id("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
            "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
        );
    }
}
