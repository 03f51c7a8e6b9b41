//! What did not succeed: declines with their reasons, and what is not certain.

use checkout_core::gateway::charge::{Opened, Outcome, Report};
use checkout_core::gateway::exchange::Returned;
use checkout_core::testing::gateway::{answer, money};

use super::{LATE, SOON, at, at_once, changed, inquired, ok, on_page, open_page, paid, reported, sample};

const REASONS: &[(&str, &str)] = &[
    ("DECLINED", "do_not_honor"),
    ("DECLINED_AVS", "wrong_address"),
    ("DECLINED_CSC", "wrong_security_code"),
    ("DECLINED_AVS_CSC", "wrong_security_code"),
    ("DECLINED_DO_NOT_CONTACT", "not_permitted"),
    ("DECLINED_INVALID_PIN", "wrong_pin"),
    ("DECLINED_PIN_REQUIRED", "authentication_required"),
    ("DECLINED_PAYMENT_PLAN", "not_permitted"),
    ("EXPIRED_CARD", "expired_card"),
    ("INSUFFICIENT_FUNDS", "insufficient_funds"),
    ("INVALID_CSC", "wrong_security_code"),
    ("REFERRED", "contact_issuer"),
    ("BLOCKED", "suspected_fraud"),
    ("CANCELLED", "canceled_by_payer"),
    ("ABORTED", "canceled_by_payer"),
    ("NOT_SUPPORTED", "not_permitted"),
    ("AUTHENTICATION_FAILED", "authentication_failed"),
    ("NOT_ENROLLED_3D_SECURE", "not_permitted"),
    ("EXCEEDED_RETRY_LIMIT", "limit_exceeded"),
    ("NO_BALANCE", "insufficient_funds"),
];

/// What is certain only once the order is called failed.
const DOUBTFUL: &[(&str, &str)] = &[
    ("TIMED_OUT", "technical_error"),
    ("ACQUIRER_SYSTEM_ERROR", "technical_error"),
    ("SYSTEM_ERROR", "technical_error"),
    ("UNSPECIFIED_FAILURE", "technical_error"),
    ("LOCK_FAILURE", "technical_error"),
    ("DUPLICATE_BATCH", "technical_error"),
    ("NEW_CODE", "other"),
];

fn reason(report: &Report) -> (&Outcome, Option<&str>, Option<&str>) {
    let param = |name| report.params.get(name).map(String::as_str);
    (&report.outcome, param("decline_reason"), param("decline_code"))
}

#[test]
fn each_code_that_declines_has_its_reason() {
    for (code, word) in REASONS {
        let report = reported(paid(201, changed("pay declined", &[("INSUFFICIENT_FUNDS", code)])));
        assert_eq!(reason(&report), (&Outcome::Declined, Some(*word), Some(*code)));
        assert_eq!((report.total, report.reference.as_str()), (Some(money("10.250", "KWD")), "7H3K9M2P4Q5R"));
        assert_eq!(report.params.get("result").map(String::as_str), Some("NOT CAPTURED"));
    }
}

#[test]
fn a_failure_that_is_not_certain_is_asked_about() {
    for (code, word) in DOUBTFUL {
        let body = changed("pay declined", &[("INSUFFICIENT_FUNDS", code)]);
        assert_eq!(reported(paid(201, body)).outcome, Outcome::Unknown, "{code}");
        let body = changed("order failed", &[("EXPIRED_CARD", code)]);
        let report = inquired(&at_once(), None, &[answer(200, body.clone())]);
        assert_eq!(reason(&report), (&Outcome::Declined, Some(*word), Some(*code)));
        let body = body.replace("\"status\":\"FAILED\"", "\"status\":\"NEW_WORD\"");
        assert_eq!(inquired(&at_once(), None, &[answer(200, body)]).outcome, Outcome::Unknown);
    }
}

