//! Charges that are repeated, and what is notified of them.

use super::*;

fn keyed(shop: &Shop, body: &Value, key: &str, shape: DebitAnswerShape) -> Result<NativeAnswer, Failure> {
    let body = body.to_string();
    block_on(auto_debit(&shop.world, input(shop, body.as_bytes(), Some(key)), shape))
}

#[test]
fn one_idempotency_key_is_one_charge_at_both_addresses() {
    let shop = Shop::open(30);
    let token = paid(&shop, &agreement("RENT-1"));
    let session_id = shop.create(&agreement("RENT-1"));
    let body = json!({"session_id": session_id.as_str(), "token": token});
    let first = keyed(&shop, &body, "debit-1", DebitAnswerShape::Native).unwrap();
    let charged = shop.bank.openings().len();
    let again = keyed(&shop, &body, "debit-1", DebitAnswerShape::Native).unwrap();
    assert_eq!((first.is_replayed, again.is_replayed), (false, true));
    assert_eq!(first.body, again.body);
    let older = keyed(&shop, &body, "debit-1", DebitAnswerShape::Notification).unwrap();
    assert!(older.is_replayed && older.body.contains(r#""result":"success""#), "{}", older.body);
    assert_eq!((shop.bank.openings().len(), shop.results(&session_id)), (charged, vec!["success"]));
    let other = json!({"session_id": session_id.as_str(), "token": token, "pg_code": "credit-card"});
    assert_eq!(
        refused(keyed(&shop, &other, "debit-1", DebitAnswerShape::Native)),
        Rejection::IdempotencyKeyReused
    );
    let another = keyed(&shop, &body, "debit-2", DebitAnswerShape::Native);
    assert_eq!(refusal_of(another).operation, Some("payment"));
}

#[test]
fn a_repeated_auto_debit_learns_what_became_of_one_that_was_pending_or_declined() {
    let shop = Shop::open(31);
    let token = paid(&shop, &agreement("RENT-1"));
    let session_id = shop.create(&agreement("RENT-1"));
    let body = json!({"session_id": session_id.as_str(), "token": token});
    shop.bank.on_opening(Mood::Mute);
    let first = keyed(&shop, &body, "debit-1", DebitAnswerShape::Native).unwrap();
    assert!(first.body.contains(r#""result":"pending""#), "{}", first.body);
    shop.bank.on_opening(Mood::Fine);
    shop.wait(60);
    shop.sweep();
    let again = keyed(&shop, &body, "debit-1", DebitAnswerShape::Native).unwrap();
    assert!(again.is_replayed && again.body.contains(r#""result":"success""#), "{}", again.body);
    shop.bank.decline_cards();
    let session_id = shop.create(&agreement("RENT-1"));
    let body = json!({"session_id": session_id.as_str(), "token": token});
    for is_replayed in [false, true] {
        let declined = keyed(&shop, &body, "debit-3", DebitAnswerShape::Native).unwrap();
        assert_eq!(declined.is_replayed, is_replayed);
        assert!(declined.body.contains(r#""result":"failed""#), "{}", declined.body);
    }
    assert_eq!(shop.results(&session_id), ["failed"], "trying again takes a new key");
}

#[test]
fn a_worker_that_dies_after_it_began_an_auto_debit_charges_once_when_the_request_comes_again() {
    for fault in [Fault::BeforeStoring, Fault::AfterStoring] {
        for nth in [1, 2] {
            let shop = Shop::open(32);
            let token = paid(&shop, &agreement("RENT-1"));
            let session_id = shop.create(&agreement("RENT-1"));
            let body = json!({"session_id": session_id.as_str(), "token": token});
            shop.world.store.fail_commit(nth, fault);
            let before = shop.bank.approved();
            let _ = keyed(&shop, &body, "debit-1", DebitAnswerShape::Native);
            shop.wait(60);
            for _ in 0..3 {
                shop.sweep();
                shop.wait(60);
            }
            let answer = keyed(&shop, &body, "debit-1", DebitAnswerShape::Native).unwrap();
            let charges = shop.bank.approved().checked_sub(before).unwrap();
            let is_success = answer.body.contains(r#""result":"success""#);
            assert_eq!(charges, usize::from(is_success), "{fault:?} {nth}: {}", answer.body);
            assert!(shop.results(&session_id).len() <= 1, "{fault:?} {nth}");
        }
    }
}

#[test]
fn a_page_that_waits_is_withdrawn_before_the_merchant_charges_a_card() {
    let shop = Shop::open(33);
    let token = paid(&shop, &agreement("RENT-1"));
    let session_id = shop.create(&agreement("RENT-1"));
    let reference = shop.pay_to_page(&session_id, "credit-card");
    assert_eq!(text(&debit(&shop, &session_id, &token), "result"), Some("success"));
    assert_eq!(shop.bank.statuses().get(reference.as_str()), Some(&"canceled"));
    assert_eq!(shop.results(&session_id), ["canceled", "success"]);
    // A page that was paid meanwhile pays, and the card is not charged.
    let session_id = shop.create(&agreement("RENT-1"));
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    let charged = shop.bank.openings().len();
    let _ = refused(try_debit(&shop, &session_id, &token));
    assert_eq!((shop.bank.openings().len(), shop.results(&session_id)), (charged, vec!["success"]));
}

#[test]
fn a_merchant_who_reads_the_answer_is_notified_only_of_what_it_did_not_say() {
    let shop = Shop::open_with(34, |settings| settings["auto_debit"] = json!({"notify": false}));
    let token = paid(&shop, &agreement("RENT-1"));
    let _ = shop.receiver.take();
    let session_id = shop.create(&agreement("RENT-1"));
    debit(&shop, &session_id, &token);
    shop.sweep();
    assert_eq!(shop.receiver.take_bodies(), Vec::<Value>::new());
    let session_id = shop.create(&agreement("RENT-1"));
    shop.bank.on_opening(Mood::Mute);
    assert_eq!(text(&debit(&shop, &session_id, &token), "result"), Some("pending"));
    shop.wait(60);
    shop.sweep();
    shop.sweep();
    let notified = shop.receiver.take_bodies();
    assert_eq!(notified.iter().map(|body| text(body, "result")).collect::<Vec<_>>(), [Some("success")]);
}

#[test]
fn an_inquiry_shows_the_card_as_the_notification_does() {
    let shop = Shop::open(35);
    let token = paid(&shop, &agreement("RENT-1"));
    let session_id = shop.create(&agreement("RENT-1"));
    debit(&shop, &session_id, &token);
    let body = json!({"session_id": session_id.as_str()}).to_string();
    let answer = block_on(inquire(&shop.world, &shop.private(), body.as_bytes())).unwrap();
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(answer["token"]["token"], json!(token));
    assert_eq!(answer["token"]["agreements"], json!(["RENT-1"]));
}

#[test]
fn a_repeated_auto_debit_that_finds_the_payment_made_by_its_twin_answers_about_it() {
    let shop = Shop::open(41);
    let token = paid(&shop, &agreement("RENT-1"));
    let session_id = shop.create(&agreement("RENT-1"));
    let page = shop.pay_to_page(&session_id, "credit-card");
    let body = json!({"session_id": session_id.as_str(), "token": token});
    // While the page is withdrawn for one, the other is paid.
    let world = Interrupted::after_send(&shop.world, || {
        assert!(!keyed(&shop, &body, "debit-1", DebitAnswerShape::Native).unwrap().is_replayed);
    });
    let text = body.to_string();
    let twin = block_on(auto_debit(
        &world,
        input(&shop, text.as_bytes(), Some("debit-1")),
        DebitAnswerShape::Native,
    ));
    let twin = twin.unwrap();
    assert!(twin.is_replayed && twin.body.contains(r#""result":"success""#), "{}", twin.body);
    assert_eq!(shop.results(&session_id), ["canceled", "success"]);
    assert_eq!(shop.bank.statuses().get(page.as_str()), Some(&"canceled"));
}
