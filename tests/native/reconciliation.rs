//! The recorded payments compared with the gateway's own list, in both directions.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod requests;

use checkout_core::access::operator::ROOT;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::operator::attention::{list_attention, resolve_attention};
use checkout_core::flow::operator::reconciliation::{list_reconciliations, reconcile_again};
use checkout_core::flow::sweep::clock::move_clock;
use checkout_core::flow::sweep::sweep_merchant;
use checkout_core::port::{Reconciliations, Store};
use checkout_core::reconciliation::Reconciliation;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::{MerchantId, ReferenceNumber, SessionId};
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, json_of, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

const HOUR: u64 = 3_600;
/// Until shortly before the hour.
const NEARLY_AN_HOUR: u64 = 3_540;

/// A payer pays through a gateway.
fn pay(shop: &Shop, code: &str) -> (SessionId, ReferenceNumber) {
    let session_id = shop.create(&order(&[code]));
    let reference = shop.pay_to_page(&session_id, code);
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    assert!(["paid", "authorized"].contains(&shop.state(&session_id)));
    (session_id, reference)
}

/// Lets this many hours pass, with a run of the sweep every minute of the last five.
fn pass(shop: &Shop, hours: u64) {
    for _ in 0..hours {
        shop.wait(HOUR);
    }
    for _ in 0..5 {
        shop.wait(60);
        shop.sweep();
    }
}

/// The open entries of the attention list, as `reference reason`.
fn noted(shop: &Shop) -> Vec<String> {
    let listed = json_of(&block_on(list_attention(&shop.world)).unwrap());
    let text = |entry: &Value, name: &str| entry[name].as_str().unwrap().to_owned();
    let entries = listed.as_array().unwrap().iter();
    entries.map(|entry| format!("{} {}", text(entry, "reference_number"), text(entry, "reason"))).collect()
}

fn detail(shop: &Shop, place: usize) -> String {
    json_of(&block_on(list_attention(&shop.world)).unwrap())[place]["detail"].as_str().unwrap().to_owned()
}

fn of_gateway(shop: &Shop, code: &str) -> Reconciliation {
    let found = block_on(shop.world.store.reconciliations(&shop.merchant)).unwrap();
    found.into_iter().find(|one| one.pg_code.as_str() == code).unwrap()
}

/// What the last run at a gateway counted: charges, inquiries, differences.
fn last(shop: &Shop, code: &str) -> Option<(i64, i64, i64)> {
    let tally = of_gateway(shop, code).last?.tally;
    Some((tally.charges, tally.asked, tally.differences))
}

fn done(shop: &Shop, session_id: &SessionId, operation: &str, amount: &str) {
    let body =
        json!({"session_id": session_id.as_str(), "operation": operation, "amount": amount}).to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    block_on(operate(&shop.world, input)).unwrap();
}

fn resolve(shop: &Shop, place: usize, action: &str) -> Result<Value, checkout_core::flow::Failure> {
    let id = shop.attention()[place].clone();
    let body = json!({"action": action}).to_string();
    block_on(resolve_attention(&shop.world, &ROOT, &id, body.as_bytes())).map(|answer| json_of(&answer))
}

#[test]
fn what_both_sides_say_alike_is_no_difference_and_is_not_asked_about() {
    let shop = Shop::open(1);
    for _ in 0..7 {
        pay(&shop, "knet");
    }
    pass(&shop, 1);
    assert_eq!(last(&shop, "knet"), Some((7, 0, 0)), "three pages, nothing to ask");
    assert_eq!(noted(&shop), Vec::<String>::new());
    assert_eq!(shop.bank.lists().len(), 3);
}

#[test]
fn nothing_is_compared_before_an_hour_has_passed_and_then_every_hour() {
    let shop = Shop::open(2);
    pay(&shop, "knet");
    shop.wait(NEARLY_AN_HOUR);
    shop.sweep();
    assert!(shop.bank.lists().is_empty());
    pass(&shop, 1);
    assert_eq!(shop.bank.lists().len(), 1);
    pass(&shop, 1);
    let lists = shop.bank.lists();
    assert_eq!(lists.len(), 2);
    let bound = |query: &str, name: &str| {
        let found = query.split('&').find_map(|pair| pair.strip_prefix(name)).unwrap();
        found.parse::<i64>().unwrap()
    };
    let (first, second) = (&lists[0], &lists[1]);
    assert_eq!(bound(first, "to=") - bound(second, "from="), 3_600_000, "the lists overlap by an hour");
}

