//! The bodies of answers. What is a type is described by the type; what is written member by member is listed, and
//! recorded answers hold the list.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::brand;
use crate::fields::stored;
use crate::reports::{challenge, child, initiator, native, notification, operation, saved_card};
use crate::schema::{
    about, address, amount, component, list, matching, moment, object, of, open_object, put, replace,
    sentence, text, words,
};
use crate::webhooks;
use checkout_core::access::key::KeyKind;
use checkout_core::answer::sdk::payment as begun;
use checkout_core::answer::{alert, billing, method, oauth, sdk};
use checkout_core::rejection::PROBLEMS;
use checkout_core::state::State;
use checkout_core::transaction::fields::{COMPUTED, SHOWN};
use checkout_core::value::id::{PgCode, ReferenceNumber, SessionId};
use checkout_core::words::Operation;
use checkout_core::words::message::Channel;

/// The members of a transaction that are never left out.
const ALWAYS: &[&str] = &[
    "amount",
    "billing",
    "checkout_page_url",
    "checkout_url",
    "created_at",
    "currency_code",
    "due_datetime",
    "expiration_time",
    "language",
    "operation",
    "payment_methods",
    "payment_type",
    "pg_codes",
    "session_id",
    "state",
    "type",
];

/// What the answers have in common, and what is missing.
pub(crate) struct Answers {
    pub(crate) components: Map<String, Value>,
    pub(crate) gaps: Vec<String>,
}

