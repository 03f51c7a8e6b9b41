//! The bodies of requests: each reader reads a body that has every member, and what it asks is the schema.

use serde_json::{Value, json};

use crate::brand;
use crate::context::Context;
use crate::filters;
use crate::line::{Line, Read};
use crate::queries;
use crate::schema::{self, about, matching, object, open_object, sentence, text, words};
use checkout_core::api::agreement::{AgreementsRequest, ResumeAgreement};
use checkout_core::api::auto_debit;
use checkout_core::api::card::{ENVIRONMENTS, Filter};
use checkout_core::api::erasure;
use checkout_core::api::inquiry::InquiryRequest;
use checkout_core::api::message_notification;
use checkout_core::api::native::{CashRequest, WalletRequest};
use checkout_core::api::operation::RawOperation;
use checkout_core::api::payment_instrument;
use checkout_core::api::payment_methods::{self, PaymentMethodsRequest};
use checkout_core::api::sdk::{Cancel, OptionCheck, Submit, TokenRequest};
use checkout_core::api::upload_attachment::{MAX_ID_CHARS, UploadRequest};
use checkout_core::api::wallet::{PayRequest, SessionRequest};
use checkout_core::draft::Draft;
use checkout_core::draft::request::DraftRequest;
use checkout_core::rejection::Rejection;
use checkout_core::transaction::CardAcceptanceCriteria;
use checkout_core::transaction::address::{Address, ShippingAddress};
use checkout_core::transaction::agreement::Agreement;
use checkout_core::transaction::fields::REFUSED;
use checkout_core::transaction::notifications::Notifications;
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::wire::json::NamedBody;
use checkout_core::wire::noted::record;
use checkout_core::words::{Language, Wallet};

/// A body that has every field of a transaction.
const TRANSACTION: &str = r#"{
    "type": "e_commerce", "amount": "10.250", "currency_code": "KWD", "pg_codes": ["credit-card"], "expiration_time": "1 00:00:00",
    "payment_type": "one_off", "order_no": "x", "customer_id": "x", "customer_first_name": "x", "customer_last_name": "x",
    "customer_email": "x@example.com", "customer_phone": "x", "customer_phone_2": "x", "customer_birthdate": "2000-01-01",
    "product_type": "x", "vendor_name": "x", "language": "en", "redirect_url": "https://shop.example.com/",
    "webhook_url": "https://shop.example.com/", "due_datetime": "2026-01-01T00:00:00Z", "capture_delivery_address": true,
    "capture_delivery_location": true, "card_acceptance_criteria": { "min_expiry_time": 1 }, "email_recipients": [],
    "notifications": { "email": [], "sms": [], "whatsapp": [] }, "initiator_id": 1, "transaction_log_id": 1,
    "attachment": "x", "attachment_upload_url": "x", "unit_code": "x", "extra": {}, "branding_options": { "font": "serif", "links": {}, "support": {} },
    "billing_address": { "city": "x", "country": "KW", "line1": "x", "line2": "x", "postal_code": "x", "state": "x" },
    "shipping_address": { "city": "x", "country": "KW", "line1": "x", "line2": "x", "postal_code": "x", "state": "x",
        "email": "x@example.com", "first_name": "x", "last_name": "x", "phone": "x" },
    "agreement": { "id": "x", "type": "other", "amount_variability": "fixed", "cycle_interval_days": 1, "expiry_date": "2030-01-01",
        "start_date": "2026-01-01", "frequency": "monthly", "max_amount_per_cycle": "1", "total_cycles": 1,
        "seller": { "name": "x", "short_name": "x", "category_code": "1234" }, "extra_params": { "payment_processing_day": 1 } },
    "shortify_attachment_url": true, "shortify_checkout_url": true, "generate_qr_code": true, "include_sdk_setup_preload": true
}"#;

