//! Whole payments with the ports in memory: create, page, gateway, return, callback, sweep.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use checkout_core::api::pay::Form;
use checkout_core::attempt::stage::Stage;
use checkout_core::checkout::page::PageView;
use checkout_core::flow::ending::end;
use checkout_core::flow::gateway::call_back;
use checkout_core::flow::merchant::create::{Input, create};
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::payer::come_back::land;
use checkout_core::flow::payer::open_page::{Visit, open_page, status};
use checkout_core::flow::payer::pay::pay;
use checkout_core::payment::ending::Ending;
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_core::strings::screen::PageStatus;
use checkout_core::value::id::{ReferenceNumber, SessionId};
use checkout_core::violation::Rule;
use checkout_core::webhook::delivery::Effect;
use checkout_core::words::Language;
use checkout_tests::bank::Mood;
use checkout_tests::middle::Interrupted;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, form, order, refused, session_of, text};
use pollster::block_on;
use serde_json::{Value, json};

fn open(shop: &Shop, session_id: &SessionId) -> PageStatus {
    match block_on(open_page(&shop.world, Some(session_id), Visit::PERSON)).unwrap() {
        PageView::Transaction(page) => page.status,
        PageView::NotFound { .. } => panic!("no page"),
    }
}

fn retrieved(shop: &Shop, session_id: &SessionId) -> Value {
    serde_json::from_str(&block_on(retrieve(&shop.world, &shop.private(), session_id)).unwrap().body).unwrap()
}

/// The payer at the gateway's page pays and comes back.
fn approve(shop: &Shop, reference: &ReferenceNumber) -> Option<Effect> {
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(reference).unwrap().unwrap();
    shop.deliver(&delivery)
}

// Whole payments.

#[test]
fn a_payment_goes_from_the_order_to_the_merchants_thanks() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    assert_eq!((shop.state(&session_id), open(&shop, &session_id)), ("created", PageStatus::Payable));
    assert_eq!(shop.state(&session_id), "pending");
    let reference = shop.pay_to_page(&session_id, "knet");
    assert_eq!(shop.latest(&session_id).stage, Stage::Redirected);
    assert_eq!(approve(&shop, &reference), Some(Effect::Redirect));

    assert_eq!((shop.state(&session_id), open(&shop, &session_id)), ("paid", PageStatus::Paid));
    let thanks = format!(
        "https://shop.example.com/thanks?order_no=A-1&reference_number={reference}&session_id={session_id}"
    );
    assert_eq!(block_on(land(&shop.world, &reference, None)).unwrap(), thanks);
    let polled = block_on(status(&shop.world, &session_id)).unwrap();
    assert_eq!(
        (polled.state.as_str(), polled.status.as_str(), polled.redirect_url),
        ("paid", "paid", Some(thanks))
    );
    let bodies = shop.receiver.take_bodies();
    let [body] = bodies.as_slice() else { return assert_eq!(bodies.len(), 1) };
    assert_eq!((text(body, "result"), text(body, "state")), (Some("success"), Some("paid")));
    let view = retrieved(&shop, &session_id);
    assert_eq!((text(&view, "state"), text(&view, "settled_pg_code")), (Some("paid"), Some("knet")));
}

#[test]
fn the_event_log_has_the_whole_payment() {
    let shop = Shop::open(2);
    let session_id = shop.create(&order(&["knet"]));
    open(&shop, &session_id);
    let reference = shop.pay_to_page(&session_id, "knet");
    approve(&shop, &reference);
    let events = shop.world.store.events(&session_id);
    let notified: Vec<_> =
        events.iter().map(|event| (event.number, event.kind.as_str(), event.state.as_str())).collect();
    assert_eq!(
        notified,
        [
            (1, "created", "created"),
            (2, "page_opened", "pending"),
            (3, "attempt_opened", "pending"),
            (4, "attempt_noted", "pending"),
            (5, "purchase_succeeded", "paid"),
        ]
    );
}

