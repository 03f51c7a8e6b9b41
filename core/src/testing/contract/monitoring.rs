//! What is measured and counted. Other checks have rows too, so what is compared is what a change adds.

use core::time::Duration;

use super::fixture::Fixture;
use super::{Checked, Problem, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::AttemptWrite;
use crate::port::{Measures, Monitoring, Store, SweepTotals, Window};
use crate::record::attention::Reason;
use crate::state::State;

/// The numbers of a measurement that the check changes.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    created: u64,
    sending: u64,
    unknown: u64,
    deliveries: u64,
    flagged: u64,
}

impl Counts {
    fn of(measures: &Measures) -> Self {
        let created = measures.payments.iter().filter(|(state, _)| *state == State::Created);
        let sending =
            measures.attempts.iter().filter(|one| one.stage == Stage::Sending && one.pg_name == "counted");
        let flagged = measures.attention.iter().filter(|(reason, _)| *reason == Reason::SecondSuccess);
        Self {
            created: created.map(|(_, count)| *count).sum(),
            sending: sending.map(|one| one.count).sum(),
            unknown: measures.unknown.count,
            deliveries: measures.deliveries.count,
            flagged: flagged.map(|(_, count)| *count).sum(),
        }
    }

    /// What was added since `before`.
    fn since(&self, before: &Self) -> [u64; 5] {
        [
            (self.created, before.created),
            (self.sending, before.sending),
            (self.unknown, before.unknown),
            (self.deliveries, before.deliveries),
            (self.flagged, before.flagged),
        ]
        .map(|(after, before)| after.saturating_sub(before))
    }
}

pub(super) async fn what_is_new_and_what_waits_is_counted(
    store: &(impl Monitoring + Store),
    fixture: &Fixture,
) -> Checked {
    let just_before = fixture.now.minus(Duration::from_millis(1));
    let window = Window { payments: just_before, attempts: just_before };
    let too_late = Window { payments: fixture.now, attempts: fixture.now };
    let before = Counts::of(&store.measure(window).await?);
    let late_before = Counts::of(&store.measure(too_late).await?);
    for _ in 0..2 {
        store.commit(&fixture.created(fixture.transaction()?)).await?;
    }
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let mut attempt = fixture.attempt(&created.transaction, 1)?;
    attempt.pg_name = "counted".into();
    let mut opened = fixture.opened(&created.transaction, attempt.clone());
    let attention = fixture.attention(&attempt, Reason::SecondSuccess);
    opened.attention.push(attention.clone());
    let message = fixture.message(&opened, &attempt.reference);
    opened.messages.push(message);
    store.commit(&opened).await?;
    let measured = store.measure(window).await?;
    same("added", Counts::of(&measured).since(&before), [2, 1, 1, 1, 1])?;
    let late = Counts::of(&store.measure(too_late).await?).since(&late_before);
    same("too old to be counted, but waiting", late, [0, 0, 1, 1, 1])?;
    let oldest = |since: Option<_>| since.is_some_and(|since| since <= fixture.now);
    same("the oldest", (oldest(measured.unknown.since), oldest(measured.deliveries.since)), (true, true))?;
    let ended = Attempt { stage: Stage::Failed, inquire_at: None, ..attempt.clone() };
    let write = AttemptWrite::Update { from: Stage::Sending, attempt: ended };
    store.commit(&fixture.noted(&opened.transaction).with_attempt(write)).await?;
    store.close_attention(&attention.id(), fixture.closing("dismiss")).await?;
    let [_, sending, unknown, _, flagged] = Counts::of(&store.measure(window).await?).since(&before);
    same("after its end", [sending, unknown, flagged], [0, 0, 0])
}

pub(super) async fn the_runs_of_the_cron_handler_add_up(
    store: &(impl Monitoring + Store),
    fixture: &Fixture,
) -> Checked {
    let window = Window { payments: fixture.now, attempts: fixture.now };
    let run = SweepTotals {
        ended_at: fixture.now,
        runs: 1,
        inquired: 2,
        expired: 3,
        delivered: 4,
        reconciled: 5,
        failures: 6,
    };
    let totals = async || -> Result<SweepTotals, Problem> {
        let measured = store.measure(window).await?;
        Ok(measured.sweeps.ok_or("no totals")?)
    };
    store.note_sweep(&run).await?;
    let before = totals().await?;
    store.note_sweep(&SweepTotals { ended_at: fixture.after(60), ..run }).await?;
    let added = SweepTotals {
        ended_at: fixture.after(60),
        runs: before.runs.saturating_add(1),
        inquired: before.inquired.saturating_add(2),
        expired: before.expired.saturating_add(3),
        delivered: before.delivered.saturating_add(4),
        reconciled: before.reconciled.saturating_add(5),
        failures: before.failures.saturating_add(6),
    };
    same("the totals", totals().await?, added)
}
