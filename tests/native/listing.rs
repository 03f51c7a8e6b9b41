//! The listing of a merchant's transactions, with the ports in memory.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::access::Caller;
use checkout_core::access::operator::ROOT;
use checkout_core::flow::merchant::list::list;
use checkout_core::flow::merchant::operate::{OperationInput, operate};
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::operator::merchant::add_merchant;
use checkout_core::record::audit::{Actor, ActorKind};
use checkout_core::rejection::Rejection;
use checkout_core::route::Route;
use checkout_core::state::State;
use checkout_core::transaction::listing::Maker;
use checkout_core::value::id::SessionId;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

fn page(shop: &Shop, query: &str) -> Value {
    let body = block_on(list(&shop.world, &shop.private(), query)).unwrap();
    serde_json::from_str(&body).unwrap()
}

fn rejection(shop: &Shop, caller: &Caller, query: &str) -> Rejection {
    refused(block_on(list(&shop.world, caller, query)))
}

fn results(page: &Value) -> &[Value] {
    page.get("results").and_then(Value::as_array).unwrap()
}

fn ids(page: &Value) -> Vec<String> {
    results(page).iter().map(|result| text(result, "session_id").unwrap().to_owned()).collect()
}

fn names(expected: &[&SessionId]) -> Vec<String> {
    expected.iter().map(ToString::to_string).collect()
}

/// Another merchant of the same installation.
fn stranger(shop: &Shop) -> Caller {
    let settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    let body = json!({"merchant_id": "stranger", "settings": settings}).to_string();
    let secrets = block_on(add_merchant(&shop.world, &ROOT, body.as_bytes())).unwrap();
    shop.holder(&secrets.private_key)
}

#[test]
fn the_words_of_the_filter_are_those_of_the_states() {
    assert!(State::ALL.into_iter().map(State::as_str).eq(State::WORDS.iter().copied()));
}

