//! A payer who is offered the next way to pay, or led there, pays once: what an attacker, a late answer or another change of the
//! payment makes of it.

use checkout_core::card::usage::CardUse;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::payer::pay::pay;
use checkout_core::flow::sdk;
use checkout_core::rejection::Rejection;
use checkout_core::state::State;
use checkout_core::value::id::ReferenceNumber;
use checkout_tests::shop::{form, order, refused, text};

use super::fallback::wallet;
use super::next_way::{decline, end_as, offer, pressed};
use super::*;

/// A shop whose settings let payments go on.
fn going_on() -> Routed {
    Routed::open(json!({"after_decline": true}))
}

/// A gateway of the settings.
fn gateway<'v>(settings: &'v mut Value, code: &str) -> &'v mut Value {
    let gateways = settings.get_mut("gateways").and_then(Value::as_array_mut).unwrap();
    gateways.iter_mut().find(|gateway| text(gateway, "code") == Some(code)).unwrap()
}

/// The code of what is offered now.
fn offered(routed: &Routed, session_id: &SessionId) -> Option<String> {
    offer(routed, session_id).map(|offer| offer.code)
}

/// The reference of the attempt with this number.
fn reference(routed: &Routed, session_id: &SessionId, number: usize) -> ReferenceNumber {
    let attempts = routed.shop.world.store.attempts(session_id);
    attempts.get(number).unwrap().reference.clone()
}

fn cancel(routed: &Routed, session_id: &SessionId) {
    let body = json!({"session_id": session_id.as_str(), "operation": "cancel"}).to_string();
    let input = OperationInput {
        caller: routed.shop.private(),
        tracking_key: None,
        idempotency_key: None,
        body: body.as_bytes(),
    };
    block_on(operate(&routed.shop.world, input)).unwrap();
}

/// The bank said that the card is stolen; that another method was declined softly later does not make it good.
#[test]
fn a_method_that_was_declined_for_good_is_not_offered_through_another_gateway_later() {
    for (first, expected) in [("lost_or_stolen", None), ("do_not_honor", Some("two"))] {
        let routed = going_on();
        let session_id = routed.shop.create(&order(&["one", "two", "knet"]));
        decline(&routed, &session_id, "one", first);
        let at_knet = routed.shop.pay_to_page(&session_id, "knet");
        routed.shop.bank.decline(at_knet.as_str());
        let _ = routed.shop.come_back(&at_knet);
        assert_eq!(offered(&routed, &session_id).as_deref(), expected, "{first}");
    }
}

#[test]
fn a_saved_card_that_is_declined_softly_is_charged_at_no_other_gateway() {
    for needs_code in [true, false] {
        let routed = Routed::open_with(json!({"after_decline": true}), |settings| {
            put(gateway(settings, "one"), "cvv_required", json!(needs_code));
        });
        let token = routed.saved_card();

        let second = routed.shop.create(&of_customer(&["one", "two", "knet"]));
        routed.set("one", Line::Declining("do_not_honor"));
        let _ = block_on(pay(&routed.shop.world, &form(&second, &token))).unwrap();
        if needs_code {
            let latest = routed.shop.latest(&second).reference;
            routed.shop.bank.decline(latest.as_str());
            let _ = routed.shop.come_back(&latest);
        }
        assert_eq!(routed.tried(&second), [("one".into(), "failed")], "needs its code: {needs_code}");
        // What is offered opens the page of the other gateway, on which the payer types a card.
        let offer = offer(&routed, &second).unwrap();
        assert_eq!((offer.code.as_str(), offer.is_same), ("two", true));
        let _ = block_on(pay(&routed.shop.world, &pressed(&second, &offer))).unwrap();
        let latest = routed.shop.latest(&second);
        assert_eq!((latest.pg_code.as_str(), latest.card), ("two", CardUse::Nothing));
        assert!(latest.page_url.is_some());
    }
}

/// The bank of the first gateway finds out that it took the money, before or after the second payment.
#[test]
fn if_the_declined_payment_was_paid_after_all_one_charge_remains() {
    for is_second_paid in [false, true] {
        let routed = Routed::open(json!({}));
        let session_id = routed.shop.create(&order(&["one", "knet"]));
        decline(&routed, &session_id, "one", "do_not_honor");
        let offer = offer(&routed, &session_id).unwrap();
        let _ = block_on(pay(&routed.shop.world, &pressed(&session_id, &offer))).unwrap();
        let (first, second) = (reference(&routed, &session_id, 0), reference(&routed, &session_id, 1));
        if is_second_paid {
            routed.shop.bank.approve(second.as_str());
            let _ = routed.shop.come_back(&second);
        }
        routed.shop.bank.approve_after_all(first.as_str());
        let _ = routed.shop.call_back(&first).unwrap();
        assert_eq!(super::next_way::offer(&routed, &session_id), None);
        if !is_second_paid {
            assert_eq!(routed.shop.state(&session_id), "authorized");
            // The page of the second was open all the time.
            routed.shop.bank.approve(second.as_str());
            let _ = routed.shop.come_back(&second);
        }
        assert_eq!(routed.shop.results(&session_id), ["success", "success"]);
        let later = if is_second_paid { &first } else { &second };
        let [child] = &routed.shop.world.store.children(&session_id)[..] else { panic!("one is given back") };
        assert_eq!(&child.attempt, later, "the one that came second");
        assert!(!routed.shop.bank.books().done(later.as_str(), child.operation).is_zero());
        assert_eq!(routed.shop.attention().len(), 1);
    }
}

