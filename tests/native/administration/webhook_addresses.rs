//! Where a merchant's webhooks go, as the merchant reads and changes it.

use checkout_core::flow::Failure;
use checkout_core::flow::operator::webhook_address::{change_addresses, read_addresses};
use checkout_core::rejection::Rejection;
use checkout_tests::shop::{Shop, json_of, refused};
use pollster::block_on;
use serde_json::{Value, json};

use super::{demo, entries, paths};

fn changed(shop: &Shop, body: &Value) -> Result<Value, Failure> {
    let body = body.to_string();
    block_on(change_addresses(&shop.world, &shop.private(), body.as_bytes())).map(|answer| json_of(&answer))
}

fn read(shop: &Shop) -> Value {
    json_of(&block_on(read_addresses(&shop.world, &shop.private())).unwrap())
}

/// Without an address of its own, so that what is changed decides.
fn shop(seed: u64) -> Shop {
    Shop::open_with(seed, |settings| {
        settings["plugins"] = json!({"e_commerce": {"webhook_url": "https://shop.example.com/first"}});
    })
}

#[test]
fn what_is_given_changes_and_the_rest_of_the_settings_stays() {
    let shop = shop(1);
    let first = json!("https://shop.example.com/first");
    let before = read(&shop);
    assert_eq!(
        (before.get("e_commerce"), before.get("payment_request"), before.get("operations")),
        (Some(&first), Some(&Value::Null), Some(&Value::Null))
    );
    let after = changed(&shop, &json!({"operations": "https://books.example.com/"})).unwrap();
    assert_eq!((after.get("e_commerce"), after.get("version")), (Some(&first), Some(&json!(2))));
    let settings = shop.settings();
    let address = |url: Option<&checkout_core::value::web_address::WebAddress>| {
        url.map(|url| url.as_str().to_string()).unwrap_or_default()
    };
    assert_eq!(address(settings.operations_webhook_url.as_ref()), "https://books.example.com/");
    assert_eq!(settings.gateways.len(), demo().get("gateways").and_then(Value::as_array).unwrap().len());
    let none = changed(&shop, &json!({"e_commerce": null, "operations": null})).unwrap();
    assert_eq!((none.get("e_commerce"), none.get("operations")), (Some(&Value::Null), Some(&Value::Null)));
    assert_eq!(shop.settings().operations_webhook_url, None);
    assert_eq!(read(&shop), none);
}

#[test]
fn the_address_of_alerts_changes_and_who_else_is_reported_stays() {
    let shop = Shop::open_with(7, |settings| settings["alerts"] = json!({"emails": ["ops@example.com"]}));
    let url = "https://ops.shop.example.com/";
    assert_eq!(changed(&shop, &json!({"alerts": url})).unwrap().get("alerts"), Some(&json!(url)));
    let settings = shop.settings();
    let found = (
        settings.alerts.webhook_url.as_ref().map(checkout_core::value::web_address::WebAddress::as_str),
        settings.alerts.emails.len(),
    );
    assert_eq!(found, (Some(url), 1));
    assert_eq!(changed(&shop, &json!({"alerts": null})).unwrap().get("alerts"), Some(&Value::Null));
    assert_eq!(shop.settings().alerts.emails, ["ops@example.com"]);
    let other = self::shop(8);
    assert_eq!(changed(&other, &json!({"alerts": url})).unwrap().get("alerts"), Some(&json!(url)));
    assert_eq!(paths(&refused(changed(&other, &json!({"alerts": "http://10.0.0.1/"})))), ["alerts"]);
}

#[test]
fn every_wrong_address_is_named_and_nothing_is_stored() {
    let shop = shop(2);
    for (body, wrong) in [
        (
            json!({"e_commerce": "http://shop.example.com/", "operations": 7}),
            vec!["e_commerce", "operations"],
        ),
        (json!({"e_commerce": "https://pay.example.com/b/operator/v1/merchants/"}), vec!["e_commerce"]),
        (json!({"payment_request": "https://shop.example.com/"}), vec!["payment_request"]),
        (json!({"payment_request": null}), vec!["payment_request"]),
        (
            json!({"webhook_url": "https://shop.example.com/", "e_commerce": ""}),
            vec!["e_commerce", "webhook_url"],
        ),
    ] {
        let mut found = paths(&refused(changed(&shop, &body)));
        found.sort();
        assert_eq!(found, wrong, "{body}");
    }
    assert_eq!(refused(changed(&shop, &json!([]))), Rejection::MalformedBody);
    assert_eq!(shop.settings().version, 1);
}

#[test]
fn the_audit_names_the_key_and_both_addresses() {
    let shop = shop(3);
    changed(&shop, &json!({"operations": "https://books.example.com/"})).unwrap();
    let [newest, ..] = &entries(&shop, "")[..] else { panic!("no entry") };
    assert_eq!(newest.get("action"), Some(&json!("change_own_webhook_addresses")));
    assert_eq!(newest.pointer("/actor/kind"), Some(&json!("key")));
    assert_eq!(newest.pointer("/after/operations_webhook_url"), Some(&json!("https://books.example.com/")));
}

#[test]
fn who_is_written_to_about_alerts_changes_and_the_address_of_their_webhook_stays() {
    let url = "https://ops.shop.example.com/";
    let shop = Shop::open_with(9, |settings| {
        settings["alerts"] = json!({"webhook_url": url, "webhook_tries": "last"});
    });
    let given =
        json!({"alert_emails": ["ops@example.com", "owner@example.com"], "alert_topics": ["gateway"]});
    let after = changed(&shop, &given).unwrap();
    for name in ["alert_emails", "alert_topics"] {
        assert_eq!(after.get(name), given.get(name), "{name}");
    }
    let alerts = shop.settings().alerts.clone();
    assert_eq!((alerts.emails.len(), alerts.topics.len()), (2, 1));
    assert_eq!(alerts.webhook_url.unwrap().as_str(), url);
    let none = changed(&shop, &json!({"alert_emails": [], "alert_topics": []})).unwrap();
    assert_eq!((none.get("alert_emails"), none.get("alert_topics")), (Some(&json!([])), Some(&json!([]))));
    assert_eq!(read(&shop), none);
}

#[test]
fn who_cannot_be_written_to_is_refused_by_place() {
    let shop = shop(10);
    let wrong = json!({"alert_emails": ["ops@example.com", "ops", 7, "OPS@example.com"], "alert_topics": ["gateway", "x"]});
    let found = paths(&refused(changed(&shop, &wrong)));
    assert_eq!(found, ["alert_emails.1", "alert_emails.2", "alert_emails.3", "alert_topics.1"]);
    let many: Vec<String> = (0..11).map(|place| format!("a{place}@example.com")).collect();
    assert_eq!(paths(&refused(changed(&shop, &json!({ "alert_emails": many })))), ["alert_emails"]);
    assert_eq!(shop.settings().version, 1);
}
