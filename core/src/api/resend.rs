//! Which deliveries are sent again: one that is named, or those in a state that were caused in a period.

use alloc::string::ToString;

use serde_json::value::RawValue;

use super::administration::refuse_unknown;
use crate::record::outbox::{DeliveryState, Which};
use crate::record::receiver::origin;
use crate::rejection::Rejection;
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::value::web_address::MAX_ADDRESS_CHARS;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};

/// The members of the body.
const ID: &str = "delivery_id";
const STATE: &str = "state";
const SINCE: &str = "since";
const UNTIL: &str = "until";
const RECEIVER: &str = "receiver";
/// What can be sent again by period: what is due is sent anyway, and what is held waits for its receiver.
const STATES: &[&str] = &[DeliveryState::GivenUp.as_str(), DeliveryState::Delivered.as_str()];

/// What is asked for.
pub struct ResendRequest {
    /// What is sent again.
    pub which: Which,
}

impl ResendRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn read(body: &[u8], now: Timestamp) -> Result<Self, Rejection> {
        // Either the first or the others.
        for name in [ID, STATE, SINCE, UNTIL] {
            noted::note(name, &Noted::Optional);
        }
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        refuse_unknown(&mut fields, &members, &[ID, STATE, SINCE, UNTIL, RECEIVER]);
        let which = match members.get(ID) {
            Some(raw) => {
                for name in [STATE, SINCE, UNTIL, RECEIVER] {
                    if members.get(name).is_some() {
                        fields.violation(name, Rule::NotWith(ID));
                    }
                }
                fields.required(ID, Some(raw), id).map(Which::One)
            }
            None => of_period(&mut fields, &members, now),
        };
        let found = fields.finish();
        which.filter(|_| found.is_empty()).map(|which| Self { which }).ok_or(Rejection::Invalid(found))
    }
}

fn id(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<DeliveryId> {
    noted::note(path, &Noted::Matching(DeliveryId::PATTERN));
    fields.checked(path, raw, |text| DeliveryId::parse(text).ok_or(Rule::NotDeliveryId))
}

fn of_period(fields: &mut Fields, members: &Members<'_>, now: Timestamp) -> Option<Which> {
    let state = fields.required(STATE, members.get(STATE), |fields, path, raw| {
        let parse = |text: &str| DeliveryState::parse(text).filter(|one| STATES.contains(&one.as_str()));
        fields.word(path, raw, STATES, parse)
    });
    let since = fields.required(SINCE, members.get(SINCE), Fields::date_time);
    let until = fields.required(UNTIL, members.get(UNTIL), Fields::date_time);
    let receiver = fields.optional(RECEIVER, members.get(RECEIVER), |fields, path, raw| {
        fields.line(path, raw, MAX_ADDRESS_CHARS)
    });
    if until.is_some_and(|until| until > now) {
        fields.violation(UNTIL, Rule::InFuture);
    } else if since.zip(until).is_some_and(|(since, until)| until < since) {
        fields.violation(UNTIL, Rule::Before(SINCE));
    }
    let receiver = receiver.map(|address| origin(&address).to_string());
    Some(Which::Of { state: state?, receiver, since: since?, until: until? })
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn a_request_names_one_delivery_or_a_period() {
        let now = Timestamp::parse("2026-11-23T12:00:00Z").unwrap();
        let wrong = |body: &str| match ResendRequest::read(body.as_bytes(), now) {
            Err(Rejection::Invalid(found)) => {
                found.iter().map(|one| one.path.to_string()).collect::<alloc::vec::Vec<_>>()
            }
            Err(other) => panic!("{other:?}"),
            Ok(_) => alloc::vec::Vec::new(),
        };
        let period = r#""since":"2026-11-20T00:00:00Z","until":"2026-11-23T12:00:00Z""#;
        assert_eq!(wrong(&format!(r#"{{"state":"given_up",{period}}}"#)), [""; 0]);
        assert_eq!(wrong("{}"), ["state", "since", "until"]);
        assert_eq!(wrong(&format!(r#"{{"state":"held",{period}}}"#)), ["state"]);
        assert_eq!(wrong(r#"{"delivery_id":"x","state":"given_up"}"#), ["state", "delivery_id"]);
        let late = r#"{"state":"delivered","since":"2026-11-20T00:00:00Z","until":"2026-11-23T12:00:01Z"}"#;
        assert_eq!(wrong(late), ["until"]);
        let reversed =
            r#"{"state":"delivered","since":"2026-11-20T00:00:00Z","until":"2026-11-19T12:00:01Z"}"#;
        assert_eq!(wrong(reversed), ["until"]);
        assert_eq!(wrong(r#"{"delivery_id":"evt_1","more":1}"#), ["more", "delivery_id"]);
    }
}
