use checkout_core::sdk::session::CheckoutSdk;

use super::*;

const SESSION: &str = "01c0ffee00000000000000000000000000000000";

/// A session as the server writes it: 100 dollars, charged in dinars by a gateway with a fee and by a wallet through it.
fn session(is_editable: bool) -> CheckoutSdk {
    let terms = if is_editable { r#""terms":"USD KWD 0.250 2 0.3075","# } else { "" };
    let sums = |code: &str, total: &str| {
        let sum = format!(r#"{{"currency_code":"{code}","display":"","label":"","value":"{total}"}}"#);
        format!(r#""billing":{{"amount":{sum},"fee":{sum},"sub_total":{sum}}},"#)
    };
    let method = format!(
        r#"{{"amount":"31.615","code":"knet","currency_code":"KWD","fee":"0.865","fee_description":"Fee","flow":"redirect","icon":"",
        "icons":{{"svg":"","webp":""}},"is_sandbox":true,"name":"KNET","operation":"purchase","pg":"KNET",{terms}"type":"e_commerce"}}"#
    );
    let service = |members: &str| {
        let sums = sums("KWD", "31.615");
        format!(
            r#"{{{sums}"code":"card","country_code":"KW","currency_code":"KWD","fee":"0.865","fee_description":"Fee",{members},"merchant_id":"m",
            "operation":"purchase","payment_url":"https://pay.example/","pg_code":"card",{terms}"session_id":"{SESSION}"}}"#
        )
    };
    let [apple, google] = [
        service(r#""flow":"apple_pay","amount":"31.615""#),
        service(r#""flow":"google_pay","total_price":"31.62""#),
    ];
    let text = format!(
        r#"{{"amount":"100.00",{}"cancel_url":"","cards":[],"checkout_url":"","currency_code":"USD",
        "expiration_time":"2026-01-02T03:04:05.000Z","flex_methods":[],"is_amount_editable":{is_editable},"language":"en",
        "operation":"purchase","payment_methods":[{method}],"payment_services":[{apple},{google}],"payment_type":"one_off",
        "response":{{}},"sdk_studio":{{}},"session_id":"{SESSION}","state":"pending","type":"e_commerce"}}"#,
        sums("USD", "100.00"),
    );
    serde_json::from_str(&text).unwrap()
}

fn shown(quotes: &[Quote]) -> Vec<String> {
    let line = |quote: &Quote| {
        let flow = quote.flow.map_or("", Wallet::as_str);
        [quote.code.as_str(), flow, &quote.total, &quote.fee, &quote.display].join(" ")
    };
    quotes.iter().map(line).collect()
}

#[test]
fn without_an_amount_a_quote_is_what_the_server_wrote() {
    for is_editable in [false, true] {
        assert_eq!(
            shown(&quotes(&session(is_editable), None).unwrap()),
            [
                "knet  31.615 0.865 KWD 31.615",
                "card apple_pay 31.615 0.865 KWD 31.615",
                "card google_pay 31.62 0.865 KWD 31.620"
            ]
        );
    }
}

#[test]
fn a_chosen_amount_is_charged_by_the_terms_and_left_out_where_a_sheet_cannot_show_it() {
    let session = session(true);
    // 40 dollars are 12.300 dinars; 2 percent and 0.250 are 0.496.
    assert_eq!(
        shown(&quotes(&session, Some("40")).unwrap()),
        ["knet  12.796 0.496 KWD 12.796", "card apple_pay 12.796 0.496 KWD 12.796"]
    );
    let parts = |quote: &Quote| quote.parts.as_ref().map(|parts| parts.join(" "));
    let quoted = quotes(&session, Some("40")).unwrap();
    assert_eq!(quoted.iter().map(parts).collect::<Vec<_>>(), [None, Some("12.300 0.496".into())]);
    let typed = quotes(&session, Some(" \u{664}\u{660}\u{66b}\u{660}\u{660} ")).unwrap();
    assert_eq!(typed, quotes(&session, Some("40.00")).unwrap());
}

#[test]
fn an_amount_that_the_payer_cannot_choose_is_named() {
    for (is_editable, amount, about) in [
        (true, "0", "must be from 0.01 to 100.00"),
        (true, "100.01", "must be from 0.01 to 100.00"),
        (true, "1.005", "must have at most 2 decimal places for USD"),
        (true, "five", "must be digits with at most one decimal point, without sign, exponent or blank"),
        (false, "40", "must be 100.00, the amount of the transaction, or be left out"),
    ] {
        let wrong = quotes(&session(is_editable), Some(amount)).unwrap_err();
        assert_eq!(wrong, Wrong::Field("amount", about.into()), "{amount}");
    }
    assert!(quotes(&session(false), Some("100")).is_ok(), "the whole is no choice");
}

#[test]
fn an_order_is_for_a_service_of_this_transaction_and_what_was_shown() {
    let session = session(true);
    let [apple, google] = session.payment_services.as_slice() else { panic!("two wallets") };
    let of = |service, wallet, amount, shown: Option<&Shown>| {
        order(service, wallet, &session.session_id, amount, shown)
    };
    let whole = of(apple, Wallet::ApplePay, None, None).unwrap();
    assert_eq!((whole.prices.total.as_str(), whole.typed), ("31.615", None));
    let chosen = of(apple, Wallet::ApplePay, Some("40"), None).unwrap();
    assert_eq!(
        (chosen.prices.total.as_str(), chosen.typed.map(|typed| typed.to_string())),
        ("12.796", Some("40.00".into()))
    );
    let is_wrong =
        |order: Result<Order, Wrong>, field| matches!(order, Err(Wrong::Field(name, _)) if name == field);
    assert!(is_wrong(of(google, Wallet::ApplePay, None, None), "service"), "another wallet");
    let other = SessionId::parse(&"0".repeat(40)).unwrap();
    assert!(is_wrong(order(apple, Wallet::ApplePay, &other, None, None), "service"), "another transaction");
    assert!(is_wrong(of(google, Wallet::GooglePay, Some("40"), None), "amount"), "Google shows two decimals");
    let kwd = Currency::parse("KWD").unwrap();
    let shown = |total: Option<&str>, currency| Shown { total: total.map(Into::into), currency };
    for same in [shown(Some("31.615"), kwd), shown(None, kwd)] {
        assert!(of(apple, Wallet::ApplePay, None, Some(&same)).is_ok());
    }
    for other in [shown(Some("31.614"), kwd), shown(None, Currency::parse("USD").unwrap())] {
        assert_eq!(of(apple, Wallet::ApplePay, None, Some(&other)), Err(Wrong::PriceChanged));
    }
    let fixed = self::session(false);
    assert!(is_wrong(
        order(&fixed.payment_services[0], Wallet::ApplePay, &fixed.session_id, Some("40"), None),
        "amount"
    ));
}
