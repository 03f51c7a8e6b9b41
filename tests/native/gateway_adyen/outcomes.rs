//! What each answer means.

use checkout_core::gateway::charge::{ChargeRef, Opened, Order, Outcome, Report};
use checkout_core::gateway::decline::{CODE, REASON};
use checkout_core::gateway::exchange::Incoming;
use checkout_core::gateway::operation::{OperationOutcome, OperationReport};
use checkout_core::gateway::page_form::GatewayPage;
use checkout_core::testing::gateway::{answer, charge, converse, money, operation_order, order, wallet};
use checkout_core::words::{ChildOperation, Wallet};
use serde_json::{Value, json};

use super::{
    LINK, PAYMENT, TOKEN, answered, changed, link_charge, reported, returned, shop, wallet_charge,
    without_webhooks,
};

/// How the answer to the request for a page is read.
fn page(answer: &Incoming) -> Opened {
    let (shop, order) = (shop(), order("10.250", "KWD"));
    converse(shop.open(&order), std::slice::from_ref(answer)).1
}

/// How the answer to the request for a payment is read.
pub(super) fn payment(answer: &Incoming) -> Opened {
    let payload = r#"{"paymentData":{"data":"x"}}"#;
    let order = Order { instrument: wallet(Wallet::ApplePay, payload), ..order("10.250", "KWD") };
    converse(shop().open(&order), std::slice::from_ref(answer)).1
}

/// How the status of a link is read.
fn status(answer: &Incoming) -> Report {
    converse(shop().inquire(&link_charge(), None), std::slice::from_ref(answer)).1
}

/// How the answer to what the payer brought back is read.
fn details(answer: &Incoming) -> Report {
    converse(shop().inquire(&wallet_charge(), Some(&returned("eyJ0"))), std::slice::from_ref(answer)).1
}

/// How the answer to the request for an operation is read.
pub(super) fn operated(kind: ChildOperation, amount: &str, answer: &Incoming) -> OperationReport {
    let order = operation_order(wallet_charge(), kind, amount);
    converse(shop().operate(&order), std::slice::from_ref(answer)).1
}

#[test]
fn each_status_of_a_link_has_its_outcome() {
    let page_url = "https://test.adyen.link/PLE83C39B0A0DE0C1E".to_string();
    for (name, outcome) in [
        ("link active", Outcome::Open { page_url }),
        ("link expired", Outcome::Canceled),
        ("link paymentPending", Outcome::Unknown),
        // The webhook follows, with the id by which the payment is captured and refunded.
        ("link completed", Outcome::Unknown),
        ("link paid", Outcome::Unknown),
    ] {
        for report in [reported(page(&answered(name))), status(&answered(name))] {
            assert_eq!(report.outcome, outcome, "{name}");
            assert_eq!(
                (report.reference.as_str(), report.total),
                ("7H3K9M2P4Q5R", Some(money("10.250", "KWD")))
            );
            assert_eq!(report.gateway_id.as_deref(), Some(LINK));
        }
    }
}

#[test]
fn without_webhooks_a_completed_link_is_all_that_will_be_known() {
    for name in ["link completed", "link paid"] {
        let (shop, charge) = (without_webhooks(), link_charge());
        let (_, report) = converse(shop.inquire(&charge, None), &[answered(name)]);
        assert_eq!(report.outcome, Outcome::Approved);
        // Its id is not that of a payment: nothing can be done to it, and nothing is sent.
        let charge = ChargeRef { gateway_id: report.gateway_id, ..charge };
        let refund = operation_order(charge, ChildOperation::Refund, "1.000");
        let refused = shop.operate(&refund).done().unwrap();
        assert_eq!(refused.outcome, OperationOutcome::Refused);
        assert!(refused.message.unwrap().contains("webhook"));
    }
}

#[test]
fn a_link_with_a_part_missing_is_unknown() {
    for member in ["amount", "id", "reference", "status", "url"] {
        for name in ["link active", "link expired", "link completed"] {
            let report = status(&changed(name, &[(member, Value::Null)]));
            assert_eq!(report.outcome, Outcome::Unknown, "{name} without {member}");
        }
    }
    for url in ["http://test.adyen.link/", "javascript:alert(1)", "https://a@b.example/"] {
        assert_eq!(status(&changed("link active", &[("url", json!(url))])).outcome, Outcome::Unknown);
    }
    assert_eq!(status(&changed("link active", &[("status", json!("new"))])).outcome, Outcome::Unknown);
}

