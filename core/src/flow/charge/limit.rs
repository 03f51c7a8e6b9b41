//! How often a payment may be tried: how many attempts of one transaction, and how many declines of one transaction and
//! from one address. All openings of attempts ask here first.
//!
//! Decisions: an address counts only where the payer's own device calls, because every payment that a merchant's server
//! makes comes from the address of that server; and once more in the batch that stores the attempt ([`PayerClaim`]), because
//! payments that are begun at the same moment all find room. Attempts that had begun when a limit was reached end as they do. Nothing
//! that may have been charged comes here: its outcome is asked for, reported and shown without a limit.

use alloc::boxed::Box;

use crate::change::PayerClaim;
use crate::flow::Failure;
use crate::payment::card_testing::{MOST_TRIED, Reached, besides, first_limited, of_address, of_session};
use crate::payment::limit::LIMITS;
use crate::port::{Limited, Payers, Record, Store, World};
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;
use crate::value::digest::digest;
use crate::value::id::SessionId;

/// Whether another attempt may begin now. Checked before a page that waits is withdrawn, because withdrawing
/// asks a gateway, too.
///
/// # Errors
/// [`Rejection::TooManyAttempts`], [`Rejection::TooManyDeclines`], or a failure of the world.
pub(crate) async fn may_try(
    world: &impl World,
    record: &Record,
    situation: &Situation,
) -> Result<(), Failure> {
    let (settings, now) = (&situation.settings, situation.now);
    if let Some(latest) = &record.attempt {
        for limit in LIMITS {
            let Some(number) = limit.oldest(latest) else { continue };
            if let Some(opened_at) =
                world.ledger(&latest.session_id).opened_at(&latest.session_id, number).await?
            {
                limit.check(opened_at, now).inspect_err(|refused| {
                    note(world, settings, "session_attempts", refused.retry_after().unwrap_or_default());
                })?;
            }
        }
        if first_limited(&settings.limits).is_some_and(|first| latest.number >= first) {
            let attempts = world.ledger(&latest.session_id).attempts(&latest.session_id).await?;
            refuse(world, settings, of_session(&attempts, &settings.limits, now))?;
        }
    }
    match claim(world, situation) {
        Some(claim) => may_try_from(world, situation, &record.transaction.session_id, &claim).await,
        None => Ok(()),
    }
}

/// Whether a payer may try another payment, with an attempt of this transaction.
///
/// # Errors
/// [`Rejection::TooManyDeclines`], or a failure of the world.
pub(crate) async fn may_try_from(
    world: &impl World,
    situation: &Situation,
    own: &SessionId,
    claim: &PayerClaim,
) -> Result<(), Failure> {
    let settings = &situation.settings;
    let since = claim.since();
    let tried = world
        .ledger(&settings.merchant)
        .tried_by(&settings.merchant, &claim.payer, since, MOST_TRIED)
        .await?;
    refuse(world, settings, of_address(&besides(tried, own), &claim.limits, claim.at))
}

fn refuse(world: &impl World, settings: &MerchantSettings, reached: Option<Reached>) -> Result<(), Failure> {
    let Some(Reached { limit, retry_after }) = reached else { return Ok(()) };
    note(world, settings, limit.as_str(), retry_after);
    Err(Rejection::TooManyDeclines { retry_after }.into())
}

fn note(world: &impl World, settings: &MerchantSettings, limit: &'static str, retry_after: u64) {
    world.limited(&Limited { limit, merchant: Some(&settings.merchant), retry_after });
}

/// The claim of the payer whose own device calls. Their address is stored with an attempt as a hash that is another one at
/// each merchant. `None` if a server calls, the address is not known, or the merchant counts nothing by address.
pub(crate) fn claim(world: &impl World, situation: &Situation) -> Option<Box<PayerClaim>> {
    let Situation { settings, now: at, .. } = situation;
    let limits = settings.limits;
    let network = world
        .scope()
        .payer_network()
        .filter(|_| limits.address_declines > 0 || limits.address_sessions > 0)?;
    let payer = digest(&["payer", settings.merchant.as_str(), &alloc::format!("{network}")]);
    Some(Box::new(PayerClaim { payer, limits, at: *at }))
}
