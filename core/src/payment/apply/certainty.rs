//! How much an answer says about a charge.

use super::AttemptResult;
use crate::gateway::charge::{Outcome, Report};

/// How much an answer says about a charge that was called ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Certainty {
    /// What became of it.
    Outcome,
    /// That the gateway does not know yet.
    Undecided,
    /// Nothing, or that it can still be paid.
    Nothing,
}

impl Certainty {
    pub(super) fn of(learned: &AttemptResult) -> Self {
        match learned {
            AttemptResult::Report(Report { outcome: Outcome::Unknown, .. }) => Self::Undecided,
            AttemptResult::Report(Report { outcome: Outcome::Open { .. }, .. })
            | AttemptResult::AnswerLost
            | AttemptResult::Disputed(_)
            | AttemptResult::GivenUp => Self::Nothing,
            AttemptResult::Report(_) | AttemptResult::NeverSent(_) | AttemptResult::TakenBack(_) => {
                Self::Outcome
            }
        }
    }
}
