//! The whole service in a storm: real flows with ports in memory in which everything that can go wrong does,
//! driven by one seed per run. The store fails before or after it stored, the bank loses, delays and corrupts
//! answers, receivers do not answer, payers pay twice and never come back, the cron is late or runs twice,
//! and everything in progress may be killed at any await. Then the storm ends, time passes, and the
//! [`verdict`] checks what is left.
//!
//! Equal seeds give equal runs. `SEED=n` replays one with its trace; `SIMULATION_SEEDS=n` runs that many
//! instead of the usual few (`make simulation`), `SIMULATION_FROM=n` those from there on.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a simulation that cannot go on has failed")]

mod aftermath;
mod bank;
mod charge;
mod crowd;
mod debit;
mod dice;
mod errand;
mod money;
mod receiver;
mod reports;
mod routing;
mod scene;
mod storm;
mod verdict;
mod weather;
mod world;
mod year;

use std::collections::BTreeMap;
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use scene::{Scene, Size};

/// As many as a debug build runs in two minutes on a small machine.
const EVERY_DAY: u64 = 2_000;
/// With so many, everything has happened at every gateway.
const MANY: u64 = 20_000;
/// What is so rare that with fewer it is enough if it has happened at one of them.
const RARE: [&str; 4] = ["saved card", "capture done", "void done", "lapsed"];
/// The protocols of the gateways.
const PROTOCOLS: [&str; 9] =
    ["sandbox", "knet", "mpgs", "adyen", "stripe", "checkout_com", "tabby", "tamara", "tap"];
/// Of this many payments at least one is at each of them.
const SHARE: u32 = 20;
/// With [`MANY`] seeds, how often at least everything happens at each of them that can happen there; a card is saved less
/// often.
const OFTEN: u32 = 10;
/// How often a long run prints its progress.
const PACE: Duration = Duration::from_mins(1);

/// What is wrong after the run of a seed, and what led to it, if the run is traced.
struct Outcome {
    problems: Vec<String>,
    /// What happened at the gateways.
    tally: BTreeMap<String, u32>,
    trace: Vec<String>,
}

fn run(seed: u64, size: Size, is_traced: bool) -> Outcome {
    let weather = weather::Weather::new(seed, is_traced);
    let problems = catch_unwind(AssertUnwindSafe(|| {
        let scene = Scene::open(seed, &weather, size);
        storm::rage(&scene, size);
        aftermath::calm(&scene);
        verdict::pronounce(&scene);
        routing::check(&scene);
        let debits = ("debits of agreements".to_owned(), debit::count(&scene));
        let tally = scene
            .bank
            .tally(&scene.unknown())
            .into_iter()
            .chain(routing::tally(&scene))
            .chain([debits])
            .collect();
        (weather.problems(), tally)
    }));
    let panicked = |panic: Box<dyn std::any::Any + Send>| {
        (vec![format!("a flow panicked: {}", words(&*panic))], BTreeMap::new())
    };
    let (problems, tally) = problems.unwrap_or_else(panicked);
    Outcome { problems, tally, trace: weather.trace() }
}

fn words(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words")
}

/// Runs a seed and prints everything; fails if something is wrong.
fn replay(seed: u64, size: Size) {
    let Outcome { problems, trace, .. } = run(seed, size, true);
    eprintln!("seed {seed}:\n{}\n", trace.join("\n"));
    let variable = match size {
        Size::Few => "SEED",
        Size::Hundreds => "CROWD_SEED",
        Size::Agreement => "AGREEMENT_SEED",
    };
    assert!(
        problems.is_empty(),
        "seed {seed}, wrong:\n  {}\nreplay: {variable}={seed} cargo test -p checkout-tests --test simulation -- --nocapture",
        problems.join("\n  ")
    );
}

fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a whole number")))
}

/// The first seed below `count` that fails, if one does, and what happened at the gateways. All processors are used.
#[expect(clippy::disallowed_methods, reason = "how fast the simulation runs is no part of what it simulates")]
fn first_failure(count: u64, size: Size) -> (Option<u64>, BTreeMap<String, u32>) {
    let started = Instant::now();
    let tally = Mutex::new(BTreeMap::<String, u32>::new());
    let first = number("SIMULATION_FROM").unwrap_or_default();
    let (next, failed) = (AtomicU64::new(first), AtomicU64::new(u64::MAX));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for worker in 0..workers {
            let (next, failed, tally) = (&next, &failed, &tally);
            scope.spawn(move || {
                let mut said = started;
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    // A smaller seed than the smallest failure may still fail: seeds are taken in order.
                    if seed >= count || seed >= failed.load(Ordering::Relaxed) {
                        return;
                    }
                    let outcome = run(seed, size, false);
                    if !outcome.problems.is_empty() {
                        failed.fetch_min(seed, Ordering::Relaxed);
                    }
                    let mut tally = tally.lock().unwrap();
                    for (what, count) in outcome.tally {
                        let known = tally.entry(what).or_default();
                        *known = known.saturating_add(count);
                    }
                    drop(tally);
                    if worker == 0 && said.elapsed() >= PACE {
                        said = Instant::now();
                        let done = seed.saturating_sub(first);
                        eprintln!("seed {seed}, {} seeds a second", rate(done, started.elapsed()));
                    }
                }
            });
        }
    });
    let done = next.load(Ordering::Relaxed).min(count).saturating_sub(first);
    let took = started.elapsed();
    eprintln!("{done} seeds in {} s, {} seeds a second", took.as_secs(), rate(done, took));
    (Some(failed.into_inner()).filter(|seed| *seed != u64::MAX), tally.into_inner().unwrap())
}