/// The first bank says that it approved, over another amount: nobody knows what it took.
#[test]
fn nothing_is_offered_while_a_person_looks_at_an_answer_that_does_not_fit() {
    let routed = Routed::open(json!({}));
    let session_id = routed.shop.create(&order(&["one", "knet"]));
    decline(&routed, &session_id, "one", "do_not_honor");
    assert!(offer(&routed, &session_id).is_some());
    let first = reference(&routed, &session_id, 0);
    routed.shop.bank.change_amount(first.as_str(), "1.000");
    routed.shop.bank.approve_after_all(first.as_str());
    let _ = routed.shop.call_back(&first).unwrap();
    assert_eq!(routed.shop.attention().len(), 1);
    assert_eq!(offer(&routed, &session_id), None);
}

#[test]
fn nothing_is_offered_once_the_payment_is_over_and_what_was_offered_opens_nothing() {
    for ends in [0, 1] {
        let routed = going_on();
        let session_id = routed.shop.create(&order(&["one", "two", "knet"]));
        decline(&routed, &session_id, "one", "do_not_honor");
        let before = offer(&routed, &session_id).unwrap();
        if ends == 0 {
            cancel(&routed, &session_id);
        } else {
            routed.shop.wait(25 * 60 * 60);
        }
        assert_eq!(offer(&routed, &session_id), None);
        let late = refused(block_on(pay(&routed.shop.world, &pressed(&session_id, &before))));
        let state = if ends == 0 { State::Canceled } else { State::Expired };
        assert_eq!(late, Rejection::NotPayable { state });
        assert_eq!(routed.tried(&session_id), [("one".into(), "failed")]);
    }
}

#[test]
fn two_tabs_that_press_the_offer_come_to_one_page() {
    let routed = going_on();
    let session_id = routed.shop.create(&order(&["one", "two", "knet"]));
    decline(&routed, &session_id, "one", "do_not_honor");
    let form = pressed(&session_id, &offer(&routed, &session_id).unwrap());
    let first = block_on(pay(&routed.shop.world, &form)).unwrap();
    let second = block_on(pay(&routed.shop.world, &form)).unwrap();
    assert_eq!(first.url, second.url);
    assert_eq!(routed.tried(&session_id), [("one".into(), "failed"), ("two".into(), "pending")]);
}

#[test]
fn a_gateway_that_cannot_take_the_amount_or_the_currency_is_not_offered() {
    type Change = fn(&mut Value);
    fn in_riyals(knet: &mut Value) {
        for (name, value) in [("currencies", json!(["SAR"])), ("default_currency", json!("SAR"))] {
            put(knet, name, value);
        }
        for name in ["exchanges", "fees"] {
            put(knet, name, json!([]));
        }
    }
    // Stripe charges no third decimal of a dinar.
    fn at_stripe(knet: &mut Value) {
        let credentials = json!({"secret_key": "sk_test_1", "webhook_secret": "whsec_test_1"});
        for (name, value) in
            [("connector", json!("stripe")), ("pg_name", json!("stripe")), ("credentials", credentials)]
        {
            put(knet, name, value);
        }
    }
    let changes: [(Change, &str, bool); 4] = [
        (in_riyals, "10.000", false),
        (at_stripe, "10.001", false),
        (at_stripe, "10.000", true),
        (|_| {}, "10.001", true),
    ];
    for (change, amount, is_offered) in changes {
        let routed = Routed::open_with(json!({}), |settings| change(gateway(settings, "knet")));
        let mut order = order(&["one", "knet"]);
        put(&mut order, "amount", json!(amount));
        let session_id = routed.shop.create(&order);
        decline(&routed, &session_id, "one", "do_not_honor");
        assert_eq!(offered(&routed, &session_id).is_some(), is_offered, "{amount}");
    }
}