#[test]
fn a_decline_carries_the_words_of_the_bank() {
    let report = reported(paid(201, sample("pay declined")));
    assert_eq!(report.message.as_deref(), Some("Insufficient funds"));
    assert_eq!(report.params.get("decline_advice").map(String::as_str), Some("other_card"));
    let silent = changed("pay declined", &[("\"acquirerMessage\":\"Insufficient funds\",", "")]);
    assert_eq!(reported(paid(201, silent)).message.as_deref(), Some("INSUFFICIENT_FUNDS"));
}

#[test]
fn while_the_payer_may_try_again_a_failure_is_not_the_end() {
    for (name, word) in
        [("order failed", "expired_card"), ("order not authenticated", "authentication_failed")]
    {
        assert_eq!(inquired(&on_page(), None, &[at(SOON, ok(name))]).outcome, open_page(), "{name}");
        assert_eq!(inquired(&on_page(), None, &[ok(name)]).outcome, open_page(), "{name}");
        let left = Returned::default();
        for report in [
            inquired(&on_page(), Some(&left), &[at(SOON, ok(name))]),
            inquired(&on_page(), None, &[at(LATE, ok(name))]),
            inquired(&at_once(), None, &[ok(name)]),
        ] {
            assert_eq!((&report.outcome, reason(&report).1), (&Outcome::Declined, Some(word)), "{name}");
            assert_eq!(report.gateway_id, None, "the page has the same session if it is paid after all");
        }
    }
}

#[test]
fn an_order_that_failed_without_an_amount_is_unknown() {
    let body = changed("order failed", &[("\"amount\":10.250,", "")]);
    assert_eq!(inquired(&at_once(), None, &[answer(200, body)]).outcome, Outcome::Unknown);
    // Nothing was taken, so the order may say zero.
    let body =
        changed("order failed", &[("{\"amount\":10.250,\"creationTime\"", "{\"amount\":0,\"creationTime\"")]);
    let report = inquired(&at_once(), None, &[answer(200, body)]);
    assert_eq!((report.outcome, report.total), (Outcome::Declined, Some(money("10.250", "KWD"))));
}

#[test]
fn what_the_risk_rules_reject_is_declined_once_it_is_reversed() {
    let rejected = [(
        "\"gatewayEntryPoint\"",
        "\"risk\":{\"response\":{\"gatewayCode\":\"REJECTED\"}},\"gatewayEntryPoint\"",
    )];
    let captured = changed("order captured", &rejected);
    assert_eq!(inquired(&at_once(), None, &[answer(200, captured)]).outcome, Outcome::Unknown);
    assert_eq!(reported(paid(201, changed("pay approved", &rejected))).outcome, Outcome::Unknown);
    let report = inquired(&at_once(), None, &[answer(200, changed("order voided", &rejected))]);
    assert_eq!(reason(&report), (&Outcome::Declined, Some("suspected_fraud"), Some("REJECTED")));
}

#[test]
fn a_refused_request_charged_nothing_and_any_other_error_may_have() {
    let refused = |status, name| match paid(status, sample(name)) {
        Opened::Refused { message } => Some(message),
        Opened::Reported(report) => {
            assert_eq!(report.outcome, Outcome::Unknown, "{status} {name}");
            None
        }
    };
    assert_eq!(refused(400, "invalid"), Some(Some("INVALID_REQUEST: order.amount".into())));
    assert_eq!(refused(401, "rejected"), Some(Some("REQUEST_REJECTED".into())));
    assert_eq!(refused(403, "rejected"), Some(Some("REQUEST_REJECTED".into())));
    for status in [0, 100, 200, 201, 202, 204, 301, 408, 409, 425, 429, 500, 502, 503, 504, 599] {
        assert_eq!(refused(status, "invalid"), None, "{status}");
    }
    for status in [400, 401, 500, 503] {
        for name in ["busy", "failed", "pay approved", "pay declined", "options"] {
            assert_eq!(refused(status, name), None, "{status} {name}");
        }
    }
}
