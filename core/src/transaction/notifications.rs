//! About which events of a transaction the payer is notified, and by which channel.

use alloc::collections::BTreeSet;
use alloc::string::String;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::noted::{self, Noted};
use crate::words::message::{Channel, MessageOccasion};

/// The most bytes of the object, as written.
const MAX_BYTES: usize = 4_096;
/// The most events of one channel, as written.
const MAX_EVENTS: usize = 64;
/// The most characters of an unknown channel that are repeated in an error.
const MAX_NAME: usize = 32;
const CHANNELS: &[&str] = Channel::WORDS;
/// The events of e-mail and SMS.
const EVENTS: &[&str] = MessageOccasion::WORDS;
/// The events of `whatsapp`.
const WHATSAPP_EVENTS: &[&str] = &["created", "paid", "canceled", "failed", "expired", "authorized"];

/// The events of each channel, each given once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Notifications {
    /// By e-mail.
    #[schemars(with = "alloc::vec::Vec<String>")]
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub email: BTreeSet<String>,
    /// By SMS.
    #[schemars(with = "alloc::vec::Vec<String>")]
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub sms: BTreeSet<String>,
    /// By `WhatsApp`.
    #[schemars(with = "alloc::vec::Vec<String>")]
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub whatsapp: BTreeSet<String>,
}

/// Reads `notifications`. Decision: the names of channels are read in any letter case, and unlike elsewhere
/// an unknown name is refused, because a message that is never sent would be noticed too late.
pub(crate) fn read(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Notifications> {
    let members = fields.object(path, raw, MAX_BYTES)?;
    noted::note(path, &Noted::Closed);
    let mut notifications = Notifications::default();
    for (name, raw) in members.iter() {
        let (path, events, slot) = match name.to_ascii_lowercase().as_str() {
            "email" => ("notifications.email", EVENTS, &mut notifications.email),
            "sms" => ("notifications.sms", EVENTS, &mut notifications.sms),
            "whatsapp" => ("notifications.whatsapp", WHATSAPP_EVENTS, &mut notifications.whatsapp),
            _ => {
                let name: String =
                    name.chars().take(MAX_NAME).map(|c| if c == '.' { '_' } else { c }).collect();
                fields.violation(alloc::format!("{path}.{name}"), Rule::OneOf(CHANNELS));
                continue;
            }
        };
        *slot = read_events(fields, path, raw, events);
    }
    Some(notifications)
}

fn read_events(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    events: &'static [&'static str],
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    noted::items(path, &Noted::Words(events));
    let items = fields.optional(path, Some(raw), |f, p, r| f.items(p, r, MAX_EVENTS)).unwrap_or_default();
    for (place, item) in items.into_iter().enumerate() {
        match Fields::decode_text(item) {
            Ok(event) if events.contains(&event.as_ref()) => {
                found.insert(event.into_owned());
            }
            Ok(_) => fields.violation(alloc::format!("{path}.{place}"), Rule::OneOf(events)),
            Err(rule) => fields.violation(alloc::format!("{path}.{place}"), rule),
        }
    }
    found
}

impl Notifications {
    /// Whether no event causes a message.
    pub(crate) fn is_empty(&self) -> bool {
        self.email.is_empty() && self.sms.is_empty() && self.whatsapp.is_empty()
    }

    /// Whether the merchant chose to notify the payer of an occasion by a channel.
    #[must_use]
    pub fn has(&self, channel: Channel, occasion: MessageOccasion) -> bool {
        let chosen = match channel {
            Channel::Email => &self.email,
            Channel::Sms => &self.sms,
            Channel::Whatsapp => &self.whatsapp,
        };
        chosen.contains(occasion.as_str())
    }

    /// Whether a message goes to a telephone.
    pub(crate) fn needs_phone(&self) -> bool {
        !self.sms.is_empty() || !self.whatsapp.is_empty()
    }

    /// Notes what a channel needs and is missing in the payer's data.
    pub(crate) fn check(&self, fields: &mut Fields, has_email: bool, has_phone: bool) {
        if !self.email.is_empty() && !has_email {
            fields.violation("notifications.email", Rule::Needs("customer_email"));
        }
        if !self.sms.is_empty() && !has_phone {
            fields.violation("notifications.sms", Rule::Needs("customer_phone"));
        }
        if !self.whatsapp.is_empty() && !has_phone {
            fields.violation("notifications.whatsapp", Rule::Needs("customer_phone"));
        }
    }
}
