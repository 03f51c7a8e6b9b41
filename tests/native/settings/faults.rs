//! Every wrong field of a document is named, with what is allowed.

use super::*;

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn every_wrong_field_is_named_with_what_is_allowed() {
    for (pointer, value, expected) in [
        ("/is_paused", json!("yes"), "is_paused: must be true or false"),
        ("/gateways/0/icon", json!(1), "gateways.0.icon: must be a string"),
        ("/gateways/0/icon", json!(""), "gateways.0.icon: must not be blank"),
        ("/gateways/0/icon", json!("knet"), "gateways.0.icon: must be one of card, bank, wallet, cash"),
        ("/gateways/0/icon", json!("../till"), "gateways.0.icon: must be one of card, bank, wallet, cash"),
        (
            "/gateways/0/icon",
            json!("http://cdn.example.com/a.svg"),
            "gateways.0.icon: must start with https://",
        ),
        ("/gateways/0/icon", json!("data:image/svg+xml,x"), "gateways.0.icon: must start with https://"),
        ("/gateways/0/icon", json!("javascript:alert(1)"), "gateways.0.icon: must start with https://"),
        ("/name", Value::Null, "name: is required"),
        ("/name", json!("Demo"), "name: must be an object"),
        ("/name/en", Value::Null, "name.en: is required"),
        ("/name/en", json!(""), "name.en: must not be blank"),
        ("/name/ar", json!(1), "name.ar: must be a string"),
        ("/name/ar", json!("م".repeat(65)), "name.ar: must have at most 64 characters"),
        ("/name/en", json!("a\nb"), "name.en: must not have control characters"),
        ("/country", Value::Null, "country: is required"),
        ("/country", json!("kw"), "country: must be a two-letter ISO 3166-1 country code, such as \"KW\""),
        (
            "/reference_prefix",
            json!("ABCDEFGHI"),
            "reference_prefix: must be at most 8 upper-case letters and digits",
        ),
        (
            "/reference_prefix",
            json!("a"),
            "reference_prefix: must be at most 8 upper-case letters and digits",
        ),
        ("/reference_prefix", json!(1), "reference_prefix: must be at most 8 upper-case letters and digits"),
        ("/currencies", Value::Null, "currencies: must have at least one item"),
        ("/currencies", json!([]), "currencies: must have at least one item"),
        ("/currencies", json!("KWD"), "currencies: must be a list of strings"),
        ("/currencies/1", json!("KWD"), "currencies.1: must not be given twice"),
        ("/currencies/1", json!("XAU"), &format!("currencies.1: {CURRENCY}")),
        ("/currencies/1", json!(1), &format!("currencies.1: {CURRENCY}")),
        ("/plugins", Value::Null, "plugins: is required"),
        ("/plugins", json!({}), "plugins: is required"),
        ("/plugins/other", json!({}), "plugins.other: must be one of e_commerce, payment_request"),
        ("/plugins/e_commerce", json!(1), "plugins.e_commerce: must be an object"),
        (
            "/plugins/payment_request/is_amount_editable",
            json!("yes"),
            "plugins.payment_request.is_amount_editable: must be true or false",
        ),
        (
            "/plugins/e_commerce/webhook_url",
            json!("http://shop.example.com"),
            "plugins.e_commerce.webhook_url: must start with https://",
        ),
        ("/plugins/e_commerce/webhook_url", json!(""), "plugins.e_commerce.webhook_url: must not be blank"),
        (
            "/plugins/e_commerce/webhook_url",
            json!("https://pay.example.com/healthz"),
            "plugins.e_commerce.webhook_url: must not be an address of this service, except a sandbox inbox",
        ),
        ("/plugins/e_commerce/webhooks", json!(true), "plugins.e_commerce.webhooks: must be an object"),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "enabled": 1 }),
            "plugins.e_commerce.webhooks.enabled: must be true or false",
        ),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "urls": [] }),
            "plugins.e_commerce.webhooks.urls: is not supported and must be left out",
        ),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "events": [] }),
            "plugins.e_commerce.webhooks.events: must have at least one item",
        ),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "events": ["payment", "mail"] }),
            "plugins.e_commerce.webhooks.events.1: must be one of payment, card, operation",
        ),
        (
            "/plugins/e_commerce/webhooks",
            json!({ "states": ["paid", "paid"] }),
            "plugins.e_commerce.webhooks.states.1: must not be given twice",
        ),
        (
            "/plugins/e_commerce/expiration_time",
            json!("soon"),
            "plugins.e_commerce.expiration_time: must be a period written \"DD HH:MM:SS\", such as \"1 00:00:00\"",
        ),
        (
            "/plugins/e_commerce/expiration_time",
            json!("00:00:00"),
            "plugins.e_commerce.expiration_time: must be from 1 second to 366 days",
        ),
    ] {
        assert_eq!(wrong(&with(pointer, value.clone())), [expected], "{pointer} {value}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn every_wrong_field_of_a_gateway_is_named_with_what_is_allowed() {
    for (pointer, value, expected) in [
        ("/gateways", json!({}), "gateways: must be a list of strings"),
        ("/gateways", json!(vec![json!({}); 101]), "gateways: must have at most 100 items"),
        ("/gateways/0", json!("knet"), "gateways.0: must be an object"),
        ("/gateways/0/code", json!("mpgs"), "gateways.1.code: must not be given twice"),
        (
            "/gateways/0/code",
            json!("a b"),
            "gateways.0.code: must be a gateway code: 1 to 50 letters, digits, hyphens and underscores",
        ),
        ("/gateways/0/code", json!("a".repeat(17)), "gateways.0.code: must have at most 16 characters"),
        ("/gateways/0/code", Value::Null, "gateways.0.code: is required"),
        ("/gateways/0/name", Value::Null, "gateways.0.name: is required"),
        (
            "/gateways/0/connector",
            json!("other"),
            &format!("gateways.0.connector: must be one of {}", ConnectorKind::WORDS.join(", ")),
        ),
        ("/gateways/0/pg_name", json!(""), "gateways.0.pg_name: must not be blank"),
        (
            "/gateways/0/operation",
            json!("capture"),
            "gateways.0.operation: must be one of purchase, authorize",
        ),
        ("/gateways/0/currencies", json!([]), "gateways.0.currencies: must have at least one item"),
        (
            "/gateways/0/card_brands",
            json!(["visa", "diners"]),
            "gateways.0.card_brands.1: must be one of amex, discover, jcb, mada, maestro, mastercard, unionpay, visa",
        ),
        (
            "/gateways/0/card_brands",
            json!(["visa", "visa"]),
            "gateways.0.card_brands.1: must not be given twice",
        ),
        ("/gateways/0/sandbox", json!("yes"), "gateways.0.sandbox: must be true or false"),
        ("/gateways/0/multiple_attempts", json!(1), "gateways.0.multiple_attempts: must be true or false"),
        ("/gateways/0/tokenization", json!("true"), "gateways.0.tokenization: must be true or false"),
        ("/gateways/0/reconciled", json!(0), "gateways.0.reconciled: must be true or false"),
        ("/auto_debit", json!(true), "auto_debit: must be an object"),
        ("/auto_debit", json!({"notify": "no"}), "auto_debit.notify: must be true or false"),
        ("/notify", json!("all"), "notify: must be an object"),
        ("/notify", json!({"expired": "yes"}), "notify.expired: must be true or false"),
        ("/notify", json!({"invalided": 1}), "notify.invalided: must be true or false"),
        ("/inquiry", json!([]), "inquiry: must be an object"),
        ("/inquiry", json!({"throttle": 1}), "inquiry.throttle: must be true or false"),
        ("/gateways/0/auto_debit", json!([]), "gateways.0.auto_debit: must be true or false"),
        (
            "/gateways/0/inquiry_after_minutes",
            json!(0),
            "gateways.0.inquiry_after_minutes: must be a whole number from 1 to 1440",
        ),
        (
            "/gateways/0/inquiry_after_minutes",
            json!(1441),
            "gateways.0.inquiry_after_minutes: must be a whole number from 1 to 1440",
        ),
        (
            "/gateways/0/inquiry_after_minutes",
            json!("8"),
            "gateways.0.inquiry_after_minutes: must be a whole number from 1 to 1440",
        ),
        (
            "/gateways/0/wallets",
            json!(["apple_pay", "other"]),
            "gateways.0.wallets.1: must be one of apple_pay, google_pay",
        ),
        (
            "/gateways/0/endpoint",
            json!("bank"),
            "gateways.0.endpoint: must be an absolute address such as https://shop.example.com/thanks, its host in ASCII (a name in another script in its xn-- form)",
        ),
        ("/gateways/0/fees", json!(1), "gateways.0.fees: must be a list of strings"),
        ("/gateways/0/fees/0", json!(1), "gateways.0.fees.0: must be an object"),
        ("/gateways/0/fees/0/currency", json!("XXX"), &format!("gateways.0.fees.0.currency: {CURRENCY}")),
        (
            "/gateways/0/fees/0/fixed",
            json!("0.2501"),
            "gateways.0.fees.0.fixed: must have at most 3 decimal places for KWD",
        ),
        ("/gateways/0/fees/0/fixed", json!(0.25), "gateways.0.fees.0.fixed: must be a string"),
        (
            "/gateways/0/fees/0/percent",
            json!("-1"),
            "gateways.0.fees.0.percent: must be a decimal number without a sign, such as \"2.5\"",
        ),
        ("/gateways/0/fees/0/description", Value::Null, "gateways.0.fees.0.description: is required"),
        ("/gateways/2/fees/1/currency", json!("KWD"), "gateways.2.fees.1.currency: must not be given twice"),
    ] {
        assert_eq!(wrong(&with(pointer, value.clone())).join(", "), expected, "{pointer} {value}");
    }
}

#[test]
fn all_wrong_fields_are_named_at_once_in_the_order_of_the_document() {
    let mut document = demo();
    document["name"]["en"] = json!("");
    document["country"] = json!(1);
    document["currencies"] = json!(["KWD", "nope"]);
    document["plugins"]["payment_request"]["expiration_time"] = json!("x");
    document["gateways"][1]["operation"] = json!("x");
    document["gateways"][1]["sandbox"] = json!("x");
    document["gateways"][3]["code"] = json!("");
    let found = wrong(&document);
    let paths: Vec<_> = found.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "name.en",
            "country",
            "currencies.1",
            "plugins.payment_request.expiration_time",
            "gateways.1.operation",
            "gateways.1.sandbox",
            "gateways.3.code",
        ]
    );
}

#[test]
fn what_is_no_object_is_no_document() {
    for document in ["", "null", "[]", "1", "\"x\"", "{", "{\"name\":}"] {
        let found = read(document).unwrap_err();
        assert_eq!(
            found.iter().map(|violation| &*violation.path).collect::<Vec<_>>(),
            ["settings"],
            "{document}"
        );
    }
}
