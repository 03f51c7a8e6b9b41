//! The list of payments.

use checkout_core::gateway::charge::Outcome;
use checkout_core::gateway::listing::{ChargePage, Period};
use checkout_core::testing::gateway::{OPENED_AT, REFERENCE, money};
use checkout_core::value::time::Timestamp;
use serde_json::json;

use super::*;

fn period() -> Period {
    let from = Timestamp::from_millis(OPENED_AT);
    Period { from, to: from.plus(std::time::Duration::from_hours(1)) }
}

fn listed(cursor: Option<&str>, answered: Incoming) -> Option<ChargePage> {
    converse(shop().list_charges(period(), cursor).unwrap(), &[answered]).1
}

#[test]
fn a_page_has_our_payments_with_their_sums() {
    let page = listed(None, says("search")).unwrap();
    assert_eq!(page.next.as_deref(), Some("nGd7-altGkOfSl3fJptLxA?token=MTc0MDUwMjE2MjQxOA"));
    let [captured, voided] = page.charges.as_slice() else { panic!("{:?}", page.charges) };
    for charge in [captured, voided] {
        assert_eq!(
            (charge.report.outcome.clone(), charge.report.reference.as_str()),
            (Outcome::Approved, REFERENCE)
        );
        assert_eq!(charge.report.total, Some(money("10.250", "KWD")));
    }
    assert_eq!(captured.sums.captured, Some(money("10.250", "KWD")));
    assert_eq!(captured.sums.refunded, Some(money("4.000", "KWD")));
    assert_eq!(voided.sums.voided, Some(money("10.250", "KWD")));
    let last = listed(page.next.as_deref(), says("search: last page")).unwrap();
    assert_eq!(last, ChargePage { charges: Vec::new(), next: None });
}

#[test]
fn a_page_that_cannot_be_read_is_none() {
    let mut broken = sample("search");
    broken["data"][0]["amount"] = json!("10250");
    for answered in [
        answer(200, broken.to_string()),
        answer(200, "{}"),
        answer(500, sample("search").to_string()),
        says_with("search", "/_links/next/href", json!("https://evil.example/")),
        says_with("search", "/_links/next/href", json!("https://x/payments/search/../../payments")),
    ] {
        assert_eq!(listed(None, answered), None);
    }
    for cursor in ["", "../payments", "a b", "a#b", "a/b"] {
        assert_eq!(shop().list_charges(period(), Some(cursor)).unwrap().done(), Some(None), "{cursor}");
    }
}