#[test]
fn an_authorization_holds_the_money() {
    let shop = Shop::open(3);
    let session_id = shop.create(&order(&["mpgs"]));
    let reference = shop.pay_to_page(&session_id, "mpgs");
    approve(&shop, &reference);
    assert_eq!((shop.state(&session_id), open(&shop, &session_id)), ("authorized", PageStatus::Authorized));
}

#[test]
fn cash_is_acknowledged_at_once_and_no_gateway_hears_of_it() {
    let shop = Shop::open(4);
    let session_id = shop.create(&order(&["cash"]));
    let directed = shop.pay(&session_id, "cash").unwrap();
    let reference = shop.latest(&session_id).reference;
    assert_eq!(directed.url, shop.return_url(&reference));
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    assert_eq!(shop.deliver(&delivery), Some(Effect::Redirect));
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("cod", vec!["cod"]));
    assert_eq!(shop.bank.openings(), [""; 0]);
    assert_eq!(
        shop.receiver
            .take_bodies()
            .iter()
            .map(|body| text(body, "result").unwrap().to_owned())
            .collect::<Vec<_>>(),
        ["cod"]
    );
}

#[test]
fn a_declined_payer_pays_with_another_method() {
    let shop = Shop::open(5);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(first.as_str());
    let delivery = shop.come_back(&first).unwrap().unwrap();
    assert_eq!(shop.deliver(&delivery), Some(Effect::Redirect));
    assert_eq!((shop.state(&session_id), open(&shop, &session_id)), ("attempted", PageStatus::Declined));
    let page = block_on(land(&shop.world, &first, None)).unwrap();
    assert!(page.contains("/b/checkout/redirect/start/"), "the payer stays to try again: {page}");

    let second = shop.pay_to_page(&session_id, "credit-card");
    assert_ne!(first, second);
    approve(&shop, &second);
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["failed", "success"]));
    let bodies = shop.receiver.take_bodies();
    let notified: Vec<_> = bodies
        .iter()
        .map(|body| ["reference_number", "result", "state"].map(|name| text(body, name).unwrap()))
        .collect();
    assert_eq!(notified, [[first.as_str(), "failed", "attempted"], [second.as_str(), "success", "paid"]]);
}

#[test]
fn the_only_attempt_that_a_gateway_permits_ends_the_transaction() {
    for (end, state) in [("decline", "failed"), ("give up", "expired")] {
        let shop = Shop::open(6);
        let session_id = shop.create(&order(&["single", "knet"]));
        let reference = shop.pay_to_page(&session_id, "single");
        if end == "decline" {
            shop.bank.decline(reference.as_str());
        } else {
            shop.bank.give_up(reference.as_str());
        }
        shop.come_back(&reference).unwrap();
        assert_eq!(shop.state(&session_id), state);
        assert!(matches!(refused(shop.pay(&session_id, "knet")), Rejection::NotPayable { .. }));
    }
}

#[test]
fn a_payer_who_gave_up_at_the_gateway_may_try_again() {
    let shop = Shop::open(7);
    let session_id = shop.create(&order(&["knet"]));
    let first = shop.pay_to_page(&session_id, "knet");
    shop.bank.give_up(first.as_str());
    shop.come_back(&first).unwrap();
    assert_eq!(shop.state(&session_id), "attempted");
    let second = shop.pay_to_page(&session_id, "knet");
    approve(&shop, &second);
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["canceled", "success"]));
}

#[test]
fn what_the_browser_says_is_never_trusted() {
    let shop = Shop::open(8);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    // The payer comes back without having paid.
    assert_eq!(shop.come_back(&reference).unwrap(), None);
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("pending", vec!["pending"]));
    assert_eq!(open(&shop, &session_id), PageStatus::Payable);
}

#[test]
fn nothing_is_stored_of_a_payment_that_cannot_be() {
    let shop = Shop::open(9);
    let session_id = shop.create(&order(&["knet"]));
    for code in ["", "mpgs", "KNET", "unknown"] {
        let Rejection::Invalid(found) = refused(shop.pay(&session_id, code)) else {
            return assert_eq!(code, "refused");
        };
        let found: Vec<_> = found.iter().map(|violation| (&*violation.path, &violation.rule)).collect();
        assert_eq!(found, [("pg_code", &Rule::GatewayNotOffered)], "{code}");
    }
    let nobody = SessionId::generate(0, [7; 19]);
    assert_eq!(refused(shop.pay(&nobody, "knet")), Rejection::NotFound);
    assert!(shop.world.store.attempts(&session_id).is_empty());
}