#[test]
fn a_link_that_was_never_received_was_never_paid() {
    let lost = charge("10.250", "KWD");
    assert_eq!(shop().inquire(&lost, None).done().unwrap().outcome, Outcome::Absent);
    assert_eq!(shop().withdraw(&lost).done().unwrap().outcome, Outcome::Absent);
}

#[test]
fn a_payment_without_a_return_is_unknown_and_never_absent() {
    for gateway_id in [None, Some(PAYMENT.to_string())] {
        let charge = ChargeRef { gateway_id, ..wallet_charge() };
        for returned in [None, Some(returned("")), Some(returned(&"a".repeat(20_001)))] {
            let report = shop().inquire(&charge, returned.as_ref()).done().unwrap();
            assert_eq!(report.outcome, Outcome::Unknown);
        }
        assert_eq!(shop().withdraw(&charge).done().unwrap().outcome, Outcome::Unknown);
    }
}

#[test]
fn each_result_of_a_payment_has_its_outcome() {
    for (name, outcome) in [
        ("authorised", Outcome::Approved),
        ("refused", Outcome::Declined),
        ("cancelled", Outcome::Canceled),
        ("error", Outcome::Unknown),
        ("authorised, as documented without an amount", Outcome::Unknown),
        ("result AuthenticationFinished", Outcome::Unknown),
        ("result AuthenticationNotRequired", Outcome::Unknown),
        ("result ChallengeShopper", Outcome::Unknown),
        ("result IdentifyShopper", Outcome::Unknown),
        ("result PartiallyAuthorised", Outcome::Unknown),
        ("result Pending", Outcome::Unknown),
        ("result PresentToShopper", Outcome::Unknown),
        ("result Received", Outcome::Unknown),
        ("result Success", Outcome::Unknown),
    ] {
        let report = reported(payment(&answered(name)));
        assert_eq!(report.outcome, outcome, "{name}");
        assert_eq!(report.gateway_id.as_deref(), Some(PAYMENT), "{name}");
        assert_eq!(report.reference, "7H3K9M2P4Q5R");
    }
    for (name, outcome) in [
        ("details authorised", Outcome::Approved),
        ("details refused", Outcome::Declined),
        ("details, as documented without an amount", Outcome::Unknown),
    ] {
        assert_eq!(details(&answered(name)).outcome, outcome, "{name}");
    }
}

#[test]
fn a_redirect_opens_the_page_of_the_bank() {
    let page_url =
        "https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect?MD=abc".to_string();
    let report = reported(payment(&answered("redirect")));
    assert_eq!(report.outcome, Outcome::Open { page_url });
    assert_eq!((report.reference.as_str(), report.gateway_id.as_deref()), ("7H3K9M2P4Q5R", Some(PAYMENT)));
}

#[test]
fn a_redirect_by_a_form_opens_the_page_of_the_bank_with_all_of_its_fields() {
    let report = reported(payment(&answered("redirect by a form")));
    let Outcome::Open { page_url } = &report.outcome else { panic!("{report:?}") };
    let Some(GatewayPage::Form(form)) = GatewayPage::parse(page_url) else { panic!("{page_url}") };
    assert_eq!(form.url, "https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect?MD=abc");
    let fields: Vec<(&str, &str)> =
        form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(fields, [("MD", "abc"), ("PaReq", "def")]);
    for (pointer, value) in [
        ("/action/data", Value::Null),
        ("/action/data/MD", json!(7)),
        ("/action/url", json!("javascript:alert(1)")),
        ("/action/method", json!("PUT")),
        ("/action/type", json!("qrCode")),
    ] {
        let mut body: serde_json::Value =
            serde_json::from_slice(&answered("redirect by a form").body).unwrap();
        *body.pointer_mut(pointer).unwrap() = value;
        assert_eq!(reported(payment(&answer(200, body.to_string()))).outcome, Outcome::Unknown, "{pointer}");
    }
}

