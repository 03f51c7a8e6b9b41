//! The fields that a merchant writes, as he could send them again: the ground on which a partial update is laid, and
//! what an `ETag` covers (RFC 9110).

use alloc::string::{String, ToString};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Details, Transaction};
use crate::id::PgCode;
use crate::time::period::print_period;

/// How many hex digits of a digest make a tag.
const TAG_DIGITS: usize = 32;

#[derive(Serialize)]
struct Writable<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    amount: String,
    currency_code: &'static str,
    pg_codes: &'a [PgCode],
    expiration_time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    due_datetime: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attachment: Option<String>,
    #[serde(flatten)]
    details: Details,
}

/// The JSON text of the fields of a transaction that a merchant writes.
#[must_use]
pub fn writable(transaction: &Transaction) -> String {
    let due = transaction.details.due_datetime;
    let writable = Writable {
        kind: transaction.plugin.as_str(),
        amount: transaction.amount.to_string(),
        currency_code: transaction.amount.currency().code(),
        pg_codes: &transaction.pg_codes,
        expiration_time: print_period(transaction.expires_at.since(transaction.created_at)),
        due_datetime: due.map(|due| due.to_string()),
        // A file is named by its address, as a response shows it.
        attachment: transaction.details.attachment.as_ref().map(|file| file.name.file_url()),
        details: Details {
            due_datetime: None,
            attachment: None,
            is_amount_editable: false,
            ..transaction.details.clone()
        },
    };
    // Texts, numbers and JSON that was checked always serialise.
    serde_json::to_string(&writable).unwrap_or_default()
}

/// The entity tag of a transaction, in its quotes: another one after every change of a field that a merchant writes.
#[must_use]
pub fn entity_tag(transaction: &Transaction) -> String {
    let digest = hex::encode(Sha256::digest(writable(transaction)));
    alloc::format!("\"{}\"", digest.get(..TAG_DIGITS).unwrap_or_default())
}

/// Whether the header `If-Match` lets a change of what has `tag` through: it is `*`, or names the tag. Weak tags
/// never match.
#[must_use]
pub fn is_matched(if_match: &str, tag: &str) -> bool {
    let mut tags = if_match.split(',').map(str::trim);
    if_match.trim() == "*" || tags.any(|named| named == tag)
}

#[cfg(test)]
mod tests {
    use super::is_matched;

    #[test]
    fn a_strong_tag_in_the_list_matches_and_a_weak_one_does_not() {
        assert!(is_matched("*", "\"a\""));
        assert!(is_matched("\"a\"", "\"a\""));
        assert!(is_matched("\"b\" , \"a\"", "\"a\""));
        assert!(!is_matched("W/\"a\"", "\"a\""));
        assert!(!is_matched("a", "\"a\""));
        assert!(!is_matched("", "\"a\""));
    }
}
