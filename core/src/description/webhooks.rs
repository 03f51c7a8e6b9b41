//! What Till sends to merchants.

use serde_json::{Value, json};

use super::schema::{component, matching, text};
use crate::value::id::DeliveryId;

/// The webhooks.
pub(super) fn all() -> Value {
    let payment = "After every outcome of a payment, and when the answer changes. Answer 200 or 201 as soon as it is stored: \
                   anything else is tried again. The payer's browser may wait for it; a 200 sends the payer to \
                   `redirect_url` of the transaction.";
    json!({
        "payment": { "post": webhook("payment", "A payment has an outcome", payment, "Notification") },
        "operation": { "post": webhook(
            "operation",
            "A capture, refund or void has an outcome",
            "After every operation, and when a gateway reports the end of one that was queued.",
            "OperationResult",
        ) },
        "card": { "post": webhook(
            "card",
            "A card was saved",
            "The payment webhook with the object `token`, after a transaction of the type `save_card` or a payment whose card \
             the payer wants to be saved.",
            "Notification",
        ) },
    })
}

fn webhook(name: &str, summary: &str, about: &str, schema: &str) -> Value {
    let header = |name: &str, about: &str, schema: Value| json!({ "name": name, "in": "header", "required": true, "description": about, "schema": schema });
    json!({
        "operationId": alloc::format!("webhook_{name}"),
        "tags": ["Webhooks"],
        "summary": summary,
        "description": about,
        "security": [],
        "parameters": [
            header("webhook-id", "The same at every try, to recognise a repeat.", matching(DeliveryId::PATTERN)),
            header("webhook-timestamp", "When this try was signed, in seconds since 1970. Refuse times older than five minutes.", matching("^[0-9]+$")),
            header("webhook-signature", "`v1,` and HMAC-SHA256 in base64 over id, timestamp and body separated by dots (Standard Webhooks); while a secret is exchanged, one for each, separated by spaces.", text()),
        ],
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": component(schema) } },
        },
        "responses": {
            "200": { "description": "Stored. A waiting payer is sent to `redirect_url`." },
            "201": { "description": "Stored. A waiting payer stays on the page of the payment." },
            "410": { "description": "The address is gone: nothing is sent to it again." },
            "default": { "description": "It is tried again." },
        },
    })
}
