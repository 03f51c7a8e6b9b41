//! The attention list of a merchant: what a person should look at, and what was noted when it was dealt with.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use crate::access::{Caller, Codes, Particular};
use crate::answer::attention::{AttentionClosed, AttentionPage, MerchantAttention};
use crate::api::attention::ResolveRequest;
use crate::flow::Failure;
use crate::flow::find::attention::check_dismissal;
use crate::port::{AttentionLists, AttentionSearch, Clock, Closing, Store, World};
use crate::record::attention::{Attention, AttentionId, AttentionState, ListedAttention};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::route::query::ATTENTION;
use crate::value::id::MerchantId;
use crate::value::time::Timestamp;
use crate::violation::Rule;
use crate::wire::query::{MAX_LIMIT, Parameters};

/// How cursors of this list begin.
const PAGE: &str = "n1";
/// The longest cursor.
pub const MAX_CURSOR: usize = 400;
/// How a merchant's entry is closed.
const DISMISS: &str = "dismiss";

/// Lists the entries of a merchant, the newest first: those that are open, without another state in the query. What only
/// those who operate the installation can do something about is left out.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong parameter, or a failure of the world.
pub async fn list_own_attention(
    world: &impl World,
    caller: &Caller,
    query: &str,
) -> Result<AttentionPage, Failure> {
    let search = read_search(caller.merchant(), query)?;
    let (found, next) = load_page(world, &search).await?;
    Ok(AttentionPage { next, results: found.into_iter().map(MerchantAttention::from).collect() })
}

/// The entries of a page, and the cursor of the one that follows.
///
/// # Errors
/// If the store fails.
pub(in crate::flow) async fn load_page(
    world: &impl World,
    search: &AttentionSearch,
) -> Result<(Vec<ListedAttention>, Option<String>), Failure> {
    let wanted = AttentionSearch { limit: search.limit.saturating_add(1), ..search.clone() };
    let mut found = world.ledger(&wanted).find_attention(&wanted).await?;
    let limit = usize::try_from(search.limit).unwrap_or(usize::MAX);
    let has_more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| has_more).map(|last| &last.entry);
    let next = last.map(|last: &Attention| cursor(&search.merchant, last.at, &last.id()));
    Ok((found, next))
}

/// Reads the query of a list.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong parameter.
pub(in crate::flow) fn read_search(merchant: &MerchantId, query: &str) -> Result<AttentionSearch, Rejection> {
    let mut given = Parameters::of(query, ATTENTION);
    let state = given.read("state", Rule::OneOf(AttentionState::WORDS), AttentionState::parse);
    let search = AttentionSearch {
        merchant: merchant.clone(),
        after: given.read("cursor", Rule::NotCursor, |text| from_cursor(text, merchant)),
        limit: given.limit(MAX_LIMIT),
        state: state.unwrap_or(AttentionState::Open),
    };
    given.finish()?;
    Ok(search)
}

fn cursor(merchant: &MerchantId, at: Timestamp, id: &AttentionId) -> String {
    URL_SAFE_NO_PAD.encode(format!("{PAGE}.{merchant}.{}.{id}", at.millis()))
}

/// Reads exactly what [`cursor`] makes for the same merchant.
fn from_cursor(text: &str, merchant: &MerchantId) -> Option<(Timestamp, AttentionId)> {
    if text.len() > MAX_CURSOR {
        return None;
    }
    let plain = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let mut parts = plain.splitn(4, '.').skip(2);
    let (millis, id) = (parts.next()?, parts.next()?);
    let (at, id) = (Timestamp::from_millis(millis.parse().ok()?), AttentionId::parse(id)?);
    (cursor(merchant, at, &id) == text).then_some((at, id))
}

/// What is recorded of a resolution. What was noted is not: it may name the payer, and is erased with them.
#[derive(Serialize)]
struct RecordedDismissal {
    action: &'static str,
}

/// Resolves an entry of the caller's merchant that was dealt with, with a note:
///
/// 1. read the note;
/// 2. find the entry; another merchant's, or one that only operators can do something about, is answered like one that does
///    not exist; the caller may change payments of its plugin;
/// 3. an entry that was resolved stays so, and one about an attempt or operation that waits for a decision stays open;
/// 4. close it, with the entry of the audit.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn resolve_own_attention(
    world: &impl World,
    caller: &Caller,
    id: &AttentionId,
    body: &[u8],
) -> Result<AttentionClosed, Failure> {
    // 1
    let ResolveRequest { note } = ResolveRequest::read(body)?;
    // 2
    let found = world.ledger(id).flagged(id).await?;
    let own = found.filter(|found| found.merchant == *caller.merchant() && !id.reason.is_of_operators());
    let flagged = own.ok_or(Rejection::NotFound)?;
    if let Some(session_id) = &flagged.session_id
        && let Some(record) = world.ledger(session_id).load(session_id).await?
    {
        caller.may(Particular::Update(record.transaction.plugin, Codes::untouched(&[])))?;
    }
    // 3
    if !flagged.is_open {
        return Err(Rejection::AlreadyResolved.into());
    }
    check_dismissal(world, id).await?;
    // 4
    let at = world.clock().now();
    let entry = Entry::of(caller.actor(), "resolve_own_attention", at)
        .about(caller.merchant())
        .on(id)
        .to(&RecordedDismissal { action: DISMISS });
    let closing = Closing { how: DISMISS, note: Some(&note), at, entry: Some(&entry) };
    if !world.ledger(id).close_attention(id, closing).await? {
        return Err(Rejection::AlreadyResolved.into());
    }
    Ok(AttentionClosed { id: id.to_string(), state: AttentionState::Resolved })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_back_by_its_merchant_only() {
        let [mine, theirs] = ["m".repeat(40), "other".into()].map(|id| MerchantId::parse(&id).unwrap());
        let id = AttentionId::parse(&format!("{}.second_success", "R".repeat(128))).unwrap();
        for millis in [0, -5, i64::MAX] {
            let at = Timestamp::from_millis(millis);
            let text = cursor(&mine, at, &id);
            assert!(text.len() <= MAX_CURSOR, "{}", text.len());
            assert_eq!(from_cursor(&text, &mine), Some((at, id.clone())));
            assert_eq!(from_cursor(&text, &theirs), None);
            assert_eq!(from_cursor(&format!("{text}A"), &mine), None);
        }
        assert_eq!(from_cursor("nonsense", &mine), None);
    }
}
