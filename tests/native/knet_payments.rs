//! Payments through KNET, which knows nothing of a charge that nobody has paid, although its page was open.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::cell::RefCell;
use std::rc::Rc;

use checkout_core::access::operator::ROOT;
use checkout_core::checkout::page::PageView;
use checkout_core::flow::Failure;
use checkout_core::flow::operator::attention::resolve_attention;
use checkout_core::flow::payer::come_back::come_back;
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::flow::report::gateway::ask_about;
use checkout_core::gateway::ConnectorKind;
use checkout_core::gateway::exchange::Returned;
use checkout_core::port::Store;
use checkout_core::record::attention::{AttentionId, Reason as Flag};
use checkout_core::rejection::Rejection;
use checkout_core::testing::gateway::answer;
use checkout_core::testing::http::empty;
use checkout_core::value::id::{ReferenceNumber, SessionId};
use checkout_core::words::decline::DeclineReason;
use checkout_tests::shop::{Shop, json_of, order, refused};
use pollster::block_on;
use serde_json::{Value, json};

const NOT_FOUND: &str =
    "<result>!ERROR!-IPAY0100263-Transaction not found.</result><error_code_tag>IPAY0100263</error_code_tag>";

/// What KNET answers to an inquiry; nothing was paid until it is set.
type Paid = Rc<RefCell<Option<String>>>;

fn shop(seed: u64) -> (Shop, Paid) {
    let shop = Shop::open_with(seed, |settings| {
        let gateway = settings.pointer_mut("/gateways/0").unwrap();
        gateway["connector"] = json!("knet");
        gateway["currencies"] = json!(["KWD"]);
        gateway["fees"] = json!([]);
        gateway["wallets"] = json!([]);
        gateway["credentials"] =
            json!({"tranportal_id": "900100200", "password": "Exm9pl", "resource_key": "Q7w2Er9TyU4iOp1Z"});
        for name in ["default_currency", "exchanges", "apple_pay", "google_pay"] {
            gateway.as_object_mut().unwrap().remove(name);
        }
    });
    let paid = Paid::default();
    let (said, bank) = (Rc::clone(&paid), shop.bank.clone());
    shop.world.http.answer_by(move |request| {
        if request.url.starts_with("https://kpaytest.com.kw/") {
            let body = said.borrow().clone().unwrap_or_else(|| NOT_FOUND.to_owned());
            return Ok(answer(200, body));
        }
        if request.url.starts_with(checkout_tests::bank::Bank::ORIGIN) {
            bank.answer(request)
        } else {
            Ok(empty(200))
        }
    });
    (shop, paid)
}

fn captured(reference: &ReferenceNumber, amount: &str) -> String {
    format!(
        "<result>CAPTURED</result><auth>B24047</auth><ref>632500000042</ref><postdate>1122</postdate>\
         <tranid>202632500000099</tranid><trackid>{reference}</trackid><payid>100202632500099</payid>\
         <udf1>{reference}</udf1><udf5>TrackID</udf5><amt>{amount}</amt><authRespCode>00</authRespCode>"
    )
}

fn on_page(shop: &Shop) -> (SessionId, ReferenceNumber) {
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    (session_id, reference)
}

#[test]
fn a_payer_who_never_comes_back_has_not_paid_once_the_page_is_over() {
    let (shop, _) = shop(61);
    let (session_id, _) = on_page(&shop);
    for _ in 0..5 {
        shop.wait(600);
        shop.sweep();
        assert_eq!(shop.results(&session_id), ["pending"], "the payer may still be there");
    }
    shop.wait(1_200);
    shop.sweep();
    assert_eq!((shop.results(&session_id), shop.state(&session_id)), (vec!["canceled"], "attempted"));
    assert_eq!(shop.attention(), []);
}

#[test]
fn what_is_paid_after_that_is_found_nevertheless() {
    let (shop, paid) = shop(62);
    let (session_id, reference) = on_page(&shop);
    for _ in 0..8 {
        shop.wait(600);
        shop.sweep();
    }
    assert_eq!(shop.results(&session_id), ["canceled"]);
    let total = shop.latest(&session_id).quote.total.to_string();
    *paid.borrow_mut() = Some(captured(&reference, &total));
    shop.wait(600);
    shop.sweep();
    assert_eq!((shop.results(&session_id), shop.state(&session_id)), (vec!["success"], "paid"));
}

/// A payment that KNET takes after it was asked about for the last time.
fn paid_long_after(seed: u64) -> (Shop, SessionId, ReferenceNumber) {
    let (shop, paid) = shop(seed);
    let (session_id, reference) = on_page(&shop);
    for _ in 0..20 {
        shop.wait(600);
        shop.sweep();
    }
    assert_eq!((shop.results(&session_id), shop.latest(&session_id).inquire_at), (vec!["canceled"], None));
    let total = shop.latest(&session_id).quote.total.to_string();
    *paid.borrow_mut() = Some(captured(&reference, &total));
    (shop, session_id, reference)
}

