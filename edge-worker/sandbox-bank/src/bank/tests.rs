use alloc::format;
use alloc::string::ToString;
use alloc::vec;

use checkout_core::gateway::exchange::{HttpMethod, Incoming};
use checkout_core::gateway::sandbox::ENDPOINT;
use serde_json::Value;

use super::*;
use crate::card::TestCard;
use crate::charge::PayerAction;
use crate::listing::PAGE;

const BANK: Bank<'static> =
    Bank { public_url: "https://pay.example", now: Timestamp::from_millis(1_000), page_size: PAGE };
const NONCE: [u8; 16] = [7; 16];

fn post(path: &str, body: &Value) -> Outgoing {
    Outgoing {
        method: HttpMethod::Post,
        url: format!("{ENDPOINT}{path}"),
        headers: vec![("authorization", "Bearer k1".into())],
        body: body.to_string().into_bytes(),
        max_answer: Outgoing::MAX_ANSWER,
    }
}

fn get(path: &str) -> Outgoing {
    Outgoing { method: HttpMethod::Get, body: Vec::new(), ..post(path, &Value::Null) }
}

fn order(amount: &str) -> Value {
    serde_json::json!({
        "reference": "R1", "amount": amount, "currency": "KWD", "operation": "purchase", "language": "en",
        "merchant": "Demo Store", "return_url": "https://pay.example/r/", "callback_url": "https://pay.example/c/",
    })
}

fn refund(amount: &str) -> Value {
    serde_json::json!({
        "reference": "O1", "operation": "refund", "amount": amount, "currency": "KWD",
        "callback_url": "https://pay.example/c/",
    })
}

fn ask(request: &Outgoing, records: &Records) -> Step {
    BANK.answer(&BANK.read(request).unwrap(), records, &NONCE)
}

fn status(reply: &Reply) -> Option<u16> {
    match reply {
        Reply::Answer(Incoming { status, .. }) | Reply::Late(Incoming { status, .. }) => Some(*status),
        Reply::Silence => None,
    }
}

fn opened() -> Charge {
    match ask(&post("/v1/charges", &order("10.000")), &Records::default()).write {
        Some(Write::Open(charge)) => *charge,
        other => panic!("{other:?}"),
    }
}

fn approved() -> Charge {
    opened().act(PayerAction::Pay(TestCard::find("visa-approve").unwrap()), BANK.now).unwrap().charge
}

fn recorded(charge: Charge) -> Records {
    Records { charge: Some(charge), ..Records::default() }
}

#[test]
fn a_charge_is_opened_once_for_a_reference() {
    let charge = opened();
    assert_eq!(charge.id, format!("ch_{}", "07".repeat(16)));
    let again = ask(&post("/v1/charges", &order("10.000")), &recorded(charge.clone()));
    assert_eq!((again.write, status(&again.reply)), (None, Some(200)));
    let other = ask(&post("/v1/charges", &order("11.000")), &recorded(charge));
    assert_eq!((other.write, status(&other.reply)), (None, Some(409)));
}

#[test]
fn a_charge_that_times_out_is_recorded_and_not_answered() {
    let request = BANK.read(&post("/v1/charges", &order("10.000"))).unwrap();
    let Command::Open(mut opening) = request.command else { panic!() };
    let card = TestCard::find("visa-timeout").unwrap();
    opening.means = crate::charge::Means::SavedCard { card, is_payer_present: false };
    let request = Request { command: Command::Open(opening), ..request };
    let step = BANK.answer(&request, &Records::default(), &NONCE);
    assert_eq!(status(&step.reply), None);
    let Some(Write::Open(mut charge)) = step.write else { panic!() };
    for left in [1, 0] {
        let inquiry = ask(&get("/v1/charges/R1"), &recorded(*charge));
        assert_eq!(status(&inquiry.reply), None);
        let Some(Write::Change { after, .. }) = inquiry.write else { panic!() };
        assert_eq!(after.silent_inquiries, left);
        charge = after;
    }
    let third = ask(&get("/v1/charges/R1"), &recorded(*charge));
    assert_eq!((third.write, status(&third.reply)), (None, Some(200)));
}

#[test]
fn only_a_charge_that_waits_for_its_payer_is_canceled() {
    let cancel = post("/v1/charges/R1/cancel", &Value::Null);
    let step = ask(&cancel, &recorded(opened()));
    let Some(Write::Change { after, .. }) = step.write else { panic!() };
    assert_eq!((after.status, status(&step.reply)), (ChargeStatus::Canceled, Some(200)));
    let again = ask(&cancel, &recorded(*after));
    assert_eq!((again.write, status(&again.reply)), (None, Some(200)));
    let late = ask(&cancel, &recorded(approved()));
    assert_eq!((late.write, status(&late.reply)), (None, Some(409)));
}

