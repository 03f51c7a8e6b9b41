//! Who may not manage cards learns no token of a customer's card and deletes none, while the payer still pays with them.

use checkout_core::api::pay::PayForm;
use checkout_core::checkout::page::{PageView, TransactionPage};
use checkout_core::flow::card::delete_of_payer;
use checkout_core::flow::merchant::create::{CreateInput, create};
use checkout_core::flow::merchant::update::{self, Extent, update};
use checkout_core::flow::payer::open_page::{Viewer, Visit, open_page};
use checkout_core::flow::payer::pay::pay;
use checkout_core::flow::sdk;
use checkout_core::value::id::SessionId;
use checkout_tests::shop::{form, order, refused, text};

use super::*;

const CREATES: [&str; 3] =
    ["Can add e-commerce payments", "Can change e-commerce payments", "Can use credit-card"];

fn body(customer: &str) -> Value {
    let mut body = order(&["credit-card"]);
    let members = body.as_object_mut().unwrap();
    members.insert("customer_id".into(), customer.into());
    members.insert("include_sdk_setup_preload".into(), true.into());
    body
}

/// A customer with a saved card; its token.
fn saved(shop: &Shop, customer: &str) -> String {
    let session_id = shop.create(&body(customer));
    let chosen = json!({"pg_code": "credit-card", "save_card": true}).to_string();
    block_on(sdk::submit(&shop.world, &session_id, chosen.as_bytes())).unwrap();
    let reference = shop.latest(&session_id).reference;
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    let news = shop.receiver.take_bodies().pop().unwrap();
    text(news.get("token").unwrap(), "token").unwrap().to_owned()
}

fn created(shop: &Shop, caller: &Caller, body: &Value) -> Value {
    let body = body.to_string();
    let input = CreateInput {
        caller: caller.clone(),
        idempotency_key: None,
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    serde_json::from_str(&block_on(create(&shop.world, input)).unwrap().body).unwrap()
}

fn patched(shop: &Shop, caller: &Caller, session_id: &SessionId, body: &Value) -> Value {
    let body = body.to_string();
    let input = update::UpdateInput {
        caller: caller.clone(),
        session_id: session_id.clone(),
        extent: Extent::Partial,
        if_match: None,
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    serde_json::from_str(&block_on(update(&shop.world, input)).unwrap().body).unwrap()
}

fn id(answer: &Value) -> SessionId {
    SessionId::parse(text(answer, "session_id").unwrap()).unwrap()
}

fn init(shop: &Shop, session_id: &SessionId) -> String {
    block_on(sdk::init(&shop.world, session_id, Viewer::Person)).unwrap()
}

fn page(shop: &Shop, session_id: &SessionId) -> Box<TransactionPage> {
    match block_on(open_page(&shop.world, Some(session_id), Visit::PERSON)).unwrap() {
        PageView::Transaction(page) => page,
        PageView::NotFound { .. } => panic!("there is no page"),
    }
}

/// A user, and a key with a scope: neither may manage cards.
fn callers(shop: &Shop) -> Vec<Caller> {
    added(shop, &json!({"username": "clerk", "password": PASSWORD, "permissions": CREATES}));
    added(shop, &json!({"username": "root", "password": PASSWORD, "is_superuser": true}));
    let mut callers: Vec<Caller> = ["clerk", "root"]
        .map(|name| sign_in(shop, name, PASSWORD, &Route::CreateTransaction).unwrap())
        .into();
    for more in [vec![], vec!["Can manage cards"]] {
        let permissions: Vec<&str> = CREATES.into_iter().chain(more).collect();
        let asked = json!({"kind": "private", "permissions": permissions}).to_string();
        let by = Grantor::Operator(&ROOT);
        let made = block_on(checkout_core::flow::account::key::add_key(
            &shop.world,
            &shop.merchant,
            by,
            asked.as_bytes(),
        ));
        callers.push(shop.holder(&made.unwrap().key));
    }
    callers
}

#[test]
fn a_session_of_who_may_not_manage_cards_shows_no_token() {
    let shop = Shop::open(51);
    let token = saved(&shop, "C-1");
    let mut callers = callers(&shop);
    let manager = callers.pop().unwrap();
    for caller in &callers {
        let answer = created(&shop, caller, &body("C-1"));
        let session_id = id(&answer);
        let page = page(&shop, &session_id);
        for shown in [answer.to_string(), init(&shop, &session_id), format!("{page:?}")] {
            assert!(!shown.contains(&token), "{:?} {shown}", caller.rights);
        }
        assert_eq!(answer["sdk_setup_preload_payload"]["cards"], json!([]));
        assert_eq!((page.saved.len(), page.can_remove_cards), (1, false), "the payer still has it");
        for name in [&token, &page.saved[0].method.code] {
            let deleted = block_on(delete_of_payer(&shop.world, &session_id, name));
            assert_eq!(refused(deleted), Rejection::NotFound);
        }
    }
    let answer = created(&shop, &manager, &body("C-1"));
    assert!(answer.to_string().contains(&token) && init(&shop, &id(&answer)).contains(&token));
    assert!(page(&shop, &id(&answer)).can_remove_cards);
    assert_eq!(block_on(delete_of_payer(&shop.world, &id(&answer), &token)), Ok(()));
}

#[test]
fn the_payer_pays_with_a_card_whose_token_is_withheld() {
    let shop = Shop::open(52);
    saved(&shop, "C-1");
    let clerk = callers(&shop).remove(0);
    let (session_id, other) =
        (id(&created(&shop, &clerk, &body("C-1"))), id(&created(&shop, &clerk, &body("C-1"))));
    let name = page(&shop, &session_id).saved[0].method.code.clone();
    assert_ne!(name, page(&shop, &other).saved[0].method.code, "a name is of one session");
    let send = |session_id: &SessionId| {
        block_on(pay(&shop.world, &PayForm { pg_code: name.clone(), ..form(session_id, "") }))
    };
    assert!(send(&other).is_err(), "it is no card in another session");
    send(&session_id).unwrap();
    assert_eq!(shop.state(&session_id), "paid");
}

#[test]
fn who_names_another_customer_later_gets_no_tokens_either() {
    let shop = Shop::open(53);
    let (first, second) = (saved(&shop, "C-1"), saved(&shop, "C-2"));
    let clerk = callers(&shop).remove(0);
    let session_id = id(&created(&shop, &shop.private(), &body("C-1")));
    // The session was made by who may manage cards. An answer to the clerk still has none.
    let answer =
        patched(&shop, &clerk, &session_id, &json!({"include_sdk_setup_preload": true, "order_no": "7"}));
    assert!(!answer.to_string().contains(&first), "{answer}");
    assert!(init(&shop, &session_id).contains(&first), "the customer is who they were");
    patched(&shop, &clerk, &session_id, &json!({"customer_id": "C-2"}));
    assert!(!init(&shop, &session_id).contains(&second));
    patched(&shop, &clerk, &session_id, &json!({"customer_id": "C-1"}));
    assert!(!init(&shop, &session_id).contains(&first), "nor by naming the first one again");
    patched(&shop, &shop.private(), &session_id, &json!({"customer_id": "C-2"}));
    assert!(init(&shop, &session_id).contains(&second));
}
