//! The bodies of the calls by which the installation and the access to a merchant are administered, and what is said of those
//! calls.

use std::time::Duration;

use serde_json::{Value, json};

use crate::brand;
use crate::codes::NONE;
use crate::context::Context;
use crate::line::{Line, Read};
use crate::prose::{Prose, prose};
use crate::schema::{self, about, open_object};
use checkout_core::access::grantor::Grantor;
use checkout_core::access::operator::ROOT;
use checkout_core::access::permission::Permission;
use checkout_core::api::administration::Limits;
use checkout_core::api::{
    approval, attention, inquiry, key, merchant, operator, receiver, reconciliation, resend,
    settings_version, signature_key, test_clock, user, webhook_addresses,
};
use checkout_core::rejection::Rejection;
use checkout_core::settings::MerchantSettings;
use checkout_core::settings::brand::Brand;
use checkout_core::value::time::Timestamp;
use checkout_core::value::web_address::MAX_ADDRESS_CHARS;
use checkout_core::wire::field::Fields;
use checkout_core::wire::members::Members;
use checkout_core::wire::noted::record;

/// What is said of the calls, in addition to what [`PROSE`](crate::prose::PROSE) says of the others.
pub(crate) const ADMINISTRATION: &[Prose] = &[
    prose("add_operator", "Its key is shown only this once.", NONE, NONE),
    prose(
        "list_operators",
        "Those that were revoked too; never their keys. The holder of the token of the Worker is not in the list.",
        NONE,
        NONE,
    ),
    prose("revoke_operator", "At once, and it cannot be taken back.", NONE, NONE),
    prose("read_audit", "The newest first, a page at a time. Reading is not recorded.", NONE, NONE),
    prose(
        "pause_merchant",
        "The same as `is_paused` in the settings, for operators who may not change the rest of them.",
        &["conflict"],
        NONE,
    ),
    prose(
        "read_history",
        "The newest first, a page at a time. Numbers that are missing changed something else, such as the test clock.",
        NONE,
        NONE,
    ),
    prose("read_version", "Credentials are hidden.", NONE, NONE),
    prose("compare_versions", "With the current one, unless `with` names another.", NONE, NONE),
    prose(
        "restore_version",
        "Makes a new version with the earlier document, and the credentials that were in it, if the document is still right.",
        &["conflict"],
        NONE,
    ),
    prose("add_webhook_secret", NEW_SECRET, &["conflict"], NONE),
    prose("drop_webhook_secret", OLD_SECRET, &["conflict"], NONE),
    prose("add_own_webhook_secret", NEW_SECRET, &["conflict"], NONE),
    prose("drop_own_webhook_secret", OLD_SECRET, &["conflict", "not_found"], NONE),
    prose("replace_signature_key", NEW_KEY, &["conflict"], NONE),
    prose("replace_own_signature_key", NEW_KEY, &["conflict"], NONE),
    prose(
        "list_roles",
        "The permissions that each fills in at this merchant. No role has a limit of an amount: the policy of approvals has.",
        NONE,
        NONE,
    ),
    prose(
        "invite_own_user",
        "By e-mail, with a link that works once within 24 hours, to choose a password at the desk. It takes the place of one before.",
        &["invalid_fields"],
        NONE,
    ),
    prose(
        "reset_own_factor",
        "With its recovery codes; sessions at the desk end, and the user is written to. Nobody removes their own.",
        NONE,
        NONE,
    ),
    prose("read_own_webhook_addresses", "What has no address is null.", NONE, NONE),
    prose(
        "change_own_webhook_addresses",
        "What is left out stays; `null` takes an address away. A plugin that is not installed is refused. `alert_emails` and `alert_topics` say to whom alerts go by e-mail, and about what.",
        &["conflict"],
        NONE,
    ),
    prose("read_deliveries", LOG, NONE, NONE),
    prose("read_own_deliveries", LOG, NONE, NONE),
    prose("read_own_messages", MESSAGES, NONE, NONE),
    prose("read_delivery", TRIES, NONE, NONE),
    prose("read_own_delivery", TRIES, NONE, NONE),
    prose("resend_deliveries", RESENT, &["invalid_fields", "not_found"], NONE),
    prose("list_transactions_of", "As the merchant lists them.", &["invalid_fields", "not_found"], NONE),
    prose("list_merchants", "In the order of their ids, a page at a time.", NONE, NONE),
    prose(
        "find_transaction",
        "By its session id, or by the reference number of an attempt, capture, refund or void, such as the one on a receipt. The audit records who looked for it.",
        &["invalid_fields", "not_found"],
        NONE,
    ),
    prose("retrieve_of", "As the merchant retrieves it.", &["not_found"], NONE),
    prose(
        "notify_of",
        "The merchant's receiver gets what is known, also if it got the same before. No gateway is asked.",
        &["not_inquirable", "not_found", "conflict"],
        NONE,
    ),
    prose(
        "inquire_of",
        "As the merchant inquires. The merchant's receiver, or `webhook_url`, gets the answer also if nothing new was learned.",
        &["not_inquirable", "not_found", "conflict"],
        NONE,
    ),
    prose("resend_own_deliveries", RESENT, &["not_found"], NONE),
    prose("list_receivers", RECEIVERS, &["not_found"], NONE),
    prose("list_own_receivers", RECEIVERS, &["not_found"], NONE),
    prose("enable_receiver", ENABLED, &["invalid_fields", "not_found"], NONE),
    prose("enable_own_receiver", ENABLED, &["not_found"], NONE),
    prose("send_test_webhook", TESTED, &["invalid_fields", "not_found"], NONE),
    prose("send_own_test_webhook", TESTED, &["not_found"], NONE),
    prose("upload_image", UPLOAD, &["invalid_fields"], NONE),
    prose("upload_own_image", UPLOAD, &["invalid_fields"], NONE),
    prose("list_images", "The oldest first.", NONE, NONE),
    prose("list_own_images", "The oldest first.", NONE, NONE),
    prose("delete_image", DELETED_IMAGE, &["invalid_fields"], NONE),
    prose("delete_own_image", DELETED_IMAGE, &["invalid_fields"], NONE),
    prose("read_own_brand", "As it is in the settings.", NONE, NONE),
    prose(
        "replace_own_brand",
        "The whole of it: what is left out looks as the page does by itself.",
        &["conflict"],
        NONE,
    ),
    prose("preview_brand", PREVIEW, NONE, NONE),
    prose("preview_own_brand", PREVIEW, NONE, NONE),
    prose(
        "replace_apple_domain_file",
        "As Apple gave it; an empty body takes it away.",
        &["invalid_fields"],
        NONE,
    ),
    prose("read_own_audit", "The newest first, a page at a time. Operators are not named.", NONE, NONE),
];
const LOG: &str = "The newest first, a page at a time. Deliveries and their tries stay in the log for as long as their transactions.";
const MESSAGES: &str = "The newest first, a page at a time. The recipient is masked, and erased with the transaction's data. `sending`: its sender stopped before it \
     learned what became of it; `waiting`: it is sent again; `accepted`: the provider took it; `failed`: it was not sent, or came back; `complained`: the payer \
     reported it as unwanted; `unknown`: it may have been sent, and is not sent again.";
