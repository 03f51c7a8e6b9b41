//! The life of one payment attempt: open stages, results, and the moves between them.
//!
//! The API shows only the `result`. Inside, an open attempt is *sending*, *redirected* or *unknown*, and the
//! API says `pending` for all three: what may have been charged is never called failed.

use core::fmt;

/// The stage of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Recorded; the request to the gateway may or may not have left.
    Sending,
    /// The payer was given the gateway's page.
    Redirected,
    /// The gateway may have charged, and has not said so; it is asked until it does.
    Unknown,
    /// The gateway confirmed the purchase or the authorization.
    Success,
    /// The gateway declined.
    Failed,
    /// The payer gave up at the gateway, or the payment was withdrawn there.
    Canceled,
    /// The request certainly never reached the gateway.
    Error,
    /// Cash on delivery was acknowledged.
    Cod,
}

/// What is learned about an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The gateway has a page open for the payer.
    PageOpen,
    /// No certain answer came: it may have charged.
    AnswerLost,
    /// The gateway confirmed.
    Approved,
    /// The gateway declined.
    Declined,
    /// The payer gave up, or the payment was withdrawn at the gateway.
    Withdrawn,
    /// The gateway certainly never got the request, or refused to accept it.
    NeverSent,
    /// Cash on delivery was acknowledged.
    CashAcknowledged,
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
    /// Every stage.
    pub const ALL: [Self; 8] = [
        Self::Sending,
        Self::Redirected,
        Self::Unknown,
        Self::Success,
        Self::Failed,
        Self::Canceled,
        Self::Error,
        Self::Cod,
    ];

    /// The word in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sending => "sending",
            Self::Redirected => "redirected",
            Self::Unknown => "unknown",
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
            Self::Error => "error",
            Self::Cod => "cod",
        }
    }

    /// The stage that the word in the database names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.as_str() == word)
    }

    /// Whether the outcome is still to come. At most one attempt of a transaction is open.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Sending | Self::Redirected | Self::Unknown)
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

impl Fact {
    /// Every fact, for tests and for generating the trigger.
    pub const ALL: [Self; 7] = [
        Self::PageOpen,
        Self::AnswerLost,
        Self::Approved,
        Self::Declined,
        Self::Withdrawn,
        Self::NeverSent,
        Self::CashAcknowledged,
    ];

    /// A stable word for test vectors.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PageOpen => "page_open",
            Self::AnswerLost => "answer_lost",
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
            Self::NeverSent => "never_sent",
            Self::CashAcknowledged => "cash_acknowledged",
        }
    }
}

/// Every pair of different stages between which some fact moves an attempt.
pub fn legal_moves() -> impl Iterator<Item = (Stage, Stage)> {
    Stage::ALL.into_iter().flat_map(|from| {
        Stage::ALL.into_iter().filter_map(move |to| {
            Fact::ALL.into_iter().any(|fact| advance(from, fact) == Some(to)).then_some((from, to))
        })
    })
}
