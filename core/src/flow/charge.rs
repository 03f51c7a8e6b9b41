//! The one sequence in which money is charged: what waits elsewhere is withdrawn, the attempt is stored, the gateway is
//! asked, and its answer is stored. The hosted page, SDKs and the native operations share it.

mod card;
pub(crate) mod once;
mod open;
mod routed;

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::inquire::withdraw;
use super::limit::{claim, may_try, may_try_from};
use super::notify::{Notice, notify};
use super::routing::seen;
use super::settle::{Arrived, Settled, settle};
use super::{Failure, generate, now_of};
use crate::answer::payload::Cause;
use crate::attempt::stage::Stage;
use crate::card::agreement::CycleClaim;
use crate::card::usage::CardUse;
use crate::change::{AttemptWrite, Change};
use crate::checkout::page::ConsentText;
use crate::flow::commit::store;
use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::gateway::profile::Profile;
use crate::gateway::shown::ShownPrice;
use crate::gateway::terms::Quote;
use crate::payment::apply::Occasion;
use crate::payment::begin::{Opening, Terms, WantedPayment, begin, may_open};
use crate::payment::routing::Route;
use crate::port::{Cards, CommitError, Record, Store, World};
use crate::record::consent::Consent;
use crate::record::decision::Decision;
use crate::record::idempotency::StoredAnswer;
use crate::rejection::Rejection;
use crate::rejection::refusal::Breach;
use crate::settings::MerchantSettings;
use crate::strings::consent::VERSION;
use crate::transaction::Transaction;
use crate::value::id::{DeliveryId, ReferenceNumber};
use crate::value::money::Money;
use crate::violation::{CardRule, Rule, Violation};
use crate::words::Language;

pub(crate) use routed::charge_routed;

/// How an attempt is to be paid.
pub(crate) struct Plan<'a> {
    /// The gateway.
    pub(crate) profile: &'a Profile,
    /// How much of the transaction's amount.
    pub(crate) principal: Money,
    /// What it is paid with.
    pub(crate) instrument: Instrument,
    /// The form of payment.
    pub(crate) form: FormOfPayment,
    /// The language that the payer chose, if they did.
    pub(crate) language: Option<Language>,
    /// The saved card that is charged.
    pub(crate) card: Option<CardUse>,
    /// The reference; generated if it is `None`.
    pub(crate) reference: Option<ReferenceNumber>,
    /// What is stored with the attempt for the same request, if it comes again.
    pub(crate) claim: Option<StoredAnswer>,
    /// The cycle of an agreement that it takes.
    pub(crate) cycle: Option<CycleClaim>,
    /// What the payer was shown that it costs.
    pub(crate) shown: Option<ShownPrice>,
    /// What the payer agreed to.
    pub(crate) agreed: Option<Agreed>,
    /// The gateways that are tried; only `profile` if it is `None`.
    pub(crate) route: Option<Route<'a>>,
    /// Why it goes to this gateway.
    pub(crate) decision: Option<Box<Decision>>,
    /// Whether another gateway is tried if this one cannot be reached, so that it has only a part of the time.
    pub(crate) has_next: bool,
}

/// What a payer read above the button that they pressed.
#[derive(Debug, Clone)]
pub(crate) struct Agreed {
    /// In which language.
    pub(crate) language: Language,
    /// The text.
    pub(crate) text: String,
}

impl Agreed {
    /// What the payer read, if it is what the page shows now.
    ///
    /// # Errors
    /// A violation on `consent` if the page shows another text.
    pub(crate) fn read(
        mark: &str,
        language: Language,
        transaction: &Transaction,
        settings: &MerchantSettings,
    ) -> Result<Self, Rejection> {
        let shown = ConsentText::of(transaction, settings, language).filter(|text| text.mark() == mark);
        let text = shown.ok_or_else(Self::other_terms)?.text();
        Ok(Self { language, text })
    }

    fn check(&self, transaction: &Transaction, settings: &MerchantSettings) -> Result<(), Rejection> {
        let shown = ConsentText::of(transaction, settings, self.language);
        let is_same = shown.is_some_and(|shown| shown.text() == self.text);
        if is_same { Ok(()) } else { Err(Self::other_terms()) }
    }

    fn other_terms() -> Rejection {
        Rejection::Invalid([Violation::new("consent", Rule::Card(CardRule::OtherTerms))].into())
    }
}

impl<'a> Plan<'a> {
    /// Without a saved card or an idempotency key.
    pub(crate) fn of(profile: &'a Profile, principal: Money, instrument: Instrument) -> Self {
        let form = instrument.form();
        Self {
            profile,
            principal,
            instrument,
            form,
            language: None,
            card: None,
            reference: None,
            claim: None,
            cycle: None,
            shown: None,
            agreed: None,
            route: None,
            decision: None,
            has_next: false,
        }
    }
}

