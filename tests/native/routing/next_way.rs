//! After a soft decline the page offers another way to pay, and nothing else makes it do so.

use checkout_core::api::pay::PayForm;
use checkout_core::checkout::page::{NextOffer, PageView};
use checkout_core::flow::payer::open_page::{Visit, open_page};
use checkout_core::flow::payer::pay::pay;
use checkout_core::value::id::ReferenceNumber;
use checkout_tests::shop::{form, order, text};

use super::*;

/// What the page offers now, and so an SDK.
pub(super) fn offer(routed: &Routed, session_id: &SessionId) -> Option<NextOffer> {
    let view = block_on(open_page(&routed.shop.world, Some(session_id), Visit::PERSON)).unwrap();
    let page = match view {
        PageView::Transaction(page) => Some(page),
        PageView::NotFound { .. } => None,
    };
    let offer = page.unwrap().next;
    let answer = routed.init(session_id);
    let shown = answer.get("next_way").map(|way| {
        let is_same = way.get("is_same").and_then(Value::as_bool).unwrap_or_default();
        let total = way.pointer("/billing/amount/display").and_then(Value::as_str).unwrap();
        [text(way, "code").unwrap(), text(way, "name").unwrap(), total, &is_same.to_string()].join(" | ")
    });
    let on_page = offer.as_ref().map(|offer| {
        let total = format!("{} {}", offer.total.currency().code(), offer.total);
        [offer.code.as_str(), &offer.name, &total, &offer.is_same.to_string()].join(" | ")
    });
    assert_eq!(shown, on_page, "an SDK is offered what the page offers");
    offer
}

/// Pays on the page of a gateway, which declines for a reason.
pub(super) fn decline(routed: &Routed, session_id: &SessionId, code: &'static str, reason: &'static str) {
    let reference = routed.shop.pay_to_page(session_id, code);
    end_as(routed, &reference, code, reason);
}

pub(super) fn end_as(routed: &Routed, reference: &ReferenceNumber, code: &'static str, reason: &'static str) {
    routed.set(code, Line::Declining(reason));
    routed.shop.bank.decline(reference.as_str());
    let _ = routed.shop.come_back(reference);
    routed.set(code, Line::Up);
}

/// The form that the offer sends.
pub(super) fn pressed(session_id: &SessionId, offer: &NextOffer) -> PayForm {
    let sent =
        format!("session_id={session_id}&pg_code={}&next={}", offer.code, offer.shown.replace(' ', "+"));
    PayForm::parse(sent.as_bytes())
}

const SOFT: [&str; 7] = [
    "insufficient_funds",
    "limit_exceeded",
    "not_permitted",
    "do_not_honor",
    "contact_issuer",
    "technical_error",
    "other",
];
const HARD: [&str; 9] = [
    "expired_card",
    "invalid_card",
    "wrong_security_code",
    "wrong_pin",
    "lost_or_stolen",
    "suspected_fraud",
    "revoked",
    "authentication_failed",
    "canceled_by_payer",
];

#[test]
fn another_method_is_offered_after_a_soft_decline_and_after_no_other() {
    for routing in [Value::Null, json!({}), json!({"after_decline": true})] {
        for (reason, is_soft) in SOFT.map(|one| (one, true)).into_iter().chain(HARD.map(|one| (one, false))) {
            let routed = Routed::open(routing.clone());
            let session_id = routed.shop.create(&order(&["one", "knet"]));
            assert_eq!(offer(&routed, &session_id), None, "nothing was tried");
            decline(&routed, &session_id, "one", reason);
            let offer = offer(&routed, &session_id);
            let expected = is_soft.then_some(("knet", false));
            assert_eq!(offer.as_ref().map(|one| (one.code.as_str(), one.is_same)), expected, "{reason}");
        }
    }
}

#[test]
fn nothing_is_offered_while_anything_may_be_charged() {
    let routed = Routed::open(json!({"after_decline": true}));
    let session_id = routed.shop.create(&order(&["one", "two", "knet"]));
    decline(&routed, &session_id, "one", "do_not_honor");
    assert!(offer(&routed, &session_id).is_some());
    // The next payment waits at its bank.
    let reference = routed.shop.pay_to_page(&session_id, "knet");
    assert_eq!(offer(&routed, &session_id), None);
    let _ = reference;
    // Its outcome is not known.
    let other = routed.shop.create(&order(&["one", "two", "knet"]));
    decline(&routed, &other, "one", "do_not_honor");
    routed.set("two", Line::Lost);
    let _ = block_on(pay(&routed.shop.world, &form(&other, "one")));
    assert_eq!(offer(&routed, &other), None);
}

