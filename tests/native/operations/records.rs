//! What is shown and notified of operations, and what a person decides about them.

use super::*;
use checkout_core::access::operator::ROOT;
use checkout_core::flow::report::gateway::ask_about;
use checkout_core::gateway::exchange::Outgoing;
use checkout_core::value::id::ReferenceNumber;

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

/// A refund that never arrived and was refused; the request for it, and its reference.
fn refused_refund(seed: u64) -> (Shop, SessionId, Outgoing, ReferenceNumber) {
    let (shop, session_id) = paid(seed, "knet");
    shop.bank.on_operating(Mood::Deaf);
    try_operate(&shop, &session_id, "refund", None).unwrap();
    let request = shop.world.http.take_sent().pop().unwrap();
    for _ in 0..3 {
        shop.wait(60);
        shop.sweep();
    }
    assert_eq!(stages(&shop, &session_id), [OperationStage::Refused]);
    shop.bank.on_operating(Mood::Fine);
    let reference = shop.world.store.children(&session_id).pop().unwrap().reference;
    (shop, session_id, request, reference)
}

fn assert_done_late(shop: &Shop, session_id: &SessionId, reference: &ReferenceNumber) {
    assert_eq!(stages(shop, session_id), [OperationStage::Done]);
    let flagged: Vec<String> = shop.attention().iter().map(ToString::to_string).collect();
    assert_eq!(flagged, [format!("{reference}.late_operation")]);
}

#[test]
fn an_operation_that_was_done_after_all_is_recorded_and_a_person_knows_of_it() {
    let (shop, session_id, request, reference) = refused_refund(15);
    // The request arrives after all, and the bank says so by itself.
    let answer = shop.bank.answer(&request).unwrap();
    let callback = shop.bank.signed(shop.latest(&session_id).reference.as_str(), answer.body);
    block_on(call_back(&shop.world, ReportAddress::Subject(reference.clone()), &callback)).unwrap();
    assert_done_late(&shop, &session_id, &reference);
}

#[test]
fn an_operation_that_was_refused_is_asked_about_when_its_gateway_says_that_something_happened() {
    let (shop, session_id, request, reference) = refused_refund(16);
    block_on(ask_about(&shop.world, &reference)).unwrap();
    assert_eq!(stages(&shop, &session_id), [OperationStage::Refused], "it is as it was");
    shop.bank.answer(&request).unwrap();
    block_on(ask_about(&shop.world, &reference)).unwrap();
    assert_done_late(&shop, &session_id, &reference);
    let asked = shop.world.http.count();
    block_on(ask_about(&shop.world, &reference)).unwrap();
    assert_eq!(shop.world.http.count(), asked, "nothing is asked about what is done");
}

fn resolve(shop: &Shop, id: &AttentionId, action: &str) -> Result<Value, Failure> {
    let body = json!({"action": action}).to_string();
    block_on(resolve_attention(&shop.world, &ROOT, id, body.as_bytes())).map(|answer| json_of(&answer))
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
    block_on(call_back(&shop.world, ReportAddress::Subject(child.reference.clone()), &callback)).unwrap();
    let id = shop.attention().pop().unwrap();
    assert_eq!(id.to_string(), format!("{}.amount_mismatch", child.reference));
    (shop, session_id, id)
}

#[test]
fn the_operator_decides_what_became_of_a_held_refund() {
    for (action, stage, result) in
        [("approved", OperationStage::Done, "success"), ("not_charged", OperationStage::Refused, "failed")]
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
            "and it is reported"
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
    assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
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
    block_on(call_back(&shop.world, ReportAddress::Subject(child.reference.clone()), &callback)).unwrap();
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
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let shown = listed["results"].as_array().unwrap();
    assert_eq!(*shown, [retrieved(&shop, &other).0, after.clone()], "the listing shows the same");
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

/// The bank says of itself how an operation is.
fn say(shop: &Shop, session_id: &SessionId, status: &str) {
    let child = shop.world.store.children(session_id).pop().unwrap();
    let report = json!({
        "id": "op-1", "reference": child.reference.as_str(), "operation": "refund", "status": status,
        "amount": "4.000", "currency": "KWD",
    });
    let callback = shop.bank.signed(child.attempt.as_str(), report.to_string().into_bytes());
    block_on(call_back(&shop.world, ReportAddress::Subject(child.reference), &callback)).unwrap();
}

#[test]
fn an_operation_that_the_gateway_takes_back_stays_done_and_a_person_knows_of_it() {
    let (shop, session_id) = paid(44, "knet");
    try_operate(&shop, &session_id, "refund", Some("4.000")).unwrap();
    say(&shop, &session_id, "done");
    assert_eq!(shop.attention(), [], "repeating what is known changes nothing");
    shop.sweep();
    let _ = shop.receiver.take();
    for _ in 0..2 {
        say(&shop, &session_id, "refused");
        assert_eq!(stages(&shop, &session_id), [OperationStage::Done]);
    }
    let child = shop.world.store.children(&session_id).pop().unwrap();
    let [id] = &shop.attention()[..] else { panic!("{:?}", shop.attention()) };
    assert_eq!(id.to_string(), format!("{}.taken_back", child.reference));
    shop.sweep();
    assert_eq!(shop.receiver.take_bodies(), Vec::<Value>::new(), "its result does not change");
    let left = refusal(try_operate(&shop, &session_id, "refund", Some("6.001")));
    assert!(matches!(left, Rejection::OperationAmount { .. }), "its amount stays reserved");
    for action in ["approved", "not_charged"] {
        assert_eq!(refused(resolve(&shop, id, action)), Rejection::NotResolvable);
    }
    assert_eq!(resolve(&shop, id, "dismiss").unwrap()["closed"], json!(true));
}
