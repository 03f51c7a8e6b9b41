//! Faults that a simulation, or thinking about one, brought to light: each as small as it could be made.

use checkout_core::flow::settle::come_back;
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;

/// "No such charge" is as old as the question, not as its answer: while the answer was on its way, the request to open
/// the charge may have arrived after all.
#[test]
fn no_such_charge_is_no_news_of_a_request_that_arrived_after_the_question() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Deaf);
    let _lost = shop.pay(&session_id, "knet").unwrap();
    let opening = shop.world.http.take_sent().pop().unwrap();
    let reference = shop.latest(&session_id).reference;
    shop.wait(50);
    shop.bank.on_opening(Mood::Fine);
    let world = Interrupted::after_send(&shop.world, || {
        shop.bank.answer(&opening).unwrap();
        shop.bank.approve(reference.as_str());
        shop.wait(11);
    });
    block_on(come_back(&world, &reference)).unwrap();
    assert_eq!(
        shop.results(&session_id),
        ["pending"],
        "the bank was asked before the request could have been lost"
    );
    shop.wait(60);
    shop.sweep();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
}
