//! Every wrong field of the settings of alerts is named.

use checkout_core::access::operator::ROOT;
use checkout_core::flow::operator::merchant::add_merchant;
use checkout_core::rejection::Rejection;
use checkout_core::testing::world::World;
use checkout_tests::shop::{DEMO_SETTINGS, refused};
use pollster::block_on;
use serde_json::{Value, json};

fn violations(alerts: &Value) -> Vec<String> {
    let mut settings: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    settings["alerts"] = alerts.clone();
    let body = json!({"merchant_id": "other", "settings": settings}).to_string();
    let refused = refused(block_on(add_merchant(&World::new(1), &ROOT, body.as_bytes())));
    let Rejection::Invalid(found) = &refused else { return vec![refused.code().into()] };
    found.iter().map(|violation| violation.path.trim_start_matches("settings.").to_owned()).collect()
}

#[test]
fn every_wrong_field_is_named() {
    let eleven: Vec<String> = (0..11).map(|place| format!("a{place}@example.com")).collect();
    for (alerts, wanted) in [
        (json!([]), vec!["alerts"]),
        (json!({"email": []}), vec!["alerts.email"]),
        (json!({"emails": "ops@example.com"}), vec!["alerts.emails"]),
        (json!({"emails": eleven}), vec!["alerts.emails"]),
        (
            json!({"emails": ["ops", 1, "a@example.com", "A@example.com"]}),
            vec!["alerts.emails.0", "alerts.emails.1", "alerts.emails.3"],
        ),
        (json!({"webhook_url": "http://10.0.0.1/"}), vec!["alerts.webhook_url"]),
        (json!({"webhook_url": "https://pay.example.com/b/"}), vec!["alerts.webhook_url"]),
        (json!({"on": []}), vec!["alerts.on"]),
        (json!({"on": ["payment", "payments", "payment"]}), vec!["alerts.on.1", "alerts.on.2"]),
    ] {
        assert_eq!(violations(&alerts), wanted, "{alerts}");
    }
}
