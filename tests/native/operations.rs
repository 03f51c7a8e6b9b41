//! Captures, refunds and voids: recorded before the request to the gateway is sent, settled by the first
//! report about them; and what is paid in addition to a transaction is given back.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use checkout_core::child::stage::Stage;
use checkout_core::flow::Failure;
use checkout_core::flow::gateway::call_back;
use checkout_core::flow::merchant::inquiry::inquire;
use checkout_core::flow::merchant::list::list;
use checkout_core::flow::merchant::operate::{Input, OperationAnswer, operate};
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::operator::attention::resolve_attention;
use checkout_core::record::attention::AttentionId;
use checkout_core::rejection::Rejection;
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
    let input =
        Input { caller: shop.private(), tracking_key: None, idempotency_key: None, body: body.as_bytes() };
    block_on(operate(&shop.world, input))
}

fn result_of(answer: &OperationAnswer) -> (String, String) {
    let body: Value = serde_json::from_str(&answer.body).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&body["result"]), text(&body["txn"]["state"]))
}

fn refusal(result: Result<OperationAnswer, Failure>) -> Rejection {
    let Err(Failure::Refused(Rejection::During { rejection, .. })) = result else {
        return Rejection::NotFound;
    };
    *rejection
}

fn paid(seed: u64, code: &str) -> (Shop, SessionId) {
    let shop = Shop::open(seed);
    let session_id = shop.create(&order(&[code]));
    let reference = shop.pay_to_page(&session_id, code);
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    (shop, session_id)
}

