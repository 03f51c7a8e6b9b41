//! No message is lost, whatever becomes of the doorbells and of those who handle them: doorbells are lost, late and doubled,
//! receivers fail, answers are lost, and consumers die between claim, send and record. A message comes twice only if a death
//! or a lost answer explains it, and always under the same id.
//!
//! `DELIVERIES=100000` simulates as many; `SEED` begins with another world.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use checkout_core::flow::deliver::{Handled, flag, handle};
use checkout_core::flow::sweep::sweep;
use checkout_core::gateway::exchange::{Incoming, Outgoing};
use checkout_core::port::{
    self, Clock, Doorbell, Http, LONGEST_WAIT, PortError, Queue, Ring, Scope, SendError,
};
use checkout_core::testing::http::empty;
use checkout_core::testing::rng::SeededRng;
use checkout_core::testing::store::{DeliveryState, MemoryStore, StoredDelivery};
use checkout_core::testing::world::World;
use checkout_core::value::id::{DeliveryId, SessionId};
use checkout_core::value::slot::Slotted;
use checkout_core::value::time::Timestamp;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;
use serde_json::json;

/// How many messages one world has.
const OF_ONE_WORLD: u64 = 100;
/// How many receivers share them.
const RECEIVERS: u64 = 8;
/// The most doorbells of a batch.
const BATCH: usize = 12;
/// How often a doorbell that failed is rung again.
const RETRIES: u32 = 5;
/// How many tries the schedule has.
const TRIES: usize = 10;

/// A die of the test itself: the world's random numbers stay as they are.
struct Die(Cell<u64>);

impl Die {
    fn roll(&self, sides: u64) -> u64 {
        let mut state = self.0.get();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.0.set(state);
        (state >> 11) % sides
    }

    fn chance(&self, percent: u64) -> bool {
        self.roll(100) < percent
    }
}

/// A message of a queue.
#[derive(Clone)]
struct Sent {
    text: String,
    at: Timestamp,
    tries: u32,
}

/// What a receiver knows of one id.
#[derive(Default, Clone)]
struct Known {
    body: Vec<u8>,
    accepted: u32,
    /// How often it accepted and the sender could not know it.
    explained: u32,
}

/// A world with queues between its parts.
struct Queued<'w> {
    world: &'w World,
    die: Die,
    queue: RefCell<Vec<Sent>>,
    receivers: RefCell<BTreeMap<String, Known>>,
    /// The ids that were accepted and whose answers were read, by a sender that may still die.
    answered: RefCell<Vec<String>>,
}

