use super::*;

fn order(wallet: Wallet) -> Order {
    let money = |amount: &str| Money::parse(amount, Currency::parse("KWD").unwrap()).unwrap();
    let quote = Quote { amount: money("10"), fee: money("0.2"), total: money("10.2"), rate: None };
    let (session_id, code) = (SessionId::generate(0, [7; 19]), PgCode::parse("credit-card").unwrap());
    Order::of(wallet, session_id, code, &quote, None).unwrap()
}

#[test]
fn a_token_is_in_the_body_byte_for_byte() {
    let order = order(Wallet::GooglePay);
    let token = "{ \"z\" : 1e2,\"a\":1.0 ,\t\"u\":\"\\u00e9 é \u{202e}\\\"\",\"a\":[ ] }";
    let body = order.payment(token);
    assert_eq!(
        body,
        format!(
            "{{\"session_id\":\"{}\",\"code\":\"credit-card\",\"amount\":\"10.20\",\"shown_total\":\"10.20\",\
             \"shown_currency\":\"KWD\",\"google_pay_payload\":{token}}}",
            order.session_id
        )
    );
}

#[test]
fn each_wallet_has_its_form_of_amounts_and_its_member() {
    let apple = order(Wallet::ApplePay);
    assert_eq!(
        (apple.prices.total.as_str(), apple.parts()),
        ("10.200", vec!["10.000".into(), "0.200".into()])
    );
    assert_eq!(order(Wallet::GooglePay).parts(), ["10.00", "0.20"]);
    assert!(apple.payment("{}").ends_with(",\"apple_pay_payload\":{}}"));
    let typed = Order { typed: Money::parse("10.000", apple.currency).ok(), ..apple };
    assert!(typed.payment("{}").contains("\"amount\":\"10.000\",\"shown_total\":\"10.200\""));
}

#[test]
fn a_merchant_session_is_asked_for_only_where_apple_validates() {
    let order = order(Wallet::ApplePay);
    let url = "https://apple-pay-gateway.apple.com/paymentservices/startSession";
    let body = order.session(url).unwrap();
    assert!(body.ends_with(&format!("\"apple_pay_payload\":{{\"validationURL\":\"{url}\"}}}}")), "{body}");
    for url in ["https://evil.example/", "https://apple-pay-gateway.apple.com/\",\"amount\":\"0.001"] {
        assert_eq!(order.session(url), None, "{url}");
    }
}

#[test]
fn an_answer_is_believed_only_for_the_order() {
    let order = order(Wallet::ApplePay);
    let said = |is_ok, approved| Said { is_ok, approved, ..Said::default() };
    let onward = Said { redirect_url: Some("https://shop.example/".into()), ..said(true, Some(true)) };
    let read = |said: &Said| Outcome::read(&order.session_id, Some(said.clone()));
    assert_eq!(read(&onward).verdict(), Some(true));
    let same = Said { session_id: Some(order.session_id.to_string()), ..onward.clone() };
    assert_eq!(read(&same), read(&onward));
    assert_eq!(read(&Said { session_id: Some("0".repeat(40)), ..onward.clone() }), Outcome::Lost);
    assert_eq!(read(&Said { approved: None, ..onward }).verdict(), None, "3-D Secure is no verdict");
    assert_eq!(read(&said(true, Some(true))), Outcome::Lost);
    assert_eq!(Outcome::read(&order.session_id, None), Outcome::Lost);
    let refused = |code: &str| Outcome::Refused(code.into());
    assert_eq!(read(&said(false, Some(false))), refused("payment_declined"));
    assert_eq!(read(&said(false, None)), Outcome::Lost, "something in front of the checkout answered");
    assert_eq!(read(&Said { is_about_amount: true, ..said(false, None) }), refused("price_changed"));
    assert_eq!(read(&Said { code: Some("not_payable".into()), ..said(false, None) }), refused("not_payable"));
}

#[test]
fn a_token_goes_to_its_own_origin_only() {
    let own = "https://pay.example.com";
    for (address, origin, is_own) in [
        ("/b/pay/", "", true),
        ("//evil.example/", "", false),
        ("/\\evil.example/", "", false),
        ("https://evil.example/", "", false),
        ("https://pay.example.com/b/pay/", own, true),
        ("https://pay.example.com.evil.example/", own, false),
        ("https://pay.example.com@evil.example/", own, false),
        ("http://pay.example.com/", own, false),
        ("/b/pay/", own, false),
    ] {
        assert_eq!(is_of_origin(address, origin), is_own, "{address} {origin}");
    }
}