fn stages(shop: &Shop, session_id: &SessionId) -> Vec<Stage> {
    shop.world.store.children(session_id).iter().map(|child| child.stage).collect()
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
    assert_eq!(stages(&shop, &session_id), [Stage::Done]);
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
    let input = Input {
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
    assert_eq!((first.is_replayed, stages(&shop, &session_id)), (false, vec![Stage::Done]));
    for (tracking, idempotency, wanted) in [
        (Some("k-1"), Some("k-2"), Rejection::KeysDisagree),
        (Some("k-3"), Some("K-3"), Rejection::KeysDisagree),
        (None, Some(""), Rejection::IdempotencyKeyMalformed),
        (Some("k-1"), Some("a b"), Rejection::IdempotencyKeyMalformed),
        (Some("a b"), Some("k-1"), Rejection::TrackingKeyMalformed),
    ] {
        assert_eq!(refused(keyed(&shop, &one, tracking, idempotency)), wanted);
    }
    assert_eq!(stages(&shop, &session_id), [Stage::Done], "what was refused moved nothing");
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
    assert_eq!(stages(&shop, &session_id), [Stage::Done]);
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
    let input = Input {
        caller: shop.private(),
        tracking_key: None,
        idempotency_key: Some("k-1"),
        body: body.as_bytes(),
    };
    let second = block_on(operate(&world, input)).unwrap();
    assert_eq!((second.is_replayed, result_of(&second).0.as_str()), (true, "success"));
    assert_eq!(stages(&shop, &session_id), [Stage::Done]);
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
        let input = Input {
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
    let input =
        Input { caller: shop.private(), tracking_key: None, idempotency_key: None, body: answer.as_bytes() };
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
    assert_eq!(stages(&shop, &session_id), [Stage::Refused]);
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
    assert_eq!(stages(&shop, &session_id), [Stage::Refused, Stage::Refused]);
    assert_eq!(shop.bank.books().operations().len(), 0);
}

#[test]
fn a_refund_that_the_gateway_did_is_answered_as_done_however_many_races_are_lost() {
    let (shop, session_id) = paid(32, "knet");
    let world = Interrupted::after_send(&shop.world, || shop.world.store.lose_races(20));
    let body =
        json!({"session_id": session_id.as_str(), "operation": "refund", "amount": "4.000"}).to_string();
    let input =
        Input { caller: shop.private(), tracking_key: None, idempotency_key: None, body: body.as_bytes() };
    let answer = block_on(operate(&world, input)).unwrap();
    assert_eq!(result_of(&answer), ("success".into(), "refunded".into()));
    assert_eq!(stages(&shop, &session_id), [Stage::Done]);
    assert_eq!(shop.bank.books().operations().len(), 1, "the gateway is asked once");
}

#[test]
fn a_worker_that_dies_after_the_gateway_heard_leaves_the_truth_to_the_sweep() {
    let (shop, session_id) = paid(4, "mpgs");
    // The first commit is the record, the second what the gateway said.
    shop.world.store.fail_commit(2, Fault::BeforeStoring);
    assert!(matches!(try_operate(&shop, &session_id, "capture", Some("6.000")), Err(Failure::World(_))));
    assert_eq!(stages(&shop, &session_id), [Stage::Sending]);
    shop.wait(60);
    shop.sweep();
    assert_eq!(stages(&shop, &session_id), [Stage::Done]);
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
    assert_eq!(stages(&shop, &session_id), [Stage::Refused]);
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
                Input { caller, tracking_key: Some("once"), idempotency_key: None, body },
            ))
        };
        shop.world.store.fail_commit(1, Fault::AfterStoring);
        assert!(matches!(ask(), Err(Failure::World(_))));
        assert_eq!(result_of(&ask().unwrap()).0, "queued", "{operation}");
        shop.wait(60);
        shop.sweep();
        assert_eq!(stages(&shop, &session_id), [Stage::Refused]);
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
    assert_eq!(stages(&shop, &session_id), [Stage::Unknown]);
    assert_eq!(shop.attention().len(), 1);
    assert!(matches!(
        refusal(try_operate(&shop, &session_id, "refund", Some("2.000"))),
        Rejection::OperationAmount { .. }
    ));
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
fn a_second_success_is_flagged_and_refunded_with_its_fee() {
    let shop = Shop::open(7);
    let session_id = paid_twice(&shop, "knet");
    assert_eq!(shop.results(&session_id), ["success", "success"]);
    let [child] = &shop.world.store.children(&session_id)[..] else { panic!("one operation") };
    let first = &shop.world.store.attempts(&session_id)[0];
    assert_eq!((&child.attempt, child.stage), (&first.reference, Stage::Done));
    assert_eq!(child.amount, first.quote.total);
    assert_eq!(shop.attention().len(), 1);
    let refunded = shop.bank.books().done(first.reference.as_str(), ChildOperation::Refund);
    assert_eq!(refunded, first.quote.total);
    // The payment that counts is not changed by it.
    assert_eq!(result_of(&try_operate(&shop, &session_id, "refund", None).unwrap()).0, "success");
}

#[test]
fn a_second_authorization_is_voided() {
    let shop = Shop::open(8);
    let session_id = paid_twice(&shop, "mpgs");
    let first = &shop.world.store.attempts(&session_id)[0];
    assert!(!shop.bank.books().done(first.reference.as_str(), ChildOperation::Void).is_zero());
    assert_eq!(shop.state(&session_id), "authorized");
}

#[test]
fn a_success_after_the_cancellation_is_given_back_and_leaves_the_transaction_canceled() {
    let shop = Shop::open(9);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    let body = json!({"session_id": session_id.as_str(), "operation": "cancel"}).to_string();
    let input =
        Input { caller: shop.private(), tracking_key: None, idempotency_key: None, body: body.as_bytes() };
    block_on(operate(&shop.world, input)).unwrap();
    assert_eq!(shop.state(&session_id), "canceled");
    shop.bank.approve_after_all(reference.as_str());
    shop.call_back(&reference).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("canceled", vec!["success"]));
    assert_eq!(stages(&shop, &session_id), [Stage::Done]);
    assert_eq!(shop.attention().len(), 1);
}

#[test]
fn if_the_bank_does_not_give_back_a_second_success_a_person_is_still_notified() {
    let shop = Shop::open(10);
    shop.bank.on_operating(Mood::Refuses);
    let session_id = paid_twice(&shop, "knet");
    assert_eq!(stages(&shop, &session_id), [Stage::Refused]);
    assert_eq!(shop.attention().len(), 1);
}

