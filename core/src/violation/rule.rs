//! The rules of fields.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::access::AccessRule;
use super::brand::BrandRule;
use super::card::CardRule;
use super::connector::ConnectorRule;
use super::exchange::ExchangeRule;
use super::image::ImageRule;
use crate::record::attachment::AttachmentError;
use crate::value::choice::PrincipalError;
use crate::value::money::{AmountError, Currency};
use crate::value::shape::TextShape;
use crate::value::text::TextError;
use crate::value::web_address::AddressError;
use crate::words::payment_type::PaymentType;

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
    Shape(TextShape),
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
    NotWith(&'static str),
    /// The clock of the merchant would be too far from the real time.
    ClockTooFar,
    /// Only a simulated gateway is possible for a merchant whose clock was moved.
    ClockIsMoved,
    /// The query has no such parameter, but these.
    UnknownParameter(&'static [&'static str]),
    /// The parameter of a query has no value.
    EmptyParameter,
    /// No transaction of the merchant has this id.
    UnknownTransaction,
    /// The order number is not that of the transaction that is named by its id.
    OtherTransaction,
    /// The plugin is not installed at the merchant.
    PluginNotInstalled,
    /// The text is no e-mail address.
    NotEmail,
    /// The text is no telephone number that messages could be sent to.
    NotPhone {
        /// The country of numbers that do not name theirs.
        home: String,
    },
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
    /// The text names no time zone of the IANA database.
    NotTimeZone,
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
    /// The period has more than `max` days.
    TooManyDays {
        /// The most days.
        max: i64,
    },
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
    /// The text is not the id of a delivery.
    NotDeliveryId,
    /// The notifications of the transaction do not have the channel for its present state.
    NotChosenChannel,
    /// The moment is not in the future.
    NotInFuture,
    /// The requested member would decide something that this service does not do.
    NotKnown,
    /// The name of a field of a form has brackets that do not match.
    NotFormName,
    /// Bytes of a form are no text in the charset that it declares.
    NotDeclaredText,
    /// Bytes of JSON are no UTF-8.
    NotUtf8,
    /// A member of an object that is passed on as it is written could be a text or something else.
    NotVerbatim,
}

impl From<TextError> for Rule {
    fn from(error: TextError) -> Self {
        match error {
            TextError::TooLong { max } => Self::TooLong { max },
            TextError::ControlCharacter => Self::ControlCharacter,
        }
    }
}

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
