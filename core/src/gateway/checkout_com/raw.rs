//! What is stored of an answer: only members that are known to contain nothing of the payer, no token and no card number.

use alloc::string::String;

use crate::gateway::text::is_in_the_clear;
use crate::wire::tree::Tree;

/// Members that are stored at every level but within `source`.
const MEMBERS: &[&str] = &[
    "3ds",
    "action_id",
    "actions",
    "amount",
    "approved",
    "auth_code",
    "authentication_response",
    "available_to_capture",
    "available_to_refund",
    "available_to_void",
    "balances",
    "currency",
    "data",
    "downgraded",
    "eci",
    "enrolled",
    "error_codes",
    "error_type",
    "expires_on",
    "flagged",
    "id",
    "payment_id",
    "payment_type",
    "processed_on",
    "reason_code",
    "recommendation_code",
    "reference",
    "request_id",
    "requested_on",
    "response_code",
    "response_summary",
    "risk",
    "score",
    "source",
    "status",
    "total_authorized",
    "total_captured",
    "total_refunded",
    "total_voided",
    "type",
    "version",
];
/// Members of `source` that are stored: its id pays.
const SOURCE: &[&str] = &[
    "avs_check",
    "card_category",
    "card_type",
    "cvv_check",
    "expiry_month",
    "expiry_year",
    "issuer_country",
    "last4",
    "scheme",
    "type",
];
/// The most bytes that are stored.
const MAX_BYTES: usize = 8_192;

/// The answer as JSON; `None` for what is not JSON, and for what is too long.
pub(super) fn of(body: &[u8]) -> Option<String> {
    let tree = Tree::parse(core::str::from_utf8(body).ok()?)?;
    Some(reduced(tree, MEMBERS).to_json()).filter(|text| text.len() <= MAX_BYTES)
}

fn reduced<'a>(tree: Tree<'a>, members: &[&str]) -> Tree<'a> {
    match tree {
        Tree::Object(found) => Tree::Object(
            found
                .into_iter()
                .filter(|(name, value)| {
                    let is_shown = value.text().is_none_or(|text| is_clean(name, text));
                    members.contains(&name.as_ref()) && is_shown
                })
                .map(|(name, value)| {
                    let within = if name == "source" { SOURCE } else { members };
                    (name, reduced(value, within))
                })
                .collect(),
        ),
        Tree::List(items) => Tree::List(items.into_iter().map(|item| reduced(item, members)).collect()),
        value @ (Tree::Text(_) | Tree::Other(_) | Tree::Hidden(..)) => value,
    }
}

/// Whether a text can be no card number: ids and dates may have as many digits as one.
fn is_clean(name: &str, text: &str) -> bool {
    let is_moment = name.ends_with("_on");
    let is_id = name == "id" || name.ends_with("_id") || name == "reference";
    is_moment || is_id || !is_in_the_clear(text)
}
