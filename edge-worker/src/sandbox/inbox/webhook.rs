//! A webhook in an inbox, and what the inbox answers.

use std::collections::BTreeMap;

use checkout_core::value::time::Timestamp;

/// What an inbox answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::sandbox) enum InboxAnswer {
    /// 200: accepted, and the payer is redirected.
    #[default]
    Ok,
    /// 201: accepted, and the payer stays.
    Created,
    /// 500: not accepted.
    Error,
    /// Nothing.
    Hang,
}

impl InboxAnswer {
    /// In the order in which they are offered.
    pub(in crate::sandbox) const ALL: [Self; 4] = [Self::Ok, Self::Created, Self::Error, Self::Hang];

    /// The word of forms and tables.
    pub(in crate::sandbox) const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "200",
            Self::Created => "201",
            Self::Error => "500",
            Self::Hang => "hang",
        }
    }

    /// The answer that a word names.
    pub(in crate::sandbox) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|answer| answer.as_str() == word)
    }

    /// The HTTP status; `None` for no answer.
    pub(super) const fn status(self) -> Option<u16> {
        match self {
            Self::Ok => Some(200),
            Self::Created => Some(201),
            Self::Error => Some(500),
            Self::Hang => None,
        }
    }
}

/// What an inbox has.
pub(super) struct Inbox {
    /// What it answers.
    pub(super) answer: InboxAnswer,
    /// The newest webhooks.
    pub(super) webhooks: Vec<Webhook>,
}

/// A webhook that was received.
pub(in crate::sandbox) struct Webhook {
    /// When.
    pub(in crate::sandbox) received_at: Timestamp,
    /// What it was answered.
    pub(in crate::sandbox) answered: InboxAnswer,
    /// The stored headers, by name.
    pub(in crate::sandbox) headers: BTreeMap<String, String>,
    /// The body, as text.
    pub(in crate::sandbox) body: String,
}
