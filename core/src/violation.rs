//! What is wrong with one field of a request.
//!
//! A parser collects every [`Violation`] it finds, including wrong types, and returns them together, in the
//! order of the fields (the format of the body is in [`crate::rejection`]). The same text is shown by the
//! Worker and by the page.

mod access;
mod brand;
mod card;
mod collected;
mod connector;
mod errors;
mod exchange;
mod image;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::record::attachment::AttachmentError;
use crate::value::choice::PrincipalError;
use crate::value::money::{AmountError, Currency};
use crate::value::shape::Shape;
use crate::value::text::TextError;
use crate::value::web_address::AddressError;
use crate::words::payment_type::PaymentType;

pub use access::AccessRule;
pub use brand::BrandRule;
pub use card::CardRule;
pub(crate) use collected::Violations;
pub use connector::ConnectorRule;
pub use errors::errors;
pub use exchange::ExchangeRule;
pub use image::ImageRule;

/// One field and the rule that its value breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The wire name of the field; members of an object and items of a list follow after a dot
    /// (`agreement.id`, `pg_codes.0`).
    pub path: Cow<'static, str>,
    /// The rule.
    pub rule: Rule,
}

impl Violation {
    /// A violation of `rule` at `path`.
    pub fn new(path: impl Into<Cow<'static, str>>, rule: Rule) -> Self {
        Self { path: path.into(), rule }
    }
}

