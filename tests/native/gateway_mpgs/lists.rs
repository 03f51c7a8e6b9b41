//! The report of transactions as a list, and the check of the credentials.

use checkout_core::gateway::charge::Outcome;
use checkout_core::gateway::check::Checked;
use checkout_core::gateway::listing::{ChargePage, ListedSums, Period};
use checkout_core::testing::gateway::{OPENED_AT, answer, converse, money};
use checkout_core::value::time::Timestamp;

use super::{bank, connect, ok, sample};

const HEADER: &str = "order.id,transaction.id,transaction.type,transaction.amount,transaction.currency,result,response.gatewayCode,timeOfRecord";
const HOUR: i64 = 3_600_000;

fn period(hours: i64) -> Period {
    Period {
        from: Timestamp::from_millis(OPENED_AT),
        to: Timestamp::from_millis(OPENED_AT.saturating_add(hours.saturating_mul(HOUR))),
    }
}

fn page(hours: i64, cursor: Option<&str>, status: u16, body: &str) -> Option<ChargePage> {
    converse(bank().list_charges(period(hours), cursor).unwrap(), &[answer(status, body)]).1
}

fn row(order: &str, kind: &str, amount: &str, result: &str, code: &str) -> String {
    format!("{order},1,{kind},{amount},KWD,{result},{code},2026-11-21T00:00:06.120Z\n")
}

fn table(rows: &[String]) -> String {
    format!("{HEADER}\n{}", rows.concat())
}

#[test]
fn payments_that_took_money_are_listed() {
    let rows = [
        row("7H3K9M2P4Q5R", "AUTHENTICATION", "10.250", "SUCCESS", "APPROVED"),
        row("7H3K9M2P4Q5R", "PAYMENT", "10.250", "SUCCESS", "APPROVED"),
        row("7H3K9M2P4Q5R", "PAYMENT", "10.250", "SUCCESS", "APPROVED"),
        row("FAILED000000", "PAYMENT", "1", "FAILURE", "DECLINED"),
        row("PENDING00000", "PAYMENT", "1", "PENDING", "SUBMITTED"),
        row("PARTLY000000", "PAYMENT", "1", "SUCCESS", "PARTIALLY_APPROVED"),
        row("HELD00000000", "AUTHORIZATION", "1", "SUCCESS", "APPROVED"),
        row("VOIDED000000", "PAYMENT", "1", "SUCCESS", "APPROVED"),
        row("VOIDED000000", "VOID_PAYMENT", "1", "SUCCESS", "APPROVED"),
        row("REFUNDED0000", "REFUND", "1", "SUCCESS", "APPROVED"),
        "\"A\"\"B\",\"1\",PAYMENT,\"2.5\",KWD,SUCCESS,APPROVED,2026-11-21T00:00:07Z\r\n".to_owned(),
    ];
    let read = page(1, None, 200, &table(&rows)).unwrap();
    let listed: Vec<_> =
        read.charges.iter().map(|charge| (charge.report.reference.as_str(), charge.report.total)).collect();
    assert_eq!(
        listed,
        [("7H3K9M2P4Q5R", Some(money("10.250", "KWD"))), ("A\"B", Some(money("2.500", "KWD")))]
    );
    assert_eq!(read.next, None);
    for charge in &read.charges {
        assert_eq!((&charge.report.outcome, charge.sums), (&Outcome::Approved, ListedSums::default()));
    }
    assert_eq!(page(1, None, 200, &table(&[])), Some(ChargePage { charges: vec![], next: None }));
}

#[test]
fn a_long_period_is_listed_in_parts() {
    let mut cursor = None;
    let mut asked = Vec::new();
    for _ in 0..3 {
        let bank = bank();
        let step = bank.list_charges(period(7), cursor.as_deref()).unwrap();
        let (requests, read) = converse(step, &[answer(200, table(&[]))]);
        asked.extend(
            requests.first().map(|request| request.url.split('&').take(2).collect::<Vec<_>>().join("&")),
        );
        cursor = read.unwrap().next;
    }
    let url = "https://mpgs.bank.example/history/version/1/merchant/TESTSHOP01/transaction";
    assert_eq!(
        asked,
        [("00", "03"), ("03", "06"), ("06", "07")].map(|(from, to)| {
            format!(
                "{url}?timeOfRecord.start=2026-11-21T{from}:00:00Z&timeOfRecord.end=2026-11-21T{to}:00:00Z"
            )
        })
    );
    assert_eq!(cursor, None);
    for wrong in ["", "x", "-1", "1", "99999999999999"] {
        let bank = bank();
        let step = bank.list_charges(period(7), Some(wrong)).unwrap();
        assert_eq!(step.done(), Some(None), "{wrong}");
    }
}

#[test]
fn a_page_of_which_anything_cannot_be_read_is_no_page() {
    let good = row("7H3K9M2P4Q5R", "PAYMENT", "10.250", "SUCCESS", "APPROVED");
    let whole = table(std::slice::from_ref(&good));
    assert!(page(1, None, 200, &whole).is_some());
    for end in HEADER.len() + 2..whole.len() - 2 {
        let read = page(1, None, 200, whole.split_at(end).0);
        assert!(read.is_none(), "{end}");
    }
    for body in [
        String::new(),
        "DATA_AVAILABLE_AFTER 2026-11-21T00:00:00Z".into(),
        whole.replace("order.id,", "order.reference,"),
        whole.replace("10.250", "10.2501"),
        whole.replace("10.250", "-1"),
        whole.replace("KWD", "XAU"),
        whole.replace("7H3K9M2P4Q5R", "\"7H3K"),
        whole.replace("06.120Z", "06.120"),
        table(&[good.replace('\n', ",more\n")]),
    ] {
        assert_eq!(page(1, None, 200, &body), None, "{body}");
    }
    for status in [0, 201, 400, 401, 404, 500] {
        assert_eq!(page(1, None, status, &whole), None, "{status}");
    }
}

#[test]
fn the_credentials_are_checked_without_moving_anything() {
    let bank = connect(&[]);
    let check = bank.check().call().unwrap();
    assert!(!check.moves_money);
    let checked = |answer| converse(bank.check(), &[answer]).1;
    assert_eq!(checked(ok("options")), Checked::Accepted);
    assert_eq!(checked(answer(401, sample("rejected"))), Checked::Refused(Some("REQUEST_REJECTED".into())));
    for unclear in [
        answer(400, sample("invalid")),
        answer(500, ""),
        answer(401, "<html>"),
        answer(200, "{}"),
        answer(0, ""),
    ] {
        assert_eq!(checked(unclear), Checked::Unclear);
    }
}