#[test]
fn an_outcome_without_reference_amount_or_id_is_unknown() {
    for member in ["merchantReference", "amount", "pspReference", "resultCode"] {
        for name in ["authorised", "refused", "cancelled"] {
            let without = changed(name, &[(member, Value::Null)]);
            assert_eq!(reported(payment(&without)).outcome, Outcome::Unknown, "{name} without {member}");
        }
    }
    for amount in [
        json!({ "currency": "KWD", "value": "10250" }),
        json!({ "currency": "KWD", "value": -1 }),
        json!({ "currency": "KWD", "value": 10.5 }),
        json!({ "currency": "KWD" }),
        json!({ "currency": "XAU", "value": 1 }),
        json!({ "currency": "ISK", "value": 150 }),
        json!({ "value": 1 }),
        json!(10250),
    ] {
        let report = reported(payment(&changed("authorised", &[("amount", amount.clone())])));
        assert_eq!(report.outcome, Outcome::Unknown, "{amount}");
    }
}

#[test]
fn another_amount_currency_or_reference_shows_in_the_report() {
    let named = |member, value| reported(payment(&changed("authorised", &[(member, value)])));
    let report = named("amount", json!({ "currency": "KWD", "value": 10249 }));
    assert_eq!(report.total, Some(money("10.249", "KWD")));
    assert_eq!(
        named("amount", json!({ "currency": "ISK", "value": 48900 })).total,
        Some(money("489", "ISK"))
    );
    assert_eq!(named("amount", json!({ "currency": "IDR", "value": 7 })).total, Some(money("7.00", "IDR")));
    assert_eq!(named("amount", json!({ "currency": "CLP", "value": 700 })).total, Some(money("7", "CLP")));
    assert_eq!(named("amount", json!({ "currency": "CVE", "value": 7 })).total, Some(money("7.00", "CVE")));
    assert_eq!(named("merchantReference", json!("ANOTHER")).reference, "ANOTHER");
    assert_eq!(status(&changed("link expired", &[("reference", json!("ANOTHER"))])).reference, "ANOTHER");
}

