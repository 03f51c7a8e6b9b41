//! `POST /b/pbl/v2/message-notification/` sends the payer the message about the present state of a payment once more.

use alloc::vec::Vec;

use super::target::{self, Target};
use crate::rejection::Rejection;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};
use crate::words::message::Channel;

/// The most channels of a request, as written.
const MAX_CHANNELS: usize = 16;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotificationRequest {
    /// About which transaction.
    pub target: Target,
    /// By which channels, each once.
    pub channels: Vec<Channel>,
}

impl NotificationRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn parse(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let target = target::read(&mut fields, members.get("session_id"), members.get("order_no"));
        noted::items("channels", &Noted::Words(Channel::WORDS));
        let items =
            fields.required("channels", members.get("channels"), |f, p, raw| f.items(p, raw, MAX_CHANNELS));
        let mut channels = Vec::new();
        for (place, item) in items.iter().flatten().enumerate() {
            let word = Fields::decode_text(item).map(|text| Channel::parse(&text));
            match word {
                Ok(Some(channel)) if channels.contains(&channel) => {}
                Ok(Some(channel)) => channels.push(channel),
                Ok(None) => fields.violation(alloc::format!("channels.{place}"), Rule::OneOf(Channel::WORDS)),
                Err(rule) => fields.violation(alloc::format!("channels.{place}"), rule),
            }
        }
        if items.as_ref().is_some_and(Vec::is_empty) {
            fields.violation("channels", Rule::EmptyList);
        }
        let found = fields.finish();
        match target {
            Some(target) if found.is_empty() => Ok(Self { target, channels }),
            _ => Err(Rejection::Invalid(found)),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    fn wrong(body: &str) -> Vec<String> {
        match NotificationRequest::parse(body.as_bytes()) {
            Err(Rejection::Invalid(found)) => {
                found.iter().map(|violation| violation.path.to_string()).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_channel_counts_once() {
        let asked =
            NotificationRequest::parse(br#"{"order_no":"A-1","channels":["sms","email","sms"]}"#).unwrap();
        assert_eq!(asked.channels, [Channel::Sms, Channel::Email]);
        assert_eq!(asked.target, Target::Order("A-1".into()));
    }

    #[test]
    fn every_wrong_field_is_named() {
        assert_eq!(wrong("{}"), ["order_no", "session_id", "channels"]);
        assert_eq!(wrong(r#"{"order_no":"A-1","channels":[]}"#), ["channels"]);
        assert_eq!(wrong(r#"{"order_no":"A-1","channels":"sms"}"#), ["channels"]);
        assert_eq!(wrong(r#"{"order_no":"A-1","channels":["fax",1]}"#), ["channels.0", "channels.1"]);
    }
}