#[test]
fn a_success_that_the_list_leaves_out_is_asked_about_and_confirmed_once() {
    let shop = Shop::open(3);
    let (_, reference) = pay(&shop, "knet");
    shop.bank.leave_out(reference.as_str());
    pass(&shop, 1);
    assert_eq!(last(&shop, "knet"), Some((0, 1, 0)));
    pass(&shop, 1);
    assert_eq!(last(&shop, "knet"), Some((0, 0, 0)), "what was confirmed is not asked about again");
    assert_eq!(noted(&shop), Vec::<String>::new());
}

#[test]
fn a_success_that_the_gateway_does_not_know_is_listed_once() {
    let shop = Shop::open(4);
    let (session_id, reference) = pay(&shop, "knet");
    shop.bank.lose(reference.as_str());
    pass(&shop, 2);
    assert_eq!(noted(&shop), [format!("{reference} charge_missing")]);
    assert!(detail(&shop, 0).contains("knows no charge"), "{}", detail(&shop, 0));
    assert_eq!(shop.state(&session_id), "paid", "nothing is taken back");
    resolve(&shop, 0, "dismiss").unwrap();
    pass(&shop, 1);
    assert_eq!(noted(&shop), Vec::<String>::new());
}

#[test]
fn a_charge_that_nothing_here_asked_for_is_listed_without_a_transaction() {
    let shop = Shop::open(5);
    let (_, reference) = pay(&shop, "knet");
    shop.bank.charge_elsewhere("TERMINAL0000001", reference.as_str(), "approved");
    shop.bank.charge_elsewhere("terminal 2", reference.as_str(), "processing");
    shop.bank.charge_elsewhere("DECLINED0000001", reference.as_str(), "declined");
    shop.bank.charge_elsewhere("OPEN00000000001", reference.as_str(), "open");
    pass(&shop, 1);
    let listed = json_of(&block_on(list_attention(&shop.world)).unwrap());
    let entries = listed.as_array().unwrap();
    assert_eq!(entries.len(), 2, "{entries:?}");
    assert!(noted(&shop).contains(&"TERMINAL0000001 unknown_charge".to_owned()));
    assert!(entries.iter().all(|entry| entry["session_id"] == Value::Null));
    assert!(entries.iter().any(|entry| entry["detail"].as_str().unwrap().contains("terminal 2")));
    for action in ["inquire", "approved", "not_charged"] {
        assert!(matches!(refused(resolve(&shop, 0, action)), Rejection::NotResolvable), "{action}");
    }
    assert_eq!(resolve(&shop, 0, "dismiss").unwrap()["closed"], true);
    pass(&shop, 1);
    assert_eq!(noted(&shop).len(), 1, "what was dismissed stays dismissed");
}

#[test]
fn an_attempt_that_failed_here_and_was_charged_there_is_paid_by_the_list() {
    let shop = Shop::open(6);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(reference.as_str());
    shop.come_back(&reference).unwrap();
    assert_eq!(shop.results(&session_id), ["failed"]);
    // The three later inquiries find nothing new, and the bank changes its mind after them.
    pass(&shop, 1);
    pass(&shop, 1);
    shop.bank.approve_after_all(reference.as_str());
    pass(&shop, 1);
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
    assert_eq!(noted(&shop), Vec::<String>::new());
}

#[test]
fn an_open_attempt_that_the_list_calls_declined_is_failed_by_it() {
    let shop = Shop::open_with(7, |settings| settings["gateways"][0]["inquiry_after_minutes"] = json!(1_440));
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(reference.as_str());
    pass(&shop, 1);
    assert_eq!(shop.results(&session_id), ["failed"]);
}

