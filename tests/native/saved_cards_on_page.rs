//! Saving a card by the payer's choice, and paying with a saved one on the hosted page.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use checkout_core::api::pay::PayForm;
use checkout_core::attempt::stage::Stage;
use checkout_core::checkout::page::{PageView, SavedCardFault, TransactionPage};
use checkout_core::flow::card::delete_of_payer;
use checkout_core::flow::payer::open_page::{Viewer, Visit, open_page};
use checkout_core::flow::payer::pay::{Directed, pay};
use checkout_core::flow::{Failure, sdk};
use checkout_core::gateway::instrument::FormOfPayment;
use checkout_core::rejection::Rejection;
use checkout_core::rejection::refusal::CardRefusal;
use checkout_core::value::id::SessionId;
use checkout_core::violation::{Rule, Violation};
use checkout_core::words::Wallet;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, form, order, refused, text};
use pollster::block_on;
use serde_json::{Value, json};

const CUSTOMER: &str = "C-1";

fn of(customer: &str, codes: &[&str]) -> Value {
    let mut body = order(codes);
    body.as_object_mut().unwrap().insert("customer_id".into(), customer.into());
    body
}

fn submit(shop: &Shop, session_id: &SessionId, body: &Value) -> Result<Directed, Failure> {
    block_on(sdk::submit(&shop.world, session_id, body.to_string().as_bytes()))
}

fn press(shop: &Shop, form: &PayForm) -> Result<Directed, Failure> {
    block_on(pay(&shop.world, form))
}

/// The payer pays on the page that waits; the notification that follows.
fn finish(shop: &Shop, session_id: &SessionId) -> Value {
    let reference = shop.latest(session_id).reference;
    shop.bank.approve(reference.as_str());
    notified(shop, session_id)
}

fn notified(shop: &Shop, session_id: &SessionId) -> Value {
    let delivery = shop.come_back(&shop.latest(session_id).reference).unwrap().unwrap();
    let _ = shop.deliver(&delivery);
    shop.receiver.take_bodies().pop().unwrap()
}

/// A customer with a saved card, whose token is returned.
fn keep(shop: &Shop) -> String {
    let session_id = shop.create(&of(CUSTOMER, &["credit-card"]));
    submit(shop, &session_id, &json!({"pg_code": "credit-card", "save_card": true})).unwrap();
    text(finish(shop, &session_id).get("token").unwrap(), "token").unwrap().to_owned()
}

fn init(shop: &Shop, session_id: &SessionId) -> Value {
    serde_json::from_str(&block_on(sdk::init(&shop.world, session_id, Viewer::Person)).unwrap()).unwrap()
}

#[test]
fn a_card_is_saved_if_the_payer_says_so_and_only_then() {
    let shop = Shop::open(1);
    for (body, is_saved) in [
        (json!({"pg_code": "credit-card", "save_card": true}), true),
        (json!({"pg_code": "credit-card", "save_card": false}), false),
        (json!({"pg_code": "credit-card"}), false),
    ] {
        let session_id = shop.create(&of("C-2", &["credit-card"]));
        submit(&shop, &session_id, &body).unwrap();
        let shown = finish(&shop, &session_id);
        assert_eq!(shop.state(&session_id), "paid");
        assert_eq!(shown.get("token").is_some(), is_saved, "{body}");
    }
    let next = shop.create(&of("C-2", &["credit-card"]));
    assert_eq!(init(&shop, &next)["cards"].as_array().unwrap().len(), 1);
}

#[test]
fn a_declined_payment_saves_no_card() {
    let shop = Shop::open(2);
    let session_id = shop.create(&of(CUSTOMER, &["credit-card"]));
    submit(&shop, &session_id, &json!({"pg_code": "credit-card", "save_card": true})).unwrap();
    shop.bank.decline(shop.latest(&session_id).reference.as_str());
    assert_eq!(notified(&shop, &session_id).get("token"), None);
    assert_eq!(init(&shop, &session_id)["cards"], json!([]));
}

