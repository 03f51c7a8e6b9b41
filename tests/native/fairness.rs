//! No merchant, gateway or receiver delays another one: a run of the sweep is shared, however much is due.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::ROOT;
use checkout_core::attempt::Attempt;
use checkout_core::flow::account::webhook_secret::add_webhook_secret;
use checkout_core::flow::deliver::RunReport;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::sweep::{RUN, sweep};
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::port::{Clock, Store};
use checkout_core::testing::store::DeliveryState;
use checkout_core::value::id::{ReferenceNumber, SessionId};
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, order};
use checkout_tests::slow::Slow;
use pollster::block_on;
use serde_json::{Value, json};

const PROMPT: Duration = Duration::from_millis(200);
const HANGS: Duration = Duration::from_mins(1);

/// An order that is notified at a receiver.
fn order_for(codes: &[&str], receiver: &str) -> Value {
    let mut body = order(codes);
    body.as_object_mut().unwrap().insert("webhook_url".into(), json!(format!("https://{receiver}/hook")));
    body
}

/// A payment whose payer is at the bank.
fn at_the_bank(shop: &Shop, code: &str) -> ReferenceNumber {
    let session_id = shop.create(&order_for(&[code], "prompt.example.com"));
    shop.pay_to_page(&session_id, code)
}

/// A payment that the bank approved, and that Till does not know of yet.
fn unknown(shop: &Shop, code: &str) -> ReferenceNumber {
    let reference = at_the_bank(shop, code);
    shop.bank.on_asking(Mood::Deaf);
    let _shown = shop.come_back(&reference).unwrap();
    shop.bank.on_asking(Mood::Fine);
    shop.bank.approve(reference.as_str());
    // The notification of the unknown outcome is not part of the backlog.
    shop.world.store.deliveries(&session_of(shop, &reference)).iter().for_each(|row| {
        let _effect = shop.deliver(&row.message.id);
    });
    reference
}

/// A payment that the bank declined.
fn declined(shop: &Shop, code: &str) -> ReferenceNumber {
    let reference = at_the_bank(shop, code);
    shop.bank.decline(reference.as_str());
    let id = shop.come_back(&reference).unwrap().unwrap();
    let _effect = shop.deliver(&id);
    reference
}

/// A payment whose notification failed once.
fn not_notified(shop: &Shop, receiver: &str) -> SessionId {
    let session_id = shop.create(&order_for(&["knet"], receiver));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let id = shop.come_back(&reference).unwrap().unwrap();
    shop.receiver.answer_next(Some(500));
    let _effect = shop.deliver(&id);
    session_id
}

/// A refund of unknown outcome.
fn refund_under_way(shop: &Shop) -> ReferenceNumber {
    let reference = at_the_bank(shop, "credit-card");
    shop.bank.approve(reference.as_str());
    let id = shop.come_back(&reference).unwrap().unwrap();
    let _effect = shop.deliver(&id);
    let session_id = session_of(shop, &reference);
    shop.bank.on_operating(Mood::Deaf);
    let body = json!({"session_id": session_id.as_str(), "operation": "refund"}).to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    let _queued = block_on(operate(&shop.world, input)).unwrap();
    shop.bank.on_operating(Mood::Fine);
    shop.world.store.children(&session_id).pop().unwrap().reference
}

fn attempt(shop: &Shop, reference: &ReferenceNumber) -> Attempt {
    block_on(shop.world.store.load_attempt(reference)).unwrap().unwrap().attempt.unwrap()
}

fn session_of(shop: &Shop, reference: &ReferenceNumber) -> SessionId {
    attempt(shop, reference).session_id
}

fn is_known(shop: &Shop, reference: &ReferenceNumber) -> bool {
    !attempt(shop, reference).stage.is_open()
}

fn is_notified(shop: &Shop, session_id: &SessionId) -> bool {
    shop.world.store.deliveries(session_id).iter().all(|row| row.state == DeliveryState::Delivered)
}

/// How many requests were sent to addresses that contain a text.
fn requests_to<'r>(sent: &'r [String], part: &'r str) -> usize {
    sent.iter().filter(|url| url.contains(part)).count()
}

/// What a run did, and the addresses of its requests in their order.
struct Run {
    report: RunReport,
    sent: Vec<String>,
}

/// One run in which requests take their time. It never lasts longer than it may, nor has more connections
/// than a Worker.
fn run(shop: &Shop, delay: impl Fn(&str) -> Duration) -> Run {
    let sent = std::cell::RefCell::new(Vec::new());
    let slow = Slow::new(&shop.world, |request: &Outgoing| {
        sent.borrow_mut().push(request.url.clone());
        delay(&request.url)
    });
    let started = shop.world.clock.now();
    let report = slow.run(sweep(&slow));
    let took = shop.world.clock.now().since(started);
    assert!(took <= RUN, "a run took {took:?}");
    assert!(slow.most_at_once() <= 6, "{} requests at once", slow.most_at_once());
    assert_eq!(report.failures, []);
    drop(slow);
    Run { report, sent: sent.into_inner() }
}

