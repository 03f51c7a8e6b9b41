//! The merchant charges a saved card without the payer.

use alloc::boxed::Box;
use alloc::string::String;

use crate::access::{Caller, Particular};
use crate::answer::native::{CardAttempt, native};
use crate::answer::payload::{Additions, Cause, payload};
use crate::answer::token::ShownCard;
use crate::api::auto_debit::AutoDebitRequest;
use crate::api::target::Target;
use crate::card::SavedCard;
use crate::card::agreement::{AgreementKey, CycleClaim};
use crate::flow::Failure;
use crate::flow::charge::once::{NativeAnswer, PaymentInput, charge_once};
use crate::flow::charge::{Charged, PaymentPurpose, Plan, ServerOrder, replace_and_charge};
use crate::flow::commit::generate;
use crate::flow::commit::idempotency::IdempotencyKey;
use crate::flow::exchange::connect::signature_key;
use crate::flow::find::card::{card_of, of_attempt};
use crate::flow::find::{counts, named};
use crate::gateway::profile::Profile;
use crate::payment::acceptance::{check_debit, check_expiry, gateway_of};
use crate::payment::begin::{WantedPayment, may_open};
use crate::payment::routing::{PaymentRoute, accepting};
use crate::port::{Cards, Record, World};
use crate::record::idempotency::StoredAnswer;
use crate::rejection::Rejection;
use crate::rejection::refusal::{Breach, CardRefusal};
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::id::ReferenceNumber;
use crate::words::payment_type::PaymentType;

/// How refusals name the operation.
const OPERATION: &str = "payment";

/// The members of the answer to an auto debit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebitAnswerShape {
    /// Those of a native payment, and `token`.
    Native,
    /// Those of a notification, with amounts as texts: at the older address.
    Notification,
}

/// The kind under which an idempotency key of an auto debit is stored, at both addresses.
const KIND: &str = "auto_debit";

/// The merchant charges a saved card:
///
/// 1. the caller is known, and may charge cards;
/// 2. read the body, reporting every wrong field;
/// 3. a known idempotency key answers about its attempt, or is refused if the body differs;
/// 4. check the session, that one of its gateways supports auto debit and has implemented it, and the card,
///    in this order;
/// 5. check the agreement, if the settings say that its terms are enforced;
/// 6. an attempt that waits for the payer on a page is withdrawn there;
/// 7. **commit 1**: the attempt exists, with the claim of the key; a second open attempt is refused here;
/// 8. the gateway is asked to charge, and **commit 2** stores its answer;
/// 9. answer with what is known. A charge that was declined is an answer too.
///
/// # Errors
/// The rejection, or a failure of the world. If the charge may have reached the gateway, that is not a
/// failure.
pub async fn auto_debit(
    world: &impl World,
    input: PaymentInput<'_>,
    shape: DebitAnswerShape,
) -> Result<NativeAnswer, Failure> {
    // 1
    let caller = input.caller;
    // 2
    let request = AutoDebitRequest::parse(input.body).map_err(|rejection| rejection.during(OPERATION))?;
    // 3
    let key = IdempotencyKey::read(input.idempotency_key, KIND, input.body, None)?;
    // 4 to 8
    let charge = async || debit(world, &caller, request, key.as_ref()).await;
    let payment = charge_once(world, &caller, key.as_ref(), false, charge).await?;
    // 9
    let shown = (&payment.record, payment.is_replayed);
    let body = answer_body(world, shown, &caller.situation, shape).await?;
    Ok(NativeAnswer { body, is_replayed: payment.is_replayed, deliveries: payment.deliveries })
}

async fn debit(
    world: &impl World,
    caller: &Caller,
    request: AutoDebitRequest,
    key: Option<&IdempotencyKey<'_>>,
) -> Result<Charged, Failure> {
    let situation = &caller.situation;
    let target = Target::Session(request.session_id);
    let record = named(world, caller.merchant(), &target, situation.now).await?;
    let reference = generate::reference(world, &situation.settings, &record.transaction.session_id)?;
    let claim = key.map(|key| key.claim(caller, reference.as_str(), situation.real_now()));
    debit_card(world, caller, record, Debit { token: &request.token, reference, claim }).await
}

/// A saved card that is to be charged, under a reference that was generated before.
pub(crate) struct Debit<'a> {
    /// The token of the card, as given.
    pub(crate) token: &'a str,
    /// The reference of the attempt.
    pub(crate) reference: ReferenceNumber,
    /// The claim of the idempotency key, stored with the attempt.
    pub(crate) claim: Option<StoredAnswer>,
}

