use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use checkout_core::gateway::charge::{ChargeOperation, Outcome, Report};
use checkout_core::gateway::connector::Connector;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::sandbox::{self, callback_key};
use checkout_core::testing::gateway::{self, connect};
use checkout_core::value::money::Currency;

use super::*;

fn charge(status: ChargeStatus, card: Option<&str>) -> Charge {
    Charge {
        id: "ch_1".into(),
        account: "account".into(),
        terms: ChargeTerms {
            reference: "7H3K9M2P4Q5R".into(),
            amount: Money::parse("10.250", Currency::parse("KWD").unwrap()).unwrap(),
            operation: ChargeOperation::Purchase,
            saves_card: false,
            language: Language::En,
            merchant: "Demo Store".into(),
            return_url: "https://pay.example/return/".into(),
            callback_url: "https://pay.example/callback/".into(),
        },
        status,
        card: card.map(|id| TestCard::find(id).unwrap()),
        silent_inquiries: 0,
        failing_inquiries: 0,
        due_at: None,
        opened_at: Timestamp::from_millis(1_767_225_600_000),
        ended_at: Some(Timestamp::from_millis(1_795_000_000_000)),
    }
}

fn view(charge: &Charge) -> serde_json::Value {
    serde_json::from_slice(&charge.to_json("https://pay.example")).unwrap()
}

fn now() -> Timestamp {
    Timestamp::from_millis(1_795_000_000_000)
}

fn paid_with(card: &str) -> Changed {
    charge(ChargeStatus::Open, None).act(PayerAction::Pay(TestCard::find(card).unwrap()), now()).unwrap()
}

#[test]
fn each_card_has_its_outcome() {
    for (card, status, callbacks) in [
        ("visa-approve", ChargeStatus::Approved, 1),
        ("mastercard-approve", ChargeStatus::Approved, 1),
        ("mastercard-decline", ChargeStatus::Declined, 1),
        ("visa-3ds", ChargeStatus::Challenged, 0),
        ("visa-timeout", ChargeStatus::Approved, 0),
        ("visa-late", ChargeStatus::Processing, 0),
        ("visa-duplicate", ChargeStatus::Approved, 2),
        ("visa-wrong-amount", ChargeStatus::Approved, 1),
        ("visa-server-error", ChargeStatus::Approved, 0),
    ] {
        let paid = paid_with(card);
        assert_eq!((paid.charge.status, paid.callbacks), (status, callbacks), "{card}");
        assert_eq!(paid.charge.due_at.is_some(), status == ChargeStatus::Processing, "{card}");
        assert_eq!(paid.charge.ended_at.is_some(), status.is_final(), "{card}");
        assert_eq!(paid.charge.card.map(|card| card.id), Some(card));
    }
    assert_eq!(paid_with("visa-timeout").charge.silent_inquiries, 2);
    assert_eq!(paid_with("visa-server-error").charge.failing_inquiries, 1);
    assert_eq!(paid_with("visa-late").charge.due_at, Some(now().plus(Duration::from_secs(20))));
}

#[test]
fn a_late_charge_is_approved_at_its_time_and_once() {
    let late = paid_with("visa-late").charge;
    assert_eq!(late.finish(now()), None);
    let finished = late.finish(now().plus(LATE)).unwrap();
    assert_eq!((finished.status, finished.due_at), (ChargeStatus::Approved, None));
    assert_eq!(finished.ended_at, Some(now().plus(LATE)));
    assert_eq!(finished.finish(now().plus(LATE)), None);
}

#[test]
fn inquiries_are_left_without_an_answer_as_often_as_the_card_says() {
    let Inquiry::Silent(once) = paid_with("visa-timeout").charge.inquire() else { panic!() };
    let Inquiry::Silent(twice) = once.inquire() else { panic!() };
    assert_eq!(twice.inquire(), Inquiry::Answered);
    let Inquiry::Failing(once) = paid_with("visa-server-error").charge.inquire() else { panic!() };
    assert_eq!(once.inquire(), Inquiry::Answered);
}

