//! After the storm: everything works again, in most runs, and time passes until nothing is due any more.

use std::time::Duration;

use checkout_core::attempt::Attempt;
use checkout_core::flow::sweep::sweep;
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::payment::chase::{Urgency, next_inquiry};
use checkout_core::port::{Reconciliations, Store};
use checkout_core::testing::store::DeliveryState;
use checkout_core::value::time::Timestamp;
use pollster::block_on;
use sandbox_bank::charge::ChargeStatus;

use crate::charge::Charge;
use crate::scene::{FIRST_RATE, Scene};
use crate::weather::{Fate, Rates};

/// How long an attempt may be open when nothing is wrong with the service: 72 hours of chasing, and a margin.
const LONGEST_OPEN: Duration = Duration::from_hours(80);
/// The longest pause between two inquiries about an unknown outcome.
const LONGEST_PAUSE: Duration = Duration::from_mins(10);
/// How long an outcome may be unknown that the gateway knows.
const LONGEST_UNKNOWN: Duration = Duration::from_mins(15);
/// How long a page may be unpaid of which its gateway knows nothing.
const LONGEST_PAGE: Duration = Duration::from_hours(1);
/// More runs of the cron than any payment needs.
const MOST_RUNS: u32 = 5_000;
/// How often the cron runs.
const TICK: i64 = 60_000;

/// Lets everything finish.
pub(crate) fn calm(scene: &Scene) {
    let dice = &scene.weather.dice;
    let mut rates = Rates::calm();
    if dice.chance(30) {
        rates.bank = vec![(1, Fate::LostBefore)];
    }
    if dice.chance(80) {
        rates.receivers = vec![(1, dice.pick(&[Some(500), Some(410), None]).flatten())];
    }
    scene.weather.note(|| format!("the storm is over: {rates:?}"));
    scene.weather.set(rates);
    block_on(scene.replace_settings(&[], FIRST_RATE));
    answer_every_order(scene);
    come_to_rest(scene);
    scene.weather.set(Rates::calm());
    reconcile(scene);
    // A list may report the outcome of an attempt that was given up.
    come_to_rest(scene);
}

fn come_to_rest(scene: &Scene) {
    let since = scene.weather.now.get();
    for _ in 0..MOST_RUNS {
        for callback in scene.bank.insistent() {
            block_on(scene.call_back(&callback));
        }
        let Some(due) = next_event(scene) else { return };
        let now = scene.weather.now.get();
        let wait = due.max(now).since(now).max(Duration::from_millis(1));
        scene.pass(wait);
        scene.pass(until_tick(scene.weather.now.get()));
        let swept = block_on(sweep(&scene.world));
        scene.weather.note(|| format!("sweep: {swept:?}"));
        scene.weather.holds(swept.failures.is_empty(), || format!("a sweep failed: {swept:?}"));
        check_unknowns_were_asked(scene);
        check_unknowns_end(scene, since);
        check_nothing_is_open_for_ever(scene, since);
    }
    scene.weather.wrong("there is always something due".into());
}

/// Inquiries about unknown outcomes that are due are made by the run of their minute, however many there are:
/// at once, five times after a minute, after five minutes and then every ten (the schedule of
/// `checkout_core::payment::chase`), and earlier only where strangers asked too often.
fn check_unknowns_were_asked(scene: &Scene) {
    let store = &scene.world.inner.store;
    let now = scene.weather.now.get();
    for transaction in store.transactions() {
        for attempt in store.attempts(&transaction.session_id) {
            let is_unknown = Urgency::of(attempt.stage) == Some(Urgency::Unknown);
            let Some(at) = attempt.inquire_at.filter(|_| is_unknown) else { continue };
            scene.weather.holds(at >= now, || {
                format!("{} was due at {at:?} and not asked about at {now:?}", attempt.reference)
            });
            // What could not be asked while the store failed is postponed by ten minutes, too.
            scene.weather.holds(at.since(now) <= LONGEST_PAUSE, || {
                format!("{} is not asked about before {at:?}", attempt.reference)
            });
            let asked = attempt.inquiries;
            let planned = attempt
                .unknown_since
                .and_then(|since| next_inquiry(asked, attempt.updated_at.since(since), attempt.updated_at));
            let is_early = planned.is_some_and(|planned| at < planned);
            scene.weather.holds(!is_early || store.was_hastened(&attempt.reference, at), || {
                format!("{} is asked about at {at:?} after {asked} inquiries, too early", attempt.reference)
            });
        }
    }
}