async fn pause() {
    let mut is_over = false;
    poll_fn(|_| if std::mem::replace(&mut is_over, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

impl Http for Queued<'_> {
    async fn send(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError> {
        pause().await;
        let named = request.headers.iter().find(|(name, _)| *name == "webhook-id");
        let Some(id) = named.map(|(_, id)| id.clone()) else {
            return self.world.http.send(request, limit).await;
        };
        let fate = self.die.roll(100);
        if fate < 5 {
            return Err(SendError::NotSent);
        }
        if fate < 10 {
            self.world.clock.advance(Duration::from_secs(15));
            return Err(SendError::Unknown);
        }
        if fate < 22 {
            return Ok(empty(if fate < 16 { 500 } else { 503 }));
        }
        let is_answer_lost = fate < 30;
        {
            let mut receivers = self.receivers.borrow_mut();
            let known = receivers.entry(id.clone()).or_default();
            assert!(known.accepted == 0 || known.body == request.body, "{id} came with another body");
            known.body = request.body;
            known.accepted += 1;
            known.explained += u32::from(is_answer_lost);
        }
        if !is_answer_lost {
            self.answered.borrow_mut().push(id);
        }
        pause().await;
        if is_answer_lost { Err(SendError::Unknown) } else { Ok(empty(200)) }
    }
}

impl port::World for Queued<'_> {
    checkout_tests::ports_of!(world);

    type Rng = SeededRng;
    type Http = Self;
    type Directory = MemoryStore;
    type Ledger = MemoryStore;

    fn has_queues(&self) -> bool {
        true
    }

    async fn ring(&self, rings: &[Ring]) -> Result<(), PortError> {
        pause().await;
        if self.die.chance(5) {
            return Err(PortError { port: "queue", detail: "it fails".into() });
        }
        for ring in rings {
            assert!(ring.after <= LONGEST_WAIT);
            self.send_bell(&ring.bell, ring.after);
        }
        pause().await;
        Ok(())
    }

    fn scope(&self) -> Scope {
        Scope::default()
    }

    fn rng(&self) -> &SeededRng {
        &self.world.rng
    }

    fn http(&self) -> &Self {
        self
    }

    fn directory(&self) -> &MemoryStore {
        &self.world.store
    }

    fn ledger(&self, _: &(impl Slotted + ?Sized)) -> &MemoryStore {
        &self.world.store
    }
}

impl Queued<'_> {
    fn now(&self) -> Timestamp {
        self.world.clock.now()
    }

    /// A doorbell goes into the queue: once, or not, or twice, or late.
    fn send_bell(&self, bell: &Doorbell, after: Duration) {
        let sent = Sent { text: bell.to_text(), at: self.now().plus(after), tries: 0 };
        let fate = self.die.roll(100);
        let late = Sent { at: sent.at.plus(Duration::from_secs(self.die.roll(400))), ..sent.clone() };
        let mut queue = self.queue.borrow_mut();
        match fate {
            0..10 => {}
            10..20 => queue.extend([sent, late]),
            20..30 => queue.push(late),
            _ => queue.push(sent),
        }
    }

    /// The doorbells that ring now, a batch of them.
    fn batch(&self) -> Vec<Sent> {
        let (now, mut queue) = (self.now(), self.queue.borrow_mut());
        let mut taken = Vec::new();
        while let Some(place) = queue.iter().position(|sent| sent.at <= now).filter(|_| taken.len() < BATCH) {
            taken.push(queue.swap_remove(place));
        }
        taken
    }

    /// Runs until its end, or until a death; `None` after a death. What was accepted and is not recorded is explained by it.
    fn live_or_die<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut steps_to_live = if self.die.chance(15) { Some(self.die.roll(30)) } else { None };
        let mut context = Context::from_waker(Waker::noop());
        let ended = {
            let mut work = pin!(work);
            loop {
                if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
                    break Some(done);
                }
                match &mut steps_to_live {
                    Some(0) => break None,
                    Some(left) => *left -= 1,
                    None => {}
                }
            }
        };
        for id in self.answered.take() {
            let id = DeliveryId::parse(&id).unwrap();
            let row = row_of(&self.world.store, &id);
            if row.state != DeliveryState::Delivered {
                assert!(ended.is_none(), "{id} was accepted by a living sender and not recorded");
                self.receivers.borrow_mut().get_mut(id.as_str()).unwrap().explained += 1;
            }
        }
        ended
    }

    /// A batch is handled; what failed, and what a dead consumer had, comes again.
    fn consume(&self, batch: &[Sent]) {
        let bells: Vec<Doorbell> = batch.iter().map(|sent| Doorbell::parse(&sent.text).unwrap()).collect();
        let again: Vec<usize> = match self.live_or_die(handle(self, &bells)) {
            Some(Handled { failed, .. }) => failed,
            None => (0..batch.len()).collect(),
        };
        for place in again {
            let (sent, bell) = (&batch[place], &bells[place]);
            if sent.tries >= RETRIES {
                let _is_new = block_on(flag(self, bell)).unwrap();
            } else {
                let at = self.now().plus(Duration::from_secs(30));
                self.queue.borrow_mut().push(Sent { at, tries: sent.tries + 1, ..sent.clone() });
            }
        }
    }
}

