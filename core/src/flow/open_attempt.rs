//! Opening an attempt and charging it: what the hosted page and the native operations share.

use alloc::rc::Rc;

use super::settle::{Arrived, Settled, notify, open_charge, settle};
use super::{Failure, now_of};
use crate::answer::payload::Cause;
use crate::attempt::stage::Stage;
use crate::card::usage::CardUse;
use crate::change::AttemptWrite;
use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::gateway::profile::Profile;
use crate::payment::apply::Occasion;
use crate::payment::begin::begin;
use crate::payment::limit::LIMITS;
use crate::port::{CommitError, PortError, Record, Rng, Store, World};
use crate::record::idempotency::StoredAnswer;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::value::id::{DeliveryId, ReferenceNumber};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::Language;

/// How somebody wants to pay.
pub(crate) struct Wish<'a> {
    /// Through which gateway.
    pub(crate) profile: &'a Profile,
    /// How much of the transaction's amount.
    pub(crate) principal: Money,
    /// In which form.
    pub(crate) form: FormOfPayment,
    /// The kept card that is charged.
    pub(crate) card: Option<CardUse>,
    /// Under which reference; drawn where it is `None`.
    pub(crate) reference: Option<ReferenceNumber>,
    /// What is stored with the attempt for the same request, if it comes again.
    pub(crate) claim: Option<StoredAnswer>,
}

impl<'a> Wish<'a> {
    /// A wish without an idempotency key.
    pub(crate) const fn of(profile: &'a Profile, principal: Money, form: FormOfPayment) -> Self {
        Self { profile, principal, form, card: None, reference: None, claim: None }
    }
}

/// An attempt that exists.
pub(crate) struct Begun {
    /// The transaction with it.
    pub(crate) record: Record,
    /// The notification about it, where it is acknowledged at once.
    pub(crate) delivery: Option<DeliveryId>,
}

/// A reference for a new attempt of a merchant.
pub(crate) fn draw_reference(
    world: &impl World,
    settings: &MerchantSettings,
) -> Result<ReferenceNumber, PortError> {
    let mut random = [0; 8];
    world.rng().fill(&mut random)?;
    Ok(ReferenceNumber::generate(&settings.reference_prefix, random))
}

/// Whether another attempt may begin now. Asked before a page that waits is withdrawn, because withdrawing asks a gateway, too.
///
/// # Errors
/// [`Rejection::TooManyAttempts`], or a failure of the world.
pub(crate) async fn may_try(world: &impl World, record: &Record, now: Timestamp) -> Result<(), Failure> {
    let Some(latest) = &record.attempt else { return Ok(()) };
    for limit in LIMITS {
        let Some(number) = limit.oldest(latest) else { continue };
        if let Some(opened_at) = world.store().opened_at(&latest.session_id, number).await? {
            limit.check(opened_at, now)?;
        }
    }
    Ok(())
}

/// Commit 1: the attempt exists, and with it the claim of its idempotency key, before the gateway hears of it.
///
/// # Errors
/// [`Rejection::Paused`] where the merchant is;
/// [`Rejection::AttemptInProgress`] where another attempt, or the same request, came first.
pub(crate) async fn open_attempt(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    wish: Wish<'_>,
) -> Result<Begun, Failure> {
    settings.takes_payments()?;
    let reference = match wish.reference {
        Some(reference) => reference,
        None => draw_reference(world, settings)?,
    };
    let now = now_of(world, settings);
    let terms = (wish.profile, wish.principal, wish.form);
    let mut change = begin(&record.transaction, record.attempt.as_ref(), terms, reference, now)?;
    change.answer = wish.claim;
    if let (Some(card), Some(AttemptWrite::Open(attempt))) = (wish.card, &mut change.attempt) {
        attempt.card = card;
    }
    let is_settled = change.attempt.as_ref().is_some_and(|write| !write.attempt().stage.is_open());
    if is_settled {
        notify(world, &mut change, settings, (Cause::Other, None))?;
    }
    match world.store().commit(&change).await {
        Ok(()) => {
            let delivery = change.deliveries.first().map(|delivery| delivery.id.clone());
            let attempt = change.attempt.map(|write| write.attempt().clone());
            Ok(Begun { record: Record { transaction: change.transaction, attempt }, delivery })
        }
        Err(CommitError::Conflict | CommitError::KeyTaken) => Err(Rejection::AttemptInProgress.into()),
        Err(CommitError::Failed(error)) => Err(error.into()),
    }
}

/// Asks the gateway to charge an attempt that is being sent, and stores what it said (commit 2); one that has its
/// result already, as cash has, stays as it is.
pub(crate) async fn charge_attempt(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
    profile: &Profile,
    with: (Instrument, Option<Language>),
) -> Result<Settled, Failure> {
    let Some(attempt) = record.attempt.clone().filter(|attempt| attempt.stage == Stage::Sending) else {
        return Ok(Settled { record, delivery: None });
    };
    let learned = open_charge(world, settings, profile, (&record.transaction, &attempt), with).await?;
    let arrived = Arrived { learned, occasion: Occasion::Opening, cause: Cause::Other };
    settle(world, record, settings, arrived).await
}