/// The rules that a field can break, each with the limit that it states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// The field must be given.
    Required,
    /// The value is not a JSON string.
    NotText,
    /// The value is not a JSON string or number that represents an amount.
    NotAmount,
    /// The value is not a list.
    NotList,
    /// The value is not an object.
    NotObject,
    /// The value is not a list of items of an order.
    NotItems,
    /// The list is empty.
    EmptyList,
    /// The list has more than `max` items.
    TooManyItems {
        /// The most items that are allowed.
        max: usize,
    },
    /// The text has more than `max` characters.
    TooLong {
        /// The most characters that are allowed.
        max: usize,
    },
    /// The text has a control character.
    ControlCharacter,
    /// The text has an escape that is no Unicode character, such as half of a surrogate pair.
    NotUnicode,
    /// The text of the object has more than `max` bytes.
    TooLarge {
        /// The most bytes that are allowed.
        max: usize,
    },
    /// The value is nested more than `max` levels deep.
    TooDeep {
        /// The most levels that are allowed.
        max: usize,
    },
    /// The value is none of the listed words.
    OneOf(&'static [&'static str]),
    /// The amount is malformed, or does not fit its currency.
    Amount(AmountError),
    /// The amount is below the smallest one.
    AmountTooSmall,
    /// The payer cannot pay this amount of the transaction.
    Principal(PrincipalError),
    /// The code is no ISO 4217 currency in which a payment is possible.
    UnknownCurrency,
    /// The currency is not enabled for the merchant.
    InactiveCurrency,
    /// None of the chosen gateways accepts the currency.
    CurrencyNotTaken {
        /// The currency that was requested.
        currency: Currency,
    },
    /// The currency is not one of the gateway's own.
    NotOwnCurrency,
    /// An exchange is configured wrongly, or loses the amount.
    Exchange(ExchangeRule),
    /// An operation is listed that cannot follow a payment through such a gateway.
    OperationImpossible,
    /// The gateway is configured for something that its connector does not have.
    Connector(ConnectorRule),
    /// What users, keys and their permissions must be like.
    Access(AccessRule),
    /// What the face of a merchant must be like.
    Brand(BrandRule),
    /// What an image of a merchant must be like.
    Image(ImageRule),
    /// The text has another form than its gateway gives it.
    Shape(Shape),
    /// The gateway is not for transactions of the plugin.
    GatewayOfOtherPlugin,
    /// The text does not have the form of a gateway code.
    NotGatewayCode,
    /// The merchant has no such gateway.
    UnknownGateway,
    /// The gateway is not among those of the transaction.
    GatewayNotOffered,
    /// Not every gateway of a rule has a share, or the shares are not a hundred percent.
    NotShares,
    /// The same item occurs twice in the list.
    Repeated,
    /// Not an origin as a browser writes it.
    NotOrigin,
    /// Not a host, and not a star with the names below one.
    NotHost,
    /// Card data is accepted only on the page of a gateway.
    CardData,
    /// One of two fields must be given.
    OneOfTwo {
        /// The other of them.
        other: &'static str,
    },
    /// Another field says the same, and only one of them can be given.
    NotBeside(&'static str),
    /// The clock of the merchant would be too far from the real time.
    ClockTooFar,
    /// Only a simulated gateway is possible for a merchant whose clock was moved.
    ClockIsMoved,
    /// No transaction of the merchant has this id.
    UnknownTransaction,
    /// The plugin is not installed at the merchant.
    PluginNotInstalled,
    /// The text is no e-mail address.
    NotEmail,
    /// The file, or what names it, is refused.
    Attachment(AttachmentError),
    /// The web address is refused.
    Address(AddressError),
    /// The address is none at which Apple validates merchants.
    NotAppleAddress,
    /// The payment saves no card.
    NoCardSaved,
    /// The address is one of the installation's own, other than a sandbox inbox if there are any.
    OwnAddress {
        /// Whether the installation has inboxes.
        has_sandbox: bool,
    },
    /// The text is no calendar date.
    NotDate,
    /// The text is no date and time.
    NotDateTime,
    /// The text is no period of time.
    NotPeriod,
    /// The period is shorter than a second or longer than 366 days.
    PeriodOutOfRange,
    /// The text does not have the form of a merchant id.
    NotMerchantId,
    /// The text does not have the form of a session id.
    NotSessionId,
    /// The value is not a whole number within the limits.
    NotInteger {
        /// The smallest number.
        min: i64,
        /// The largest number.
        max: i64,
    },
    /// The value is not `true` or `false`.
    NotBoolean,
    /// The text is no non-negative decimal number.
    NotDecimal,
    /// The value must be text, and may not be blank.
    Blank,
    /// The text is no country code of ISO 3166-1.
    NotCountryCode,
    /// Another field must be given too.
    Needs(&'static str),
    /// The text is no cursor that the listing gave to this merchant.
    NotCursor,
    /// The text is neither a calendar date nor a date and time.
    NotDay,
    /// The moment is in the future.
    InFuture,
    /// The moment is before that of another field.
    Before(&'static str),
    /// The number is less than that of another field.
    LessThan(&'static str),
    /// The value cannot be changed for a transaction that exists.
    Fixed,
    /// The text does not have the form of a slug.
    NotSlug,
    /// The payment type needs the field.
    RequiredWith(PaymentType),
    /// The amount is not the zero of a payment type that charges nothing.
    NotZero(PaymentType),
    /// The gateway cannot do what the payment type needs.
    Card(CardRule),
    /// The text is longer than one of the chosen gateways accepts.
    TooLongForGateway {
        /// The most characters that it accepts.
        max: usize,
        /// The gateway's family.
        pg_name: &'static str,
    },
    /// The value is none of those that the merchant's settings permit.
    NotPermitted(Vec<String>),
    /// The text is no category code.
    NotCategoryCode,
    /// There is no active user with this id.
    UnknownUser,
    /// The value is no number.
    NotNumber,
    /// The field asks for something that this service cannot do.
    NotSupported,
    /// The gateway of the transaction accepts no such instrument, or none may be given for this payment type.
    InstrumentNotTaken,
    /// The text does not have the form of a reference prefix.
    NotReferencePrefix,
    /// The moment is not in the future.
    NotInFuture,
    /// The requested member would decide something that this service does not do.
    NotKnown,
    /// The name of a field of a form has brackets that do not match.
    NotFormName,
}

impl fmt::Display for Rule {
    #[expect(clippy::too_many_lines, reason = "a table: one text for each rule")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required => f.write_str("is required"),
            Self::NotText => f.write_str("must be a string"),
            Self::NotAmount => {
                f.write_str("must be a decimal number written as a string, such as \"10.250\"")
            }
            Self::NotList => f.write_str("must be a list of strings"),
            Self::NotObject => f.write_str("must be an object"),
            Self::NotItems => f.write_str("must be a list of objects with a name, and a quantity and an amount if they are given"),
            Self::EmptyList => f.write_str("must have at least one item"),
            Self::TooManyItems { max } => write!(f, "must have at most {max} items"),
            Self::TooLong { max } => write!(f, "must have at most {max} characters"),
            Self::ControlCharacter => f.write_str("must not have control characters"),
            Self::NotUnicode => f.write_str("must be valid Unicode text"),
            Self::TooLarge { max } => write!(f, "must be written with at most {max} bytes"),
            Self::TooDeep { max } => write!(f, "must be nested at most {max} levels deep"),
            Self::OneOf(words) => write_choices(f, words),
            Self::Amount(error) => error.fmt(f),
            Self::AmountTooSmall => f.write_str("must be at least 0.01"),
            Self::Principal(error) => error.fmt(f),
            Self::UnknownCurrency => f.write_str(
                "must be a three-letter ISO 4217 code of a currency with a minor unit, such as \"KWD\"",
            ),
            Self::InactiveCurrency => f.write_str("must be a currency that is active at the merchant"),
            Self::CurrencyNotTaken { currency } => {
                write!(f, "must hold at least one gateway that takes {}", currency.code())
            }
            Self::NotOwnCurrency => f.write_str("must be one of the gateway's currencies"),
            Self::Exchange(rule) => rule.fmt(f),
            Self::OperationImpossible => f.write_str(
                "must hold only what can follow: refund after purchase; capture, void and refund after authorize; \
                 nothing after cash",
            ),
            Self::Connector(rule) => rule.fmt(f),
            Self::Access(rule) => rule.fmt(f),
            Self::Brand(rule) => rule.fmt(f),
            Self::Image(rule) => rule.fmt(f),
            Self::Shape(shape) => write!(f, "must be {shape}"),
            Self::GatewayOfOtherPlugin => {
                f.write_str("must be the code of a gateway that is usable by the type of the transaction")
            }
            Self::NotGatewayCode => {
                f.write_str("must be a gateway code: 1 to 50 letters, digits, hyphens and underscores")
            }
            Self::UnknownGateway => f.write_str("must be the code of a gateway of the merchant"),
            Self::GatewayNotOffered => f.write_str("must be one of the gateways of the transaction"),
            Self::NotShares => f.write_str(
                "must be a whole percentage from 1 to 100 for every gateway or for none, and 100 together",
            ),
            Self::Repeated => f.write_str("must not be given twice"),
            Self::NotOrigin => f.write_str("must be an origin without a path, such as https://shop.example"),
            Self::NotHost => f.write_str("must be a public host in lower case, such as shop.example.com or *.example.com"),
            Self::CardData => f.write_str("must not be sent: card data is taken on the page of the gateway only"),
            Self::OneOfTwo { other } => write!(f, "must be given, or {other}"),
            Self::NotBeside(other) => write!(f, "must not be given beside {other}"),
            Self::ClockTooFar => f.write_str("must keep the clock within 366 days of the real time"),
            Self::ClockIsMoved => f.write_str("must be true: the test clock of the merchant was moved"),
            Self::UnknownTransaction => f.write_str("must be that of a payment transaction of the merchant"),
            Self::PluginNotInstalled => f.write_str("must be a plugin that is installed at the merchant"),
            Self::NotEmail => f.write_str("must be an e-mail address"),
            Self::Attachment(error) => error.fmt(f),
            Self::Address(error) => error.fmt(f),
            Self::NotAppleAddress => f.write_str("must be an address at which Apple validates merchants"),
            Self::NoCardSaved => f.write_str(
                "must be false: a card is saved only for a customer with an id, by a gateway that saves cards",
            ),
            Self::OwnAddress { has_sandbox: true } => {
                f.write_str("must not be an address of this service, except a sandbox inbox")
            }
            Self::OwnAddress { has_sandbox: false } => f.write_str("must not be an address of this service"),
            Self::NotDate => f.write_str("must be a date written YYYY-MM-DD"),
            Self::NotDateTime => {
                f.write_str("must be a date and time of RFC 3339, such as \"2030-01-31T12:00:00Z\"")
            }
            Self::NotPeriod => {
                f.write_str("must be a period written \"DD HH:MM:SS\", such as \"1 00:00:00\"")
            }
            Self::PeriodOutOfRange => f.write_str("must be from 1 second to 366 days"),
            Self::NotMerchantId => f.write_str(
                "must be 1 to 40 lower-case letters, digits and hyphens, and not begin with a hyphen",
            ),
            Self::NotSessionId => f.write_str("must be a session id: 40 lower-case hex digits"),
            Self::NotInteger { min, max } => write!(f, "must be a whole number from {min} to {max}"),
            Self::NotBoolean => f.write_str("must be true or false"),
            Self::NotDecimal => f.write_str("must be a decimal number without a sign, such as \"2.5\""),
            Self::Blank => f.write_str("must not be blank"),
            Self::NotCountryCode => {
                f.write_str("must be a two-letter ISO 3166-1 country code, such as \"KW\"")
            }
            Self::Needs(field) => write!(f, "needs {field} to be given too"),
            Self::NotCursor => f.write_str("must be the next of a page of this listing"),
            Self::NotDay => f.write_str(
                "must be a date written YYYY-MM-DD, or a date and time of RFC 3339, such as \"2030-01-31T12:00:00Z\"",
            ),
            Self::InFuture => f.write_str("must not be in the future"),
            Self::LessThan(field) => write!(f, "must not be less than {field}"),
            Self::Before(field) => write!(f, "must not be before {field}"),
            Self::Fixed => f.write_str("cannot be changed"),
            Self::NotSlug => f.write_str("must hold only letters, digits, hyphens and underscores"),
            Self::RequiredWith(kind) => write!(f, "is required when payment_type is {}", kind.as_str()),
            Self::NotZero(kind) => write!(f, "must be 0 when payment_type is {}", kind.as_str()),
            Self::Card(rule) => rule.fmt(f),
            Self::TooLongForGateway { max, pg_name } => {
                write!(f, "must have at most {max} characters when a gateway of {pg_name} is among pg_codes")
            }
            Self::NotPermitted(permitted) => {
                f.write_str("must be one of those permitted at the merchant: ")?;
                write_list(f, permitted.iter().map(String::as_str))
            }
            Self::NotCategoryCode => f.write_str("must be a category code of four digits, such as \"5691\""),
            Self::UnknownUser => f.write_str("must be the id of an active user of the merchant, who has none"),
            Self::NotNumber => f.write_str("must be a number"),
            Self::InstrumentNotTaken => {
                f.write_str("must be one that the gateway of pg_codes accepts, for a payment that saves no card")
            }
            Self::NotSupported => f.write_str(
                "charges at create and cannot be given to an update",
            ),
            Self::NotInFuture => f.write_str("must be in the future"),
            Self::NotKnown => f.write_str("is not supported and must be left out"),
            Self::NotFormName => {
                f.write_str("must be written like billing_address[city] or pg_codes[] if a member is given")
            }
            Self::NotReferencePrefix => f.write_str("must be at most 8 upper-case letters and digits"),
        }
    }
}

fn write_choices(f: &mut fmt::Formatter<'_>, words: &[&str]) -> fmt::Result {
    f.write_str("must be one of ")?;
    write_list(f, words.iter().copied())
}

fn write_list<'w>(f: &mut fmt::Formatter<'_>, words: impl Iterator<Item = &'w str>) -> fmt::Result {
    for (place, word) in words.enumerate() {
        if place > 0 {
            f.write_str(", ")?;
        }
        f.write_str(word)?;
    }
    Ok(())
}

impl From<TextError> for Rule {
    fn from(error: TextError) -> Self {
        match error {
            TextError::TooLong { max } => Self::TooLong { max },
            TextError::ControlCharacter => Self::ControlCharacter,
        }
    }
}
