//! The one sequence in which money is charged: what waits elsewhere is withdrawn, the attempt is stored, the gateway is
//! asked, and its answer is stored. The hosted page, SDKs and the native operations share it.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

use super::settle::{Arrived, Settled, notify, open_charge, settle, withdraw};
use super::{Failure, now_of};
use crate::answer::payload::Cause;
use crate::attempt::stage::Stage;
use crate::card::usage::CardUse;
use crate::change::AttemptWrite;
use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::gateway::profile::Profile;
use crate::payment::apply::Occasion;
use crate::payment::begin::{Opening, begin, may_open};
use crate::payment::limit::LIMITS;
use crate::port::{CommitError, PortError, Record, Rng, Store, World};
use crate::record::idempotency::StoredAnswer;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::value::id::{DeliveryId, PgCode, ReferenceNumber};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::words::Language;

/// How someone wants to pay.
pub(crate) struct Wish<'a> {
    /// The gateway.
    pub(crate) profile: &'a Profile,
    /// How much of the transaction's amount.
    pub(crate) principal: Money,
    /// The form of payment.
    pub(crate) form: FormOfPayment,
    /// The saved card that is charged.
    pub(crate) card: Option<CardUse>,
    /// The reference; generated if it is `None`.
    pub(crate) reference: Option<ReferenceNumber>,
    /// What is stored with the attempt for the same request, if it comes again.
    pub(crate) claim: Option<StoredAnswer>,
}

impl<'a> Wish<'a> {
    /// Without an idempotency key.
    pub(crate) const fn of(profile: &'a Profile, principal: Money, form: FormOfPayment) -> Self {
        Self { profile, principal, form, card: None, reference: None, claim: None }
    }
}

/// An attempt that exists.
struct Begun {
    /// The transaction with the attempt.
    record: Record,
    /// The notification about it, if it is acknowledged at once.
    delivery: Option<DeliveryId>,
}

/// An attempt about which its gateway was asked, and the notifications that came with it.
pub(crate) struct Charged {
    /// The transaction with the attempt.
    pub(crate) record: Record,
    /// The one about the attempt that was withdrawn for it.
    pub(crate) withdrawn: Option<DeliveryId>,
    /// The one about the attempt itself.
    pub(crate) delivery: Option<DeliveryId>,
}

impl Charged {
    /// The transaction, and all notifications in order.
    pub(crate) fn into_parts(self) -> (Record, Vec<DeliveryId>) {
        (self.record, self.withdrawn.into_iter().chain(self.delivery).collect())
    }
}

/// Withdraws what waits for the payer on a page, and pays as [`charge_new`] does.
pub(crate) async fn replace_and_charge(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    wish: Wish<'_>,
    using: (Instrument, Option<Language>),
) -> Result<Charged, Failure> {
    let amount = record.transaction.amount;
    let (record, withdrawn) =
        make_room(world, record, settings, (&wish.profile.code, wish.principal)).await?;
    // The merchant may have changed it while the page was withdrawn: what is charged was agreed on before.
    if record.transaction.amount != amount {
        return Err(Rejection::Conflict.into());
    }
    let charged = charge_new(world, record, settings, wish, using).await?;
    Ok(Charged { withdrawn, ..charged })
}

/// Begins an attempt (commit 1), asks its gateway to charge, and stores the answer (commit 2).
pub(crate) async fn charge_new(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    wish: Wish<'_>,
    using: (Instrument, Option<Language>),
) -> Result<Charged, Failure> {
    let profile = wish.profile;
    let begun = open_attempt(world, record, settings, wish).await?;
    // Boxed: the caller may be deep in a payment.
    let settled = Box::pin(charge_attempt(world, begun.record, settings, profile, using)).await?;
    Ok(Charged { record: settled.record, withdrawn: None, delivery: begun.delivery.or(settled.delivery) })
}

/// Generates a reference for a new attempt of a merchant.
pub(crate) fn draw_reference(
    world: &impl World,
    settings: &MerchantSettings,
) -> Result<ReferenceNumber, PortError> {
    let mut random = [0; 8];
    world.rng().fill(&mut random)?;
    Ok(ReferenceNumber::generate(&settings.reference_prefix, random))
}

/// Whether another attempt may begin now. Checked before a page that waits is withdrawn, because withdrawing
/// asks a gateway, too.
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

/// Commit 1: the attempt exists, and with it the claim of its idempotency key, before the gateway is asked
/// anything.
///
/// # Errors
/// [`Rejection::Paused`] if the merchant is paused; [`Rejection::AttemptInProgress`] if another attempt, or
/// the same request, came first.
async fn open_attempt(
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
            let delivery = change.message_ids().next();
            let attempt = change.attempt.map(|write| write.attempt().clone());
            Ok(Begun { record: Record { transaction: change.transaction, attempt }, delivery })
        }
        Err(CommitError::Conflict | CommitError::KeyTaken) => Err(Rejection::AttemptInProgress.into()),
        Err(CommitError::Failed(error)) => Err(error.into()),
    }
}

/// Asks the gateway to charge an attempt that is being sent, and stores its answer (commit 2); one that has
/// its result already, such as cash, stays as it is.
async fn charge_attempt(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
    profile: &Profile,
    using: (Instrument, Option<Language>),
) -> Result<Settled, Failure> {
    let Some(attempt) = record.attempt.clone().filter(|attempt| attempt.stage == Stage::Sending) else {
        return Ok(Settled { record, delivery: None });
    };
    let learned = open_charge(world, settings, profile, (&record.transaction, &attempt), using).await?;
    let arrived = Arrived { learned, occasion: Occasion::Opening, cause: Cause::Other };
    settle(world, record, settings, arrived).await
}

/// Withdraws an attempt that waits for the payer on its gateway's page; the outcome of the attempt then
/// decides.
async fn make_room(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
    wish: (&PgCode, Money),
) -> Result<(Record, Option<DeliveryId>), Failure> {
    settings.takes_payments()?;
    let now = now_of(world, settings);
    let opening = may_open(&record.transaction, record.attempt.as_ref(), wish, now)?;
    may_try(world, &record, now).await?;
    match opening {
        Opening::Free => return Ok((record, None)),
        Opening::Resume | Opening::Replace => {}
    }
    if record.attempt.as_ref().is_some_and(|attempt| !attempt.permits_retry) {
        return Err(Rejection::AttemptInProgress.into());
    }
    let withdrawn = withdraw(world, record, settings).await?;
    match withdrawn.record.attempt.as_ref().map(|attempt| attempt.stage) {
        Some(Stage::Sending | Stage::Redirected | Stage::Unknown) | None => {
            Err(Rejection::AttemptInProgress.into())
        }
        // Paid in the meantime: refused like any request to pay something that is paid.
        Some(Stage::Success | Stage::Cod | Stage::Canceled | Stage::Failed | Stage::Error) => {
            let now = now_of(world, settings);
            let Record { transaction, attempt } = &withdrawn.record;
            may_open(transaction, attempt.as_ref(), wish, now)?;
            Ok((withdrawn.record, withdrawn.delivery))
        }
    }
}
