//! What depends on the installation, and what was stored before.

use super::*;

#[test]
fn an_installation_without_the_simulated_bank_takes_no_gateway_of_it() {
    let without = Installation { has_sandbox: false, ..installation() };
    let mut document = demo();
    document["plugins"]["e_commerce"]["webhook_url"] = json!("https://pay.example.com/sandbox/inbox/one/");
    for place in 1..6 {
        document["gateways"][place]["endpoint"] = json!("https://bank.example.com/api");
    }
    assert_eq!(
        wrong_at(&without, &document),
        [
            "plugins.e_commerce.webhook_url: must not be an address of this service",
            "gateways.0.endpoint: must be the address of a bank that speaks the protocol of the sandbox: this \
             installation is built without the simulated one",
        ]
    );
    document["plugins"]["e_commerce"]["webhook_url"] = Value::Null;
    document["gateways"][0]["endpoint"] = json!("https://bank.sandbox.invalid");
    assert_eq!(wrong_at(&without, &document).len(), 1, "the simulated host is no public address");
    document["gateways"][0]["endpoint"] = json!("https://bank.example.com");
    assert_eq!(wrong_at(&without, &document), Vec::<String>::new(), "cash needs no bank");
}

#[test]
fn a_stored_document_may_name_what_was_allowed_when_it_came_in() {
    let document = with("/plugins/e_commerce/webhook_url", json!("http://127.0.0.1:8787/hook")).to_string();
    assert!(read(&document).is_err());
    assert!(parse::stored(&MerchantId::parse("demo").unwrap(), 1, &document, secrets()).is_ok());
}
