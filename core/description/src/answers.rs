//! The bodies of answers. What is a type is described by the type; what is written member by member is listed, and
//! recorded answers hold the list.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::brand;
use crate::fields::stored;
use crate::reports::{child, initiator, native, notification, operation, saved_card};
use crate::schema::{
    about, address, amount, component, list, matching, moment, object, of, open_object, put, replace,
    sentence, text, words,
};
use crate::webhooks;
use checkout_core::access::key::KeyKind;
use checkout_core::answer::{alert, oauth};
use checkout_core::rejection::PROBLEMS;
use checkout_core::sdk::billing::Billing;
use checkout_core::sdk::callback::SdkCallback;
use checkout_core::sdk::card::CardShown;
use checkout_core::sdk::method::MethodMembers;
use checkout_core::sdk::payment::{Challenge, WalletAnswer};
use checkout_core::sdk::service::WalletService;
use checkout_core::sdk::session::CheckoutSdk;
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

/// A schema, made of the fields of a transaction as requests give them.
type Make = fn(&Value) -> Value;

/// The schemas that have a name, because several answers have them or because they are large. An endpoint that writes a type
/// of such a name refers to it.
const COMPONENTS: &[(&str, Make)] = &[
    ("Transaction", transaction),
    ("Billing", |_| of::<Billing>()),
    ("PaymentMethod", |_| of::<MethodMembers>()),
    ("CheckoutSdk", |_| checkout_sdk()),
    ("SavedCard", |_| saved_card()),
    ("ChildTransaction", |_| child()),
    ("Initiator", |_| initiator()),
    ("Notification", notification),
    ("PaymentWebhook", |_| webhooks::payment()),
    ("CardWebhook", |_| webhooks::card()),
    ("AlertWebhook", |_| of::<alert::AlertRaised>()),
    ("NativePayment", native),
    ("Challenge", |_| of::<Challenge>()),
    ("OperationResult", |_| operation()),
    ("OperationDone", |_| of::<checkout_core::answer::operation::OperationDone>()),
    ("CallbackPayload", |_| of::<SdkCallback>()),
    ("WalletAnswer", |_| wallet_answer()),
    ("Problem", |_| problem()),
];

/// The schemas of answers by name. `fields` are the fields of a transaction as requests give them.
pub(crate) fn all(fields: &Value) -> Answers {
    let named = COMPONENTS.iter().map(|(name, make)| ((*name).into(), make(fields)));
    let silent = SHOWN.iter().filter(|name| member(name, fields).is_none());
    Answers {
        components: named.collect(),
        gaps: silent.map(|name| format!("no schema for the member {name} of a transaction")).collect(),
    }
}

/// The resource.
fn transaction(fields: &Value) -> Value {
    let members = SHOWN.iter().filter_map(|name| {
        let mut schema = member(name, fields)?;
        if let Some((_, lines)) = COMPUTED.iter().find(|(known, _)| known == name) {
            put(&mut schema, "description", Some(sentence(lines).into()));
        }
        let mark = if ALWAYS.contains(name) { "" } else { "?" };
        Some((format!("{name}{mark}"), schema))
    });
    object(members.collect::<Vec<_>>())
}

/// A member of the resource.
fn member(name: &str, fields: &Value) -> Option<Value> {
    computed(name).or_else(|| stored(fields, name))
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

/// What a checkout SDK gets.
fn checkout_sdk() -> Value {
    let mut schema = of::<CheckoutSdk>();
    let mut card = of::<CardShown>();
    if let Some(Value::Array(required)) = card.get_mut("required") {
        let always = ["brand", "customer_id", "delete_url", "name_on_card", "number", "pg", "submit_url"];
        required.extend(always.map(Value::from));
    }
    let mut service = of::<WalletService>();
    replace(&mut service, "billing", component("Billing"));
    replace(&mut schema, "cards", list(&card));
    replace(&mut schema, "payment_services", list(&service));
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

fn wallet_answer() -> Value {
    let mut schema = of::<WalletAnswer>();
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

impl<T: JsonSchema> Written for T {
    fn schema() -> Value {
        let name = T::schema_name();
        let is_named = COMPONENTS.iter().any(|(known, _)| *known == name);
        if is_named { component(&name) } else { amended(&name, of::<T>()) }
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
        "Array_of_SavedCard" => schema = list(&component("SavedCard")),
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
