use super::*;
use crate::gateway::listing::{ListedSums, Period};
use crate::testing::gateway::OPENED_AT;
use crate::value::money::Money;
use crate::value::time::Timestamp;

fn list_of(name: &str, items: &[String], has_more: bool) -> String {
    format!(r#"{{"object":"list","has_more":{has_more},"{name}":[{}]}}"#, items.join(","))
}

fn other(place: u8) -> String {
    item("charge", "CAPTURED", "").replace(REFERENCE, "OTHERREFEREN").replace(CHARGE, &format!("chg_{place}"))
}

fn period() -> Period {
    let from = Timestamp::from_millis(OPENED_AT);
    Period { from, to: from.plus(core::time::Duration::from_hours(1)) }
}

#[test]
fn a_charge_whose_answer_was_lost_is_found_on_the_list() {
    let lost = charge("10.250", "KWD");
    let ours = item("charge", "INITIATED", "");
    let tap = tap();
    let pages = [
        answer(200, list_of("charges", &[other(1), other(2)], true)),
        answer(200, list_of("charges", &[other(3), ours], false)),
    ];
    let (requests, report) = converse(tap.inquire(&lost, None), &pages);
    assert_request("search", &requests[0]);
    assert_request("search, next page", &requests[1]);
    assert!(matches!(report.outcome, Outcome::Open { .. }), "{report:?}");
    assert_eq!(report.gateway_id.as_deref(), Some(CHARGE));
    let held = ChargeRef { operation: ChargeOperation::Authorize, ..lost };
    for name in ["authorizes", "authorizations", "authorize"] {
        let page = list_of(name, &[item("authorize", "AUTHORIZED", "")], false);
        let (requests, report) = converse(tap.inquire(&held, None), &[answer(200, page)]);
        assert!(requests[0].url.ends_with("/v2/authorize/list"));
        assert_eq!(report.outcome, Outcome::Approved, "{name}");
    }
}

#[test]
fn a_charge_is_absent_only_if_the_list_is_whole() {
    let lost = charge("10.250", "KWD");
    let tap = tap();
    let more = answer(200, list_of("charges", &[other(1)], true));
    for (answers, outcome) in [
        (alloc::vec![answer(200, list_of("charges", &[], false))], Outcome::Absent),
        (alloc::vec![answer(200, list_of("charges", &[other(1)], false))], Outcome::Absent),
        (alloc::vec![answer(400, NOTHING)], Outcome::Absent),
        (alloc::vec![answer(400, REFUSED)], Outcome::Unknown),
        (alloc::vec![answer(404, "")], Outcome::Unknown),
        (alloc::vec![answer(500, "")], Outcome::Unknown),
        (alloc::vec![answer(200, "{}")], Outcome::Unknown),
        (alloc::vec![answer(200, r#"{"charges":[]}"#)], Outcome::Unknown),
        (alloc::vec![answer(200, list_of("refunds", &[], false))], Outcome::Unknown),
        (alloc::vec![answer(200, list_of("charges", &["{}".into()], false))], Outcome::Unknown),
        (alloc::vec![answer(200, list_of("charges", &[], true))], Outcome::Unknown),
        (alloc::vec![more.clone(), more.clone(), more], Outcome::Unknown),
    ] {
        assert_eq!(converse(tap.inquire(&lost, None), &answers).1.outcome, outcome, "{answers:?}");
    }
}

#[test]
fn charges_are_listed_and_then_authorisations_without_captures_and_those_of_others() {
    let tap = tap();
    let capture = item("charge", "CAPTURED", "").replace(r#""till":"charge""#, r#""till":"capture""#);
    let foreign = item("charge", "CAPTURED", "").replace(r#""till":"charge""#, r#""udf1":"x""#);
    let page = list_of("charges", &[capture, item("charge", "CAPTURED", ""), foreign], true);
    let list =
        |cursor, page: String| converse(tap.list_charges(period(), cursor).unwrap(), &[answer(200, page)]);
    let (requests, page) = list(None, page);
    assert_request("list", &requests[0]);
    let page = page.unwrap();
    let [listed] = page.charges.as_slice() else { panic!("{page:?}") };
    assert_eq!((listed.report.reference.as_str(), &listed.report.outcome), (REFERENCE, &Outcome::Approved));
    assert_eq!((listed.sums, page.next.as_deref()), (ListedSums::default(), Some(CHARGE)));
    let (requests, page) = list(Some(CHARGE), list_of("charges", &[], false));
    assert_request("list, next page", &requests[0]);
    assert_eq!(page.unwrap().next.as_deref(), Some("authorizations"));
    let amount = money("10.250", "KWD");
    let zero = Some(Money::zero(amount.currency()));
    for (status, sums) in [
        ("AUTHORIZED", ListedSums { captured: zero, refunded: zero, voided: zero }),
        ("VOID", ListedSums { captured: zero, refunded: zero, voided: Some(amount) }),
        ("CAPTURED", ListedSums::default()),
    ] {
        let page = list_of("authorizes", &[item("authorize", status, "")], false);
        let (requests, page) = list(Some("authorizations"), page);
        assert!(requests[0].url.ends_with("/v2/authorize/list"));
        let page = page.unwrap();
        assert_eq!((page.charges[0].sums, page.next), (sums, None), "{status}");
        assert_eq!(page.charges[0].report.outcome, Outcome::Approved, "{status}");
    }
}

#[test]
fn a_page_that_cannot_be_read_is_none() {
    let tap = tap();
    let page =
        |status, body: &str| converse(tap.list_charges(period(), None).unwrap(), &[answer(status, body)]).1;
    for body in [
        String::new(),
        "{}".into(),
        list_of("charges", &["{}".into()], false),
        list_of("charges", &[], true),
        r#"{"charges":[]}"#.into(),
    ] {
        assert_eq!(page(200, &body), None, "{body}");
    }
    assert_eq!(page(500, &list_of("charges", &[], false)), None);
    assert_eq!(page(400, REFUSED), None);
    assert!(page(400, NOTHING).unwrap().charges.is_empty());
    assert_eq!(tap.list_charges(period(), Some("elsewhere")).unwrap().done(), Some(None));
}
