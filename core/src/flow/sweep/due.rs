//! Which rows are due: doorbells are rung for them, or they are handed to the engine, the urgent first.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::Cell;
use core::time::Duration;

use crate::flow::card::try_again;
use crate::flow::deliver::{Class, EachTurn, Engine, Job, REST, note};
use crate::flow::inquire::reconcile::reconcile;
use crate::flow::situation::situation_of;
use crate::payment::chase::Urgency;
use crate::port::{
    Bookkeeping, Clock, Doorbell, Doorbells, Due, DueRow, Holds, Ladders, PortError, Reconciliations, Ring,
    Store, World,
};
use crate::reconciliation::Reconciliation;
use crate::value::id::{MerchantId, SessionId};
use crate::value::slot::Slot;

/// How long a message has for its first doorbell before the net looks for it.
const GRACE: Duration = Duration::from_mins(2);
/// The seconds over which the doorbells of a run are spread if they are as many as there may be: what is due at once is
/// done evenly, and neither what is fresh nor a receiver that comes back meets all of it in one moment.
const SPREAD: u64 = 40;
/// The most payments that have ended about which one run asks: nobody waits for their outcome.
const MAX_CLOSED: u32 = 40;
/// How long a question that could not be asked is postponed.
const POSTPONED: Duration = Duration::from_mins(10);

/// What is asked, in the order of urgency.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Unknown,
    Operation,
    Waiting,
    Closed,
    Expiry,
    Ladder,
    Reconciliation,
}

impl Kind {
    /// Those for which doorbells ring.
    const RUNG: [Self; 5] = [Self::Unknown, Self::Operation, Self::Waiting, Self::Closed, Self::Expiry];

    /// How many of them a merchant has in one round.
    const fn in_a_round(self) -> usize {
        match self {
            Self::Unknown | Self::Operation | Self::Expiry => 4,
            Self::Waiting | Self::Ladder => 2,
            Self::Closed | Self::Reconciliation => 1,
        }
    }

    /// The rows that are due, in turns of the merchants and their lanes.
    async fn find(self, world: &impl World, due: Due<'_>) -> Result<Vec<Doorbell>, PortError> {
        let ledger = world.ledger(&Slot::FIRST);
        let urgency = match self {
            Self::Unknown => Urgency::Unknown,
            Self::Waiting => Urgency::Waiting,
            Self::Closed => Urgency::Closed,
            Self::Operation => return Ok(doorbells(ledger.due_operations(due).await?, Doorbell::Operation)),
            Self::Expiry => return Ok(doorbells(ledger.due_expiries(due).await?, Doorbell::Expiry)),
            // No doorbell rings for them.
            Self::Ladder | Self::Reconciliation => return Ok(Vec::new()),
        };
        Ok(doorbells(ledger.due_inquiries(due, urgency).await?, Doorbell::Attempt))
    }
}

fn doorbells<T>(found: Vec<T>, bell: impl Fn(T) -> Doorbell) -> Vec<Doorbell> {
    found.into_iter().map(bell).collect()
}

/// Rings for what is due, each kind in turns of the merchants and their lanes: messages that no doorbell rang for in time, and
/// everything that becomes due by the clock. So the cron handler is the net under the queues.
///
/// # Errors
/// If the queue or the store fails. What was rung for until then is noted.
pub(super) async fn ring_due<W: World>(engine: &Engine<'_, W>) -> Result<(), PortError> {
    let (world, rings) = (engine.world, engine.limits.rings);
    let now = world.clock().now();
    let due = Due { merchant: None, now, share: rings, limit: rings, unrung_since: Some(now.minus(REST)) };
    let late = world.ledger(&Slot::FIRST).due_deliveries(Due { now: now.minus(GRACE), ..due }).await?;
    ring(world, doorbells(late, |turn| Doorbell::Delivery(turn.item))).await?;
    for kind in Kind::RUNG {
        let limit = if kind == Kind::Closed { MAX_CLOSED } else { rings };
        ring(world, kind.find(world, Due { limit, ..due }).await?).await?;
    }
    Ok(())
}

