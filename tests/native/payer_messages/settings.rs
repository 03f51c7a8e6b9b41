//! The providers of messages in the settings.

use super::sending::connected;
use super::{Shop, value};
use checkout_core::access::operator::ROOT;
use checkout_core::flow::operator::merchant::{add_merchant, read_merchant};
use checkout_core::rejection::Rejection;
use checkout_core::testing::world::World;
use checkout_tests::shop::{DEMO_SETTINGS, refused};
use pollster::block_on;
use serde_json::Value;

fn violations(messages: Value) -> Vec<String> {
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    settings["messages"] = messages;
    let body = value!({"merchant_id": "other", "settings": settings}).to_string();
    let refused = refused(block_on(add_merchant(&World::new(1), &ROOT, body.as_bytes())));
    let Rejection::Invalid(found) = &refused else { return vec![refused.code().into()] };
    found.iter().map(|violation| violation.path.trim_start_matches("settings.").to_owned()).collect()
}

#[test]
fn every_wrong_field_of_a_provider_is_named() {
    assert_eq!(violations(value!({"fax": {}})), ["messages.fax"]);
    assert_eq!(violations(value!({"email": {"provider": "pigeon"}})), ["messages.email.provider"]);
    assert_eq!(
        violations(value!({"email": {"provider": "twilio", "from": "a"}})),
        ["messages.email.provider"]
    );
    assert_eq!(
        violations(value!({"email": {"provider": "resend", "from": "Shop", "credentials": {"key": "x"}}})),
        ["messages.email.from", "messages.email.credentials.key", "messages.email.credentials.api_key"]
    );
    let whatsapp = value!({"provider": "meta", "from": "1", "credentials": {"access_token": "t"},
        "templates": {"refunded": {"en": "x"}, "paid": {"en": ""}}});
    assert_eq!(
        violations(value!({"whatsapp": whatsapp})),
        ["messages.whatsapp.templates.paid.en", "messages.whatsapp.templates.refunded"]
    );
}

#[test]
fn secrets_of_providers_are_sealed_and_never_shown() {
    let shop = connected(24);
    let shown = checkout_tests::shop::json_of(&block_on(read_merchant(&shop.world, &shop.merchant)).unwrap())
        .to_string();
    assert!(!shown.contains("re_1"), "{shown}");
    assert!(shown.contains("[sealed]"));
    let _: &Shop = &shop;
}
