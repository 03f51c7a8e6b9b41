//! The bodies and queries of the calls by which the installation and the access to a merchant are administered, and what is
//! said of those calls.

use alloc::vec::Vec;

use serde_json::{Value, json};

use super::brand;
use super::codes::NONE;
use super::prose::{Prose, prose};
use super::schema::{about, flag, matching, moment, object, open_object, text, words};
use crate::access::key::KeyKind;
use crate::access::password::{MAX_BYTES, MIN_CHARS};
use crate::access::permission::Permission;
use crate::access::user::{MAX_EMAIL, MAX_NAME, MAX_PHONE, MAX_USERNAME};
use crate::checkout::sample::SCREEN_NAMES;
use crate::flow::account::delivery::RESENT_STATES;
use crate::flow::operator::attention::Resolution;
use crate::flow::operator::audit::MAX_LIMIT;
use crate::record::outbox::{DeliveryState, Kind};
use crate::value::id::{DeliveryId, MerchantId, PgCode, SessionId};
use crate::words::Language;
use crate::words::message::{Channel, MessageState};
use crate::words::role::Role;

/// What is said of the calls, in addition to what [`PROSE`](super::prose::PROSE) says of the others.
pub(super) const ADMINISTRATION: &[Prose] = &[
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
    prose("read_own_webhook_addresses", "What has no address is null.", NONE, NONE),
    prose(
        "change_own_webhook_addresses",
        "What is left out stays; `null` takes an address away. A plugin that is not installed is refused.",
        &["conflict"],
        NONE,
    ),
    prose("read_deliveries", LOG, NONE, NONE),
    prose("read_own_deliveries", LOG, NONE, NONE),
    prose("read_own_messages", MESSAGES, NONE, NONE),
    prose("read_delivery", TRIES, NONE, NONE),
    prose("read_own_delivery", TRIES, NONE, NONE),
    prose("resend_deliveries", RESENT, &["invalid_fields", "not_found"], NONE),
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
const UPLOAD: &str = "The body is the file: a PNG, a WebP or an SVG, whatever the request calls it. An SVG is written again from its shapes. \
     The same file again is the same image.";
const DELETED_IMAGE: &str = "One that the settings name is not deleted.";
const PREVIEW: &str = "With made-up data, and without a transaction.";
const NEW_SECRET: &str = "It is shown only this once, and signs at once. The one before it signs too for 24 hours: `webhook-signature` has both signatures.";
const NEW_KEY: &str = "It is shown only this once, and signs from `begins_at` on, 24 hours later: until then the receiver is prepared to accept either. With `at_once` it signs from now on, for a key that someone else knows.";
const OLD_SECRET: &str = "It signs no more. Without the call it ends by itself.";

/// The query parameters of a call.
pub(super) fn query(endpoint: &str) -> Vec<(&'static str, bool, Value)> {
    let limit = || {
        let schema = json!({ "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": MAX_LIMIT });
        ("limit", false, about(schema, "How many a page has."))
    };
    let before = || ("before", false, about(number(), "The `next` of the page before."));
    let actor = || {
        let schema = matching("^(operator|key|user):[0-9A-Za-z]{1,10}$");
        (
            "actor",
            false,
            about(schema, "Only by this one: `operator:` or `user:` with a number, `key:` with a prefix."),
        )
    };
    match endpoint {
        "read_audit" => {
            let merchant = about(matching(MerchantId::PATTERN), "Only about this merchant.");
            Vec::from([("merchant", false, merchant), actor(), before(), limit()])
        }
        "read_own_audit" => Vec::from([actor(), before(), limit()]),
        "read_deliveries" | "read_own_deliveries" => {
            let line = |max: u32| json!({ "type": "string", "maxLength": max });
            Vec::from([
                ("cursor", false, about(line(240), "The `next` of the page before.")),
                limit(),
                ("state", false, about(words(DeliveryState::WORDS), "Only deliveries in this state.")),
                ("kind", false, about(words(Kind::WORDS), "Only deliveries of this kind.")),
                (
                    "session_id",
                    false,
                    about(matching(SessionId::PATTERN), "Only deliveries about this transaction."),
                ),
                ("order_no", false, about(line(128), "Only about transactions with this order number.")),
                (
                    "receiver",
                    false,
                    about(line(2_000), "Only to this receiver: an address, whose scheme and host count."),
                ),
                ("since", false, about(moment(), "Only those that were caused at this moment or later.")),
                ("until", false, about(moment(), "Only those that were caused at this moment or earlier.")),
            ])
        }
        "read_own_messages" => of_messages(limit()),
        "read_history" => Vec::from([before(), limit()]),
        "compare_versions" => {
            Vec::from([("with", false, about(number(), "The version with which it is compared."))])
        }
        "preview_brand" | "preview_own_brand" => Vec::from([
            ("state", false, about(words(SCREEN_NAMES), "Which screen; `payable` if it is left out.")),
            ("language", false, about(words(Language::WORDS), "In which language; `en` if it is left out.")),
        ]),
        "replace_settings" => Vec::from([(
            "version",
            false,
            about(
                number(),
                "The version that is the current one, as it was read; another one is a conflict.",
            ),
        )]),
        _ => Vec::new(),
    }
}

/// A number that names something.
fn number() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": 2_147_483_647 })
}

