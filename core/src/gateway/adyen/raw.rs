//! What is stored of an answer or a webhook: only members that are known to contain nothing of the payer, no token and no
//! card number. Everything else is left out, whatever it is.

use alloc::collections::BTreeMap;
use alloc::string::String;

use serde_json::value::RawValue;

use crate::gateway::text::is_in_the_clear;
use crate::wire::tree::Tree;

/// Members whose value has a fixed form: ids, codes, words, dates and addresses of Adyen.
const PLAIN: &[&str] = &[
    "errorCode",
    "errorType",
    "eventCode",
    "eventDate",
    "expiresAt",
    "id",
    "merchantAccount",
    "merchantAccountCode",
    "merchantReference",
    "originalReference",
    "paymentPspReference",
    "pspReference",
    "reference",
    "refusalReasonCode",
    "resultCode",
    "status",
    "success",
];
/// Members that are words for people: left out if there may be a card number in them.
const WORDS: &[&str] = &["message", "reason", "refusalReason"];
/// Members of `additionalData` whose value says nothing about the payer.
const DETAILS: &[&str] = &[
    "acquirerCode",
    "authCode",
    "authorisedAmountCurrency",
    "authorisedAmountValue",
    "avsResult",
    "cardIssuingCountry",
    "cardPaymentMethod",
    "cvcResult",
    "eci",
    "fundingSource",
    "liabilityShift",
    "merchantAdviceCode",
    "modification.action",
    "networkTxReference",
    "paymentLinkId",
    "paymentMethod",
    "paymentMethodVariant",
    "refusalReasonRaw",
    "threeDAuthenticated",
    "threeDOffered",
    "tokenization.store.operationType",
];
/// The most bytes that are stored.
const MAX_BYTES: usize = 8_192;

/// What is stored of a text that is one JSON object; `None` for another text.
pub(super) fn of(body: &[u8]) -> Option<String> {
    let Tree::Object(members) = Tree::parse(core::str::from_utf8(body).ok()?)? else { return None };
    let stored: BTreeMap<_, _> = members
        .into_iter()
        .filter_map(|(name, value)| Some((name.clone(), reduced(&name, value)?)))
        .collect();
    Some(Tree::Object(stored).to_json()).filter(|text| text.len() <= MAX_BYTES)
}

fn reduced<'a>(name: &str, value: Tree<'a>) -> Option<Tree<'a>> {
    match (name, value) {
        ("amount", Tree::Object(members)) => {
            let members = members.into_iter().filter(|(name, value)| match name.as_ref() {
                "currency" => value.text().is_some_and(|text| text.len() == 3),
                "value" => matches!(value, Tree::Other(_)),
                _ => false,
            });
            Some(Tree::Object(members.collect()))
        }
        ("additionalData", Tree::Object(members)) => {
            let members = members.into_iter().filter(|(name, value)| {
                DETAILS.contains(&name.as_ref()) && value.text().is_some_and(|text| is_clean(name, text))
            });
            Some(Tree::Object(members.collect()))
        }
        (name, Tree::Text(text)) => {
            let is_known = PLAIN.contains(&name) || (WORDS.contains(&name) && !is_in_the_clear(&text));
            is_known.then_some(Tree::Text(text))
        }
        (name, Tree::Other(raw)) => PLAIN.contains(&name).then_some(Tree::Other(raw)),
        (_, Tree::Object(_) | Tree::List(_) | Tree::Hidden(..)) => None,
    }
}

/// Whether a detail can be no card number: the reference of a card network may have as many digits as one.
fn is_clean(name: &str, text: &str) -> bool {
    name == "networkTxReference" || !is_in_the_clear(text)
}

/// What is stored of an item of a webhook.
pub(super) fn of_item(item: &RawValue) -> Option<String> {
    of(item.get().as_bytes())
}