// Open attempts.

#[test]
fn the_same_method_resumes_the_page_that_waits() {
    let shop = Shop::open(10);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    let again = shop.pay_to_page(&session_id, "knet");
    assert_eq!((again, shop.bank.openings().len()), (reference, 1));
}

#[test]
fn another_method_withdraws_the_page_that_waits_first() {
    let shop = Shop::open(11);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "knet");
    let directed = shop.pay(&session_id, "credit-card").unwrap();
    assert_eq!(shop.bank.statuses().get(first.as_str()), Some(&"canceled"));
    assert_eq!(shop.results(&session_id), ["canceled", "pending"]);
    assert!(directed.delivery.is_some(), "the merchant hears of the withdrawn attempt");
}

#[test]
fn a_payer_who_paid_elsewhere_meanwhile_is_not_charged_again() {
    for code in ["knet", "credit-card"] {
        let shop = Shop::open(12);
        let session_id = shop.create(&order(&["knet", "credit-card"]));
        let reference = shop.pay_to_page(&session_id, "knet");
        shop.bank.approve(reference.as_str());
        let directed = shop.pay(&session_id, code).unwrap();
        assert_eq!(directed.url, shop.return_url(&reference));
        assert_eq!(
            (shop.state(&session_id), shop.bank.approved(), shop.bank.openings().len()),
            ("paid", 1, 1)
        );
    }
}

#[test]
fn a_page_that_cannot_be_withdrawn_prevents_another_method() {
    for mood in [Mood::Down, Mood::Deaf, Mood::Broken] {
        let shop = Shop::open(13);
        let session_id = shop.create(&order(&["knet", "credit-card"]));
        let _waiting = shop.pay_to_page(&session_id, "knet");
        shop.bank.on_asking(mood);
        assert_eq!(refused(shop.pay(&session_id, "credit-card")), Rejection::AttemptInProgress);
        assert_eq!(shop.results(&session_id), ["pending"]);
    }
}

#[test]
fn an_unknown_outcome_prevents_paying_twice() {
    let shop = Shop::open(14);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    shop.bank.on_opening(Mood::ChargesMute);
    let directed = shop.pay(&session_id, "knet").unwrap();
    let reference = shop.latest(&session_id).reference;
    assert_eq!(directed.url, shop.return_url(&reference));
    assert_eq!(text(&retrieved(&shop, &session_id), "state"), Some("pending"));
    // No one got the bank's page, so the other methods are offered; the bank is asked first all the same.
    assert_eq!((shop.state(&session_id), open(&shop, &session_id)), ("pending", PageStatus::Declined));
    let directed = shop.pay(&session_id, "credit-card").unwrap();
    assert_eq!((directed.url, shop.bank.approved()), (shop.return_url(&reference), 1));
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
    for code in ["knet", "credit-card"] {
        assert_eq!(
            refused(shop.pay(&session_id, code)),
            Rejection::NotPayable { state: checkout_core::state::State::Paid }
        );
    }
}

#[test]
fn a_page_that_could_not_be_opened_is_replaced_by_another_method_even_if_the_bank_stays_silent() {
    for mood in [Mood::Deaf, Mood::Down] {
        let shop = Shop::open(14);
        let session_id = shop.create(&order(&["knet", "cash"]));
        shop.bank.on_opening(Mood::Deaf);
        shop.pay(&session_id, "knet").unwrap();
        assert_eq!(open(&shop, &session_id), PageStatus::Declined);
        shop.bank.on_opening(mood);
        shop.pay(&session_id, "cash").unwrap();
        assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("cod", vec!["canceled", "cod"]));
    }
}

// Gateways in trouble.

