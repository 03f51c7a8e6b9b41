//! A merchant session of Apple Pay: requested from the bank, which simulates Apple as well.

use alloc::string::String;

use serde::Serialize;
use serde_json::value::RawValue;

use super::read::words;
use crate::gateway::exchange::Incoming;
use crate::gateway::wallet::{SessionAnswer, SessionOrder};

/// The most bytes of a session that are passed on.
const MAX_SESSION_BYTES: usize = 16_384;

/// The request for a session, in the wire format.
#[derive(Serialize)]
pub(super) struct SandboxSessionRequest<'a> {
    merchant_id: &'a str,
    display_name: &'a str,
    domain: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_url: Option<&'a str>,
}

impl<'a> SandboxSessionRequest<'a> {
    pub(super) fn of(order: &'a SessionOrder) -> Self {
        Self {
            merchant_id: &order.merchant_id,
            display_name: &order.shop_name,
            domain: &order.domain,
            validation_url: order.validation_url.as_deref(),
        }
    }
}

/// The session, if the bank answers with one.
pub(super) fn read_session(answer: &Incoming) -> SessionAnswer {
    let is_issued = answer.status == 200 && answer.body.len() <= MAX_SESSION_BYTES;
    let session = serde_json::from_slice::<&RawValue>(&answer.body).ok();
    match session.filter(|session| is_issued && session.get().starts_with('{')) {
        Some(session) => SessionAnswer::Issued(String::from(session.get())),
        None => SessionAnswer::Refused(words(&answer.body)),
    }
}
