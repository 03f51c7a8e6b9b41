//! How a charge is: every row of the table of results, at the answer to a payment and when the order is asked for.

use checkout_core::gateway::charge::{ChargeOperation, ChargeRef, Opened, Order, Outcome};
use checkout_core::gateway::exchange::Returned;
use checkout_core::testing::gateway::{answer, charge, converse, money, order};

use super::{
    LATE, PAGE, SESSION, SOON, apple, at, at_once, bank, changed, inquired, ok, on_page, open_page, paid,
    reported, sample,
};

fn back(fields: &[(&str, &str)]) -> Returned {
    let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Returned { fields }
}

#[test]
fn a_session_opens_its_page() {
    let order = order("10.250", "KWD");
    let (_, opened) = converse(bank().open(&order), &[answer(201, sample("session"))]);
    let report = reported(opened);
    assert_eq!(report.outcome, Outcome::Open { page_url: PAGE.into() });
    assert_eq!((report.reference.as_str(), report.gateway_id.as_deref()), ("7H3K9M2P4Q5R", Some(SESSION)));
    assert_eq!(report.raw, None, "the answer has the indicator of success");
}

#[test]
fn without_a_session_nothing_can_be_paid() {
    let order = order("10.250", "KWD");
    let opened = |status, body: String| converse(bank().open(&order), &[answer(status, body)]).1;
    assert_eq!(
        opened(400, sample("invalid")),
        Opened::Refused { message: Some("INVALID_REQUEST: order.amount".into()) }
    );
    assert_eq!(opened(401, sample("rejected")), Opened::Refused { message: Some("REQUEST_REJECTED".into()) });
    for (status, body) in [
        (500, sample("failed")),
        (200, String::new()),
        (200, "<html>".into()),
        (200, changed("session", &[("\"SUCCESS\",\"session\"", "\"FAILURE\",\"session\"")])),
        (200, changed("session", &[(SESSION, "../../evil")])),
        (200, changed("session", &[(SESSION, "SESSION0002?a=b")])),
    ] {
        assert_eq!(opened(status, body.clone()), Opened::Refused { message: None }, "{status} {body}");
    }
}

#[test]
fn an_approved_payment_names_its_amount_and_its_data() {
    for status in [200, 201] {
        let report = reported(paid(status, sample("pay approved")));
        assert_eq!(report.outcome, Outcome::Approved);
        assert_eq!((report.reference.as_str(), report.total), ("7H3K9M2P4Q5R", Some(money("10.250", "KWD"))));
        assert_eq!(report.gateway_id.as_deref(), Some("7H3K9M2P4Q5R"));
        assert_eq!(report.message.as_deref(), Some("Approved"));
        let params: Vec<(&str, &str)> =
            report.params.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(
            params,
            [
                ("auth_code", "B24047"),
                ("card_expiry_month", "01"),
                ("card_expiry_year", "39"),
                ("card_number", "512345******0008"),
                ("card_type", "MASTERCARD"),
                ("full_card_expiry", "01/39"),
                ("payment_id", "7H3K9M2P4Q5R"),
                ("pg_message", "Approved"),
                ("post_date", "2026-11-21T00:00:06.120Z"),
                ("ref", "632600000042"),
                ("result", "CAPTURED"),
                ("rrn", "632600000042"),
                ("track_id", "7H3K9M2P4Q5R"),
                ("transaction_id", "7H3K9M2P4Q5R"),
            ]
        );
    }
}

#[test]
fn each_operation_has_its_own_success() {
    let samples = [
        (ChargeOperation::Purchase, "10.250", "pay approved", "order captured"),
        (ChargeOperation::Authorize, "10.250", "authorize approved", "order authorized"),
        (ChargeOperation::Verify, "0", "verify approved", "order verified"),
    ];
    for (asked, total, _, _) in samples {
        for (done, _, pay, whole) in samples {
            let expected = if asked == done { Outcome::Approved } else { Outcome::Unknown };
            let order = Order { operation: asked, total: money(total, "KWD"), ..apple() };
            let (_, opened) = converse(bank().open(&order), &[answer(201, sample(pay))]);
            assert_eq!(reported(opened).outcome, expected, "{asked:?} {done:?}");
            let charge = ChargeRef { operation: asked, total: money(total, "KWD"), ..on_page() };
            assert_eq!(inquired(&charge, None, &[ok(whole)]).outcome, expected, "{asked:?} {done:?}");
        }
    }
}