#[test]
fn a_gateway_that_cannot_be_reached_charged_nothing() {
    for (mood, message) in
        [(Mood::Down, "the gateway did not take the payment"), (Mood::Refuses, "the account is closed")]
    {
        let shop = Shop::open(15);
        let session_id = shop.create(&order(&["knet"]));
        shop.bank.on_opening(mood);
        shop.pay(&session_id, "knet").unwrap();
        assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("attempted", vec!["error"]));
        assert_eq!(shop.latest(&session_id).message.as_deref(), Some(message));
        shop.bank.on_opening(Mood::Fine);
        let reference = shop.pay_to_page(&session_id, "knet");
        approve(&shop, &reference);
        assert_eq!((shop.state(&session_id), shop.bank.approved()), ("paid", 1));
    }
}

#[test]
fn a_charge_whose_answer_was_lost_is_found_by_the_sweep() {
    let shop = Shop::open(16);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::ChargesMute);
    shop.pay(&session_id, "knet").unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("pending", vec!["pending"]));
    let swept = shop.sweep();
    assert_eq!((swept.inquired, shop.state(&session_id), shop.bank.approved()), (1, "paid", 1));
    let notified: Vec<_> =
        shop.receiver.take_bodies().iter().map(|body| text(body, "result").unwrap().to_owned()).collect();
    assert!(notified.contains(&"success".to_owned()) || shop.sweep().delivered > 0, "{notified:?}");
}

#[test]
fn a_request_that_never_arrived_is_an_error_after_the_grace_and_not_before() {
    for mood in [Mood::Deaf, Mood::Broken] {
        let shop = Shop::open(17);
        let session_id = shop.create(&order(&["knet"]));
        shop.bank.on_opening(mood);
        shop.pay(&session_id, "knet").unwrap();
        shop.sweep();
        assert_eq!(shop.state(&session_id), "pending");
        shop.wait(60);
        shop.sweep();
        assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("attempted", vec!["error"]));
    }
}

#[test]
fn a_gateway_that_never_answers_is_asked_for_three_days_and_then_the_attempt_is_on_the_attention_list() {
    let shop = Shop::open(18);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::ChargesMute);
    shop.bank.on_asking(Mood::Deaf);
    shop.pay(&session_id, "knet").unwrap();
    let mut inquiries = 0_usize;
    for _minute in 0..=72 * 60 + 11 {
        inquiries = inquiries.checked_add(shop.sweep().inquired).unwrap();
        shop.wait(60);
    }
    assert!((430..450).contains(&inquiries), "{inquiries}");
    assert_eq!(shop.state(&session_id), "pending", "never failed, never expired");
    let reference = shop.latest(&session_id).reference;
    assert_eq!(
        shop.attention().iter().map(ToString::to_string).collect::<Vec<_>>(),
        [format!("{reference}.outcome_unknown")]
    );
    shop.bank.on_asking(Mood::Fine);
    shop.call_back(&reference).unwrap();
    assert_eq!(shop.state(&session_id), "paid");
}

#[test]
fn a_payer_who_never_comes_back_is_found_out_by_the_sweep() {
    let shop = Shop::open(19);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    shop.wait(8 * 60 - 1);
    assert_eq!(shop.sweep().inquired, 0);
    shop.wait(1);
    assert_eq!((shop.sweep().inquired, shop.state(&session_id)), (1, "paid"));
}

#[test]
fn another_amount_is_held_until_the_operator_decides() {
    let shop = Shop::open(20);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve_another_amount(reference.as_str(), "1.000");
    shop.come_back(&reference).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("pending", vec!["pending"]));
    assert_eq!(
        shop.attention().iter().map(ToString::to_string).collect::<Vec<_>>(),
        [format!("{reference}.amount_mismatch")]
    );
    shop.wait(86_400);
    shop.sweep();
    assert_eq!(shop.state(&session_id), "pending", "nothing ends under a held attempt");
}

// Callbacks.

