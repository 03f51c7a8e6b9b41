//! Once a transaction is paid, everything that its payer meets is about the attempt that settled it, even if another one was
//! begun later.

use super::*;
use checkout_core::checkout::page::Onward;
use checkout_core::child::stage::OperationStage;
use checkout_core::flow::merchant::remind::remind;
use checkout_core::flow::payer::forward::{Forward, forward};
use checkout_core::flow::payer::open_page::Viewer;
use checkout_core::flow::sdk::init;
use checkout_core::port::Messages;
use checkout_core::value::id::DeliveryId;

/// The first attempt is withdrawn, the second one declined, and the merchant knows that; then the first is paid after all, and
/// its notification is not sent yet.
fn paid_late(shop: &Shop) -> (SessionId, ReferenceNumber, ReferenceNumber, DeliveryId) {
    let mut body = order(&["knet", "credit-card"]);
    let members = json!({
        "type": "payment_request",
        "customer_email": "sara@example.com",
        "notifications": {"email": ["paid"]},
    });
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    let session_id = shop.create(&body);
    let first = shop.pay_to_page(&session_id, "knet");
    let second = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.decline(second.as_str());
    let declined = shop.come_back(&second).unwrap().unwrap();
    assert_eq!(shop.deliver(&declined), Some(AnswerEffect::Redirect));
    shop.bank.approve_after_all(first.as_str());
    let paid = shop.call_back(&first).unwrap().unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success", "failed"]));
    (session_id, first, second, paid)
}

fn thanks(session_id: &SessionId, reference: &ReferenceNumber) -> String {
    format!(
        "https://shop.example.com/thanks?order_no=A-1&reference_number={reference}&session_id={session_id}"
    )
}

#[test]
fn a_payer_is_sent_on_once_the_receiver_knows_of_the_attempt_that_counts() {
    let shop = Shop::open(61);
    let (session_id, first, second, paid) = paid_late(&shop);
    let polled = || block_on(status(&shop.world, &session_id)).unwrap().redirect_url;
    let back_from = |reference| block_on(destination(&shop.world, reference, None)).unwrap();
    assert_eq!(polled(), None, "the receiver has yet to hear of it");
    for reference in [&first, &second] {
        assert!(back_from(reference).starts_with("https://pay.example.com/"), "{}", back_from(reference));
        assert_eq!(
            shop.come_back(reference).unwrap().as_ref(),
            Some(&paid),
            "it is what the payer waits for"
        );
    }
    let PageView::Transaction(page) =
        block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap()
    else {
        panic!("no page")
    };
    assert_eq!(page.onward, Some(Onward::Waits));
    assert_eq!(page.merchant_link.unwrap().url, thanks(&session_id, &first));
    assert_eq!(shop.deliver(&paid), Some(AnswerEffect::Redirect));
    assert_eq!(polled(), Some(thanks(&session_id, &first)));
    for reference in [&first, &second] {
        assert_eq!(back_from(reference), thanks(&session_id, &first));
        assert_eq!(shop.come_back(reference).unwrap(), None);
    }
}

#[test]
fn a_message_that_is_sent_once_more_names_the_attempt_that_counts() {
    let shop = Shop::open(62);
    let (session_id, first, ..) = paid_late(&shop);
    let asked = json!({"session_id": session_id.as_str(), "channels": ["email"]}).to_string();
    block_on(remind(&shop.world, &shop.private(), asked.as_bytes())).unwrap();
    let sent = block_on(shop.world.store.messages(&session_id)).unwrap();
    let named: Vec<Value> = sent.iter().map(|sent| serde_json::from_str(&sent.body).unwrap()).collect();
    assert_eq!(named.len(), 2, "when it was paid, and once more");
    for message in &named {
        assert_eq!(text(message, "reference"), Some(first.as_str()));
    }
}

#[test]
fn a_page_of_the_merchant_shows_the_outcome_that_counts() {
    let shop = Shop::open(63);
    let (session_id, first, ..) = paid_late(&shop);
    let shown = block_on(init(&shop.world, &session_id, Viewer::Person)).unwrap();
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let response = shown.get("response").unwrap();
    assert_eq!(
        (text(response, "status"), text(response, "reference_number")),
        (Some("success"), Some(first.as_str()))
    );
}

#[test]
fn who_goes_back_to_a_page_of_the_bank_after_another_attempt_paid_is_not_led_to_pay_again() {
    let shop = Shop::open(64);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "knet");
    let second = shop.pay_to_page(&session_id, "credit-card");
    let onward = || block_on(forward(&shop.world, &second, Some(&shop.token(&second)), None, None)).unwrap();
    let Forward::Address(bank) = onward() else { panic!("a form") };
    assert!(!bank.starts_with("https://pay.example.com/b/gw/"), "{bank}");
    shop.bank.approve_after_all(first.as_str());
    shop.call_back(&first).unwrap();
    assert_eq!(shop.results(&session_id), ["success", "pending"]);
    assert_eq!(onward(), Forward::Address(shop.return_url(&second)));
}

#[test]
fn what_is_paid_late_after_another_amount_is_asked_for_is_given_back_and_pays_nothing() {
    let editable =
        |amount: &str| json!({"amount": amount, "is_amount_editable": true, "type": "payment_request"});
    for (seed, first, change, pays) in [
        (65, json!({}), json!({"amount": "20.000"}), false),
        (66, json!({}), json!({"amount": "5.000"}), false),
        (
            67,
            json!({}),
            json!({"currency_code": "USD", "amount": "10.00", "pg_codes": ["credit-card"]}),
            false,
        ),
        (68, json!({}), json!({"order_no": "A-2"}), true),
        (69, editable("10.000"), json!({"amount": "20.000"}), true),
        (70, editable("10.000"), json!({"amount": "5.000"}), false),
    ] {
        let shop = Shop::open(seed);
        let mut body = order(&["knet", "credit-card"]);
        body.as_object_mut().unwrap().extend(first.as_object().unwrap().clone());
        let session_id = shop.create(&body);
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.decline(reference.as_str());
        let declined = shop.come_back(&reference).unwrap().unwrap();
        let _ = shop.deliver(&declined);
        let _ = shop.receiver.take();
        shop.patch(&session_id, &change).unwrap();
        shop.bank.approve_after_all(reference.as_str());
        let news = shop.call_back(&reference).unwrap();
        assert_eq!(shop.results(&session_id), ["success"], "{change}");
        if pays {
            assert_eq!((shop.state(&session_id), news.is_some()), ("paid", true), "{change}");
            continue;
        }
        assert_eq!((shop.state(&session_id), news), ("attempted", None), "{change}");
        assert_eq!(shop.transaction(&session_id).settlement, None);
        let flagged: Vec<String> = shop.attention().iter().map(ToString::to_string).collect();
        assert_eq!(flagged, [format!("{reference}.late_success")]);
        let (total, children) =
            (shop.latest(&session_id).quote.total, shop.world.store.children(&session_id));
        let given_back: Vec<_> = children.iter().map(|child| (child.stage, child.amount)).collect();
        assert_eq!(given_back, [(OperationStage::Done, total)], "with its fee");
        // What is asked for now can be paid.
        assert_eq!(pay_now(&shop, &session_id), "paid");
    }
}

/// The payer pays what is asked for by a page.
fn pay_now(shop: &Shop, session_id: &SessionId) -> &'static str {
    let reference = shop.pay_to_page(session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    shop.state(session_id)
}
