//! Which other way to pay a payer is offered in the same visit after a soft decline.
//!
//! Rules:
//! 1. Only after a decline that says nothing of a wrong, gone or stolen card, and only if every attempt has ended without
//!    success: nothing can have been charged.
//! 2. Another gateway of a method that declined is offered only if the settings let payments go on, with the same operation
//!    and total; it comes first. The other gateways follow in the order of the page.
//! 3. Neither cash, nor a gateway that declined before or failed too often lately, nor a simulation in place of a real one
//!    or the reverse.

use alloc::vec::Vec;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::gateway::profile::Profile;
use crate::payment::routing::{is_declined_softly, is_one_method, offered};
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::money::Money;

/// What was tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriedSoFar<'a> {
    /// The newest attempt.
    pub(crate) latest: &'a Attempt,
    /// All attempts.
    pub(crate) attempts: &'a [Attempt],
    /// How much the payer wants to pay.
    pub(crate) principal: Money,
}

/// A gateway that may be offered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NextWay<'a> {
    /// The gateway.
    pub(crate) profile: &'a Profile,
    /// Whether it is the same payment method as the declined one.
    pub(crate) is_same: bool,
}

/// The gateways that may be offered after the newest attempt, the best first.
pub(crate) fn next_ways<'a>(
    transaction: &Transaction,
    situation: &'a Situation,
    tried: TriedSoFar<'_>,
) -> Vec<NextWay<'a>> {
    let TriedSoFar { latest, attempts, principal } = tried;
    let is_unpaid = |one: &Attempt| matches!(one.stage, Stage::Failed | Stage::Canceled | Stage::Error);
    if !is_declined_softly(latest) || !attempts.iter().all(is_unpaid) {
        return Vec::new();
    }
    let settings = &situation.settings;
    let goes_on = settings.routing.as_ref().is_some_and(|routing| routing.goes_on);
    let has_declined = |one: &&Attempt| one.stage == Stage::Failed;
    let declined: Vec<&Profile> = [latest]
        .into_iter()
        .chain(attempts.iter().filter(has_declined))
        .filter_map(|one| settings.gateway(&one.pg_code))
        .collect();
    let may_replace = |one: &Profile, other: &Profile| {
        goes_on
            && one.code != other.code
            && one.operation == other.operation
            && one.quote(principal) == other.quote(principal)
    };
    let mut ways: Vec<NextWay<'_>> = offered(transaction, situation)
        .map(|(profile, _)| profile)
        .filter(|profile| {
            !profile.is_cash()
                && profile.sandbox == latest.is_sandbox
                && !situation.is_skipped(&profile.code)
                && profile.quote(principal).is_some()
                && declined.iter().all(|one| !is_one_method(one, profile) || may_replace(one, profile))
        })
        .map(|profile| NextWay {
            profile,
            is_same: declined.first().is_some_and(|declined| is_one_method(declined, profile)),
        })
        .collect();
    ways.sort_by_key(|way| !way.is_same);
    ways
}
