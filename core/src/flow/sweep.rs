//! What is done every minute without anybody asking: outcomes are inquired, transactions expire, notifications are
//! tried again, payments are reconciled, old answers are forgotten. Each step is bounded, and a step that fails leaves its work for the next
//! run.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::time::Duration;

use super::deliver::deliver;
use super::reconcile::reconcile;
use super::settle::{Question, inquire, settings_for};
use super::together::together;
use super::{Failure, now_of, settle_operation};
use crate::id::{DeliveryId, MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::payment::apply::{Occasion, expire};
use crate::payment::stage::Stage;
use crate::port::{Bookkeeping, Clock, CommitError, Due, PortError, Reconciliations, Registry, Store, World};
use crate::reconciliation::Reconciliation;
use crate::settings::MerchantSettings;
use crate::time::Timestamp;
use crate::webhook::delivery::{Candidate, choose};

/// The most rows that one step takes in one run.
pub const MAX_ROWS: u32 = 40;
/// The most merchants whose clock was moved that are looked at in one run.
const MAX_MOVED_CLOCKS: u32 = 20;
/// How many gateways are asked at once.
const MAX_INQUIRIES: usize = 5;
/// How long an idempotency key is known: longer than any retry of a notification.
pub const ANSWER_LIFE: Duration = Duration::from_hours(96);
/// How long an inquiry is put off that could not be made.
const POSTPONED: Duration = Duration::from_mins(10);
/// How long one run begins new inquiries, and new deliveries.
const BUDGET: Duration = Duration::from_secs(40);
/// The same for one merchant whose clock was moved.
const BUDGET_OF_ONE: Duration = Duration::from_secs(10);
/// How long a gateway may take to answer before the rest of its inquiries is put off to the next run.
const SILENCE: Duration = Duration::from_secs(10);
/// How long it is to the next run.
const NEXT_RUN: Duration = Duration::from_mins(1);

/// What a run did.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Swept {
    /// Attempts whose gateway was asked.
    pub inquired: usize,
    /// Transactions that expired.
    pub expired: usize,
    /// Notifications that were tried.
    pub delivered: usize,
    /// Reconciliations that went on.
    pub reconciled: usize,
    /// What failed, for the operator's log.
    pub failures: Vec<PortError>,
}

/// One run:
///
/// 1. what is due of every merchant whose clock was not moved;
/// 2. what is due of each merchant whose clock was moved, by his own time;
/// 3. forget stored answers past their life.
///
/// What is due of merchants is done in the order of `of_merchants`.
pub async fn sweep(world: &impl World) -> Swept {
    let mut swept = Swept::default();
    // 1
    of_merchants(world, None, &mut swept).await;
    // 2
    match world.store().moved_clocks(MAX_MOVED_CLOCKS).await {
        Ok(merchants) => {
            for merchant in &merchants {
                match settings_for(world, merchant).await {
                    Ok(settings) => of_merchants(world, Some(&settings), &mut swept).await,
                    Err(error) => swept.failures.push(error),
                }
            }
        }
        Err(error) => swept.failures.push(error),
    }
    // 3
    let before = world.clock().now().minus(ANSWER_LIFE);
    if let Err(error) = world.store().forget_answers(before, MAX_ROWS.saturating_mul(10)).await {
        swept.failures.push(error);
    }
    swept
}

/// One run for one merchant, by his own time.
pub async fn sweep_merchant(world: &impl World, settings: &MerchantSettings) -> Swept {
    let mut swept = Swept::default();
    of_merchants(world, Some(settings), &mut swept).await;
    swept
}

/// What is due of one merchant, or of every merchant whose clock was not moved:
///
/// 1. ask about attempts that are due; a page that still waits for the payer when the time to pay is over is withdrawn
///    at its gateway; of a gateway that stays silent the rest is put off, so that it does not hold up the others;
///    operations whose end is awaited are asked about likewise;
/// 2. end transactions whose time is over and that have no open attempt;
/// 3. deliver due notifications, one at a time a receiver, five in all, failing receivers last;
/// 4. go on with due reconciliations, a few gateways at once.
async fn of_merchants(world: &impl World, settings: Option<&MerchantSettings>, swept: &mut Swept) {
    let due = || Due {
        merchant: settings.map(|settings| &settings.merchant),
        now: settings.map_or_else(|| world.clock().now(), |settings| now_of(world, settings)),
        limit: MAX_ROWS,
    };
    // 1
    match world.store().due_inquiries(due()).await {
        Ok(found) => ask_due(world, &found, due().now, swept).await,
        Err(error) => swept.failures.push(error),
    }
    match world.store().due_operations(due()).await {
        Ok(found) => {
            for group in found.chunks(MAX_INQUIRIES) {
                let asked =
                    together(group.iter().map(|reference| settle_operation::inquire(world, reference))).await;
                for (reference, result) in group.iter().zip(asked) {
                    if matches!(result, Err(Failure::World(_))) {
                        let until = due().now.plus(POSTPONED);
                        let put_off = world.store().postpone_operation(reference, until).await;
                        swept.failures.extend(put_off.err());
                    }
                    count(&mut swept.inquired, &mut swept.failures, result);
                }
            }
        }
        Err(error) => swept.failures.push(error),
    }
    // 2
    match world.store().due_expiries(due()).await {
        Ok(found) => {
            for session_id in found {
                let result = end(world, &session_id, due().now).await;
                count(&mut swept.expired, &mut swept.failures, result);
            }
        }
        Err(error) => swept.failures.push(error),
    }
    // 3
    match world.store().due_deliveries(due()).await {
        Ok(found) => deliver_due(world, found, settings.map_or(BUDGET, |_| BUDGET_OF_ONE), swept).await,
        Err(error) => swept.failures.push(error),
    }
    // 4
    match world.store().due_reconciliations(due()).await {
        Ok(found) => reconcile_due(world, found, swept).await,
        Err(error) => swept.failures.push(error),
    }
}

