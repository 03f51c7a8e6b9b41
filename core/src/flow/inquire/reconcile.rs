//! Compares the recorded payments with the gateway's own list, in both directions (`docs/operating/attention.md`).

use alloc::boxed::Box;
use alloc::vec::Vec;

use futures_util::future::join_all;

use crate::answer::payload::Cause;
use crate::attempt::Attempt;
use crate::flow::Failure;
use crate::flow::exchange::connect::speak;
use crate::flow::exchange::exchange;
use crate::flow::exchange::patience::GATEWAY_TIMEOUT;
use crate::flow::inquire::{Question, ask};
use crate::flow::settle::{AttemptReport, settle};
use crate::gateway::listing::{ChargePage, ListedCharge, ListedSums};
use crate::gateway::profile::Profile;
use crate::payment::apply::{AttemptResult, ReportOccasion};
use crate::port::{
    Clock, PortError, Reconciliations, Record, RecordedCharge, StepFindings, Unsettled, World,
};
use crate::reconciliation::compare::{Comparison, compare, unknown};
use crate::reconciliation::{ClaimedRun, MISSED_AFTER, Reconciliation, ReconciliationRun, RunPosition};
use crate::record::attention::Concern;
use crate::settings::situation::Situation;
use crate::value::id::ReferenceNumber;
use crate::value::slot::Slot;
use crate::value::time::Timestamp;

/// The most pages of a list that are compared before a run is stored and left to the next tick.
const MAX_PAGES: usize = 4;
/// The most successes about which a gateway is asked in one call.
const MAX_ASKED: u32 = 20;
/// How many of them at once. The connections of a run are few, and other gateways are asked at the same time.
const MAX_AT_ONCE: usize = 2;

/// Continues the reconciliation of one gateway; whether it did:
///
/// 1. claim the run, or begin one; someone else may have done so;
/// 2. compare the pages of the gateway's list; each is stored with what was found before the next is asked
///    for;
/// 3. once there are no more, ask the gateway about successes that no list has named;
/// 4. once there are none left, end the run.
///
/// A gateway that does not answer, or whose answer cannot be read, is asked again later from the same
/// position. After `until` no other page is asked for and no other question is asked: the next tick
/// continues.
///
/// # Errors
/// A failure of the world; the run continues when the claim is over.
pub(in crate::flow) async fn reconcile(
    world: &impl World,
    situation: &Situation,
    stored: Reconciliation,
    until: Timestamp,
) -> Result<bool, Failure> {
    let settings = &situation.settings;
    let mut walk = Walk { world, situation: situation.clone(), at: stored, until };
    let profile = settings.gateway(&walk.at.pg_code).filter(|profile| profile.reconciled);
    let Some(profile) = profile else { return walk.leave_alone().await };
    let Some(connector) = speak(world, settings, profile)? else { return walk.leave_alone().await };
    // 1
    let ClaimedRun { next, mut run } = walk.at.clone().claimed(situation.real_now(), situation.now);
    if !walk.save(next, StepFindings::default()).await? {
        return Ok(false);
    }
    // 2
    for _ in 0..MAX_PAGES {
        let RunPosition::Listing(cursor) = run.place.clone() else { break };
        let has_list = profile.capabilities().lists_charges;
        let period = walk.at.period(&run);
        let listed = has_list.then(|| connector.list_charges(period, cursor.as_deref())).flatten();
        let Some(step) = listed else {
            run.place = walk.at.asking();
            break;
        };
        let answered = exchange(world, step, GATEWAY_TIMEOUT).await;
        walk.situation = walk.situation.later(world);
        let Ok(Some(page)) = answered else {
            return walk.put_off(StepFindings::default()).await;
        };
        if !walk.take_page(&mut run, page).await? {
            return Ok(false);
        }
        if walk.is_late() {
            return Ok(true);
        }
    }
    // 3, 4
    match run.place {
        RunPosition::Listing(_) => Ok(true),
        RunPosition::Asking(after) => walk.ask_about(profile, run, after).await,
    }
}

/// One run as it goes on.
struct Walk<'a, W> {
    world: &'a W,
    situation: Situation,
    at: Reconciliation,
    until: Timestamp,
}

