//! Tries an auto debit again.

use alloc::boxed::Box;
use core::time::Duration;

use super::charge::{Debitable, check_debited};
use crate::card::agreement::Pause;
use crate::card::ladder::{LIMITS, TryClaim, free_at};
use crate::flow::Failure;
use crate::flow::charge::{PaymentPurpose, Plan, replace_and_charge};
use crate::flow::settle::{key_of, paused};
use crate::flow::situation::situation_of;
use crate::payment::begin::{WantedPayment, may_open};
use crate::payment::routing::PaymentRoute;
use crate::port::{Cards, Ladders, Pausing, Record, Store, World};
use crate::rejection::Rejection;
use crate::rejection::refusal::{Breach, CardRefusal};
use crate::settings::situation::Situation;
use crate::state::State;
use crate::value::id::SessionId;
use crate::value::time::Timestamp;
use crate::words::payment_type::PaymentType;

/// How often a debit begins again after something else was stored first.
const MOST_RACES: u32 = 3;
/// How long one who claimed a debit has for it, and how long one waits that cannot begin.
const CLAIM: Duration = Duration::from_mins(30);

/// Tries the debit of a transaction again, if it is due:
///
/// 1. it is claimed: of two who try at once, one goes on;
/// 2. while an attempt is open nothing begins: its outcome decides, also if another debit that was made meanwhile has it, and
///    has moved the next one on;
/// 3. the card of the agreement is checked like any auto debit's, and has to be within the limits of the schemes;
/// 4. it is charged like any auto debit, and its outcome is the next step of the ladder;
/// 5. what cannot be charged any more ends the ladder.
///
/// Whether a debit was tried.
///
/// # Errors
/// A failure of the world; the debit is due again when the claim is over.
pub(crate) async fn try_again(world: &impl World, session_id: &SessionId) -> Result<bool, Failure> {
    // 1
    let Some(ladder) = world.ledger(session_id).ladder(session_id).await? else { return Ok(false) };
    let situation = situation_of(world, &ladder.merchant).await?;
    let now = situation.now;
    let until = now.plus(CLAIM);
    if ladder.next_at > now
        || !world.ledger(session_id).claim_ladder(session_id, ladder.next_at, until).await?
    {
        return Ok(false);
    }
    let mut refused = None;
    for _ in 0..MOST_RACES {
        // 2
        let Some(record) = world.ledger(session_id).load(session_id).await? else {
            world.ledger(session_id).end_ladder(session_id, until, None).await?;
            return Ok(false);
        };
        if record.has_open_attempt() {
            return Ok(false);
        }
        let is_sandbox = record.attempt.as_ref().is_some_and(|attempt| attempt.is_sandbox);
        let key = key_of(&record.transaction, is_sandbox);
        let attempt = record.attempt.clone();
        // 3, 4
        match Box::pin(debit(world, record, &situation, until)).await {
            Ok(is_tried) => return Ok(is_tried),
            Err(Failure::Refused(lost)) if is_race(&lost.rejection) => {
                let known = world.ledger(session_id).ladder(session_id).await?;
                if known.is_none_or(|ladder| ladder.next_at != until) {
                    return Ok(false);
                }
            }
            Err(Failure::Refused(found)) => {
                refused = Some((found.rejection, key.zip(attempt)));
                break;
            }
            Err(failure) => return Err(failure),
        }
    }
    // 5
    let Some((refused, debited)) = refused else { return Ok(false) };
    let pausing = match RefusedDebit::of(&refused) {
        RefusedDebit::Later => return Ok(false),
        RefusedDebit::Over => None,
        RefusedDebit::Paused => debited.map(|(key, attempt)| Pausing {
            key,
            pause: Pause { at: now, reason: ladder.reason, session_id: session_id.clone() },
            entry: attempt.attention(paused(), now),
        }),
    };
    world.ledger(session_id).end_ladder(session_id, until, pausing.as_ref()).await?;
    Ok(false)
}

/// Whether something else was stored of the transaction meanwhile, such as an answer about the attempt before.
const fn is_race(refused: &Rejection) -> bool {
    matches!(refused, Rejection::AttemptInProgress | Rejection::Conflict)
}

/// What it means for a ladder that a debit was refused.
enum RefusedDebit {
    /// It may be tried later.
    Later,
    /// There is nothing to debit any more.
    Over,
    /// It was not paid, and cannot be debited.
    Paused,
}

impl RefusedDebit {
    fn of(refused: &Rejection) -> Self {
        let is_over = matches!(refused, Rejection::NotPayable { state } if *state != State::Expired)
            || matches!(refused, Rejection::AgreementBroken(breach) if *breach != Breach::InProgress)
            || matches!(refused, Rejection::NotFound);
        let is_paused = matches!(
            refused,
            Rejection::NotPayable { .. }
                | Rejection::CardRefused(_)
                | Rejection::AutoDebitUnsupported
                | Rejection::AutoDebitNotImplemented
                | Rejection::Invalid(_)
        );
        match (is_over, is_paused) {
            (true, _) => Self::Over,
            (false, true) => Self::Paused,
            (false, false) => Self::Later,
        }
    }
}

/// Charges the card of the agreement; whether that began.
async fn debit(
    world: &impl World,
    record: Record,
    situation: &Situation,
    until: Timestamp,
) -> Result<bool, Failure> {
    let (transaction, now) = (&record.transaction, situation.now);
    let is_debited = transaction.details.payment_type == PaymentType::AutoDebit;
    if !is_debited || situation.settings.debit_retries.is_none() {
        // The payer is to pay it, or the merchant tries nothing again any more.
        return Err(Rejection::NotFound.into());
    }
    let code = transaction.pg_codes.first().ok_or(Rejection::NotFound)?;
    let wanted = WantedPayment { code, principal: transaction.amount };
    may_open(transaction, record.attempt.as_ref(), wanted, now)?;
    let is_sandbox = record.attempt.as_ref().is_some_and(|attempt| attempt.is_sandbox);
    let key = key_of(transaction, is_sandbox).ok_or(Rejection::NotFound)?;
    let agreement = world.ledger(&key).agreement(&key).await?;
    let card = agreement.ok_or(Rejection::CardRefused(CardRefusal::NotOfAgreement))?.card;
    let Debitable { card: saved, profile, cycle } =
        check_debited(world, transaction, situation, card.as_str()).await?;
    let since = LIMITS.into_iter().map(|(window, _)| now.minus(window)).min().unwrap_or(now);
    let tried = world.ledger(&key).tried_debits(&key.holder, &card, since).await?;
    let free_at = free_at(&tried, now);
    if free_at > now {
        world.ledger(&transaction.session_id).claim_ladder(&transaction.session_id, until, free_at).await?;
        return Ok(false);
    }
    let retry = Some(TryClaim { card: card.clone(), at: now });
    let plan = Plan {
        profile,
        principal: transaction.amount,
        purpose: PaymentPurpose::Debit { token: saved.card.token, cycle, retry },
        route: PaymentRoute::only(profile),
        order: None,
    };
    replace_and_charge(world, record, situation, plan).await?;
    Ok(true)
}
