//! Which other way to pay a payer is offered in the same visit after a soft decline.
//!
//! Rules:
//! 1. Only after a decline that says nothing of a wrong, gone or stolen card, and only if every attempt has ended without
//!    success: nothing can have been charged.
//! 2. Another gateway of a method that declined is offered only if the settings let payments go on, with the same operation
//!    and total, and if all of its declines were soft; it comes first. The other gateways follow in the order of the page.
//! 3. Neither cash, nor a gateway that declined before or failed too often lately, nor a simulation in place of a real one
//!    or the reverse.
//! 4. One press pays: nothing is offered where terms are agreed to, and no gateway that must know more of the payer or is
//!    asked first.

use alloc::vec::Vec;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::gateway::profile::Profile;
use crate::payment::begin::{Opening, WantedPayment, may_open};
use crate::payment::payer::lacking;
use crate::payment::routing::{is_declined_softly, is_one_method, offered};
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::money::Money;
use crate::words::payment_type::PaymentType;

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

/// The gateway that is offered after the newest attempt; `None` if there is none, or nothing can be paid now.
pub(crate) fn next_way<'a>(
    transaction: &Transaction,
    situation: &'a Situation,
    tried: TriedSoFar<'_>,
) -> Option<NextWay<'a>> {
    let settings = &situation.settings;
    let is_agreed_to = match transaction.details.payment_type {
        PaymentType::OneOff => false,
        PaymentType::AutoDebit | PaymentType::SaveCard => true,
    };
    if is_agreed_to || settings.is_paused {
        return None;
    }
    let takes_one_press = |profile: &Profile| {
        profile.flexible().is_none_or(|flexible| {
            !flexible.asks_first && lacking(&transaction.details, &settings.country, flexible).is_empty()
        })
    };
    let may_begin = |profile: &Profile| {
        let wanted = WantedPayment { code: &profile.code, principal: tried.principal };
        may_open(transaction, Some(tried.latest), wanted, situation.now) == Ok(Opening::Free)
    };
    next_ways(transaction, situation, tried)
        .into_iter()
        .find(|way| takes_one_press(way.profile) && may_begin(way.profile))
}

/// The gateways that may be offered after the newest attempt, the best first.
fn next_ways<'a>(
    transaction: &Transaction,
    situation: &'a Situation,
    tried: TriedSoFar<'_>,
) -> Vec<NextWay<'a>> {
    let TriedSoFar { latest, attempts, principal } = tried;
    if !is_declined_softly(latest) || !attempts.iter().chain([latest]).all(Attempt::is_unpaid) {
        return Vec::new();
    }
    let settings = &situation.settings;
    let goes_on = settings.routing.as_ref().is_some_and(|routing| routing.goes_on);
    let has_declined = |one: &&Attempt| one.stage == Stage::Failed;
    let declined: Vec<(&Profile, bool)> = [latest]
        .into_iter()
        .chain(attempts.iter().filter(has_declined))
        .filter_map(|one| Some((settings.gateway(&one.pg_code)?, is_declined_softly(one))))
        .collect();
    let may_replace = |(one, is_soft): (&Profile, bool), other: &Profile| {
        goes_on
            && is_soft
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
                && declined.iter().all(|one| !is_one_method(one.0, profile) || may_replace(*one, profile))
        })
        .map(|profile| NextWay {
            profile,
            is_same: declined.first().is_some_and(|(declined, _)| is_one_method(declined, profile)),
        })
        .collect();
    ways.sort_by_key(|way| !way.is_same);
    ways
}
