//! The answer as it is stored: only members that are known to be harmless, so that nothing about the payer, no token and
//! no card number is in it, whatever the gateway adds.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::gateway::text::{is_in_the_clear, masked};
use crate::wire::tree::Tree;

/// The longest answer that is stored, in bytes.
const MAX_RAW: usize = 65_536;

/// The members that are stored, wherever they are.
const STORED: &[&str] = &[
    "acquirer",
    "acquirerCode",
    "acquirerMessage",
    "amount",
    "authentication",
    "authenticationStatus",
    "authorizationCode",
    "batch",
    "brand",
    "card",
    "cause",
    "creationTime",
    "currency",
    "error",
    "expiry",
    "field",
    "fundingMethod",
    "gatewayCode",
    "gatewayRecommendation",
    "id",
    "lastUpdatedTime",
    "merchant",
    "month",
    "number",
    "order",
    "provided",
    "receipt",
    "reference",
    "response",
    "result",
    "risk",
    "scheme",
    "source",
    "sourceOfFunds",
    "status",
    "storedOnFile",
    "supportCode",
    "targetTransactionId",
    "timeOfRecord",
    "totalAuthorizedAmount",
    "totalCapturedAmount",
    "totalRefundedAmount",
    "transaction",
    "type",
    "validationType",
    "version",
    "walletProvider",
    "year",
];

/// What is stored of an answer; `None` if it is no JSON, or too long.
pub(super) fn raw_of(body: &[u8]) -> Option<String> {
    let text = core::str::from_utf8(body).ok()?;
    let mut answer = Tree::parse(text)?;
    clean(&mut answer);
    let raw = answer.to_json();
    (raw.len() <= MAX_RAW).then_some(raw)
}

/// The levels of a tree are limited by its reader, so this ends.
fn clean(tree: &mut Tree<'_>) {
    if let Tree::Object(members) = tree {
        let names: Vec<String> = members.keys().map(|name| name.as_ref().into()).collect();
        for name in names {
            match members.get_mut(name.as_str()) {
                Some(member) if STORED.contains(&name.as_str()) => clean_member(&name, member),
                Some(_) | None => {
                    members.remove(name.as_str());
                }
            }
        }
    }
    for item in tree.items_mut() {
        clean(item);
    }
}

fn clean_member(name: &str, member: &mut Tree<'_>) {
    match (name, &mut *member) {
        // A number of a card or an account: as a text with digits that may show, or not at all.
        ("number", Tree::Text(text)) => *text = Cow::Owned(masked(text)),
        ("number", other) => *other = Tree::Text(Cow::Borrowed("")),
        ("acquirerMessage" | "field", Tree::Text(text)) if is_in_the_clear(text) => *text = Cow::Borrowed(""),
        _ => clean(member),
    }
}