const TRIES: &str = "Every try with its time, its status or why there was none, its duration, and the beginning of the answer.";
const RESENT: &str = "One by `delivery_id`, whatever its state; or those in a `state` that were caused from `since` to `until`, the oldest first, at \
     most 500 a request. The same request again continues with what was not sent again since `until`. Ids and bodies stay as they are.";
const RECEIVERS: &str = "By address, at most 200. A receiver that failed for five days without a success is disabled, and so is an address that answered 410: \
     what is for it is held.";
const ENABLED: &str = "What was held for it is due at once.";
const TESTED: &str = "One signed sample with `is_test`, sent once; the answer shows what the receiver answered. Nothing is stored, and it is not tried again.";
const UPLOAD: &str = "The body is the file: a PNG or a WebP, whatever the request calls it. The same file again is the same image.";
const DELETED_IMAGE: &str = "One that the settings name is not deleted.";
const PREVIEW: &str = "With made-up data, and without a transaction.";
const NEW_SECRET: &str = "It is shown only this once, and signs at once. The one before it signs too for 24 hours: `webhook-signature` has both signatures.";
const NEW_KEY: &str = "It is shown only this once, and signs from `begins_at` on, 24 hours later: until then the receiver is prepared to accept either. With `at_once` it signs from now on, for a key that someone else knows.";
const OLD_SECRET: &str = "It signs no more. Without the call it ends by itself.";

/// When the bodies are read.
const NOW: Timestamp = Timestamp::from_millis(0);
const LIMITS: Limits = Limits { now: NOW, end: None };

