//! Debits that are declined and tried again by the merchant's schedule.

use checkout_core::card::Holder;
use checkout_core::card::agreement::{AgreementKey, SavedAgreement};
use checkout_core::card::ladder::Ladder;
use checkout_core::flow::sweep::sweep;
use checkout_core::port::{Cards, Ladders};
use checkout_core::words::decline::DeclineReason;
use checkout_tests::dying::{Dying, End};

use super::*;

const HOUR: u64 = 3_600;
const DAY: u64 = 24 * HOUR;

/// A shop whose debits are tried again after one, two and three days.
fn open(seed: u64) -> Shop {
    Shop::open_with(seed, |settings| {
        let retries = json!({"retries": {"insufficient_funds": [24, 48, 72]}, "notify": false});
        settings.as_object_mut().unwrap().insert("auto_debit".into(), retries);
    })
}

fn unlimited() -> Value {
    let terms = json!({"id": "a-1", "type": "other"});
    let chosen = json!({"email": ["failed"]});
    with(
        agreement("a-1"),
        &json!({"agreement": terms, "notifications": chosen, "customer_email": "payer@example.com"}),
    )
}

fn ladder(shop: &Shop, session_id: &SessionId) -> Option<Ladder> {
    block_on(shop.world.store.ladder(session_id)).unwrap()
}

fn saved(shop: &Shop) -> SavedAgreement {
    let holder = Holder {
        merchant: shop.private().merchant().clone(),
        customer_id: CUSTOMER.into(),
        is_sandbox: true,
    };
    let key = AgreementKey { holder, id: "a-1".into() };
    block_on(shop.world.store.agreement(&key)).unwrap().unwrap()
}

fn later(shop: &Shop, seconds: u64) {
    shop.wait(seconds);
    let _ = shop.sweep();
}

#[test]
fn a_debit_without_funds_is_tried_again_by_the_schedule_until_it_is_paid() {
    let shop = open(1);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    assert_eq!(text(&debit(&shop, &session_id, &token), "result"), Some("failed"));
    let waiting = ladder(&shop, &session_id).unwrap();
    assert_eq!((waiting.tries, waiting.reason), (1, DeclineReason::InsufficientFunds));
    later(&shop, 23 * HOUR);
    assert_eq!(shop.results(&session_id).len(), 1, "not before its time");
    later(&shop, HOUR);
    assert_eq!(shop.results(&session_id), ["failed", "failed"]);
    later(&shop, DAY);
    assert_eq!(shop.results(&session_id).len(), 2, "the next pause is longer");
    shop.bank.approve_cards();
    later(&shop, DAY);
    assert_eq!(shop.results(&session_id), ["failed", "failed", "success"]);
    assert_eq!(shop.state(&session_id), "paid");
    assert_eq!((ladder(&shop, &session_id), saved(&shop).paused), (None, None));
    assert_eq!(saved(&shop).cycles, 1);
}

#[test]
fn the_merchant_is_notified_of_a_debit_that_it_did_not_ask_for_although_it_wants_no_notices_of_its_own() {
    let shop = open(2);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    let notified = || -> Vec<String> {
        let bodies = shop.receiver.take_bodies().into_iter();
        bodies.filter_map(|body| text(&body, "result").map(str::to_owned)).collect()
    };
    let _ = shop.sweep();
    assert!(notified().is_empty(), "the answer said it");
    later(&shop, DAY);
    assert_eq!(notified(), ["failed"]);
}

#[test]
fn the_agreement_is_paused_after_the_last_step_and_a_payment_of_the_payer_resumes_it() {
    let shop = open(3);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    for days in [1, 2, 3] {
        assert_eq!(saved(&shop).paused, None);
        later(&shop, days * DAY);
    }
    assert_eq!(shop.results(&session_id), ["failed"; 4]);
    let paused = saved(&shop).paused.unwrap();
    assert_eq!((paused.reason, &paused.session_id), (DeclineReason::InsufficientFunds, &session_id));
    assert_eq!(ladder(&shop, &session_id), None);
    let flagged: Vec<_> = shop.attention().iter().map(|id| id.reason.as_str()).collect();
    assert_eq!(flagged, ["agreement_paused"]);
    later(&shop, 30 * DAY);
    assert_eq!(shop.results(&session_id).len(), 4);
    let other = shop.create(&unlimited());
    assert_eq!(refused(try_debit(&shop, &other, &token)).code(), "agreement_paused");
    shop.bank.approve_cards();
    let token = paid(&shop, &unlimited());
    assert_eq!(saved(&shop).paused, None);
    assert_eq!(text(&debit(&shop, &other, &token), "result"), Some("success"));
}