/// A body that has every member of all other readers.
const OTHERS: &str = r#"{
    "session_id": "x", "order_no": "x", "pg_code": "x", "code": "x", "token": "x", "amount": "1", "operation": "refund", "extra": {},
    "destination": "pg", "reason": "duplicate", "note": "x", "remaining": "1", "type": "sandbox", "customer_id": "x", "pg_codes": [], "agreement_id": "x", "channels": [], "notify_webhook_url": true,
    "webhook_url": "https://shop.example.com/", "payload": { "paymentData": {}, "paymentMethodData": {} },
    "apple_pay_payload": { "paymentData": {}, "validationURL": "x" }, "google_pay_payload": { "paymentMethodData": {} },
    "save_card": true, "customer_additional_phone": "x", "channel": "api", "customer_phone": "x", "customer_email": "x",
    "customer_first_name": "x", "customer_last_name": "x", "plugin": "e_commerce", "currencies": ["KWD"],
    "tokenizable": true, "auto_debit": true, "pg_names": ["x"], "tags": ["x"], "payment_services": ["x"],
    "shown_total": "1", "shown_currency": "KWD", "is_next_way": true
}"#;

/// Bodies that name one of two members.
const BY_CUSTOMER: &str = r#"{ "customer_id": "x" }"#;
const BY_SESSION: &str = r#"{ "session_id": "0000000000000000000000000000000000000000" }"#;

/// What is said of the members that no declaration describes.
const ABOUT: &[(&str, &str)] = &[
    ("session_id", "The payment transaction."),
    (
        "order_no",
        "The order number of the transaction, if `session_id` is not given; of several, the newest.",
    ),
    ("pg_code", "The gateway that is to charge."),
    ("code", "The gateway of the item in `payment_services`; `pg_code` is accepted too."),
    ("amount", "What the payment costs, as the item shows it."),
    ("token", "The token of the saved card."),
    ("type", "Whether cards of simulations are meant."),
    ("customer_id", "The merchant's id of the customer."),
    ("pg_codes", "Only cards that one of these gateways has saved."),
    ("agreement_id", "Only cards of this agreement."),
    ("notify_webhook_url", "Whether the receiver of the transaction is notified too."),
    ("webhook_url", "The address that is notified instead."),
    ("channels", "How the message goes: each that `notifications` has for the present state."),
    ("payload", "The token that the wallet provided, unchanged."),
    (
        "apple_pay_payload",
        "The token that Apple Pay provided, unchanged; for a merchant session, the event of the browser.",
    ),
    ("google_pay_payload", "The token that Google Pay provided, unchanged."),
    (
        "shown_total",
        "What the payer was shown that is paid, with fees. Nothing else is charged: the refusal is `price_changed`.",
    ),
    ("shown_currency", "The currency in which it was shown."),
    ("is_next_way", "Whether it is the `next_way` that the payer was offered after a decline."),
    ("validation_url", "Where Apple wants the merchant to be validated, as the browser gave it."),
];

/// Says of each type how it reads a body, as an expression of that `body`.
macro_rules! reads {
    ($($kind:ty: |$line:tt, $context:tt, $body:ident| $read:expr;)*) => {
        $(
            impl Read for $kind {
                const EVERY: &'static [&'static str] = &[OTHERS, BY_CUSTOMER, BY_SESSION];

                fn read($line: &Line, $context: &Context<'_>, $body: &[u8]) -> Result<(), Rejection> {
                    $read.map(drop)
                }

                fn schema(line: &Line, context: &Context<'_>) -> Value {
                    described(schema::read(&record(|| drop(<Self as Read>::read(line, context, OTHERS.as_bytes())))))
                }
            }
        )*
    };
}

reads! {
    AgreementsRequest: |_, _, body| AgreementsRequest::parse(body);
    ResumeAgreement: |_, _, body| ResumeAgreement::parse(body);
    Filter: |_, _, body| Filter::parse(body);
    InquiryRequest: |_, context, body| InquiryRequest::parse(body, context.installation);
    message_notification::NotificationRequest: |_, _, body| message_notification::NotificationRequest::parse(body);
    WalletRequest: |line, _, body| WalletRequest::read(wallet(line), body);
    CashRequest: |_, _, body| CashRequest::read(body);
    auto_debit::AutoDebitRequest: |_, _, body| auto_debit::AutoDebitRequest::parse(body);
    TokenRequest: |_, _, body| TokenRequest::parse(body);
    PayRequest: |line, _, body| PayRequest::read(wallet(line), body);
    SessionRequest: |_, _, body| SessionRequest::read(body);
    erasure::ErasureRequest: |_, _, body| erasure::ErasureRequest::parse(body);
}