/// A simulation in which nothing happens at a gateway proves nothing about it. What is rare few seeds reach at some gateway,
/// many at each.
fn check_reach(tally: &BTreeMap<String, u32>, count: u64) {
    print(tally);
    let of = |name: &str, whats: &[&str]| -> Vec<String> {
        whats.iter().map(|what| format!("{name} {what}")).collect()
    };
    let mut wanted = Vec::new();
    for name in PROTOCOLS {
        let whats =
            ["approved", "declined", "canceled", "refund done", "unknown", "lost answer", "late notice"];
        wanted.extend(of(name, &whats));
        if name != "knet" {
            wanted.extend(of(name, &["capture done", "void done"]));
        }
        match name {
            "knet" | "sandbox" => {}
            "tabby" | "tamara" => wanted.extend(of(name, &["lapsed"])),
            _ => wanted.extend(of(name, &["saved card"])),
        }
    }
    let seen = |what: &String| tally.get(what).copied().unwrap_or_default();
    if count >= MANY {
        let seldom: Vec<&String> =
            wanted.iter().filter(|what| !what.ends_with("saved card") && seen(what) < OFTEN).collect();
        assert!(seldom.is_empty(), "fewer than {OFTEN} times: {seldom:?}");
        check_shares(PROTOCOLS.map(|name| (name, seen(&format!("{name} payments")))));
    }
    wanted.extend(of("routed by", &["payer", "rule", "order", "fallback"]));
    let is_somewhere = |rare: &str| tally.keys().any(|known| known.ends_with(rare));
    let is_rare = |what: &str| RARE.iter().any(|rare| what.ends_with(rare) && is_somewhere(rare));
    let is_reached = |what: &str| tally.contains_key(what) || count < MANY && is_rare(what);
    let missing: Vec<&String> = wanted.iter().filter(|what| !is_reached(what)).collect();
    assert!(missing.is_empty(), "never: {missing:?}");
}

/// Prints a line for each protocol, and one for routing.
fn print(tally: &BTreeMap<String, u32>) {
    for name in PROTOCOLS.into_iter().chain(["routed"]) {
        let own = tally.iter().filter_map(|(what, count)| Some((what.strip_prefix(name)?, count)));
        let own: Vec<String> = own.map(|(what, count)| format!("{}: {count}", what.trim_start())).collect();
        eprintln!("{name}: {}", own.join(", "));
    }
}

/// Each protocol has its share of the payments.
fn check_shares(payments: [(&str, u32); PROTOCOLS.len()]) {
    let all: u32 = payments.iter().map(|(_, payments)| *payments).sum();
    for (name, own) in payments {
        assert!(own.saturating_mul(SHARE) >= all, "{name} has {own} of {all} payments");
    }
}

fn rate(seeds: u64, took: Duration) -> u128 {
    u128::from(seeds).saturating_mul(1_000).checked_div(took.as_millis()).unwrap_or_default()
}

#[test]
fn nothing_that_goes_wrong_loses_money_or_takes_it_twice() {
    let count = number("SIMULATION_SEEDS").unwrap_or(EVERY_DAY);
    let (failed, tally) = match number("SEED") {
        Some(seed) => (Some(seed), BTreeMap::new()),
        None => first_failure(count, Size::Few),
    };
    if let Some(seed) = failed {
        replay(seed, Size::Few);
    } else if count >= EVERY_DAY {
        check_reach(&tally, count);
    }
}

/// One of a thousand seeds has a busy shop; `CROWD_SEED=n` replays one.
#[test]
fn hundreds_of_orders_in_a_storm_are_settled_in_time() {
    let count = number("SIMULATION_SEEDS").unwrap_or(EVERY_DAY).div_ceil(1_000);
    let failed = match number("CROWD_SEED") {
        Some(seed) => Some(seed),
        None => first_failure(count, Size::Hundreds).0,
    };
    if let Some(seed) = failed {
        replay(seed, Size::Hundreds);
    }
}

/// `AGREEMENT_SEED=n` replays one round.
#[test]
fn sixteen_debits_at_once_take_no_more_than_their_agreement_permits() {
    let count = number("SIMULATION_SEEDS").unwrap_or(EVERY_DAY).div_ceil(20);
    let (failed, tally) = match number("AGREEMENT_SEED") {
        Some(seed) => (Some(seed), BTreeMap::new()),
        None => first_failure(count, Size::Agreement),
    };
    if let Some(seed) = failed {
        replay(seed, Size::Agreement);
    } else {
        let debited = tally.get("debits of agreements").copied().unwrap_or_default();
        eprintln!("{debited} debits in {count} rounds");
        assert!(u64::from(debited) >= count.div_euclid(4), "debits succeed at all");
    }
}

#[test]
fn equal_seeds_give_equal_runs() {
    for seed in [3, 14, 15] {
        let [first, second] = [(); 2].map(|()| run(seed, Size::Few, true).trace);
        assert!(first.len() > 10, "seed {seed} does something");
        assert_eq!(first, second, "seed {seed}");
    }
}
