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
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::gateway::terms::Quote;
use crate::settings::MerchantSettings;
use crate::state::State;
use crate::transaction::Transaction;
use crate::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::json::{self, Unwritten};
use crate::value::money::Currency;
use crate::value::time::Timestamp;

/// How a transaction came to its state.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactionEnd {
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
pub(crate) fn claims(
    transaction: &Transaction,
    state: State,
    ended: Option<&TransactionEnd>,
    settings: &MerchantSettings,
    issuer: &str,
) -> Result<String, Unwritten> {
    let noted = ended.map_or(transaction.expires_at, |ended| ended.at);
    let at = if state == State::Expired { noted.min(transaction.expires_at) } else { noted };
    let by = ended.and_then(|ended| ended.by.as_ref());
    let attempt = by.map(|by| &by.attempt);
    let claims = ReceiptClaims {
        amount: transaction.amount.to_string(),
        amount_details: attempt.map(|attempt| AmountDetails::of(attempt.quote)),
        currency_code: transaction.amount.currency(),
        iat: at.seconds(),
        is_sandbox: attempt.map(|attempt| attempt.is_sandbox),
        iss: issuer,
        merchant_id: &transaction.merchant,
        merchant_name: settings.name.text(transaction.details.language()),
        operation: transaction.operation.as_str(),
        order_no: transaction.details.order_no.as_deref(),
        pg_code: attempt.map(|attempt| &attempt.pg_code),
        reference_number: attempt.map(|attempt| &attempt.reference),
        result: by.map(|by| by.stage.result()),
        session_id: &transaction.session_id,
        settled_amount: attempt.filter(|_| state.is_success()).map(|attempt| attempt.principal.to_string()),
        state: state.as_str(),
    };
    json::write(&claims)
}

/// The claims of a receipt, in alphabetical order.
#[derive(Serialize)]
struct ReceiptClaims<'a> {
    amount: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount_details: Option<AmountDetails>,
    currency_code: Currency,
    iat: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_sandbox: Option<bool>,
    iss: &'a str,
    merchant_id: &'a MerchantId,
    merchant_name: &'a str,
    operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    order_no: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pg_code: Option<&'a PgCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_number: Option<&'a ReferenceNumber>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    session_id: &'a SessionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    settled_amount: Option<String>,
    state: &'static str,
}

/// What the attempt asked of the payer.
#[derive(Serialize)]
struct AmountDetails {
    amount: String,
    currency_code: Currency,
    #[serde(skip_serializing_if = "Option::is_none")]
    exchange_rate: Option<String>,
    fee: String,
    total: String,
}

impl AmountDetails {
    fn of(quote: Quote) -> Self {
        Self {
            amount: quote.amount.to_string(),
            currency_code: quote.total.currency(),
            exchange_rate: quote.rate.map(|rate| rate.to_string()),
            fee: quote.fee.to_string(),
            total: quote.total.to_string(),
        }
    }
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
pub(crate) fn key_set(public_keys: &[String]) -> Result<String, Unwritten> {
    let keys = public_keys.iter().map(|key| ReceiptKey {
        kty: "OKP",
        crv: "Ed25519",
        x: key,
        kid: key_id(key),
        alg: "EdDSA",
        purpose: "sig",
    });
    json::write(&ReceiptKeySet { keys: keys.collect() })
}

#[derive(Serialize)]
struct ReceiptKeySet<'a> {
    keys: Vec<ReceiptKey<'a>>,
}

/// A public key (RFC 8037).
#[derive(Serialize)]
struct ReceiptKey<'a> {
    kty: &'static str,
    crv: &'static str,
    x: &'a str,
    kid: String,
    alg: &'static str,
    #[serde(rename = "use")]
    purpose: &'static str,
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