#[test]
fn a_callback_settles_without_the_payer_and_a_duplicate_teaches_nothing() {
    let shop = Shop::open(21);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let delivery = shop.call_back(&reference).unwrap();
    assert!(delivery.is_some());
    let version = shop.transaction(&session_id).version;
    for _ in 0..3 {
        assert_eq!(shop.call_back(&reference).unwrap(), None);
    }
    assert_eq!(shop.transaction(&session_id).version, version);
    // The payer comes back after it and finds the same notification waiting.
    assert_eq!(shop.come_back(&reference).unwrap(), delivery);
    assert_eq!(shop.world.store.deliveries(&session_id).len(), 1);
}

#[test]
fn a_callback_that_is_not_signed_by_the_gateway_is_refused() {
    let shop = Shop::open(22);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve(reference.as_str());
    let mut forged = shop.bank.callback(reference.as_str());
    forged.body.push(b' ');
    assert_eq!(refused(block_on(call_back(&shop.world, &reference, &forged))), Rejection::SignatureInvalid);
    forged.headers.clear();
    assert_eq!(refused(block_on(call_back(&shop.world, &reference, &forged))), Rejection::SignatureInvalid);
    let nobody = ReferenceNumber::parse("NOBODY").unwrap();
    assert_eq!(refused(block_on(call_back(&shop.world, &nobody, &forged))), Rejection::NotFound);
    assert_eq!(shop.state(&session_id), "pending");
}

#[test]
fn a_callback_that_overtakes_the_answer_to_the_opening_is_not_lost() {
    let shop = Shop::open(23);
    let session_id = shop.create(&order(&["knet"]));
    let world = Interrupted::after_send(&shop.world, || {
        let reference = shop.latest(&session_id).reference;
        shop.bank.approve(reference.as_str());
        assert!(shop.call_back(&reference).unwrap().is_some());
    });
    let directed =
        block_on(checkout_core::flow::payer::pay::pay(&world, &form(&session_id, "knet"))).unwrap();
    assert!(directed.url.contains("/b/gw/v1/return/"), "{}", directed.url);
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
    assert_eq!(shop.world.store.deliveries(&session_id).len(), 1, "one outcome, one notification");
}

// Expiry.

#[test]
fn a_transaction_expires_at_its_moment_seen_at_once_and_stored_by_the_sweep() {
    let shop = Shop::open(24);
    let mut body = order(&["knet"]);
    body["expiration_time"] = json!("00:00:05");
    let session_id = shop.create(&body);
    shop.wait(4);
    assert_eq!(shop.sweep().expired, 0);
    assert_eq!(text(&retrieved(&shop, &session_id), "state"), Some("created"));
    shop.wait(1);
    assert_eq!(text(&retrieved(&shop, &session_id), "state"), Some("expired"));
    assert_eq!(
        refused(shop.pay(&session_id, "knet")),
        Rejection::NotPayable { state: checkout_core::state::State::Expired }
    );
    assert_eq!(shop.state(&session_id), "created");
    assert_eq!((shop.sweep().expired, shop.state(&session_id)), (1, "expired"));
    assert_eq!(open(&shop, &session_id), PageStatus::Expired);
}

#[test]
fn opening_the_page_of_an_expired_transaction_ends_it() {
    let shop = Shop::open(25);
    let session_id = shop.create(&order(&["knet"]));
    shop.wait(86_400);
    assert_eq!((open(&shop, &session_id), shop.state(&session_id)), (PageStatus::Expired, "expired"));
}

#[test]
fn a_page_that_still_waits_at_the_end_is_withdrawn_and_then_the_transaction_expires() {
    let shop = Shop::open(26);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.wait(86_400);
    assert_eq!(text(&retrieved(&shop, &session_id), "state"), Some("pending"));
    let swept = shop.sweep();
    assert_eq!((swept.inquired, swept.expired), (1, 1));
    assert_eq!(shop.bank.statuses().get(reference.as_str()), Some(&"canceled"));
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("expired", vec!["canceled"]));
}

#[test]
fn a_payer_who_paid_in_the_last_second_has_paid() {
    let shop = Shop::open(27);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.wait(86_400);
    shop.bank.approve(reference.as_str());
    shop.sweep();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
}