#[test]
fn another_amount_than_was_asked_for_is_listed() {
    let shop = Shop::open(8);
    let (_, reference) = pay(&shop, "knet");
    shop.bank.change_amount(reference.as_str(), "9.000");
    pass(&shop, 1);
    assert_eq!(noted(&shop), [format!("{reference} amount_mismatch")]);
    assert_eq!(detail(&shop, 0), "asked for 10.250 KWD, the gateway lists 9.000 KWD");
}

#[test]
fn a_success_that_the_gateway_calls_declined_is_listed_and_stays() {
    let shop = Shop::open(9);
    let (session_id, reference) = pay(&shop, "knet");
    shop.bank.decline_after_all(reference.as_str());
    pass(&shop, 1);
    assert_eq!(noted(&shop), [format!("{reference} charge_missing")]);
    assert_eq!(shop.state(&session_id), "paid");
}

#[test]
fn operations_that_both_sides_know_are_no_difference() {
    let shop = Shop::open(10);
    let (purchased, _) = pay(&shop, "knet");
    let (held, _) = pay(&shop, "mpgs");
    let (released, _) = pay(&shop, "mpgs");
    done(&shop, &purchased, "refund", "4.000");
    done(&shop, &held, "capture", "6.000");
    done(&shop, &held, "refund", "1.000");
    done(&shop, &released, "void", "10.000");
    pass(&shop, 2);
    assert_eq!((last(&shop, "knet"), last(&shop, "mpgs")), (Some((1, 0, 0)), Some((2, 0, 0))));
    pass(&shop, 1);
    assert_eq!((last(&shop, "knet"), last(&shop, "mpgs")), (Some((0, 0, 0)), Some((0, 0, 0))), "nothing new");
    assert_eq!(noted(&shop), Vec::<String>::new());
}