#[test]
fn the_challenge_decides_and_the_card_stays() {
    let challenged = charge(ChargeStatus::Challenged, Some("visa-3ds"));
    for (action, status) in [
        (PayerAction::Confirm, ChargeStatus::Approved),
        (PayerAction::Fail, ChargeStatus::Declined),
        (PayerAction::Cancel, ChargeStatus::Canceled),
    ] {
        let Changed { charge, callbacks } = challenged.act(action, now()).unwrap();
        assert_eq!((charge.status, charge.card, callbacks), (status, challenged.card, 1));
    }
    assert_eq!(challenged.act(PayerAction::Pay(TestCard::find("visa-approve").unwrap()), now()), None);
}

#[test]
fn a_page_that_waits_for_a_card_knows_no_challenge() {
    assert_eq!(charge(ChargeStatus::Open, None).act(PayerAction::Confirm, now()), None);
    assert_eq!(charge(ChargeStatus::Open, None).act(PayerAction::Fail, now()), None);
}

#[test]
fn an_ended_charge_takes_no_step() {
    for status in
        [ChargeStatus::Processing, ChargeStatus::Approved, ChargeStatus::Declined, ChargeStatus::Canceled]
    {
        for action in [
            PayerAction::Pay(TestCard::find("visa-approve").unwrap()),
            PayerAction::Confirm,
            PayerAction::Fail,
            PayerAction::Cancel,
        ] {
            let ended = charge(status, Some("visa-approve"));
            assert_eq!(ended.act(action, now()), None, "{status:?} {action:?}");
        }
    }
}

#[test]
fn a_charge_that_needs_no_page_is_paid_when_it_is_opened() {
    let open = |means| {
        let opening = Opening { terms: charge(ChargeStatus::Open, None).terms, means };
        Charge::open("ch_2".into(), "account", &opening, now())
    };
    let card = |id| TestCard::find(id).unwrap();
    let saved = |id, is_payer_present| Means::SavedCard { card: card(id), is_payer_present };
    for (means, status) in [
        (Means::Page, ChargeStatus::Open),
        (Means::Wallet(Token::Card(card("visa-approve"))), ChargeStatus::Approved),
        (Means::Wallet(Token::Card(card("visa-3ds"))), ChargeStatus::Challenged),
        (Means::Wallet(Token::Altered), ChargeStatus::Declined),
        (saved("visa-3ds", true), ChargeStatus::Challenged),
        (saved("visa-3ds", false), ChargeStatus::Approved),
        (saved("mastercard-decline", false), ChargeStatus::Declined),
    ] {
        assert_eq!(open(means).status, status, "{means:?}");
    }
    assert_eq!(view(&open(Means::Wallet(Token::Altered)))["message"], "wallet token altered");
}

#[test]
fn a_charge_shows_its_page_only_while_it_waits_for_the_payer() {
    for (status, word, has_page) in [
        (ChargeStatus::Open, "open", true),
        (ChargeStatus::Challenged, "open", true),
        (ChargeStatus::Processing, "processing", false),
        (ChargeStatus::Approved, "approved", false),
        (ChargeStatus::Declined, "declined", false),
        (ChargeStatus::Canceled, "canceled", false),
    ] {
        let view = view(&charge(status, None));
        assert_eq!(view["status"], word);
        assert_eq!(view.get("page_url").is_some(), has_page, "{word}");
        assert_eq!(view.get("auth_code").is_some(), status == ChargeStatus::Approved, "{word}");
    }
    assert_eq!(
        view(&charge(ChargeStatus::Open, None))["page_url"],
        "https://pay.example/sandbox/bank/pay/ch_1/"
    );
}

