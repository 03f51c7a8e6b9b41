//! What is stored of an answer: only members that are known to contain nothing of the payer, no token and no card number.

use alloc::string::String;

use crate::gateway::text::is_in_the_clear;
use crate::wire::tree::Tree;

/// The members that are stored, at every level. All others are left out.
const MEMBERS: &[&str] = &[
    "acquirer",
    "amount",
    "authorization_id",
    "brand",
    "card",
    "card_threeDSecure",
    "charge_id",
    "code",
    "created",
    "currency",
    "customer_initiated",
    "errors",
    "first_six",
    "gateway",
    "id",
    "last_four",
    "live_mode",
    "merchant",
    "message",
    "object",
    "order",
    "payment",
    "payment_method",
    "payment_type",
    "reference",
    "response",
    "save_card",
    "scheme",
    "security",
    "source",
    "status",
    "threeDSecure",
    "track",
    "transaction",
    "type",
];
/// The members whose numbers have as many digits as that of a card, and are none.
const NUMBERS: &[&str] =
    &["acquirer", "created", "gateway", "id", "order", "payment", "track", "transaction"];
/// How ids begin that are secrets or are about the payer.
const PRIVATE: &[&str] = &["card_", "cus_", "payment_agreement_", "sk_", "tok_"];
/// The most bytes that are stored.
const MAX_BYTES: usize = 8_192;

/// What is stored of a text that is one JSON object; `None` for another text.
pub(super) fn of(body: &[u8]) -> Option<String> {
    let tree = Tree::parse(core::str::from_utf8(body).ok()?)?;
    if !matches!(tree, Tree::Object(_)) {
        return None;
    }
    harmless("", tree).map(|tree| tree.to_json()).filter(|text| text.len() <= MAX_BYTES)
}

fn harmless<'a>(name: &str, tree: Tree<'a>) -> Option<Tree<'a>> {
    match tree {
        Tree::Text(text) => {
            let is_private = PRIVATE.iter().any(|prefix| text.starts_with(prefix));
            let is_number = is_in_the_clear(&text) && !NUMBERS.contains(&name);
            (!is_private && !is_number).then_some(Tree::Text(text))
        }
        Tree::Object(members) => {
            let known = members.into_iter().filter(|(name, _)| MEMBERS.contains(&name.as_ref()));
            let known = known.filter_map(|(name, value)| {
                let value = harmless(&name, value)?;
                Some((name, value))
            });
            Some(Tree::Object(known.collect()))
        }
        Tree::List(items) => {
            Some(Tree::List(items.into_iter().filter_map(|item| harmless(name, item)).collect()))
        }
        Tree::Other(raw) => Some(Tree::Other(raw)),
        Tree::Hidden(..) => None,
    }
}
