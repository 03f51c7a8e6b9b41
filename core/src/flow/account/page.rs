//! The pages of a merchant's lists of what was sent, the newest first.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::port::LogPage;
use crate::value::id::{DeliveryId, MerchantId, SessionId};
use crate::value::time::Timestamp;
use crate::violation::Rule;
use crate::wire::query::{MAX_LIMIT, Parameters};

/// The longest cursor.
pub const MAX_CURSOR: usize = 240;
/// The longest order number.
pub const MAX_ORDER_NO: usize = 128;

/// Reads what every list is asked for: whose, about what, of which period, and which page.
pub(super) fn read(given: &mut Parameters<'_>, list: &str, merchant: &MerchantId) -> LogPage {
    let page = LogPage {
        merchant: merchant.clone(),
        after: given.read("cursor", Rule::NotCursor, |text| from_cursor(list, text, merchant)),
        limit: given.limit(MAX_LIMIT),
        session_id: given.read("session_id", Rule::NotSessionId, SessionId::parse),
        order_no: given.line("order_no", MAX_ORDER_NO),
        since: given.read("since", Rule::NotDateTime, Timestamp::parse),
        until: given.read("until", Rule::NotDateTime, Timestamp::parse),
    };
    if page.since.zip(page.until).is_some_and(|(since, until)| until < since) {
        given.found.add("until", Rule::Before("since"));
    }
    page
}

/// The page with one row more than it shows, which says whether another page follows.
pub(super) fn with_one_more(page: &LogPage) -> LogPage {
    LogPage { limit: page.limit.saturating_add(1), ..page.clone() }
}

/// Takes the one row more away, and answers where the next page begins, if there is one.
pub(super) fn next<T>(
    list: &str,
    page: &LogPage,
    rows: &mut Vec<T>,
    place: impl Fn(&T) -> (Timestamp, &DeliveryId),
) -> Option<String> {
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let (at, id) = place(rows.last().filter(|_| has_more)?);
    Some(cursor(list, &page.merchant, at, id))
}

/// Where the page after a row begins, in one list of one merchant.
fn cursor(list: &str, merchant: &MerchantId, at: Timestamp, id: &DeliveryId) -> String {
    URL_SAFE_NO_PAD.encode(format!("{list}.{merchant}.{}.{}", at.millis(), id.as_str()))
}

/// Reads exactly what [`cursor`] makes for the same list and merchant.
fn from_cursor(list: &str, text: &str, merchant: &MerchantId) -> Option<(Timestamp, DeliveryId)> {
    if text.len() > MAX_CURSOR {
        return None;
    }
    let plain = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let (_, rest) = plain.strip_prefix(list)?.strip_prefix('.')?.split_once('.')?;
    let (millis, id) = rest.split_once('.')?;
    let (at, id) = (Timestamp::from_millis(millis.parse().ok()?), DeliveryId::parse(id)?);
    (cursor(list, merchant, at, &id) == text).then_some((at, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_back_by_its_merchant_only() {
        let [mine, theirs] = ["m".repeat(40), "other".into()].map(|id| MerchantId::parse(&id).unwrap());
        let id = DeliveryId::new(&SessionId::generate(0, [7; 19]), i64::MAX);
        for millis in [0, -5, i64::MAX] {
            let at = Timestamp::from_millis(millis);
            let text = cursor("d1", &mine, at, &id);
            assert!(text.len() <= MAX_CURSOR, "{}", text.len());
            assert_eq!(from_cursor("d1", &text, &mine), Some((at, id.clone())));
            assert_eq!(from_cursor("d1", &text, &theirs), None);
            assert_eq!(from_cursor("m1", &text, &mine), None, "that of another list");
            assert_eq!(from_cursor("d1", &format!("{text}A"), &mine), None);
        }
        assert_eq!(from_cursor("d1", "nonsense", &mine), None);
    }
}