/// What the gateway is asked to charge with.
struct Means<'a> {
    profile: &'a Profile,
    instrument: Instrument,
    language: Option<Language>,
    has_next: bool,
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
    /// Those about the attempts that made room for it: one that was withdrawn, and those that did not reach their gateway.
    pub(crate) earlier: Vec<DeliveryId>,
    /// The one about the attempt itself.
    pub(crate) delivery: Option<DeliveryId>,
}

impl Charged {
    /// The transaction, and all notifications in order.
    pub(crate) fn into_parts(self) -> (Record, Vec<DeliveryId>) {
        (self.record, self.earlier.into_iter().chain(self.delivery).collect())
    }
}

/// Withdraws what waits for the payer on a page, and pays as [`charge_new`] does, through the first gateway of the route
/// that can be reached.
pub(crate) async fn replace_and_charge(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    plan: Plan<'_>,
) -> Result<Charged, Failure> {
    let amount = record.transaction.amount;
    if let (Some(shown), Some(quote)) = (&plan.shown, plan.profile.quote(plan.principal)) {
        check_shown(shown, plan.profile, plan.principal, &quote)?;
    }
    let room = make_room(world, record, settings, &plan).await?;
    // The merchant may have changed it while the page was withdrawn: what is charged was agreed on before.
    check_unchanged(amount, &room.record.transaction, plan.profile, plan.shown.as_ref())?;
    // Boxed: with it the future would be larger than a stack should carry.
    let charged = Box::pin(charge_routed(world, room.record, settings, plan)).await?;
    Ok(Charged { earlier: room.delivery.into_iter().chain(charged.earlier).collect(), ..charged })
}

/// Begins an attempt (commit 1), asks its gateway to charge, and stores the answer (commit 2).
pub(crate) async fn charge_new(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    mut plan: Plan<'_>,
) -> Result<Charged, Failure> {
    let begun = open_attempt(world, record, settings, &mut plan).await?;
    let Plan { profile, instrument, language, has_next, .. } = plan;
    let means = Means { profile, instrument, language, has_next };
    // Boxed: the caller may be deep in a payment.
    let settled = Box::pin(charge_attempt(world, begun.record, settings, means)).await?;
    Ok(Charged { record: settled.record, earlier: Vec::new(), delivery: begun.delivery.or(settled.delivery) })
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
    plan: &mut Plan<'_>,
) -> Result<Begun, Failure> {
    settings.takes_payments()?;
    let reference = match plan.reference.take() {
        Some(reference) => reference,
        None => generate::reference(world, settings)?,
    };
    let now = now_of(world, settings);
    let terms = Terms { profile: plan.profile, principal: plan.principal, form_of_payment: plan.form };
    let mut change = begin(&record.transaction, record.attempt.as_ref(), terms, reference, now)?;
    if let (Some(shown), Some(AttemptWrite::Open(attempt))) = (&plan.shown, &change.attempt) {
        check_shown(shown, plan.profile, plan.principal, &attempt.quote)?;
    }
    change.answer = plan.claim.take();
    change.decision = plan.decision.take();
    if let (Some(agreed), Some(AttemptWrite::Open(attempt))) = (plan.agreed.take(), &change.attempt) {
        // The merchant may have changed the terms while a gateway was asked about the attempt before.
        agreed.check(&record.transaction, settings)?;
        let Agreed { language, text } = agreed;
        let reference = attempt.reference.clone();
        change.consent = Some(Box::new(Consent { reference, at: now, version: VERSION, language, text }));
    }
    change.cycle = plan.cycle.take().map(Box::new);
    change.payer = claim(world, settings, now);
    if let (Some(card), Some(AttemptWrite::Open(attempt))) = (plan.card.take(), &mut change.attempt) {
        attempt.card = card;
    }
    let is_settled = change.attempt.as_ref().is_some_and(|write| !write.attempt().is_open());
    if is_settled {
        notify(world, &mut change, settings, Notice::PLAIN)?;
    }
    match store(world, &mut change).await {
        Ok(()) => {
            let delivery = change.message_ids().next();
            let attempt = change.attempt.map(|write| write.attempt().clone());
            Ok(Begun { record: Record { transaction: change.transaction, attempt }, delivery })
        }
        Err(CommitError::Conflict | CommitError::KeyTaken) => {
            Err(lost_to(world, settings, &change, plan).await?.into())
        }
        Err(CommitError::Failed(error)) => Err(error.into()),
    }
}

/// A page charges what it shows.
///
/// # Errors
/// [`Rejection::PriceChanged`] if the payment costs something else.
pub(crate) fn check_shown(
    shown: &ShownPrice,
    profile: &Profile,
    principal: Money,
    quote: &Quote,
) -> Result<(), Rejection> {
    if shown.is_of(quote, profile.terms(principal.currency())) {
        return Ok(());
    }
    Err(Rejection::PriceChanged { total: quote.total })
}

