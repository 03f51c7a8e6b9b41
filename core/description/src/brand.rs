//! The face of a merchant in settings, in its own call, and in a transaction.

use serde_json::{Value, json};

use crate::schema::{about, address, matching, object, put, text, words};
use checkout_core::record::image::ImageName;
use checkout_core::settings::brand::{Corners, Font};

/// A brand: every member may be left out.
pub(crate) fn schema() -> Value {
    let image = |about_it| about(matching(ImageName::PATTERN), about_it);
    let phone = |about_it| about(matching("^\\+[1-9][0-9]{6,14}$"), about_it);
    let support = optional(Vec::from([
        ("email", about(text(), "An e-mail address.")),
        ("phone", phone("A telephone number of E.164, with its plus.")),
        ("whatsapp", phone("The number of WhatsApp, as a telephone number.")),
    ]));
    let links = optional(Vec::from([
        ("terms", about(address(), "The terms, by https.")),
        ("refunds", about(address(), "How refunds work, by https.")),
    ]));
    optional(Vec::from([
        ("logo", image("The image at the top of the page, by the name that its upload answered.")),
        ("favicon", image("The symbol of the browser's tab, by the name that its upload answered.")),
        (
            "accent",
            about(matching("^#[0-9a-fA-F]{6}$"), "The colour of buttons and links; at least 3:1 on white."),
        ),
        ("corners", about(words(Corners::WORDS), "How round corners are; `soft` if it is left out.")),
        ("font", about(words(Font::WORDS), "Which letters the page is set in; `system` if it is left out.")),
        ("support", about(support, "How a payer reaches the merchant.")),
        ("links", about(links, "What a payer can read about the merchant's rules.")),
    ]))
}

/// An object whose members may all be left out or null, and that has no others.
fn optional(members: Vec<(&'static str, Value)>) -> Value {
    let nullable = members.into_iter().map(|(name, mut schema)| {
        let kind = schema.get("type").map(|kind| json!([kind, "null"]));
        put(&mut schema, "type", kind);
        let listed = schema
            .get("enum")
            .and_then(Value::as_array)
            .map(|words| words.iter().cloned().chain([Value::Null]).collect::<Vec<_>>());
        put(&mut schema, "enum", listed.map(Value::Array));
        (format!("{name}?"), schema)
    });
    let mut schema = object(nullable.collect::<Vec<_>>());
    put(&mut schema, "additionalProperties", Some(Value::Bool(false)));
    schema
}