fn inquired(shop: &Shop, session_id: &SessionId) -> Value {
    let body = json!({"session_id": session_id.as_str()}).to_string();
    let answer = block_on(inquire(&shop.world, &shop.private(), body.as_bytes())).unwrap();
    serde_json::from_str(&answer.body).unwrap()
}

#[test]
fn the_payment_shows_what_was_taken_given_back_and_released_and_every_child() {
    let (shop, session_id) = paid(11, "mpgs");
    let held = inquired(&shop, &session_id);
    assert_eq!([&held["paid_amount"], &held["refunded_amount"], &held["transaction"]], [&Value::Null; 3]);
    try_operate(&shop, &session_id, "capture", Some("4.000")).unwrap();
    try_operate(&shop, &session_id, "capture", None).unwrap();
    try_operate(&shop, &session_id, "refund", Some("3.000")).unwrap();
    let notified = inquired(&shop, &session_id);
    assert_eq!((&notified["settled_amount"], &notified["paid_amount"]), (&json!("10.000"), &json!("10.000")));
    assert_eq!((&notified["refunded_amount"], &notified["voided_amount"]), (&json!("3.000"), &Value::Null));
    let states: Vec<_> =
        notified["transaction"].as_array().unwrap().iter().map(|child| &child["state"]).collect();
    assert_eq!(states, ["paid", "paid", "refunded"]);
    assert_eq!(notified["transactions"], notified["transaction"]);
    let released = paid(12, "mpgs");
    try_operate(&released.0, &released.1, "void", None).unwrap();
    let notified = inquired(&released.0, &released.1);
    assert_eq!((&notified["voided_amount"], &notified["state"]), (&json!("10.000"), &json!("authorized")));
}

#[test]
fn what_is_given_back_of_a_second_success_is_no_refund_of_the_payment() {
    let shop = Shop::open(13);
    let session_id = paid_twice(&shop, "knet");
    let notified = inquired(&shop, &session_id);
    assert_eq!(notified["refunded_amount"], Value::Null);
    assert_eq!(notified["transaction"].as_array().unwrap().len(), 1);
}

#[test]
fn a_refund_that_was_answered_as_queued_is_notified_if_it_never_arrived() {
    let (shop, session_id) = paid(14, "knet");
    let _ = shop.receiver.take();
    shop.bank.on_operating(Mood::Deaf);
    let answer = try_operate(&shop, &session_id, "refund", None).unwrap();
    assert_eq!(result_of(&answer).0, "queued");
    for _ in 0..3 {
        shop.wait(60);
        shop.sweep();
    }
    let notified = shop.receiver.take_bodies();
    let notified: Vec<_> = notified.iter().filter(|body| body["operation"] == json!("refund")).collect();
    assert_eq!(notified.len(), 1, "{notified:?}");
    assert_eq!((&notified[0]["result"], &notified[0]["success"]), (&json!("failed"), &json!(false)));
    assert_eq!(notified[0]["txn"]["state"], json!("refund_rejected"));
}

#[test]
fn an_operation_that_was_done_after_all_is_recorded_and_a_person_knows_of_it() {
    let (shop, session_id) = paid(15, "knet");
    shop.bank.on_operating(Mood::Deaf);
    try_operate(&shop, &session_id, "refund", None).unwrap();
    let request = shop.world.http.take_sent().pop().unwrap();
    for _ in 0..3 {
        shop.wait(60);
        shop.sweep();
    }
    assert_eq!(stages(&shop, &session_id), [Stage::Refused]);
    shop.bank.on_operating(Mood::Fine);
    // The request arrives after all, and the bank says so by itself.
    let child = shop.world.store.children(&session_id).pop().unwrap();
    let answer = shop.bank.answer(&request).unwrap();
    let callback = shop.bank.signed(child.attempt.as_str(), answer.body);
    block_on(call_back(&shop.world, &child.reference, &callback)).unwrap();
    assert_eq!(stages(&shop, &session_id), [Stage::Done]);
    let flagged: Vec<String> = shop.attention().iter().map(ToString::to_string).collect();
    assert_eq!(flagged, [format!("{}.late_operation", child.reference)]);
}