#[test]
fn an_unknown_outcome_holds_the_expiry_back_until_it_is_known() {
    let shop = Shop::open(28);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Mute);
    shop.bank.on_asking(Mood::Broken);
    shop.pay(&session_id, "knet").unwrap();
    shop.wait(86_400);
    shop.sweep();
    assert_eq!(shop.state(&session_id), "pending");
    shop.bank.on_asking(Mood::Fine);
    // The charge turns out to be open; its page is withdrawn, and only after that the transaction expires.
    for _ in 0..3 {
        shop.wait(600);
        shop.sweep();
    }
    assert_eq!((shop.state(&session_id), shop.bank.approved()), ("expired", 0));
}

#[test]
fn a_success_after_expiry_still_pays() {
    let shop = Shop::open(29);
    let session_id = shop.create(&order(&["knet"]));
    shop.bank.on_opening(Mood::Deaf);
    shop.pay(&session_id, "knet").unwrap();
    shop.wait(86_400);
    shop.sweep();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("expired", vec!["error"]));
    // The request was still being sent.
    let reference = shop.latest(&session_id).reference;
    shop.bank.on_opening(Mood::Fine);
    let request =
        shop.world.http.take_sent().into_iter().find(|sent| sent.url.ends_with("/v1/charges")).unwrap();
    shop.bank.answer(&request).unwrap();
    shop.bank.approve(reference.as_str());
    shop.call_back(&reference).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["success"]));
}

#[test]
fn a_transaction_that_no_gateway_offers_any_more_is_invalided_when_it_is_opened() {
    let shop = Shop::open(30);
    let session_id = shop.create(&order(&["knet"]));
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    settings["gateways"].as_array_mut().unwrap().retain(|gateway| gateway["code"] != "knet");
    let body = settings.to_string();
    block_on(checkout_core::flow::operator::merchant::replace_settings(
        &shop.world,
        &shop.merchant,
        body.as_bytes(),
    ))
    .unwrap();
    assert_eq!((open(&shop, &session_id), shop.state(&session_id)), (PageStatus::Invalid, "invalided"));
}

// Who may ask.

#[test]
fn only_the_private_key_of_the_merchant_creates_and_retrieves() {
    let shop = Shop::open(31);
    let session_id = shop.create(&order(&["knet"]));
    let public = shop.authorization("public_key");
    for (authorization, rejection) in [
        (None, Rejection::CredentialsMissing),
        (Some(""), Rejection::CredentialsInvalid),
        (Some("Basic dTpw"), Rejection::CredentialsInvalid),
        (Some("Bearer token"), Rejection::CredentialsInvalid),
        (Some("Api-Key aaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"), Rejection::CredentialsInvalid),
        (Some(public.as_str()), Rejection::PrivateKeyRequired),
    ] {
        for route in [Route::CreateTransaction, Route::RetrieveTransaction(session_id.clone())] {
            assert_eq!(shop.identify(authorization, &route), Err(rejection.clone()), "{authorization:?}");
        }
    }
}

#[test]
fn another_merchants_transaction_answers_like_none() {
    let shop = Shop::open(32);
    let session_id = shop.create(&order(&["knet"]));
    let settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    let body = json!({"merchant_id": "other", "settings": settings}).to_string();
    let other = block_on(checkout_core::flow::operator::merchant::add_merchant(&shop.world, body.as_bytes()))
        .unwrap();
    let key = shop.holder(&other.private_key);
    let nobody = SessionId::generate(0, [7; 19]);
    for id in [&session_id, &nobody] {
        assert_eq!(refused(block_on(retrieve(&shop.world, &key, id))), Rejection::NotFound);
    }
}

// Idempotency.

#[test]
fn the_same_request_under_the_same_key_gets_the_same_bytes() {
    let shop = Shop::open(33);
    let first = shop.try_create(&order(&["knet"]), Some("k-1")).unwrap();
    shop.wait(3_600);
    for key in ["k-1", "\"k-1\"", " k-1 "] {
        let again = shop.try_create(&order(&["knet"]), Some(key)).unwrap();
        assert_eq!((again.status, &again.body, again.is_replayed), (201, &first.body, true), "{key}");
    }
    assert!(!first.is_replayed);
    assert_eq!(shop.world.store.transactions().len(), 1);
    assert_eq!(refused(shop.try_create(&order(&["mpgs"]), Some("k-1"))), Rejection::IdempotencyKeyReused);
    let other = shop.try_create(&order(&["knet"]), Some("k-2")).unwrap();
    assert_ne!(session_of(&other), session_of(&first));
}

