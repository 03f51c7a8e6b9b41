//! Captures, refunds and voids: recorded before the request to the gateway is sent, settled by the first
//! report about them; and what is paid in addition to a transaction is given back.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod holds;
mod records;
mod second_success;

use checkout_core::child::stage::OperationStage;
use checkout_core::flow::Failure;
use checkout_core::flow::merchant::inquiry::inquire;
use checkout_core::flow::merchant::list::list;
use checkout_core::flow::merchant::operate::{OperationAnswer, OperationInput, operate};
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::operator::attention::resolve_attention;
use checkout_core::flow::report::gateway::{ReportAddress, call_back};
use checkout_core::record::attention::AttentionId;
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::testing::store::Fault;
use checkout_core::value::id::SessionId;
use checkout_core::words::ChildOperation;
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{Shop, WEBHOOK_URL, json_of, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

fn try_operate(
    shop: &Shop,
    session_id: &SessionId,
    operation: &str,
    amount: Option<&str>,
) -> Result<OperationAnswer, Failure> {
    let mut body = json!({"session_id": session_id.as_str(), "operation": operation});
    if let (Some(amount), Some(members)) = (amount, body.as_object_mut()) {
        members.insert("amount".into(), amount.into());
    }
    let body = body.to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    block_on(operate(&shop.world, input))
}

fn result_of(answer: &OperationAnswer) -> (String, String) {
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&body["result"]), text(&body["txn"]["state"]))
}

fn refusal(result: Result<OperationAnswer, Failure>) -> Rejection {
    let Err(Failure::Refused(RefusedRequest { rejection, operation: Some(_), .. })) = result else {
        return Rejection::NotFound;
    };
    rejection
}

fn paid(seed: u64, code: &str) -> (Shop, SessionId) {
    let shop = Shop::open(seed);
    let session_id = shop.create(&order(&[code]));
    let reference = shop.pay_to_page(&session_id, code);
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    (shop, session_id)
}

fn inquired(shop: &Shop, session_id: &SessionId) -> Value {
    let body = json!({"session_id": session_id.as_str()}).to_string();
    let answer = block_on(inquire(&shop.world, &shop.private(), body.as_bytes())).unwrap();
    serde_json::from_str(&answer.body).unwrap()
}

fn stages(shop: &Shop, session_id: &SessionId) -> Vec<OperationStage> {
    shop.world.store.children(session_id).iter().map(|child| child.stage).collect()
}

/// The payer pays at the page of an attempt that was withdrawn before.
fn paid_twice(shop: &Shop, code: &str) -> SessionId {
    let session_id = shop.create(&order(&[code]));
    shop.bank.on_opening(Mood::Deaf);
    shop.pay(&session_id, code).unwrap();
    let first = shop.latest(&session_id).reference;
    let request = shop.world.http.take_sent().pop().unwrap();
    shop.wait(60);
    shop.sweep();
    shop.bank.on_opening(Mood::Fine);
    let second = shop.pay_to_page(&session_id, code);
    shop.bank.approve(second.as_str());
    shop.come_back(&second).unwrap();
    shop.bank.answer(&request).unwrap();
    shop.bank.approve(first.as_str());
    shop.call_back(&first).unwrap();
    session_id
}

#[test]
fn a_refund_whose_answer_is_lost_is_found_done_by_the_sweep_and_notified_once() {
    let (shop, session_id) = paid(1, "knet");
    let _ = shop.receiver.take();
    shop.bank.on_operating(Mood::Mute);
    let answer = try_operate(&shop, &session_id, "refund", Some("4.000")).unwrap();
    assert_eq!(result_of(&answer), ("queued".into(), "refund_queued".into()));
    assert!(matches!(
        refusal(try_operate(&shop, &session_id, "refund", Some("7.000"))),
        Rejection::OperationAmount { .. }
    ));
    shop.wait(60);
    shop.sweep();
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
    shop.sweep();
    let notified: Vec<(Value, Value)> = shop
        .receiver
        .take_bodies()
        .iter()
        .map(|body| (body["operation"].clone(), body["result"].clone()))
        .collect();
    assert_eq!(
        notified.iter().filter(|notified| **notified == (json!("refund"), json!("success"))).count(),
        1,
        "{notified:?}"
    );
}

/// A request under keys, with an amount.
fn keyed(
    shop: &Shop,
    body: &Value,
    tracking: Option<&str>,
    idempotency: Option<&str>,
) -> Result<OperationAnswer, Failure> {
    let body = body.to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: tracking,
        idempotency_key: idempotency,
        body: body.as_bytes(),
    };
    block_on(operate(&shop.world, input))
}