/// The wallet of an endpoint.
fn wallet(line: &Line) -> Wallet {
    if line.facts.name.ends_with("apple_pay") { Wallet::ApplePay } else { Wallet::GooglePay }
}

/// As `reads`, of types that are declared as records.
macro_rules! records {
    ($($kind:ty: |$context:tt, $body:ident| $check:expr;)*) => {
        $(
            impl Read for $kind {
                const EVERY: &'static [&'static str] = &[OTHERS];

                fn read(_: &Line, $context: &Context<'_>, $body: &[u8]) -> Result<(), Rejection> {
                    $check.map(drop)
                }

                fn schema(line: &Line, context: &Context<'_>) -> Value {
                    let read = || drop(<Self as Read>::read(line, context, OTHERS.as_bytes()));
                    let mut schema = schema::read(&record(read));
                    describe_by::<$kind>(&mut schema);
                    schema
                }
            }
        )*
    };
}

records! {
    PaymentMethodsRequest<'_>: |context, body| {
        let request = PaymentMethodsRequest::from_json(body)?;
        payment_methods::MethodFilter::parse(&request, context.settings).map_err(Rejection::Invalid)
    };
    RawOperation<'_>: |_, body| RawOperation::from_json(body)?.check();
    Submit<'_>: |_, body| Submit::from_json(body)?.check();
    OptionCheck<'_>: |_, body| OptionCheck::read(body).map(|_| ());
    Cancel<'_>: |_, body| Cancel::check(body);
}

impl Read for DraftRequest<'_> {
    const EVERY: &'static [&'static str] = &[TRANSACTION];

    fn read(line: &Line, context: &Context<'_>, body: &[u8]) -> Result<(), Rejection> {
        let request = DraftRequest::from_json(body)?;
        // What is left out of a `PATCH` stays as it is.
        let request = match line.methods {
            ["PATCH"] => request.or(&Self::from_json(TRANSACTION.as_bytes())?),
            _ => request,
        };
        Draft::parse(&request, context.installation, context.settings).map(drop).map_err(Rejection::Invalid)
    }

    fn schema(line: &Line, context: &Context<'_>) -> Value {
        let all = transaction(context);
        match line.methods {
            ["POST"] => with_instrument(all),
            ["PATCH"] => without_required(all),
            _ => all,
        }
    }
}

impl Read for UploadRequest<'_> {
    // It is always a form.
    fn schema(_: &Line, _: &Context<'_>) -> Value {
        upload()
    }
}

fn describe_by<T: NamedBody>(schema: &mut Value) {
    for (name, lines) in T::NAMES.iter().zip(T::ABOUT) {
        let Some(property) = schema.pointer_mut(&format!("/properties/{name}")) else { continue };
        schema::put(property, "description", Some(sentence(lines).into()));
    }
}

/// The members with what `ABOUT` says of them.
fn described(mut schema: Value) -> Value {
    for (name, text) in ABOUT {
        let Some(property) = schema.pointer_mut(&format!("/properties/{name}")) else { continue };
        schema::put(property, "description", Some((*text).into()));
    }
    schema
}