/// A body that has every member of all these readers.
const ALL: &str = r#"{
    "action": "dismiss", "address": "x", "advance": "x", "alert_emails": [], "alert_topics": [], "alerts": "x", "at_once": true, "delivery_id": "x", "e_commerce": "x", "email": "x",
    "expires_at": "x", "first_name": "x", "from": "x", "hash": "x", "is_active": true, "is_paused": true, "is_superuser": true, "kind": "private",
    "last_name": "x", "merchant_id": "x", "name": "x", "note": "x", "operations": "x", "password": "x", "payment_request": "x", "permissions": [],
    "pg_code": "x", "phone": "x", "role": "admin", "settings": {}, "to": "x", "username": "someone", "version": 1, "webhook_url": "https://shop.example.com/"
}"#;
/// A body that names no delivery, but those of a period.
const PERIOD: &str = r#"{ "receiver": "x", "since": "x", "state": "x", "until": "x" }"#;

/// A body that moves a clock by a period.
const STEP: &str = r#"{ "advance": "1 00:00:00" }"#;

/// What is said of the members of a body.
type Texts = &'static [(&'static str, &'static str)];

const OF_KEY: Texts = &[
    ("kind", "What the key may be used for."),
    ("name", "What the operator calls it."),
    ("expires_at", "From when it is no longer valid."),
    ("permissions", "What it may do; without them everything that a key of its kind may do."),
];
const OF_USER: Texts = &[
    ("username", "The name with which the user signs in."),
    ("password", "The password, at most 256 bytes."),
    ("first_name", "The first name."),
    ("last_name", "The last name."),
    ("email", "The e-mail address."),
    ("phone", "The telephone number."),
    (
        "role",
        "A role, which fills `is_superuser` and `permissions` in; more `permissions` next to it are added.",
    ),
    ("is_superuser", "Whether the user may do everything that users can be permitted."),
    ("permissions", "What the user may do."),
    ("is_active", "Whether the user may sign in."),
];
const OF_CLOCK: Texts = &[
    ("advance", "How far it is moved: a period such as `1 00:00:00`. Either this or `to`."),
    ("to", "What it is to show."),
];
const OF_OPERATOR: Texts = &[
    ("name", "What people call it; several may have the same name."),
    ("role", "What it may do; each role may do what those before may."),
    ("expires_at", "From when the key is no longer valid."),
];
const OF_RESEND: Texts = &[
    ("delivery_id", "One delivery; without any other member."),
    ("receiver", "Only to this receiver: an address, whose scheme and host count."),
    ("since", "The beginning of the period; required without `delivery_id`."),
    ("state", "The state; required without `delivery_id`."),
    ("until", "The end of the period, not in the future; required without `delivery_id`."),
];
const OF_ADDRESSES: Texts = &[
    ("alert_emails", "The e-mail addresses to which alerts go."),
    ("alert_topics", "About what alerts are; everything if it is empty."),
    ("alerts", AN_ADDRESS),
    ("e_commerce", AN_ADDRESS),
    ("operations", AN_ADDRESS),
    ("payment_request", AN_ADDRESS),
];
const AN_ADDRESS: &str = "The https address of a receiver.";
const A_DOCUMENT: &str = "A settings document, as `docs/operating/settings.md` describes it.";

/// Says of each type how it reads a body, as an expression of that `body`, and what its members are.
macro_rules! reads {
    ($($kind:ty: $texts:expr, |$line:tt, $context:tt, $body:ident| $read:expr;)*) => {
        $(
            impl Read for $kind {
                const EVERY: &'static [&'static str] = &[ALL, PERIOD, STEP];

                fn read($line: &Line, $context: &Context<'_>, $body: &[u8]) -> Result<(), Rejection> {
                    $read.map(drop)
                }

                fn schema(line: &Line, context: &Context<'_>) -> Value {
                    read_by($texts, &|| {
                        for body in Self::EVERY {
                            drop(<Self as Read>::read(line, context, body.as_bytes()));
                        }
                    })
                }
            }
        )*
    };
}