fn row_of(store: &MemoryStore, id: &DeliveryId) -> StoredDelivery {
    store.deliveries(id.session_id().unwrap()).into_iter().find(|row| row.message.id == *id).unwrap()
}

/// A shop with payments whose merchants are to be notified at several receivers.
fn shop_with_messages(seed: u64) -> (Shop, Vec<(SessionId, DeliveryId)>) {
    let shop = Shop::open(seed);
    let caused = (0..OF_ONE_WORLD).map(|number| {
        let mut body = order(&["knet"]);
        let url = format!("https://receiver-{}.example.com/hook", number % RECEIVERS);
        body.as_object_mut().unwrap().insert("webhook_url".into(), json!(url));
        let session_id = shop.create(&body);
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        let id = shop.come_back(&reference).unwrap().unwrap();
        (session_id, id)
    });
    let caused = caused.collect();
    (shop, caused)
}

/// One world from its first doorbell to the end of every message; how many came twice.
fn live(seed: u64) -> u32 {
    let (shop, caused) = shop_with_messages(seed);
    let die = Die(Cell::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1));
    let queued = Queued {
        world: &shop.world,
        die,
        queue: RefCell::default(),
        receivers: RefCell::default(),
        answered: RefCell::default(),
    };
    for (_, id) in &caused {
        let ring = Ring::first(id.clone());
        assert_eq!(ring.queue, Queue::Fresh);
        queued.send_bell(&ring.bell, ring.after);
    }
    let rows = || caused.iter().map(|(_, id)| row_of(&shop.world.store, id));
    let is_due = |row: &StoredDelivery| row.state == DeliveryState::Due;
    for minute in 0.. {
        assert!(minute < 20_000, "seed {seed}: messages wait forever");
        loop {
            let batch = queued.batch();
            if batch.is_empty() {
                break;
            }
            queued.consume(&batch);
        }
        let _swept = queued.live_or_die(sweep(&queued));
        let Some(next) = rows().filter(is_due).map(|row| row.message.due_at).min() else { break };
        // Nothing happens until the next message is due.
        let in_queue = queued.queue.borrow().iter().map(|sent| sent.at).min();
        let next = in_queue.map_or(next, |at| at.min(next));
        shop.world.clock.advance_to(next.max(queued.now().plus(Duration::from_mins(1))));
    }
    judge(seed, &queued, &rows().collect::<Vec<_>>())
}

/// Nothing is lost, and what came twice is explained.
fn judge(seed: u64, queued: &Queued<'_>, rows: &[StoredDelivery]) -> u32 {
    let receivers = queued.receivers.borrow();
    let mut twice = 0;
    for row in rows {
        let known = receivers.get(row.message.id.as_str()).cloned().unwrap_or_default();
        let id = &row.message.id;
        match row.state {
            DeliveryState::Delivered => assert!(known.accepted > 0, "seed {seed}: {id} is called delivered"),
            DeliveryState::GivenUp => assert_eq!(row.tries.len(), TRIES, "seed {seed}: {id} is given up"),
            DeliveryState::Due => panic!("seed {seed}: {id} is lost"),
            DeliveryState::Held => panic!("seed {seed}: {id} is held, but no receiver failed for days"),
        }
        let is_explained = known.accepted <= 1 + known.explained;
        assert!(
            is_explained,
            "seed {seed}: {id} was accepted {} times, {} explained",
            known.accepted, known.explained
        );
        twice += u32::from(known.accepted > 1);
    }
    twice
}

#[test]
fn no_message_is_lost_and_only_deaths_and_lost_answers_double_one() {
    let number =
        |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (deliveries, first) = (number("DELIVERIES", 3_000), number("SEED", 1));
    let worlds = deliveries.div_ceil(OF_ONE_WORLD);
    let twice: u32 = (first..first + worlds).map(live).sum();
    println!(
        "{} deliveries in {worlds} worlds, {twice} came twice, each with an explanation",
        worlds * OF_ONE_WORLD
    );
    assert!(twice > 0, "nothing came twice: the trial proves nothing");
}
