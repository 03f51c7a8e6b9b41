//! The queries of the calls by which the installation and the access to a merchant are administered.

use serde_json::{Value, json};

use crate::schema::{about, line, matching, moment, words};
use checkout_core::approval::stage::ApprovalState;
use checkout_core::checkout::sample::SCREEN_NAMES;
use checkout_core::flow::account::page::{MAX_CURSOR, MAX_ORDER_NO};
use checkout_core::flow::merchant::{approvals, attention};
use checkout_core::flow::operator::find::MAX_REFERENCE;
use checkout_core::record::attention::AttentionState;
use checkout_core::record::outbox::{DeliveryState, MessageKind};
use checkout_core::value::id::number::MAX;
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::value::web_address::MAX_ADDRESS_CHARS;
use checkout_core::wire::query::MAX_LIMIT;
use checkout_core::words::Language;
use checkout_core::words::message::{Channel, MessageState};

/// A query parameter: its name, whether it must be given, and its schema.
type QueryParameter = (&'static str, bool, Value);

/// The query parameters of a call.
pub(crate) fn query(endpoint: &str) -> Vec<QueryParameter> {
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
            let receiver = line(MAX_ADDRESS_CHARS);
            let own = [
                ("state", false, about(words(DeliveryState::WORDS), "Only deliveries in this state.")),
                ("kind", false, about(words(MessageKind::WORDS), "Only deliveries of this kind.")),
                (
                    "receiver",
                    false,
                    about(receiver, "Only to this receiver: an address, whose scheme and host count."),
                ),
            ];
            of_log("deliveries", limit(), own)
        }
        "list_approvals" => of_approvals(limit()),
        "list_own_attention" => of_attention(limit()),
        "read_own_messages" => {
            let own = [
                ("channel", false, about(words(Channel::WORDS), "Only messages by this channel.")),
                ("state", false, about(words(MessageState::WORDS), "Only messages in this state.")),
            ];
            of_log("messages", limit(), own)
        }
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
        _ => of_search(endpoint, limit()),
    }
}

/// The query parameters of the calls that look for merchants, for a payment, and for totals.
fn of_search(endpoint: &str, limit: QueryParameter) -> Vec<QueryParameter> {
    match endpoint {
        "list_merchants" => {
            let cursor = about(matching(MerchantId::PATTERN), "The `next` of the page before.");
            Vec::from([("cursor", false, cursor), limit])
        }
        "find_transaction" => Vec::from([
            ("session_id", false, about(matching(SessionId::PATTERN), "Its session id.")),
            (
                "reference",
                false,
                about(line(MAX_REFERENCE), "A reference number of it, if no session id is given."),
            ),
        ]),
        "read_totals" => Vec::from([
            ("from", false, about(day(), "The first day; the last one if it is left out.")),
            ("to", false, about(day(), "The last day; today at the merchant if it is left out.")),
        ]),
        _ => Vec::new(),
    }
}

/// The query parameters of the attention list of a merchant.
fn of_attention(limit: QueryParameter) -> Vec<QueryParameter> {
    Vec::from([
        ("cursor", false, about(line(attention::MAX_CURSOR), "The `next` of the page before.")),
        limit,
        (
            "state",
            false,
            about(words(AttentionState::WORDS), "Only entries in this state; open ones without it."),
        ),
    ])
}

/// The query parameters of the list of requests for approval.
fn of_approvals(limit: QueryParameter) -> Vec<QueryParameter> {
    let session = about(matching(SessionId::PATTERN), "Only requests about this transaction.");
    Vec::from([
        ("cursor", false, about(line(approvals::MAX_CURSOR), "The `next` of the page before.")),
        limit,
        ("state", false, about(words(ApprovalState::WORDS), "Only requests in this state.")),
        ("session_id", false, session),
    ])
}

/// A day of the calendar.
fn day() -> Value {
    json!({ "type": "string", "format": "date" })
}

/// A number that names something.
fn number() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": MAX })
}

/// The query parameters of a log of what was sent: those of both, and its own.
fn of_log<const N: usize>(
    what: &str,
    limit: QueryParameter,
    own: [QueryParameter; N],
) -> Vec<QueryParameter> {
    let session = format!("Only {what} about this transaction.");
    let mut found =
        Vec::from([("cursor", false, about(line(MAX_CURSOR), "The `next` of the page before.")), limit]);
    found.extend(own);
    found.extend([
        ("session_id", false, about(matching(SessionId::PATTERN), &session)),
        ("order_no", false, about(line(MAX_ORDER_NO), "Only about transactions with this order number.")),
        ("since", false, about(moment(), "Only those that were caused at this moment or later.")),
        ("until", false, about(moment(), "Only those that were caused at this moment or earlier.")),
    ]);
    found
}