/// The bodies of the operator's calls, which are read in their flows.
#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn body(endpoint: &str) -> Option<Value> {
    let settings = about(open_object(), "A settings document, as `docs/operating.md` describes it.");
    Some(match endpoint {
        "add_merchant" => object([
            ("merchant_id", about(matching(MerchantId::PATTERN), "The id of the new merchant.")),
            ("settings", settings),
        ]),
        "replace_settings" => settings,
        "replace_own_brand" => brand::schema(),
        "add_key" | "add_own_key" => object([
            ("kind", about(words(KeyKind::WORDS), "What the key may be used for.")),
            (
                "name?",
                about(
                    json!({ "type": "string", "maxLength": 64, "minLength": 1 }),
                    "What the operator calls it.",
                ),
            ),
            ("expires_at?", about(moment(), "From when it is no longer valid.")),
            (
                "permissions?",
                about(
                    permissions(),
                    "What it may do; without them everything that a key of its kind may do.",
                ),
            ),
        ]),
        "add_user" | "add_own_user" => user(false),
        "change_user" | "change_own_user" => user(true),
        "move_clock" => object([
            (
                "advance?",
                about(text(), "How far it is moved: a period such as `1 00:00:00`. Either this or `to`."),
            ),
            ("to?", about(moment(), "What it is to show.")),
        ]),
        "change_own_webhook_addresses" => {
            let receiver = || {
                let schema = json!({ "type": ["string", "null"], "format": "uri", "maxLength": 2000 });
                about(schema, "The https address of a receiver.")
            };
            object([
                ("alerts?", receiver()),
                ("e_commerce?", receiver()),
                ("operations?", receiver()),
                ("payment_request?", receiver()),
            ])
        }
        "add_operator" => object([
            (
                "name",
                about(
                    json!({ "type": "string", "maxLength": 64, "minLength": 1 }),
                    "What people call it; several may have the same name.",
                ),
            ),
            ("role", about(words(Role::WORDS), "What it may do; each role may do what those before may.")),
            ("expires_at?", about(moment(), "From when the key is no longer valid.")),
        ]),
        "replace_signature_key" | "replace_own_signature_key" => {
            object([("at_once?", about(flag(), "Whether it signs from now on."))])
        }
        "pause_merchant" => {
            object([("is_paused", about(flag(), "Whether no payment of the merchant may begin for now."))])
        }
        "restore_version" => {
            object([("version", about(number(), "The version that is the current one, as it was read."))])
        }
        "reconcile_again" => object([
            ("pg_code", about(matching(PgCode::PATTERN), "The gateway.")),
            ("from", about(moment(), "From when on its list is compared.")),
        ]),
        "resolve_attention" => {
            object([("action", about(words(Resolution::WORDS), "How the entry is resolved."))])
        }
        _ => return of_deliveries(endpoint),
    })
}