#[test]
fn an_idempotency_key_is_visible_ascii_of_up_to_255_characters() {
    let shop = Shop::open(34);
    for key in ["", "\"\"", "a b", "é", &"k".repeat(256)] {
        let refusal = refused(shop.try_create(&order(&["knet"]), Some(key)));
        assert_eq!(refusal, Rejection::IdempotencyKeyMalformed, "{key:?}");
    }
    assert!(shop.try_create(&order(&["knet"]), Some(&"k".repeat(255))).is_ok());
}

#[test]
fn a_refused_request_does_not_use_its_key_up() {
    let shop = Shop::open(35);
    let mut wrong = order(&["knet"]);
    wrong["amount"] = json!("-1");
    assert!(matches!(refused(shop.try_create(&wrong, Some("k"))), Rejection::Invalid(_)));
    assert!(shop.try_create(&order(&["knet"]), Some("k")).is_ok());
}

#[test]
fn two_requests_under_one_key_at_the_same_time_get_the_same_bytes() {
    let shop = Shop::open(36);
    let winner = std::cell::RefCell::new(None);
    let world = Interrupted::before_random(&shop.world, || {
        *winner.borrow_mut() = Some(shop.try_create(&order(&["knet"]), Some("k")).unwrap());
    });
    let body = order(&["knet"]).to_string();
    let input = Input {
        caller: shop.private(),
        idempotency_key: Some("k"),
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    let loser = block_on(create(&world, input)).unwrap();
    assert_eq!(Some(loser.body), winner.borrow().as_ref().map(|answer| answer.body.clone()));
    assert!(loser.is_replayed);
    assert_eq!(shop.world.store.transactions().len(), 1);
}

#[test]
fn a_key_is_deleted_after_four_days_and_not_before() {
    let shop = Shop::open(37);
    let first = shop.try_create(&order(&["knet"]), Some("k")).unwrap();
    shop.wait(96 * 3_600);
    shop.sweep();
    assert_eq!(shop.try_create(&order(&["knet"]), Some("k")).unwrap().body, first.body);
    shop.wait(1);
    shop.sweep();
    let later = shop.try_create(&order(&["knet"]), Some("k")).unwrap();
    assert!(!later.is_replayed && session_of(&later) != session_of(&first));
}

#[test]
fn the_payers_language_goes_to_the_bank_and_comes_back_with_the_payer() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet"]));
    let in_arabic = Form { language: Some(Language::Ar), ..form(&session_id, "knet") };
    block_on(pay(&shop.world, &in_arabic)).unwrap();
    let sent = shop.world.http.take_sent();
    let opening = sent.iter().find(|request| request.url.ends_with("/v1/charges")).unwrap();
    let opening: Value = serde_json::from_slice(&opening.body).unwrap();
    let reference = shop.latest(&session_id).reference;
    assert_eq!(opening["language"], "ar");
    assert_eq!(
        text(&opening, "return_url"),
        Some(format!("{}?language=ar", shop.return_url(&reference)).as_str())
    );
    let page = block_on(land(&shop.world, &reference, Some(Language::Ar))).unwrap();
    assert!(page.ends_with(&format!("?session_id={session_id}&language=ar")), "{page}");
}

