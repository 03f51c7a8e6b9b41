//! The operator asks a gateway whether it accepts the credentials of a merchant.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::access::operator::ROOT;
use checkout_core::flow::Failure;
use checkout_core::flow::operator::check::check_gateway;
use checkout_core::gateway::exchange::Incoming;
use checkout_core::port::{Registry, SendError};
use checkout_core::rejection::Rejection;
use checkout_core::testing::http::json as answer;
use checkout_core::value::id::{MerchantId, PgCode};
use checkout_tests::bank::Mood;
use checkout_tests::shop::{Shop, refused};
use pollster::block_on;
use serde_json::json;

/// The secret of the demo merchant at its first gateway.
const SECRET: &str = "sandbox-knet-api-key";

fn check(shop: &Shop, code: &str) -> Result<String, Failure> {
    let code = PgCode::parse(code).unwrap();
    block_on(check_gateway(&shop.world, &ROOT, &shop.merchant, &code))
        .map(|answer| serde_json::to_string(&answer).unwrap())
}

/// The answer, byte for byte, if the gateway `knet` answers like this.
fn after(said: Result<Incoming, SendError>) -> String {
    let shop = Shop::open(1);
    shop.world.http.answer_next(said);
    check(&shop, "knet").unwrap()
}

#[test]
fn a_gateway_that_accepts_the_credentials_is_asked_once_and_nothing_is_stored() {
    let shop = Shop::open(2);
    let before = block_on(shop.world.store.document(&shop.merchant)).unwrap().unwrap();
    assert_eq!(
        check(&shop, "knet").unwrap(),
        r#"{"connector":"sandbox","pg_code":"knet","result":"accepted","sandbox":true}"#
    );
    let sent = shop.world.http.take_sent();
    assert_eq!(sent.len(), 1);
    assert!(shop.bank.openings().is_empty(), "nothing is charged");
    let after = block_on(shop.world.store.document(&shop.merchant)).unwrap().unwrap();
    assert_eq!((before.version, before.text), (after.version, after.text));
}

#[test]
fn whether_a_gateway_is_for_tests_is_what_its_settings_say() {
    let shop = Shop::open_with(3, |settings| settings["gateways"][0]["sandbox"] = json!(false));
    assert!(check(&shop, "knet").unwrap().ends_with(r#""result":"accepted","sandbox":false}"#));
}

#[test]
fn a_refusal_comes_with_the_words_of_the_gateway() {
    for status in [401, 403] {
        assert_eq!(
            after(Ok(answer(status, r#"{"message":"the key is \"closed\""}"#))),
            r#"{"connector":"sandbox","message":"the key is \"closed\"","pg_code":"knet","result":"refused","sandbox":true}"#,
        );
    }
    assert_eq!(
        after(Ok(answer(401, "not JSON"))),
        r#"{"connector":"sandbox","pg_code":"knet","result":"refused","sandbox":true}"#
    );
}

#[test]
fn words_that_repeat_a_secret_are_left_out() {
    let cut = SECRET.get(..13).unwrap();
    for words in [SECRET.to_string(), format!("no such key: {SECRET}."), format!("no such key: {cut}")] {
        let said = after(Ok(answer(401, &json!({ "message": words }).to_string())));
        assert_eq!(said, r#"{"connector":"sandbox","pg_code":"knet","result":"refused","sandbox":true}"#);
    }
}

#[test]
fn an_answer_that_does_not_say_is_unclear() {
    for status in [400, 404, 429, 500, 503] {
        assert_eq!(
            after(Ok(answer(status, r#"{"message":"later"}"#))),
            r#"{"connector":"sandbox","pg_code":"knet","result":"unclear","sandbox":true}"#
        );
    }
}

#[test]
fn a_gateway_that_cannot_be_reached_is_unclear_and_the_answer_says_so() {
    let expected = r#"{"connector":"sandbox","message":"the gateway could not be reached, or did not answer in time","pg_code":"knet","result":"unclear","sandbox":true}"#;
    for error in [SendError::NotSent, SendError::Unknown] {
        assert_eq!(after(Err(error)), expected);
    }
    let shop = Shop::open(4);
    for mood in [Mood::Down, Mood::Deaf, Mood::Mute] {
        shop.bank.on_asking(mood);
        assert_eq!(check(&shop, "knet").unwrap(), expected, "{mood:?}");
    }
}

#[test]
fn cash_has_nobody_to_ask() {
    let shop = Shop::open(5);
    assert_eq!(
        check(&shop, "cash").unwrap(),
        r#"{"connector":"cash","pg_code":"cash","result":"impossible","sandbox":true}"#
    );
    assert_eq!(shop.world.http.count(), 0);
}

#[test]
fn a_merchant_or_a_code_that_does_not_exist_is_not_found() {
    let shop = Shop::open(6);
    assert_eq!(refused(check(&shop, "nope")), Rejection::NotFound);
    let (nobody, knet) = (MerchantId::parse("nobody").unwrap(), PgCode::parse("knet").unwrap());
    assert_eq!(refused(block_on(check_gateway(&shop.world, &ROOT, &nobody, &knet))), Rejection::NotFound);
    assert_eq!(shop.world.http.count(), 0);
}
