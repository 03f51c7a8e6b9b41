//! `POST /b/pbl/v2/payment/auto-debit/`, and the older `/b/pbl/v2/auto-debit/`: the merchant charges a saved
//! card.

use alloc::string::String;

use crate::rejection::Rejection;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// The longest session id.
const MAX_SESSION_ID: usize = 128;
/// The longest token.
const MAX_TOKEN: usize = 50;

/// Which card pays what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutoDebitRequest {
    /// The transaction, as given.
    pub session_id: String,
    /// The card, as given.
    pub token: String,
}

impl AutoDebitRequest {
    /// Reads a JSON body. Card data in it is refused by name: a security code is typed nowhere except on a
    /// gateway's page.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`] for anything other than one JSON object, [`Rejection::Invalid`] with
    /// every violation.
    pub fn parse(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let session_id = fields
            .required("session_id", members.get("session_id"), |f, p, raw| f.line(p, raw, MAX_SESSION_ID));
        let token = fields.required("token", members.get("token"), |f, p, raw| f.line(p, raw, MAX_TOKEN));
        if members.get("cvv").is_some() {
            fields.violation("cvv", Rule::CardData);
        }
        let found = fields.finish();
        match (session_id, token) {
            (Some(session_id), Some(token)) if found.is_empty() => Ok(Self { session_id, token }),
            _ => Err(Rejection::Invalid(found)),
        }
    }
}