#[test]
fn a_simulation_is_not_offered_in_place_of_a_real_gateway() {
    for real in ["one", "two"] {
        let routed = Routed::open_with(json!({"after_decline": true}), |settings| {
            put(gateway(settings, real), "sandbox", json!(false));
        });
        let session_id = routed.shop.create(&order(&["one", "two"]));
        decline(&routed, &session_id, "one", "do_not_honor");
        assert_eq!(offer(&routed, &session_id), None, "{real} is real");
        // Nor is the payer who presses the same method again taken there.
        let _ = routed.shop.pay(&session_id, "one").unwrap();
        assert_eq!(routed.tried(&session_id), [("one".into(), "failed"), ("one".into(), "pending")]);
    }
}

/// What the merchant changes between the decline and the press is not what the payer was shown.
#[test]
fn an_offer_of_before_a_change_of_the_payment_charges_nothing() {
    let routed = going_on();
    let session_id = routed.shop.create(&order(&["one", "two", "knet"]));
    decline(&routed, &session_id, "one", "do_not_honor");
    let before = offer(&routed, &session_id).unwrap();
    routed.shop.patch(&session_id, &json!({"amount": "12.000"})).unwrap();
    let late = refused(block_on(pay(&routed.shop.world, &pressed(&session_id, &before))));
    assert_eq!(late.code(), "price_changed");
    routed.shop.patch(&session_id, &json!({"pg_codes": ["one", "knet"]})).unwrap();
    let late = refused(block_on(pay(&routed.shop.world, &pressed(&session_id, &before))));
    assert_eq!(late.code(), "invalid_fields");
    assert_eq!(routed.tried(&session_id), [("one".into(), "failed")]);
    assert_eq!(offered(&routed, &session_id).as_deref(), Some("knet"));
}

/// However the gateways are, a wallet's payment goes past those only that certainly took nothing, and each is asked once.
#[test]
fn a_wallets_payment_goes_on_only_past_gateways_that_took_nothing() {
    const CODES: [&str; 3] = ["one", "two", "three"];
    const LINES: [Line; 7] = [
        Line::Up,
        Line::Down,
        Line::Silent,
        Line::Refusing,
        Line::Lost,
        Line::Declining("do_not_honor"),
        Line::Declining("insufficient_funds"),
    ];
    let passes = |line: Line| matches!(line, Line::Down | Line::Refusing | Line::Declining("do_not_honor"));
    for one in LINES {
        for two in LINES {
            for three in LINES {
                let (routed, lines) = (going_on(), [one, two, three]);
                for (code, line) in CODES.into_iter().zip(lines) {
                    routed.set(code, line);
                }
                let session_id = routed.shop.create(&order(&CODES));
                let answer = wallet(&routed, session_id.as_str(), Some("k"));
                assert_eq!(wallet(&routed, session_id.as_str(), Some("k")), answer, "the same request again");
                let tried: Vec<String> =
                    routed.tried(&session_id).into_iter().map(|(code, _)| code).collect();
                let reached = lines.iter().position(|line| !passes(*line)).unwrap_or(2);
                assert_eq!(tried, CODES.get(..=reached).unwrap(), "{lines:?}");
            }
        }
    }
}

/// Of a payment in part the rest stays as it is: the next way is over what the payer chose before.
#[test]
fn an_sdk_submits_what_it_was_offered_over_the_amount_that_the_payer_chose() {
    for (chosen, is_part) in [("5.000", true), ("10.000", false)] {
        let routed = going_on();
        let mut order = order(&["one", "two", "knet"]);
        put(&mut order, "type", json!(if is_part { "payment_request" } else { "e_commerce" }));
        let session_id = routed.shop.create(&order);
        let _ = routed.shop.pay_amount(&session_id, "one", chosen).unwrap();
        end_as(&routed, &routed.shop.latest(&session_id).reference, "one", "do_not_honor");
        let _ = offer(&routed, &session_id);
        let answer = routed.init(&session_id);
        let way = answer.get("next_way").unwrap();
        assert_eq!(text(way, "chosen_amount"), is_part.then_some(chosen));
        let total = way.pointer("/billing/amount/value").unwrap();
        let body = json!({
            "pg_code": text(way, "code"), "amount": way.get("chosen_amount"), "shown_total": total, "shown_currency": "KWD",
            "is_next_way": true,
        });
        block_on(sdk::submit(&routed.shop.world, &session_id, body.to_string().as_bytes())).unwrap();
        assert_eq!(routed.shop.latest(&session_id).principal.to_string(), chosen);
        assert_eq!(routed.tried(&session_id), [("one".into(), "failed"), ("two".into(), "pending")]);
        let decisions = routed.decisions(&session_id);
        assert_eq!(text(decisions.last().unwrap(), "decided_by"), Some("after_decline"));
    }
}
