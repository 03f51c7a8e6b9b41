use js_sys::{JSON, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use super::*;

wasm_bindgen_test_configure!(run_in_browser);

/// A page with two methods and a wallet on which the payer may choose the amount, as `www/boot.js` hands it over.
const PAGE: &str = r#"{
    "language": "en", "sessionId": "0000000000000000000000000000000000000000", "status": "payable", "statusUrl": "/s/",
    "payUrl": "/p/", "asks": 0, "remaining": -5, "savesCard": true, "consent": "c", "chosen": "knet",
    "typed": "4.5", "currency": "KWD", "most": "10.000", "price": "KWD 10.000", "prices": ["knet KWD KWD 0.250 0"],
    "methods": [{ "code": "knet", "face": "0", "terms": "KWD KWD 0.250 0" }, { "code": "mpgs" }],
    "wallets": [{
        "wallet": "apple_pay", "code": "mpgs", "terms": "KWD KWD 0.000 2", "amount": "10.000", "payUrl": "/a/", "sessionUrl": "/b/"
    }]
}"#;

/// The page with a member, found by the names on the way to it, that has another value.
pub(crate) fn page(path: &[&str], value: &JsValue) -> Result<Options, &'static str> {
    let page = JSON::parse(PAGE).unwrap();
    if let Some((last, way)) = path.split_last() {
        let owner =
            way.iter().fold(page.clone(), |owner, name| Reflect::get(&owner, &(*name).into()).unwrap());
        Reflect::set(&owner, &(*last).into(), value).unwrap();
    }
    Options::try_from(page.unchecked_ref::<PageData>())
}

#[wasm_bindgen_test]
fn every_member_arrives_with_its_type() {
    let options = page(&[], &JsValue::NULL).unwrap();
    assert_eq!((options.status, options.status_url.as_str()), (PageStatus::Payable, "/s/"));
    assert_eq!((options.saves_card, options.asks, options.remaining), (true, 0, Some(-5)));
    assert_eq!((options.pay_url.as_deref(), options.consent.as_deref()), (Some("/p/"), Some("c")));
    assert_eq!((options.moved_at, options.prices), (None, vec!["knet KWD KWD 0.250 0".into()]));
    assert_eq!(options.price.as_deref(), Some("KWD 10.000"));
    assert_eq!(options.chosen, PgCode::parse("knet"));
    assert_eq!(options.amount.unwrap().read().unwrap().to_string(), "4.500");
    let methods: Vec<_> = options.methods.iter().map(|method| (method.code.as_str(), method.face)).collect();
    assert_eq!(methods, [("knet", Some(0)), ("mpgs", None)]);
    let [wallet] = options.wallets.as_slice() else { panic!("{:?}", options.wallets) };
    assert_eq!((wallet.wallet, wallet.code.as_str()), (Wallet::ApplePay, "mpgs"));
    assert_eq!((wallet.pay_url.as_str(), wallet.session_url.as_str()), ("/a/", "/b/"));
    assert_eq!(wallet.principal.to_string(), "10.000");
}

#[wasm_bindgen_test]
fn what_a_screen_does_not_have_is_missing() {
    for name in
        ["payUrl", "price", "remaining", "savesCard", "consent", "chosen", "typed", "paymentType", "movedAt"]
    {
        for value in [JsValue::NULL, JsValue::UNDEFINED] {
            assert!(page(&[name], &value).is_ok(), "{name}");
        }
    }
    assert!(page(&["typed"], &JsValue::UNDEFINED).unwrap().amount.is_none());
}

#[wasm_bindgen_test]
fn data_that_is_not_of_a_page_is_refused() {
    for (path, wrong) in [
        (&["language"][..], "fr"),
        (&["language"], ""),
        (&["status"], "later"),
        (&["chosen"], "a b"),
        (&["methods", "0", "terms"], "KWD KWD"),
        (&["methods", "1", "code"], ""),
        (&["most"], "ten"),
        (&["sessionId"], ""),
        (&["wallets", "0", "wallet"], "a_pay"),
        (&["wallets", "0", "amount"], "ten"),
        (&["wallets", "0", "terms"], ""),
    ] {
        assert!(page(path, &wrong.into()).is_err(), "{path:?} {wrong}");
    }
}
