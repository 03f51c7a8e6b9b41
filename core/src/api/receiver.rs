//! A receiver of webhooks: one that is enabled again, or one that gets a test webhook.

use alloc::string::String;

use serde_json::value::RawValue;

use super::administration::refuse_unknown;
use crate::installation::Installation;
use crate::record::outbox::MessageKind;
use crate::rejection::Rejection;
use crate::value::web_address::{MAX_ADDRESS_CHARS, WebAddress};
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};

/// The receiver that is named.
pub struct NamedReceiver {
    /// As the list of receivers shows it.
    pub address: String,
}

impl NamedReceiver {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let line = |fields: &mut Fields, path, raw: &RawValue| {
            noted::note(path, &Noted::NotBlank);
            fields.line(path, raw, MAX_ADDRESS_CHARS)
        };
        let address = fields.required("address", members.get("address"), line);
        refuse_unknown(&mut fields, &members, &["address"]);
        let found = fields.finish();
        let read = address.filter(|_| found.is_empty()).map(|address| Self { address });
        read.ok_or(Rejection::Invalid(found))
    }
}

/// The test webhook that is wanted.
pub struct TestWebhook {
    /// Where it goes.
    pub address: WebAddress,
    /// What the sample is.
    pub kind: MessageKind,
}

impl TestWebhook {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn read(body: &[u8], installation: &Installation) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let address = fields.required("address", members.get("address"), |fields, path, raw| {
            fields.receiver(path, raw, installation)
        });
        let kind = fields.required("kind", members.get("kind"), |fields, path, raw| {
            fields.word(path, raw, MessageKind::WEBHOOKS, MessageKind::parse_webhook)
        });
        refuse_unknown(&mut fields, &members, &["address", "kind"]);
        let found = fields.finish();
        let read = address.zip(kind).filter(|_| found.is_empty());
        read.map(|(address, kind)| Self { address, kind }).ok_or(Rejection::Invalid(found))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn a_receiver_is_named_by_one_line() {
        assert_eq!(
            NamedReceiver::read(br#"{"address":"https://a.example"}"#).unwrap().address,
            "https://a.example"
        );
        let long = format!(r#"{{"address":"{}"}}"#, "x".repeat(2_001));
        for body in
            ["{}", r#"{"address":""}"#, r#"{"address":"a\u0000b"}"#, r#"{"address":"a","b":1}"#, &long]
        {
            assert!(matches!(NamedReceiver::read(body.as_bytes()), Err(Rejection::Invalid(_))), "{body}");
        }
    }
}