async fn ring(world: &impl World, doorbells: Vec<Doorbell>) -> Result<(), PortError> {
    let most = world.run_limits().rings;
    let all: Vec<Ring> =
        (0..).zip(doorbells).map(|(place, bell)| Ring::waiting(bell, after(place, most))).collect();
    let mut rung = Vec::new();
    let mut outcome = Ok(());
    for some in all.chunks(Ring::TOGETHER) {
        outcome = world.ring(some).await;
        if outcome.is_err() {
            break;
        }
        rung.extend(some.iter().map(|ring| ring.bell.id()));
    }
    if !rung.is_empty() {
        world.ledger(&Slot::FIRST).note_rung(&rung, world.clock().now()).await?;
    }
    outcome
}

/// How long the doorbell at a place waits, if there may be so many.
fn after(place: u64, most: u32) -> Duration {
    Duration::from_secs(place.saturating_mul(SPREAD).checked_div(u64::from(most)).unwrap_or(0))
}

/// A job, and its place in the order.
struct Placed<'j> {
    round: usize,
    kind: Kind,
    job: Job<'j>,
}

/// Jobs of several kinds in their order: in each round every merchant has a few of each kind, the urgent
/// kinds first.
#[derive(Default)]
struct Rounds<'j>(Vec<Placed<'j>>);

impl<'j> Rounds<'j> {
    /// Adds the jobs of a kind, which are in the order of their turns.
    fn add(&mut self, kind: Kind, jobs: Vec<Job<'j>>) {
        let mut before: BTreeMap<MerchantId, usize> = BTreeMap::new();
        for job in jobs {
            let earlier = before.get(job.merchant()).copied().unwrap_or_default();
            let round = earlier.checked_div(kind.in_a_round()).unwrap_or_default();
            before.insert(job.merchant().clone(), earlier.saturating_add(1));
            self.0.push(Placed { round, kind, job });
        }
    }

    fn in_order(mut self) -> Vec<Job<'j>> {
        self.0.sort_by_key(|placed| (placed.round, placed.kind));
        self.0.into_iter().map(|placed| placed.job).collect()
    }
}

/// Reminds of held money, and hands what is due to the engine until nothing is due any more, or the time is over:
///
/// 1. gateways are asked: about attempts and operations of unknown outcome, about pages that wait for their payers, about
///    payments that have ended, and for their lists; and transactions end whose time is over and that have no open attempt.
///    Only lists are asked for if doorbells were rung for the rest;
/// 2. at the same time notifications are sent, those that failed before last, and what the answers of gateways and
///    the end of transactions cause as soon as it is stored;
/// 3. what could not be asked is postponed.
pub(super) async fn do_due<W: World>(engine: &Engine<'_, W>, is_rung: bool) {
    remind(engine).await.unwrap_or_else(|error| note(engine.report, error));
    let closed_left = Cell::new(MAX_CLOSED);
    let search = async |wanted: EachTurn<bool>| {
        let mut rounds = Rounds::default();
        // 1
        if wanted.asking {
            if !is_rung {
                questions(engine, &closed_left, &mut rounds).await;
            }
            debits(engine, &mut rounds).await;
            lists(engine, &mut rounds).await;
        }
        let mut jobs = rounds.in_order();
        // 2
        if wanted.sending && !is_rung {
            let found = noted(engine, engine.world.ledger(&Slot::FIRST).due_deliveries(due(engine)).await);
            jobs.extend(found.into_iter().filter_map(|turn| engine.message(turn)));
        }
        jobs
    };
    engine.work(search).await;
    // 3
    let (ledger, until) = (engine.world.ledger(&Slot::FIRST), engine.now().plus(POSTPONED));
    for bell in engine.failed() {
        let put_off = match bell {
            Doorbell::Attempt(turn) => ledger.postpone_inquiry(&turn.item, until).await,
            Doorbell::Operation(turn) => ledger.postpone_operation(&turn.item, until).await,
            Doorbell::Delivery(_) | Doorbell::Expiry(_) | Doorbell::Cleaning(_) => Ok(()),
        };
        put_off.unwrap_or_else(|error| note(engine.report, error));
    }
}

/// Puts held money that has to be captured soon on the attention list.
async fn remind<W: World>(engine: &Engine<'_, W>) -> Result<(), PortError> {
    let (ledger, due) = (engine.world.ledger(&Slot::FIRST), due(engine));
    let found = ledger.due_captures(due).await?;
    if found.is_empty() {
        return Ok(());
    }
    let reminders: Vec<_> = found.iter().map(|deadline| deadline.reminder(due.now)).collect();
    ledger.remind_of_captures(&reminders).await
}

