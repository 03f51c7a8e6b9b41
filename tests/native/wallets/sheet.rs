//! The sheet of Apple Pay.

use super::*;

// The sheet of Apple Pay.

fn open_sheet(shop: &Shop, origin: Option<&str>, body: &str) -> Result<PageAnswer, Failure> {
    block_on(start_session(&shop.world, origin, body.as_bytes()))
}

fn sheet(session_id: &SessionId, more: &str) -> String {
    format!(r#"{{"session_id":"{session_id}","code":"credit-card"{more}}}"#)
}

#[test]
fn a_sheet_gets_the_session_of_the_gateway_as_it_came() {
    let shop = Shop::open(15);
    let session_id = shop.create(&order(&["credit-card"]));
    let address = "https://apple-pay-gateway.apple.com/paymentservices/startSession";
    let more = format!(r#","amount":"10.200","apple_pay_payload":{{"validationURL":"{address}"}}"#);
    let answer = open_sheet(&shop, None, &sheet(&session_id, &more)).unwrap();
    assert_eq!((answer.status, answer.body.as_str()), (200, SESSION));
    let [asked]: [Value; 1] = shop.bank.sessions().try_into().unwrap();
    assert_eq!(
        asked,
        json!({"merchant_id": "merchant.invalid.sandbox.till", "display_name": "Demo Store",
               "domain": "pay.example.com", "validation_url": address})
    );
    assert!(shop.bank.openings().is_empty(), "nothing is charged by opening a sheet");
}

#[test]
fn an_address_that_is_not_apples_is_refused_and_asked_by_nobody() {
    let shop = Shop::open(16);
    let session_id = shop.create(&order(&["credit-card"]));
    for address in [
        "https://evil.example/",
        "http://169.254.169.254/",
        "https://apple-pay-gateway.apple.com.evil.example/",
    ] {
        for more in [
            format!(r#","validation_url":"{address}""#),
            format!(r#","apple_pay_payload":{{"validationURL":"{address}"}}"#),
        ] {
            let found = wrong(open_sheet(&shop, None, &sheet(&session_id, &more)));
            assert_eq!(found, [("validation_url".into(), Rule::NotAppleAddress)]);
        }
    }
    assert!(shop.bank.sessions().is_empty());
}

#[test]
fn the_domain_is_that_of_a_listed_page_and_never_one_that_a_stranger_names() {
    let shop = Shop::open_with(17, |settings| {
        settings["allowed_origins"] = json!(["https://store.example.com"]);
        settings["gateways"][2]["apple_pay"]["domain"] = "www.example.com".into();
    });
    let session_id = shop.create(&order(&["credit-card"]));
    for (origin, domain) in [
        (Some("https://store.example.com"), "store.example.com"),
        (Some("https://pay.example.com"), "pay.example.com"),
        (Some("https://evil.example"), "www.example.com"),
        (Some("null"), "www.example.com"),
        (None, "www.example.com"),
    ] {
        open_sheet(&shop, origin, &sheet(&session_id, "")).unwrap();
        assert_eq!(text(shop.bank.sessions().last().unwrap(), "domain"), Some(domain), "{origin:?}");
    }
}

#[test]
fn a_gateway_that_issues_no_session_is_an_answer_with_an_error() {
    for mood in [Mood::Refuses, Mood::Broken, Mood::Down, Mood::Deaf] {
        let shop = Shop::open(18);
        let session_id = shop.create(&order(&["credit-card"]));
        shop.bank.on_asking(mood);
        let answer = open_sheet(&shop, None, &sheet(&session_id, "")).unwrap();
        let shown = body_of(&answer);
        assert_eq!(
            (answer.status, text(&shown["callback_payload"], "status")),
            (400, Some("error")),
            "{mood:?}"
        );
        assert!(text(&shown, "message").is_some_and(|message| !message.is_empty()));
        assert_eq!(shop.world.store.attempts(&session_id), Vec::new());
    }
}

#[test]
fn no_sheet_opens_for_what_cannot_be_paid() {
    let shop = Shop::open(19);
    let session_id = shop.create(&order(&["knet", "credit-card"]));
    let knet = format!(r#"{{"session_id":"{session_id}","code":"knet"}}"#);
    assert_eq!(plainly(open_sheet(&shop, None, &knet)), Rejection::InstrumentNotOffered);
    apple(&shop, &session_id).unwrap();
    assert!(matches!(
        plainly(open_sheet(&shop, None, &sheet(&session_id, ""))),
        Rejection::NotPayable { .. }
    ));
    assert!(shop.bank.sessions().is_empty());
}
