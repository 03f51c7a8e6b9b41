//! What the outcome of an auto debit means for the next one.

use alloc::boxed::Box;
use core::time::Duration;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::agreement::{AgreementKey, Pause};
use crate::card::ladder::{LIMITS, Ladder, LadderWrite, free_at};
use crate::card::usage::{CardUse, ChargeInitiator};
use crate::card::{CardToken, Holder};
use crate::change::{AttemptWrite, Change};
use crate::flow::Failure;
use crate::gateway::decline;
use crate::message::facts::{self, MessageFacts};
use crate::payment::ladder::{NextDebit, next_step};
use crate::port::{Ladders, World};
use crate::record::attention::{Concern, Reason};
use crate::record::facts::Facts;
use crate::settings::MAX_EXPIRATION;
use crate::settings::retries::DebitRetries;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::time::Timestamp;
use crate::words::message::{Channel, MessageOccasion};
use crate::words::payment_type::PaymentType;

/// How long a payer has, after a debit is tried again, to pay another way.
const AFTERWARDS: Duration = Duration::from_hours(24);

/// Adds to a change what the outcome of its attempt means for the ladder of its transaction:
///
/// 1. a payment under an agreement that succeeded, of the payer or of the merchant, ends the ladder;
/// 2. a debit without success is tried again when the merchant's schedule says, and the transaction stays payable until
///    then;
/// 3. if no debit follows, the ladder ends and the agreement is paused.
///
/// Whether the transaction had a ladder.
///
/// # Errors
/// A failure of the world.
pub(super) async fn plan(
    world: &impl World,
    change: &mut Change,
    situation: &Situation,
) -> Result<bool, Failure> {
    let Some(AttemptWrite::Update { from, attempt }) = &change.attempt else { return Ok(false) };
    let Some(retries) = &situation.settings.debit_retries else { return Ok(false) };
    let is_new = *from != attempt.stage && !attempt.is_open();
    if !is_new || change.transaction.details.payment_type != PaymentType::AutoDebit {
        return Ok(false);
    }
    let known = world.ledger(&attempt.session_id).ladder(&attempt.session_id).await?;
    let had_ladder = known.is_some();
    // Another attempt may have paid it.
    let is_paid =
        matches!(attempt.stage, Stage::Success | Stage::Cod) || change.transaction.settlement.is_some();
    // 1
    if is_paid {
        change.ladder = had_ladder.then(|| Box::new(LadderWrite::End(None)));
        return Ok(had_ladder);
    }
    let Some(debit) = FailedDebit::of(&change.transaction, attempt) else { return Ok(had_ladder) };
    let tries = known.map_or(0, |ladder| ladder.tries).saturating_add(1);
    let write = debit.next(world, (&change.transaction, attempt), retries, (tries, situation.now)).await?;
    if let LadderWrite::End(Some(_)) = &write {
        change.attention.push(attempt.attention(paused(), situation.now));
    }
    if let LadderWrite::Wait(ladder) = &write {
        let until = ladder.next_at.plus(AFTERWARDS).min(change.transaction.created_at.plus(MAX_EXPIRATION));
        change.transaction.expires_at = change.transaction.expires_at.max(until);
    }
    change.ladder = Some(Box::new(write));
    Ok(had_ladder)
}

/// What a person is shown of an agreement that is paused.
pub(crate) fn paused() -> Concern {
    Concern { reason: Reason::AgreementPaused, detail: Facts::default() }
}

/// A debit of the merchant under an agreement.
struct FailedDebit {
    key: AgreementKey,
    token: CardToken,
}

impl FailedDebit {
    fn of(transaction: &Transaction, attempt: &Attempt) -> Option<Self> {
        let CardUse::Charge(token, ChargeInitiator::Merchant) = &attempt.card else { return None };
        Some(Self { key: key_of(transaction, attempt.is_sandbox)?, token: token.clone() })
    }

    /// 2, 3
    async fn next(
        self,
        world: &impl World,
        (transaction, attempt): (&Transaction, &Attempt),
        retries: &DebitRetries,
        (tries, now): (u32, Timestamp),
    ) -> Result<LadderWrite, Failure> {
        let NextDebit { reason, pause } = next_step(attempt, retries, tries);
        let Some(pause) = pause.filter(|_| transaction.state.is_payable()) else {
            let pause = Pause { at: now, reason, session_id: transaction.session_id.clone() };
            return Ok(LadderWrite::End(Some((self.key, pause))));
        };
        let at = now.plus(pause);
        let since = LIMITS.into_iter().map(|(window, _)| at.minus(window)).min().unwrap_or(now);
        let debits = world.ledger(&self.key).tried_debits(&self.key.holder, &self.token, since).await?;
        Ok(LadderWrite::Wait(Ladder {
            session_id: transaction.session_id.clone(),
            merchant: transaction.merchant.clone(),
            pg_code: attempt.pg_code.clone(),
            tries,
            reason,
            next_at: free_at(&debits, at),
        }))
    }
}

/// The agreement of a transaction.
pub(crate) fn key_of(transaction: &Transaction, is_sandbox: bool) -> Option<AgreementKey> {
    let details = &transaction.details;
    let (customer_id, id) = (details.customer_id.clone()?, details.agreement.as_ref()?.id.clone()?);
    Some(AgreementKey {
        holder: Holder { merchant: transaction.merchant.clone(), customer_id, is_sandbox },
        id,
    })
}

/// Adds the messages about a debit without success, with the address at which they can pay another way: on
/// the channels that the merchant chose for a payment that failed.
pub(super) fn inform_payer(change: &mut Change, public_url: &str) {
    let is_step = change.ladder.as_deref().is_some_and(|write| match write {
        LadderWrite::Wait(_) | LadderWrite::End(Some(_)) => true,
        LadderWrite::End(None) => false,
    });
    let Some(attempt) = change.attempt.as_ref().map(AttemptWrite::attempt) else { return };
    // A change that causes a message itself says the same.
    if !is_step || facts::occasion(change).is_some() {
        return;
    }
    let occasion = MessageOccasion::Failed;
    let facts = MessageFacts {
        reference: Some(attempt.reference.as_str().into()),
        amount: facts::amount(&change.transaction, Some(attempt), occasion),
        reason: decline::reason(&attempt.params),
        is_test: attempt.is_sandbox,
        ..facts::of(&change.transaction, occasion, public_url)
    };
    facts::add(change, &facts, &Channel::ALL);
}
