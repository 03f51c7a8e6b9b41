//! How the bank answers, and which addresses it sends to.

use checkout_core::gateway::exchange::Incoming;

use super::SimulatedAnswer;

/// The bank sends payers and callbacks nowhere else, so nobody can use it to reach other hosts.
pub(super) fn is_own(url: &str, public_url: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_graphic() && character != '\\';
    url.strip_prefix(public_url).is_some_and(|path| path.starts_with('/')) && url.chars().all(is_plain)
}

pub(super) fn refused(status: u16, message: &str) -> SimulatedAnswer {
    json(status, serde_json::json!({ "message": message }).to_string().into_bytes())
}

pub(super) fn json(status: u16, body: Vec<u8>) -> SimulatedAnswer {
    let headers = vec![("content-type".into(), "application/json".into())];
    SimulatedAnswer::Answer(Incoming { status, headers, body })
}
