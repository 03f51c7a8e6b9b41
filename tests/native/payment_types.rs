//! What `auto_debit` and `save_card` need, store and show, with the ports in memory. The verdicts on single
//! requests are in `vectors/create.json`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::time::Duration;

use std::rc::Rc;

use checkout_core::answer::source::ViewSource;
use checkout_core::answer::view::{ViewOptions, view};
use checkout_core::attempt::stage::Stage;
use checkout_core::flow::Failure;
use checkout_core::flow::merchant::retrieve::retrieve;
use checkout_core::flow::merchant::update::{Extent, UpdateInput, update};
use checkout_core::gateway::charge::{ChargeOperation, Outcome, PgParams, Report};
use checkout_core::payment::apply::{AttemptResult, OutcomeReport, ReportOccasion, apply};
use checkout_core::record::attention::Reason;
use checkout_core::rejection::Rejection;
use checkout_core::settings::situation::Situation;
use checkout_core::state::State;
use checkout_core::transaction::Details;
use checkout_core::value::id::SessionId;
use checkout_core::words::payment_type::PaymentType;
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, WEBHOOK_URL, order, refused, session_of, text};
use pollster::block_on;
use serde_json::{Value, json};

fn with(mut body: Value, more: &Value) -> Value {
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn auto_debit() -> Value {
    let agreement = json!({"id": "A-1", "type": "event_based"});
    let more = json!({"payment_type": "auto_debit", "customer_id": "C-1", "agreement": agreement});
    with(order(&["credit-card"]), &more)
}

fn save_card(pg_codes: &[&str]) -> Value {
    with(order(pg_codes), &json!({"payment_type": "save_card", "customer_id": "C-1", "amount": "0"}))
}

fn send(shop: &Shop, session_id: &SessionId, extent: Extent, body: &Value) -> Result<Value, Failure> {
    let (body, caller) = (body.to_string(), shop.private());
    let session_id = session_id.clone();
    let input = UpdateInput {
        caller,
        session_id,
        extent,
        if_match: None,
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    block_on(update(&shop.world, input)).map(|answer| serde_json::from_str(&answer.body).unwrap())
}

fn patch(shop: &Shop, session_id: &SessionId, body: &Value) -> Result<Value, Failure> {
    send(shop, session_id, Extent::Partial, body)
}

fn retrieved(shop: &Shop, session_id: &SessionId) -> Value {
    serde_json::from_str(&block_on(retrieve(&shop.world, &shop.private(), session_id)).unwrap().body).unwrap()
}

fn errors(rejection: &Rejection) -> Value {
    let body: Value = serde_json::from_str(&rejection.body("", "").unwrap()).unwrap();
    body.get("errors").cloned().unwrap_or_default()
}

#[test]
fn the_default_of_auto_debit_is_shown_if_the_merchant_left_it_open() {
    let shop = Shop::open(1);
    for (given, shown) in [
        (json!({}), json!({"min_expiry_time": 30})),
        (json!({"card_acceptance_criteria": {}}), json!({"min_expiry_time": 30})),
        (json!({"card_acceptance_criteria": {"min_expiry_time": 7}}), json!({"min_expiry_time": 7})),
    ] {
        let session_id = shop.create(&with(auto_debit(), &given));
        assert_eq!(retrieved(&shop, &session_id)["card_acceptance_criteria"], shown, "{given}");
    }
}

#[test]
fn the_other_types_have_no_default() {
    let shop = Shop::open(1);
    for body in [order(&["credit-card"]), save_card(&["credit-card"])] {
        let session_id = shop.create(&body);
        assert_eq!(retrieved(&shop, &session_id).get("card_acceptance_criteria"), None, "{body}");
    }
}

#[test]
fn back_to_one_off_no_default_stays_that_nobody_gave() {
    let shop = Shop::open(1);
    let session_id = shop.create(&auto_debit());
    let answered = patch(&shop, &session_id, &json!({"payment_type": "one_off"})).unwrap();
    assert_eq!(answered.get("card_acceptance_criteria"), None);
    assert_eq!(answered["payment_type"], "one_off");
    assert_eq!(answered["agreement"]["id"], "A-1", "an agreement is taken and echoed with one_off too");
}

#[test]
fn a_patch_to_another_type_is_checked_against_the_fields_that_stay() {
    let shop = Shop::open(1);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let refusal = refused(patch(&shop, &session_id, &json!({"payment_type": "auto_debit"})));
    let keeps = "must be the code of a gateway that saves cards when payment_type is auto_debit";
    let required = json!(["is required when payment_type is auto_debit"]);
    let expected = json!({"pg_codes": {"0": [keeps]}, "agreement": required, "customer_id": required});
    assert_eq!(errors(&refusal), expected);
    let session_id = shop.create(&save_card(&["credit-card"]));
    let refusal = refused(patch(&shop, &session_id, &json!({"payment_type": "one_off"})));
    assert_eq!(errors(&refusal), json!({"amount": ["must be at least 0.01"]}));
    let answered = patch(&shop, &session_id, &json!({"payment_type": "one_off", "amount": "2.000"})).unwrap();
    assert_eq!((&answered["payment_type"], &answered["amount"]), (&json!("one_off"), &json!("2.000")));
}

#[test]
fn a_patch_without_a_type_leaves_it_and_a_put_without_one_means_one_off() {
    let shop = Shop::open(1);
    let session_id = shop.create(&auto_debit());
    let answered = patch(&shop, &session_id, &json!({"amount": "3.000"})).unwrap();
    assert_eq!(answered["payment_type"], "auto_debit");
    let answered = send(&shop, &session_id, Extent::Full, &order(&["knet"])).unwrap();
    assert_eq!((&answered["payment_type"], answered.get("agreement")), (&json!("one_off"), None));
}

#[test]
fn an_open_attempt_keeps_the_payment_type() {
    let shop = Shop::open(1);
    let session_id = shop.create(&auto_debit());
    let _at_the_bank = shop.pay_to_page(&session_id, "credit-card");
    let refusal = refused(patch(&shop, &session_id, &json!({"payment_type": "one_off"})));
    assert_eq!(refusal, Rejection::AttemptInProgress);
    let answered = patch(&shop, &session_id, &json!({"payment_type": "auto_debit"})).unwrap();
    assert_eq!(answered["payment_type"], "auto_debit");
}

#[test]
fn the_address_of_the_plugin_is_enough_for_save_card() {
    let shop = Shop::open_with(1, |settings| {
        settings["plugins"]["e_commerce"]["webhook_url"] = json!(WEBHOOK_URL);
    });
    let body = with(save_card(&["credit-card"]), &json!({"webhook_url": null}));
    assert_eq!(shop.state(&shop.create(&body)), "created");
    let other = with(body, &json!({"type": "payment_request"}));
    let required = json!({"webhook_url": ["is required when payment_type is save_card"]});
    assert_eq!(errors(&refused(shop.try_create(&other, None))), required, "it is another plugin's");
}

#[test]
fn a_cash_gateway_saves_no_cards_whatever_its_settings_say() {
    let shop = Shop::open_with(1, |settings| settings["gateways"][6]["tokenization"] = json!(true));
    let refusal = refused(shop.try_create(&save_card(&["cash"]), None));
    let keeps = "must be the code of a gateway that saves cards when payment_type is save_card";
    assert_eq!(errors(&refusal), json!({"pg_codes": {"0": [keeps]}}));
}

#[test]
fn what_was_stored_before_there_were_payment_types_is_one_off() {
    let details = Details::from_json(r#"{"language":"en","order_no":"A-1"}"#).unwrap();
    assert_eq!(details.payment_type, PaymentType::OneOff);
    let again = serde_json::to_string(&details).unwrap();
    assert_eq!(again, r#"{"order_no":"A-1","language":"en"}"#);
}

#[test]
fn an_auto_debit_is_paid_on_the_page_like_a_purchase_and_notified_with_its_type() {
    let shop = Shop::open(1);
    let answer = shop.try_create(&auto_debit(), None).unwrap();
    let session_id = session_of(&answer);
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    shop.deliver(&delivery).unwrap();
    let notified = shop.receiver.take_bodies().pop().unwrap();
    let words = ["payment_type", "state", "settled_amount", "paid_amount"].map(|name| text(&notified, name));
    assert_eq!(words, [Some("auto_debit"), Some("paid"), Some("10.000"), Some("10.200")]);
    assert_eq!(notified["card_acceptance_criteria"], json!({"min_expiry_time": 30}));
}

/// The notification of a saved card through a gateway.
fn saved(shop: &Shop, pg_code: &str) -> (SessionId, Value) {
    let session_id = shop.create(&save_card(&[pg_code]));
    let reference = shop.pay_to_page(&session_id, pg_code);
    shop.bank.approve(reference.as_str());
    let delivery = shop.come_back(&reference).unwrap().unwrap();
    shop.deliver(&delivery).unwrap();
    (session_id, shop.receiver.take_bodies().pop().unwrap())
}

#[test]
fn a_card_is_saved_without_a_charge() {
    for pg_code in ["credit-card", "mpgs"] {
        let shop = Shop::open(1);
        let (session_id, notified) = saved(&shop, pg_code);
        assert_eq!(
            (shop.state(&session_id), shop.results(&session_id)),
            ("paid", vec!["success"]),
            "{pg_code}"
        );
        let attempt = shop.latest(&session_id);
        assert_eq!(attempt.operation, ChargeOperation::Verify);
        let asked = shop.bank.asked(attempt.reference.as_str());
        assert_eq!((&asked["operation"], &asked["amount"]), (&json!("verify"), &json!("0.000")));
        for (name, expected) in [
            ("payment_type", Some("save_card")),
            ("operation", Some("payment")),
            ("state", Some("paid")),
            ("result", Some("success")),
            ("amount", Some("0.000")),
            ("settled_amount", Some("0.000")),
            ("paid_amount", None),
            ("fee", None),
            ("customer_id", Some("C-1")),
        ] {
            assert_eq!(text(&notified, name), expected, "{pg_code} {name}");
        }
        let zero = json!({"amount": "0.000", "currency_code": "KWD", "fee": "0.000", "total": "0.000"});
        assert_eq!(notified["amount_details"], zero);
        assert_eq!(notified["pg_params"]["result"]["value"], "APPROVED");
        let settlement = shop.transaction(&session_id).settlement.unwrap();
        assert_eq!((settlement.pg_code.as_str(), settlement.paid), (pg_code, None));
    }
}

#[test]
fn saving_a_card_has_no_fee() {
    let shop = Shop::open_with(1, |settings| settings["gateways"][2]["fees"][0]["fixed"] = json!("0.100"));
    let shown = retrieved(&shop, &shop.create(&save_card(&["credit-card"])));
    let method = &shown["payment_methods"][0];
    let amounts = [&shown["amount"], &method["amount"], &method["fee"], &method["fee_description"]];
    assert_eq!(amounts, ["0.000", "0.000", "0.000", ""]);
    let shown = retrieved(&shop, &shop.create(&order(&["credit-card"])));
    assert_eq!(shown["payment_methods"][0]["fee"], "0.300", "a payment has one");
}

#[test]
fn a_card_that_is_declined_can_be_followed_by_another() {
    let shop = Shop::open(1);
    let session_id = shop.create(&save_card(&["credit-card"]));
    let first = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.decline(first.as_str());
    shop.come_back(&first).unwrap();
    assert_eq!(shop.state(&session_id), "attempted");
    let second = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(second.as_str());
    shop.come_back(&second).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("paid", vec!["failed", "success"]));
}

#[test]
fn a_bank_that_charges_instead_of_verifying_is_held() {
    let shop = Shop::open(1);
    let session_id = shop.create(&save_card(&["credit-card"]));
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve_another_amount(reference.as_str(), "1.000");
    shop.come_back(&reference).unwrap();
    assert_eq!((shop.state(&session_id), shop.results(&session_id)), ("pending", vec!["pending"]));
    let reasons: Vec<_> = shop.attention().into_iter().map(|entry| entry.reason).collect();
    assert_eq!(reasons, [Reason::AmountMismatch]);
}

#[test]
fn a_card_confirmed_late_does_not_pay_what_is_asked_for_by_now() {
    let shop = Shop::open(1);
    let session_id = shop.create(&save_card(&["credit-card"]));
    shop.bank.on_opening(Mood::Refuses);
    shop.pay(&session_id, "credit-card").unwrap();
    assert_eq!(shop.results(&session_id), ["error"]);
    let change = json!({"payment_type": "one_off", "amount": "10.000"});
    patch(&shop, &session_id, &change).unwrap();
    let (transaction, attempt) = (shop.transaction(&session_id), shop.latest(&session_id));
    let report = Report {
        reference: attempt.reference.to_string(),
        total: Some(attempt.quote.total),
        outcome: Outcome::Approved,
        message: None,
        gateway_id: None,
        params: PgParams::new(),
        raw: None,
        card: None,
    };
    let now = attempt.updated_at;
    let learned = AttemptResult::Report(report);
    let news = OutcomeReport {
        learned,
        occasion: ReportOccasion::Background,
        inquiry_after: Duration::from_mins(10),
        now,
    };
    let applied = apply(&transaction, &attempt, news).unwrap();
    let change = applied.change;
    assert_eq!(change.attempt.unwrap().attempt().stage, Stage::Success, "it is recorded");
    assert_eq!((change.transaction.state, change.transaction.settlement), (State::Attempted, None));
    assert_eq!(change.attention.first().unwrap().reason, Reason::LateSuccess);
}

#[test]
fn a_gateway_that_no_longer_saves_cards_is_not_offered_for_saving_one() {
    let shop = Shop::open(1);
    let transaction = shop.transaction(&shop.create(&save_card(&["credit-card"])));
    let mut situation = shop.situation();
    let shown = |situation: &Situation| -> Value {
        let source = ViewSource {
            transaction: &transaction,
            has_open_attempt: false,
            situation,
            public_url: "https://pay.example.com",
        };
        serde_json::from_str(&view(source, &ViewOptions::default()).unwrap()).unwrap()
    };
    assert_eq!(shown(&situation)["payment_methods"].as_array().unwrap().len(), 1);
    let settings = Rc::make_mut(&mut situation.settings);
    settings.gateways.iter_mut().for_each(|profile| profile.tokenization = false);
    assert_eq!(shown(&situation)["payment_methods"], json!([]));
}

#[test]
fn if_payers_choose_the_amount_a_card_is_saved_without_one() {
    let shop = Shop::open(1);
    let editable = with(save_card(&["credit-card"]), &json!({"type": "payment_request"}));
    let session_id = shop.create(&editable);
    assert!(shop.transaction(&session_id).details.is_amount_editable);
    let reference = shop.pay_to_page(&session_id, "credit-card");
    shop.bank.approve(reference.as_str());
    shop.come_back(&reference).unwrap();
    let notified = shop.world.store.deliveries(&session_id).pop().unwrap().message.body;
    let notified: Value = serde_json::from_str(&notified).unwrap();
    let words = ["state", "settled_amount", "remaining_amount"].map(|name| text(&notified, name));
    assert_eq!(words, [Some("paid"), Some("0.000"), None]);
}
