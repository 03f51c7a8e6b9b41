//! What a stranger repeats asks no gateway without end, and leaves no rows.

use checkout_core::flow::report::gateway::ask_about;
use checkout_core::value::id::SessionId;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;

/// How many questions may follow each other at once.
const AHEAD: usize = 3;

/// How often the bank is asked, and how many events are stored, while something is done sixty times in half a minute.
fn while_repeated(shop: &Shop, session_id: &SessionId, mut act: impl FnMut()) -> (usize, usize) {
    let events = || shop.world.store.events(session_id).len();
    let (asked, stored) = (shop.world.http.count(), events());
    for second in 0..60 {
        act();
        shop.wait(u64::from(second % 2 == 1));
    }
    (shop.world.http.count().saturating_sub(asked), events().saturating_sub(stored))
}

#[test]
fn returns_of_a_payer_who_has_not_paid_are_one_question_in_ten_seconds_and_no_rows() {
    for mood in [Mood::Fine, Mood::Deaf] {
        let shop = Shop::open(1);
        let session_id = shop.create(&order(&["knet"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.on_asking(mood);
        let (asked, stored) = while_repeated(&shop, &session_id, || {
            let _ = shop.come_back(&reference).unwrap();
        });
        assert!((1..=AHEAD + 3).contains(&asked), "{asked} questions");
        // The first answer says what nobody knew, and a bank that does not answer makes it unknown, once.
        assert!(stored <= 2, "{stored} events");
    }
}

#[test]
fn a_page_that_is_resumed_again_and_again_is_asked_about_so_often() {
    let shop = Shop::open(2);
    let session_id = shop.create(&order(&["knet"]));
    let _ = shop.pay_to_page(&session_id, "knet");
    let (asked, stored) = while_repeated(&shop, &session_id, || {
        let _ = shop.pay(&session_id, "knet").unwrap();
    });
    assert!((1..=AHEAD + 3).contains(&asked), "{asked} questions");
    assert!(stored <= 1, "{stored} events");
}

#[test]
fn reports_that_anyone_may_write_are_so_many_questions() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    let (asked, stored) = while_repeated(&shop, &session_id, || {
        let _ = block_on(ask_about(&shop.world, &reference)).unwrap();
    });
    assert!((1..=AHEAD + 3).contains(&asked), "{asked} questions");
    assert!(stored <= 1, "{stored} events");
}

#[test]
fn who_has_paid_after_too_many_questions_is_found_soon() {
    let shop = Shop::open(4);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    for _ in 0..AHEAD {
        let _ = shop.come_back(&reference).unwrap();
    }
    shop.bank.approve(reference.as_str());
    let _ = shop.come_back(&reference).unwrap();
    assert_eq!(shop.state(&session_id), "pending", "it was not asked");
    shop.wait(10);
    shop.sweep();
    assert_eq!(shop.state(&session_id), "paid");
}
