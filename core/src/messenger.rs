//! The protocols of the providers that carry messages to payers. A provider is a pure codec, as a gateway is: it builds a
//! request and reads an answer, and never sends.

pub mod letter;
mod meta;
mod postmark;
pub mod provider;
mod resend;
pub mod sandbox;
mod twilio;
mod unifonic;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use self::letter::Letter;
use crate::gateway::credentials::{CredentialField, Credentials};
use crate::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;
use crate::wire::tree::Tree;
use crate::words::message::{Channel, Fate};

/// The most characters of what a provider says that are stored.
const MAX_DETAIL: usize = 200;
/// The most characters of a provider's id of a message.
const MAX_ID: usize = 200;

/// The account of a merchant at a provider, opened for one exchange.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessengerAccount {
    /// From whom messages come: an e-mail address, a telephone number or a name that the provider knows.
    pub from: String,
    /// The address at which the provider reports.
    pub callback: String,
    /// The credentials, with the address of the provider if it is not the usual one.
    pub credentials: Credentials,
}

/// What a provider answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderAnswer {
    /// It took the message, under this id.
    Accepted(Option<String>),
    /// It will never take it, for this reason.
    Refused(String),
    /// It surely did not take it, and may do so later.
    Again(Option<Duration>),
    /// It may have taken it.
    Unknown,
}

/// What a provider reports of a message later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageReport {
    /// Our id of the message, if the provider repeats it: a report may come before the answer that names the provider's.
    pub id: Option<DeliveryId>,
    /// The provider's id of the message.
    pub provider_id: String,
    /// What became of it.
    pub fate: Fate,
    /// What the provider says about it.
    pub detail: Option<String>,
}

/// A request in which a provider reports.
#[derive(Debug, Clone, Copy)]
pub struct ReportRequest<'a> {
    /// The request.
    pub request: &'a Incoming,
    /// The address at which it came, as the provider was given it.
    pub url: &'a str,
    /// Now.
    pub now: Timestamp,
}

/// A protocol.
pub trait Messenger {
    /// The request that sends a message.
    fn request(&self, letter: &Letter) -> Outgoing;

    /// What the answer to it says.
    fn read(&self, answer: &Incoming, now: Timestamp) -> ProviderAnswer;

    /// What the provider wants to read from an address before it reports to it; `None` if it does not ask.
    fn challenge(&self, _: &Incoming) -> Option<String> {
        None
    }

    /// What the provider reports; `None` if the request is not the provider's.
    fn read_reports(&self, reported: &ReportRequest<'_>) -> Option<Vec<MessageReport>>;
}

/// How a protocol begins.
pub type Connect = fn(MessengerAccount) -> Box<dyn Messenger>;

/// What a provider is.
#[derive(Clone, Copy)]
pub struct ProviderDeclaration {
    /// The channels that it has.
    pub channels: &'static [Channel],
    /// What it needs to act for a merchant.
    pub credentials: &'static [CredentialField],
    /// Whether the same message sent twice under its id reaches the payer once.
    pub repeats_safely: bool,
    /// How its protocol begins.
    pub connect: Connect,
}

/// A request with a JSON body.
fn json_request(url: String, mut headers: Vec<(&'static str, String)>, body: &Tree<'_>) -> Outgoing {
    headers.push(("content-type", "application/json".into()));
    headers.push(("user-agent", concat!("Till/", env!("CARGO_PKG_VERSION")).into()));
    Outgoing {
        method: HttpMethod::Post,
        url,
        headers,
        body: body.to_json().into_bytes(),
        max_answer: Outgoing::MAX_ANSWER,
    }
}

/// A request with the fields of a form.
fn form_request(
    url: String,
    mut headers: Vec<(&'static str, String)>,
    fields: &[(&'static str, String)],
) -> Outgoing {
    headers.push(("content-type", "application/x-www-form-urlencoded".into()));
    headers.push(("user-agent", concat!("Till/", env!("CARGO_PKG_VERSION")).into()));
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish().into_bytes();
    Outgoing { method: HttpMethod::Post, url, headers, body, max_answer: Outgoing::MAX_ANSWER }
}

/// What a status says if nothing in the body says more: a success has the id that `id` finds.
fn read_answer(
    answer: &Incoming,
    now: Timestamp,
    id: impl FnOnce(&Tree<'_>) -> Option<String>,
) -> ProviderAnswer {
    let text = core::str::from_utf8(&answer.body).unwrap_or_default();
    match answer.status {
        200..=299 => {
            ProviderAnswer::Accepted(Tree::parse(text).as_ref().and_then(id).map(|id| bounded(&id, MAX_ID)))
        }
        429 | 503 => ProviderAnswer::Again(
            answer
                .header("retry-after")
                .and_then(|text| crate::webhook::delivery::parse_retry_after(text, now)),
        ),
        400..=499 => {
            ProviderAnswer::Refused(bounded(&alloc::format!("status {}: {text}", answer.status), MAX_DETAIL))
        }
        _ => ProviderAnswer::Unknown,
    }
}

/// A text of a provider as it is stored: one line of so many characters.
fn bounded(text: &str, max: usize) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).take(max).collect()
}

/// An object of texts.
fn object<'a, const N: usize>(members: [(&'static str, Tree<'a>); N]) -> Tree<'a> {
    Tree::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

/// A text.
fn text(value: &str) -> Tree<'_> {
    Tree::Text(value.into())
}
