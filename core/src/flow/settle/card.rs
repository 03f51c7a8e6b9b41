//! What the outcome of a payment means for a saved card.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::agreement::{AgreementKey, AgreementWrite, OpenDebits, SavedAgreement};
use crate::card::usage::{CardUse, ChargeInitiator};
use crate::card::{Card, CardEffect, CardToken, CardWrite, Holder, SavedCard, fingerprint};
use crate::change::{AttemptWrite, Change, EventKind};
use crate::flow::Failure;
use crate::flow::find::card::find_card;
use crate::gateway::charge::{CardReport, Report};
use crate::payment::apply::AttemptResult;
use crate::port::{CardName, Cards, PortError, Rng, Vault, World};
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::slot::Slotted;
use crate::words::payment_type::PaymentType;

/// Adds to a change what the outcome of its attempt means for saved cards:
///
/// 1. if the payment moved its transaction to success and was to save its card, the card that the gateway
///    names is saved, under the token that the same card has already, or a new one;
/// 2. if it charged a saved card, the card is marked as used;
/// 3. both count for the agreement of the transaction;
/// 4. after every other outcome the card is only shown.
///
/// # Errors
/// A failure of the world.
pub(crate) async fn attach(
    world: &impl World,
    change: &mut Change,
    learned: &AttemptResult,
    settings: &MerchantSettings,
) -> Result<(), Failure> {
    let Some(AttemptWrite::Update { from, attempt }) = &change.attempt else { return Ok(()) };
    let has_moved = matches!(change.event, EventKind::Moved(_));
    let is_news = has_moved && attempt.stage == Stage::Success && *from != Stage::Success;
    let report = match learned {
        AttemptResult::Report(Report { card: Some(card), .. }) if is_news => Some(card),
        AttemptResult::Report(_)
        | AttemptResult::AnswerLost
        | AttemptResult::NeverSent(_)
        | AttemptResult::TakenBack(_)
        | AttemptResult::Disputed(_)
        | AttemptResult::GivenUp => None,
    };
    let (saved, initiator) = match (&attempt.card, report) {
        // 1
        (CardUse::Save, Some(report)) => {
            let Some(saved) = save(world, &change.transaction, attempt, report, settings).await? else {
                return Ok(());
            };
            (saved, ChargeInitiator::Payer)
        }
        // 2
        (CardUse::Charge(token, initiator), _) => {
            let Some(saved) = find_card(world, &change.transaction, token).await? else { return Ok(()) };
            (saved, *initiator)
        }
        (CardUse::Saved(token), _) => {
            let Some(saved) = find_card(world, &change.transaction, token).await? else { return Ok(()) };
            (saved, ChargeInitiator::Payer)
        }
        (CardUse::Nothing | CardUse::Save, _) => return Ok(()),
    };
    change.card = Some(Box::new(if is_news {
        written(change, saved, initiator)
    } else {
        // 4
        CardWrite { saved, effect: CardEffect::Shown }
    }));
    if let (Some(AttemptWrite::Update { attempt, .. }), Some(write)) = (&mut change.attempt, &change.card)
        && attempt.card == CardUse::Save
    {
        attempt.card = CardUse::Saved(write.saved.card.token.clone());
    }
    Ok(())
}

pub(super) async fn save(
    world: &impl World,
    transaction: &Transaction,
    attempt: &Attempt,
    report: &CardReport,
    settings: &MerchantSettings,
) -> Result<Option<SavedCard>, PortError> {
    let Some(customer_id) = transaction.details.customer_id.clone() else { return Ok(None) };
    let merchant = transaction.merchant.clone();
    let holder = Holder { merchant, customer_id, is_sandbox: attempt.is_sandbox };
    let fingerprint = fingerprint(&holder, &attempt.pg_code, &report.token);
    let known =
        world.ledger(&holder.merchant).card(&holder.merchant, CardName::Fingerprint(&fingerprint)).await?;
    let (token, created_at, agreements) = if let Some(known) = known {
        (known.card.token, known.card.created_at, known.agreements)
    } else {
        let mut random = [0; 16];
        world.rng().fill(&mut random)?;
        (CardToken::generate(holder.merchant.slot(), random), attempt.updated_at, Vec::new())
    };
    let card = Card {
        token,
        pg_code: attempt.pg_code.clone(),
        pg_name: attempt.pg_name.clone(),
        bank_token: world.vault().seal(&holder.merchant, &report.token.0)?,
        holder,
        fingerprint,
        brand: report.brand.clone(),
        name_on_card: report.holder.clone(),
        number: report.number.clone(),
        expiry: report.expiry,
        cvv_required: settings.gateway(&attempt.pg_code).is_some_and(|profile| profile.cvv_required),
        created_at,
        used_at: attempt.updated_at,
    };
    Ok(Some(SavedCard { card, agreements, is_preferred: true }))
}

/// 3. The card as it is after the payment, with what the payment means for its agreement.
pub(super) fn written(change: &Change, mut saved: SavedCard, initiator: ChargeInitiator) -> CardWrite {
    saved.card.used_at = change.at;
    saved.is_preferred = true;
    let agreement = agreement(change, &saved.card, initiator);
    if let Some(write) = &agreement
        && initiator == ChargeInitiator::Payer
        && !saved.agreements.contains(&write.agreement.key.id)
    {
        saved.agreements.push(write.agreement.key.id.clone());
        saved.agreements.sort();
    }
    CardWrite { saved, effect: CardEffect::Saved(agreement) }
}

fn agreement(change: &Change, card: &Card, initiator: ChargeInitiator) -> Option<Box<AgreementWrite>> {
    let details = &change.transaction.details;
    let terms = match details.payment_type {
        PaymentType::AutoDebit => details.agreement.as_deref()?,
        PaymentType::OneOff | PaymentType::SaveCard => return None,
    };
    let attempt = change.attempt.as_ref()?.attempt();
    let agreement = SavedAgreement {
        key: AgreementKey { holder: card.holder.clone(), id: terms.id.clone()? },
        terms: terms.clone(),
        amount: attempt.principal,
        card: card.token.clone(),
        cycles: 0,
        charged_at: change.at,
        open: OpenDebits::default(),
        paused: None,
    };
    Some(Box::new(AgreementWrite { agreement, initiator }))
}
