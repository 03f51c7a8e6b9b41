//! The bodies of native payments.
//!
//! - `POST /b/pbl/v2/payment/apple-pay/` and `…/google-pay/` take `WalletRequest`;
//! - `POST /b/pbl/v2/payment/cash/` and the older `/b/pbl/v2/cash-payment/` take `CashRequest`.
//!
//! Decision: the fields are at the top level. If `session_id` is only in `payload`, all three are read from
//! there, once. In the wallet's own object only one member is checked: the one without which it is no token
//! of that wallet.

use alloc::string::String;

use serde_json::value::RawValue;

use crate::gateway::instrument::WalletPayload;
use crate::rejection::Rejection;
use crate::value::id::SessionId;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};
use crate::words::Wallet;

/// The most characters of a session id.
const MAX_ID_CHARS: usize = 128;
/// The most characters of a gateway code.
const MAX_CODE_CHARS: usize = 50;

/// A payment by device wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletRequest {
    /// The transaction, as given.
    pub session_id: String,
    /// The gateway, if it is named.
    pub pg_code: Option<String>,
    /// The wallet's token.
    pub payload: WalletPayload,
}

impl WalletRequest {
    /// Reads a JSON body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything other than one JSON object, [`Rejection::Invalid`] with
    /// every violation.
    pub fn read(wallet: Wallet, body: &[u8]) -> Result<Self, Rejection> {
        let outer = Members::read(body)?;
        let inner = nested(&outer);
        let members = inner.as_ref().unwrap_or(&outer);
        let mut fields = Fields::default();
        let session_id = read_session_id(&mut fields, members);
        let pg_code = fields
            .unless_absent("pg_code", members.get("pg_code"), |f, p, raw| f.line(p, raw, MAX_CODE_CHARS));
        let payload =
            fields.required("payload", members.get("payload"), |f, p, raw| read_payload(f, p, wallet, raw));
        let found = fields.finish();
        match (session_id, payload) {
            (Some(session_id), Some(payload)) if found.is_empty() => {
                Ok(Self { session_id, pg_code, payload })
            }
            _ => Err(Rejection::Invalid(found)),
        }
    }
}

/// The transaction that the body of a payment by wallet names, whatever else is wrong with it.
#[must_use]
pub fn session_of(body: &[u8]) -> Option<SessionId> {
    let outer = Members::read(body).ok()?;
    let inner = nested(&outer);
    let raw = inner.as_ref().unwrap_or(&outer).get("session_id")?;
    SessionId::parse(raw.get().trim_matches('"'))
}

/// The members of an outer `payload`, if the session id is in it and not next to it.
fn nested<'a>(outer: &Members<'a>) -> Option<Members<'a>> {
    if outer.get("session_id").is_some() {
        return None;
    }
    let inner = Members::of(outer.get("payload")?)?;
    inner.get("session_id").is_some().then_some(inner)
}

fn read_session_id(fields: &mut Fields, members: &Members<'_>) -> Option<String> {
    fields.required("session_id", members.get("session_id"), |f, p, raw| f.line(p, raw, MAX_ID_CHARS))
}

/// The token of a wallet in the field `path`, as it is written: an object with the one member by which the
/// wallet is recognised.
pub(crate) fn read_payload(
    fields: &mut Fields,
    path: &'static str,
    wallet: Wallet,
    raw: &RawValue,
) -> Option<WalletPayload> {
    let name = match wallet {
        Wallet::ApplePay => "paymentData",
        Wallet::GooglePay => "paymentMethodData",
    };
    noted::note(path, &Noted::Holding(name));
    let Some(members) = Members::of(raw) else {
        return fields.refuse(path, Rule::NotObject);
    };
    let rule = match members.get(name) {
        Some(inner) if inner.get().starts_with('{') => return Some(WalletPayload::verbatim(raw)),
        Some(_) => Rule::NotObject,
        None => Rule::Required,
    };
    fields.refuse([path, ".", name].concat(), rule)
}

/// The acknowledgement that a payment is made in cash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CashRequest {
    /// The transaction, as given.
    pub session_id: String,
}

impl CashRequest {
    /// Reads a JSON body.
    ///
    /// # Errors
    /// As [`WalletRequest::read`].
    pub fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let session_id = read_session_id(&mut fields, &members);
        session_id.map(|session_id| Self { session_id }).ok_or_else(|| Rejection::Invalid(fields.finish()))
    }
}
