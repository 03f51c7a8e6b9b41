//! The forms: of the hosted page, and of the token endpoint.

use serde_json::{Value, json};

use crate::context::Context;
use crate::line::{Line, Read};
use crate::schema::{about, amount, matching, object, text, words};
use checkout_core::api::pay;
use checkout_core::api::token::{self, GRANTS};
use checkout_core::value::id::SessionId;
use checkout_core::words::Language;

impl Read for pay::PayForm {
    fn schema(_: &Line, _: &Context<'_>) -> Value {
        page()
    }
}

impl Read for token::TokenForm {
    fn schema(_: &Line, _: &Context<'_>) -> Value {
        token()
    }
}

/// The form of the hosted page.
fn page() -> Value {
    object([
        ("session_id", about(matching(SessionId::PATTERN), "The payment transaction.")),
        (
            "pg_code?",
            about(text(), "The gateway that the payer chose, or the token of one of their saved cards."),
        ),
        ("remove_card?", about(text(), "The token of a saved card to remove; nothing is paid then.")),
        (
            "show_in?",
            about(words(Language::WORDS), "The page is shown in this language; nothing is paid then."),
        ),
        ("amount?", about(amount(), "How much, if the payer may choose.")),
        ("save_card?", about(words(&["true", "false"]), "Whether the card is to be saved.")),
        ("language?", about(words(Language::WORDS), "The language of the page.")),
        (
            "shown?",
            about(
                text(),
                "A method and the price that the page shows for it, as `knet KWD 10.250`; once for each method. Nothing else is charged.",
            ),
        ),
        (
            "next?",
            about(
                text(),
                "In place of `shown`, of the way to pay that the page offered after a soft decline.",
            ),
        ),
    ])
}

/// The form by which a token is asked for (RFC 6749, 4.3.2 and 4.4.2).
fn token() -> Value {
    let secret = || json!({ "type": "string", "format": "password" });
    object([
        ("grant_type", about(words(&GRANTS), "For what the token is given.")),
        ("username?", about(text(), "With `password`: the name of the user.")),
        ("password?", about(secret(), "With `password`: the password of the user.")),
        (
            "client_id?",
            about(
                text(),
                "With `client_credentials`: the prefix of a private key, which may also be the name in a header `Authorization: Basic`.",
            ),
        ),
        ("client_secret?", about(secret(), "What follows the dot of that key.")),
    ])
}