impl<W: World> Walk<'_, W> {
    fn is_late(&self) -> bool {
        self.world.clock().now() >= self.until
    }

    /// Stores the position of the run; whether nobody else did so in the meantime.
    async fn save(&mut self, next: Reconciliation, found: StepFindings) -> Result<bool, PortError> {
        let next = Reconciliation { version: self.at.version.saturating_add(1), ..next };
        let at = self.situation.now;
        let is_saved = self.world.ledger(&next).save_reconciliation(&next, &found, at).await?;
        self.at = next;
        Ok(is_saved)
    }

    /// What is older was certainly in the list when the gateway was asked.
    fn certain_until(&self) -> Timestamp {
        self.situation.now.minus(MISSED_AFTER)
    }

    async fn leave_alone(mut self) -> Result<bool, Failure> {
        let next = self.at.clone().left_alone(self.situation.now);
        self.save(next, StepFindings::default()).await?;
        Ok(false)
    }

    async fn put_off(mut self, found: StepFindings) -> Result<bool, Failure> {
        let next = self.at.clone().put_off(self.situation.now);
        self.save(next, found).await?;
        Ok(false)
    }

    async fn take_page(&mut self, run: &mut ReconciliationRun, page: ChargePage) -> Result<bool, Failure> {
        let found = self.compare_page(&page.charges).await?;
        run.tally.charges = run.tally.charges.saturating_add(count(page.charges.len()));
        run.tally.differences = run.tally.differences.saturating_add(count(found.differences.len()));
        run.place = match page.next {
            // A page that repeats itself would never end.
            Some(next) if run.place != RunPosition::Listing(Some(next.clone())) => {
                RunPosition::Listing(Some(next))
            }
            Some(_) | None => self.at.asking(),
        };
        let next = self.at.clone().at(run.clone(), self.situation.now);
        Ok(self.save(next, found).await?)
    }

    async fn compare_page(&self, charges: &[ListedCharge]) -> Result<StepFindings, Failure> {
        let reference = |charge: &ListedCharge| ReferenceNumber::parse(&charge.report.reference);
        let references: Vec<ReferenceNumber> = charges.iter().filter_map(reference).collect();
        let known = self.world.ledger(&Slot::FIRST).listed(&references).await?;
        let mut found = StepFindings::default();
        for charge in charges {
            let named = |record: &Record| {
                let attempt = record.attempt.as_ref();
                attempt.is_some_and(|attempt| attempt.reference.as_str() == charge.report.reference)
            };
            if let Some(recorded) = known.iter().find(|recorded| named(&recorded.record)) {
                self.compare(charge, recorded, &mut found).await?;
            } else {
                let at = self.situation.now;
                found.differences.extend(unknown(&self.at.merchant, &charge.report, at));
            }
        }
        Ok(found)
    }

    /// Merchants may share an account at a gateway: the payments of another merchant are left to that
    /// merchant's own runs.
    async fn compare(
        &self,
        charge: &ListedCharge,
        recorded: &RecordedCharge,
        found: &mut StepFindings,
    ) -> Result<(), Failure> {
        let RecordedCharge { record, children } = recorded;
        let Some(attempt) = &record.attempt else { return Ok(()) };
        if attempt.merchant != self.at.merchant {
            return Ok(());
        }
        match compare(charge, attempt, children, self.certain_until()) {
            Comparison::Agrees => found.settled.push(attempt.reference.clone()),
            Comparison::Nothing => {}
            Comparison::Differs(concern) => self.report(found, attempt, concern),
            Comparison::Unrecorded => {
                let attempt_report = AttemptReport::of(
                    AttemptResult::Report(charge.report.clone()),
                    ReportOccasion::Background,
                    Cause::Other,
                );
                // Boxed: few charges of a list change anything. A race that was lost is left to the next
                // list.
                match Box::pin(settle(self.world, record.clone(), &self.situation, attempt_report)).await {
                    Ok(_) | Err(Failure::Refused(_)) => {}
                    Err(failure) => return Err(failure),
                }
            }
        }
        Ok(())
    }

    fn report(&self, found: &mut StepFindings, attempt: &Attempt, concern: Concern) {
        found.settled.push(attempt.reference.clone());
        found.differences.push(attempt.attention(concern, self.situation.now));
    }

    /// Asks about successes that no list has named. What the gateway cannot say now is asked in the next run.
    async fn ask_about(
        mut self,
        profile: &Profile,
        mut run: ReconciliationRun,
        after: Timestamp,
    ) -> Result<bool, Failure> {
        let now = self.situation.now;
        let wanted = Unsettled {
            merchant: &self.at.merchant,
            pg_code: &profile.code,
            after,
            until: self.certain_until(),
            limit: MAX_ASKED,
        };
        let missed = self.world.ledger(&wanted).unsettled(wanted).await?;
        let attempts: Vec<Attempt> = missed.into_iter().filter_map(|record| record.attempt).collect();
        let mut found = StepFindings::default();
        let (mut last, mut asked) = (after, 0_i64);
        for group in attempts.chunks(MAX_AT_ONCE) {
            if asked > 0 && self.is_late() {
                break;
            }
            let questions = group
                .iter()
                .map(|attempt| ask(self.world, &self.situation, attempt, Question::Inquire(None)));
            let learned = join_all(questions).await;
            self.situation = self.situation.later(self.world);
            if learned.iter().all(|learned| matches!(learned, Ok(AttemptResult::AnswerLost) | Err(_))) {
                return self.put_off(found).await;
            }
            for (attempt, learned) in group.iter().zip(learned) {
                self.judge(&mut found, attempt, learned?).await?;
                last = last.max(attempt.opened_at);
                asked = asked.saturating_add(1);
            }
        }
        run.tally.asked = run.tally.asked.saturating_add(asked);
        run.tally.differences = run.tally.differences.saturating_add(count(found.differences.len()));
        let is_over = asked == count(attempts.len()) && asked < i64::from(MAX_ASKED);
        run.place = RunPosition::Asking(last);
        let at = self.at.clone();
        let next = if is_over { at.ended(&run, now) } else { at.at(run, now) };
        Ok(self.save(next, found).await?)
    }

    async fn judge(
        &self,
        found: &mut StepFindings,
        attempt: &Attempt,
        learned: AttemptResult,
    ) -> Result<(), PortError> {
        let AttemptResult::Report(report) = learned else { return Ok(()) };
        let charge = ListedCharge { report, sums: ListedSums::default() };
        let mut compared = compare(&charge, attempt, &[], self.certain_until());
        // Operations are loaded only where they may explain a difference.
        if matches!(compared, Comparison::Differs(_)) {
            let ledger = self.world.ledger(&attempt.reference);
            let recorded = ledger.listed(core::slice::from_ref(&attempt.reference)).await?;
            let children = recorded.first().map(|recorded| recorded.children.as_slice()).unwrap_or_default();
            compared = compare(&charge, attempt, children, self.certain_until());
        }
        match compared {
            Comparison::Agrees => found.settled.push(attempt.reference.clone()),
            Comparison::Differs(concern) => self.report(found, attempt, concern),
            Comparison::Unrecorded | Comparison::Nothing => {}
        }
        Ok(())
    }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