fn is_one_of(url: &str, references: &BTreeSet<String>) -> bool {
    references.iter().any(|reference| url.contains(reference.as_str()))
}

fn names(references: &[ReferenceNumber]) -> BTreeSet<String> {
    references.iter().map(ToString::to_string).collect()
}

#[test]
fn a_backlog_of_one_merchant_delays_nobody_else() {
    let shop = Shop::open(1);
    for _ in 0..250 {
        let _reference = unknown(&shop, "knet");
        let _session = not_notified(&shop, "backlog.example.com");
    }
    let shop = shop.handed_to("small");
    let (reference, session_id) = (unknown(&shop, "knet"), not_notified(&shop, "small.example.com"));
    shop.wait(120);
    let Run { report, .. } = run(&shop, |_| PROMPT);
    assert!(is_known(&shop, &reference) && is_notified(&shop, &session_id));
    // There was time left, and it was used.
    assert!(report.inquired > 100 && report.delivered > 60, "{report:?}");
}

#[test]
fn a_run_that_has_time_left_goes_on_with_the_next_rows() {
    let shop = Shop::open(2);
    let sessions: Vec<_> = (0..130).map(|_| not_notified(&shop, "prompt.example.com")).collect();
    let references: Vec<_> = (0..130).map(|_| unknown(&shop, "knet")).collect();
    shop.wait(120);
    let report = run(&shop, |_| Duration::from_millis(20)).report;
    assert!(sessions.iter().all(|session_id| is_notified(&shop, session_id)), "{report:?}");
    assert!(references.iter().all(|reference| is_known(&shop, reference)), "{report:?}");
}

#[test]
fn settings_are_loaded_again_after_two_seconds_of_a_backlog() {
    let shop = Shop::open(7);
    let sessions: Vec<_> = (0..40).map(|_| not_notified(&shop, "prompt.example.com")).collect();
    shop.wait(120);
    let _failed = shop.receiver.take();
    let (started, is_changed) = (shop.world.clock.now(), Cell::new(false));
    run(&shop, |_| {
        if !is_changed.replace(true) {
            let by = Grantor::Operator(&ROOT);
            let _made = block_on(add_webhook_secret(&shop.world, &shop.merchant, by)).unwrap();
        }
        Duration::from_millis(500)
    });
    assert!(sessions.iter().all(|session_id| is_notified(&shop, session_id)));
    let mut counts = BTreeMap::<(bool, usize), usize>::new();
    for request in shop.receiver.take() {
        let header = |name| request.headers.iter().find(|(known, _)| *known == name).unwrap().1.clone();
        let sent_at: i64 = header("webhook-timestamp").parse().unwrap();
        let is_later = sent_at >= started.seconds() + 2;
        let secrets = header("webhook-signature").matches("v1,").count();
        *counts.entry((is_later, secrets)).or_default() += 1;
    }
    // Before, the one secret that was loaded; later, the new one too.
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [(false, 1), (true, 2)], "{counts:?}");
}

#[test]
fn unknown_outcomes_are_asked_before_pages_that_wait_and_those_before_what_has_ended() {
    let shop = Shop::open(3);
    let ended: Vec<_> = (0..120).map(|_| declined(&shop, "knet")).collect();
    let waiting: Vec<_> = (0..120).map(|_| at_the_bank(&shop, "knet")).collect();
    shop.wait(20 * 60);
    let reference = unknown(&shop, "knet");
    let (ended, waiting) = (names(&ended), names(&waiting));
    // A slow gateway: there is time for a few questions only.
    let Run { sent, .. } = run(&shop, |_| Duration::from_secs(4));
    assert!(sent.first().unwrap().contains(reference.as_str()), "{sent:?}");
    let pages = sent.iter().filter(|url| is_one_of(url, &waiting)).count();
    let closed = sent.iter().filter(|url| is_one_of(url, &ended)).count();
    assert!(pages > closed && closed > 0, "{pages} pages and {closed} ended payments");
}

#[test]
fn what_has_ended_has_a_budget_of_its_own() {
    let shop = Shop::open(4);
    let ended = names(&(0..130).map(|_| declined(&shop, "knet")).collect::<Vec<_>>());
    shop.wait(20 * 60);
    let Run { sent, .. } = run(&shop, |_| Duration::from_millis(5));
    assert_eq!(sent.iter().filter(|url| is_one_of(url, &ended)).count(), 40);
}

