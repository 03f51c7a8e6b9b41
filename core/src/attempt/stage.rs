//! The life of one payment attempt: open stages, results, and the moves between them.
//!
//! The API shows only the `result`. Inside, an open attempt is *sending*, *redirected* or *unknown*, and the
//! API says `pending` for all three: what may have been charged is never called failed.

use crate::words::{pairs, word_list};
use core::fmt;

word_list! {
    /// The stage of an attempt.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Stage {
        /// Recorded; the request to the gateway may or may not have left.
        Sending = "sending",
        /// The payer was given the gateway's page.
        Redirected = "redirected",
        /// The gateway may have charged, and has not said so; it is asked until it does.
        Unknown = "unknown",
        /// The gateway confirmed the purchase or the authorization.
        Success = "success",
        /// The gateway declined.
        Failed = "failed",
        /// The payer gave up at the gateway, or the payment was withdrawn there.
        Canceled = "canceled",
        /// The request certainly never reached the gateway.
        Error = "error",
        /// Cash on delivery was acknowledged.
        Cod = "cod",
    }
}

word_list! {
    /// What is learned about an attempt.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Fact {
        /// The gateway has a page open for the payer.
        PageOpen = "page_open",
        /// No certain answer came: it may have charged.
        AnswerLost = "answer_lost",
        /// The gateway confirmed.
        Approved = "approved",
        /// The gateway declined.
        Declined = "declined",
        /// The payer gave up, or the payment was withdrawn at the gateway.
        Withdrawn = "withdrawn",
        /// The gateway certainly never got the request, or refused to accept it.
        NeverSent = "never_sent",
        /// Cash on delivery was acknowledged.
        CashAcknowledged = "cash_acknowledged",
    }
}

/// The stage after a fact; `None` if the fact says nothing new or cannot be true of an attempt in this stage.
///
/// A confirmation is always recorded, even on an attempt that ended without success before: money was taken.
/// A success never changes into anything else.
#[must_use]
pub fn advance(stage: Stage, fact: Fact) -> Option<Stage> {
    let next = match stage {
        Stage::Sending => match fact {
            Fact::PageOpen => Stage::Redirected,
            Fact::AnswerLost => Stage::Unknown,
            Fact::Approved => Stage::Success,
            Fact::Declined => Stage::Failed,
            Fact::Withdrawn => Stage::Canceled,
            Fact::NeverSent => Stage::Error,
            Fact::CashAcknowledged => Stage::Cod,
        },
        Stage::Redirected | Stage::Unknown => match fact {
            Fact::PageOpen => Stage::Redirected,
            Fact::AnswerLost => Stage::Unknown,
            Fact::Approved => Stage::Success,
            Fact::Declined => Stage::Failed,
            Fact::Withdrawn => Stage::Canceled,
            Fact::NeverSent => Stage::Error,
            Fact::CashAcknowledged => return None,
        },
        Stage::Failed | Stage::Canceled | Stage::Error => match fact {
            Fact::Approved => Stage::Success,
            Fact::PageOpen
            | Fact::AnswerLost
            | Fact::Declined
            | Fact::Withdrawn
            | Fact::NeverSent
            | Fact::CashAcknowledged => return None,
        },
        Stage::Success | Stage::Cod => return None,
    };
    (next != stage).then_some(next)
}

impl Stage {
    /// Whether the outcome is still to come. At most one attempt of a transaction is open.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Sending | Self::Redirected | Self::Unknown)
    }

    /// Whether the gateway has not said how the payer's try ended: it is open, or it was called over because nobody had
    /// paid.
    #[must_use]
    pub(crate) const fn lacks_outcome(self) -> bool {
        self.is_open() || matches!(self, Self::Canceled | Self::Error)
    }

    /// The `result` on the wire: `pending` while open.
    #[must_use]
    pub const fn result(self) -> &'static str {
        if self.is_open() { "pending" } else { self.as_str() }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Every pair of different stages between which some fact moves an attempt.
pub fn legal_moves() -> impl Iterator<Item = (Stage, Stage)> {
    pairs(Stage::ALL, |from, to| Fact::ALL.into_iter().any(|fact| advance(from, fact) == Some(to)))
}