reads! {
    merchant::MerchantRequest: &[("merchant_id", "The id of the new merchant."), ("settings", A_DOCUMENT)], |_, context, body| {
        Members::read(body).and_then(|all| merchant::MerchantRequest::read(&all, context.installation))
    };
    merchant::PauseRequest: &[("is_paused", "Whether no payment of the merchant may begin for now.")], |_, _, body| {
        merchant::PauseRequest::read(body)
    };
    key::KeyRequest: OF_KEY, |_, _, body| key::KeyRequest::read(body, Grantor::Operator(&ROOT), LIMITS);
    user::UserRequest: OF_USER, |line, _, body| Members::read(body).and_then(|members| {
        let (mut fields, grantor) = (Fields::default(), Grantor::Operator(&ROOT));
        match line.methods {
            ["PATCH"] => user::UserRequest::of_change(&mut fields, &members, grantor, &[], "x"),
            _ => user::UserRequest::of_new(&mut fields, &members, grantor, &[]),
        };
        found_by(fields)
    });
    test_clock::ClockRequest: OF_CLOCK, |_, _, body| test_clock::ClockRequest::read(body, NOW, Duration::ZERO);
    webhook_addresses::WebhookAddressesRequest: OF_ADDRESSES, |_, context, body| {
        let mut fields = Fields::default();
        webhook_addresses::WebhookAddressesRequest::read(&mut fields, body, context.installation)?;
        found_by(fields)
    };
    operator::OperatorRequest: OF_OPERATOR, |_, _, body| operator::OperatorRequest::read(body, LIMITS);
    signature_key::SignatureKeyRequest: &[("at_once", "Whether it signs from now on.")], |_, _, body| {
        signature_key::SignatureKeyRequest::read(body)
    };
    settings_version::VersionRequest: &[("version", "The version that is the current one, as it was read.")], |_, _, body| {
        Members::read(body).and_then(|all| settings_version::VersionRequest::read(&all))
    };
    reconciliation::ReconciliationRequest: &[("pg_code", "The gateway."), ("from", "From when on its list is compared.")], |_, context, body| {
        reconciliation::ReconciliationRequest::read(body, context.settings, NOW)
    };
    attention::AttentionRequest: &[("action", "How the entry is resolved.")], |_, _, body| attention::AttentionRequest::read(body);
    attention::ResolveRequest: &[("note", "What was done about it.")], |_, _, body| attention::ResolveRequest::read(body);
    approval::ApproveRequest: &[("hash", "The `hash` of the request as its approver saw it; another one is a conflict.")], |_, _, body| {
        approval::ApproveRequest::read(body)
    };
    inquiry::NotifyRequest: &[("webhook_url", "Where it goes instead of the address of the transaction.")], |_, context, body| {
        inquiry::NotifyRequest::parse(body, context.installation)
    };
    approval::RejectRequest: &[("note", "Why, for who asked.")], |_, _, body| approval::RejectRequest::read(body);
    resend::ResendRequest: OF_RESEND, |_, _, body| resend::ResendRequest::read(body, NOW);
    receiver::NamedReceiver: &[("address", "As the list of receivers shows it.")], |_, _, body| receiver::NamedReceiver::read(body);
    receiver::TestWebhook: &[("address", AN_ADDRESS), ("kind", "What the sample is.")], |_, context, body| {
        receiver::TestWebhook::read(body, context.installation)
    };
}

/// What a reader that adds to `fields` found wrong.
fn found_by(fields: Fields) -> Result<(), Rejection> {
    let found = fields.finish();
    if found.is_empty() { Ok(()) } else { Err(Rejection::Invalid(found)) }
}

impl Read for MerchantSettings {
    fn schema(_: &Line, _: &Context<'_>) -> Value {
        about(open_object(), A_DOCUMENT)
    }
}

impl Read for Brand {
    fn schema(_: &Line, _: &Context<'_>) -> Value {
        brand::schema()
    }
}

/// The schema of what a reader asks, with what is said of the members.
fn read_by(texts: Texts, read: &dyn Fn()) -> Value {
    let mut schema = schema::read(&record(read));
    for (name, text) in texts {
        let Some(property) = schema.pointer_mut(&format!("/properties/{name}")) else { continue };
        schema::put(property, "description", Some((*text).into()));
        if *name == "permissions" {
            schema::put(property, "items", Some(permission()));
        }
        if *text == AN_ADDRESS {
            schema::complete(property, &json!({ "format": "uri", "maxLength": MAX_ADDRESS_CHARS }));
        }
    }
    schema
}

/// A permission.
fn permission() -> Value {
    let fixed: Vec<&str> = Permission::names().filter(|name| !name.contains('<')).collect();
    let named = json!({ "enum": fixed });
    let of_gateway = json!({ "type": "string", "pattern": "^Can use [A-Za-z0-9_-]+$" });
    json!({ "anyOf": [named, of_gateway] })
}
