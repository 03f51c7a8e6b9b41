//! What each rule says, after the name of the field.

use alloc::string::String;
use core::fmt;

use super::Rule;
use crate::value::phone::lengths;

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
            Self::UnknownParameter([]) => f.write_str("is unknown: this address takes no parameters"),
            Self::UnknownParameter(names) => {
                f.write_str("is unknown: this address takes the parameters ")?;
                write_list(f, names.iter().copied())
            }
            Self::EmptyParameter => f.write_str("must have a value, or be left out"),
            Self::Repeated => f.write_str("must not be given twice"),
            Self::NotOrigin => f.write_str("must be an origin without a path, such as https://shop.example"),
            Self::NotHost => f.write_str("must be a public host in lower case, such as shop.example.com or *.example.com"),
            Self::CardData => f.write_str("must not be sent: card data is taken on the page of the gateway only"),
            Self::OneOfTwo { other } => write!(f, "must be given, or {other}"),
            Self::NotWith(other) => write!(f, "must not be given with {other}"),
            Self::ClockTooFar => f.write_str("must keep the clock within 366 days of the real time"),
            Self::ClockIsMoved => f.write_str("must be true: the test clock of the merchant was moved"),
            Self::OtherTransaction => {
                f.write_str("must be the order number of the transaction that session_id names")
            }
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
            Self::NotTimeZone => {
                f.write_str("must be the name of a time zone of the IANA database, such as \"Asia/Kuwait\"")
            }
            Self::NotPhone { home } => write_phone(f, home),
            Self::Needs(field) => write!(f, "needs {field} to be given too"),
            Self::NotCursor => f.write_str("must be the next of a page of this listing"),
            Self::NotDay => f.write_str(
                "must be a date written YYYY-MM-DD, or a date and time of RFC 3339, such as \"2030-01-31T12:00:00Z\"",
            ),
            Self::InFuture => f.write_str("must not be in the future"),
            Self::LessThan(field) => write!(f, "must not be less than {field}"),
            Self::TooManyDays { max } => write!(f, "must be at most {max} days, from the first to the last"),
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
            Self::NotDeliveryId => f.write_str("must be the id of a delivery, which begins with evt_"),
            Self::NotInFuture => f.write_str("must be in the future"),
            Self::NotKnown => f.write_str("is not supported and must be left out"),
            Self::NotDeclaredText => f.write_str("must be text in UTF-8, or in the charset that the form declares"),
            Self::NotUtf8 => f.write_str("must be text in UTF-8"),
            Self::NotVerbatim => f.write_str(
                "must be given whole, as the JSON text of the object: fields with brackets do not say whether a value is a \
                 text, a number or nothing",
            ),
            Self::NotFormName => {
                f.write_str("must be written like billing_address[city] or pg_codes[] if a member is given")
            }
            Self::NotChosenChannel => {
                f.write_str("must be a channel that notifications of the transaction has for its present state")
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

fn write_phone(f: &mut fmt::Formatter<'_>, home: &str) -> fmt::Result {
    f.write_str("must be a telephone number that begins with + or 00 and the code of its country")?;
    match lengths(home) {
        Some((fewest, most)) if fewest == most => {
            write!(f, ", or has the {most} digits of a number of {home}")?;
        }
        Some((fewest, most)) => write!(f, ", or has the {fewest} to {most} digits of a number of {home}")?,
        None => {}
    }
    f.write_str(", because notifications are sent to it")
}
