//! The table of routes is read in both directions.

use alloc::collections::BTreeSet;
use alloc::string::ToString;

use super::*;

/// A route of every endpoint, with each of its methods.
fn every_route() -> Vec<(&'static str, Route)> {
    let operators = OperatorRoute::ENDPOINTS.iter().map(|endpoint| endpoint.methods);
    let methods = Route::ENDPOINTS.iter().map(|endpoint| endpoint.methods).chain(operators);
    let routes =
        Route::examples().into_iter().chain(OperatorRoute::examples().into_iter().map(Route::Operator));
    methods
        .zip(routes)
        .flat_map(|(methods, route)| methods.iter().map(move |method| (*method, route.clone())))
        .collect()
}

#[test]
fn every_route_is_found_at_its_own_path_with_and_without_a_trailing_slash() {
    assert_eq!(Route::examples().len(), Route::ENDPOINTS.len());
    for (method, route) in every_route() {
        let path = route.path();
        assert_eq!(find(method, &path), Match::Route(route.clone()), "{path}");
        assert_eq!(find(method, path.trim_end_matches('/')), Match::Route(route), "{path}");
    }
}

#[test]
fn every_other_path_of_an_endpoint_means_the_same() {
    assert_eq!(find("POST", "/b/pbl/v2/cash-payment/"), Match::Route(Route::PayInCash));
    let listed = Route::ENDPOINTS.iter().filter(|endpoint| endpoint.paths.len() > 1);
    assert_eq!(listed.map(|endpoint| endpoint.facts.name).collect::<Vec<_>>(), ["pay_in_cash"]);
}

#[test]
fn no_two_endpoints_answer_one_method_on_one_pattern_and_only_the_ways_back_share_a_name() {
    let (mut patterns, mut names) = (BTreeSet::new(), BTreeSet::new());
    let operators = OperatorRoute::ENDPOINTS.iter().map(|one| (one.paths, one.methods, one.facts));
    for (paths, methods, facts) in
        Route::ENDPOINTS.iter().map(|one| (one.paths, one.methods, one.facts)).chain(operators)
    {
        for (path, method) in paths.iter().flat_map(|path| methods.iter().map(move |method| (path, method))) {
            assert!(patterns.insert((path, method)), "{method} {path}");
            assert!(METHODS.contains(method), "{method}");
        }
        assert!(names.insert(facts.name) || facts.name == "gateway_return", "{}", facts.name);
    }
}

#[test]
fn what_is_known_of_a_route_is_what_its_line_says() {
    for (endpoint, route) in Route::ENDPOINTS.iter().zip(Route::examples()) {
        assert_eq!(endpoint.facts, route.facts());
        assert_eq!(
            route.facts().origins == Origins::OfAddress,
            route.called_from_pages_of().is_some(),
            "{route:?}"
        );
    }
}

#[test]
fn each_audience_has_actions_of_its_own() {
    let of_operators = [Action::ReadInstallation, Action::Support, Action::Administer];
    let common = [Action::UseSession, Action::Anything];
    for (_, route) in every_route() {
        let EndpointFacts { audience, action, .. } = route.facts();
        let is_own = match audience {
            EndpointAudience::Merchant => !common.contains(&action) && !of_operators.contains(&action),
            EndpointAudience::Operator => of_operators.contains(&action),
            EndpointAudience::Page | EndpointAudience::Payer => {
                matches!(action, Action::UseSession | Action::Anything)
            }
            EndpointAudience::Gateway | EndpointAudience::Public => action == Action::Anything,
        };
        assert!(is_own, "{route:?} is {action:?} for {audience:?}");
    }
}

#[test]
fn what_anyone_may_do_is_listed_here() {
    let mut open: Vec<_> = Route::ENDPOINTS.iter().map(|endpoint| endpoint.facts).collect();
    open.retain(|facts| facts.action == Action::Anything);
    let names: Vec<_> = open.iter().map(|facts| facts.name).collect();
    let wanted = [
        "download_attachment",
        "image",
        "apple_domain_file",
        "short_link",
        "qr_code",
        "gateway_return",
        "gateway_return",
        "gateway_forward",
        "gateway_callback",
        "account_callback",
        "message_report",
        "policy_report",
        "receipt",
        "receipt_code",
        "public_keys",
        "problem",
        "give_token",
        "health",
    ];
    assert_eq!(names, wanted, "adding one here decides that no caller is asked for credentials");
}

#[test]
fn a_wrong_method_names_the_right_ones() {
    let wrong = |method: &str, path: &str| match find(method, path) {
        Match::WrongMethod { allow } => allow,
        other @ (Match::Route(_) | Match::Nothing) => panic!("{other:?}"),
    };
    assert_eq!(wrong("PUT", "/b/checkout/v1/pymt-txn"), "GET, POST");
    assert_eq!(wrong("BREW", "/healthz/"), "GET");
    let session = Route::RetrieveTransaction(SessionId::generate(0, [7; 19]));
    assert_eq!(wrong("DELETE", &session.path()), "GET, PUT, PATCH");
    assert_eq!(wrong("GET", "/b/checkout/api/sdk/v1/submit-token/"), "POST, OPTIONS");
}

#[test]
fn a_malformed_id_is_an_address_that_does_not_exist() {
    assert_eq!(find("GET", "/b/checkout/v1/pymt-txn/nonsense/"), Match::Nothing);
    assert_eq!(find("GET", "/b/checkout/v1/pymt-txn/a/b"), Match::Nothing);
    assert_eq!(find("GET", "/"), Match::Nothing);
    assert_eq!(find("DELETE", "/b/checkout/v1/pymt-txn/nonsense/"), Match::Nothing);
    assert_eq!(find("POST", "/b/checkout/"), Match::Nothing, "no short code has this form");
}

#[test]
fn a_malformed_token_is_as_good_as_none() {
    let path = "/b/gw/v1/return/7H3K9M2P4Q5R/nonsense/".to_string();
    let Match::Route(Route::GatewayReturn(_, token)) = find("GET", &path) else { panic!("{path}") };
    assert_eq!(token, None);
}