#[test]
fn pages_that_nobody_came_back_from_delay_no_unknown_outcome() {
    let shop = Shop::open(5);
    for _ in 0..300 {
        let _page = at_the_bank(&shop, "knet");
    }
    shop.wait(20 * 60);
    let own = unknown(&shop, "knet");
    let shop = shop.handed_to("small");
    let other = unknown(&shop, "knet");
    let _run = run(&shop, |_| Duration::from_secs(1));
    assert!(is_known(&shop, &own) && is_known(&shop, &other));
}

#[test]
fn a_receiver_that_hangs_is_tried_once_a_run_and_delays_no_other() {
    let shop = Shop::open(6);
    for _ in 0..90 {
        let _session = not_notified(&shop, "hangs.example.com");
    }
    let own = not_notified(&shop, "prompt.example.com");
    let shop = shop.handed_to("small");
    let other = not_notified(&shop, "small.example.com");
    shop.wait(120);
    let Run { sent, .. } = run(&shop, |url| if url.contains("hangs") { HANGS } else { PROMPT });
    assert!(is_notified(&shop, &own) && is_notified(&shop, &other));
    assert_eq!(requests_to(&sent, "hangs"), 1);
}

#[test]
fn many_receivers_of_one_merchant_that_hang_delay_no_other_merchant() {
    let shop = Shop::open(7);
    for n in 0..40 {
        let _session = not_notified(&shop, &format!("hangs-{n}.example.com"));
    }
    let shop = shop.handed_to("small");
    let others: Vec<_> = (0..10).map(|_| not_notified(&shop, "small.example.com")).collect();
    shop.wait(120);
    let _run = run(&shop, |url| if url.contains("hangs") { HANGS } else { PROMPT });
    assert!(others.iter().all(|session_id| is_notified(&shop, session_id)));
}

#[test]
fn a_silent_gateway_with_open_operations_holds_up_nothing_else() {
    let shop = Shop::open(8);
    let refunds = names(&(0..40).map(|_| refund_under_way(&shop)).collect::<Vec<_>>());
    let own = unknown(&shop, "knet");
    let shop = shop.handed_to("small");
    let (other, session_id) = (refund_under_way(&shop), not_notified(&shop, "small.example.com"));
    shop.wait(120);
    let Run { sent, .. } = run(&shop, |url| if is_one_of(url, &refunds) { HANGS } else { PROMPT });
    assert!(is_known(&shop, &own) && is_notified(&shop, &session_id));
    assert_eq!(requests_to(&sent, other.as_str()), 1, "the gateway answers the other merchant");
    let silences = sent.iter().filter(|url| is_one_of(url, &refunds)).count();
    assert!(silences <= 2, "{silences} questions to a gateway that does not answer");
}

#[test]
fn a_bank_that_is_down_for_all_its_merchants_delays_no_other_bank() {
    let mut shop = Shop::open(9);
    let mut down = Vec::new();
    for n in 0..20 {
        shop = shop.handed_to(&format!("merchant-{n}"));
        down.extend((0..5).map(|_| unknown(&shop, "knet")));
    }
    let down = names(&down);
    let shop = shop.handed_to("small");
    let other = unknown(&shop, "mpgs");
    shop.wait(60);
    let Run { sent, .. } = run(&shop, |url| if is_one_of(url, &down) { HANGS } else { PROMPT });
    assert!(is_known(&shop, &other));
    let silences = sent.iter().filter(|url| is_one_of(url, &down)).count();
    assert_eq!(silences, 2, "two silent merchants' accounts show that the bank is down");
}

#[test]
fn a_merchant_whose_gateway_hangs_closes_no_family_for_the_others() {
    let shop = Shop::open(10);
    let hung = names(&(0..30).map(|_| unknown(&shop, "knet")).collect::<Vec<_>>());
    let shop = shop.handed_to("small");
    let others: Vec<_> = (0..30).map(|_| unknown(&shop, "knet")).collect();
    shop.wait(60);
    let _run = run(&shop, |url| if is_one_of(url, &hung) { HANGS } else { PROMPT });
    assert!(others.iter().all(|reference| is_known(&shop, reference)));
}

#[test]
fn everything_that_hangs_at_once_ends_a_run_in_time() {
    let mut shop = Shop::open(11);
    for n in 0..8 {
        shop = shop.handed_to(&format!("merchant-{n}"));
        for code in ["knet", "mpgs", "credit-card"] {
            let _reference = unknown(&shop, code);
            let _page = at_the_bank(&shop, code);
        }
        let _refund = refund_under_way(&shop);
        let _session = not_notified(&shop, &format!("hangs-{n}.example.com"));
    }
    shop.wait(3_600 + 120);
    for _ in 0..3 {
        let _run = run(&shop, |_| HANGS);
        shop.wait(60);
    }
}
