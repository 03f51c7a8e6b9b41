//! What the operator API answers, byte for byte: scripts of operators compare and cut these texts.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::ROOT;
use checkout_core::flow::account::key::{add_key, list_keys, revoke_key};
use checkout_core::flow::operator::attention::{list_attention, resolve_attention};
use checkout_core::flow::operator::merchant::{add_merchant, read_merchant, replace_settings};
use checkout_core::flow::operator::reconciliation::{list_reconciliations, reconcile_again};
use checkout_core::flow::sweep::clock::{move_clock, moved, read_clock};
use checkout_core::flow::sweep::sweep_merchant;
use checkout_core::record::attention::AttentionId;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::MerchantId;
use checkout_tests::shop::{DEMO_SETTINGS, Shop, order, refused, text};
use pollster::block_on;
use serde::Serialize;
use serde_json::{Value, json};

/// An answer as it leaves.
fn bytes(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap()
}

fn parsed(answer: &impl Serialize) -> Value {
    serde_json::from_str(&bytes(answer)).unwrap()
}

/// The demo settings with further members at the beginning, as they are written.
fn settings_with(members: &str) -> String {
    DEMO_SETTINGS.replacen('{', &format!("{{{members},"), 1)
}

#[test]
fn a_new_merchant() {
    let shop = Shop::open(1);
    let body = format!(r#"{{"merchant_id":"new","settings":{DEMO_SETTINGS}}}"#);
    let answer = block_on(add_merchant(&shop.world, &ROOT, body.as_bytes())).unwrap();
    let made = parsed(&answer);
    let secret = |name| text(&made, name).unwrap();
    assert_eq!(
        bytes(&answer),
        format!(
            r#"{{"merchant_id":"new","private_key":"{}","public_key":"{}","version":1,"webhook_hmac_key":"{}","webhook_signing_secret":"{}"}}"#,
            secret("private_key"),
            secret("public_key"),
            secret("webhook_hmac_key"),
            secret("webhook_signing_secret"),
        )
    );
}

#[test]
fn the_settings_of_a_merchant_are_shown_without_spaces_and_in_alphabetical_order() {
    let shop = Shop::open(2);
    let odd = r#" "note": 1, "note": {"z": [true, null, -7, {}, []], "\u0061": "\u00e4\/\"\\\n\u0001\ud83d\ude00"} "#;
    let settings = settings_with(odd);
    let replaced =
        block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", settings.as_bytes())).unwrap();
    assert_eq!(bytes(&replaced), r#"{"merchant_id":"demo","version":2}"#);
    let shown = bytes(&block_on(read_merchant(&shop.world, &shop.merchant)).unwrap());
    let expected = json!({"merchant_id": "demo", "version": 2, "settings": hidden(&settings)}).to_string();
    assert_eq!(shown, expected);
    let note = r#""note":{"a":"ä/\"\\\n\u0001😀","z":[true,null,-7,{},[]]}"#;
    assert!(shown.starts_with(r#"{"merchant_id":"demo","settings":{"#) && shown.contains(note), "{shown}");
    assert!(shown.contains(r#""credentials":{"api_key":"[sealed]""#), "{shown}");
}

/// A settings document without its credentials.
fn hidden(settings: &str) -> Value {
    let mut settings: Value = serde_json::from_str(settings).unwrap();
    for gateway in settings.get_mut("gateways").unwrap().as_array_mut().unwrap() {
        if let Some(api_key) = gateway.pointer_mut("/credentials/api_key") {
            *api_key = json!("[sealed]");
        }
    }
    settings
}

#[test]
fn a_document_that_is_nested_too_deeply_is_malformed() {
    let shop = Shop::open(3);
    let nested = |depth: usize| {
        let member = format!(r#""note":{}{}"#, "[".repeat(depth), "]".repeat(depth));
        let settings = settings_with(&member);
        block_on(replace_settings(&shop.world, &ROOT, &shop.merchant, "", settings.as_bytes()))
    };
    assert!(nested(126).is_ok(), "127 levels with the document itself");
    for depth in [127, 100_000] {
        assert_eq!(refused(nested(depth)), Rejection::MalformedBody, "{depth}");
    }
}

#[test]
fn keys() {
    let shop = Shop::open(4);
    let body = br#"{"kind":"private","name":"Web \"shop\"","expires_at":"2026-01-02T00:00:00+01:00"}"#;
    let answer = block_on(add_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), body)).unwrap();
    let made = parsed(&answer);
    let (key, prefix) = (text(&made, "key").unwrap(), text(&made, "prefix").unwrap());
    let named = r#""expires_at":"2026-01-01T23:00:00Z""#;
    assert_eq!(
        bytes(&answer),
        format!(
            r#"{{{named},"key":"{key}","merchant_id":"demo","name":"Web \"shop\"","prefix":"{prefix}"}}"#
        )
    );
    let plain =
        block_on(add_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), br#"{"kind":"public"}"#))
            .unwrap();
    let plain = bytes(&plain);
    assert!(
        plain.starts_with(r#"{"expires_at":null,"key":""#) && plain.contains(r#""name":null,"#),
        "{plain}"
    );

    block_on(revoke_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), prefix)).unwrap();
    let listed = block_on(list_keys(&shop.world, &shop.merchant)).unwrap();
    let last4 = key.get(key.len() - 4..).unwrap();
    let entry = format!(
        r#"{{"created_at":"2026-01-01T00:00:00Z",{named},"kind":"private","last4":"{last4}","last_used_at":null,"name":"Web \"shop\"","prefix":"{prefix}","revoked_at":"2026-01-01T00:00:00Z"}}"#
    );
    let listed = bytes(&listed);
    assert!(listed.starts_with('[') && listed.contains(&entry), "{listed}");
    assert!(listed.contains(r#""name":null,"#) && listed.contains(r#""revoked_at":null}"#), "{listed}");
}

#[test]
fn a_clock() {
    let shop = Shop::open(5);
    let read = block_on(read_clock(&shop.world, &shop.merchant)).unwrap();
    assert_eq!(bytes(&read), r#"{"advanced_seconds":0,"merchant_id":"demo","now":"2026-01-01T00:00:00Z"}"#);
    let _ = shop.create(&order(&["knet"]));
    let settings = block_on(move_clock(&shop.world, &ROOT, &shop.merchant, br#"{"advance":"P2D"}"#)).unwrap();
    let swept = block_on(sweep_merchant(&shop.world, &settings));
    assert_eq!(
        bytes(&moved(&shop.world, &settings, &swept)),
        r#"{"advanced_seconds":172800,"delivered":0,"expired":1,"inquired":0,"merchant_id":"demo","now":"2026-01-03T00:00:00Z","reconciled":0}"#
    );
}

#[test]
fn the_attention_list_and_its_resolution() {
    let shop = Shop::open(6);
    assert_eq!(bytes(&block_on(list_attention(&shop.world)).unwrap()), "[]");
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.approve_another_amount(reference.as_str(), "1.000");
    shop.come_back(&reference).unwrap();
    assert_eq!(
        bytes(&block_on(list_attention(&shop.world)).unwrap()),
        format!(
            r#"[{{"detail":"asked for 10.250 KWD, the gateway names 1.000 KWD","id":"{reference}.amount_mismatch","merchant_id":"demo","reason":"amount_mismatch","reference_number":"{reference}","session_id":"{session_id}","since":"2026-01-01T00:00:00Z"}}]"#
        )
    );
    let id = shop.attention().pop().unwrap();
    let resolved = block_on(resolve_attention(&shop.world, &ROOT, &id, br#"{"action":"approved"}"#)).unwrap();
    assert_eq!(bytes(&resolved), format!(r#"{{"closed":true,"id":"{id}","result":"success"}}"#));
}

#[test]
fn an_entry_about_a_charge_that_is_not_recorded_here() {
    let shop = Shop::open(7);
    let session_id = shop.create(&order(&["knet"]));
    let reference = shop.pay_to_page(&session_id, "knet");
    shop.bank.charge_elsewhere("TERMINAL0000001", reference.as_str(), "approved");
    shop.wait(7_200);
    shop.sweep();
    let listed = bytes(&block_on(list_attention(&shop.world)).unwrap());
    let members =
        r#""reason":"unknown_charge","reference_number":"TERMINAL0000001","session_id":null,"since":"#;
    assert!(listed.contains(members), "{listed}");
    let id = AttentionId::parse("TERMINAL0000001.unknown_charge").unwrap();
    let resolved = block_on(resolve_attention(&shop.world, &ROOT, &id, br#"{"action":"dismiss"}"#)).unwrap();
    assert_eq!(bytes(&resolved), format!(r#"{{"closed":true,"id":"{id}"}}"#));
}

#[test]
fn reconciliations() {
    let shop = Shop::open(9);
    assert_eq!(bytes(&block_on(list_reconciliations(&shop.world, &shop.merchant)).unwrap()), "[]");
    let body = br#"{"pg_code":"mpgs","from":"2025-12-31T00:00:00Z"}"#;
    let begun = block_on(reconcile_again(&shop.world, &ROOT, &shop.merchant, body)).unwrap();
    let expected = r#"{"failures":0,"last":{"asked":0,"charges":0,"differences":0,"ended":"2026-01-01T00:00:00Z"},"listed_to":"2026-01-01T00:00:00Z","next":"2026-01-01T01:00:00Z","pg_code":"mpgs","running":false,"since":"2025-12-31T00:00:00Z"}"#;
    assert_eq!(bytes(&begun), expected);
    assert_eq!(
        bytes(&block_on(list_reconciliations(&shop.world, &shop.merchant)).unwrap()),
        format!("[{expected}]")
    );
    let nobody = MerchantId::parse("nobody").unwrap();
    assert_eq!(refused(block_on(list_reconciliations(&shop.world, &nobody))), Rejection::NotFound);
}
