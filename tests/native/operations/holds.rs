//! Held money has to be captured before its gateway releases it: a person is reminded in time.

use checkout_core::port::Holds;

use super::*;

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

fn held(seed: u64) -> (Shop, SessionId) {
    let (shop, session_id) = paid(seed, "mpgs");
    assert_eq!(shop.state(&session_id), "authorized");
    (shop, session_id)
}

fn later(shop: &Shop, seconds: u64) {
    shop.wait(seconds);
    let _ = shop.sweep();
}

fn reasons(shop: &Shop) -> Vec<String> {
    shop.attention().iter().map(|id| id.reason.as_str().to_owned()).collect()
}

fn has_deadline(shop: &Shop, session_id: &SessionId) -> bool {
    block_on(shop.world.store.capture_deadline(session_id)).unwrap().is_some()
}

#[test]
fn a_person_is_reminded_once_when_a_quarter_of_the_time_is_left() {
    let (shop, session_id) = held(41);
    let attempt = shop.latest(&session_id);
    let deadline = block_on(shop.world.store.capture_deadline(&session_id)).unwrap().unwrap();
    assert_eq!(deadline.capture_by.since(attempt.opened_at).as_secs(), 7 * DAY);
    later(&shop, 125 * HOUR);
    assert_eq!(reasons(&shop), [""; 0]);
    later(&shop, 2 * HOUR);
    assert_eq!(reasons(&shop), ["capture_due"]);
    let entry = block_on(checkout_core::port::Store::attention(&shop.world.store, 9)).unwrap().pop().unwrap();
    assert_eq!(entry.detail.capture_before(), Some(deadline.capture_by));
    assert_eq!((&entry.session_id, &entry.reference), (&Some(session_id.clone()), &attempt.reference));
    later(&shop, 10 * DAY);
    assert_eq!(reasons(&shop), ["capture_due"], "it stays until someone looks at it");
    assert_eq!(shop.state(&session_id), "authorized");
}

#[test]
fn the_entry_is_closed_by_the_last_capture_and_not_by_a_part() {
    let (shop, session_id) = held(42);
    later(&shop, 6 * DAY);
    assert_eq!(reasons(&shop), ["capture_due"]);
    let _ = try_operate(&shop, &session_id, "capture", Some("4.000")).unwrap();
    assert_eq!((reasons(&shop).len(), has_deadline(&shop, &session_id)), (1, true));
    let _ = try_operate(&shop, &session_id, "capture", None).unwrap();
    assert_eq!((reasons(&shop).len(), has_deadline(&shop, &session_id)), (0, false));
}

#[test]
fn what_is_captured_or_voided_before_is_never_reminded_of() {
    for (seed, operation) in [(43, "capture"), (44, "void")] {
        let (shop, session_id) = held(seed);
        assert!(has_deadline(&shop, &session_id));
        let _ = try_operate(&shop, &session_id, operation, None).unwrap();
        assert!(!has_deadline(&shop, &session_id));
        later(&shop, 6 * DAY);
        assert_eq!(reasons(&shop), [""; 0]);
    }
}

#[test]
fn a_void_of_unknown_outcome_ends_nothing_until_it_is_known() {
    let (shop, session_id) = held(45);
    later(&shop, 6 * DAY);
    shop.bank.on_operating(Mood::Mute);
    let _ = try_operate(&shop, &session_id, "void", None).unwrap();
    assert_eq!((reasons(&shop).len(), has_deadline(&shop, &session_id)), (1, true));
    later(&shop, 60);
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
    assert_eq!((reasons(&shop).len(), has_deadline(&shop, &session_id)), (0, false));
}

#[test]
fn what_is_charged_at_once_has_no_deadline() {
    let (shop, session_id) = paid(46, "knet");
    assert!(!has_deadline(&shop, &session_id));
}
