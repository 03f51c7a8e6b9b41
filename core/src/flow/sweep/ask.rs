//! Asks the gateways: the urgent first, in turns of the merchants and their gateways.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::Cell;
use core::time::Duration;

use super::run::{Run, note};
use super::turns::{Job, Slots, take_turns};
use crate::attempt::stage::Stage;
use crate::flow::inquire::reconcile::reconcile;
use crate::flow::inquire::{Inquiry, inquire};
use crate::flow::situation::situation_of;
use crate::flow::{Failure, operation};
use crate::payment::apply::Occasion;
use crate::payment::chase::{MOST_LOST, Urgency, after_loss};
use crate::port::{
    Bookkeeping, Clock, Doorbell, Doorbells, Due, PortError, Reconciliations, Store, Turn, World,
};
use crate::reconciliation::Reconciliation;
use crate::value::id::{MerchantId, ReferenceNumber};

/// The most payments that have ended about which one run asks: nobody waits for their outcome.
pub(super) const MAX_CLOSED: u32 = 40;
/// How long a question that could not be asked is postponed.
const POSTPONED: Duration = Duration::from_mins(10);

/// What a gateway is asked, in the order of urgency, with how many of each a merchant may ask in one round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Unknown,
    Operation,
    Waiting,
    Closed,
    Reconciliation,
}

impl Kind {
    const fn in_a_round(self) -> usize {
        match self {
            Self::Unknown | Self::Operation => 4,
            Self::Waiting => 2,
            Self::Closed | Self::Reconciliation => 1,
        }
    }
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
struct Rounds<'j> {
    jobs: Vec<Placed<'j>>,
}

impl<'j> Rounds<'j> {
    /// Adds the jobs of a kind, which are in the order of their turns.
    fn add(&mut self, kind: Kind, jobs: impl Iterator<Item = Job<'j>>) {
        let mut before: BTreeMap<MerchantId, usize> = BTreeMap::new();
        for job in jobs {
            let earlier = before.get(job.merchant()).copied().unwrap_or_default();
            let round = earlier.checked_div(kind.in_a_round()).unwrap_or_default();
            before.insert(job.merchant().clone(), earlier.saturating_add(1));
            self.jobs.push(Placed { round, kind, job });
        }
    }

    fn in_order(mut self) -> Vec<Job<'j>> {
        self.jobs.sort_by_key(|placed| (placed.round, placed.kind));
        self.jobs.into_iter().map(|placed| placed.job).collect()
    }
}

/// Asks until nothing is due any more or the time is over; how many questions were asked.
pub(super) async fn ask_due<W: World>(run: &Run<'_, W>, slots: &Cell<usize>) -> usize {
    let slots = Slots { all: slots, of_lane: usize::MAX, lanes: None };
    take_turns(async || questions(run).await, &slots, run).await
}

/// What is due and was not taken up yet. A failed search is noted, and the others continue.
async fn questions<'j, W: World>(run: &'j Run<'_, W>) -> Vec<Job<'j>> {
    let store = run.world.store();
    let mut rounds = Rounds::default();
    if !run.rings {
        questions_about_payments(run, &mut rounds).await;
    }
    let found = match store.due_reconciliations(run.due()).await {
        Ok(found) => found,
        Err(error) => {
            note(run.swept, error);
            Vec::new()
        }
    };
    let name = |one: &Reconciliation| alloc::format!("{} {}", one.merchant.as_str(), one.pg_code);
    let jobs = found.into_iter().filter(|one| run.takes(&name(one))).map(|one| {
        let (merchant, lane) = (one.merchant.clone(), one.pg_code.to_string());
        Job::new(Turn { item: one, merchant, lane, family: None }, |it| Box::pin(go_on_with(run, it)))
    });
    rounds.add(Kind::Reconciliation, jobs);
    rounds.in_order()
}

/// Adds the questions about attempts and operations.
async fn questions_about_payments<'j, W: World>(run: &'j Run<'_, W>, rounds: &mut Rounds<'j>) {
    let store = run.world.store();
    for (kind, urgency) in [
        (Kind::Unknown, Urgency::Unknown),
        (Kind::Waiting, Urgency::Waiting),
        (Kind::Closed, Urgency::Closed),
    ] {
        let limit = if kind == Kind::Closed { run.closed_left.get() } else { run.due().limit };
        let found = fresh(run, store.due_inquiries(Due { limit, ..run.due() }, urgency).await);
        if kind == Kind::Closed {
            let taken = u32::try_from(found.len()).unwrap_or(u32::MAX);
            run.closed_left.set(limit.saturating_sub(taken));
        }
        rounds.add(
            kind,
            found.into_iter().map(|turn| Job::new(turn, |it| Box::pin(ask_about_attempt(run, it)))),
        );
    }
    let found = fresh(run, store.due_operations(run.due()).await);
    let jobs = found.into_iter().map(|turn| Job::new(turn, |it| Box::pin(ask_about_operation(run, it))));
    rounds.add(Kind::Operation, jobs);
}

