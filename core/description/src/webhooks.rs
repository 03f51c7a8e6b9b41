//! What Till sends to merchants: each webhook with its headers, its body, what a receiver may answer, and samples
//! that were recorded from whole payments.

use serde_json::{Map, Value, json};

use crate::schema::{component, matching, text};
use checkout_core::state::State;
use checkout_core::value::id::DeliveryId;

/// The webhooks. `samples` are files by name; those of a webhook are its examples.
pub(crate) fn all(samples: &[(String, String)]) -> Value {
    let samples = Samples::read(samples);
    let webhook = |name: &str, summary: &str, about: &str, schema: &str| json!({ "post": webhook(name, summary, about, schema, samples.of(name)) });
    json!({
        "payment": webhook("payment", "A payment has an outcome", PAYMENT, "PaymentWebhook"),
        "operation": webhook("operation", "A capture, refund or void has an outcome", OPERATION, "OperationResult"),
        "card": webhook("card", "A card was saved", CARD, "CardWebhook"),
        "requested": webhook("requested", "An inquiry asked for a webhook", REQUESTED, "PaymentWebhook"),
        "alert": webhook("alert", "A person should look at something", ALERT, "AlertWebhook"),
    })
}

const PAYMENT: &str = "After every outcome of a payment, and when the answer changes. Answer 200 or 201 as soon as it is stored: \
    anything else is tried again. The payer's browser may wait for it; a 200 sends the payer to `redirect_url` of the transaction.";
const OPERATION: &str = "After every operation, and when a gateway reports the end of one that was queued. A refusal that the caller was answered is \
     not sent.";
const CARD: &str = "The payment webhook with the object `token`, after a transaction of the type `save_card` or `auto_debit`, or a \
    payment whose card the payer wants to be saved or that was paid with a saved card.";
const REQUESTED: &str = "The answer of an inquiry with `notify_webhook_url` or `webhook_url`, byte for byte, also when nothing has changed.";

const ALERT: &str = "Entries of the attention list that are new, of one topic, at most once an hour, to `alerts.webhook_url` of the settings. \
    It is signed by its headers only, and has nothing of a payer.";

/// The body of the payment webhook: what the types of its members do not say.
pub(crate) fn payment() -> Value {
    let settled: Vec<&str> =
        State::ALL.into_iter().filter(|state| state.is_success()).map(State::as_str).collect();
    json!({
        "description": "`settled_amount` is there if and only if money was settled, `message` only without success.",
        "allOf": [
            component("Notification"),
            {
                "if": { "properties": { "state": { "enum": settled } } },
                "then": { "required": ["settled_amount"] },
                "else": { "not": { "anyOf": [{ "required": ["settled_amount"] }, { "required": ["paid_amount"] }] } },
            },
            {
                "if": { "properties": { "result": { "enum": ["success", "cod"] } } },
                "then": { "not": { "required": ["message"] } },
            },
            {
                "dependentRequired": {
                    "paid_amount": ["settled_amount"],
                    "refunded_amount": ["transaction", "transactions"],
                    "transaction": ["transactions"],
                    "transactions": ["transaction"],
                    "voided_amount": ["transaction", "transactions"],
                },
            },
        ],
    })
}

/// The body of the webhook about a saved card.
pub(crate) fn card() -> Value {
    json!({
        "description": "A payment webhook that always has `token`.",
        "allOf": [component("PaymentWebhook"), { "required": ["token"] }],
    })
}

fn webhook(name: &str, summary: &str, what: &str, schema: &str, examples: Map<String, Value>) -> Value {
    let header = |name: &str, about: &str, schema: Value| json!({ "name": name, "in": "header", "required": true, "description": about, "schema": schema });
    let mut content = json!({ "schema": component(schema) });
    if let (Value::Object(content), false) = (&mut content, examples.is_empty()) {
        content.insert("examples".into(), examples.into());
    }
    json!({
        "operationId": format!("webhook_{name}"),
        "tags": ["Webhooks"],
        "summary": summary,
        "description": what,
        "security": [],
        "parameters": [
            header("webhook-id", "The same at every try, to recognise a repeat.", matching(DeliveryId::PATTERN)),
            header("webhook-timestamp", "When this try was signed, in seconds since 1970. Refuse times older than five minutes.", matching("^[0-9]+$")),
            header("webhook-signature", "`v1,` and HMAC-SHA256 in base64 over id, timestamp and body separated by dots (Standard Webhooks); while a secret is exchanged, one for each, separated by spaces.", text()),
        ],
        "requestBody": { "required": true, "content": { "application/json": content } },
        "responses": {
            "200": { "description": "Stored. A waiting payer is sent to `redirect_url`." },
            "201": { "description": "Stored. A waiting payer stays on the page of the payment." },
            "410": { "description": "The address is gone: nothing is sent to it again." },
            "default": { "description": "It is tried again." },
        },
    })
}

/// Recorded webhooks.
struct Samples(Vec<(String, Value)>);

impl Samples {
    fn read(files: &[(String, String)]) -> Self {
        let read = |(name, text): &(String, String)| Some((name.clone(), serde_json::from_str(text).ok()?));
        Self(files.iter().filter_map(read).collect())
    }

    /// The examples of a webhook: the body of each of its samples, as JSON.
    fn of(&self, webhook: &str) -> Map<String, Value> {
        let text = |sample: &Value, name: &str| sample.get(name).and_then(Value::as_str).map(String::from);
        let wanted = self.0.iter().filter(|(_, sample)| text(sample, "webhook").as_deref() == Some(webhook));
        let example = |(name, sample): &(String, Value)| {
            let body: Value = serde_json::from_str(&text(sample, "body")?).ok()?;
            Some((name.clone(), json!({ "summary": text(sample, "about")?, "value": body })))
        };
        wanted.filter_map(example).collect()
    }
}