#[test]
fn an_approved_charge_names_what_was_charged() {
    let view = view(&charge(ChargeStatus::Approved, Some("visa-approve")));
    assert_eq!(view["amount"], "10.250");
    assert_eq!(view["card"]["number"], "411111******1111");
    assert_eq!(view["rrn"].as_str().map(str::len), Some(12));
    assert_eq!(view["post_date"].as_str().map(str::len), Some(10));
}

#[test]
fn the_wrong_amount_differs_by_one_minor_unit_and_is_never_nothing() {
    let mut wrong = charge(ChargeStatus::Approved, Some("visa-wrong-amount"));
    assert_eq!(view(&wrong)["amount"], "10.249");
    wrong.terms.amount = Money::new(1, wrong.terms.amount.currency()).unwrap();
    assert_eq!(view(&wrong)["amount"], "0.002");
}

#[test]
fn a_decline_says_why() {
    assert_eq!(
        view(&charge(ChargeStatus::Declined, Some("mastercard-decline")))["message"],
        "insufficient funds"
    );
    assert_eq!(view(&charge(ChargeStatus::Declined, Some("visa-3ds")))["message"], "3-D Secure failed");
}

#[test]
fn a_callback_is_signed_over_its_bytes_and_goes_to_its_address() {
    let callback = charge(ChargeStatus::Approved, Some("visa-approve")).callback("https://pay.example");
    let signature = sandbox::callback_signature("account", &callback.body);
    assert_eq!(callback.url, "https://pay.example/callback/");
    assert!(callback.headers.contains(&(sandbox::SIGNATURE_HEADER, signature)));
}

fn connector() -> Box<dyn Connector> {
    connect(&sandbox::DECLARATION, &[(sandbox::API_KEY, "k1")])
}

fn read(charge: &Charge) -> Report {
    let (connector, asked) = (connector(), gateway::charge("10.250", "KWD"));
    let answer = gateway::answer(200, charge.to_json("https://pay.example"));
    gateway::converse(connector.inquire(&asked, None), &[answer]).1
}

#[test]
fn the_connector_reads_what_the_bank_writes() {
    let page_url = "https://pay.example/sandbox/bank/pay/ch_1/".to_string();
    for (status, outcome) in [
        (ChargeStatus::Open, Outcome::Open { page_url: page_url.clone() }),
        (ChargeStatus::Challenged, Outcome::Open { page_url }),
        (ChargeStatus::Processing, Outcome::Unknown),
        (ChargeStatus::Approved, Outcome::Approved),
        (ChargeStatus::Declined, Outcome::Declined),
        (ChargeStatus::Canceled, Outcome::Canceled),
    ] {
        let report = read(&charge(status, Some("visa-approve")));
        assert_eq!(report.outcome, outcome, "{status:?}");
        assert_eq!(report.total.map(|total| total.to_string()).as_deref(), Some("10.250"), "{status:?}");
        assert_eq!(report.reference, "7H3K9M2P4Q5R", "{status:?}");
    }
}

#[test]
fn the_connector_finds_every_datum_of_an_approved_charge() {
    let report = read(&charge(ChargeStatus::Approved, Some("visa-approve")));
    let keys: Vec<&str> = report.params.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "auth_code",
            "card_expiry_month",
            "card_expiry_year",
            "card_holder",
            "card_number",
            "card_type",
            "full_card_expiry",
            "payment_id",
            "pg_message",
            "post_date",
            "ref",
            "result",
            "rrn",
            "track_id",
            "transaction_id",
        ]
    );
}

#[test]
fn the_connector_trusts_a_callback_of_its_own_account_only() {
    let approved = charge(ChargeStatus::Approved, Some("visa-approve"));
    for (account, is_read) in [(callback_key("k1"), true), (callback_key("k2"), false)] {
        let callback = Charge { account, ..approved.clone() }.callback("https://pay.example");
        let headers = callback.headers.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        let request = Incoming { query: String::new(), status: 0, headers, body: callback.body };
        assert_eq!(connector().read_callback(&request, &gateway::at_charge()).is_some(), is_read);
    }
}