#[test]
fn a_listing_shows_each_transaction_as_retrieving_does() {
    let shop = Shop::open(1);
    let mut wanted = Vec::new();
    for code in ["knet", "mpgs", "cash", "credit-card"] {
        let session_id = shop.create(&order(&[code]));
        if code == "credit-card" {
            let reference = shop.pay_to_page(&session_id, code);
            shop.bank.approve(reference.as_str());
            shop.come_back(&reference).unwrap();
        } else if code != "mpgs" {
            let _ = shop.pay(&session_id, code).unwrap();
        }
        shop.wait(1);
        wanted.insert(0, session_id);
    }
    let retrieved: Vec<String> =
        wanted.iter().map(|id| block_on(retrieve(&shop.world, &shop.private(), id)).unwrap().body).collect();
    assert!(retrieved.iter().any(|body| body.contains(r#""receipt":""#)), "one of them has ended");
    let body = block_on(list(&shop.world, &shop.private(), "")).unwrap();
    assert_eq!(body, format!(r#"{{"results":[{}],"next":null}}"#, retrieved.join(",")));
}

#[test]
fn an_empty_listing_has_no_results_and_no_cursor() {
    assert_eq!(page(&Shop::open(2), ""), json!({"results": [], "next": null}));
}

#[test]
fn pages_follow_by_cursor_until_there_is_no_more() {
    let shop = Shop::open(3);
    // Several within a second, several within a millisecond.
    let mut made: Vec<_> = (0..45)
        .map(|number| {
            if number % 4 == 0 {
                shop.wait(1);
            }
            shop.create(&order(&["knet"]))
        })
        .collect();
    let (mut found, mut query, mut sizes) = (Vec::new(), String::new(), Vec::new());
    loop {
        let listed = page(&shop, &query);
        sizes.push(results(&listed).len());
        found.extend(ids(&listed));
        let Some(next) = text(&listed, "next") else { break };
        query = format!("cursor={next}");
        shop.wait(1);
        let _newer = shop.create(&order(&["knet"]));
    }
    assert_eq!(sizes, [20, 20, 5]);
    made.sort_by_key(|id| (shop.transaction(id).created_at, id.clone()));
    made.reverse();
    assert_eq!(found, names(&made.iter().collect::<Vec<_>>()));
}

#[test]
fn a_page_that_is_just_full_has_no_cursor() {
    let shop = Shop::open(4);
    for _ in 0..3 {
        let _ = shop.create(&order(&["knet"]));
    }
    assert_eq!(text(&page(&shop, "limit=3"), "next"), None);
    assert!(text(&page(&shop, "limit=2"), "next").is_some());
}

#[test]
fn a_transaction_past_its_time_is_listed_as_expired_before_that_is_stored() {
    let shop = Shop::open(5);
    let mut short = order(&["knet"]);
    short["expiration_time"] = json!("00:01:00");
    let over = shop.create(&short);
    let waiting = shop.create(&short);
    let _ = shop.pay_to_page(&waiting, "knet");
    shop.wait(59);
    assert_eq!(ids(&page(&shop, "state=created")), names(&[&over]));
    assert_eq!(ids(&page(&shop, "state=expired")), names(&[]));
    shop.wait(1);
    let expired = page(&shop, "state=expired");
    assert_eq!(ids(&expired), names(&[&over]));
    assert_eq!(results(&expired).first().and_then(|result| text(result, "state")), Some("expired"));
    assert_eq!(shop.state(&over), "created");
    assert_eq!(ids(&page(&shop, "state=created,attempted")), names(&[]));
    assert_eq!(ids(&page(&shop, "state=pending")), names(&[&waiting]));
    let _ = shop.sweep();
    assert_eq!(shop.state(&over), "expired");
    assert!(ids(&page(&shop, "state=expired")).contains(&over.to_string()));
}

#[test]
fn filters_are_joined() {
    let shop = Shop::open(6);
    let create = |order_no: &str, customer_id: &str| {
        let mut body = order(&["knet"]);
        body["order_no"] = json!(order_no);
        body["customer_id"] = json!(customer_id);
        shop.wait(60);
        shop.create(&body)
    };
    let (first, second, third) = (create("A-1", "sara"), create("A-1", "nour"), create("B/2 é", "sara"));
    assert_eq!(ids(&page(&shop, "order_no=A-1")), names(&[&second, &first]));
    assert_eq!(ids(&page(&shop, "customer_id=sara")), names(&[&third, &first]));
    assert_eq!(ids(&page(&shop, "customer_id=sara&order_no=A-1&state=created")), names(&[&first]));
    assert_eq!(ids(&page(&shop, "customer_id=sara&state=paid")), names(&[]));
    assert_eq!(ids(&page(&shop, "order_no=B%2F2+%C3%A9")), names(&[&third]));
    assert_eq!(ids(&page(&shop, "created_from=2026-01-01T00:02:00Z")), names(&[&third, &second]));
    assert_eq!(ids(&page(&shop, "created_to=2026-01-01T00:02:00Z")), names(&[&second, &first]));
    assert_eq!(ids(&page(&shop, "created_from=2026-01-01&created_to=2026-01-01")).len(), 3);
    assert_eq!(ids(&page(&shop, "created_from=2026-01-02")), names(&[]));
    assert_eq!(ids(&page(&shop, "created_to=2025-12-31")), names(&[]));
}

#[test]
fn what_became_of_a_payment_narrows_a_listing() {
    let shop = Shop::open(9);
    let unpaid = shop.create(&order(&["knet"]));
    shop.wait(60);
    let paid = shop.create(&order(&["credit-card", "knet"]));
    shop.wait(60);
    let reference = shop.pay_to_page(&paid, "credit-card");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let _ = shop.pay_to_page(&unpaid, "knet");
    let key: String = shop.secret("private_key").chars().take(8).collect();
    let cases: [(&str, &[&SessionId]); 11] = [
        ("pg_code=credit-card", &[&paid]),
        ("pg_code=knet", &[&unpaid]),
        ("pg_code=cash", &[]),
        ("paid_from=2026-01-01T00:02:00Z", &[&paid]),
        ("paid_to=2026-01-01T00:01:59Z", &[]),
        ("paid_from=2026-01-01&created_to=2026-01-01T00:00:59Z", &[]),
        ("type=e_commerce", &[&paid, &unpaid]),
        ("type=payment_request", &[]),
        ("currency=KWD&amount=10&has_refund=false", &[&paid, &unpaid]),
        ("currency=USD", &[]),
        (&format!("made_by=key:{key}"), &[&paid, &unpaid]),
    ];
    for (query, wanted) in cases {
        assert_eq!(ids(&page(&shop, query)), names(wanted), "{query}");
    }
    do_to(&shop, &paid, "refund");
    assert_eq!(ids(&page(&shop, "has_refund=true")), names(&[&paid]));
    assert_eq!(ids(&page(&shop, "has_refund=false")), names(&[&unpaid]));
    let first = page(&shop, "limit=1&type=e_commerce");
    let cursor = text(&first, "next").unwrap();
    assert_eq!(ids(&page(&shop, &format!("limit=1&type=e_commerce&cursor={cursor}"))), names(&[&unpaid]));
}

fn do_to(shop: &Shop, session_id: &SessionId, operation: &str) {
    let body = json!({"session_id": session_id.as_str(), "operation": operation, "amount": "1"}).to_string();
    let (tracking_key, idempotency_key) = (None, None);
    let input =
        OperationInput { caller: shop.private(), tracking_key, idempotency_key, body: body.as_bytes() };
    let _ = block_on(operate(&shop.world, input)).unwrap();
}

#[test]
fn a_period_of_payment_is_about_the_moment_that_is_shown() {
    let shop = Shop::open(10);
    let pay = |code: &str| {
        let session_id = shop.create(&order(&[code]));
        shop.wait(60);
        let reference = shop.pay_to_page(&session_id, code);
        shop.bank.approve(reference.as_str());
        shop.wait(60);
        shop.come_back(&reference).unwrap();
        shop.wait(60);
        session_id
    };
    let (bought, held) = (pay("credit-card"), pay("mpgs"));
    assert_eq!(ids(&page(&shop, "paid_from=2026-01-01")), names(&[&bought]), "held money is not paid");
    for _ in 0..2 {
        do_to(&shop, &held, "capture");
        shop.wait(60);
    }
    for session_id in [&bought, &held] {
        let body = block_on(retrieve(&shop.world, &shop.private(), session_id)).unwrap().body;
        let shown: Value = serde_json::from_str(&body).unwrap();
        let paid_at = text(&shown, "paid_at").unwrap();
        assert_eq!(
            ids(&page(&shop, &format!("paid_from={paid_at}&paid_to={paid_at}"))),
            names(&[session_id])
        );
    }
    assert_eq!(ids(&page(&shop, "paid_from=2026-01-01")), names(&[&held, &bought]));
}

#[test]
fn two_merchants_never_see_each_others_transactions() {
    let shop = Shop::open(7);
    let stranger = stranger(&shop);
    for _ in 0..3 {
        let _ = shop.create(&order(&["knet"]));
    }
    let mine = page(&shop, "limit=2");
    let cursor = text(&mine, "next").unwrap();
    for query in ["", "state=created", "order_no=A-1", "limit=100", "created_from=2026-01-01"] {
        let theirs = block_on(list(&shop.world, &stranger, query)).unwrap();
        assert_eq!(theirs, r#"{"results":[],"next":null}"#, "{query}");
    }
    let foreign = rejection(&shop, &stranger, &format!("cursor={cursor}"));
    assert_eq!(foreign, rejection(&shop, &stranger, "cursor=nonsense"));
    assert_eq!(foreign.code(), "invalid_fields");
}

#[test]
fn listing_needs_a_private_key() {
    let shop = Shop::open(8);
    let call = |authorization: Option<&str>| shop.identify(authorization, &Route::ListTransactions);
    assert_eq!(call(Some(&shop.authorization("public_key"))), Err(Rejection::PrivateKeyRequired));
    assert_eq!(call(None), Err(Rejection::CredentialsMissing));
}

#[test]
fn who_made_a_payment_is_only_recorded_if_it_can_be_read_again() {
    let long = "7".repeat(300);
    for kind in [ActorKind::Key, ActorKind::User, ActorKind::Operator] {
        for id in ["", "7", "kL9mN2pQ", "a:b", "a b", long.as_str()] {
            let actor = Actor { kind, id: id.into(), name: None, role: None };
            if let Some(maker) = Maker::of(&actor) {
                assert_eq!(Maker::parse(&maker.to_string()), Some(maker));
            }
        }
    }
    let unnamed = Actor { kind: ActorKind::Key, id: String::new(), name: None, role: None };
    assert_eq!(Maker::of(&unnamed), None);
}
