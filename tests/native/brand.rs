//! The face of a merchant: what its settings may say, the colours that follow from it, and its images.
#![expect(clippy::unwrap_used, clippy::unreachable, reason = "a test that cannot go on has failed")]

mod colours;
mod images;
mod options;

use checkout_core::installation::Installation;
use checkout_core::settings::brand::{Brand, Corners, Font};
use checkout_core::settings::{MerchantSettings, WebhookSecrets, parse};
use checkout_core::value::colour::Colour;
use checkout_core::value::id::MerchantId;
use checkout_core::value::sealed::Sealed;
use checkout_core::value::web_address::Reach;
use checkout_core::violation::Violation;
use checkout_tests::shop::DEMO_SETTINGS;
use serde_json::{Value, json};

const LOGO: &str = "0123456789abcdef0123456789abcdef.svg";

fn read(brand: &Value) -> Result<MerchantSettings, Vec<Violation>> {
    let mut document: Value = serde_json::from_str(DEMO_SETTINGS).unwrap();
    drop(document.as_object_mut().unwrap().insert("brand".into(), brand.clone()));
    let secrets = WebhookSecrets {
        hmac_key: Sealed("h".into()),
        signing: vec![Sealed("s".into())],
        previous_until: None,
        next_hmac: None,
    };
    let installation = Installation {
        public_url: "https://pay.example.com".into(),
        reach: Reach::Public,
        has_sandbox: true,
        desk_url: None,
    };
    let merchant = MerchantId::parse("demo").unwrap();
    parse::parse(&merchant, 1, &document.to_string(), secrets, Some(&installation))
}

/// The paths and texts of what is wrong, each in one line.
fn wrong(brand: &Value) -> Vec<String> {
    let found = read(brand).err().unwrap_or_default();
    found.iter().map(|violation| format!("{}: {}", violation.path, violation.rule)).collect()
}

#[test]
fn a_document_without_a_brand_has_the_face_of_the_page() {
    for brand in [Value::Null, json!({}), json!({ "logo": null, "support": {}, "links": {} })] {
        assert_eq!(read(&brand).unwrap().brand, Brand::default(), "{brand}");
    }
}

#[test]
fn every_member_of_a_brand_is_read() {
    let brand = read(&json!({
        "logo": LOGO,
        "favicon": "ffffffffffffffffffffffffffffffff.png",
        "accent": "#7A1FA2",
        "corners": "round",
        "font": "serif",
        "support": { "email": "help@shop.example.com", "phone": "+96522223333", "whatsapp": "+96550001122" },
        "links": { "terms": "https://shop.example.com/terms", "refunds": "https://shop.example.com/refunds" },
    }))
    .unwrap()
    .brand;
    assert_eq!(brand.logo.unwrap().to_string(), LOGO);
    assert_eq!(brand.favicon.unwrap().to_string(), "ffffffffffffffffffffffffffffffff.png");
    assert_eq!(brand.accent, Some(Colour([0x7a, 0x1f, 0xa2])));
    assert_eq!((brand.corners, brand.font), (Corners::Round, Font::Serif));
    assert_eq!(brand.support.email.as_deref(), Some("help@shop.example.com"));
    assert_eq!(brand.support.phone.as_deref(), Some("+96522223333"));
    assert_eq!(brand.support.whatsapp.as_deref(), Some("+96550001122"));
    assert_eq!(brand.links.terms.unwrap().as_str(), "https://shop.example.com/terms");
    assert_eq!(brand.links.refunds.unwrap().as_str(), "https://shop.example.com/refunds");
}

#[test]
fn every_wrong_member_is_named_with_what_is_allowed() {
    let phone = "must be a telephone number of E.164: a plus, the country code and the number, 7 to 15 digits \
                 together, such as \"+96522223333\"";
    let found = wrong(&json!({
        "logo": "logo.png",
        "favicon": 7,
        "accent": "red",
        "corners": "oval",
        "font": "https://fonts.example/x.woff2",
        "support": { "email": "help", "phone": "22223333", "whatsapp": "+0123456789", "fax": "+96522223333" },
        "links": { "terms": "http://shop.example.com/", "refunds": "https://127.0.0.1/", "jobs": "x" },
        "css": "body{display:none}",
    }));
    let mut expected = vec![
        "brand.css: is not supported and must be left out".to_owned(),
        "brand.logo: must be the name that the upload of the image answered".into(),
        "brand.favicon: must be a string".into(),
        "brand.accent: must be a colour written #rrggbb, such as \"#2b55d9\"".into(),
        "brand.corners: must be one of square, soft, round".into(),
        "brand.font: must be one of system, humanist, serif, rounded".into(),
        "brand.support.fax: is not supported and must be left out".into(),
        "brand.support.email: must be an e-mail address".into(),
        format!("brand.support.phone: {phone}"),
        format!("brand.support.whatsapp: {phone}"),
        "brand.links.jobs: is not supported and must be left out".into(),
        "brand.links.terms: must start with https://".into(),
        "brand.links.refunds: must name its host, not give an ip address".into(),
    ];
    let mut found = found;
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(wrong(&json!([])), ["brand: must be an object"]);
    assert_eq!(
        wrong(&json!({ "support": "x", "links": [] })),
        ["brand.support: must be an object", "brand.links: must be an object"]
    );
}

#[test]
fn telephone_numbers_are_those_of_e_164() {
    for phone in ["+1234567", "+123456789012345", "+96522223333"] {
        assert!(wrong(&json!({ "support": { "phone": phone } })).is_empty(), "{phone}");
    }
    for phone in [
        "",
        "+",
        "+123456",
        "+1234567890123456",
        "0096522223333",
        "+965 2222 3333",
        "+٩٦٥٢٢٢٢٣٣٣٣",
        "+-6522223333",
    ] {
        assert_eq!(wrong(&json!({ "support": { "phone": phone } })).len(), 1, "{phone}");
    }
}

#[test]
fn an_accent_that_is_too_close_to_the_page_is_refused_with_its_contrast() {
    let text = |found| {
        format!(
            "brand.accent: must have a contrast of at least 3:1 with the white of the page, and has {found}:1: \
             choose a darker colour"
        )
    };
    assert_eq!(wrong(&json!({ "accent": "#ffe600" })), [text("1.26")]);
    assert_eq!(wrong(&json!({ "accent": "#ffffff" })), [text("1.00")]);
    assert_eq!(wrong(&json!({ "accent": "#959595" })), [text("2.99")]);
    assert!(wrong(&json!({ "accent": "#949494" })).is_empty());
    assert!(wrong(&json!({ "accent": "#000000" })).is_empty());
}
