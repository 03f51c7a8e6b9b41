//! What an inquiry says.

use checkout_core::gateway::charge::Outcome;
use checkout_core::gateway::check::Checked;
use checkout_core::testing::gateway::{REFERENCE, answer, charge, converse, money};
use proptest::prelude::*;

use super::{failed, inquired, knet, outcome, said};

#[test]
fn every_result_has_its_outcome() {
    for (result, expected) in [
        ("CAPTURED", Outcome::Approved),
        ("SUCCESS", Outcome::Approved),
        ("NOT CAPTURED", Outcome::Declined),
        ("NOT+CAPTURED", Outcome::Declined),
        ("FAILURE(NOT CAPTURED)", Outcome::Declined),
        ("DENIED BY RISK", Outcome::Declined),
        ("FAILURE(DENIED BY RISK)", Outcome::Declined),
        ("AUTH ERROR", Outcome::Declined),
        ("NOT SUPPORTED", Outcome::Declined),
        ("CANCELED", Outcome::Canceled),
        ("FAILURE(CANCELED)", Outcome::Canceled),
        ("CANCELLED", Outcome::Canceled),
        ("VOIDED", Outcome::Canceled),
        ("HOST TIMEOUT", Outcome::Unknown),
        ("FAILURE(HOST TIMEOUT)", Outcome::Unknown),
        ("FAILURE(SUSPECT)", Outcome::Unknown),
        ("SUSPECTED", Outcome::Unknown),
        ("INITIATED", Outcome::Unknown),
        ("PENDING", Outcome::Unknown),
        ("FAILURE(CAPTURED)", Outcome::Unknown),
        ("FAILURE(SUCCESS)", Outcome::Unknown),
        ("FAILURE", Outcome::Unknown),
        ("captured", Outcome::Unknown),
        ("CAPTURED!", Outcome::Unknown),
        ("", Outcome::Unknown),
        ("null", Outcome::Unknown),
    ] {
        assert_eq!(outcome(&said(result, "00")), expected, "{result}");
    }
}

#[test]
fn an_approval_has_everything_that_the_merchant_needs() {
    let report = inquired(&answer(200, said("SUCCESS", "00")));
    assert_eq!((report.reference.as_str(), report.total), (REFERENCE, Some(money("10.250", "KWD"))));
    assert_eq!(report.gateway_id.as_deref(), Some("100202632500099"));
    let params: Vec<_> = report.params.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(
        params,
        [
            ("auth_code", "B24047"),
            ("payment_id", "100202632500099"),
            ("pg_message", "SUCCESS"),
            ("post_date", "1122"),
            ("ref", "632500000042"),
            ("result", "CAPTURED"),
            ("rrn", "632500000042"),
            ("track_id", REFERENCE),
            ("transaction_id", "202632500000099"),
        ]
    );
    assert_eq!(
        report.raw.unwrap(),
        r#"{"amt":"10.250","auth":"B24047","authRespCode":"00","avr":"N","payid":"100202632500099","postdate":"1122","ref":"632500000042","result":"SUCCESS","trackid":"7H3K9M2P4Q5R","tranid":"202632500000099","udf1":"7H3K9M2P4Q5R","udf5":"TrackID"}"#
    );
}