#[test]
fn what_is_paid_after_the_last_inquiry_is_found_by_the_report_of_knet() {
    let (shop, session_id, reference) = paid_long_after(66);
    block_on(ask_about(&shop.world, &reference)).unwrap();
    assert_eq!((shop.results(&session_id), shop.state(&session_id)), (vec!["success"], "paid"));
}

#[test]
fn a_report_after_the_last_inquiry_is_not_lost_when_knet_does_not_answer_at_once() {
    let (shop, session_id, reference) = paid_long_after(68);
    shop.world.http.answer_next(Ok(empty(503)));
    block_on(ask_about(&shop.world, &reference)).unwrap();
    assert_eq!(shop.results(&session_id), ["canceled"]);
    shop.wait(600);
    shop.sweep();
    assert_eq!((shop.results(&session_id), shop.state(&session_id)), (vec!["success"], "paid"));
}

#[test]
fn what_is_paid_after_the_last_inquiry_is_found_when_the_payer_comes_back() {
    let (shop, session_id, reference) = paid_long_after(67);
    shop.come_back(&reference).unwrap();
    assert_eq!((shop.results(&session_id), shop.state(&session_id)), (vec!["success"], "paid"));
}

#[test]
fn another_method_is_possible_while_the_page_is_open_and_a_second_success_is_flagged() {
    let (shop, paid) = shop(63);
    let (session_id, reference) = on_page(&shop);
    let other = shop.pay_to_page(&session_id, "credit-card");
    assert_eq!(shop.results(&session_id), ["canceled", "pending"]);
    shop.bank.approve(other.as_str());
    shop.come_back(&other).unwrap();
    assert_eq!(shop.state(&session_id), "paid");
    let total = shop.transaction(&session_id).amount.to_string();
    *paid.borrow_mut() = Some(captured(&reference, &total));
    for _ in 0..4 {
        shop.wait(600);
        shop.sweep();
    }
    let flagged: Vec<String> = shop.attention().iter().map(ToString::to_string).collect();
    assert_eq!(flagged, [format!("{reference}.second_success")]);
}

#[test]
fn a_return_with_an_error_ends_the_attempt_and_one_without_waits() {
    for (error, result) in [(Some("IPAY0100119"), "canceled"), (None, "pending")] {
        let (shop, _) = shop(64);
        let (session_id, reference) = on_page(&shop);
        let fields = error.map(|error| ("Error".to_owned(), error.to_owned())).into_iter().collect();
        let token = shop.token(&reference);
        block_on(come_back(&shop.world, &reference, Some(&token), &Returned { fields })).unwrap();
        assert_eq!(shop.results(&session_id), [result], "{error:?}");
    }
}

/// Why the last attempt was declined, as the page knows it.
fn shown(shop: &Shop, session_id: &SessionId) -> Option<DeclineReason> {
    let view = block_on(open_page(&shop.world, Some(session_id), Visit::PERSON)).unwrap();
    let PageView::Transaction(page) = view else { panic!("no page") };
    page.last.unwrap().decline
}

#[test]
fn a_decline_is_shown_by_its_reason() {
    for (code, reason) in [
        ("51", DeclineReason::InsufficientFunds),
        ("36", DeclineReason::NotPermitted),
        ("99", DeclineReason::Other),
    ] {
        let (shop, paid) = shop(65);
        let (session_id, reference) = on_page(&shop);
        let total = shop.latest(&session_id).quote.total.to_string();
        let declined = captured(&reference, &total)
            .replace("CAPTURED", "FAILURE(NOT CAPTURED)")
            .replace("<authRespCode>00", &format!("<authRespCode>{code}"));
        *paid.borrow_mut() = Some(declined);
        shop.come_back(&reference).unwrap();
        assert_eq!(shown(&shop, &session_id), Some(reason), "{code}");
    }
}

/// The payer chooses another method after this many minutes, and what KNET says changes a while later: whether the
/// money that it took is known in the end.
fn is_found(shop: &Shop, paid: &Paid, reference: &ReferenceNumber, minutes: u32) -> bool {
    for _ in 0..minutes.div_ceil(10) {
        shop.wait(600);
        shop.sweep();
    }
    *paid.borrow_mut() = Some(captured(reference, &total_of(shop, reference)));
    for _ in 0..60 {
        shop.wait(600);
        shop.sweep();
    }
    shop.attention().iter().any(|entry| entry.to_string() == format!("{reference}.second_success"))
}

/// What KNET was asked to take.
fn total_of(shop: &Shop, reference: &ReferenceNumber) -> String {
    let found = block_on(shop.world.store.load_attempt(reference)).unwrap().unwrap();
    found.attempt.unwrap().quote.total.to_string()
}

/// A payment on a page of KNET that was given up for another method, with which the payer paid.
fn given_up(seed: u64) -> (Shop, Paid, ReferenceNumber) {
    let (shop, paid) = shop(seed);
    let (session_id, reference) = on_page(&shop);
    let other = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(other.as_str());
    shop.come_back(&other).unwrap();
    (shop, paid, reference)
}