#[test]
fn an_approval_has_the_data_of_the_card_and_its_token_only_where_it_belongs() {
    let report = reported(payment(&answered("authorised")));
    let expected = [
        ("auth_code", "044925"),
        ("card_expiry_month", "03"),
        ("card_expiry_year", "30"),
        ("card_holder", "NOURA AL-SABAH"),
        ("card_number", "411111******1111"),
        ("card_type", "visa"),
        ("full_card_expiry", "03/30"),
        ("payment_id", PAYMENT),
        ("ref", "8PQMP9VEP3H"),
        ("result", "Authorised"),
        ("rrn", "8PQMP9VEP3H"),
        ("track_id", "7H3K9M2P4Q5R"),
        ("transaction_id", "777718270854480"),
    ];
    let params: Vec<_> = report.params.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(params, expected);
    let card = report.card.as_ref().unwrap();
    assert_eq!(card.token.0, TOKEN);
    assert_eq!((card.brand.as_deref(), card.number.as_deref()), (Some("visa"), Some("**** 1111")));
    assert_eq!((card.expiry.month(), card.expiry.year()), ("03".into(), "30".into()));
    let raw = report.raw.as_deref().unwrap();
    for secret in [TOKEN, "NOURA", "noura@", "411111", "customer-7", "1111"] {
        assert!(!raw.contains(secret), "{raw}");
        assert!(!format!("{report:?}").replace(&format!("{:?}", report.params), "").contains(TOKEN));
    }
    assert!(raw.contains(r#""resultCode":"Authorised""#) && raw.contains(r#""value":10250"#), "{raw}");
}

#[test]
fn no_card_is_reported_without_its_month_or_before_it_is_approved() {
    let (_, body) = super::sample("authorised");
    let mut data = body["additionalData"].clone();
    data.as_object_mut().unwrap().remove("expiryDate");
    assert_eq!(reported(payment(&changed("authorised", &[("additionalData", data)]))).card, None);
    let data = body["additionalData"].clone();
    assert_eq!(reported(payment(&changed("refused", &[("additionalData", data)]))).card, None);
}

#[test]
fn no_card_number_is_stored_wherever_it_is() {
    let number = "4111111111111111";
    let data = json!({
        "authCode": number, "cardSummary": number, "cardBin": number, "cardHolderName": number,
        "paymentMethod": number, "acquirerReference": number, "refusalReasonRaw": number,
    });
    let members = [
        ("additionalData", data),
        ("refusalReason", json!(format!("card {number} refused"))),
        ("cardNumber", json!(number)),
    ];
    for name in ["authorised", "refused"] {
        let report = reported(payment(&changed(name, &members)));
        assert!(!format!("{report:?}").contains(number), "{report:?}");
    }
}

#[test]
fn each_code_of_a_refusal_has_its_reason() {
    let reason = |code: Value, text: Value| {
        let answer = changed("refused", &[("refusalReasonCode", code), ("refusalReason", text)]);
        let params = reported(payment(&answer)).params;
        (params.get(REASON).unwrap().clone(), params.get(CODE).cloned())
    };
    for (code, expected) in [
        (2, "do_not_honor"),
        (3, "contact_issuer"),
        (4, "technical_error"),
        (5, "lost_or_stolen"),
        (6, "expired_card"),
        (7, "not_permitted"),
        (8, "invalid_card"),
        (9, "technical_error"),
        (10, "not_permitted"),
        (11, "authentication_failed"),
        (12, "insufficient_funds"),
        (14, "suspected_fraud"),
        (15, "canceled_by_payer"),
        (16, "canceled_by_payer"),
        (17, "wrong_pin"),
        (18, "wrong_pin"),
        (19, "wrong_pin"),
        (20, "suspected_fraud"),
        (21, "technical_error"),
        (22, "suspected_fraud"),
        (23, "not_permitted"),
        (24, "wrong_security_code"),
        (25, "not_permitted"),
        (26, "revoked"),
        (27, "do_not_honor"),
        (28, "limit_exceeded"),
        (29, "limit_exceeded"),
        (31, "suspected_fraud"),
        (32, "wrong_address"),
        (33, "wrong_pin"),
        (34, "not_permitted"),
        (35, "not_permitted"),
        (36, "authentication_required"),
        (37, "not_permitted"),
        (38, "authentication_required"),
        (39, "authentication_failed"),
        (40, "not_permitted"),
        (41, "authentication_required"),
        (42, "authentication_failed"),
        (43, "wrong_pin"),
        (44, "not_permitted"),
        (45, "not_permitted"),
        (46, "revoked"),
        (99, "other"),
    ] {
        let found = reason(json!(code.to_string()), Value::Null);
        assert_eq!(found, (expected.to_string(), Some(code.to_string())), "{code}");
    }
    assert_eq!(reason(Value::Null, json!("not enough balance")).0, "insufficient_funds");
    assert_eq!(reason(Value::Null, json!("Something new")), ("other".into(), Some("Something new".into())));
    assert_eq!(reason(Value::Null, Value::Null), ("other".into(), None));
}

#[test]
fn only_what_adyen_certainly_refused_is_refused() {
    for name in
        ["error unauthorised", "error forbidden", "error validation", "error malformed", "error account"]
    {
        for opened in [page(&answered(name)), payment(&answered(name))] {
            assert!(matches!(opened, Opened::Refused { message: Some(_) }), "{name}");
        }
        let report = operated(ChildOperation::Refund, "4.000", &answered(name));
        assert_eq!(report.outcome, OperationOutcome::Refused, "{name}");
        // What is refused about the return of the payer says nothing about the payment.
        assert_eq!(details(&answered(name)).outcome, Outcome::Unknown, "{name}");
        assert_eq!(status(&answered(name)).outcome, Outcome::Unknown, "{name}");
    }
    for name in ["error in progress", "error internal", "error of Adyen at 422"] {
        for opened in [page(&answered(name)), payment(&answered(name))] {
            assert_eq!(reported(opened).outcome, Outcome::Unknown, "{name}");
        }
        let report = operated(ChildOperation::Refund, "4.000", &answered(name));
        assert_eq!(report.outcome, OperationOutcome::Unknown, "{name}");
    }
    let (_, refusal) = super::sample("error validation");
    for code in [0, 302, 404, 408, 409, 425, 429, 500, 502, 503, 504] {
        let opened = payment(&answer(code, refusal.to_string()));
        assert_eq!(reported(opened).outcome, Outcome::Unknown, "{code}");
    }
}
