//! The page of each connector in the documentation.

use std::path::PathBuf;

use checkout_core::installation::Installation;
use checkout_core::value::web_address::Reach;

use super::*;

fn page(word: &str) -> String {
    let name = if word == "sandbox" { "sandbox.md".into() } else { format!("gateway-{word}.md") };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_page_of_a_connector_names_each_credential_and_what_it_can_do() {
    for (word, declaration, _) in online() {
        let page = page(word);
        for CredentialField { name, .. } in declaration.credentials {
            let is_named =
                page.contains(&format!("`{name}`")) || page.contains(&format!("credentials.{name}`"));
            assert!(is_named, "{word}: {name} is not in its page");
        }
        if word != "sandbox" {
            for part in [
                "## Settings",
                "## What it can do",
                "## Test cards",
                "## What is proven",
                "## To confirm with",
            ] {
                assert!(page.contains(part), "{word}: its page has no part {part}");
            }
        }
        let able = &declaration.capabilities;
        for (is_able, name) in [
            (able.wallets.contains(&Wallet::ApplePay), "Apple Pay"),
            (able.wallets.contains(&Wallet::GooglePay), "Google Pay"),
            (able.captures_once, "once"),
            (able.saves_cards, "saved"),
            (able.operations.contains(&ChildOperation::Refund), "refund"),
            (able.operations.contains(&ChildOperation::Capture), "capture"),
            (able.operations.contains(&ChildOperation::Void), "void"),
            (able.flexible.is_some(), "eligibility"),
            (able.reports_disputes, "disputes"),
            (
                able.capture_days.is_some_and(|days| !page.contains(&format!("{days} days"))),
                "days to capture",
            ),
            (declaration.needs_endpoint, "`endpoint`"),
        ] {
            assert!(!is_able || page.to_lowercase().contains(&name.to_lowercase()), "{word}: {name}");
        }
    }
}

#[test]
fn the_settings_in_the_page_of_a_connector_are_right() {
    let installation = Installation {
        public_url: "https://pay.example.com".into(),
        reach: Reach::Public,
        has_sandbox: true,
        desk_url: None,
    };
    for (word, ..) in online().filter(|(word, ..)| *word != "sandbox") {
        let page = page(word);
        let examples = page.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
        let mut examples = examples.filter_map(|text| serde_json::from_str::<Value>(text).ok());
        let example = examples.find(|example| example["connector"] == word);
        let example = example.unwrap_or_else(|| panic!("{word}: its page has no settings"));
        let mut document: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
        document["gateways"] = json!([example]);
        let merchant = MerchantId::parse("demo").unwrap();
        let webhook = WebhookSecrets {
            hmac_key: Sealed("h".into()),
            signing: vec![Sealed("s".into())],
            previous_until: None,
            next_hmac: None,
        };
        let read = parse::parse(&merchant, 1, &document.to_string(), webhook, Some(&installation));
        assert!(read.is_ok(), "{word}: {:?}", read.err());
    }
}
