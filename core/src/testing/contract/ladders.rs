//! Auto debits that are tried again, and agreements that are paused.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::cards::{agreement, card, holder, save};
use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::CardToken;
use crate::card::agreement::{AgreementKey, Pause};
use crate::card::ladder::{Ladder, LadderWrite, TryClaim};
use crate::card::usage::{CardUse, ChargeInitiator};
use crate::change::{AttemptWrite, Change};
use crate::port::{Cards, CommitError, Due, Erasures, Ladders, Pausing, Store};
use crate::record::attention::{Attention, Reason};
use crate::transaction::Transaction;
use crate::value::id::{PgCode, ReferenceNumber};
use crate::value::time::Timestamp;
use crate::words::decline::DeclineReason;

fn due(now: Timestamp) -> Due<'static> {
    Due { merchant: None, now, share: 10_000, limit: 10_000, unrung_since: None }
}

fn ladder(transaction: &Transaction, next_at: Timestamp) -> Result<Ladder, Problem> {
    Ok(Ladder {
        session_id: transaction.session_id.clone(),
        merchant: transaction.merchant.clone(),
        pg_code: PgCode::parse("knet").ok_or("no code")?,
        tries: 2,
        reason: DeclineReason::DoNotHonor,
        next_at,
    })
}

async fn write(
    store: &impl Store,
    fixture: &Fixture,
    transaction: &Transaction,
    write: LadderWrite,
) -> Result<Transaction, Problem> {
    let mut change = fixture.noted(transaction);
    change.ladder = Some(Box::new(write));
    store.commit(&change).await?;
    Ok(change.transaction)
}

pub(super) async fn a_ladder_is_due_claimed_and_ended(
    store: &(impl Store + Ladders),
    fixture: &Fixture,
) -> Checked {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let session_id = created.transaction.session_id.clone();
    let is_due = async |now: Timestamp| -> Result<bool, Problem> {
        Ok(store.due_ladders(due(now)).await?.iter().any(|turn| turn.item == session_id))
    };
    same("none", store.ladder(&session_id).await?, None)?;
    let first = ladder(&created.transaction, fixture.after(10))?;
    let transaction = write(store, fixture, &created.transaction, LadderWrite::Wait(first.clone())).await?;
    same("as it was stored", store.ladder(&session_id).await?, Some(first.clone()))?;
    let next = Ladder { tries: 3, reason: DeclineReason::Other, next_at: fixture.after(20), ..first };
    let transaction = write(store, fixture, &transaction, LadderWrite::Wait(next.clone())).await?;
    same("the next step", store.ladder(&session_id).await?, Some(next))?;
    holds("not before", !is_due(fixture.after(19)).await?)?;
    holds("at the moment", is_due(fixture.after(20)).await?)?;
    let claim = async |due_at, until| {
        store.claim_ladder(&session_id, fixture.after(due_at), fixture.after(until)).await
    };
    holds("of another moment", !claim(19, 30).await?)?;
    holds("claimed", claim(20, 30).await?)?;
    holds("once", !claim(20, 30).await?)?;
    holds("due again later", !is_due(fixture.after(29)).await? && is_due(fixture.after(30)).await?)?;
    store.end_ladder(&session_id, fixture.after(20), None).await?;
    holds("someone else claimed it", store.ladder(&session_id).await?.is_some())?;
    store.end_ladder(&session_id, fixture.after(30), None).await?;
    same("ended", store.ladder(&session_id).await?, None)?;
    let again = ladder(&transaction, fixture.after(40))?;
    let transaction = write(store, fixture, &transaction, LadderWrite::Wait(again)).await?;
    write(store, fixture, &transaction, LadderWrite::End(None)).await?;
    same("ended by a change", store.ladder(&session_id).await?, None)
}

/// Which entries about pauses are open.
async fn flagged(store: &impl Store, fixture: &Fixture) -> Result<Vec<ReferenceNumber>, Problem> {
    let open = store.attention(10_000).await?;
    let is_own =
        |entry: &&Attention| entry.merchant == fixture.merchant && entry.reason == Reason::AgreementPaused;
    Ok(open.iter().filter(is_own).map(|entry| entry.reference.clone()).collect())
}

/// A payment that pauses an agreement, with its entry.
async fn debited(
    store: &impl Store,
    fixture: &Fixture,
    key: &AgreementKey,
) -> Result<(Change, Pausing), Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let change = fixture.opened(&created.transaction, attempt.clone());
    store.commit(&change).await?;
    let session_id = attempt.session_id.clone();
    let pause = Pause { at: fixture.after(9), reason: DeclineReason::ExpiredCard, session_id };
    let entry = fixture.attention(&attempt, Reason::AgreementPaused);
    Ok((change, Pausing { key: key.clone(), pause, entry }))
}