fn fresh<W: World>(
    run: &Run<'_, W>,
    found: Result<Vec<Turn<ReferenceNumber>>, PortError>,
) -> Vec<Turn<ReferenceNumber>> {
    match found {
        Ok(found) => found.into_iter().filter(|turn| run.takes(turn.item.as_str())).collect(),
        Err(error) => {
            note(run.swept, error);
            Vec::new()
        }
    }
}

async fn ask_about_attempt<W: World>(run: &Run<'_, W>, reference: ReferenceNumber) -> bool {
    let result = ask_again(run.world, &reference).await;
    if matches!(result, Err(Failure::World(_))) {
        let put_off = run.world.store().postpone_inquiry(&reference, run.due().now.plus(POSTPONED)).await;
        put_off.unwrap_or_else(|error| note(run.swept, error));
    }
    run.count(|swept| &mut swept.inquired, result);
    true
}

/// Asks about an attempt; if its page still waits when its transaction is over, or was paid by another
/// attempt, it is withdrawn; whether it was due. So is one that was given up: its gateway may not have received the withdrawal, and what it
/// still has open can be paid.
pub(super) async fn ask_again(world: &impl World, reference: &ReferenceNumber) -> Result<bool, Failure> {
    let Some(record) = world.store().load_attempt(reference).await? else { return Ok(false) };
    let Some((attempt, due_at)) = record.attempt.as_ref().and_then(|one| Some((one, one.inquire_at?))) else {
        return Ok(false);
    };
    let transaction = &record.transaction;
    let situation = situation_of(world, &transaction.merchant).await?;
    let now = situation.now;
    // A doorbell may ring twice.
    if due_at > now {
        return Ok(false);
    }
    let is_over = transaction.is_over(now) || !transaction.state.is_payable();
    let inquiry = match attempt.stage {
        Stage::Redirected if is_over => Inquiry { occasion: Occasion::Ending, ..Inquiry::WITHDRAW },
        Stage::Canceled => Inquiry::WITHDRAW,
        Stage::Sending
        | Stage::Redirected
        | Stage::Unknown
        | Stage::Success
        | Stage::Failed
        | Stage::Error
        | Stage::Cod => Inquiry::BACKGROUND,
    };
    let until = after_loss(0, now);
    match world.store().claim_inquiry(reference, due_at, until).await? {
        // Someone else asks.
        None => return Ok(false),
        Some(begun) if begun > MOST_LOST => {
            give_up(world, Doorbell::Attempt(turn_of(reference, &transaction.merchant))).await?;
            world.store().end_inquiries(reference).await?;
            return Ok(false);
        }
        Some(begun) if begun > 1 => {
            world.store().postpone_inquiry(reference, after_loss(begun, now)).await?;
        }
        Some(_) => {}
    }
    inquire(world, record, &situation, inquiry).await?;
    Ok(true)
}

/// Whatever is asked about this ends who asks: a person looks at it.
async fn give_up(world: &impl World, bell: Doorbell) -> Result<(), PortError> {
    world.store().flag_unprocessed(&bell, world.clock().now()).await.map(|_| ())
}

fn turn_of(reference: &ReferenceNumber, merchant: &MerchantId) -> Turn<ReferenceNumber> {
    Turn { item: reference.clone(), merchant: merchant.clone(), lane: String::new(), family: None }
}

/// Asks about an operation if that is due; whether it was.
pub(super) async fn ask_about_operation_again(
    world: &impl World,
    reference: &ReferenceNumber,
) -> Result<bool, Failure> {
    let Some(stored) = operation::load(world, reference).await? else { return Ok(false) };
    let child = &stored.child;
    let Some(due_at) = child.inquire_at else { return Ok(false) };
    let situation = situation_of(world, &child.merchant).await?;
    let now = situation.now;
    if due_at > now {
        return Ok(false);
    }
    match world.store().claim_operation(reference, due_at, after_loss(0, now)).await? {
        None => return Ok(false),
        Some(begun) if begun > MOST_LOST => {
            give_up(world, Doorbell::Operation(turn_of(reference, &child.merchant))).await?;
            world.store().end_operation_inquiries(reference).await?;
            return Ok(false);
        }
        Some(begun) if begun > 1 => {
            world.store().postpone_operation(reference, after_loss(begun, now)).await?;
        }
        Some(_) => {}
    }
    operation::inquire_stored(world, stored).await
}

async fn ask_about_operation<W: World>(run: &Run<'_, W>, reference: ReferenceNumber) -> bool {
    let result = ask_about_operation_again(run.world, &reference).await;
    if matches!(result, Err(Failure::World(_))) {
        let put_off = run.world.store().postpone_operation(&reference, run.due().now.plus(POSTPONED)).await;
        put_off.unwrap_or_else(|error| note(run.swept, error));
    }
    run.count(|swept| &mut swept.inquired, result);
    true
}

async fn go_on_with<W: World>(run: &Run<'_, W>, due: Reconciliation) -> bool {
    let result = match situation_of(run.world, &due.merchant).await {
        // Boxed: most runs reconcile nothing.
        Ok(situation) => Box::pin(reconcile(run.world, &situation, due, run.until)).await,
        Err(error) => Err(error.into()),
    };
    run.count(|swept| &mut swept.reconciled, result);
    true
}