#[test]
fn an_idempotency_key_counts_like_a_tracking_key_and_both_given_must_agree() {
    let (shop, session_id) = paid(31, "knet");
    let one = json!({"session_id": session_id.as_str(), "operation": "refund", "amount": "1.000"});
    let first = keyed(&shop, &one, None, Some("k-1")).unwrap();
    for (tracking, idempotency) in
        [(None, Some("k-1")), (None, Some(" \"k-1\" ")), (Some("k-1"), None), (Some("k-1"), Some("\"k-1\""))]
    {
        let again = keyed(&shop, &one, tracking, idempotency).unwrap();
        assert_eq!((again.is_replayed, &again.body), (true, &first.body), "{tracking:?} {idempotency:?}");
    }
    assert_eq!((first.is_replayed, stages(&shop, &session_id)), (false, vec![OperationStage::Done]));
    for (tracking, idempotency, wanted) in [
        (Some("k-1"), Some("k-2"), Rejection::KeysDisagree),
        (Some("k-3"), Some("K-3"), Rejection::KeysDisagree),
        (None, Some(""), Rejection::IdempotencyKeyMalformed),
        (Some("k-1"), Some("a b"), Rejection::IdempotencyKeyMalformed),
        (Some("a b"), Some("k-1"), Rejection::TrackingKeyMalformed),
    ] {
        assert_eq!(refused(keyed(&shop, &one, tracking, idempotency)), wanted);
    }
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done], "what was refused moved nothing");
}

#[test]
fn an_idempotency_key_names_one_request_and_a_tracking_key_one_operation() {
    let (shop, session_id) = paid(32, "knet");
    let body = |operation: &str, amount: &str| json!({"session_id": session_id.as_str(), "operation": operation, "amount": amount});
    let first = keyed(&shop, &body("refund", "1.000"), None, Some("k-1")).unwrap();
    assert_eq!(keyed(&shop, &body("refund", "1.0"), None, Some("k-1")).unwrap().body, first.body);
    for other in [body("refund", "2.000"), body("capture", "1.000")] {
        assert_eq!(refusal(keyed(&shop, &other, None, Some("k-1"))), Rejection::IdempotencyKeyReused);
    }
    assert_eq!(keyed(&shop, &body("refund", "2.000"), Some("k-1"), None).unwrap().body, first.body);
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
}

#[test]
fn a_request_that_its_twin_overtook_answers_about_the_twins_operation() {
    let (shop, session_id) = paid(33, "knet");
    // Everything that is left: a second request would find nothing.
    let all = json!({"session_id": session_id.as_str(), "operation": "refund"});
    let world = Interrupted::before_random(&shop.world, || {
        keyed(&shop, &all, None, Some("k-1")).unwrap();
    });
    let body = all.to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: Some("k-1"),
        body: body.as_bytes(),
    };
    let second = block_on(operate(&world, input)).unwrap();
    assert_eq!((second.is_replayed, result_of(&second).0.as_str()), (true, "success"));
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
}

#[test]
fn a_space_in_what_moves_money_is_a_violation_and_moves_nothing() {
    let (shop, session_id) = paid(30, "knet");
    let mut fields = Vec::new();
    for (name, blank) in
        [("amount", ""), ("order_no", ""), ("session_id", ""), ("destination", ""), ("extra", "")]
    {
        let mut body = json!({"session_id": session_id.as_str(), "order_no": "A-1", "operation": "refund"});
        body[name] = blank.into();
        let body = body.to_string();
        let input = OperationInput {
            caller: shop.private(),
            tracking_key: None,
            idempotency_key: None,
            body: body.as_bytes(),
        };
        let rejection = refused(block_on(operate(&shop.world, input)));
        let Rejection::Invalid(found) = rejection else { panic!("{body}: {rejection:?}") };
        fields.extend(found.iter().map(|violation| format!("{}: {}", violation.path, violation.rule)));
    }
    let blank = |name: &str| format!("{name}: must not be blank");
    assert_eq!(fields, ["amount", "order_no", "session_id", "destination", "extra"].map(blank));
    assert_eq!(stages(&shop, &session_id), []);
    let answer =
        json!({"session_id": session_id.as_str(), "operation": "refund", "amount": null}).to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: answer.as_bytes(),
    };
    assert_eq!(result_of(&block_on(operate(&shop.world, input)).unwrap()).0, "success", "null is absent");
}

#[test]
fn a_refund_that_never_arrived_gives_its_amount_back_after_the_grace() {
    let (shop, session_id) = paid(2, "knet");
    shop.bank.on_operating(Mood::Deaf);
    let answer = try_operate(&shop, &session_id, "refund", None).unwrap();
    assert_eq!(result_of(&answer).0, "queued");
    for _ in 0..3 {
        shop.wait(60);
        shop.sweep();
    }
    assert_eq!(stages(&shop, &session_id), [OperationStage::Refused]);
    shop.bank.on_operating(Mood::Fine);
    assert_eq!(result_of(&try_operate(&shop, &session_id, "refund", None).unwrap()).0, "success");
}

