//! Whole payments with the ports in memory: create, page, gateway, return, callback, sweep.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod accounts;
mod counting;
mod endings;
mod gateways;
mod requests;

use checkout_core::api::pay::PayForm;
use checkout_core::attempt::stage::Stage;
use checkout_core::checkout::page::PageView;
use checkout_core::flow::Failure;
use checkout_core::flow::ending::end;
use checkout_core::flow::merchant::create::{CreateInput, create};
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::operator::merchant::replace_settings;
use checkout_core::flow::payer::come_back::destination;
use checkout_core::flow::payer::open_page::{Visit, open_page, status};
use checkout_core::flow::payer::pay::pay;
use checkout_core::flow::report::gateway::{ReportAddress, call_back};
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::sandbox::{SIGNATURE_HEADER, callback_key, callback_signature};
use checkout_core::payment::ending::Ending;
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_core::strings::screen::PageStatus;
use checkout_core::testing::gateway::answer;
use checkout_core::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use checkout_core::violation::Rule;
use checkout_core::webhook::delivery::AnswerEffect;
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
fn approve(shop: &Shop, reference: &ReferenceNumber) -> Option<AnswerEffect> {
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
    assert_eq!(approve(&shop, &reference), Some(AnswerEffect::Redirect));

    assert_eq!((shop.state(&session_id), open(&shop, &session_id)), ("paid", PageStatus::Paid));
    let thanks = format!(
        "https://shop.example.com/thanks?order_no=A-1&reference_number={reference}&session_id={session_id}"
    );
    assert_eq!(block_on(destination(&shop.world, &reference, None)).unwrap(), thanks);
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
    assert_eq!(shop.deliver(&delivery), Some(AnswerEffect::Redirect));
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
    assert_eq!(text(&retrieved(&shop, &session_id), "settled_pg_code"), Some("cash"));
    block_on(end(&shop.world, &session_id, Ending::CanceledByMerchant, None)).unwrap();
    let canceled = retrieved(&shop, &session_id);
    assert_eq!(
        (text(&canceled, "state"), text(&canceled, "settled_pg_code")),
        (Some("canceled"), None),
        "no gateway completed it"
    );
}

#[test]
fn a_declined_payer_pays_with_another_method() {
    let shop = Shop::open(5);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "knet");
    shop.bank.decline(first.as_str());
    let delivery = shop.come_back(&first).unwrap().unwrap();
    assert_eq!(shop.deliver(&delivery), Some(AnswerEffect::Redirect));
    assert_eq!((shop.state(&session_id), open(&shop, &session_id)), ("attempted", PageStatus::Declined));
    let page = block_on(destination(&shop.world, &first, None)).unwrap();
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
    assert!(!directed.deliveries.is_empty(), "the merchant hears of the withdrawn attempt");
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