/// The fields of a transaction.
fn transaction(context: &Context<'_>) -> Value {
    let notes = record(|| {
        if let Ok(request) = DraftRequest::from_json(TRANSACTION.as_bytes()) {
            drop(Draft::parse(&request, context.installation, context.settings));
        }
    });
    let mut schema = schema::read(&notes);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| !REFUSED.contains(&name.as_str()));
    }
    // In a multipart body it is a part with a file.
    schema::replace(&mut schema, "attachment", text());
    schema::replace(&mut schema, "branding_options", brand::schema());
    describe_by::<DraftRequest<'_>>(&mut schema);
    let others = [
        ("billing_address", schema::of::<Address>()),
        ("shipping_address", schema::of::<ShippingAddress>()),
        ("agreement", schema::of::<Agreement>()),
        ("card_acceptance_criteria", schema::of::<CardAcceptanceCriteria>()),
        ("notifications", schema::of::<Notifications>()),
    ];
    for (name, other) in others {
        if let Some(property) = schema.pointer_mut(&format!("/properties/{name}")) {
            schema::complete(property, &other);
        }
    }
    schema
}

/// The fields of a transaction as requests give them, each with its schema.
pub(crate) fn transaction_fields(context: &Context<'_>) -> Value {
    transaction(context)
}

/// The names of the fields that a request may have and of which nothing was asked.
pub(crate) fn gaps(schema: &Value) -> Vec<String> {
    let properties = schema.get("properties");
    let is_missing = |name: &&&str| properties.is_none_or(|known| known.get(**name).is_none());
    let given = DraftRequest::NAMES.iter().filter(|name| !REFUSED.contains(name));
    given.filter(is_missing).map(|name| format!("no reader asked for the field {name}")).collect()
}

/// With the instrument that charges at once.
fn with_instrument(mut schema: Value) -> Value {
    let raw = r#"{"instrument_type":"token","payload":{"token":"x"}}"#;
    let notes = record(|| {
        if let Ok(raw) = serde_json::from_str(raw) {
            drop(payment_instrument::read(raw));
        }
    });
    let mut instrument = schema::read(&notes);
    schema::replace(&mut instrument, "payload", open_object());
    let texts = [
        ("instrument_type", "What pays."),
        ("payload", "The token of the wallet, unchanged; for a saved card an object with its `token`."),
    ];
    for (name, text) in texts {
        if let Some(property) = instrument.pointer_mut(&format!("/properties/{name}")) {
            schema::put(property, "description", Some(text.into()));
        }
    }
    let instrument =
        about(instrument, "Charges the transaction at once. `pg_codes` has exactly one code then.");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert("payment_instrument".into(), instrument);
    }
    schema
}

fn without_required(mut schema: Value) -> Value {
    if let Value::Object(members) = &mut schema {
        members.remove("required");
    }
    schema
}

/// The fields next to a file.
fn upload() -> Value {
    let id = json!({ "type": "string", "maxLength": MAX_ID_CHARS });
    let members = UploadRequest::NAMES.iter().map(|name| {
        let schema = if name.starts_with("shortify") { schema::flag() } else { id.clone() };
        (format!("{name}?"), schema)
    });
    let file = ("file".into(), about(json!({ "type": "string", "format": "binary" }), "The file."));
    let mut schema = object(members.chain([file]));
    describe_by::<UploadRequest<'_>>(&mut schema);
    schema
}

/// The query parameters of an endpoint, each with whether it must be given.
pub(crate) fn query(endpoint: &str) -> Vec<(&'static str, bool, Value)> {
    let session = || matching(SessionId::PATTERN);
    match endpoint {
        "list_transactions" | "list_transactions_of" => filters::page(),
        "export_transactions" => filters::filters().collect(),
        "public_keys" => Vec::from([(
            "merchant",
            false,
            about(matching(MerchantId::PATTERN), "The merchant whose webhooks are checked."),
        )]),
        "delete_card" => Vec::from([
            ("customer_id", true, about(text(), "The merchant's id of the customer.")),
            ("type", true, about(words(ENVIRONMENTS), "Whether it is a card of a simulation.")),
        ]),
        "checkout_page" => Vec::from([
            ("session_id", true, about(session(), "The payment transaction.")),
            ("pg_code", false, about(text(), "The method that is chosen at first.")),
            ("language", false, about(words(Language::WORDS), "The language of the page.")),
        ]),
        _ => queries::query(endpoint),
    }
}
