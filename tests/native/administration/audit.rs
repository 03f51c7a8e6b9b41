//! What is recorded of changes.

use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::ROOT;
use checkout_core::flow::account::key::{add_key, revoke_key};
use checkout_core::flow::account::user::{add_user, change_user};
use checkout_core::flow::operator::audit::{read_audit, read_own_audit};
use checkout_core::flow::operator::merchant::{pause_merchant, read_merchant};
use checkout_core::flow::operator::staff::revoke_operator;
use checkout_core::flow::sweep::clock::move_clock;
use checkout_core::rejection::Rejection;
use checkout_core::value::id::UserId;
use checkout_tests::shop::{Shop, json_of, refused};
use pollster::block_on;
use serde_json::{Value, json};

use super::{demo, entries, made, of_role, paths, replace};

/// The actions of entries with who did them.
fn done(entries: &[Value]) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("nobody").to_string();
    let line = |entry: &Value| {
        (text(entry.get("action").unwrap()), text(entry.pointer("/actor/name").unwrap_or(&Value::Null)))
    };
    entries.iter().map(line).collect()
}

#[test]
fn every_change_has_an_entry_with_who_made_it_and_reading_has_none() {
    let shop = Shop::open(1);
    let (sara, _) = of_role(&shop, "Sara", "admin");
    replace(&shop, &sara, &demo()).unwrap();
    let body = br#"{"kind":"private","name":"Till"}"#;
    let key =
        json_of(&block_on(add_key(&shop.world, &shop.merchant, Grantor::Operator(&sara), body)).unwrap());
    let prefix = key["prefix"].as_str().unwrap();
    block_on(revoke_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), prefix)).unwrap();
    block_on(move_clock(&shop.world, &sara, &shop.merchant, br#"{"advance":"P1D"}"#)).unwrap();
    block_on(read_merchant(&shop.world, &shop.merchant)).unwrap();
    let all = entries(&shop, "");
    let by = |action: &str, name: &str| (action.to_string(), name.to_string());
    let wanted = [
        by("move_clock", "Sara"),
        by("revoke_key", "root"),
        by("add_key", "Sara"),
        by("replace_settings", "Sara"),
        by("add_operator", "root"),
        by("add_merchant", "root"),
    ];
    assert_eq!(done(&all), wanted);
    assert_eq!(all[0]["actor"], json!({"id": "1", "kind": "operator", "name": "Sara", "role": "admin"}));
    assert_eq!(
        (&all[0]["before"], &all[0]["after"]),
        (&json!({"advanced_seconds": 0}), &json!({"advanced_seconds": 86_400}))
    );
    assert_eq!((&all[1]["before"]["revoked_at"], &all[1]["subject"]), (&Value::Null, &key["prefix"]));
    assert!(all[1]["after"]["revoked_at"].is_string());
    assert_eq!((&all[2]["before"], &all[2]["after"]["name"]), (&Value::Null, &json!("Till")));
    assert_eq!(
        (&all[4]["merchant_id"], &all[4]["subject"], &all[4]["after"]["role"]),
        (&Value::Null, &json!("1"), &json!("admin"))
    );
}

#[test]
fn what_is_refused_has_no_entry() {
    let shop = Shop::open(2);
    let before = entries(&shop, "").len();
    let mut settings = demo();
    settings["country"] = json!(7);
    let refusals = [
        refused(replace(&shop, &ROOT, &settings)),
        refused(made(&shop, &ROOT, &json!({"name": "", "role": "read"}))),
        refused(block_on(add_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), b"{}"))),
        refused(block_on(revoke_key(&shop.world, &shop.merchant, Grantor::Operator(&ROOT), "zzzzzzzz"))),
        refused(block_on(pause_merchant(&shop.world, &ROOT, &shop.merchant, b"{}"))),
    ];
    assert!(refusals.iter().all(|rejection| *rejection != Rejection::Unavailable), "{refusals:?}");
    assert_eq!(entries(&shop, "").len(), before);
}

#[test]
fn settings_are_recorded_by_the_members_that_changed_and_without_credentials() {
    let shop = Shop::open(3);
    let mut settings = demo();
    settings["country"] = json!("SA");
    settings["gateways"][0]["credentials"]["api_key"] = json!("a planted secret");
    replace(&shop, &ROOT, &settings).unwrap();
    let entry = entries(&shop, "merchant=demo")[0].clone();
    let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        (members(&entry["before"]), members(&entry["after"])),
        (vec!["country".into(), "gateways".into()], vec!["country".into(), "gateways".into()])
    );
    assert_eq!((&entry["before"]["country"], &entry["after"]["country"]), (&json!("KW"), &json!("SA")));
    assert_eq!(entry["after"]["gateways"][0]["credentials"]["api_key"], json!("[sealed]"));
    let everything = json!(entries(&shop, "")).to_string();
    assert!(!everything.contains("a planted secret") && !everything.contains("sealed:"), "{everything}");
    for name in ["private_key", "public_key", "webhook_hmac_key", "webhook_signing_secret"] {
        assert!(!everything.contains(shop.secret(name)), "{name} is in the audit");
    }
}