#[test]
fn if_a_card_cannot_be_saved_asking_for_it_is_a_wrong_field() {
    let shop = Shop::open(3);
    for (body, code, can_save) in [
        (of(CUSTOMER, &["knet"]), "knet", false),
        (order(&["credit-card"]), "credit-card", false),
        (of(CUSTOMER, &["credit-card"]), "credit-card", true),
    ] {
        let session_id = shop.create(&body);
        assert_eq!(
            init(&shop, &session_id)["payment_methods"][0]["can_save_card"],
            json!(can_save),
            "{code}"
        );
        let done = submit(&shop, &session_id, &json!({"pg_code": code, "save_card": true}));
        if can_save {
            done.unwrap();
            continue;
        }
        assert_eq!(refused(done), Rejection::Invalid(vec![Violation::new("save_card", Rule::NoCardSaved)]));
        assert!(shop.world.store.attempts(&session_id).is_empty());
    }
}

#[test]
fn a_page_that_waits_without_saving_is_replaced_by_one_that_saves_and_the_reverse() {
    let shop = Shop::open(4);
    let session_id = shop.create(&of(CUSTOMER, &["credit-card"]));
    let begin = |saves_card: bool| {
        submit(&shop, &session_id, &json!({"pg_code": "credit-card", "save_card": saves_card})).unwrap().url
    };
    let plain = begin(false);
    assert_eq!(begin(false), plain, "the same choice resumes the same page");
    let keeping = begin(true);
    assert_ne!(keeping, plain);
    assert_eq!(begin(true), keeping);
    assert_ne!(begin(false), keeping);
    let shown = finish(&shop, &session_id);
    assert_eq!(shown.get("token"), None, "the payer thought better of it");
    assert_eq!(shop.bank.approved(), 1);
}

#[test]
fn a_saved_card_pays_on_the_page_in_one_step() {
    let shop = Shop::open(5);
    let token = keep(&shop);
    let session_id = shop.create(&of(CUSTOMER, &["knet", "credit-card"]));
    let directed = press(&shop, &form(&session_id, &token)).unwrap();
    let attempt = shop.latest(&session_id);
    assert_eq!(directed.url, shop.return_url(&attempt.reference));
    assert_eq!((attempt.form_of_payment, attempt.stage), (FormOfPayment::TokenPay, Stage::Success));
    assert_eq!(attempt.quote.total.to_string(), "10.200");
    let asked = shop.bank.asked(attempt.reference.as_str());
    assert_eq!(asked.pointer("/card/initiator"), Some(&json!("payer")));
    let shown = notified(&shop, &session_id);
    assert_eq!(shown.pointer("/token/token"), Some(&json!(token)));
}

#[test]
fn a_payer_who_may_choose_the_amount_chooses_it_for_a_saved_card_too() {
    let shop = Shop::open(6);
    let token = keep(&shop);
    let mut editable = of(CUSTOMER, &["credit-card"]);
    editable["type"] = "payment_request".into();
    let session_id = shop.create(&editable);
    press(&shop, &PayForm { amount: Some("2.500".into()), ..form(&session_id, &token) }).unwrap();
    assert_eq!(shop.latest(&session_id).principal.to_string(), "2.500");
}

#[test]
fn a_page_that_waits_is_withdrawn_before_a_saved_card_pays() {
    let shop = Shop::open(7);
    let token = keep(&shop);
    let session_id = shop.create(&of(CUSTOMER, &["knet", "credit-card"]));
    let first = shop.pay_to_page(&session_id, "credit-card");
    press(&shop, &form(&session_id, &token)).unwrap();
    assert_eq!(shop.bank.statuses().get(first.as_str()), Some(&"canceled"));
    assert_eq!(shop.state(&session_id), "paid");
}

