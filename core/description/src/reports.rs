//! The bodies about a payment or an operation, which answers and webhooks share: written member by member.

use serde_json::{Value, json};

use crate::fields::{described, stored, without};
use crate::schema::{
    about, amount, component, flag, list, matching, moment, object, of, open_object, put, text, words,
};
use checkout_core::attempt::stage::Stage;
use checkout_core::gateway::dispute::DisputeStatus;
use checkout_core::sdk::card::CardShown;
use checkout_core::state::State;
use checkout_core::transaction::fields::NOTIFIED;
use checkout_core::value::id::{PgCode, ReferenceNumber, SessionId};
use checkout_core::words::operation_reason::OperationReason;
use checkout_core::words::payment_type::PaymentType;
use checkout_core::words::{ChildOperation, ChildState};

/// A saved card, as merchants see it.
pub(crate) fn saved_card() -> Value {
    let mut schema = of::<CardShown>();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for name in OF_SDKS {
            properties.remove(name);
        }
    }
    schema
}

/// The members of a saved card that only checkout SDKs get.
const OF_SDKS: [&str; 4] = ["delete_url", "mark", "pg", "submit_url"];

pub(crate) fn child() -> Value {
    let mut states: Vec<&str> = ChildState::WORDS.to_vec();
    states.extend(["failed", "pending"]);
    object([
        ("amount", amount()),
        ("currency_code", text()),
        ("order_no?", about(text(), "The order number of the transaction.")),
        ("session_id", about(matching(SessionId::PATTERN), "The id of the child transaction.")),
        ("state", about(words(&states), "Its state; `pending` while its outcome is not certain.")),
    ])
}

/// A flag that is left out if it is false.
fn only_true() -> Value {
    json!({ "type": "boolean", "const": true })
}

/// What test webhooks have.
fn test_mark() -> Value {
    about(only_true(), "Only true: a sample that was asked for, about a payment that does not exist.")
}

/// A text of at most so many characters.
fn bounded(mut schema: Value, max: usize) -> Value {
    put(&mut schema, "maxLength", Some(max.into()));
    schema
}

/// The number of the event after which a body is as it is.
fn sequence() -> Value {
    about(
        json!({ "type": "integer", "minimum": 1 }),
        "The number of the transaction's last event, which only grows. Ignore a webhook with a smaller one than the newest about \
         the same payment, or the same operation. Not signed by `signature`.",
    )
}

/// The words of `result`.
fn results() -> Value {
    let mut found: Vec<&str> = Stage::ALL.into_iter().map(Stage::result).collect();
    found.sort_unstable();
    found.dedup();
    words(&found)
}

/// The fields of the transaction that answers about a payment repeat: texts, flags and objects.
fn customer(fields: &Value) -> Vec<(String, Value)> {
    let mut members = Vec::new();
    for name in NOTIFIED {
        match *name {
            "billing_address" => {
                let parts = ["city", "country", "line1", "line2", "postal_code", "state"];
                let of =
                    |part| (format!("customer_address_{part}?"), about(text(), "Of the billing address."));
                members.extend(parts.map(of));
            }
            "agreement" => {
                members.extend(stored(fields, name).map(|schema| (format!("{name}?"), schema)));
            }
            "transaction_log_id" => members.push((format!("{name}?"), matching("^[0-9]+$"))),
            _ => {
                let given = described(fields, name).map(|given| without(given, &["required"]));
                members.extend(given.map(|given| (format!("{name}?"), given)));
            }
        }
    }
    members
}

/// What notifications and native answers share.
fn payment() -> Vec<(String, Value)> {
    [
        ("amount", about(amount(), "The total of the transaction without fees.")),
        ("currency_code", about(text(), "The currency of the transaction.")),
        ("gateway_account", about(bounded(matching(PgCode::PATTERN), 16), "The code of the gateway.")),
        ("gateway_name", about(bounded(text(), 64), "The family of the gateway.")),
        ("is_sandbox?", about(only_true(), "Only true: no money moved.")),
        ("payment_type", about(words(PaymentType::WORDS), "What the payment is for.")),
        ("reference_number", about(matching(ReferenceNumber::PATTERN), "The attempt.")),
        ("result", about(results(), "The result of the attempt.")),
        ("session_id", about(matching(SessionId::PATTERN), "The transaction.")),
        ("state", about(words(State::WORDS), "The state of the transaction.")),
        ("timestamp_utc", about(moment(), "When the outcome became known.")),
        ("token?", about(component("SavedCard"), "The saved card that paid, or that was saved.")),
        (
            "signature",
            about(matching("^[0-9a-f]{64}$"), "HMAC-SHA256 over the signed members, in hexadecimal digits."),
        ),
    ]
    .map(|(name, schema)| (name.into(), schema))
    .into()
}

fn labelled() -> Value {
    let entry = object([("value", text()), ("verbose_name_ar", text()), ("verbose_name_en", text())]);
    json!({ "type": "object", "additionalProperties": entry })
}

/// A dispute about a payment.
fn dispute() -> Value {
    object([
        ("amount?", about(amount(), "How much is disputed.")),
        ("answer_until?", about(moment(), "Until when it has to be answered.")),
        ("currency_code?", about(text(), "The currency of the amount.")),
        ("id", about(text(), "The gateway's id of it.")),
        ("reason?", about(text(), "Why, as the gateway's code.")),
        ("status", about(words(DisputeStatus::WORDS), "How it is.")),
    ])
}

