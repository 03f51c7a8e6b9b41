//! The errors of Stripe.

use alloc::string::String;

use super::raw::shown;
use crate::gateway::exchange::Incoming;
use crate::wire::object::Object;

/// An error, in an answer or at an intent.
pub(super) struct StripeFault {
    /// The kind, such as `card_error`.
    pub(super) kind: String,
    pub(super) code: Option<String>,
    pub(super) decline_code: Option<String>,
    pub(super) advice_code: Option<String>,
    /// The words of Stripe, without what is private.
    pub(super) message: Option<String>,
}

impl StripeFault {
    /// Reads the members of an error.
    pub(super) fn read(error: &mut Object<'_>) -> Self {
        Self {
            kind: error.text("type"),
            code: error.optional_text("code"),
            decline_code: error.optional_text("decline_code"),
            advice_code: error.optional_text("advice_code"),
            message: error.optional_text("message").as_deref().and_then(shown),
        }
    }

    /// The error in an answer; `None` if there is none that can be read.
    pub(super) fn of(body: &[u8]) -> Option<Self> {
        Object::read(body, |answer| answer.object("error", Self::read))?
    }

    pub(super) fn is_code(&self, code: &str) -> bool {
        self.code.as_deref() == Some(code)
    }
}

/// What an answer that is no success says for certain.
pub(super) enum FaultVerdict {
    /// The bank or Stripe declined the card (402).
    Declined(StripeFault),
    /// The request was refused, and nothing was done.
    Refused(StripeFault),
    /// Nothing: the gateway was too busy, or does not know, or it is not certain that the answer is Stripe's.
    Nothing,
}

/// What an answer that is no success says. An error whose kind does not fit the status says nothing.
pub(super) fn verdict(answer: &Incoming) -> FaultVerdict {
    let Some(fault) = StripeFault::of(&answer.body) else { return FaultVerdict::Nothing };
    match (answer.status, fault.kind.as_str()) {
        (402, "card_error") => FaultVerdict::Declined(fault),
        // The same key with other content means that an earlier request arrived: `idempotency_error` says nothing.
        (400 | 404, "invalid_request_error") | (401 | 403, _) => FaultVerdict::Refused(fault),
        _ => FaultVerdict::Nothing,
    }
}

/// The words of the error in an answer.
pub(super) fn message_of(body: &[u8]) -> Option<String> {
    StripeFault::of(body)?.message
}
