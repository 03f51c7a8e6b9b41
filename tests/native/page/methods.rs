//! Which methods a page shows, and which one is chosen.

use super::*;

#[test]
fn methods_are_shown_only_if_one_can_pay_and_the_link_back_only_if_one_cannot() {
    let mut fixture = Fixture::new(&["knet", "credit-card"], |_| ());
    for state in State::ALL {
        fixture.transaction.state = state;
        for latest in [None].into_iter().chain(Stage::ALL.map(Some)) {
            let attempt = latest.map(|stage| fixture.staged(stage));
            let shown = fixture.page(attempt.as_ref());
            assert_eq!(shown.methods.is_empty(), !shown.status.can_pay(), "{state} {latest:?}");
            let leads_back =
                shown.status.is_final() || matches!(shown.status, PageStatus::Late | PageStatus::Held);
            assert_eq!(shown.merchant_link.is_some(), leads_back, "{state} {latest:?}");
            assert!(shown.methods.iter().filter(|method| method.is_chosen).count() <= 1);
            assert!(!(shown.status.can_pay() && shown.status.is_final()));
        }
    }
}

#[test]
fn methods_are_in_the_order_of_the_request_and_none_is_chosen_where_another_costs_less() {
    let fixture = Fixture::new(&["credit-card", "cash", "knet"], |_| ());
    let shown = fixture.page(None);
    assert_eq!(codes(&shown), ["credit-card", "cash", "knet"]);
    assert!(shown.methods.iter().all(|method| !method.is_chosen));
    let shown_methods: Vec<_> = shown
        .methods
        .iter()
        .map(|method| (method.quote.total.to_string(), method.fee_label.as_deref(), method.mark))
        .collect();
    assert_eq!(
        shown_methods,
        [
            ("10.200".to_owned(), Some("Card fee"), Mark::Neutral(Icon::Card)),
            ("10.000".to_owned(), None, Mark::Neutral(Icon::Cash)),
            ("10.250".to_owned(), Some("KNET fee"), Mark::Knet),
        ]
    );
    assert!(shown.methods.iter().all(|method| !method.is_waiting) && shown.last.is_none());
}

#[test]
fn the_method_that_the_address_of_the_page_names_is_chosen() {
    let fixture = Fixture::new(&["credit-card", "cash", "knet"], |_| ());
    let failed = fixture.staged(Stage::Failed);
    let chosen = |asked, latest| {
        let shown = page(PageScene { asked, ..fixture.scene(latest, None) });
        let chosen: Vec<_> = shown.methods.into_iter().filter(|method| method.is_chosen).collect();
        assert!(chosen.len() <= 1);
        chosen.into_iter().next().map(|method| method.code)
    };
    assert_eq!(chosen(Some("cash"), None).as_deref(), Some("cash"));
    assert_eq!(chosen(Some("knet"), Some(&failed)).as_deref(), Some("knet"));
    for unknown in ["mpgs", "", "CASH", "\"><script>"] {
        assert_eq!(chosen(Some(unknown), None), None, "{unknown}");
    }
}

#[test]
fn the_first_method_is_chosen_if_none_costs_less() {
    for (codes, chosen) in [
        (["mpgs", "cash", "knet"].as_slice(), Some("mpgs")),
        (&["credit-card", "knet"], Some("credit-card")),
        (&["knet", "credit-card"], None),
        (&["knet"], Some("knet")),
    ] {
        let shown = Fixture::new(codes, |_| ()).page(None);
        let is_chosen = shown.methods.iter().find(|method| method.is_chosen);
        assert_eq!(is_chosen.map(|method| method.code.as_str()), chosen, "{codes:?}");
    }
}

#[test]
fn where_any_amount_may_be_typed_the_first_method_is_chosen_only_if_it_never_costs_more() {
    let editable = |codes: &[&str]| {
        let mut fixture = Fixture::new(codes, |_| ());
        fixture.transaction.details.is_amount_editable = true;
        let shown = fixture.page(None);
        assert!(shown.amount_field.is_some());
        shown.methods.iter().any(|method| method.is_chosen)
    };
    assert!(!editable(&["credit-card", "knet"]), "2 % are less than 0.250 only of small amounts");
    assert!(editable(&["mpgs", "knet"]));
}

#[test]
fn the_method_tried_last_is_chosen_and_the_one_that_waits_says_so() {
    let fixture = Fixture::new(&["knet", "credit-card"], |_| ());
    for stage in ENDED.into_iter().chain([Stage::Redirected]) {
        let mut attempt = fixture.staged(stage);
        attempt.pg_code = checkout_core::value::id::PgCode::parse("credit-card").unwrap();
        let shown = fixture.page(Some(&attempt));
        let is_waiting = stage == Stage::Redirected;
        let shown_methods: Vec<_> =
            shown.methods.iter().map(|m| (m.code.as_str(), m.is_chosen, m.is_waiting)).collect();
        assert_eq!(shown_methods, [("knet", false, false), ("credit-card", true, is_waiting)], "{stage}");
    }
}

#[test]
fn a_method_that_was_taken_away_is_neither_shown_nor_chosen() {
    let mut fixture = Fixture::new(&["knet", "credit-card"], |_| ());
    Rc::make_mut(&mut fixture.situation.settings).gateways.retain(|profile| profile.code.as_str() != "knet");
    let shown = fixture.page(Some(&fixture.staged(Stage::Failed)));
    assert_eq!(
        shown.methods.iter().map(|m| (m.code.as_str(), m.is_chosen)).collect::<Vec<_>>(),
        [("credit-card", true)]
    );
    assert_eq!(shown.last.unwrap().method, "kpay", "the receipt still names the gateway");
}

#[test]
fn while_the_only_attempt_of_a_gateway_waits_no_other_method_is_shown() {
    let fixture = Fixture::new(&["single", "knet"], |_| ());
    assert_eq!(codes(&fixture.page(Some(&fixture.attempt))), ["single"]);
    assert_eq!(codes(&fixture.page(None)), ["single", "knet"]);
}