#[test]
fn what_is_paid_within_the_hour_of_a_page_that_was_given_up_is_found() {
    let (shop, paid, reference) = given_up(66);
    assert!(is_found(&shop, &paid, &reference, 50));
}

#[test]
fn what_knet_has_not_decided_when_its_page_is_given_up_is_found_once_it_is() {
    let (shop, paid, reference) = given_up(67);
    let undecided = captured(&reference, &total_of(&shop, &reference));
    *paid.borrow_mut() = Some(undecided.replace("CAPTURED", "FAILURE(HOST TIMEOUT)"));
    assert!(is_found(&shop, &paid, &reference, 300));
}

#[test]
fn what_is_paid_while_knet_does_not_answer_is_found_once_it_does() {
    let (shop, paid, reference) = given_up(68);
    *paid.borrow_mut() = Some("<html>maintenance</html>".into());
    assert!(is_found(&shop, &paid, &reference, 600));
}

#[test]
fn what_knet_does_not_decide_for_three_days_is_for_a_person() {
    let undecided = "<result>FAILURE(HOST TIMEOUT)</result>";
    for (said, is_flagged) in [(undecided, true), ("<html>maintenance</html>", true), (NOT_FOUND, false)] {
        let (shop, paid, reference) = given_up(69);
        *paid.borrow_mut() = Some(said.into());
        for _ in 0..1_000 {
            shop.wait(600);
            shop.sweep();
        }
        let flagged: Vec<String> = shop.attention().iter().map(ToString::to_string).collect();
        let expected = is_flagged.then(|| format!("{reference}.outcome_unknown"));
        assert_eq!(flagged, expected.into_iter().collect::<Vec<_>>(), "{said}");
    }
}

/// The entry about a page that was given up, and of which KNET did not say for three days what became.
fn undecided(seed: u64) -> (Shop, Paid, AttentionId) {
    let (shop, paid, reference) = given_up(seed);
    *paid.borrow_mut() = Some("<result>FAILURE(HOST TIMEOUT)</result>".into());
    for _ in 0..1_000 {
        shop.wait(600);
        shop.sweep();
    }
    let id = AttentionId::parse(&format!("{reference}.outcome_unknown")).unwrap();
    assert_eq!(shop.attention(), std::slice::from_ref(&id));
    (shop, paid, id)
}

fn resolve(shop: &Shop, id: &AttentionId, action: &str) -> Result<Value, Failure> {
    let body = json!({"action": action}).to_string();
    block_on(resolve_attention(&shop.world, &ROOT, id, body.as_bytes())).map(|answer| json_of(&answer))
}

#[test]
fn a_person_may_learn_that_a_page_that_was_given_up_was_paid_after_all() {
    let (shop, _, id) = undecided(71);
    assert_eq!(refused(resolve(&shop, &id, "not_charged")), Rejection::NotResolvable);
    let answer = resolve(&shop, &id, "approved").unwrap();
    assert_eq!((&answer["closed"], &answer["result"]), (&json!(true), &json!("success")));
    let second = AttentionId { reason: Flag::SecondSuccess, ..id.clone() };
    assert_eq!(shop.attention(), std::slice::from_ref(&second), "the payer paid twice");
    assert_eq!(refused(resolve(&shop, &second, "approved")), Rejection::NotResolvable);
}

#[test]
fn asking_once_more_closes_the_entry_about_a_given_up_page_only_with_an_answer() {
    for (said, is_closed) in [
        ("<result>FAILURE(HOST TIMEOUT)</result>", false),
        ("<html>maintenance</html>", false),
        (NOT_FOUND, true),
    ] {
        let (shop, paid, id) = undecided(72);
        *paid.borrow_mut() = Some(said.into());
        let answer = resolve(&shop, &id, "inquire").unwrap();
        assert_eq!((&answer["closed"], &answer["result"]), (&json!(is_closed), &json!("canceled")), "{said}");
        assert_eq!(shop.attention().is_empty(), is_closed, "{said}");
    }
}

#[test]
fn a_code_that_no_table_has_is_reported_to_the_operator_once_for_each_payment() {
    for (code, reported) in [("51", None), ("99", Some("99"))] {
        let (shop, paid) = shop(70);
        let (_, reference) = on_page(&shop);
        let declined = captured(&reference, &total_of(&shop, &reference))
            .replace("CAPTURED", "FAILURE(NOT CAPTURED)")
            .replace("<authRespCode>00", &format!("<authRespCode>{code}"));
        *paid.borrow_mut() = Some(declined);
        for _ in 0..6 {
            shop.wait(600);
            shop.sweep();
        }
        let missed = shop.world.missed_codes.borrow();
        let missed: Vec<_> =
            missed.iter().map(|one| (one.connector, one.pg_code.as_str(), one.code.as_str())).collect();
        let expected: Vec<_> = reported.map(|code| (ConnectorKind::Knet, "knet", code)).into_iter().collect();
        assert_eq!(missed, expected, "{code}");
    }
}
