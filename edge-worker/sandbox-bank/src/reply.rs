//! How the bank replies.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use checkout_core::gateway::exchange::Incoming;
use serde::Serialize;

/// What comes back to the sender of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// An answer.
    Answer(Incoming),
    /// An answer that comes after two seconds.
    Late(Incoming),
    /// None, ever: the sender's time runs out.
    Silence,
}

#[derive(Serialize)]
struct Refusal<'a> {
    message: &'a str,
}

/// The message of a bank that did what it was asked and fails to say so.
pub(crate) const FAULT: &str = "the bank has a fault";

/// An answer in JSON.
pub(crate) fn json(status: u16, body: Vec<u8>) -> Reply {
    let headers = vec![("content-type".into(), "application/json".into())];
    Reply::Answer(Incoming { query: String::new(), status, headers, body })
}

/// An answer that says what is wrong.
pub(crate) fn refused(status: u16, message: &str) -> Reply {
    json(status, to_json(&Refusal { message }))
}

/// Texts always serialise.
pub(crate) fn to_json(body: &impl Serialize) -> Vec<u8> {
    serde_json::to_string(body).unwrap_or_default().into_bytes()
}

/// The bank sends payers and callbacks to no other installation, so nobody can use it to reach other hosts.
pub(crate) fn is_own(url: &str, public_url: &str) -> bool {
    const MAX_CHARS: usize = 2_000;
    let is_plain = |character: char| character.is_ascii_graphic() && character != '\\';
    url.len() <= MAX_CHARS
        && url.strip_prefix(public_url).is_some_and(|path| path.starts_with('/'))
        && url.chars().all(is_plain)
}

/// An id with its prefix.
pub(crate) fn id_of(prefix: &str, nonce: &[u8; 16]) -> String {
    let mut id = String::from(prefix);
    id.push_str(&hex::encode(nonce));
    id
}
