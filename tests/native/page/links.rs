//! Where the page leads.

use super::*;

#[test]
fn the_link_back_carries_the_three_keys() {
    for (redirect_url, order_no, expected) in [
        (
            "https://shop.example.com/thanks",
            json!("A 1&ü"),
            "https://shop.example.com/thanks?order_no=A+1%26%C3%BC&reference_number=REF&session_id=ID",
        ),
        (
            "https://shop.example.com/thanks?a=1",
            Value::Null,
            "https://shop.example.com/thanks?a=1&reference_number=REF&session_id=ID",
        ),
        (
            "https://shop.example.com/t#top",
            json!("1"),
            "https://shop.example.com/t?order_no=1&reference_number=REF&session_id=ID#top",
        ),
    ] {
        let mut fixture = Fixture::new(&["knet"], |body| {
            (body["redirect_url"], body["order_no"]) = (json!(redirect_url), order_no.clone());
        });
        fixture.transaction.state = State::Paid;
        let link = fixture.page(Some(&fixture.staged(Stage::Success))).merchant_link.unwrap();
        let expected = expected
            .replace("REF", fixture.attempt.reference.as_str())
            .replace("ID", fixture.transaction.session_id.as_str());
        assert_eq!((link.url, link.host.as_str()), (expected, "shop.example.com"));
    }
    let mut fixture = Fixture::new(&["knet"], |body| body["redirect_url"] = Value::Null);
    fixture.transaction.state = State::Paid;
    assert_eq!(fixture.page(Some(&fixture.attempt)).merchant_link, None);
}

#[test]
fn the_link_of_a_page_that_waits_says_nothing_of_a_payment() {
    let redirect_url = "https://shop.example.com/thanks?a=1#top";
    let mut fixture = Fixture::new(&["knet"], |body| body["redirect_url"] = json!(redirect_url));
    let held = Attempt { inquire_at: None, ..fixture.staged(Stage::Unknown) };
    let pending = Attempt { inquire_at: Some(BEGINNING), unknown_since: Some(BEGINNING), ..held.clone() };
    let late = Attempt { unknown_since: Some(BEGINNING.minus(Duration::from_hours(1))), ..pending.clone() };
    for (attempt, status, link) in [
        (&pending, PageStatus::Pending, None),
        (&late, PageStatus::Late, Some(redirect_url)),
        (&held, PageStatus::Held, Some(redirect_url)),
    ] {
        let shown = fixture.page(Some(attempt));
        assert_eq!(shown.status, status);
        assert_eq!(shown.merchant_link.map(|link| link.url).as_deref(), link, "{status:?}");
        assert_eq!(shown.onward, None);
    }
    Rc::make_mut(&mut fixture.situation.settings).is_paused = true;
    let paused = fixture.page(None);
    assert_eq!(paused.status, PageStatus::Paused);
    assert_eq!(paused.merchant_link.unwrap().url, redirect_url);
}

#[test]
fn the_payer_is_sent_on_when_the_payment_has_ended_and_the_merchant_answered_200() {
    let mut fixture = Fixture::new(&["knet"], |_| ());
    let delivered =
        |status| Some(DeliveryStatus { status: Some(status), is_delivered: true, leased_until: None });
    let waiting = |status| Some(DeliveryStatus { status, is_delivered: false, leased_until: None });
    for (delivery, is_sent_on) in [
        (delivered(200), true),
        (delivered(201), false),
        (waiting(None), false),
        (waiting(Some(500)), false),
        (waiting(Some(200)), false),
        (None, true),
    ] {
        for state in State::ALL {
            fixture.transaction.state = state;
            let landed =
                landing(&fixture.transaction, Some(&fixture.attempt), delivery, BEGINNING, Reach::Public);
            let is_final = status(&fixture.transaction, Some(&fixture.attempt), BEGINNING).is_final();
            assert_eq!(landed.is_some(), is_sent_on && is_final, "{state} {delivery:?}");
        }
    }
}

#[test]
fn a_page_that_has_ended_asks_while_the_receiver_has_yet_to_answer_and_once_just_after_the_outcome() {
    let mut fixture = Fixture::new(&["knet"], |_| ());
    let attempt = fixture.staged(Stage::Success);
    let delivered =
        |status| Some(DeliveryStatus { status, is_delivered: status.is_some(), leased_until: None });
    let (now, soon, later) =
        (BEGINNING, BEGINNING.plus(Duration::from_secs(599)), BEGINNING.plus(Duration::from_mins(10)));
    for (state, delivery, at, expected) in [
        (State::Paid, delivered(None), now, Some(Onward::Waits)),
        (State::Paid, delivered(None), later, Some(Onward::Waits)),
        // The answer may have come between the payer's return and this page.
        (State::Paid, delivered(Some(200)), now, Some(Onward::Once)),
        (State::Paid, delivered(Some(200)), soon, Some(Onward::Once)),
        (State::Failed, delivered(Some(200)), soon, Some(Onward::Once)),
        (State::Paid, None, now, Some(Onward::Once)),
        // A payer who opens an old link wants to see it.
        (State::Paid, delivered(Some(200)), later, None),
        (State::Paid, None, later, None),
        (State::Paid, delivered(Some(201)), now, None),
        (State::Canceled, delivered(Some(200)), now, None),
        (State::Pending, delivered(None), now, None),
    ] {
        fixture.transaction.state = state;
        fixture.situation.now = at;
        let shown = page(fixture.scene(Some(&attempt), delivery));
        assert_eq!(shown.onward, expected, "{state} {delivery:?} {at}");
    }
    let mut fixture = Fixture::new(&["knet"], |body| body["redirect_url"] = Value::Null);
    fixture.transaction.state = State::Paid;
    assert_eq!(page(fixture.scene(Some(&attempt), delivered(None))).onward, None, "there is nowhere to go");
}

#[test]
fn the_form_may_lead_to_the_gateways_and_to_the_merchant() {
    let mut fixture = Fixture::new(&["knet", "credit-card"], |_| ());
    for profile in &mut Rc::make_mut(&mut fixture.situation.settings).gateways {
        profile.endpoint = Some(format!("https://{}.bank.example.com/api", profile.code));
    }
    assert_eq!(
        fixture.page(None).form_targets,
        ["https://credit-card.bank.example.com", "https://knet.bank.example.com", "https://shop.example.com"]
    );
}
