//! `POST /b/pbl/v2/inquiry/` asks about the state of a payment.
//!
//! Decision: an address that is given means that a notification is wanted, whatever `notify_webhook_url`
//! says.

use serde_json::value::RawValue;

use super::administration::refuse_unknown;
use super::target::{self, Target};
use crate::installation::Installation;
use crate::rejection::Rejection;
use crate::value::text::{self, TextError};
use crate::value::web_address::WebAddress;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;

/// The most characters of an address.
const MAX_ADDRESS_CHARS: usize = 200;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InquiryRequest {
    /// About which transaction.
    pub target: Target,
    /// Who is notified in addition to the answer.
    pub notify: Notify,
}

/// Who is notified of the answer to an inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notify {
    /// Nobody.
    Nobody,
    /// The receiver of the transaction.
    Receiver,
    /// This address instead.
    Address(WebAddress),
}

impl InquiryRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn parse(body: &[u8], installation: &Installation) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let target = target::read(&mut fields, members.get("session_id"), members.get("order_no"));
        let is_wanted =
            fields.optional("notify_webhook_url", members.get("notify_webhook_url"), Fields::flag);
        let address = fields.optional("webhook_url", members.get("webhook_url"), |f, p, raw| {
            read_address(f, p, raw, installation)
        });
        let notify = match (address, is_wanted) {
            (Some(address), _) => Notify::Address(address),
            (None, Some(true)) => Notify::Receiver,
            (None, Some(false) | None) => Notify::Nobody,
        };
        // Decision: an inquiry that only reads takes the id, as before; one that sends news is about one transaction.
        let target =
            target.map(|target| if notify == Notify::Nobody { target.by_id_first() } else { target });
        let found = fields.finish();
        match target {
            Some(target) if found.is_empty() => Ok(Self { target, notify }),
            _ => Err(Rejection::Invalid(found)),
        }
    }
}

/// Whom to notify of what is known of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotifyRequest {
    /// This address, instead of the receiver of the transaction.
    pub address: Option<WebAddress>,
}

impl NotifyRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// As [`InquiryRequest::parse`].
    pub fn parse(body: &[u8], installation: &Installation) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let address = fields.optional("webhook_url", members.get("webhook_url"), |f, p, raw| {
            read_address(f, p, raw, installation)
        });
        refuse_unknown(&mut fields, &members, &["webhook_url"]);
        let found = fields.finish();
        if found.is_empty() { Ok(Self { address }) } else { Err(Rejection::Invalid(found)) }
    }
}

fn read_address(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    installation: &Installation,
) -> Option<WebAddress> {
    let text = Fields::decode_text(raw).ok();
    let error = text.and_then(|text| text::check_line(&text, MAX_ADDRESS_CHARS).err());
    if let Some(error @ TextError::TooLong { .. }) = error {
        return fields.refuse(path, Rule::from(error));
    }
    fields.receiver(path, raw, installation)
}
