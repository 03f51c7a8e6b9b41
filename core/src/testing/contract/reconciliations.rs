//! How far payments were compared with the lists of gateways.

use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::AttemptWrite;
use crate::port::{Due, Reconciliations, RecordedCharge, StepFindings, Store, Unsettled};
use crate::reconciliation::{CompletedRun, Reconciliation, ReconciliationRun, RunPosition, RunTally};
use crate::record::attention::{Attention, Reason};
use crate::state::{Event, State};
use crate::value::id::{PgCode, ReferenceNumber};
use crate::words::Operation;

/// A transaction with an attempt that succeeds or is still being sent.
async fn attempted(
    store: &impl Store,
    fixture: &Fixture,
    stage: Stage,
    after: u64,
) -> Result<Attempt, Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = Attempt { opened_at: fixture.after(after), ..fixture.attempt(&created.transaction, 1)? };
    let opened = fixture.opened(&created.transaction, attempt.clone());
    store.commit(&opened).await?;
    if stage == Stage::Sending {
        return Ok(attempt);
    }
    let next = Attempt { stage, inquire_at: None, ..attempt };
    let event = Event::AttemptSucceeded(Operation::Purchase);
    let write = AttemptWrite::Update { from: Stage::Sending, attempt: next.clone() };
    store.commit(&fixture.moved(&opened.transaction, event, State::Paid).with_attempt(write)).await?;
    Ok(next)
}

async fn only(store: &impl Reconciliations, fixture: &Fixture) -> Result<Reconciliation, Problem> {
    let found = store.reconciliations(&fixture.merchant).await?;
    same("reconciliations", found.len(), 1)?;
    found.into_iter().next().ok_or_else(|| "no reconciliation".into())
}

fn next(before: &Reconciliation) -> Reconciliation {
    Reconciliation { version: before.version.saturating_add(1), ..before.clone() }
}

pub(super) async fn a_reconciliation_begins_with_the_first_attempt(
    store: &(impl Store + Reconciliations),
    fixture: &Fixture,
) -> Checked {
    holds("none before", store.reconciliations(&fixture.merchant).await?.is_empty())?;
    let attempt = attempted(store, fixture, Stage::Sending, 5).await?;
    attempted(store, fixture, Stage::Sending, 9).await?;
    let begun = attempt.opened_at;
    let wanted = Reconciliation::new(fixture.merchant.clone(), attempt.pg_code, begun, begun);
    same("begun", only(store, fixture).await?, Reconciliation { version: 1, ..wanted })
}

pub(super) async fn a_reconciliation_is_read_back_as_it_was_stored(
    store: &impl Reconciliations,
    fixture: &Fixture,
) -> Checked {
    let code = PgCode::parse("mpgs").ok_or("no code")?;
    let new = Reconciliation::new(fixture.merchant.clone(), code, fixture.now, fixture.after(1));
    let tally = |charges| RunTally { charges, asked: 2, differences: 3 };
    let places = [
        RunPosition::Listing(None),
        RunPosition::Listing(Some("17.ch_1".into())),
        RunPosition::Asking(fixture.after(7)),
    ];
    let mut stored = Reconciliation { version: 1, failures: 4, ..new };
    holds("new", store.save_reconciliation(&stored, &StepFindings::default(), fixture.now).await?)?;
    for place in places {
        let run = Some(ReconciliationRun { to: fixture.after(8), place, tally: tally(5) });
        let last = Some(CompletedRun { at: fixture.after(6), tally: tally(6) });
        stored = Reconciliation { run, last, ..next(&stored) };
        holds("stored", store.save_reconciliation(&stored, &StepFindings::default(), fixture.now).await?)?;
        same("read back", only(store, fixture).await?, stored.clone())?;
    }
    Ok(())
}

pub(super) async fn of_two_changes_of_a_reconciliation_the_second_is_not_stored(
    store: &(impl Store + Reconciliations),
    fixture: &Fixture,
) -> Checked {
    let attempt = attempted(store, fixture, Stage::Success, 5).await?;
    let before = only(store, fixture).await?;
    let first = Reconciliation { failures: 1, ..next(&before) };
    let second = Reconciliation { failures: 2, ..next(&before) };
    holds("the first", store.save_reconciliation(&first, &StepFindings::default(), fixture.now).await?)?;
    let found = StepFindings { settled: Vec::from([attempt.reference.clone()]), differences: Vec::new() };
    holds("not the second", !store.save_reconciliation(&second, &found, fixture.now).await?)?;
    holds(
        "not a new one",
        !store.save_reconciliation(&Reconciliation { version: 1, ..second }, &found, fixture.now).await?,
    )?;
    same("stored", only(store, fixture).await?, first)?;
    let left = store
        .unsettled(Unsettled {
            merchant: &fixture.merchant,
            pg_code: &attempt.pg_code,
            after: fixture.now,
            until: fixture.after(60),
            limit: 10,
        })
        .await?;
    holds("what was found is stored all the same", left.is_empty())
}