#[test]
fn an_order_is_judged_by_its_success_and_not_by_its_last_transaction() {
    for name in [
        "order captured",
        "order captured after a retry",
        "order authorized and captured",
        "order partly refunded",
    ] {
        let report = inquired(&on_page(), None, &[ok(name)]);
        assert_eq!(
            (report.outcome, report.total),
            (Outcome::Approved, Some(money("10.250", "KWD"))),
            "{name}"
        );
    }
    for status in [
        "REFUND_REQUESTED",
        "REFUNDED",
        "EXCESSIVELY_REFUNDED",
        "DISPUTED",
        "CHARGEBACK_PROCESSED",
        "DISBURSED",
    ] {
        let body =
            changed("order captured", &[("\"status\":\"CAPTURED\"", &format!("\"status\":\"{status}\""))]);
        assert_eq!(inquired(&on_page(), None, &[answer(200, body)]).outcome, Outcome::Approved, "{status}");
    }
    for status in ["AUTHORIZED", "FAILED", "INITIATED", "FUNDING", "VERIFIED", "NEW_WORD"] {
        let body =
            changed("order captured", &[("\"status\":\"CAPTURED\"", &format!("\"status\":\"{status}\""))]);
        assert_eq!(inquired(&on_page(), None, &[answer(200, body)]).outcome, Outcome::Unknown, "{status}");
    }
}

#[test]
fn another_amount_currency_or_reference_is_seen() {
    let whole = |from: &str, to: &str| {
        inquired(&on_page(), None, &[answer(200, changed("order captured", &[(from, to)]))])
    };
    assert_eq!(whole("\"amount\":10.250", "\"amount\":10.251").total, Some(money("10.251", "KWD")));
    assert_eq!(whole("\"amount\":10.250", "\"amount\":\"10.250\"").total, Some(money("10.250", "KWD")));
    assert_eq!(whole("KWD", "BHD").total, Some(money("10.250", "BHD")));
    // Only the order or only the transaction differs.
    let order = whole("{\"amount\":10.250,\"creationTime\"", "{\"amount\":9.000,\"creationTime\"");
    assert_eq!(order.total, Some(money("9.000", "KWD")));
    assert_eq!(
        whole("\"totalCapturedAmount\":10.250", "\"totalCapturedAmount\":20.500").total,
        Some(money("20.500", "KWD"))
    );
    assert_eq!(whole("\"id\":\"7H3K9M2P4Q5R\"", "\"id\":\"OTHER\"").reference, "OTHER");
    let pay = |from: &str, to: &str| reported(paid(201, changed("pay approved", &[(from, to)])));
    assert_eq!(pay("\"amount\":10.250", "\"amount\":1").total, Some(money("1", "KWD")));
    assert_eq!(pay("KWD", "USD").total, Some(money("10.25", "USD")));
    assert_eq!(pay("\"id\":\"7H3K9M2P4Q5R\",\"status\"", "\"id\":\"OTHER\",\"status\"").reference, "OTHER");
}

#[test]
fn a_success_without_its_amount_currency_or_reference_is_unknown() {
    for (from, to) in [
        ("\"amount\":10.250,", ""),
        ("\"amount\":10.250", "\"amount\":-10.250"),
        ("\"amount\":10.250", "\"amount\":1.025e1"),
        ("\"amount\":10.250", "\"amount\":10.2501"),
        ("\"amount\":10.250", "\"amount\":null"),
        ("\"amount\":10.250", "\"amount\":{}"),
        ("\"currency\":\"KWD\",", ""),
        ("KWD", "kwd"),
        ("\"id\":\"7H3K9M2P4Q5R\",", ""),
        ("\"status\":\"CAPTURED\",", ""),
        ("\"type\":\"PAYMENT\"", "\"type\":7"),
        ("\"result\":\"SUCCESS\"", "\"result\":true"),
    ] {
        for (name, at_open) in [("pay approved", true), ("order captured", false)] {
            let body = changed(name, &[(from, to)]);
            let outcome = if at_open {
                reported(paid(201, body)).outcome
            } else {
                inquired(&on_page(), None, &[answer(200, body)]).outcome
            };
            assert_eq!(outcome, Outcome::Unknown, "{name} {from} {to}");
        }
    }
}

#[test]
fn each_result_and_code_has_its_outcome() {
    for (result, code, at_open, later) in [
        ("SUCCESS", "APPROVED", Outcome::Approved, Outcome::Approved),
        ("SUCCESS", "APPROVED_AUTO", Outcome::Approved, Outcome::Approved),
        ("SUCCESS", "APPROVED_PENDING_SETTLEMENT", Outcome::Approved, Outcome::Approved),
        ("SUCCESS", "PARTIALLY_APPROVED", Outcome::Unknown, Outcome::Unknown),
        ("SUCCESS", "NEW_CODE", Outcome::Unknown, Outcome::Unknown),
        ("PENDING", "PENDING", Outcome::Unknown, Outcome::Unknown),
        ("PENDING", "SUBMITTED", Outcome::Unknown, Outcome::Unknown),
        ("PENDING", "DEFERRED_TRANSACTION_RECEIVED", Outcome::Unknown, Outcome::Unknown),
        ("UNKNOWN", "UNKNOWN", Outcome::Unknown, Outcome::Unknown),
        ("NEW_RESULT", "APPROVED", Outcome::Unknown, Outcome::Unknown),
    ] {
        let result = format!("\"result\":\"{result}\"");
        let code = format!("\"gatewayCode\":\"{code}\"");
        let changes =
            [("\"result\":\"SUCCESS\"", result.as_str()), ("\"gatewayCode\":\"APPROVED\"", code.as_str())];
        assert_eq!(
            reported(paid(201, changed("pay approved", &changes))).outcome,
            at_open,
            "{result} {code}"
        );
        let body = changed("order captured", &changes);
        assert_eq!(inquired(&at_once(), None, &[answer(200, body)]).outcome, later, "{result} {code}");
    }
}

