//! What is stored of an answer, and which texts of it are shown: only members that are known to be harmless, no secret,
//! no token, no card number and nothing about the payer.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::gateway::text::line;
use crate::wire::tree::Tree;

/// The members that are stored, at every level. All others are left out.
const MEMBERS: &[&str] = &[
    "advice_code",
    "amount",
    "amount_capturable",
    "amount_captured",
    "amount_received",
    "amount_refunded",
    "amount_total",
    "authentication_flow",
    "authorization_code",
    "brand",
    "cancellation_reason",
    "capture",
    "capture_method",
    "captured",
    "card",
    "charge",
    "checks",
    "client_reference_id",
    "code",
    "country",
    "created",
    "currency",
    "cvc_check",
    "decline_code",
    "disputed",
    "error",
    "exp_month",
    "exp_year",
    "expires_at",
    "failure_code",
    "failure_message",
    "failure_reason",
    "funding",
    "id",
    "last4",
    "last_payment_error",
    "last_setup_error",
    "latest_charge",
    "livemode",
    "message",
    "metadata",
    "mode",
    "network",
    "network_advice_code",
    "network_decline_code",
    "network_status",
    "object",
    "outcome",
    "paid",
    "page",
    "param",
    "payment_intent",
    "payment_method_details",
    "payment_status",
    "pending_reason",
    "reason",
    "refund",
    "refunded",
    "result",
    "result_reason",
    "risk_level",
    "seller_message",
    "setup_intent",
    "status",
    "three_d_secure",
    "type",
    "void",
    "wallet",
];

/// How ids and keys begin with which something can be charged or read.
const SECRETS: &[&str] =
    &["card_", "cus_", "ek_", "pk_", "pm_", "rk_", "seti_", "sk_", "src_", "tok_", "whsec_"];
/// The fewest and the most digits of a card number.
const NUMBER: core::ops::RangeInclusive<usize> = 12..=19;

/// The answer as JSON; `None` for what is not JSON.
pub(super) fn raw_of(body: &[u8]) -> Option<String> {
    let text = core::str::from_utf8(body).ok()?;
    Some(harmless(Tree::parse_only(text, &|name| MEMBERS.contains(&name))?).to_json())
}

/// A value whose texts may be stored. A tree has a limited number of levels.
fn harmless(tree: Tree<'_>) -> Tree<'_> {
    match tree {
        Tree::Text(text) if is_harmless(&text) => Tree::Text(text),
        Tree::Text(text) => Tree::Text(Cow::Owned(clean(&text))),
        Tree::Object(members) => {
            Tree::Object(members.into_iter().map(|(name, value)| (name, harmless(value))).collect())
        }
        Tree::List(items) => Tree::List(items.into_iter().map(harmless).collect()),
        value @ (Tree::Other(_) | Tree::Hidden(..)) => value,
    }
}

/// A text of Stripe as one line that may be stored and shown.
pub(super) fn shown(text: &str) -> Option<String> {
    line(&clean(text))
}

/// Whether a text cannot contain anything that is hidden: keys and tokens have an underscore, addresses an at sign, and
/// numbers of cards many digits.
fn is_harmless(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits < *NUMBER.start() && !text.contains(['_', '@'])
}

/// A text without keys, tokens, addresses of e-mail and numbers of cards.
fn clean(text: &str) -> String {
    let words: Vec<&str> =
        text.split(' ').map(|word| if is_private(word) { "[hidden]" } else { word }).collect();
    without_numbers(&words.join(" "))
}

fn is_private(word: &str) -> bool {
    let mut parts = word.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    word.contains('@')
        || word.contains("_secret_")
        || parts
            .any(|part| SECRETS.iter().any(|secret| part.len() > secret.len() && part.starts_with(secret)))
}

/// A text in which every run of as many digits as a card number has is hidden, also if spaces or hyphens divide it.
fn without_numbers(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut run = String::new();
    for letter in text.chars().chain(['\n']) {
        let divides = matches!(letter, ' ' | '-') && run.ends_with(|last: char| last.is_ascii_digit());
        if letter.is_ascii_digit() || divides {
            run.push(letter);
            continue;
        }
        let digits = run.bytes().filter(u8::is_ascii_digit).count();
        shown.push_str(if NUMBER.contains(&digits) { "[hidden]" } else { &run });
        run.clear();
        shown.push(letter);
    }
    shown.trim_end_matches('\n').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shown_without_what_is_private() {
        for (text, expected) in [
            ("Your card was declined.", "Your card was declined."),
            ("No such payment_method: 'pm_1Abc'; try again", "No such payment_method: [hidden] try again"),
            ("Invalid API Key provided: sk_test_****1234", "Invalid API Key provided: [hidden]"),
            ("Invalid email: noura@example.com", "Invalid email: [hidden]"),
            ("number 4242 4242-4242 4242.", "number [hidden]."),
            ("created 1790000000 pi_1", "created 1790000000 pi_1"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_harmless_stays_as_it_is() {
        for text in ["Your card was declined.", "created 1790000000", "4242", "12345678901"] {
            assert!(is_harmless(text) && clean(text) == text, "{text}");
        }
        assert!(SECRETS.iter().all(|secret| !is_harmless(secret)));
    }

    #[test]
    fn only_known_members_are_stored() {
        let body = br#"{"id":"pi_1","client_secret":"pi_1_secret_x","customer":"cus_1","card":{"last4":"4242","name":"N"}}"#;
        assert_eq!(raw_of(body).as_deref(), Some(r#"{"card":{"last4":"4242"},"id":"pi_1"}"#));
        assert_eq!(raw_of(b"<html>"), None);
    }
}