#[test]
fn a_saved_card_whose_charge_nobody_confirms_is_pending_and_charged_once() {
    let shop = Shop::open(8);
    let token = keep(&shop);
    let session_id = shop.create(&of(CUSTOMER, &["credit-card"]));
    shop.bank.on_opening(Mood::ChargesMute);
    press(&shop, &form(&session_id, &token)).unwrap();
    assert_eq!(shop.latest(&session_id).stage, Stage::Unknown);
    let removal = block_on(delete_of_payer(&shop.world, &session_id, &token));
    assert_eq!(refused(removal), Rejection::CardLocked, "its outcome is awaited");
    assert_eq!(refused(press(&shop, &form(&session_id, &token))), Rejection::AttemptInProgress);
    assert_eq!(shop.bank.openings().len(), 2);
}

#[test]
fn the_card_of_another_customer_or_of_nobody_pays_nothing() {
    let shop = Shop::open(9);
    let token = keep(&shop);
    let nobody = "card_00000000000000000000000000000000";
    for (body, token) in [
        (of("C-9", &["credit-card"]), token.as_str()),
        (order(&["credit-card"]), token.as_str()),
        (of(CUSTOMER, &["mpgs"]), token.as_str()),
        (of(CUSTOMER, &["credit-card"]), nobody),
    ] {
        let session_id = shop.create(&body);
        let rejection = refused(press(&shop, &form(&session_id, token)));
        assert_eq!(rejection, Rejection::CardRefused(CardRefusal::Unknown));
        assert!(shop.world.store.attempts(&session_id).is_empty());
    }
}

#[test]
fn a_card_that_wants_its_security_code_is_paid_on_the_gateways_page() {
    let shop = Shop::open_with(10, |settings| settings["gateways"][2]["cvv_required"] = true.into());
    let token = keep(&shop);
    let session_id = shop.create(&of(CUSTOMER, &["credit-card"]));
    let directed = press(&shop, &form(&session_id, &token)).unwrap();
    assert_eq!(Some(directed.url), shop.latest(&session_id).page_url);
    assert_eq!(shop.latest(&session_id).stage, Stage::Redirected);
}

// The page.

fn rendered(shop: &Shop, session_id: &SessionId) -> TransactionPage {
    match block_on(open_page(&shop.world, Some(session_id), Visit::PERSON)).unwrap() {
        PageView::Transaction(page) => Some(*page),
        PageView::NotFound { .. } => None,
    }
    .unwrap()
}

#[test]
fn saved_cards_are_on_the_page_and_the_one_used_last_is_chosen() {
    let shop = Shop::open(11);
    let token = keep(&shop);
    let page = rendered(&shop, &shop.create(&of(CUSTOMER, &["knet", "credit-card"])));
    let [card] = page.saved.as_slice() else { panic!("{:?}", page.saved) };
    assert_eq!((card.method.code.as_str(), card.method.name.as_str()), (token.as_str(), "Visa"));
    assert_eq!((card.ending.as_deref(), card.expiry.as_str(), card.fault), (Some("1111"), "01/39", None));
    assert_eq!(card.method.quote.total.to_string(), "10.200");
    assert!(card.method.is_chosen && page.methods.iter().all(|method| !method.is_chosen));
    let names: Vec<_> = page.methods.iter().map(|method| method.name.as_str()).collect();
    assert_eq!(names, ["Another card", "KNET"], "next to the card, whatever the merchant's order");
    for stranger in [of("C-9", &["credit-card"]), order(&["credit-card"]), of(CUSTOMER, &["mpgs"])] {
        assert_eq!(rendered(&shop, &shop.create(&stranger)).saved, Vec::new());
    }
}