fn resolve(shop: &Shop, id: &AttentionId, action: &str) -> Result<Value, Failure> {
    let body = json!({"action": action}).to_string();
    block_on(resolve_attention(&shop.world, id, body.as_bytes())).map(|answer| json_of(&answer))
}

/// A refund of which the bank named another amount: it is held and is on the attention list.
fn held(seed: u64) -> (Shop, SessionId, AttentionId) {
    let (shop, session_id) = paid(seed, "knet");
    shop.bank.on_operating(Mood::Mute);
    try_operate(&shop, &session_id, "refund", Some("4.000")).unwrap();
    let child = shop.world.store.children(&session_id).pop().unwrap();
    let report = json!({
        "id": "op-1", "reference": child.reference.as_str(), "operation": "refund", "status": "done", "amount": "3.000",
        "currency": "KWD",
    });
    let callback = shop.bank.signed(child.attempt.as_str(), report.to_string().into_bytes());
    block_on(call_back(&shop.world, &child.reference, &callback)).unwrap();
    let id = shop.attention().pop().unwrap();
    assert_eq!(id.to_string(), format!("{}.amount_mismatch", child.reference));
    (shop, session_id, id)
}

#[test]
fn the_operator_decides_what_became_of_a_held_refund() {
    for (action, stage, result) in
        [("approved", Stage::Done, "success"), ("not_charged", Stage::Refused, "failed")]
    {
        let (shop, session_id, id) = held(40);
        let _ = shop.receiver.take();
        let answer = resolve(&shop, &id, action).unwrap();
        assert_eq!(answer, json!({"id": id.to_string(), "closed": true, "result": result}));
        assert_eq!((stages(&shop, &session_id), shop.attention()), (vec![stage], vec![]));
        assert_eq!(refused(resolve(&shop, &id, action)), Rejection::NotResolvable);
        shop.sweep();
        assert!(
            shop.receiver.take_bodies().iter().any(|body| body["operation"] == "refund"),
            "and it is told"
        );
    }
}

#[test]
fn a_held_refund_cannot_be_dismissed_and_is_asked_about_until_the_answer_fits() {
    let (shop, session_id, id) = held(41);
    assert_eq!(refused(resolve(&shop, &id, "dismiss")), Rejection::NotResolvable);
    shop.bank.on_asking(Mood::Deaf);
    let answer = resolve(&shop, &id, "inquire").unwrap();
    assert_eq!(answer, json!({"id": id.to_string(), "closed": false, "result": "queued"}));
    shop.bank.on_asking(Mood::Fine);
    let answer = resolve(&shop, &id, "inquire").unwrap();
    assert_eq!(answer, json!({"id": id.to_string(), "closed": true, "result": "success"}));
    assert_eq!(stages(&shop, &session_id), [Stage::Done]);
}

#[test]
fn an_operation_that_was_done_after_its_refusal_may_be_dismissed() {
    let (shop, session_id, id) = held(42);
    resolve(&shop, &id, "not_charged").unwrap();
    let child = shop.world.store.children(&session_id).pop().unwrap();
    let report = json!({
        "id": "op-1", "reference": child.reference.as_str(), "operation": "refund", "status": "done", "amount": "4.000",
        "currency": "KWD",
    });
    let callback = shop.bank.signed(child.attempt.as_str(), report.to_string().into_bytes());
    block_on(call_back(&shop.world, &child.reference, &callback)).unwrap();
    let late = shop.attention().pop().unwrap();
    assert_eq!(late.to_string(), format!("{}.late_operation", child.reference));
    assert_eq!(refused(resolve(&shop, &late, "approved")), Rejection::NotResolvable);
    assert_eq!(resolve(&shop, &late, "dismiss").unwrap()["closed"], json!(true));
    assert_eq!(shop.attention(), []);
}