#[test]
fn what_surely_was_not_sent_and_what_is_refused_moves_nothing() {
    let (shop, session_id) = paid(3, "mpgs");
    for mood in [Mood::Down, Mood::Refuses] {
        shop.bank.on_operating(mood);
        assert!(
            matches!(
                refusal(try_operate(&shop, &session_id, "capture", None)),
                Rejection::OperationDeclined { .. }
            ),
            "{mood:?}"
        );
    }
    assert_eq!(stages(&shop, &session_id), [OperationStage::Refused, OperationStage::Refused]);
    assert_eq!(shop.bank.books().operations().len(), 0);
}

#[test]
fn a_refund_that_the_gateway_did_is_answered_as_done_however_many_races_are_lost() {
    let (shop, session_id) = paid(32, "knet");
    let world = Interrupted::after_send(&shop.world, || shop.world.store.lose_races(20));
    let body =
        json!({"session_id": session_id.as_str(), "operation": "refund", "amount": "4.000"}).to_string();
    let input = OperationInput {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    let answer = block_on(operate(&world, input)).unwrap();
    assert_eq!(result_of(&answer), ("success".into(), "refunded".into()));
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
    assert_eq!(shop.bank.books().operations().len(), 1, "the gateway is asked once");
}

#[test]
fn a_worker_that_dies_after_the_gateway_heard_leaves_the_truth_to_the_sweep() {
    let (shop, session_id) = paid(4, "mpgs");
    // The first commit is the record, the second what the gateway said.
    shop.world.store.fail_commit(2, Fault::BeforeStoring);
    assert!(matches!(try_operate(&shop, &session_id, "capture", Some("6.000")), Err(Failure::World(_))));
    assert_eq!(stages(&shop, &session_id), [OperationStage::Sending]);
    shop.wait(60);
    shop.sweep();
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
    let settlement = shop.transaction(&session_id).settlement.unwrap();
    assert_eq!(settlement.paid.unwrap().to_string(), "6.000");
    assert!(matches!(
        refusal(try_operate(&shop, &session_id, "void", None)),
        Rejection::OperationRefused { .. }
    ));
}

#[test]
fn a_worker_that_dies_before_the_gateway_heard_has_reserved_nothing_in_the_end() {
    let (shop, session_id) = paid(5, "mpgs");
    shop.world.store.fail_commit(1, Fault::AfterStoring);
    assert!(matches!(try_operate(&shop, &session_id, "void", None), Err(Failure::World(_))));
    assert!(matches!(
        refusal(try_operate(&shop, &session_id, "capture", None)),
        Rejection::OperationInProgress
    ));
    shop.wait(60);
    shop.sweep();
    assert_eq!(stages(&shop, &session_id), [OperationStage::Refused]);
    assert_eq!(result_of(&try_operate(&shop, &session_id, "capture", None).unwrap()).1, "paid");
}

#[test]
fn repeating_an_operation_whose_worker_died_is_answered_that_it_never_arrived() {
    for (seed, code, operation) in [(24, "knet", "refund"), (25, "mpgs", "capture"), (26, "mpgs", "void")] {
        let (shop, session_id) = paid(seed, code);
        let _ = shop.receiver.take();
        let ask = || {
            let body = json!({"session_id": session_id.as_str(), "operation": operation}).to_string();
            let (caller, body) = (shop.private(), body.as_bytes());
            block_on(operate(
                &shop.world,
                OperationInput { caller, tracking_key: Some("once"), idempotency_key: None, body },
            ))
        };
        shop.world.store.fail_commit(1, Fault::AfterStoring);
        assert!(matches!(ask(), Err(Failure::World(_))));
        assert_eq!(result_of(&ask().unwrap()).0, "queued", "{operation}");
        shop.wait(60);
        shop.sweep();
        assert_eq!(stages(&shop, &session_id), [OperationStage::Refused]);
        let notified = shop.receiver.take_bodies();
        let notified: Vec<_> = notified.iter().filter(|body| body["operation"] == json!(operation)).collect();
        assert_eq!((notified.len(), &notified[0]["result"]), (1, &json!("failed")), "{operation}");
        assert_eq!(result_of(&ask().unwrap()).0, "success", "its key is free again");
    }
}

#[test]
fn an_operation_of_which_the_bank_says_nothing_for_72_hours_is_given_to_a_person_and_stays_reserved() {
    let (shop, session_id) = paid(6, "knet");
    shop.bank.on_operating(Mood::Mute);
    shop.bank.on_asking(Mood::Broken);
    try_operate(&shop, &session_id, "refund", Some("9.000")).unwrap();
    for _ in 0..500 {
        shop.wait(600);
        shop.sweep();
    }
    assert_eq!(stages(&shop, &session_id), [OperationStage::Unknown]);
    assert_eq!(shop.attention().len(), 1);
    assert!(matches!(
        refusal(try_operate(&shop, &session_id, "refund", Some("2.000"))),
        Rejection::OperationAmount { .. }
    ));
}
