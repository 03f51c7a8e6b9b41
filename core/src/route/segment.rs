//! What a segment of an address may be.

use alloc::string::{String, ToString};

use super::ImageFormat;
#[cfg(feature = "description")]
use super::endpoint::Parameter;
use crate::record::attachment::AttachmentName;
use crate::record::attention::AttentionId;
use crate::record::image::ImageName;
use crate::record::return_token::ReturnToken;
use crate::record::short_link::ShortCode;
use crate::value::id::{
    DeliveryId, MerchantId, OperatorId, PgCode, ReferenceNumber, SessionId, SettingsVersion, UserId,
};
use crate::words::message::Channel;

/// A value that is one segment of an address.
pub(super) trait Segment: Sized {
    /// The value that the text names; an address with any other text does not exist.
    fn read(text: &str) -> Option<Self>;

    /// The text of the value.
    fn write(&self) -> String;

    /// The transaction, where it is one.
    fn session(&self) -> Option<&SessionId> {
        None
    }

    /// How the API description shows it; `field` is what the line of the table calls it.
    #[cfg(feature = "description")]
    fn parameter(field: &'static str) -> Parameter;

    /// One of them.
    #[cfg(test)]
    fn example() -> Self;
}

/// Declares what is read by `parse` and written by `as_str`, each with its name, what it names, and an example.
macro_rules! segments {
    ($($kind:ident $name:literal $about:literal $example:expr;)*) => {
        $(
            impl Segment for $kind {
                fn read(text: &str) -> Option<Self> {
                    Self::parse(text)
                }

                fn write(&self) -> String {
                    self.as_str().into()
                }

                #[cfg(feature = "description")]
                fn parameter(_: &'static str) -> Parameter {
                    Parameter { name: $name, pattern: Some(Self::PATTERN), about: $about }
                }

                #[cfg(test)]
                fn example() -> Self {
                    $example
                }
            }
        )*
    };
}

segments! {
    DeliveryId "delivery_id" "The delivery: the `webhook-id` of its tries." Self::new(&SessionId::generate(0, [3; 19]), 1);
    ReferenceNumber "reference_number" "The reference number of the attempt." Self::generate("", [3; 8]);
    Channel "channel" "How the messages go: `email`, `sms` or `whatsapp`." Self::Sms;
    MerchantId "merchant_id" "The merchant." Self::parse("demo").unwrap();
    PgCode "pg_code" "The gateway, as the merchant names it." Self::parse("knet").unwrap();
    AttachmentName "name" "The name of the file." Self::generate([3; 20], crate::record::attachment::Extension::Pdf);
    ImageName "image" "The name of the image." Self::parse("0123456789abcdef0123456789abcdef.png").unwrap();
    ShortCode "code" "The code of the short address." Self::generate([5; 16]);
}

impl Segment for SessionId {
    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    fn write(&self) -> String {
        self.to_string()
    }

    fn session(&self) -> Option<&SessionId> {
        Some(self)
    }

    #[cfg(feature = "description")]
    fn parameter(_: &'static str) -> Parameter {
        Parameter { name: "session_id", pattern: Some(Self::PATTERN), about: "The payment transaction." }
    }

    #[cfg(test)]
    fn example() -> Self {
        Self::generate(0, [7; 19])
    }
}

impl Segment for AttentionId {
    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    fn write(&self) -> String {
        self.to_string()
    }

    #[cfg(feature = "description")]
    fn parameter(_: &'static str) -> Parameter {
        Parameter {
            name: "entry_id",
            pattern: Some(Self::PATTERN),
            about: "The entry of the attention list.",
        }
    }

    #[cfg(test)]
    fn example() -> Self {
        Self::parse(&alloc::format!("{}.late_success", ReferenceNumber::example())).unwrap()
    }
}

/// Declares numbers, each with its name and what it names.
macro_rules! numbers {
    ($($kind:ident $name:literal $about:literal;)*) => {
        $(
            impl Segment for $kind {
                fn read(text: &str) -> Option<Self> {
                    Self::parse(text)
                }

                fn write(&self) -> String {
                    self.to_string()
                }

                #[cfg(feature = "description")]
                fn parameter(_: &'static str) -> Parameter {
                    Parameter { name: $name, pattern: Some(crate::value::id::number::PATTERN), about: $about }
                }

                #[cfg(test)]
                fn example() -> Self {
                    Self(34)
                }
            }
        )*
    };
}

numbers! {
    UserId "user_id" "The number of the user.";
    OperatorId "operator_id" "The number of the operator.";
    SettingsVersion "version" "The version of the settings.";
}

/// A name that is looked up: a card token, the prefix of a key, a problem code.
impl Segment for String {
    fn read(text: &str) -> Option<Self> {
        Some(text.into())
    }

    fn write(&self) -> String {
        self.clone()
    }

    #[cfg(feature = "description")]
    fn parameter(field: &'static str) -> Parameter {
        let about = match field {
            "token" => "The token of the saved card.",
            "prefix" => "The prefix of the key.",
            "code" => "The code of the problem.",
            _ => "",
        };
        Parameter { name: field, pattern: None, about }
    }

    #[cfg(test)]
    fn example() -> Self {
        "not_found".into()
    }
}

/// A malformed token is as good as none: an address that leads nowhere answers alike, whatever is wrong with it.
impl Segment for Option<ReturnToken> {
    fn read(text: &str) -> Option<Self> {
        Some(ReturnToken::parse(text))
    }

    fn write(&self) -> String {
        self.as_ref().map_or("-", ReturnToken::as_str).into()
    }

    #[cfg(feature = "description")]
    fn parameter(_: &'static str) -> Parameter {
        Parameter { name: "token", pattern: None, about: "The token of the attempt." }
    }

    #[cfg(test)]
    fn example() -> Self {
        Some(ReturnToken::of(&SessionId::example(), &ReferenceNumber::example()))
    }
}

/// A picture of a transaction's address: `<session id>.<ending>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrCode {
    /// The transaction.
    pub session_id: SessionId,
    /// How the picture is written.
    pub format: ImageFormat,
}

impl Segment for QrCode {
    fn read(text: &str) -> Option<Self> {
        let (session_id, ending) = text.split_once('.')?;
        let format =
            [ImageFormat::Svg, ImageFormat::Png].into_iter().find(|format| format.as_str() == ending)?;
        Some(Self { session_id: SessionId::parse(session_id)?, format })
    }

    fn write(&self) -> String {
        alloc::format!("{}.{}", self.session_id, self.format.as_str())
    }

    #[cfg(feature = "description")]
    fn parameter(_: &'static str) -> Parameter {
        let pattern = Some("^[0-9a-f]{40}\\.(svg|png)$");
        Parameter { name: "picture", pattern, about: "The payment transaction, and the format after a dot." }
    }

    #[cfg(test)]
    fn example() -> Self {
        Self { session_id: SessionId::example(), format: ImageFormat::Svg }
    }
}