/// Nothing is unknown any more this long after the gateway works again, or has decided itself.
fn check_unknowns_end(scene: &Scene, since: Timestamp) {
    let now = scene.weather.now.get();
    if !scene.weather.is_calm() || now.since(since) <= LONGEST_UNKNOWN {
        return;
    }
    let store = &scene.world.inner.store;
    let attempts = store.transactions().into_iter().flat_map(|found| store.attempts(&found.session_id));
    let unknown: Vec<Attempt> =
        attempts.filter(|attempt| Urgency::of(attempt.stage) == Some(Urgency::Unknown)).collect();
    if unknown.is_empty() {
        return;
    }
    let charges = scene.bank.charges();
    for attempt in unknown {
        let reference = attempt.reference.as_str();
        let truth = charges.get(reference);
        let decided_at = truth.and_then(|charge| charge.ended_at).unwrap_or(since);
        let is_undecided = truth.is_some_and(|charge| charge.status == ChargeStatus::Processing);
        let is_page = attempt.form_of_payment == FormOfPayment::Redirect;
        let is_askable = truth.is_some() || scene.bank.can_be_asked(&attempt.pg_code, is_page);
        // A page that nobody has paid is no unknown charge.
        let is_paid = truth.is_some_and(Charge::is_decided);
        let is_unpaid = !is_paid && scene.bank.knows_only_paid(&attempt.pg_code);
        let page = if is_unpaid { attempt.opened_at.plus(LONGEST_PAGE) } else { since };
        let is_late = now.since(decided_at.max(since).max(page)) > LONGEST_UNKNOWN;
        let is_excused = is_undecided || !is_askable || !is_late || scene.is_held(reference);
        scene.weather.holds(is_excused, || {
            format!("{reference} is {} at {now:?}, and the gateway says {truth:?}", attempt.stage)
        });
    }
}

/// Two hours later every list was compared to its end, and no difference was found.
fn reconcile(scene: &Scene) {
    const TICKS: u32 = 30;
    let since = scene.weather.now.get();
    scene.pass(Duration::from_hours(2));
    for _ in 0..TICKS {
        scene.pass(Duration::from_mins(1));
        let swept = block_on(sweep(&scene.world));
        scene.weather.note(|| format!("sweep: {swept:?}"));
    }
    let store = &scene.world.inner.store;
    for row in block_on(store.reconciliations(&scene.merchant)).unwrap() {
        let is_done = row.last.is_some_and(|last| last.at > since);
        scene
            .weather
            .holds(is_done || !scene.bank.is_reconciled(&row.pg_code), || format!("{row:?} came to no end"));
    }
    for entry in block_on(store.attention(u32::MAX)).unwrap() {
        scene.weather.holds(!entry.reason.is_of_list(), || format!("the list differs: {entry:?}"));
    }
}

fn until_tick(now: Timestamp) -> Duration {
    let rest = now.millis().rem_euclid(TICK);
    let wait = if rest == 0 { 0 } else { TICK.saturating_sub(rest) };
    Duration::from_millis(u64::try_from(wait).unwrap_or(0))
}

/// When something is to be done by the sweep or by the bank; `None` if everything has finished.
fn next_event(scene: &Scene) -> Option<Timestamp> {
    let store = &scene.world.inner.store;
    let mut due: Vec<Timestamp> = scene.bank.next_event().into_iter().collect();
    for transaction in store.transactions() {
        let attempts = store.attempts(&transaction.session_id);
        let has_open = attempts.iter().any(|attempt| attempt.stage.is_open());
        if transaction.state.is_payable() && !has_open {
            due.push(transaction.expires_at);
        }
        due.extend(attempts.iter().filter_map(|attempt| attempt.inquire_at));
        let children = store.children(&transaction.session_id);
        due.extend(children.iter().filter_map(|child| child.inquire_at));
        let waiting = store.deliveries(&transaction.session_id).into_iter();
        let waiting = waiting.filter(|row| row.state == DeliveryState::Due);
        due.extend(waiting.map(|row| row.message.due_at.max(row.lease_until.unwrap_or(row.message.due_at))));
    }
    due.into_iter().min()
}

fn check_nothing_is_open_for_ever(scene: &Scene, since: Timestamp) {
    let store = &scene.world.inner.store;
    for transaction in store.transactions() {
        // A page that waits for the payer is open as long as there is time to pay.
        let from = since.max(transaction.expires_at);
        if scene.weather.now.get().since(from) <= LONGEST_OPEN {
            continue;
        }
        for attempt in store.attempts(&transaction.session_id) {
            let is_settled = !attempt.stage.is_open() || scene.is_held(attempt.reference.as_str());
            scene.weather.holds(is_settled, || format!("{} is open forever", attempt.reference));
        }
    }
}

/// A merchant that requested an order repeats the request, and gets an answer.
fn answer_every_order(scene: &Scene) {
    let now = scene.weather.now.get();
    for order in &scene.orders {
        if order.is_known(now) {
            block_on(scene.create(order));
            scene.weather.holds(order.session_id.borrow().is_some(), || format!("{} is lost", order.key));
        }
    }
}