/// The schemas of answers by name. `fields` are the fields of a transaction as requests give them.
pub(crate) fn all(fields: &Value) -> Answers {
    let mut gaps = Vec::new();
    let mut components = Map::new();
    let mut add = |name: &str, schema: Value| {
        components.insert(name.into(), schema);
    };
    add("Transaction", transaction(fields, &mut gaps));
    add("Billing", of::<billing::Billing<'static>>());
    add("PaymentMethod", of::<method::MethodMembers<'static>>());
    add("CheckoutSdk", checkout_sdk());
    add("SavedCard", saved_card());
    add("ChildTransaction", child());
    add("Initiator", initiator());
    add("Notification", notification(fields));
    add("PaymentWebhook", webhooks::payment());
    add("CardWebhook", webhooks::card());
    add("AlertWebhook", of::<alert::AlertRaised>());
    add("NativePayment", native(fields));
    add("Challenge", challenge());
    add("OperationResult", operation());
    add("OperationDone", of::<checkout_core::answer::operation::OperationDone>());
    add("CallbackPayload", of::<sdk::SdkCallback<'static>>());
    add("WalletAnswer", wallet_answer());
    add("Problem", problem());
    Answers { components, gaps }
}

/// The resource.
fn transaction(fields: &Value, gaps: &mut Vec<String>) -> Value {
    let members = SHOWN.iter().filter_map(|name| {
        let schema = computed(name).or_else(|| stored(fields, name));
        let Some(mut schema) = schema else {
            gaps.push(format!("no schema for the member {name} of a transaction"));
            return None;
        };
        if let Some((_, lines)) = COMPUTED.iter().find(|(known, _)| known == name) {
            put(&mut schema, "description", Some(sentence(lines).into()));
        }
        let mark = if ALWAYS.contains(name) { "" } else { "?" };
        Some((format!("{name}{mark}"), schema))
    });
    object(members.collect::<Vec<_>>())
}

/// The members that are only shown.
fn computed(name: &str) -> Option<Value> {
    Some(match name {
        "billing" => component("Billing"),
        "attachment_short_url"
        | "checkout_page_url"
        | "checkout_short_url"
        | "checkout_url"
        | "qr_code_url" => address(),
        "consent" => of::<checkout_core::answer::consent::ConsentShown>(),
        "created_at" | "paid_at" => moment(),
        "operation" => words(Operation::WORDS),
        "paid_amount" | "refunded_amount" | "voided_amount" => amount(),
        "payment_methods" => list(&component("PaymentMethod")),
        "receipt" => text(),
        "reference_number" => matching(ReferenceNumber::PATTERN),
        "sdk_setup_preload_payload" => component("CheckoutSdk"),
        "session_id" => matching(SessionId::PATTERN),
        "settled_pg_code" => matching(PgCode::PATTERN),
        "state" => words(State::WORDS),
        "transaction" | "transactions" => list(&component("ChildTransaction")),
        _ => return None,
    })
}

/// What a checkout SDK gets. Two of its members are written elsewhere.
fn checkout_sdk() -> Value {
    let mut schema = of::<sdk::CheckoutSdk<'static>>();
    let mut card = saved_card();
    if let Some(Value::Object(properties)) = card.get_mut("properties") {
        properties.insert("delete_url".into(), about(address(), "Where the payer deletes it."));
        let mark = about(address(), "A picture of the mark of its brand, if that is known.");
        properties.insert("mark".into(), mark);
        properties.insert("pg".into(), about(text(), "The name of that gateway."));
        for (name, of) in [
            ("brand", "Its brand; empty if it is not known."),
            ("customer_id", "Whose it is; empty in what payers see."),
            ("name_on_card", "The name on it; empty if it is not known."),
            ("number", "Its number, all but a few digits hidden; empty if it is not known."),
        ] {
            properties.insert(name.into(), about(text(), of));
        }
        properties.insert("submit_url".into(), about(address(), "Where the payer pays with it."));
    }
    if let Some(Value::Array(required)) = card.get_mut("required") {
        let always = ["brand", "customer_id", "delete_url", "name_on_card", "number", "pg", "submit_url"];
        required.extend(always.map(Value::from));
    }
    replace(&mut schema, "cards", list(&card));
    replace(&mut schema, "payment_services", list(&payment_service()));
    replace(&mut schema, "flex_methods", json!({ "type": "array", "maxItems": 0 }));
    replace(&mut schema, "billing", component("Billing"));
    replace(&mut schema, "payment_methods", list(&component("PaymentMethod")));
    replace(
        &mut schema,
        "response",
        json!({ "anyOf": [component("CallbackPayload"), { "type": "object", "maxProperties": 0 }] }),
    );
    replace(&mut schema, "sdk_studio", json!({ "type": "object" }));
    schema
}

/// A device wallet that a page may offer.
fn payment_service() -> Value {
    object([
        ("billing", component("Billing")),
        ("code", about(text(), "The code of the gateway.")),
        ("country_code", about(text(), "The country of the merchant.")),
        ("currency_code", about(text(), "The currency in which the gateway charges.")),
        ("fee", amount()),
        ("fee_description", text()),
        ("flow", about(words(&["apple_pay", "google_pay"]), "The wallet.")),
        ("merchant_id", about(text(), "The merchant as the wallet knows it.")),
        ("operation", words(Operation::WORDS)),
        ("payment_url", about(address(), "Where the token of the wallet is sent.")),
        ("pg_code", matching(PgCode::PATTERN)),
        ("session_id", matching(SessionId::PATTERN)),
        ("amount?", about(amount(), "Apple Pay: what the payer pays.")),
        ("domain?", about(text(), "Apple Pay: the domain of the page.")),
        ("shop_name?", about(text(), "Apple Pay: the name in the sheet.")),
        ("validation_url?", about(address(), "Apple Pay: where the sheet gets its merchant session.")),
        ("environment?", about(text(), "Google Pay: `TEST` or `PRODUCTION`.")),
        ("gateway?", about(text(), "Google Pay: the gateway as Google knows it.")),
        ("gateway_merchant_id?", about(text(), "Google Pay: the merchant as the gateway knows it.")),
        ("merchant_name?", about(text(), "Google Pay: the name in the sheet.")),
        (
            "total_price?",
            about(
                amount(),
                "Google Pay: what the payer pays, as its sheet takes it: whole, or with two decimals.",
            ),
        ),
        ("display_items?", list(&display_item())),
    ])
}

/// A part of the total, for the sheet of Google Pay.
fn display_item() -> Value {
    object([
        ("label", about(text(), "What it is, in the language of the transaction.")),
        ("price", about(amount(), "How much, as the sheet takes it.")),
        ("type", words(&["LINE_ITEM"])),
    ])
}

fn wallet_answer() -> Value {
    let mut schema = of::<begun::WalletAnswer<'static>>();
    replace(&mut schema, "callback_payload", component("CallbackPayload"));
    schema
}

fn problem() -> Value {
    let codes: Vec<&str> = PROBLEMS.iter().map(|problem| problem.code).collect();
    let line = || json!({ "type": "string", "maxLength": 128 });
    object([
        ("type", about(address(), "The page of the code.")),
        ("title", about(text(), "A short name of the code.")),
        ("status", about(json!({ "type": "integer" }), "The HTTP status.")),
        ("detail", about(text(), "What is wrong with this request. The text may change; match `code`.")),
        ("code", about(words(&codes), "The stable code. Others may follow.")),
        (
            "request_id",
            about(text(), "The id of the request, also in the header `X-Request-Id` and in the log."),
        ),
        ("operation?", about(text(), "The operation that was refused.")),
        ("result?", words(&["failed"])),
        ("session_id?", about(line(), "The transaction that the request left behind, or named as this.")),
        ("reference_number?", about(matching(ReferenceNumber::PATTERN), "The attempt that it left behind.")),
        ("order_no?", about(line(), "The transaction that a refused notification named.")),
        ("channels?", about(list(&words(Channel::WORDS)), "By what it was to go.")),
        ("errors?", about(open_object(), "Every wrong field, with a list of texts; nested as the body is.")),
    ])
}

/// What an endpoint writes.
pub(crate) trait Written {
    /// Its schema, or where that is.
    fn schema() -> Value;
}

/// The types whose schemas are components: those that several answers have, and those that are large.
const COMPONENTS: &[&str] = &["CallbackPayload", "CheckoutSdk", "OperationDone", "WalletAnswer"];

impl<T: JsonSchema> Written for T {
    fn schema() -> Value {
        let name = T::schema_name();
        if COMPONENTS.contains(&&*name) { component(&name) } else { amended(&name, of::<T>()) }
    }
}

/// With what a type does not say of its members, because that is on a higher floor.
fn amended(name: &str, mut schema: Value) -> Value {
    match name {
        "KeyShown" => replace(&mut schema, "kind", words(KeyKind::WORDS)),
        "Array_of_KeyShown" => {
            if let Some(items) = schema.get_mut("items") {
                replace(items, "kind", words(KeyKind::WORDS));
            }
        }
        "AnyValue" => schema = about(open_object(), "The merchant session, as Apple issued it."),
        "BrandShown" => {
            let brand = about(brand::schema(), "The brand; an empty object if there is none.");
            replace(&mut schema, "brand", brand);
        }
        _ => {}
    }
    schema
}

/// What a refusal with a status is in plain JSON, for endpoints that do not only refuse by problem bodies.
pub(crate) fn refused(endpoint: &str, status: u16) -> Option<Value> {
    match (endpoint, status) {
        ("sdk_pay_by_apple_pay" | "sdk_pay_by_google_pay" | "sdk_apple_session", 400) => {
            Some(component("WalletAnswer"))
        }
        ("give_token", 400 | 401 | 429 | 503) => Some(of::<oauth::TokenProblem>()),
        _ => None,
    }
}

/// A JWK Set.
pub(crate) fn key_set() -> Value {
    let key = object([
        ("alg", words(&["EdDSA"])),
        ("crv", words(&["Ed25519"])),
        ("kid", text()),
        ("kty", words(&["OKP"])),
        ("use", words(&["sig"])),
        ("x", text()),
    ]);
    object([("keys", list(&key))])
}
