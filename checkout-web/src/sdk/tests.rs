use js_sys::{Function, JSON, Reflect, global};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::AbortSignal;

use super::given::{Given, token_of};
use super::{Checkout, Failure};

const SESSION: &str = "01c0ffee00000000000000000000000000000000";
const SERVICE: &str = r#"{"billing":{"amount":{"currency_code":"KWD","display":"","label":"","value":"1.000"},
    "fee":{"currency_code":"KWD","display":"","label":"","value":"0.000"},
    "sub_total":{"currency_code":"KWD","display":"","label":"","value":"1.000"}},"amount":"1.000","code":"card","country_code":"KW",
    "currency_code":"KWD","fee":"0.000","fee_description":"","flow":"apple_pay","merchant_id":"m","operation":"purchase",
    "payment_url":"https://elsewhere.example/","pg_code":"card","session_id":"01c0ffee00000000000000000000000000000000"}"#;

fn value(text: &str) -> JsValue {
    JSON::parse(text).unwrap()
}

fn member(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap()
}

fn text(of: &JsValue, name: &str) -> String {
    member(of, name).as_string().unwrap_or_default()
}

fn checkout() -> Checkout {
    let options = value(&format!(r#"{{"origin":"https://pay.example.com/x","sessionId":"{SESSION}"}}"#));
    Checkout::new(&options).ok().unwrap()
}

/// Puts a network in place of the browser's: it answers each request with a status and a body, and stores what was sent.
fn answer(status: u16, body: &str) {
    let work = format!(
        "globalThis.asked = request; globalThis.sent = request.clone().text(); \
         return Promise.resolve(new Response({}, {{ status: {status}, headers: {{ 'retry-after': '7' }} }}));",
        JSON::stringify(&body.into()).unwrap(),
    );
    Reflect::set(&global(), &"fetch".into(), &Function::new_with_args("request", &work)).unwrap();
}

async fn failure(promise: js_sys::Promise) -> JsValue {
    JsFuture::from(promise).await.expect_err("it resolved")
}

#[wasm_bindgen_test]
fn an_error_is_an_error_of_the_class_with_its_members() {
    let error = JsValue::from(Failure::invalid("amount", "must be a text"));
    assert!(error.is_instance_of::<js_sys::Error>());
    assert_eq!(
        (text(&error, "name"), text(&error, "code")),
        ("CheckoutError".into(), "invalid_fields".into())
    );
    assert_eq!(text(&error, "message"), "invalid_fields: amount: must be a text");
    let errors = String::from(JSON::stringify(&member(&error, "errors")).unwrap());
    assert_eq!(errors, r#"{"amount":["must be a text"]}"#);
    assert!(member(&error, "retryAfter").is_undefined());
}

#[wasm_bindgen_test]
fn options_are_read_by_name_and_an_amount_as_it_is_typed() {
    let given =
        Given::read(&value(r#"{"amount":" \u0661\u066b\u0665 ","shown":{"currency":"KWD"}}"#)).unwrap();
    assert_eq!(given.amount.as_deref(), Some("1.5"));
    let body = given.body(super::given::Body { pg_code: Some("knet"), ..Default::default() }).unwrap();
    assert_eq!(body, r#"{"pg_code":"knet","amount":"1.5","shown_currency":"KWD"}"#);
    for nothing in [JsValue::UNDEFINED, JsValue::NULL, value("{}"), value("5")] {
        assert!(Given::read(&nothing).unwrap().amount.is_none());
    }
    for (options, field) in [
        (r#"{"amount":5}"#, "amount"),
        (r#"{"amount":{}}"#, "amount"),
        (r#"{"phone":true}"#, "phone"),
        (r#"{"saveCard":"yes"}"#, "saveCard"),
        (r#"{"shown":{"currency":"dinar"}}"#, "shown"),
        (r#"{"signal":{"aborted":false}}"#, "signal"),
    ] {
        let error = JsValue::from(Given::read(&value(options)).unwrap_err());
        assert!(!member(&member(&error, "errors"), field).is_undefined(), "{options}");
    }
}

#[wasm_bindgen_test]
fn a_token_is_a_text_that_is_one_object_or_an_object() {
    let wild = "\t{ \"z\" : 1e2,\"a\":1.0 ,\"u\":\"\\u00e9 é\",\"a\":[ ] } ";
    assert_eq!(token_of(&wild.into()).unwrap(), wild);
    assert_eq!(token_of(&value(r#"{ "b": 1.0 }"#)).unwrap(), r#"{"b":1}"#);
    for wrong in ["", "[]", "5", "{},\"amount\":\"0.001\"", "{", "null"] {
        assert!(token_of(&wrong.into()).is_err(), "{wrong}");
    }
    for wrong in [JsValue::UNDEFINED, JsValue::NULL, 5.into(), js_sys::Array::new().into()] {
        assert!(token_of(&wrong).is_err());
    }
}

#[wasm_bindgen_test]
fn a_checkout_is_of_an_origin_and_a_session() {
    for (options, field) in [
        ("{}", "sessionId"),
        (r#"{"sessionId":"../x","origin":"https://pay.example.com"}"#, "sessionId"),
        (r#"{"sessionId":"01c0ffee00000000000000000000000000000000"}"#, "origin"),
        (r#"{"sessionId":"01c0ffee00000000000000000000000000000000","origin":"javascript:1"}"#, "origin"),
        (
            r#"{"sessionId":"01c0ffee00000000000000000000000000000000","origin":"https://pay.example.com","publicKey":"a\nb"}"#,
            "publicKey",
        ),
    ] {
        let Err(error) = Checkout::new(&value(options)) else { panic!("{options}") };
        assert!(!member(&member(&error, "errors"), field).is_undefined(), "{options}");
    }
}

#[wasm_bindgen_test]
async fn a_token_leaves_for_the_origin_as_the_same_bytes() {
    answer(400, r#"{"code":"not_payable","detail":"over","errors":{"code":["gone"]}}"#);
    let token = "{ \"z\" : 1e2,\"a\":1.0 ,\t\"u\":\"\\u00e9 é 😀\" }";
    let error =
        failure(checkout().pay_by_apple_pay(value(SERVICE), &token.into(), &JsValue::UNDEFINED)).await;
    assert_eq!(
        (text(&error, "code"), member(&error, "retryAfter").as_f64()),
        ("not_payable".into(), Some(7.0))
    );
    let request = member(&global(), "asked");
    assert_eq!(text(&request, "url"), "https://pay.example.com/b/checkout/api/sdk/v1/apay/pay/");
    let settings = ["credentials", "redirect", "referrerPolicy", "method"].map(|name| text(&request, name));
    assert_eq!(settings, ["omit", "error", "no-referrer", "POST"]);
    let sent = JsFuture::from(member(&global(), "sent").unchecked_into::<js_sys::Promise>()).await.unwrap();
    let sent = sent.as_string().unwrap();
    assert!(sent.ends_with(&format!(",\"apple_pay_payload\":{token}}}")), "{sent}");
    assert!(
        sent.contains("\"amount\":\"1.000\",\"shown_total\":\"1.000\",\"shown_currency\":\"KWD\""),
        "{sent}"
    );
}

#[wasm_bindgen_test]
async fn a_service_of_another_wallet_is_refused_before_anything_is_sent() {
    Reflect::set(&global(), &"fetch".into(), &JsValue::UNDEFINED).unwrap();
    let error =
        failure(checkout().pay_by_google_pay(value(SERVICE), &"{}".into(), &JsValue::UNDEFINED)).await;
    assert!(!member(&member(&error, "errors"), "service").is_undefined());
}

#[wasm_bindgen_test]
async fn an_answer_about_another_transaction_is_no_answer() {
    for body in
        [r#"{"session_id":"0000000000000000000000000000000000000000"}"#, "{}", "[]", "<html>", "5", ""]
    {
        answer(200, body);
        let error = failure(checkout().load(&JsValue::UNDEFINED)).await;
        assert_eq!(text(&error, "code"), "unexpected_answer", "{body}");
    }
}

#[wasm_bindgen_test]
async fn a_signal_that_aborted_before_rejects_with_its_reason() {
    answer(200, "{}");
    let reason = value(r#"{"why":5}"#);
    let options = js_sys::Object::new();
    Reflect::set(&options, &"signal".into(), &AbortSignal::abort_with_reason(&reason)).unwrap();
    assert!(js_sys::Object::is(&failure(checkout().load(&options)).await, &reason));
}