/// The payment notification.
pub(crate) fn notification(fields: &Value) -> Value {
    let details = object([
        ("amount", amount()),
        ("currency_code", text()),
        ("exchange_rate?", text()),
        ("fee", amount()),
        ("total", amount()),
    ]);
    let own = [
        ("amount_details", about(details, "What the gateway charged, in its currency.")),
        ("dispute?", about(dispute(), "The payer's bank disputes the payment.")),
        ("fee?", about(bounded(amount(), 24), "The fee.")),
        (
            "gateway_response?",
            about(open_object(), "The gateway's own answer, only if the gateway called back."),
        ),
        ("initiator?", about(component("Initiator"), "The user who made the transaction, if one did.")),
        ("is_test?", test_mark()),
        ("message?", about(bounded(text(), 255), "What the gateway said; only without success.")),
        ("operation", about(words(&["payment", "authorization"]), "Whether money was charged or only held.")),
        ("paid_amount?", about(bounded(amount(), 24), "What was taken, the fee included.")),
        ("pg_params", about(labelled(), "Facts of the gateway with their names in both languages.")),
        ("refunded_amount?", about(bounded(amount(), 24), "What was given back.")),
        ("sequence", sequence()),
        (
            "remaining_amount?",
            about(bounded(amount(), 24), "What is still to be paid, if the payer may choose how much."),
        ),
        ("settled_amount?", about(amount(), "What was paid without the fee.")),
        ("transaction?", about(list(&component("ChildTransaction")), "The same as `transactions`.")),
        ("transactions?", about(list(&component("ChildTransaction")), "Captures, refunds and voids.")),
        ("voided_amount?", about(bounded(amount(), 24), "What was released.")),
    ];
    let own = own.map(|(name, schema)| (name.into(), schema));
    object(customer(fields).into_iter().chain(payment()).chain(own))
}

/// The answer to a native payment.
pub(crate) fn native(fields: &Value) -> Value {
    let shared = customer(fields).into_iter().filter(|(name, _)| {
        !["agreement?", "card_acceptance_criteria?", "customer_address_country?", "transaction_log_id?"]
            .contains(&name.as_str())
    });
    let own = [
        ("customer_address_country", about(text(), "Of the billing address, or of the merchant.")),
        ("fee", about(amount(), "The fee.")),
        ("message", about(text(), "What the gateway said, or what the result means.")),
        ("paid_amount", about(amount(), "What was taken, the fee included.")),
        ("remaining_amount", about(json!({ "type": "number" }), "What is not paid.")),
        ("settled_amount", about(json!({ "type": "number" }), "What was paid without the fee.")),
        (
            "transaction_log_id?",
            about(json!({ "type": "integer" }), "The merchant's log of a bulk dispatch."),
        ),
    ];
    let own = own.map(|(name, schema)| (name.into(), schema));
    object(shared.chain(payment()).chain(own))
}

/// The answer about a capture, refund or void, and its webhook.
pub(crate) fn operation() -> Value {
    object([
        ("amount", about(amount(), "How much.")),
        ("extra?", about(open_object(), "The merchant's own keys.")),
        ("initiator?", about(component("Initiator"), "The user who asked for it, if one did.")),
        ("is_sandbox?", about(only_true(), "Only true: no money moved.")),
        ("is_test?", test_mark()),
        ("note?", about(text(), "What was noted about it.")),
        ("operation", about(words(ChildOperation::WORDS), "What was done.")),
        ("order_no?", about(text(), "The order number of the transaction.")),
        ("pg_code", about(matching(PgCode::PATTERN), "The gateway.")),
        ("pg_params", about(labelled(), "Facts of the gateway with their names in both languages.")),
        ("pg_response", about(open_object(), "The gateway's own answer.")),
        ("reason?", about(words(OperationReason::WORDS), "Why it was asked for.")),
        ("reference_number", about(matching(ReferenceNumber::PATTERN), "The operation.")),
        (
            "result",
            about(
                words(&["success", "queued", "rejected", "failed"]),
                "The outcome; `queued` is reported later.",
            ),
        ),
        ("sequence", sequence()),
        ("session_id", about(matching(SessionId::PATTERN), "The transaction.")),
        ("source", about(words(&["input", "pg"]), "Who caused the report: the merchant, or the gateway.")),
        ("success", about(flag(), "Whether it was done, or will be.")),
        ("timestamp_utc", about(moment(), "When the outcome became known.")),
        ("txn", about(component("ChildTransaction"), "The child transaction.")),
        (
            "signature",
            about(matching("^[0-9a-f]{64}$"), "HMAC-SHA256 over the signed members, in hexadecimal digits."),
        ),
    ])
}

/// A user, as they were when they made a transaction or an operation.
pub(crate) fn initiator() -> Value {
    object([
        ("email?", about(text(), "The e-mail address.")),
        ("first_name?", about(text(), "The first name.")),
        ("id", about(json!({ "type": "integer" }), "The number.")),
        ("last_name?", about(text(), "The last name.")),
        ("phone?", about(text(), "The telephone number.")),
        ("username", about(text(), "The name with which the user signs in.")),
    ])
}
