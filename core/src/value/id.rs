//! The names of things: sessions, attempts, merchants, gateways, deliveries.
//!
//! Each name has a type whose text is validated, so that it can be used in an address, a query or a log line
//! unchanged. Random bytes come from the caller; nothing here generates them.

pub mod number;

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::iter::once;
use core::ops::RangeInclusive;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::value::slot::{Leading, Slot, Slotted, read_last, write_last};
use crate::value::text::is_slug;

pub use number::{EntryId, OperatorId, SettingsVersion, UserId};

/// Gives a type around a validated `text` its texts: `as_str`, `Display`, `Debug`, and serde as that text.
macro_rules! named {
    ($name:ident, $expected:literal, $pattern:literal) => {
        impl $name {
            /// What the text matches, as a regular expression for the API description.
            pub const PATTERN: &'static str = $pattern;

            /// The text on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.text
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.text)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.text)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.text)
            }
        }
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": Self::PATTERN })
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::parse(&text).ok_or_else(|| D::Error::custom(concat!("must be ", $expected)))
            }
        }
    };
}

/// The name of a payment transaction: 40 lower-case hexadecimal digits. The first two name the slot in which
/// it is stored, the other 38 (152 bits) are random, because anyone who knows the name may see and pay the
/// transaction.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId {
    text: String,
}

named!(SessionId, "40 lower-case hexadecimal digits", "^[0-9a-f]{40}$");

impl SessionId {
    /// How it carries its slot.
    const FORM: Leading = Leading::digits(38);

    /// A new name in a slot.
    #[must_use]
    pub fn generate(slot: impl Into<Slot>, random: [u8; 19]) -> Self {
        Self { text: Self::FORM.write(slot.into(), &hex::encode(random)) }
    }

    /// Exactly 40 digits of `0-9a-f`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 40 && text.bytes().all(is_digit)).then(|| Self { text: text.into() })
    }
}

impl Slotted for SessionId {
    fn slot(&self) -> Slot {
        Self::FORM.slot(&self.text)
    }
}

/// The name of an attempt that we give to the gateway: the gateway identifies a charge by it, and is asked
/// about the charge by it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReferenceNumber {
    text: String,
}

/// A request for approval: a name of the same form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalId(pub ReferenceNumber);

impl ApprovalId {
    /// What the text matches.
    pub const PATTERN: &'static str = ReferenceNumber::PATTERN;

    /// Reads a name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        ReferenceNumber::parse(text).map(Self)
    }

    /// The text on the wire.
    #[must_use]
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

named!(ReferenceNumber, "1 to 128 capitals, digits and hyphens", "^[A-Z0-9-]{1,128}$");

impl ReferenceNumber {
    /// The fewest characters of a name that is generated here.
    pub(crate) const MIN_GENERATED_CHARS: usize = 12;
    /// The longest prefix in characters.
    pub(crate) const MAX_PREFIX_CHARS: usize = 8;

    /// Base 32 in the order of Crockford: no I, L, O or U, which are misread or spell words.
    const ALPHABET: [char; 32] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K',
        'M', 'N', 'P', 'Q', 'R', 'S', 'T', 'V', 'W', 'X', 'Y', 'Z',
    ];

    /// A new name: the merchant's prefix, 12 characters that encode the first 60 bits of `random`, and the slot of the
    /// transaction. The prefix is one that `Self::is_prefix` accepts; of any other only the accepted characters are used.
    #[must_use]
    pub fn generate(prefix: &str, slot: Slot, random: [u8; 8]) -> Self {
        let mut text: String = prefix
            .chars()
            .filter(|character| is_capital_or_digit(*character))
            .take(Self::MAX_PREFIX_CHARS)
            .collect();
        let bits = u64::from_be_bytes(random);
        for shift in (4..64).step_by(5).rev() {
            let digit = bits.unbounded_shr(shift) & 31;
            text.extend(usize::try_from(digit).ok().and_then(|digit| Self::ALPHABET.get(digit)));
        }
        write_last(&mut text, slot);
        Self { text }
    }

    /// The name of what has no attempt: the session id in capitals, whose slot it has.
    #[must_use]
    pub(crate) fn of_session(session_id: &SessionId) -> Self {
        Self { text: session_id.text.to_ascii_uppercase() }
    }

    /// The name of what no attempt asked for: a digest of capitals and digits, and the merchant's slot.
    pub(crate) fn of_digest(digest: &str, slot: Slot) -> Option<Self> {
        let mut text = String::from(digest);
        write_last(&mut text, slot);
        Self::parse(&text)
    }

    /// 1 to 128 capitals, digits and hyphens: names of earlier versions and of every prefix, safe as a
    /// segment of a path.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_allowed = |character| is_capital_or_digit(character) || character == '-';
        ((1..=128).contains(&text.len()) && text.chars().all(is_allowed)).then(|| Self { text: text.into() })
    }

    /// Whether a text can be a merchant's prefix: up to 8 capitals and digits, or nothing.
    #[must_use]
    pub(crate) fn is_prefix(text: &str) -> bool {
        text.len() <= Self::MAX_PREFIX_CHARS && text.chars().all(is_capital_or_digit)
    }
}

impl Slotted for ReferenceNumber {
    fn slot(&self) -> Slot {
        let session_id = SessionId::parse(&self.text.to_ascii_lowercase());
        session_id.map_or_else(|| read_last(&self.text), |session_id| session_id.slot())
    }
}