pub(super) async fn a_pause_ends_when_someone_pays_or_resumes(
    store: &(impl Store + Cards + Ladders + Erasures),
    fixture: &Fixture,
) -> Checked {
    let first = card(fixture, 1, 1)?;
    let terms = agreement(fixture, &first, "a", "monthly")?;
    save(store, fixture, &first, Some((terms.clone(), ChargeInitiator::Payer))).await?;
    let paused = async || -> Result<Option<Pause>, Problem> {
        Ok(store.agreement(&terms.key).await?.ok_or("no agreement")?.paused)
    };
    let (opened, pausing) = debited(store, fixture, &terms.key).await?;
    let pause = pausing.pause.clone();
    let mut change = fixture.noted(&opened.transaction);
    change.ladder = Some(Box::new(LadderWrite::End(Some((terms.key.clone(), pause.clone())))));
    change.attention.push(pausing.entry.clone());
    store.commit(&change).await?;
    same("paused", paused().await?, Some(pause.clone()))?;
    same("on the list", flagged(store, fixture).await?, [pausing.entry.reference.clone()].into())?;
    let listed = store.agreements(&holder(fixture), 10).await?;
    let listed: Vec<_> = listed.into_iter().map(|one| (one.key.id, one.paused)).collect();
    same("in the list", listed, [("a".into(), Some(pause))].into())?;
    let entry = fixture.entry("resume_agreement");
    holds("resumed", store.resume_agreement(&terms.key, &entry).await?)?;
    holds("once", !store.resume_agreement(&terms.key, &entry).await?)?;
    same("not any more", paused().await?, None)?;
    same("closed", flagged(store, fixture).await?, Vec::new())?;
    for initiator in [ChargeInitiator::Payer, ChargeInitiator::Merchant] {
        for _ in 0..2 {
            let (opened, pausing) = debited(store, fixture, &terms.key).await?;
            let waiting = ladder(&opened.transaction, fixture.after(10))?;
            write(store, fixture, &opened.transaction, LadderWrite::Wait(waiting)).await?;
            let session_id = &opened.transaction.session_id;
            let before = flagged(store, fixture).await?;
            store.end_ladder(session_id, fixture.after(9), Some(&pausing)).await?;
            same("someone else claimed it", flagged(store, fixture).await?, before)?;
            store.end_ladder(session_id, fixture.after(10), Some(&pausing)).await?;
            same("by this one", paused().await?, Some(pausing.pause))?;
            same("its own entry", flagged(store, fixture).await?, [pausing.entry.reference].into())?;
        }
        save(store, fixture, &first, Some((terms.clone(), initiator))).await?;
        same("a payment resumes it", paused().await?, None)?;
        same("and closes the entry", flagged(store, fixture).await?, Vec::new())?;
    }
    let (opened, pausing) = debited(store, fixture, &terms.key).await?;
    let mut change = fixture.noted(&opened.transaction);
    change.ladder = Some(Box::new(LadderWrite::End(Some((terms.key.clone(), pausing.pause)))));
    change.attention.push(pausing.entry);
    store.commit(&change).await?;
    let holder = holder(fixture);
    store.delete_cards_of(&holder.merchant, &holder.customer_id, fixture.now).await?;
    same("gone with the agreement", flagged(store, fixture).await?, Vec::new())
}

/// Opens an attempt that charges a card, with the claim that it may be.
async fn tried(
    store: &impl Store,
    fixture: &Fixture,
    token: &CardToken,
    (seconds, is_claimed): (u64, bool),
) -> Result<Result<Change, CommitError>, Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let at = fixture.after(seconds);
    let card = CardUse::Charge(token.clone(), ChargeInitiator::Merchant);
    let attempt = Attempt { opened_at: at, card, ..fixture.attempt(&created.transaction, 1)? };
    let mut change = fixture.opened(&created.transaction, attempt);
    change.retry = is_claimed.then(|| Box::new(TryClaim { card: token.clone(), at }));
    Ok(store.commit(&change).await.map(|()| change))
}

pub(super) async fn a_card_is_tried_as_often_as_the_limits_permit(
    store: &(impl Store + Ladders),
    fixture: &Fixture,
) -> Checked {
    const DAY: u64 = 86_400;
    let token = card(fixture, 1, 1)?.token;
    let end = async |change: Change, stage: Stage| -> Result<(), Problem> {
        let attempt = change.attempt.as_ref().ok_or("no attempt")?.attempt().clone();
        let write = AttemptWrite::Update { from: attempt.stage, attempt: Attempt { stage, ..attempt } };
        Ok(store.commit(&fixture.noted(&change.transaction).with_attempt(write)).await?)
    };
    for second in 1..=9 {
        end(tried(store, fixture, &token, (second, true)).await??, Stage::Failed).await?;
    }
    let last = tried(store, fixture, &token, (10, true)).await??;
    let refused = tried(store, fixture, &token, (11, true)).await?.err();
    same("the eleventh of a day", refused, Some(CommitError::Conflict))?;
    let other = card(fixture, 2, 1)?.token;
    end(tried(store, fixture, &other, (11, true)).await??, Stage::Failed).await?;
    end(last, Stage::Success).await?;
    let found = store.tried_debits(&holder(fixture), &token, fixture.after(8)).await?;
    same("those without success", found, [fixture.after(9)].into())?;
    for second in 20..=25 {
        end(tried(store, fixture, &token, (DAY.saturating_add(second), true)).await??, Stage::Failed).await?;
    }
    let refused = tried(store, fixture, &token, (3 * DAY, true)).await?.err();
    same("the sixteenth of a month", refused, Some(CommitError::Conflict))?;
    holds(
        "what the merchant asks for is its own",
        tried(store, fixture, &token, (3 * DAY, false)).await?.is_ok(),
    )
}
