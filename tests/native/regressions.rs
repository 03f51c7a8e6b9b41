//! Faults that were found by a simulation or by thinking about one: each in its smallest form.

use checkout_core::flow::ending::end;
use checkout_core::flow::payer::come_back::come_back;
use checkout_core::gateway::exchange::Returned;
use checkout_core::payment::ending::Ending;
use checkout_core::rejection::Rejection;
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, order};
use pollster::block_on;

/// "No such charge" is as old as the question, not as its answer: while the answer was on its way, the
/// request to open the charge may have arrived after all.
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
    block_on(come_back(&world, &reference, Some(&shop.token(&reference)), &Returned::default())).unwrap();
    assert_eq!(
        shop.results(&session_id),
        ["pending"],
        "the bank was asked before the request could have been lost"
    );
    shop.wait(60);
    shop.sweep();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
}

/// What is known after an attempt was withdrawn is known of this attempt only: while its bank answered, the
/// payer may have begun another. Nothing ends under that one.
#[test]
fn a_cancellation_that_withdrew_one_attempt_sees_the_next_one_too() {
    let shop = Shop::open(2);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "knet");
    let world = Interrupted::after_send(&shop.world, || {
        let second = shop.pay_to_page(&session_id, "credit-card");
        assert_ne!(first, second);
        shop.bank.on_asking(Mood::Broken);
    });
    let refused = block_on(end(&world, &session_id, Ending::CanceledByPayer, None)).unwrap_err();
    assert_eq!(refused, Rejection::AttemptInProgress.into());
    assert_eq!(
        (shop.state(&session_id), shop.results(&session_id)),
        ("pending", vec!["canceled", "pending"])
    );
    shop.bank.on_asking(Mood::Fine);
    block_on(end(&shop.world, &session_id, Ending::CanceledByPayer, None)).unwrap();
    assert_eq!(
        (shop.state(&session_id), shop.results(&session_id)),
        ("canceled", vec!["canceled", "canceled"])
    );
}