fn is_capital_or_digit(character: char) -> bool {
    character.is_ascii_uppercase() || character.is_ascii_digit()
}

/// The name of a merchant in an installation: 1 to 40 of `a-z0-9-`, not starting with a hyphen.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MerchantId {
    text: String,
}

named!(
    MerchantId,
    "1 to 40 lower-case letters, digits and hyphens, not starting with a hyphen",
    "^[a-z0-9][a-z0-9-]{0,39}$"
);

impl MerchantId {
    /// Exactly the characters of the type's description.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_allowed = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let fits = (1..=40).contains(&text.len()) && text.bytes().all(is_allowed) && !text.starts_with('-');
        fits.then(|| Self { text: text.into() })
    }
}

impl Slotted for MerchantId {
    /// The slot in which the merchant is at home.
    fn slot(&self) -> Slot {
        Slot::FIRST
    }
}

/// The name of a gateway profile within a merchant: a slug of 1 to 50 characters; upper and lower case
/// differ.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PgCode {
    text: String,
}

named!(PgCode, "1 to 50 letters, digits, hyphens and underscores", "^[A-Za-z0-9_-]{1,50}$");

impl PgCode {
    /// Exactly the characters of the type's description.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() <= 50 && is_slug(text)).then(|| Self { text: text.into() })
    }
}

/// The name of one message, the same at every try, by which a receiver recognises a repeat: about an event of a transaction
/// `evt_{session_id}_{number of the event}`, and a letter from the second message on; of an alert, which is about no
/// transaction, `alert_`, the slot of the merchant, and 40 digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId {
    event: Option<(SessionId, i64)>,
    text: String,
}

named!(
    DeliveryId,
    "evt_, a session id, an underscore, the number of an event, and from its second message on b to z, then ab to az; or alert_ and 40 or 42 digits of 0-9a-f",
    "^(evt_[0-9a-f]{40}_[1-9][0-9]*(a?[b-z])?|alert_[0-9a-f]{40}([0-9a-f]{2})?)$"
);

/// How the names of alerts begin.
const ALERT: &str = "alert_";
/// What follows the number in the names of the second message about an event and of those after it.
const LETTERS: RangeInclusive<char> = 'b'..='z';

impl DeliveryId {
    /// How the name of an alert carries its slot.
    const ALERT_FORM: Leading = Leading::digits(40);

    /// The name of the first message about an event of a transaction; events are numbered from 1.
    #[must_use]
    pub fn new(session_id: &SessionId, number: i64) -> Self {
        Self::lettered(session_id, number, "", None)
    }

    /// The names of the messages about one event, in order: as many as an event causes at most, with a webhook to each
    /// receiver and an e-mail to each recipient.
    pub(crate) fn of_event(session_id: &SessionId, number: i64) -> impl Iterator<Item = Self> + use<'_> {
        let letters = once(("", None)).chain(LETTERS.map(|last| ("", Some(last))));
        let letters = letters.chain(LETTERS.map(|last| ("a", Some(last))));
        letters.map(move |(first, last)| Self::lettered(session_id, number, first, last))
    }

    fn lettered(session_id: &SessionId, number: i64, first: &str, last: Option<char>) -> Self {
        let mut text = format!("evt_{session_id}_{number}{first}");
        text.extend(last);
        Self { event: Some((session_id.clone(), number)), text }
    }

    /// The name of an alert to one recipient.
    #[must_use]
    pub(crate) fn of_alert(slot: Slot, random: [u8; 20]) -> Self {
        Self { event: None, text: format!("{ALERT}{}", Self::ALERT_FORM.write(slot, &hex::encode(random))) }
    }

    /// Exactly what `Self::of_event` and `Self::of_alert` make: no leading zeros, no plus sign.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(digits) = text.strip_prefix(ALERT) {
            let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            let is_one = digits.bytes().all(is_digit) && Self::ALERT_FORM.read(digits).is_some();
            return is_one.then(|| Self { event: None, text: text.into() });
        }
        let (session_id, number) = text.strip_prefix("evt_")?.split_once('_')?;
        let session_id = SessionId::parse(session_id)?;
        let last = number.chars().last().filter(|last| LETTERS.contains(last));
        let digits = last.and_then(|last| number.strip_suffix(last)).unwrap_or(number);
        let (digits, first) = match digits.strip_suffix('a') {
            Some(digits) if last.is_some() => (digits, "a"),
            Some(_) | None => (digits, ""),
        };
        let id = Self::lettered(&session_id, digits.parse().ok()?, first, last);
        (id.text == text).then_some(id)
    }

    /// The transaction whose event it is; `None` for an alert.
    #[must_use]
    pub fn session_id(&self) -> Option<&SessionId> {
        self.event.as_ref().map(|(session_id, _)| session_id)
    }

    /// The number of the event within its transaction; zero for an alert, which no event causes.
    #[must_use]
    pub fn number(&self) -> i64 {
        self.event.as_ref().map_or(0, |(_, number)| *number)
    }
}

impl Slotted for DeliveryId {
    fn slot(&self) -> Slot {
        let alert = self.text.strip_prefix(ALERT).map(|digits| Self::ALERT_FORM.slot(digits));
        self.session_id().map(Slotted::slot).or(alert).unwrap_or(Slot::FIRST)
    }
}

#[cfg(test)]
mod tests;