/// What was agreed on is still the amount of the transaction.
///
/// # Errors
/// If the merchant changed it: [`Rejection::PriceChanged`] for a payer, to whom a price was shown, otherwise
/// [`Rejection::Conflict`].
pub(crate) fn check_unchanged(
    agreed: Money,
    transaction: &Transaction,
    profile: &Profile,
    shown: Option<&ShownPrice>,
) -> Result<(), Rejection> {
    let amount = transaction.amount;
    if amount == agreed {
        return Ok(());
    }
    let total = profile.quote(amount).map_or(amount, |quote| quote.total);
    Err(shown.map_or(Rejection::Conflict, |_| Rejection::PriceChanged { total }))
}

/// What came before an attempt that was not stored: another payment under its agreement, others of its payer, another price,
/// or another attempt.
async fn lost_to(
    world: &impl World,
    settings: &MerchantSettings,
    change: &Change,
    plan: &Plan<'_>,
) -> Result<Rejection, Failure> {
    if let Some(claim) = change.cycle.as_ref().filter(|claim| claim.checked.is_some()) {
        let stored = world.store().agreement(&claim.key).await?;
        if !claim.is_current(stored.as_ref()) {
            return Ok(Rejection::AgreementBroken(Breach::InProgress));
        }
    }
    if let Some(claim) = &change.payer
        && let Err(failure) = may_try_from(world, settings, &change.transaction.session_id, claim).await
    {
        return match failure {
            Failure::Refused(rejection) => Ok(rejection),
            Failure::World(_) => Err(failure),
        };
    }
    if let Some(shown) = &plan.shown
        && let Some(stored) = world.store().load(&change.transaction.session_id).await?
    {
        let agreed = change.transaction.amount;
        if let Err(changed) = check_unchanged(agreed, &stored.transaction, plan.profile, Some(shown)) {
            return Ok(changed);
        }
    }
    Ok(Rejection::AttemptInProgress)
}

/// Asks the gateway to charge an attempt that is being sent, and stores its answer (commit 2); one that has
/// its result already, such as cash, stays as it is.
async fn charge_attempt(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
    means: Means<'_>,
) -> Result<Settled, Failure> {
    if record.attempt.as_ref().is_none_or(|attempt| attempt.stage != Stage::Sending) {
        return Ok(Settled { record, delivery: None });
    }
    let code = means.profile.code.clone();
    let (learned, has_answered) = open::open(world, settings, &record, means).await?;
    let health = has_answered.and_then(|has_answered| seen(world, settings, &code, has_answered));
    let arrived = Arrived { health, ..Arrived::of(learned, Occasion::Opening, Cause::Other) };
    settle(world, record, settings, arrived).await
}

/// Withdraws an attempt that waits for the payer on its gateway's page; the outcome of the attempt then
/// decides.
async fn make_room(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
    plan: &Plan<'_>,
) -> Result<Settled, Failure> {
    settings.takes_payments()?;
    let wanted = WantedPayment { code: &plan.profile.code, principal: plan.principal };
    let now = now_of(world, settings);
    let opening = may_open(&record.transaction, record.attempt.as_ref(), wanted, now)?;
    may_try(world, &record, settings, now).await?;
    match opening {
        Opening::Free => return Ok(Settled { record, delivery: None }),
        Opening::Resume | Opening::Replace => {}
    }
    if record.attempt.as_ref().is_some_and(|attempt| !attempt.permits_retry) {
        return Err(Rejection::AttemptInProgress.into());
    }
    // If it was paid in the meantime, it is refused like any request to pay something that is paid.
    let (Withdrawn::Ended(ended) | Withdrawn::Paid(ended)) = end_waiting(world, record, settings).await?;
    let Record { transaction, attempt } = &ended.record;
    may_open(transaction, attempt.as_ref(), wanted, now_of(world, settings))?;
    // Withdrawing may have learned of a decline.
    may_try(world, &ended.record, settings, now).await?;
    Ok(ended)
}

/// What became of an attempt that was to be withdrawn.
pub(crate) enum Withdrawn {
    /// It took no money.
    Ended(Settled),
    /// The payer had paid it.
    Paid(Settled),
}

/// Withdraws an attempt that waits for the payer on its gateway's page.
///
/// # Errors
/// [`Rejection::AttemptInProgress`] if its outcome stays open, or a failure of the world.
pub(crate) async fn end_waiting(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
) -> Result<Withdrawn, Failure> {
    let settled = withdraw(world, record, settings).await?;
    match settled.record.attempt.as_ref().map(|attempt| attempt.stage) {
        Some(Stage::Sending | Stage::Redirected | Stage::Unknown) | None => {
            Err(Rejection::AttemptInProgress.into())
        }
        Some(Stage::Canceled | Stage::Failed | Stage::Error) => Ok(Withdrawn::Ended(settled)),
        Some(Stage::Success | Stage::Cod) => Ok(Withdrawn::Paid(settled)),
    }
}