#[test]
fn an_operation_is_done_once_for_a_reference() {
    let path = "/v1/charges/R1/operations";
    let step = ask(&post(path, &refund("1.000")), &recorded(approved()));
    let Some(Write::Operate { operation, known: 0 }) = step.write else { panic!() };
    assert_eq!(status(&step.reply), Some(201));
    let records = Records {
        operations: vec![(*operation).clone()],
        operation: Some(*operation),
        ..recorded(approved())
    };
    let again = ask(&post(path, &refund("1.000")), &records);
    assert_eq!((again.write, status(&again.reply)), (None, Some(200)));
    assert_eq!(status(&ask(&post(path, &refund("2.000")), &records).reply), Some(409));
    assert_eq!(status(&ask(&get("/v1/charges/R1/operations/O1"), &records).reply), Some(200));
    assert_eq!(status(&ask(&get("/v1/charges/R2/operations/O1"), &records).reply), Some(404));
}

#[test]
fn an_operation_that_is_refused_or_lost_is_not_recorded() {
    let path = "/v1/charges/R1/operations";
    for (amount, records, answer) in [
        ("1.000", Records::default(), Some(404)),
        ("1.000", recorded(opened()), Some(422)),
        ("10.001", recorded(approved()), Some(422)),
        ("1.111", recorded(approved()), Some(422)),
        ("1.123", recorded(approved()), None),
    ] {
        let step = ask(&post(path, &refund(amount)), &records);
        assert_eq!((step.write, status(&step.reply)), (None, answer), "{amount}");
    }
    for (amount, answer) in [("1.117", None), ("1.119", Some(500))] {
        let step = ask(&post(path, &refund(amount)), &recorded(approved()));
        assert!(step.write.is_some());
        assert_eq!(status(&step.reply), answer, "{amount}");
    }
}

#[test]
fn what_the_bank_does_not_know_is_not_found() {
    for request in [
        get("/v1/charges/R1"),
        post("/v1/charges/R1/cancel", &Value::Null),
        get("/v1/charges/R1/operations/O1"),
    ] {
        let step = ask(&request, &Records::default());
        assert_eq!((step.write, status(&step.reply)), (None, Some(404)));
    }
    assert_eq!(BANK.read(&get("/v2/charges")).map_err(|reply| status(&reply)), Err(Some(404)));
    let nobody = Outgoing { headers: Vec::new(), ..get("/v1/charges/R1") };
    assert_eq!(BANK.read(&nobody).map_err(|reply| status(&reply)), Err(Some(401)));
}

#[test]
fn a_list_has_pages_and_says_what_was_done() {
    let bank = Bank { page_size: 1, ..BANK };
    let listed = |id: &str| Listed { charge: Charge { id: id.into(), ..approved() }, operations: Vec::new() };
    let ask = |query: &str, listed: Vec<Listed>| {
        let request = bank.read(&get(&format!("/v1/charges?{query}"))).unwrap();
        let step = bank.answer(&request, &Records { listed, ..Records::default() }, &NONCE);
        let Reply::Answer(answer) = step.reply else { panic!() };
        serde_json::from_slice::<Value>(&answer.body).unwrap()
    };
    let first = ask("from=0&to=2000", vec![listed("ch_1"), listed("ch_2")]);
    assert_eq!(first["next"], "1000.ch_1");
    assert_eq!(first["charges"][0]["refunded"], "0.000");
    let last = ask("from=0&to=2000&cursor=1000.ch_1", vec![listed("ch_2")]);
    assert_eq!((last.get("next"), last["charges"][0]["id"].to_string()), (None, "\"ch_2\"".into()));
    let Command::List(query) =
        bank.read(&get("/v1/charges?from=0&to=2000&cursor=1000.ch_1")).unwrap().command
    else {
        panic!()
    };
    assert!(!query.covers(&listed("ch_1")) && query.covers(&listed("ch_2")));
    for wrong in ["from=1", "from=-1&to=2", "from=5&to=9&cursor=4.x", "from=5&to=9&cursor=x"] {
        let refused = bank.read(&get(&format!("/v1/charges?{wrong}"))).map_err(|reply| status(&reply));
        assert_eq!(refused, Err(Some(400)), "{wrong}");
    }
}

#[test]
fn a_charge_changed_when_it_was_opened_even_if_the_clock_that_ended_it_was_behind() {
    let behind = Timestamp::from_millis(999);
    let charge = Charge { ended_at: Some(behind), ..approved() };
    let opened_at = charge.opened_at;
    assert!(behind < opened_at);
    assert_eq!(Listed { charge, operations: Vec::new() }.changed_at(), opened_at);
}