#[test]
fn a_decline_says_why_and_what_to_do() {
    for (result, code, reason, advice, shown) in [
        ("NOT CAPTURED", "01", "contact_issuer", "contact_bank", "01"),
        ("NOT CAPTURED", "05", "contact_issuer", "contact_bank", "05"),
        ("NOT CAPTURED", "14", "invalid_card", "correct_data", "14"),
        ("NOT CAPTURED", "33", "expired_card", "other_card", "33"),
        ("NOT CAPTURED", "36", "not_permitted", "other_card", "36"),
        ("NOT CAPTURED", "38", "wrong_pin", "correct_data", "38"),
        ("NOT CAPTURED", "41", "lost_or_stolen", "stop", "41"),
        ("NOT CAPTURED", "51", "insufficient_funds", "other_card", "51"),
        ("NOT CAPTURED", "54", "expired_card", "other_card", "54"),
        ("NOT CAPTURED", "55", "wrong_pin", "correct_data", "55"),
        ("NOT CAPTURED", "59", "suspected_fraud", "stop", "59"),
        ("NOT CAPTURED", "61", "limit_exceeded", "other_card", "61"),
        ("NOT CAPTURED", "62", "not_permitted", "other_card", "62"),
        ("NOT CAPTURED", "65", "limit_exceeded", "other_card", "65"),
        ("NOT CAPTURED", "75", "wrong_pin", "correct_data", "75"),
        ("FAILURE(NOT CAPTURED)", "78", "contact_issuer", "contact_bank", "78"),
        ("NOT CAPTURED", "91", "technical_error", "retry_later", "91"),
        ("NOT CAPTURED", "Z9", "other", "other_method", "Z9"),
        ("NOT CAPTURED", "", "do_not_honor", "contact_bank", "NOT CAPTURED"),
        ("DENIED BY RISK", "00", "not_permitted", "other_card", "DENIED BY RISK"),
        ("AUTH ERROR", "", "authentication_failed", "authenticate", "AUTH ERROR"),
        ("NOT SUPPORTED", "", "not_permitted", "other_card", "NOT SUPPORTED"),
        ("CANCELED", "", "canceled_by_payer", "retry_later", "CANCELED"),
        ("VOIDED", "00", "technical_error", "retry_later", "VOIDED"),
    ] {
        let params = inquired(&answer(200, said(result, code))).params;
        let param = |key: &str| params.get(key).map(String::as_str);
        assert_eq!(
            (param("decline_reason"), param("decline_advice"), param("decline_code")),
            (Some(reason), Some(advice), Some(shown)),
            "{result} {code}"
        );
    }
    let other_name = said("NOT CAPTURED", "51").replace("authRespCode", "authResponseCode");
    let params = inquired(&answer(200, other_name)).params;
    assert_eq!(params.get("decline_code").map(String::as_str), Some("51"));
    assert!(!inquired(&answer(200, said("CAPTURED", "00"))).params.contains_key("decline_code"));
}

#[test]
fn only_the_error_that_says_so_means_that_there_is_no_charge() {
    let report = inquired(&answer(200, failed("IPAY0100263", "Transaction not found.")));
    assert_eq!((report.outcome, report.reference.as_str()), (Outcome::Absent, REFERENCE));
    assert_eq!(outcome("<result>!ERROR!-IPAY0100263-Transaction not found.</result>"), Outcome::Absent);
    assert_eq!(outcome("<error_code_tag>IPAY0100263</error_code_tag>"), Outcome::Absent);
    for body in [
        failed("IPAY0100114", "Duplicate Record"),
        failed("IPAY0100158", "Host timeout"),
        failed("IPAY0100015", "Invalid Tranportal Password."),
        failed("IPAY9999999", "Something new"),
        failed("IPAY0100263", "Transaction not found.").replacen("IPAY0100263", "IPAY0100114", 1),
        failed("IPAY0100114", "Duplicate Record").replacen("IPAY0100114", "IPAY0100263", 1),
        "<result>!ERROR!</result>".into(),
        "<result>!ERROR!-Transaction not found.</result>".into(),
        "<result>FAILURE - IPAY0100263 - Transaction details not available.</result>".into(),
        format!("{}<error_code_tag>IPAY0100263</error_code_tag>", said("CAPTURED", "00")),
        format!("{}<ErrorText>something</ErrorText>", said("CAPTURED", "00")),
        format!("{}<Error>IPAY0100048</Error>", said("NOT CAPTURED", "00")),
    ] {
        assert_eq!(outcome(&body), Outcome::Unknown, "{body}");
    }
    let empty_tag = format!("{}<error_code_tag>null</error_code_tag>", said("CAPTURED", "00"));
    assert_eq!(outcome(&empty_tag), Outcome::Approved);
}