#[test]
fn the_same_method_comes_first_where_the_merchant_lets_payments_go_on() {
    for (goes_on, expected) in [(true, ("two", true)), (false, ("knet", false))] {
        let routed = Routed::open(json!({"after_decline": goes_on}));
        let session_id = routed.shop.create(&order(&["knet", "one", "two"]));
        decline(&routed, &session_id, "one", "insufficient_funds");
        let offer = offer(&routed, &session_id).unwrap();
        assert_eq!((offer.code.as_str(), offer.is_same), expected);
        let directed = block_on(pay(&routed.shop.world, &pressed(&session_id, &offer))).unwrap();
        assert!(directed.url.starts_with("https://"), "{}", directed.url);
        let second = if goes_on { "two" } else { "knet" };
        assert_eq!(routed.tried(&session_id), [("one".into(), "failed"), (second.into(), "pending")]);
    }
}

#[test]
fn the_record_says_that_a_decline_led_there_with_and_without_rules() {
    for routing in [Value::Null, json!({}), json!({"after_decline": true})] {
        let routed = Routed::open(routing.clone());
        let session_id = routed.shop.create(&order(&["one", "knet"]));
        decline(&routed, &session_id, "one", "do_not_honor");
        let offer = offer(&routed, &session_id).unwrap();
        let _ = block_on(pay(&routed.shop.world, &pressed(&session_id, &offer))).unwrap();
        let decisions = routed.decisions(&session_id);
        let last = decisions.last().unwrap();
        assert_eq!(text(last, "decided_by"), Some("after_decline"), "{routing} {decisions:?}");
        assert_eq!(findings(last), [("knet", "chosen"), ("one", "declined")], "{routing}");
    }
}

#[test]
fn a_payer_who_chose_by_themselves_was_not_led() {
    let routed = Routed::open(json!({}));
    let session_id = routed.shop.create(&order(&["one", "knet"]));
    // A form says that it was offered, and nothing was declined.
    let price = "KWD 10.250";
    let claimed = format!("session_id={session_id}&pg_code=knet&next=knet+{}", price.replace(' ', "+"));
    let _ = block_on(pay(&routed.shop.world, &PayForm::parse(claimed.as_bytes()))).unwrap();
    let decisions = routed.decisions(&session_id);
    assert_eq!(decisions.last().and_then(|one| text(one, "decided_by")), Some("payer"), "{decisions:?}");
    // One that names the declined gateway itself does not go around the settings.
    let other = routed.shop.create(&order(&["one", "two"]));
    decline(&routed, &other, "one", "do_not_honor");
    assert_eq!(offer(&routed, &other), None);
    let again = PayForm { is_next: true, ..form(&other, "one") };
    let _ = block_on(pay(&routed.shop.world, &again)).unwrap();
    assert_eq!(routed.tried(&other), [("one".into(), "failed"), ("one".into(), "pending")]);
}

#[test]
fn every_gateway_is_offered_once() {
    let routed = Routed::open(json!({"after_decline": true}));
    let session_id = routed.shop.create(&order(&["one", "two", "three", "knet"]));
    let mut seen = Vec::new();
    decline(&routed, &session_id, "one", "do_not_honor");
    while let Some(next) = offer(&routed, &session_id) {
        let _ = block_on(pay(&routed.shop.world, &pressed(&session_id, &next))).unwrap();
        let latest = routed.shop.latest(&session_id);
        let code = ["one", "two", "three", "knet"]
            .into_iter()
            .find(|code| latest.pg_code.as_str() == *code)
            .unwrap();
        assert!(!seen.contains(&code), "{seen:?} {code}");
        seen.push(code);
        if code == "knet" {
            break;
        }
        end_as(&routed, &latest.reference, code, "do_not_honor");
    }
    assert_eq!(seen, ["two", "three", "knet"]);
}

#[test]
fn neither_cash_nor_a_real_gateway_in_place_of_a_test_nor_one_that_fails_is_offered() {
    let cash = Routed::open(json!({}));
    let session_id = cash.shop.create(&order(&["one", "cash"]));
    decline(&cash, &session_id, "one", "do_not_honor");
    assert_eq!(offer(&cash, &session_id), None);
    let real = Routed::open_with(json!({}), |settings| {
        let gateways = settings.get_mut("gateways").and_then(Value::as_array_mut).unwrap();
        let knet = gateways.iter_mut().find(|gateway| text(gateway, "code") == Some("knet")).unwrap();
        put(knet, "sandbox", json!(false));
    });
    let session_id = real.shop.create(&order(&["one", "knet"]));
    decline(&real, &session_id, "one", "do_not_honor");
    assert_eq!(offer(&real, &session_id), None);
}