#[test]
fn the_payer_pays_another_way_and_nothing_is_debited_any_more() {
    let shop = open(4);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    let reference = shop.pay_to_page(&session_id, "credit-card");
    later(&shop, DAY);
    assert_eq!(shop.results(&session_id).len(), 2, "while the payer is at the bank nothing is debited");
    shop.bank.approve(reference.as_str());
    let _ = shop.come_back(&reference);
    later(&shop, 30 * DAY);
    assert_eq!(shop.results(&session_id), ["failed", "success"]);
    assert_eq!(ladder(&shop, &session_id), None);
}

#[test]
fn what_the_payer_is_to_pay_once_is_debited_no_more() {
    let shop = open(14);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    shop.patch(&session_id, &json!({"payment_type": "one_off"})).unwrap();
    assert_eq!(ladder(&shop, &session_id), None, "at once, and not when the next debit is due");
    shop.bank.approve_cards();
    later(&shop, 30 * DAY);
    assert_eq!(shop.results(&session_id), ["failed"]);
    assert_eq!((ladder(&shop, &session_id), saved(&shop).paused), (None, None));
}

#[test]
fn a_debit_of_unknown_outcome_is_not_tried_again_before_it_is_known() {
    let shop = open(5);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    shop.bank.approve_cards();
    shop.bank.on_opening(Mood::ChargesMute);
    shop.bank.on_asking(Mood::Mute);
    later(&shop, DAY);
    for _ in 0..4 {
        later(&shop, 12 * HOUR);
        assert_eq!(shop.results(&session_id), ["failed", "pending"]);
    }
    shop.bank.on_asking(Mood::Fine);
    later(&shop, HOUR);
    assert_eq!(shop.results(&session_id), ["failed", "success"]);
    later(&shop, 9 * DAY);
    assert_eq!((shop.results(&session_id).len(), ladder(&shop, &session_id)), (2, None));
}

#[test]
fn a_merchant_without_a_schedule_decides_itself() {
    let shop = Shop::open(6);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    later(&shop, 30 * DAY);
    assert_eq!(
        (shop.results(&session_id).len(), ladder(&shop, &session_id), saved(&shop).paused),
        (1, None, None)
    );
}

#[test]
fn the_payer_gets_a_message_with_each_step() {
    let shop = open(7);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    later(&shop, DAY);
    let sent = shop.world.store.deliveries(&session_id).into_iter().map(|stored| stored.message);
    let letters: Vec<String> =
        sent.filter(|message| message.kind.channel().is_some()).map(|message| message.body).collect();
    assert_eq!(letters.len(), 2);
    for letter in &letters {
        let said: Value = serde_json::from_str(letter).unwrap();
        assert_eq!(
            [text(&said, "event"), text(&said, "reason")],
            [Some("failed"), Some("insufficient_funds")]
        );
        assert!(text(&said, "link").unwrap().contains(session_id.as_str()));
        assert!(text(&said, "until").is_some(), "it can still be paid: {letter}");
    }
}

#[test]
fn a_run_that_dies_at_a_debit_charges_once() {
    for (seed, end) in [(8, End::BeforeSend), (9, End::AfterSend)] {
        let shop = open(seed);
        let token = paid(&shop, &unlimited());
        let session_id = shop.create(&unlimited());
        shop.bank.decline_cards();
        let _ = debit(&shop, &session_id, &token);
        shop.bank.approve_cards();
        let before = shop.bank.approved();
        shop.wait(DAY);
        let dying = Dying::new(&shop.world, end);
        assert!(dying.run(sweep(&dying)).is_none(), "{end:?}");
        for _ in 0..200 {
            later(&shop, HOUR);
        }
        assert_eq!((shop.state(&session_id), shop.bank.approved() - before), ("paid", 1), "{end:?}");
        assert_eq!(ladder(&shop, &session_id), None);
    }
}