/// Checks a card and charges it without the payer; steps 4 to 8 of [`auto_debit`].
pub(crate) async fn debit_card(
    world: &impl World,
    caller: &Caller,
    record: Record,
    debit: Debit<'_>,
) -> Result<Charged, Failure> {
    let situation = &caller.situation;
    // 4, 5
    let transaction = &record.transaction;
    let code = transaction.pg_codes.first().ok_or(Rejection::NotFound)?;
    may_open(
        transaction,
        record.attempt.as_ref(),
        WantedPayment { code, principal: transaction.amount },
        situation.now,
    )?;
    let Debitable { card: saved, profile, cycle } =
        check_debited(world, transaction, situation, debit.token).await?;
    caller.may(Particular::Pay(transaction.plugin, &profile.code))?;
    // 6 to 8
    let plan = Plan {
        profile,
        principal: transaction.amount,
        purpose: PaymentPurpose::Debit { token: saved.card.token, cycle, retry: None },
        route: PaymentRoute::only(profile),
        order: Some(ServerOrder { reference: debit.reference, claim: debit.claim, actor: caller.actor() }),
    };
    Box::pin(replace_and_charge(world, record.clone(), situation, plan)).await
}

/// A card that can pay without the payer, and its gateway.
pub(crate) struct Debitable<'s> {
    pub(super) card: SavedCard,
    pub(super) profile: &'s Profile,
    /// The cycle of its agreement that the payment takes.
    pub(super) cycle: Option<CycleClaim>,
}

/// Whether a card can pay a transaction without the payer; steps 4 and 5 of [`auto_debit`] except for the
/// state of the transaction, which may not be stored yet.
pub(crate) async fn check_debited<'s>(
    world: &impl World,
    transaction: &Transaction,
    situation: &'s Situation,
    token: &str,
) -> Result<Debitable<'s>, Failure> {
    let (settings, now) = (&situation.settings, situation.now);
    // 4
    let is_charged = transaction.details.payment_type != PaymentType::SaveCard;
    let able = |is_able: fn(&Profile) -> bool| {
        is_charged
            && accepting(transaction, settings).any(|(profile, _)| profile.auto_debit && is_able(profile))
    };
    if !able(|_| true) {
        return Err(Rejection::AutoDebitUnsupported.into());
    }
    if !able(|profile| profile.capabilities().debits_saved_cards) {
        return Err(Rejection::AutoDebitNotImplemented.into());
    }
    let saved = card_of(world, transaction, token).await?;
    let profile = gateway_of(transaction, settings, &saved).map_err(Rejection::CardRefused)?;
    check_debit(profile, &saved, now)?;
    check_expiry(transaction, saved.card.expiry, now).map_err(Rejection::CardRefused)?;
    // 5
    let cycle = check_agreement(world, transaction, situation, &saved).await?;
    Ok(Debitable { card: saved, profile, cycle })
}

/// Under an agreement only its own card may pay, and if the settings say so, only within its terms. The cycle that the
/// payment takes is taken where its attempt is stored: two payments may have been checked against the same terms.
async fn check_agreement(
    world: &impl World,
    transaction: &Transaction,
    situation: &Situation,
    saved: &SavedCard,
) -> Result<Option<CycleClaim>, Failure> {
    match transaction.details.payment_type {
        PaymentType::AutoDebit => {}
        PaymentType::OneOff | PaymentType::SaveCard => return Ok(None),
    }
    let id = transaction.details.agreement.as_ref().and_then(|agreement| agreement.id.as_ref());
    let Some(id) = id.filter(|id| saved.agreements.contains(id)) else {
        return Err(Rejection::CardRefused(CardRefusal::NotOfAgreement).into());
    };
    let key = AgreementKey { holder: saved.card.holder.clone(), id: id.clone() };
    let agreement = world.ledger(&key).agreement(&key).await?;
    let agreement = agreement.ok_or(Rejection::CardRefused(CardRefusal::NotOfAgreement))?;
    if agreement.paused.is_some() {
        return Err(Rejection::AgreementBroken(Breach::Paused).into());
    }
    let is_enforced = situation.settings.agreements.enforce;
    let breach = if is_enforced {
        agreement.breach(transaction.amount, situation.now)
    } else {
        agreement.misfit(transaction.amount)
    };
    match breach {
        Some(breach) => Err(Rejection::AgreementBroken(breach).into()),
        None if is_enforced => Ok(Some(agreement.claim())),
        // Its open payments count when the terms are enforced again.
        None => Ok(Some(CycleClaim { key, checked: None })),
    }
}

/// The body of the answer about the attempt of a record, which was charged just now or is replayed.
pub(crate) async fn answer_body(
    world: &impl World,
    (record, is_replayed): (&Record, bool),
    situation: &Situation,
    shape: DebitAnswerShape,
) -> Result<String, Failure> {
    let settings = &situation.settings;
    let Some(attempt) = &record.attempt else { return Ok("{}".into()) };
    let saved = of_attempt(world, &record.transaction, attempt).await?;
    let hmac_key = signature_key(world, situation)?;
    let (transaction, saved) = (&record.transaction, saved.as_ref());
    Ok(match shape {
        DebitAnswerShape::Native => {
            let counts = counts(world, record, is_replayed).await?;
            native(transaction, CardAttempt { attempt, card: saved, counts }, settings, &hmac_key)?
        }
        DebitAnswerShape::Notification => {
            let card = saved.map(|saved| ShownCard::of(saved, settings, attempt.known_at));
            payload(transaction, attempt, Additions { card, ..Additions::of(Cause::Other) }, &hmac_key)?
        }
    })
}
