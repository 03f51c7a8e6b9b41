//! What a segment of an address may be.

use alloc::string::{String, ToString};

use super::ImageFormat;
use crate::record::attachment::AttachmentName;
use crate::record::attention::AttentionId;
use crate::record::image::ImageName;
use crate::record::return_token::ReturnToken;
use crate::record::short_link::ShortCode;
use crate::value::id::{
    ApprovalId, DeliveryId, MerchantId, OperatorId, PgCode, ReferenceNumber, SessionId, SettingsVersion,
    UserId,
};
#[cfg(test)]
use crate::value::slot::Slot;
use crate::words::message::Channel;

/// A value that is one segment of an address.
pub(crate) trait Segment: Sized {
    /// The value that the text names; an address with any other text does not exist.
    fn read(text: &str) -> Option<Self>;

    /// The text of the value.
    fn write(&self) -> String;

    /// The transaction, where it is one.
    fn session(&self) -> Option<&SessionId> {
        None
    }

    /// One of them.
    #[cfg(test)]
    fn example() -> Self;
}

/// Declares what is read by `parse` and written by `as_str`, each with an example.
macro_rules! segments {
    ($($kind:ident $example:expr;)*) => {
        $(
            impl Segment for $kind {
                fn read(text: &str) -> Option<Self> {
                    Self::parse(text)
                }

                fn write(&self) -> String {
                    self.as_str().into()
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
    DeliveryId Self::new(&SessionId::generate(0, [3; 19]), 1);
    ReferenceNumber Self::generate("", Slot::FIRST, [3; 8]);
    ApprovalId Self(ReferenceNumber::example());
    Channel Self::Sms;
    MerchantId Self::parse("demo").unwrap();
    PgCode Self::parse("knet").unwrap();
    AttachmentName Self::generate(Slot::FIRST, [3; 20], crate::record::attachment::Extension::Pdf);
    ImageName Self::parse("0123456789abcdef0123456789abcdef.png").unwrap();
    ShortCode Self::generate(Slot::FIRST, [5; 16]);
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

    #[cfg(test)]
    fn example() -> Self {
        Self::parse(&alloc::format!("{}.late_success", ReferenceNumber::example())).unwrap()
    }
}

/// Declares numbers.
macro_rules! numbers {
    ($($kind:ident)*) => {
        $(
            impl Segment for $kind {
                fn read(text: &str) -> Option<Self> {
                    Self::parse(text)
                }

                fn write(&self) -> String {
                    self.to_string()
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
    UserId
    OperatorId
    SettingsVersion
}

/// A name that is looked up: a card token, the prefix of a key, a problem code.
impl Segment for String {
    fn read(text: &str) -> Option<Self> {
        Some(text.into())
    }

    fn write(&self) -> String {
        self.clone()
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

    #[cfg(test)]
    fn example() -> Self {
        Self { session_id: SessionId::example(), format: ImageFormat::Svg }
    }
}