#[test]
fn what_was_released_here_may_be_called_canceled_and_what_was_not_may_not() {
    let shop = Shop::open(16);
    let references: Vec<ReferenceNumber> = (0..4)
        .map(|place| {
            let (session_id, reference) = pay(&shop, "mpgs");
            if place % 2 == 0 {
                done(&shop, &session_id, "void", "10.000");
            }
            shop.bank.call_canceled(reference.as_str());
            reference
        })
        .collect();
    // Two of them are only asked about.
    shop.bank.leave_out(references[2].as_str());
    shop.bank.leave_out(references[3].as_str());
    pass(&shop, 2);
    let mut found = noted(&shop);
    found.sort();
    let mut expected = [1, 3].map(|place| format!("{} charge_missing", references[place]));
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_void_that_may_be_done_explains_a_canceled_charge() {
    let shop = Shop::open(17);
    let (session_id, reference) = pay(&shop, "mpgs");
    shop.wait(2 * HOUR);
    shop.bank.on_asking(Mood::Deaf);
    shop.sweep();
    shop.wait(30);
    shop.bank.on_operating(Mood::Mute);
    done(&shop, &session_id, "void", "10.000");
    shop.bank.call_canceled(reference.as_str());
    // Ten minutes later the list is asked for again, and half a minute after that about the void.
    for _ in 0..6 {
        shop.sweep();
        shop.wait(60);
    }
    shop.wait(210);
    shop.bank.on_asking(Mood::Fine);
    shop.sweep();
    assert_eq!(last(&shop, "mpgs"), Some((0, 1, 0)));
    assert_eq!(noted(&shop), Vec::<String>::new());
}

#[test]
fn a_refund_made_at_the_gateway_is_listed_and_a_further_one_again() {
    let shop = Shop::open(11);
    let (session_id, reference) = pay(&shop, "knet");
    done(&shop, &session_id, "refund", "1.000");
    shop.bank.refund_at_the_desk("PORTAL1", reference.as_str(), "2.000");
    pass(&shop, 1);
    assert_eq!(noted(&shop), [format!("{reference} operations_mismatch")]);
    assert_eq!(detail(&shop, 0), "refunded 3.000 KWD at the gateway, 1.000 KWD here");
    resolve(&shop, 0, "dismiss").unwrap();
    pass(&shop, 1);
    assert_eq!(noted(&shop), Vec::<String>::new(), "the same difference is not reported twice");
    shop.bank.refund_at_the_desk("PORTAL2", reference.as_str(), "0.500");
    pass(&shop, 1);
    assert_eq!(detail(&shop, 0), "refunded 3.500 KWD at the gateway, 1.000 KWD here");
}

#[test]
fn an_operation_that_is_younger_than_the_list_is_no_difference() {
    let shop = Shop::open(12);
    let (session_id, reference) = pay(&shop, "knet");
    shop.wait(HOUR);
    done(&shop, &session_id, "refund", "4.000");
    shop.bank.books().delete_operations();
    shop.sweep();
    assert_eq!(last(&shop, "knet"), Some((1, 0, 0)));
    assert_eq!(noted(&shop), Vec::<String>::new());
    // An hour later it is: the gateway never did what it said.
    pass(&shop, 1);
    assert_eq!(noted(&shop), [format!("{reference} operations_mismatch")]);
    assert_eq!(detail(&shop, 0), "refunded 0.000 KWD at the gateway, 4.000 KWD here");
}

#[test]
fn a_silent_gateway_is_asked_again_and_the_run_goes_on_from_its_page() {
    let shop = Shop::open(13);
    for _ in 0..14 {
        pay(&shop, "knet");
    }
    shop.wait(HOUR);
    shop.bank.on_asking(Mood::Deaf);
    shop.sweep();
    assert_eq!((of_gateway(&shop, "knet").failures, shop.bank.lists().len()), (1, 1));
    shop.wait(540);
    shop.sweep();
    assert_eq!(shop.bank.lists().len(), 1, "not before ten minutes");
    for mood in [Mood::Broken, Mood::Refuses, Mood::Down] {
        shop.bank.on_asking(mood);
        shop.wait(600);
        shop.sweep();
    }
    assert_eq!(of_gateway(&shop, "knet").failures, 4);
    shop.bank.on_asking(Mood::Fine);
    shop.wait(600);
    shop.sweep();
    assert_eq!(
        (of_gateway(&shop, "knet").failures, last(&shop, "knet")),
        (0, None),
        "four pages, one is left"
    );
    shop.bank.on_asking(Mood::Deaf);
    shop.wait(60);
    shop.sweep();
    shop.bank.on_asking(Mood::Fine);
    shop.wait(600);
    shop.sweep();
    assert_eq!(last(&shop, "knet"), Some((14, 0, 0)), "no page was compared twice");
    assert_eq!(noted(&shop), Vec::<String>::new());
}

#[test]
fn successes_beyond_one_go_are_asked_about_with_the_next_tick() {
    let shop = Shop::open(14);
    for _ in 0..23 {
        let (_, reference) = pay(&shop, "knet");
        shop.bank.leave_out(reference.as_str());
        shop.wait(1);
    }
    shop.wait(HOUR);
    shop.sweep();
    assert_eq!(last(&shop, "knet"), None);
    shop.wait(60);
    shop.sweep();
    assert_eq!(last(&shop, "knet"), Some((0, 23, 0)));
}

#[test]
fn cash_and_gateways_that_are_not_to_be_reconciled_are_left_alone() {
    let shop = Shop::open_with(15, |settings| settings["gateways"][0]["reconciled"] = json!(false));
    pay(&shop, "knet");
    let session_id = shop.create(&order(&["cash"]));
    shop.pay(&session_id, "cash").unwrap();
    pass(&shop, 30);
    assert!(shop.bank.lists().is_empty());
    let found = block_on(shop.world.store.reconciliations(&shop.merchant)).unwrap();
    assert_eq!(found.len(), 1, "cash has nobody to be asked");
}

#[test]
fn the_payments_of_another_merchant_at_the_same_account_are_left_to_its_own_runs() {
    let shop = Shop::open(16);
    pay(&shop, "knet");
    let shop = shop.handed_to("second");
    let (_, other) = pay(&shop, "knet");
    pass(&shop, 1);
    assert_eq!((last(&shop, "knet"), noted(&shop)), (Some((2, 0, 0)), vec![]));
    shop.bank.decline_after_all(other.as_str());
    pass(&shop, 1);
    assert_eq!(
        noted(&shop),
        [format!("{other} charge_missing")],
        "only the merchant whose payment it is learns of it"
    );
    let listed = json_of(&block_on(list_attention(&shop.world)).unwrap());
    assert_eq!(listed[0]["merchant_id"], "second");
}