#[test]
fn an_answer_without_track_id_or_amount_is_unknown() {
    let good = said("CAPTURED", "00");
    for part in ["<trackid>7H3K9M2P4Q5R</trackid>", "<amt>10.250</amt>", "<result>CAPTURED</result>"] {
        assert!(good.contains(part));
        assert_eq!(outcome(&good.replace(part, "")), Outcome::Unknown, "{part}");
    }
    for amount in ["", "10.2501", "-10.250", "1e1", "10,250", "10.250 KWD", "null", ".", "+1"] {
        let body = good.replace("<amt>10.250</amt>", &format!("<amt>{amount}</amt>"));
        assert_eq!(outcome(&body), Outcome::Unknown, "{amount}");
    }
}

#[test]
fn another_amount_or_reference_is_visible_in_the_report() {
    let good = said("CAPTURED", "00");
    let other = inquired(&answer(200, good.replace("<amt>10.250", "<amt>10.251")));
    assert_eq!(other.total, Some(money("10.251", "KWD")));
    let other = inquired(&answer(200, good.replace("<trackid>7H3K", "<trackid>8J4L")));
    assert_eq!(other.reference, "8J4L9M2P4Q5R");
    let other = inquired(&answer(200, good.replace("<udf1>7H3K", "<udf1>8J4L")));
    assert_eq!(other.outcome, Outcome::Unknown, "another purchase under our track id");
    for udf in ["<udf1></udf1>", "<udf1>null</udf1>", "<udf1/>", ""] {
        let body = good.replace("<udf1>7H3K9M2P4Q5R</udf1>", udf);
        assert_eq!(outcome(&body), Outcome::Approved, "{udf}");
    }
    let short = inquired(&answer(200, good.replace("<amt>10.250", "<amt>10.25")));
    assert_eq!(short.total, Some(money("10.250", "KWD")));
}

#[test]
fn the_forms_of_an_answer_say_the_same() {
    let good = said("CAPTURED", "00");
    let expected = inquired(&answer(200, good.clone()));
    let json = format!(
        "{{\"result\":\"CAPTURED\",\"auth\":\"B24047\",\"ref\":632500000042,\"avr\":\"N\",\"postdate\":\"1122\",\
         \"tranid\":\"202632500000099\",\"trackid\":\"{REFERENCE}\",\"payid\":100202632500099,\
         \"udf1\":\"{REFERENCE}\",\"udf2\":null,\"udf5\":\"TrackID\",\"amt\":10.250,\"authRespCode\":\"00\"}}"
    );
    for body in [
        format!("<response>{good}</response>"),
        format!("\r\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<response>\r\n{good}\r\n</response>\r\n"),
        good.replace("</", "\n</").replace("><", ">\n<"),
        json,
    ] {
        assert_eq!(inquired(&answer(200, body.clone())), expected, "{body}");
    }
}

#[test]
fn what_is_not_an_answer_is_unknown() {
    let good = said("CAPTURED", "00");
    for body in [
        String::new(),
        "<html><body>CAPTURED</body></html>".into(),
        format!("<html><body>{good}</body></html>"),
        format!("{good}<result>CAPTURED</result>"),
        format!("<result>NOT CAPTURED</result>{good}"),
        format!("{good}<RESULT>NOT CAPTURED</RESULT>"),
        format!("{good}</response>"),
        format!("{good}<"),
        format!("x{good}"),
        format!("<!DOCTYPE r [<!ENTITY x \"y\">]>{good}"),
        good.replace("<result>", "<result a=\"b\">"),
        good.replace("<result>CAPTURED</result>", "<result><![CDATA[CAPTURED]]></result>"),
        good.replace("<udf2></udf2>", "<udf2>&x;</udf2>"),
        "<a>".repeat(20_000),
        "{\"result\":\"CAPTURED\"".into(),
        "[]".into(),
        "null".into(),
    ] {
        assert_eq!(outcome(&body), Outcome::Unknown, "{body:.80}");
    }
    assert_eq!(inquired(&answer(200, vec![0xff, 0xfe])).outcome, Outcome::Unknown);
    for status in [0, 100, 201, 204, 301, 302, 400, 401, 403, 404, 408, 429, 500, 502, 503, 504] {
        for body in [good.clone(), failed("IPAY0100263", "Transaction not found.")] {
            assert_eq!(inquired(&answer(status, body)).outcome, Outcome::Unknown, "{status}");
        }
    }
}

