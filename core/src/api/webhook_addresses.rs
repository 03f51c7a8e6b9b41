//! Where webhooks of a merchant go, and who is written to about alerts: what is given is changed, `null` takes an
//! address away.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::administration::refuse_unknown;
use crate::installation::Installation;
use crate::record::attention::Topic;
use crate::rejection::Rejection;
use crate::settings::alerts::MAX_EMAILS;
use crate::value::email::is_email;
use crate::value::web_address::WebAddress;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};
use crate::words::Plugin;

/// Where webhooks about captures, refunds and voids go.
pub(crate) const OPERATIONS: &str = "operations";
/// Where alerts go.
pub(crate) const ALERTS: &str = "alerts";
/// The members of a body: a plugin each, the operations, and the alerts.
pub(crate) const MEMBERS: [&str; 4] =
    [Plugin::ECommerce.as_str(), Plugin::PaymentRequest.as_str(), OPERATIONS, ALERTS];

/// To whom alerts go by e-mail.
pub(crate) const EMAILS: &str = "alert_emails";
/// About what alerts are.
pub(crate) const TOPICS: &str = "alert_topics";

/// What is asked for.
pub struct WebhookAddressesRequest {
    /// The addresses that are given, by member; `None` takes one away.
    pub addresses: Vec<(&'static str, Option<WebAddress>)>,
    /// Who is written to about alerts, if that is given; nobody if it is empty.
    pub emails: Option<Vec<String>>,
    /// About what, if that is given; everything if it is empty.
    pub topics: Option<Vec<Topic>>,
}

impl WebhookAddressesRequest {
    /// Reads a body; what is wrong with it is added to `fields`.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`].
    pub fn read(fields: &mut Fields, body: &[u8], installation: &Installation) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut addresses = Vec::new();
        for name in MEMBERS {
            match members.get(name) {
                Some(raw) => {
                    addresses.extend(fields.receiver(name, raw, installation).map(|url| (name, Some(url))));
                    noted::note(name, &Noted::Nullable);
                }
                None if members.all().any(|(known, _)| known == name) => addresses.push((name, None)),
                None => {}
            }
        }
        noted::items(EMAILS, &Noted::Email);
        noted::items(TOPICS, &Noted::Words(Topic::WORDS));
        let emails = list(fields, &members, EMAILS, MAX_EMAILS, |found: &[String], text| {
            let is_known = found.iter().any(|known| known.eq_ignore_ascii_case(text));
            if !is_email(text) {
                return Err(Rule::NotEmail);
            }
            if is_known { Err(Rule::Repeated) } else { Ok(text.into()) }
        });
        let topics = list(fields, &members, TOPICS, Topic::WORDS.len(), |_, text| {
            Topic::parse(text).ok_or(Rule::OneOf(Topic::WORDS))
        });
        // Each once, in the order of the list of topics.
        let topics = topics
            .map(|given: Vec<_>| Topic::ALL.into_iter().filter(|topic| given.contains(topic)).collect());
        refuse_unknown(fields, &members, &[&MEMBERS[..], &[EMAILS, TOPICS]].concat());
        Ok(Self { addresses, emails, topics })
    }
}

/// A list of texts that each `read` accepts after those before it; `None` if it is not given.
fn list<T>(
    fields: &mut Fields,
    members: &Members<'_>,
    name: &'static str,
    max: usize,
    read: impl Fn(&[T], &str) -> Result<T, Rule>,
) -> Option<Vec<T>> {
    let raw = members.get(name)?;
    let mut found = Vec::new();
    for (place, item) in fields.items(name, raw, max)?.into_iter().enumerate() {
        match text_of(item).ok_or(Rule::NotText).and_then(|text| read(&found, &text)) {
            Ok(value) => found.push(value),
            Err(rule) => fields.violation(format!("{name}.{place}"), rule),
        }
    }
    Some(found)
}