pub(super) async fn reconciliations_are_due_by_the_time_of_their_merchant(
    store: &(impl Store + Reconciliations),
    fixture: &Fixture,
) -> Checked {
    let attempt = attempted(store, fixture, Stage::Sending, 0).await?;
    let due_at = attempt.opened_at.plus(crate::reconciliation::PAUSE);
    let is_found = async |merchant, now| {
        let due = Due { merchant, now, share: 10_000, limit: 10_000, unrung_since: None };
        let found = store.due_reconciliations(due).await?;
        Ok::<_, Problem>(found.iter().any(|one| one.merchant == fixture.merchant))
    };
    let before = due_at.minus(core::time::Duration::from_millis(1));
    for merchant in [None, Some(&fixture.merchant)] {
        holds("not before", !is_found(merchant, before).await?)?;
        holds("at the moment", is_found(merchant, due_at).await?)?;
    }
    let other = fixture.another()?.merchant;
    holds("not of another", !is_found(Some(&other), due_at).await?)
}

pub(super) async fn listed_attempts_come_with_their_transactions(
    store: &(impl Store + Reconciliations),
    fixture: &Fixture,
) -> Checked {
    let first = attempted(store, fixture, Stage::Success, 0).await?;
    let second = attempted(store, fixture, Stage::Sending, 1).await?;
    let nobody = fixture.reference();
    let wanted = [first.reference.clone(), nobody, second.reference.clone()];
    let mut found: Vec<ReferenceNumber> = Vec::new();
    for RecordedCharge { record, children } in store.listed(&wanted).await? {
        let attempt = record.attempt.ok_or("no attempt")?;
        same("transaction", &record.transaction.session_id, &attempt.session_id)?;
        holds("no operations", children.is_empty())?;
        found.push(attempt.reference);
    }
    found.sort();
    let mut both = [first.reference, second.reference];
    both.sort();
    same("attempts", found.as_slice(), both.as_slice())?;
    holds("nothing of nothing", store.listed(&[]).await?.is_empty())
}

pub(super) async fn successes_are_unsettled_in_order_until_they_are_settled(
    store: &(impl Store + Reconciliations),
    fixture: &Fixture,
) -> Checked {
    let mut successes = Vec::new();
    for after in [30, 10, 20] {
        successes.push(attempted(store, fixture, Stage::Success, after).await?.reference);
    }
    let open = attempted(store, fixture, Stage::Sending, 15).await?;
    let [third, first, second] = successes.as_slice() else { return Err("not three".into()) };
    let unsettled = async |from, to, limit| {
        let wanted = Unsettled {
            merchant: &fixture.merchant,
            pg_code: &open.pg_code,
            after: fixture.after(from),
            until: fixture.after(to),
            limit,
        };
        let found = store.unsettled(wanted).await?;
        let attempts = found.into_iter().filter_map(|record| record.attempt);
        Ok::<_, Problem>(attempts.map(|attempt| attempt.reference).collect::<Vec<_>>())
    };
    same("all", unsettled(0, 60, 10).await?, Vec::from([first.clone(), second.clone(), third.clone()]))?;
    same("limit", unsettled(0, 60, 1).await?, Vec::from([first.clone()]))?;
    same(
        "after the first, up to the third",
        unsettled(10, 30, 10).await?,
        Vec::from([second.clone(), third.clone()]),
    )?;
    let found = StepFindings { settled: Vec::from([second.clone(), third.clone()]), differences: Vec::new() };
    let before = only(store, fixture).await?;
    holds("saved", store.save_reconciliation(&next(&before), &found, fixture.now).await?)?;
    same("what is left", unsettled(0, 60, 10).await?, Vec::from([first.clone()]))
}

pub(super) async fn a_difference_is_open_again_when_it_is_another_one(
    store: &(impl Store + Reconciliations),
    fixture: &Fixture,
) -> Checked {
    let attempt = attempted(store, fixture, Stage::Success, 0).await?;
    let entry = |detail: &str| Attention {
        session_id: None,
        detail: detail.into(),
        ..fixture.attention(&attempt, Reason::OperationsMismatch)
    };
    let mut listed = only(store, fixture).await?;
    let mut report = async |detail: &str| {
        listed = next(&listed);
        let found = StepFindings { settled: Vec::new(), differences: Vec::from([entry(detail)]) };
        holds("saved", store.save_reconciliation(&listed, &found, fixture.now).await?)?;
        let listed = store.attention(u32::MAX).await?;
        let own = listed.into_iter().find(|entry| entry.reference == attempt.reference);
        Ok::<_, Problem>(own)
    };
    let first = report("refunded 1.000 KWD").await?.ok_or("not reported")?;
    let id = first.id();
    same("entry", first, entry("refunded 1.000 KWD"))?;
    holds("closed", store.close_attention(&id, fixture.closing("dismiss")).await?)?;
    holds("not the same again", report("refunded 1.000 KWD").await?.is_none())?;
    let second = report("refunded 2.000 KWD").await?.ok_or("not reported again")?;
    same("entry", second, entry("refunded 2.000 KWD"))
}