/// Fragments have no end: one that stops between two of them is a message too, and says nothing else than the whole.
#[test]
fn no_part_of_an_answer_says_anything_that_the_whole_does_not_say() {
    for result in ["CAPTURED", "NOT CAPTURED"] {
        let whole = said(result, "00");
        let expected = inquired(&answer(200, whole.clone()));
        let complete = whole.find("</amt>").unwrap();
        for length in 0..whole.len() {
            let report = inquired(&answer(200, whole.get(..length).unwrap()));
            if report.outcome != Outcome::Unknown {
                assert!(length > complete, "{length}");
                assert_eq!(
                    (report.outcome, report.total, &report.reference),
                    (expected.outcome.clone(), expected.total, &expected.reference)
                );
            }
        }
        let rooted = format!("<response>{whole}</response>");
        for length in 0..rooted.len() {
            let report = inquired(&answer(200, rooted.get(..length).unwrap()));
            assert_eq!(report.outcome, Outcome::Unknown, "{length}");
        }
    }
}

#[test]
fn a_withdrawal_reports_what_the_inquiry_says() {
    let charge = charge("10.250", "KWD");
    for (body, outcome) in [
        (said("CAPTURED", "00"), Outcome::Approved),
        (said("NOT CAPTURED", "51"), Outcome::Declined),
        (failed("IPAY0100263", "Transaction not found."), Outcome::Absent),
        (String::new(), Outcome::Unknown),
    ] {
        let (_, report) = converse(knet().withdraw(&charge), &[answer(200, body)]);
        assert_eq!(report.outcome, outcome);
    }
}

#[test]
fn a_check_says_whether_knet_accepts_the_credentials() {
    let checked = |status, body: String| converse(knet().check(), &[answer(status, body)]).1;
    assert_eq!(checked(200, failed("IPAY0100263", "Transaction not found.")), Checked::Accepted);
    for (code, text) in [
        ("IPAY0100015", "Invalid Tranportal Password."),
        ("IPAY0100215", "Invalid Tranportal ID."),
        ("IPAY0100008", "Terminal not enabled."),
    ] {
        let expected = Checked::Refused(Some(format!("{code}-{text}")));
        assert_eq!(checked(200, failed(code, text)), expected);
    }
    for (status, body) in [
        (200, failed("IPAY0100158", "Host timeout")),
        (200, said("CAPTURED", "00")),
        (200, String::new()),
        (200, "<html>".into()),
        (500, failed("IPAY0100015", "Invalid Tranportal Password.")),
        (404, String::new()),
    ] {
        assert_eq!(checked(status, body.clone()), Checked::Unclear, "{status} {body}");
    }
}

proptest! {
    #[test]
    fn bytes_that_are_no_answer_never_settle(status in 0_u16..700, body in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert_eq!(inquired(&answer(status, body)).outcome, Outcome::Unknown);
    }

    #[test]
    fn elements_of_any_text_never_settle(text in "(<[a-z/?!]{0,8}>|&[a-z]{0,4};?|[A-Z<>&/ ]{0,4}){0,40}") {
        prop_assert_eq!(outcome(&text), Outcome::Unknown);
    }

    #[test]
    fn one_changed_byte_never_makes_a_decline_an_approval(place in 0_usize..1_000, byte in any::<u8>()) {
        let mut body = said("NOT CAPTURED", "51").into_bytes();
        let place = place.checked_rem(body.len()).unwrap();
        *body.get_mut(place).unwrap() = byte;
        prop_assert_ne!(inquired(&answer(200, body)).outcome, Outcome::Approved);
    }

    #[test]
    fn the_amount_is_read_as_it_is_written(minor in 0_i64..9_000_000_000) {
        let (units, fils) = (minor.checked_div(1000).unwrap(), minor.checked_rem(1000).unwrap());
        let amount = format!("{units}.{fils:03}");
        let body = said("CAPTURED", "00").replace("<amt>10.250", &format!("<amt>{amount}"));
        prop_assert_eq!(inquired(&answer(200, body)).total, Some(money(&amount, "KWD")));
    }
}
