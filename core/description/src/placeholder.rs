//! The segments of addresses that are not fixed, as the description shows them.

use checkout_core::record::attachment::AttachmentName;
use checkout_core::record::attention::AttentionId;
use checkout_core::record::image::ImageName;
use checkout_core::record::return_token::ReturnToken;
use checkout_core::record::short_link::ShortCode;
use checkout_core::route::QrCode;
use checkout_core::value::id::{
    ApprovalId, DeliveryId, MerchantId, OperatorId, PgCode, ReferenceNumber, SessionId, SettingsVersion,
    UserId, number,
};
use checkout_core::words::message::Channel;

/// A segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name.
    pub(crate) name: &'static str,
    /// What its text matches, as a regular expression; `None` if any text is looked up.
    pub(crate) pattern: Option<&'static str>,
    /// What it names.
    pub(crate) about: &'static str,
}

/// A value that is one segment of an address; `field` is what the line of the table calls it.
pub(crate) trait Placeholder {
    fn parameter(field: &'static str) -> Parameter;
}

macro_rules! placeholders {
    ($($kind:ty: $name:literal $pattern:expr, $about:literal;)*) => {
        $(
            impl Placeholder for $kind {
                fn parameter(_: &'static str) -> Parameter {
                    Parameter { name: $name, pattern: $pattern, about: $about }
                }
            }
        )*
    };
}

placeholders! {
    ApprovalId: "approval_id" Some(Self::PATTERN), "The request for approval.";
    AttachmentName: "name" Some(Self::PATTERN), "The name of the file.";
    AttentionId: "entry_id" Some(Self::PATTERN), "The entry of the attention list.";
    Channel: "channel" Some(Self::PATTERN), "How the messages go: `email`, `sms` or `whatsapp`.";
    DeliveryId: "delivery_id" Some(Self::PATTERN), "The delivery: the `webhook-id` of its tries.";
    ImageName: "image" Some(Self::PATTERN), "The name of the image.";
    MerchantId: "merchant_id" Some(Self::PATTERN), "The merchant.";
    OperatorId: "operator_id" Some(number::PATTERN), "The number of the operator.";
    Option<ReturnToken>: "token" None, "The token of the attempt.";
    PgCode: "pg_code" Some(Self::PATTERN), "The gateway, as the merchant names it.";
    QrCode: "picture" Some("^[0-9a-f]{40}\\.(svg|png)$"), "The payment transaction, and the format after a dot.";
    ReferenceNumber: "reference_number" Some(Self::PATTERN), "The reference number of the attempt, or of the operation.";
    SessionId: "session_id" Some(Self::PATTERN), "The payment transaction.";
    SettingsVersion: "version" Some(number::PATTERN), "The version of the settings.";
    ShortCode: "code" Some(Self::PATTERN), "The code of the short address.";
    UserId: "user_id" Some(number::PATTERN), "The number of the user.";
}

/// A name that is looked up.
impl Placeholder for String {
    fn parameter(field: &'static str) -> Parameter {
        let about = match field {
            "token" => "The token of the saved card.",
            "prefix" => "The prefix of the key.",
            "code" => "The code of the problem.",
            _ => "",
        };
        Parameter { name: field, pattern: None, about }
    }
}