fn due<'e, W: World>(engine: &Engine<'e, W>) -> Due<'e> {
    Due {
        merchant: engine.merchant.map(|merchant| &merchant.settings.merchant),
        now: engine.now(),
        share: engine.limits.share,
        limit: engine.limits.rows,
        unrung_since: None,
    }
}

/// What was found. A search that failed is noted, and the others continue.
fn noted<T, W>(engine: &Engine<'_, W>, found: Result<Vec<T>, PortError>) -> Vec<T> {
    found.unwrap_or_else(|error| {
        note(engine.report, error);
        Vec::new()
    })
}

/// Adds what doorbells would ring for and was not taken up yet.
async fn questions<'j, W: World>(
    engine: &'j Engine<'_, W>,
    closed_left: &Cell<u32>,
    rounds: &mut Rounds<'j>,
) {
    for kind in Kind::RUNG {
        let limit = if kind == Kind::Closed { closed_left.get() } else { engine.limits.rows };
        let found = noted(engine, kind.find(engine.world, Due { limit, ..due(engine) }).await);
        let jobs: Vec<Job<'j>> = found.into_iter().filter_map(|bell| engine.question(bell)).collect();
        if kind == Kind::Closed {
            let taken = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
            closed_left.set(limit.saturating_sub(taken));
        }
        rounds.add(kind, jobs);
    }
}

/// Adds the auto debits that are tried again and were not taken up yet.
async fn debits<'j, W: World>(engine: &'j Engine<'_, W>, rounds: &mut Rounds<'j>) {
    let found = noted(engine, engine.world.ledger(&Slot::FIRST).due_ladders(due(engine)).await);
    let name = |id: &SessionId| alloc::format!("debit {id}");
    let jobs = found.into_iter().filter(|turn| engine.takes(&name(&turn.item)));
    let jobs = jobs.map(|turn| Job::new(Class::Asking, turn, |id| Box::pin(debit(engine, id))));
    rounds.add(Kind::Ladder, jobs.collect());
}

async fn debit<W: World>(engine: &Engine<'_, W>, session_id: SessionId) -> bool {
    // Boxed: most runs try no debit.
    let result = Box::pin(try_again(engine.world, &session_id)).await;
    engine.count(|report| &mut report.inquired, result);
    true
}

/// Adds the reconciliations that were not taken up yet.
async fn lists<'j, W: World>(engine: &'j Engine<'_, W>, rounds: &mut Rounds<'j>) {
    let found = noted(engine, engine.world.ledger(&Slot::FIRST).due_reconciliations(due(engine)).await);
    let name = |one: &Reconciliation| alloc::format!("{} {}", one.merchant.as_str(), one.pg_code);
    let jobs = found.into_iter().filter(|one| engine.takes(&name(one))).map(|one| {
        let (merchant, lane) = (one.merchant.clone(), one.pg_code.to_string());
        let turn = DueRow { item: one, merchant, lane, family: None };
        Job::new(Class::Asking, turn, |it| Box::pin(go_on_with(engine, it)))
    });
    rounds.add(Kind::Reconciliation, jobs.collect());
}

async fn go_on_with<W: World>(engine: &Engine<'_, W>, due: Reconciliation) -> bool {
    let result = match situation_of(engine.world, &due.merchant).await {
        // Boxed: most runs reconcile nothing.
        Ok(situation) => Box::pin(reconcile(engine.world, &situation, due, engine.until)).await,
        Err(error) => Err(error.into()),
    };
    engine.count(|report| &mut report.reconciled, result);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_doorbells_ring_at_once_and_many_evenly() {
        let seconds = |place, most| after(place, most).as_secs();
        assert_eq!([0, 74, 75, 150, 2_999].map(|place| seconds(place, 3_000)), [0, 0, 1, 2, 39]);
        assert_eq!([0, 2, 3, 99].map(|place| seconds(place, 100)), [0, 0, 1, 39]);
        assert_eq!([9_999, 10_000].map(|place| seconds(place, 10_000)), [39, 40]);
        assert_eq!(seconds(5, 0), 0);
    }
}