#[test]
fn a_payment_that_is_pending_stays_so_even_after_the_page() {
    for charge in [on_page(), at_once()] {
        for date in [SOON, LATE] {
            let report = inquired(&charge, Some(&back(&[])), &[at(date, ok("order pending"))]);
            assert_eq!(report.outcome, Outcome::Unknown);
        }
    }
}

#[test]
fn before_the_first_try_the_page_waits_and_after_its_time_it_is_over() {
    let absent = |status| at(SOON, answer(status, sample("no order")));
    for status in [400, 404] {
        assert_eq!(inquired(&on_page(), None, &[absent(status)]).outcome, open_page());
        let left = inquired(&on_page(), Some(&back(&[])), &[absent(status), ok("options")]);
        assert_eq!(left.outcome, Outcome::Canceled);
        let over = at(LATE, answer(status, sample("no order")));
        assert_eq!(inquired(&on_page(), None, &[over, ok("options")]).outcome, Outcome::Canceled);
    }
    let success = back(&[("resultIndicator", "2a14c0ffee2a14c0")]);
    assert_eq!(inquired(&on_page(), Some(&success), &[absent(404)]).outcome, Outcome::Unknown);
    assert_eq!(
        inquired(&charge("10.250", "KWD"), None, &[absent(404), ok("options")]).outcome,
        Outcome::Absent
    );
    assert_eq!(inquired(&at_once(), None, &[absent(404), ok("options")]).outcome, Outcome::Absent);
}

#[test]
fn that_there_is_no_order_counts_only_if_the_account_is_right() {
    for doubtful in
        [answer(401, sample("rejected")), answer(500, ""), answer(200, "{}"), answer(404, sample("no order"))]
    {
        let absent = answer(404, sample("no order"));
        assert_eq!(inquired(&at_once(), None, &[absent.clone(), doubtful.clone()]).outcome, Outcome::Unknown);
        let left = inquired(&on_page(), Some(&back(&[])), &[absent, doubtful]);
        assert_eq!(left.outcome, Outcome::Unknown);
    }
    for other in [
        answer(401, sample("rejected")),
        answer(403, sample("no order")),
        answer(404, "<html>"),
        answer(404, ""),
    ] {
        assert_eq!(inquired(&at_once(), None, &[other]).outcome, Outcome::Unknown);
    }
}

#[test]
fn a_payer_who_is_still_authenticated_has_not_paid_yet() {
    assert_eq!(inquired(&on_page(), None, &[at(SOON, ok("order initiated"))]).outcome, open_page());
    assert_eq!(
        inquired(&on_page(), Some(&back(&[])), &[at(SOON, ok("order initiated"))]).outcome,
        open_page()
    );
    assert_eq!(inquired(&on_page(), None, &[at(LATE, ok("order initiated"))]).outcome, Outcome::Canceled);
    assert_eq!(inquired(&at_once(), None, &[ok("order initiated")]).outcome, Outcome::Unknown);
}

#[test]
fn withdrawing_asks_how_the_charge_is() {
    let charge = on_page();
    let withdrawn = |answer| converse(bank().withdraw(&charge), &[answer]).1.outcome;
    assert_eq!(withdrawn(ok("order captured")), Outcome::Approved);
    assert_eq!(withdrawn(at(SOON, ok("order failed"))), open_page());
    assert_eq!(withdrawn(at(LATE, ok("order failed"))), Outcome::Declined);
}

#[test]
fn what_was_voided_was_paid_if_the_void_is_ours() {
    let by = |id: &str| {
        let body = changed("order voided", &[("\"id\":\"2\"", &format!("\"id\":\"{id}\""))]);
        inquired(&on_page(), None, &[answer(200, body)]).outcome
    };
    assert_eq!(by("8J4L2N6P3Q7S"), Outcome::Approved);
    assert_eq!(by("2"), Outcome::Canceled);
    assert_eq!(by("void-in-the-portal"), Outcome::Canceled);
}