fn count(done: &mut usize, failures: &mut Vec<PortError>, result: Result<bool, Failure>) {
    match result {
        Ok(true) => *done = done.saturating_add(1),
        // A rejection here is a race that somebody else won.
        Ok(false) | Err(Failure::Refused(_)) => {}
        Err(Failure::World(error)) => failures.push(error),
    }
}

/// The gateways that were silent in this run.
type Silent = RefCell<BTreeSet<(MerchantId, PgCode)>>;

async fn ask_due(world: &impl World, due: &[ReferenceNumber], now: Timestamp, swept: &mut Swept) {
    let started = world.clock().now();
    let silent = Silent::default();
    for group in due.chunks(MAX_INQUIRIES) {
        if world.clock().now().since(started) >= BUDGET {
            break;
        }
        let asked = together(group.iter().map(|reference| ask_again(world, reference, &silent))).await;
        for (reference, result) in group.iter().zip(asked) {
            if matches!(result, Err(Failure::World(_))) {
                put_off(world, reference, now, &mut swept.failures).await;
            }
            count(&mut swept.inquired, &mut swept.failures, result);
        }
    }
}

/// Asks about an attempt; one whose page still waits when its transaction is over, or was paid by another attempt, is
/// withdrawn.
async fn ask_again(
    world: &impl World,
    reference: &ReferenceNumber,
    silent: &Silent,
) -> Result<bool, Failure> {
    let Some(record) = world.store().load_attempt(reference).await? else { return Ok(false) };
    let Some(attempt) = record.attempt.clone().filter(|attempt| attempt.inquire_at.is_some()) else {
        return Ok(false);
    };
    let settings = settings_for(world, &record.transaction.merchant).await?;
    let gateway = (attempt.merchant, attempt.pg_code);
    if silent.borrow().contains(&gateway) {
        let until = now_of(world, &settings).plus(NEXT_RUN);
        world.store().postpone_inquiry(reference, until).await?;
        return Ok(false);
    }
    let transaction = &record.transaction;
    let is_over = transaction.is_over(now_of(world, &settings)) || !transaction.state.is_payable();
    let question = if attempt.stage == Stage::Redirected && is_over {
        (Question::Withdraw, Occasion::Ending)
    } else {
        (Question::Inquire, Occasion::Background)
    };
    let started = world.clock().now();
    inquire(world, record, &settings, question).await?;
    if world.clock().now().since(started) >= SILENCE {
        silent.borrow_mut().insert(gateway);
    }
    Ok(true)
}

/// What cannot be asked now is asked again after those that can.
async fn put_off(
    world: &impl World,
    reference: &ReferenceNumber,
    now: Timestamp,
    failures: &mut Vec<PortError>,
) {
    let until = now.plus(POSTPONED);
    if let Err(error) = world.store().postpone_inquiry(reference, until).await {
        failures.push(error);
    }
}

async fn end(world: &impl World, session_id: &SessionId, now: Timestamp) -> Result<bool, Failure> {
    let Some(record) = world.store().load(session_id).await? else { return Ok(false) };
    let Some(change) = expire(&record.transaction, record.attempt.as_ref(), now) else { return Ok(false) };
    match world.store().commit(&change).await {
        Ok(()) => Ok(true),
        Err(CommitError::Conflict | CommitError::KeyTaken) => Ok(false),
        Err(CommitError::Failed(error)) => Err(error.into()),
    }
}

async fn deliver_due(
    world: &impl World,
    mut due: Vec<Candidate<DeliveryId>>,
    budget: Duration,
    swept: &mut Swept,
) {
    let started = world.clock().now();
    while !due.is_empty() && world.clock().now().since(started) < budget {
        let chosen = choose(due.clone(), &[]);
        due.retain(|candidate| !chosen.iter().any(|taken| taken.item == candidate.item));
        let tried = together(chosen.iter().map(|candidate| deliver(world, &candidate.item))).await;
        for result in tried {
            count(&mut swept.delivered, &mut swept.failures, result.map(|effect| effect.is_some()));
        }
        if chosen.is_empty() {
            break;
        }
    }
}

async fn reconcile_due(world: &impl World, mut due: Vec<Reconciliation>, swept: &mut Swept) {
    let started = world.clock().now();
    while !due.is_empty() && world.clock().now().since(started) < BUDGET {
        let group: Vec<Reconciliation> = due.drain(..due.len().min(MAX_INQUIRIES)).collect();
        let done = together(group.into_iter().map(|one| reconcile_one(world, one))).await;
        for result in done {
            count(&mut swept.reconciled, &mut swept.failures, result);
        }
    }
}

async fn reconcile_one(world: &impl World, due: Reconciliation) -> Result<bool, Failure> {
    let settings = settings_for(world, &due.merchant).await?;
    // Boxed: most runs reconcile nothing.
    Box::pin(reconcile(world, &settings, due)).await
}
