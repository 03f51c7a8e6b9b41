//! The token of a wallet on its whole way: from the browser's module to the request that the bank gets.

use checkout_core::gateway::terms::Quote;
use checkout_core::value::id::{PgCode, SessionId};
use checkout_core::value::money::{Currency, Money};
use checkout_core::words::Wallet;
use checkout_tests::shop::{Shop, order};
use checkout_web::wallet::Order;
use proptest::prelude::*;

use super::send;

/// Spaces that mean nothing.
fn space() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", " ", "  ", "\t", "\n ", "\r\n"])
}

/// Texts with letters of all planes and every form of an escape.
fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z0-9 /=+]{0,8}",
        "[\u{80}-\u{10ffff}]{0,3}",
        prop::sample::select(vec![
            r#"\""#,
            r"\\",
            r"\/",
            r"\n",
            r"\u0041",
            r"\u00e9",
            r"\ud83d\ude00",
            "<",
            "&",
            "\u{2028}"
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// Values in forms that a reader and a writer would change.
fn value() -> impl Strategy<Value = String> {
    let numbers = vec!["0", "-0", "1.0", "1e2", "1E+2", "0.10", "-1.50e-3", "9007199254740993", "1e400"];
    let leaf = prop_oneof![
        string(),
        prop::sample::select(numbers).prop_map(String::from),
        prop::sample::select(vec!["true", "false", "null"]).prop_map(String::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| prop_oneof![object(inner.clone()), list(inner)])
}

fn list(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (prop::collection::vec((space(), inner, space()), 0..4)).prop_map(|items| {
        let items: Vec<_> =
            items.into_iter().map(|(before, item, after)| [before, &item, after].concat()).collect();
        format!("[{}]", items.join(","))
    })
}

/// Members in no order; a name comes at most once, because a body that says something twice is refused.
fn object(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (prop::collection::vec((space(), string(), space(), inner, space()), 0..4)).prop_map(|members| {
        let members =
            members.into_iter().enumerate().map(|(place, (before, name, between, value, after))| {
                let name = format!("\"{place}{}", name.strip_prefix('"').unwrap());
                [before, &name, between, ":", after, &value, after].concat()
            });
        let mut members: Vec<_> = members.collect();
        members.reverse();
        format!("{{{}}}", members.join(","))
    })
}

/// A token as a wallet returns it, with generated members before and after what its gateway needs.
fn token(wallet: Wallet) -> impl Strategy<Value = String> {
    let own = match wallet {
        Wallet::ApplePay => r#""paymentData":{"data":"x"}"#,
        Wallet::GooglePay => {
            r#""paymentMethodData":{"tokenizationData":{"token":"{\"signature\":\"a\\u003d\"}"}}"#
        }
    };
    (space(), value(), space(), value(), space()).prop_map(move |(first, before, between, after, last)| {
        [
            first, "{", between, "\"z\"", last, ":", &before, ",", first, own, between, ",\"a\":", &after,
            last, "}",
        ]
        .concat()
    })
}

fn order_of(wallet: Wallet, session_id: &SessionId) -> Order {
    let money = |amount: &str| Money::parse(amount, Currency::parse("KWD").unwrap()).unwrap();
    let quote = Quote { amount: money("10"), fee: money("0.2"), total: money("10.2"), rate: None };
    let code = PgCode::parse("credit-card").unwrap();
    Order::of(wallet, session_id.clone(), code, &quote, None).unwrap()
}

#[test]
fn five_hundred_tokens_reach_the_bank_byte_for_byte() {
    let shop = Shop::open(71);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(250)
    });
    for wallet in [Wallet::ApplePay, Wallet::GooglePay] {
        runner
            .run(&token(wallet), |token| {
                let session_id = shop.create(&order(&["credit-card"]));
                let body = order_of(wallet, &session_id).payment(&token);
                let answer = send(&shop, wallet, &body)
                    .map_err(|failure| TestCaseError::fail(format!("{failure:?}: {body}")))?;
                prop_assert_eq!(answer.status, 200);
                let sent = String::from_utf8(shop.bank.bodies().pop().unwrap()).unwrap();
                prop_assert!(sent.contains(token.trim()), "{} in {}", token, sent);
                Ok(())
            })
            .unwrap();
    }
}