/// The query parameters of the list of messages.
fn of_messages(limit: (&'static str, bool, Value)) -> Vec<(&'static str, bool, Value)> {
    let line = |max: u32| json!({ "type": "string", "maxLength": max });
    Vec::from([
        ("cursor", false, about(line(240), "The `next` of the page before.")),
        limit,
        ("channel", false, about(words(Channel::WORDS), "Only messages by this channel.")),
        ("state", false, about(words(MessageState::WORDS), "Only messages in this state.")),
        ("session_id", false, about(matching(SessionId::PATTERN), "Only messages about this transaction.")),
        ("order_no", false, about(line(128), "Only about transactions with this order number.")),
        ("since", false, about(moment(), "Only those that were caused at this moment or later.")),
        ("until", false, about(moment(), "Only those that were caused at this moment or earlier.")),
    ])
}

/// The bodies of the calls about deliveries and receivers.
fn of_deliveries(endpoint: &str) -> Option<Value> {
    Some(match endpoint {
        "resend_deliveries" | "resend_own_deliveries" => object([
            ("delivery_id?", about(matching(DeliveryId::PATTERN), "One delivery; without any other member.")),
            (
                "receiver?",
                about(
                    json!({ "type": "string", "maxLength": 2_000 }),
                    "Only to this receiver: an address, whose scheme and host count.",
                ),
            ),
            ("since?", about(moment(), "The beginning of the period; required without `delivery_id`.")),
            ("state?", about(words(RESENT_STATES), "The state; required without `delivery_id`.")),
            (
                "until?",
                about(moment(), "The end of the period, not in the future; required without `delivery_id`."),
            ),
        ]),
        "enable_receiver" | "enable_own_receiver" => object([(
            "address",
            about(
                json!({ "type": "string", "minLength": 1, "maxLength": 2_000 }),
                "As the list of receivers shows it.",
            ),
        )]),
        "send_test_webhook" | "send_own_test_webhook" => object([
            (
                "address",
                about(
                    json!({ "type": "string", "format": "uri", "maxLength": 2_000 }),
                    "The https address of a receiver.",
                ),
            ),
            ("kind", about(words(Kind::WEBHOOKS), "What the sample is.")),
        ]),
        _ => return None,
    })
}

/// A list of permissions.
fn permissions() -> Value {
    let fixed: Vec<&str> = Permission::names().filter(|name| !name.contains('<')).collect();
    let named = json!({ "enum": fixed });
    let of_gateway = json!({ "type": "string", "pattern": "^Can use [A-Za-z0-9_-]+$" });
    json!({ "type": "array", "maxItems": 256, "items": { "anyOf": [named, of_gateway] } })
}

/// What a body says of a user.
fn user(is_known: bool) -> Value {
    let line =
        |max: usize, text: &'static str| about(json!({ "type": ["string", "null"], "maxLength": max }), text);
    let name = json!({ "type": "string", "minLength": 1, "maxLength": MAX_USERNAME });
    let password = json!({ "type": "string", "minLength": MIN_CHARS, "maxLength": MAX_BYTES });
    let mut members = alloc::vec![
        (
            if is_known { "username?" } else { "username" },
            about(name, "The name with which the user signs in.")
        ),
        ("password?", about(password, "The password, at most 256 bytes.")),
        ("first_name?", line(MAX_NAME, "The first name.")),
        ("last_name?", line(MAX_NAME, "The last name.")),
        ("email?", line(MAX_EMAIL, "The e-mail address.")),
        ("phone?", line(MAX_PHONE, "The telephone number.")),
        ("is_superuser?", about(flag(), "Whether the user may do everything that users can be permitted.")),
        ("permissions?", about(permissions(), "What the user may do.")),
    ];
    if is_known {
        members.push(("is_active?", about(flag(), "Whether the user may sign in.")));
    }
    object(members)
}
