//! How much an answer says about a charge.

use super::Learned;
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
    pub(super) fn of(learned: &Learned) -> Self {
        match learned {
            Learned::Report(Report { outcome: Outcome::Unknown, .. }) => Self::Undecided,
            Learned::Report(Report { outcome: Outcome::Open { .. }, .. })
            | Learned::AnswerLost
            | Learned::GivenUp => Self::Nothing,
            Learned::Report(_) | Learned::NeverSent(_) | Learned::TakenBack(_) => Self::Outcome,
        }
    }
}