fn retrieved(shop: &Shop, session_id: &SessionId) -> (Value, String) {
    let answer = block_on(retrieve(&shop.world, &shop.private(), session_id)).unwrap();
    (serde_json::from_str(&answer.body).unwrap(), answer.tag)
}

#[test]
fn retrieving_and_listing_show_what_was_taken_and_given_back_and_the_children() {
    let shop = Shop::open(50);
    let session_id = shop.create(&order(&["mpgs"]));
    let (fresh, first_tag) = retrieved(&shop, &session_id);
    assert_eq!(fresh["created_at"], "2026-01-01T00:00:00Z");
    for absent in
        ["paid_at", "reference_number", "paid_amount", "refunded_amount", "voided_amount", "transactions"]
    {
        assert_eq!(fresh.get(absent), None, "{absent}");
    }
    shop.wait(60);
    let reference = shop.pay_to_page(&session_id, "mpgs");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let (held, held_tag) = retrieved(&shop, &session_id);
    assert_eq!((&held["reference_number"], held.get("paid_at")), (&json!(reference.as_str()), None));
    assert_ne!(first_tag, held_tag, "another tag for another state");
    assert_eq!(retrieved(&shop, &session_id).1, held_tag, "and the same for the same");
    shop.wait(60);
    for (operation, amount) in [("capture", "6.000"), ("capture", "1.000"), ("refund", "2.000")] {
        try_operate(&shop, &session_id, operation, Some(amount)).unwrap();
        shop.wait(60);
    }
    let (after, after_tag) = retrieved(&shop, &session_id);
    assert_eq!(after["paid_at"], "2026-01-01T00:02:00Z", "when money was taken first");
    assert_eq!(
        (&after["paid_amount"], &after["refunded_amount"], after.get("voided_amount")),
        (&json!("7.000"), &json!("2.000"), None)
    );
    let states: Vec<_> =
        after["transactions"].as_array().unwrap().iter().map(|child| &child["state"]).collect();
    assert_eq!(states, ["paid", "paid", "refunded"]);
    assert_eq!(after["transaction"], after["transactions"]);
    assert_ne!(held_tag, after_tag, "a refund is a change that a merchant must see");

    let other = shop.create(&order(&["knet"]));
    let listed = block_on(list(&shop.world, &shop.private(), "")).unwrap();
    let mut listed: Value = serde_json::from_str(&listed).unwrap();
    let shown = listed["results"].as_array_mut().unwrap();
    let (mut plain, of_other) = (after.clone(), retrieved(&shop, &other).0);
    // A receipt is signed for one transaction at a time.
    plain.as_object_mut().unwrap().remove("receipt");
    assert_eq!(*shown, [of_other, plain], "the listing shows the same");
}

#[test]
fn an_operation_is_notified_to_the_address_of_its_transaction_otherwise_as_before() {
    const OPERATIONS: &str = "https://books.example.com/operations";
    let shop = Shop::open_with(51, |settings| {
        settings["operations_webhook_url"] = OPERATIONS.into();
        settings["plugins"]["e_commerce"]["webhook_url"] = "https://plugin.example.com/hook".into();
    });
    for (own, wanted) in
        [(Some(WEBHOOK_URL), vec![WEBHOOK_URL]), (None, vec![OPERATIONS, "https://plugin.example.com/hook"])]
    {
        let mut body = order(&["knet"]);
        body["webhook_url"] = own.into();
        let session_id = shop.create(&body);
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        shop.come_back(&reference).unwrap();
        let answer = try_operate(&shop, &session_id, "refund", None).unwrap();
        shop.sweep();
        let _ = shop.receiver.take();
        let deliveries = shop.world.store.deliveries(&session_id);
        let urls: Vec<&str> = deliveries
            .iter()
            .filter(|delivery| answer.deliveries.contains(&delivery.message.id))
            .map(|delivery| delivery.message.recipient.address())
            .collect();
        assert_eq!(urls, wanted, "{own:?}");
    }
}
