//! Device wallets on the page's side of the API. The session id in the body is the only authorisation.
//!
//! - `POST /b/checkout/api/sdk/v1/apay/validate-session/` takes [`SessionRequest`];
//! - `POST /b/checkout/api/sdk/v1/apay/pay/` and `…/gpay/pay/` take `PayRequest`.

use alloc::string::String;

use super::native::read_payload;
use super::sdk::read_said;
use crate::gateway::instrument::WalletPayload;
use crate::gateway::shown::SaidPrice;
use crate::gateway::wallet::{APPLE_GATEWAY_PATTERN, is_apple_gateway};
use crate::rejection::Rejection;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};
use crate::words::Wallet;

/// The most characters of a session id.
const MAX_ID_CHARS: usize = 128;
/// The most characters of a gateway code.
const MAX_CODE_CHARS: usize = 100;
/// The most bytes of the data about a merchant session.
const MAX_SESSION_BYTES: usize = 8_192;
/// The most characters of an address.
const MAX_ADDRESS_CHARS: usize = 255;

/// What both bodies say about the payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletSubject {
    /// The transaction, as given.
    pub session_id: String,
    /// The gateway, as given.
    pub code: String,
    /// The name of the field that gives it: `code`, or `pg_code`.
    pub code_field: &'static str,
    /// How much is paid, as written.
    pub amount: Option<String>,
    /// What the payer was shown.
    pub said: SaidPrice,
}

/// A payment with the token that a wallet provided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayRequest {
    /// What is paid, and through which gateway.
    pub subject: WalletSubject,
    /// The wallet's token.
    pub payload: WalletPayload,
}

/// A sheet of Apple Pay that wants to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRequest {
    /// What is to be paid, and through which gateway.
    pub subject: WalletSubject,
    /// Where Apple wants the merchant to be validated, as the browser gave it.
    pub validation_url: Option<String>,
}

impl PayRequest {
    /// Reads a JSON body; the payload stays as it is written.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything other than one JSON object, [`Rejection::Invalid`] with
    /// every violation.
    pub fn read(wallet: Wallet, body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let subject = read_subject(&mut fields, &members);
        let name = match wallet {
            Wallet::ApplePay => "apple_pay_payload",
            Wallet::GooglePay => "google_pay_payload",
        };
        let payload =
            fields.required(name, members.get(name), |f, path, raw| read_payload(f, path, wallet, raw));
        let found = fields.finish();
        match (subject, payload) {
            (Some(subject), Some(payload)) if found.is_empty() => Ok(Self { subject, payload }),
            _ => Err(Rejection::Invalid(found)),
        }
    }
}

impl SessionRequest {
    /// Reads a JSON body. The address at which Apple validates merchants may be in `apple_pay_payload`, as in
    /// the browser's event; any other address is refused.
    ///
    /// # Errors
    /// As `PayRequest::read`.
    pub fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let subject = read_subject(&mut fields, &members);
        let inner = fields.optional("apple_pay_payload", members.get("apple_pay_payload"), |f, path, raw| {
            f.object(path, raw, MAX_SESSION_BYTES)
        });
        let address = inner.as_ref().and_then(|inner| inner.get("validationURL"));
        let address = address.or_else(|| members.get("validation_url"));
        let validation_url = fields.optional("validation_url", address, |f, path, raw| {
            let address = f.line(path, raw, MAX_ADDRESS_CHARS)?;
            noted::note(path, &Noted::Matching(APPLE_GATEWAY_PATTERN));
            if is_apple_gateway(&address) { Some(address) } else { f.refuse(path, Rule::NotAppleAddress) }
        });
        let found = fields.finish();
        match subject {
            Some(subject) if found.is_empty() => Ok(Self { subject, validation_url }),
            _ => Err(Rejection::Invalid(found)),
        }
    }
}

fn read_subject(fields: &mut Fields, members: &Members<'_>) -> Option<WalletSubject> {
    let session_id =
        fields.required("session_id", members.get("session_id"), |f, p, raw| f.line(p, raw, MAX_ID_CHARS));
    let code_field =
        if members.get("code").is_none() && members.get("pg_code").is_some() { "pg_code" } else { "code" };
    let code =
        fields.required(code_field, members.get(code_field), |f, p, raw| f.line(p, raw, MAX_CODE_CHARS));
    let amount = fields.unless_absent("amount", members.get("amount"), |f, p, raw| {
        f.any_amount(p, raw, None).map(|amount| amount.text.into_owned())
    });
    let said = read_said(fields, members.get("shown_total"), members.get("shown_currency"));
    Some(WalletSubject { session_id: session_id?, code: code?, code_field, amount, said })
}