#[test]
fn an_expired_card_is_shown_and_cannot_be_chosen() {
    let shop = Shop::open(12);
    let token = keep(&shop);
    shop.world.clock.advance(Duration::from_hours(24 * 365 * 14));
    let session_id = shop.create(&of(CUSTOMER, &["knet", "credit-card"]));
    let page = rendered(&shop, &session_id);
    assert_eq!(page.saved.first().unwrap().fault, Some(SavedCardFault::Expired));
    assert!(page.methods.first().unwrap().is_chosen);
    let rejection = refused(press(&shop, &form(&session_id, &token)));
    assert_eq!(rejection, Rejection::CardRefused(CardRefusal::Expired));
    assert!(shop.world.store.attempts(&session_id).is_empty());
    block_on(delete_of_payer(&shop.world, &session_id, &token)).unwrap();
    assert_eq!(rendered(&shop, &session_id).saved, [], "the payer can remove it");
}

#[test]
fn a_payment_that_saves_a_card_shows_none_and_has_no_tick() {
    let shop = Shop::open(13);
    keep(&shop);
    let mut saving = of(CUSTOMER, &["credit-card"]);
    saving["payment_type"] = "save_card".into();
    saving["amount"] = "0".into();
    let page = rendered(&shop, &shop.create(&saving));
    assert_eq!((page.saved, page.wallets), (Vec::new(), Vec::new()));
    assert!(page.methods.iter().all(|method| !method.can_save_card));
}

#[test]
fn the_tick_is_shown_if_a_card_can_be_saved_and_stays_as_the_payer_set_it() {
    let shop = Shop::open(14);
    let session_id = shop.create(&of(CUSTOMER, &["knet", "credit-card"]));
    let keeps =
        |page: &TransactionPage| page.methods.iter().map(|method| method.can_save_card).collect::<Vec<_>>();
    assert_eq!(keeps(&rendered(&shop, &session_id)), [false, true]);
    assert!(!rendered(&shop, &session_id).saves_card);
    press(&shop, &PayForm { saves_card: true, ..form(&session_id, "credit-card") }).unwrap();
    assert!(rendered(&shop, &session_id).saves_card, "the payer comes back from the bank's page");
    let nobody = rendered(&shop, &shop.create(&order(&["credit-card"])));
    assert_eq!(keeps(&nobody), [false]);
    // The form of the page may contain the checkbox of another method.
    press(&shop, &PayForm { saves_card: true, ..form(&session_id, "knet") }).unwrap();
    assert_eq!(shop.latest(&session_id).pg_code.as_str(), "knet");
}

#[test]
fn the_buttons_of_wallets_say_what_their_sheets_need() {
    let shop = Shop::open(15);
    let page = rendered(&shop, &shop.create(&order(&["knet", "credit-card"])));
    let [apple, google] = page.wallets.as_slice() else { panic!("{:?}", page.wallets) };
    assert_eq!(
        (apple.wallet, apple.code.as_str(), apple.country.as_str()),
        (Wallet::ApplePay, "credit-card", "KW")
    );
    assert_eq!((apple.quote.total.to_string(), apple.shop_name.as_str()), ("10.200".into(), "Demo Store"));
    assert_eq!(google.google_pay.as_ref().unwrap().gateway, "sandbox");
    assert_eq!((apple.fee_label.as_deref(), apple.quote.fee.to_string()), (Some("Card fee"), "0.200".into()));
    assert_eq!(rendered(&shop, &shop.create(&order(&["knet"]))).wallets, Vec::new());
}

#[test]
fn a_wallet_of_two_gateways_has_one_button_of_the_first_in_the_merchants_order() {
    let shop = Shop::open(16);
    for codes in [["mpgs", "credit-card"], ["credit-card", "mpgs"]] {
        let page = rendered(&shop, &shop.create(&order(&codes)));
        let shown: Vec<_> = page.wallets.iter().map(|button| (button.wallet, button.code.as_str())).collect();
        assert_eq!(shown, [(Wallet::ApplePay, codes[0]), (Wallet::GooglePay, codes[0])]);
    }
}