#[test]
fn two_runs_at_once_debit_once() {
    let shop = open(10);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    shop.bank.approve_cards();
    shop.wait(DAY);
    let world = Interrupted::after_send(&shop.world, || {
        let _ = block_on(sweep(&shop.world));
    });
    let _ = block_on(sweep(&world));
    drop(world);
    assert_eq!(shop.results(&session_id), ["failed", "success"]);
    assert_eq!(
        shop.bank
            .openings()
            .iter()
            .filter(|reference| shop.bank.statuses()[*reference] == "approved")
            .count(),
        2
    );
}

#[test]
fn a_debit_of_the_merchant_at_the_same_time_moves_the_next_one_on() {
    let shop = open(16);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    shop.wait(DAY);
    let world = Interrupted::before_random(&shop.world, || {
        let _ = debit(&shop, &session_id, &token);
    });
    let _ = block_on(sweep(&world));
    drop(world);
    assert_eq!(shop.results(&session_id), ["failed", "failed"]);
    assert_eq!(ladder(&shop, &session_id).unwrap().tries, 2);
    later(&shop, DAY);
    assert_eq!(shop.results(&session_id).len(), 2, "the pause after the second is two days");
    later(&shop, DAY);
    assert_eq!(shop.results(&session_id).len(), 3);
}

#[test]
fn a_card_is_not_tried_more_often_than_its_scheme_permits() {
    let shop = Shop::open_with(11, |settings| {
        let retries = json!({"retries": {"insufficient_funds": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}});
        let settings = settings.as_object_mut().unwrap();
        settings.insert("auto_debit".into(), retries);
        settings.insert("limits".into(), json!({"session_declines": 0, "session_cards": 0}));
    });
    let token = paid(&shop, &unlimited());
    shop.bank.decline_cards();
    let sessions: Vec<SessionId> = (0..4).map(|_| shop.create(&unlimited())).collect();
    for session_id in &sessions {
        let _ = debit(&shop, session_id, &token);
    }
    for _ in 0..(24 * 40) {
        later(&shop, HOUR);
    }
    let mut opened: Vec<u64> = sessions
        .iter()
        .flat_map(|session_id| shop.world.store.attempts(session_id))
        .map(|attempt| u64::try_from(attempt.opened_at.millis()).unwrap() / 1_000)
        .collect();
    opened.sort_unstable();
    for (most, window) in [(10, DAY), (15, 30 * DAY)] {
        for (first, last) in opened.iter().zip(opened.iter().skip(most)) {
            assert!(last - first >= window, "{} debits within {window} seconds: {opened:?}", most + 1);
        }
    }
    assert!(opened.len() > 15, "the month after, it goes on: {opened:?}");
}

#[test]
fn a_debit_that_fails_after_the_payer_has_paid_pauses_nothing() {
    let shop = open(15);
    let token = paid(&shop, &unlimited());
    let session_id = shop.create(&unlimited());
    shop.bank.decline_cards();
    let _ = debit(&shop, &session_id, &token);
    let page = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.give_up(page.as_str());
    let _ = shop.come_back(&page);
    shop.bank.on_opening(Mood::Deaf);
    later(&shop, DAY);
    let debited = shop.latest(&session_id).reference;
    assert_eq!(shop.results(&session_id), ["failed", "canceled", "pending"]);
    shop.bank.on_opening(Mood::Fine);
    shop.bank.approve_after_all(page.as_str());
    shop.call_back(&page).unwrap();
    later(&shop, HOUR);
    assert_ne!(shop.latest(&session_id).stage.result(), "success", "{debited} did not reach the bank");
    assert_eq!(shop.state(&session_id), "paid");
    assert_eq!((ladder(&shop, &session_id), saved(&shop).paused), (None, None));
}