#[test]
fn a_merchant_has_entries_of_its_own_keys_and_users_and_reads_them() {
    let shop = Shop::open(4);
    let private = shop.private();
    let by = Grantor::Merchant(&private);
    let body = br#"{"username":"sara@demo","password":"correct horse battery","is_superuser":true}"#;
    let user = json_of(&block_on(add_user(&shop.world, &shop.merchant, by, body)).unwrap());
    let id = UserId(u32::try_from(user["id"].as_u64().unwrap()).unwrap());
    let body = br#"{"password":"another long password","phone":"+96512345678"}"#;
    block_on(change_user(&shop.world, &shop.merchant, id, by, body)).unwrap();
    let (sara, _) = of_role(&shop, "Sara", "admin");
    replace(&shop, &sara, &demo()).unwrap();
    let page = json_of(&block_on(read_own_audit(&shop.world, &private, "")).unwrap());
    let own = page["results"].as_array().unwrap();
    let actions: Vec<_> = own.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["replace_settings", "change_own_user", "add_own_user", "add_merchant"]);
    assert_eq!(own[0]["actor"], json!({"kind": "operator"}), "an operator is not named to a merchant");
    let (prefix, _) = shop.secret("private_key").split_once('.').unwrap();
    assert_eq!(own[1]["actor"], json!({"kind": "key", "id": prefix}));
    assert_eq!(
        (&own[1]["subject"], &own[1]["after"]["password"]),
        (&json!(id.to_string()), &json!("[sealed]"))
    );
    assert_eq!(
        (&own[1]["before"]["phone"], &own[1]["after"]["phone"]),
        (&Value::Null, &json!("+96512345678"))
    );
    assert_eq!(own[1]["after"].get("username"), None, "what stayed is not in it");
    for (query, count) in
        [("actor=operator:1", 0), ("actor=operator:0", 0), ("limit=1", 1), ("actor=user:1", 0)]
    {
        let page = json_of(&block_on(read_own_audit(&shop.world, &private, query)).unwrap());
        assert_eq!(page["results"].as_array().unwrap().len(), count, "{query}");
    }
}

#[test]
fn a_merchant_reads_nothing_of_another_one_or_of_the_installation() {
    let shop = Shop::open(5);
    of_role(&shop, "Sara", "admin");
    let shop = shop.handed_to("other");
    let private = shop.private();
    let page = json_of(&block_on(read_own_audit(&shop.world, &private, "")).unwrap());
    let other = refused(block_on(read_own_audit(&shop.world, &private, "merchant=demo")));
    assert!(matches!(other, Rejection::Invalid(_)), "{other:?}");
    let own = page["results"].as_array().unwrap();
    assert_eq!((own.len(), &own[0]["merchant_id"]), (1, &json!("other")));
}

#[test]
fn the_audit_is_read_in_pages_and_by_merchant_and_actor() {
    let shop = Shop::open(6);
    let (sara, _) = of_role(&shop, "Sara", "admin");
    for _ in 0..4 {
        replace(&shop, &sara, &demo()).unwrap();
    }
    block_on(revoke_operator(&shop.world, &sara, sara.id)).unwrap();
    let mut seen = Vec::new();
    let mut query = String::from("limit=3");
    loop {
        let page = json_of(&block_on(read_audit(&shop.world, &query)).unwrap());
        seen.extend(page["results"].as_array().unwrap().iter().map(|entry| entry["id"].as_u64().unwrap()));
        let Some(next) = page["next"].as_u64() else { break };
        query = format!("limit=3&before={next}");
    }
    assert_eq!(seen, [7, 6, 5, 4, 3, 2, 1]);
    let count = |query: &str| entries(&shop, query).len();
    assert_eq!((count("merchant=demo"), count("merchant=nobody")), (5, 0));
    assert_eq!((count("actor=operator:1"), count("actor=operator:0"), count("actor=user:1")), (5, 2, 0));
    assert_eq!(count("merchant=demo&actor=operator:1&before=5"), 2);
    for (query, wrong) in [
        ("merchant=-x&actor=sara&before=0&limit=101", vec!["merchant", "actor", "before", "limit"]),
        ("actor=operator:", vec!["actor"]),
        ("actor=key:a%27b", vec!["actor"]),
        ("limit=0", vec!["limit"]),
        ("before=1&before=2", vec!["before"]),
    ] {
        let refusal: Rejection = refused(block_on(read_audit(&shop.world, query)));
        assert_eq!(paths(&refusal), wrong, "{query}");
    }
}
