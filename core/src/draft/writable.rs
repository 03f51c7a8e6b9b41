//! The fields that a merchant writes, as it could send them again: the basis of a partial update, and what an
//! `ETag` covers (RFC 9110).

use alloc::string::String;
use core::hash::Hasher;

use serde::ser::{Serialize, SerializeMap, Serializer};
use siphasher::sip128::{Hasher128, SipHasher13};

use crate::state::State;
use crate::transaction::fields::transaction_fields;
use crate::transaction::stored::StoredField;
use crate::transaction::{Details, Transaction};
use crate::value::json::{self, Unwritten};
use crate::value::time::period::print_period;

/// The details that are written otherwise than they are stored, or not by the merchant.
const NOT_AS_STORED: [&str; 5] =
    ["attachment", "due_datetime", "initiator", "is_amount_editable", "withholds_cards"];

struct Writable<'a>(&'a Transaction);

impl Serialize for Writable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let transaction = self.0;
        let details = &transaction.details;
        let period = transaction.expires_at.since(transaction.created_at);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", transaction.plugin.as_str())?;
        map.serialize_entry("amount", &transaction.amount.text())?;
        map.serialize_entry("currency_code", transaction.amount.currency().code())?;
        map.serialize_entry("pg_codes", &transaction.pg_codes)?;
        map.serialize_entry("expiration_time", &print_period(period))?;
        if let Some(due) = details.due_datetime {
            map.serialize_entry("due_datetime", &due.text())?;
        }
        // A file is named by its address, as a response shows it.
        if let Some(file) = &details.attachment {
            map.serialize_entry("attachment", &file.name.file_url())?;
        }
        put_details(&mut map, details)?;
        map.end()
    }
}

macro_rules! declare_details {
    ($($(#[$about:meta])* $name:ident: $type:ty;)*) => {
        /// Puts the details that are written as they are stored.
        fn put_details<M: SerializeMap>(map: &mut M, details: &Details) -> Result<(), M::Error> {
            $(put(map, stringify!($name), &details.$name)?;)*
            Ok(())
        }
    };
}
transaction_fields!(stored => declare_details);

fn put<M: SerializeMap>(
    map: &mut M,
    name: &'static str,
    value: &(impl StoredField + Serialize),
) -> Result<(), M::Error> {
    if value.is_absent() || NOT_AS_STORED.contains(&name) {
        return Ok(());
    }
    map.serialize_entry(name, value)
}

/// The JSON text of the fields of a transaction that a merchant writes.
///
/// # Errors
/// If it could not be written.
pub fn writable(transaction: &Transaction) -> Result<String, Unwritten> {
    json::write(&Writable(transaction))
}

/// The entity tag of a transaction that shows `state`, in its quotes: two hashes separated by a hyphen. The
/// first changes with every change of a field that a merchant writes; the second with everything else that
/// changes what is shown: every event of the transaction, the end of its time, and the merchant's settings.
///
/// Nobody gains by two versions with one tag but who wrote both, so that a fast hash of the usual length is enough.
pub(crate) fn entity_tag(
    transaction: &Transaction,
    state: State,
    settings_version: i64,
) -> Result<String, Unwritten> {
    let Transaction { version, plugin, amount, pg_codes, created_at, expires_at, details, .. } = transaction;
    let mut fields = SipHasher13::new();
    for code in pg_codes {
        fields.write(code.as_str().as_bytes());
        fields.write(b" ");
    }
    for word in [plugin.as_str(), amount.currency().code(), &details.to_text()?] {
        fields.write(word.as_bytes());
        fields.write(b" ");
    }
    fields.write(&amount.minor().to_le_bytes());
    fields.write(&expires_at.since(*created_at).as_millis().to_le_bytes());
    let mut shown = SipHasher13::new();
    shown.write(state.as_str().as_bytes());
    for number in [*version, settings_version] {
        shown.write(&number.to_le_bytes());
    }
    let (fields, shown) = (fields.finish128().as_bytes(), shown.finish().to_le_bytes());
    Ok(["\"", &hex::encode(fields), "-", &hex::encode(shown), "\""].concat())
}

/// Whether the header `If-Match` permits a change of the transaction that has `tag`: it is `*`, or names a
/// tag of the same fields. If the payer moved the payment in the meantime, that is no conflict with what a
/// merchant writes. Decision: a weak tag matches like a strong one, because what compresses an answer on its way makes its tag
/// weak, and a tag covers fields, not bytes.
pub(crate) fn is_matched(if_match: &str, tag: &str) -> bool {
    let mut tags = if_match.split(',').map(str::trim);
    let wanted = fields_of(tag);
    if_match.trim() == "*" || tags.any(|named| wanted.is_some() && fields_of(named) == wanted)
}

/// The part of a tag that covers the fields.
fn fields_of(tag: &str) -> Option<&str> {
    let text = strong(tag).strip_prefix('"')?.strip_suffix('"')?;
    text.split('-').next()
}

/// A tag without the mark of a weak one.
fn strong(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

/// Whether the header `If-None-Match` names exactly `tag`, or is `*`: the sender knows what is shown.
#[must_use]
pub fn is_known(if_none_match: &str, tag: &str) -> bool {
    let mut tags = if_none_match.split(',').map(str::trim);
    if_none_match.trim() == "*" || tags.any(|named| strong(named) == tag)
}

#[cfg(test)]
mod tests {
    use super::{is_known, is_matched};

    #[test]
    fn a_tag_in_the_list_matches_strong_or_weak() {
        assert!(is_matched("*", "\"a\""));
        assert!(is_matched("\"a\"", "\"a\""));
        assert!(is_matched("\"b\" , \"a\"", "\"a\""));
        assert!(is_matched("\"b\", W/\"a-2\"", "\"a-1\""));
        assert!(!is_matched("W/\"b\"", "\"a\""));
        assert!(!is_matched("a", "\"a\""));
        assert!(!is_matched("", "\"a\""));
        assert!(is_matched("\"a-2\"", "\"a-1\""), "the same fields");
        assert!(!is_matched("\"b-1\"", "\"a-1\""));
    }

    #[test]
    fn only_the_whole_tag_is_known_strong_or_weak() {
        assert!(is_known("*", "\"a-1\""));
        assert!(is_known("\"b\", W/\"a-1\"", "\"a-1\""));
        assert!(!is_known("\"a-2\"", "\"a-1\""));
        assert!(!is_known("\"a\"", "\"a-1\""));
        assert!(!is_known("", "\"a-1\""));
    }
}