#[test]
fn one_transaction_may_offer_gateways_that_purchase_and_gateways_that_authorize() {
    for (codes, first) in [(["knet", "mpgs"], "purchase"), (["mpgs", "knet"], "authorize")] {
        for (paid, operation, state) in [("knet", "purchase", "paid"), ("mpgs", "authorize", "authorized")] {
            let shop = Shop::open(60);
            let answer = shop.try_create(&order(&codes), None).unwrap();
            let created: Value = serde_json::from_str(&answer.body).unwrap();
            assert_eq!(text(&created, "operation"), Some(first), "that of the first code");
            let methods = created.get("payment_methods").and_then(Value::as_array).unwrap();
            let said = methods.iter().map(|method| (text(method, "code"), text(method, "operation")));
            let kind = |code| if code == "knet" { "purchase" } else { "authorize" };
            assert!(said.eq(codes.map(|code| (Some(code), Some(kind(code))))), "each says its own");

            let session_id = session_of(&answer);
            let reference = shop.pay_to_page(&session_id, paid);
            shop.bank.approve(reference.as_str());
            let delivery = shop.come_back(&reference).unwrap().unwrap();
            let _ = shop.deliver(&delivery);
            let [notified] = shop.receiver.take_bodies().try_into().unwrap();
            let indicator = if operation == "purchase" { "payment" } else { "authorization" };
            assert_eq!(
                (text(&notified, "state"), text(&notified, "operation")),
                (Some(state), Some(indicator))
            );
            assert_eq!(
                shop.transaction(&session_id).operation.as_str(),
                operation,
                "that of the settled attempt"
            );
        }
    }
}

// Ends that no one asked for.

/// A shop that wants to be notified of `ends`, with a transaction whose time is over or whose gateway was
/// removed.
fn announcing(ends: &Value) -> Shop {
    Shop::open_with(70, |settings| {
        settings.as_object_mut().unwrap().insert("notify".into(), ends.clone());
    })
}

fn deliver_all(shop: &Shop) -> Vec<Value> {
    let _ = shop.receiver.take();
    for _ in 0..2 {
        shop.sweep();
    }
    shop.receiver.take_bodies()
}

#[test]
fn expiry_is_notified_if_the_merchant_wants_it_and_the_default_is_off() {
    for (ends, is_shown) in
        [(json!({}), false), (json!({"invalided": true}), false), (json!({"expired": true}), true)]
    {
        for noted_by in ["sweep", "page", "operation"] {
            let shop = announcing(&ends);
            let session_id = shop.create(&order(&["knet"]));
            if noted_by == "operation" {
                shop.wait(60);
                let _ = block_on(end(&shop.world, &session_id, Ending::Expired)).unwrap();
            } else {
                shop.wait(86_400 + 60);
            }
            if noted_by == "page" {
                let _ = block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap();
            }
            let notified = deliver_all(&shop);
            let states: Vec<_> =
                notified.iter().map(|body| (text(body, "state"), text(body, "result"))).collect();
            let wanted = if is_shown { vec![(Some("expired"), Some("canceled"))] } else { vec![] };
            assert_eq!(states, wanted, "{ends} {noted_by}");
            assert_eq!(shop.state(&session_id), "expired");
            let at = if noted_by == "operation" { "2026-01-01T00:01:00Z" } else { "2026-01-02T00:00:00Z" };
            assert!(
                notified.iter().all(|body| text(body, "timestamp_utc") == Some(at)),
                "{noted_by}: {notified:?}"
            );
        }
    }
}

#[test]
fn what_became_unpayable_is_notified_if_the_merchant_wants_it() {
    for (ends, count) in [(json!({}), 0), (json!({"expired": true}), 0), (json!({"invalided": true}), 1)] {
        let shop = announcing(&ends);
        let session_id = shop.create(&order(&["knet"]));
        let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        settings.as_object_mut().unwrap().insert("notify".into(), ends.clone());
        settings["gateways"].as_array_mut().unwrap().remove(0);
        let body = settings.to_string();
        let replaced = block_on(replace_settings(&shop.world, &shop.merchant, body.as_bytes()));
        assert!(replaced.is_ok(), "{replaced:?}");
        let _ = block_on(open_page(&shop.world, Some(&session_id), Visit::PERSON)).unwrap();
        assert_eq!(shop.state(&session_id), "invalided");
        let notified = deliver_all(&shop);
        assert_eq!(notified.len(), count, "{ends}");
        assert!(notified.iter().all(|body| text(body, "state") == Some("invalided")));
    }
}
