//! The pages of a merchant's lists of what was sent, the newest first.

use alloc::format;
use alloc::string::String;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::value::id::{DeliveryId, MerchantId};
use crate::value::time::Timestamp;

/// The most rows of a page, and how many it has if the request does not say.
pub(crate) const MAX_LIMIT: u32 = 100;
/// The longest cursor.
const MAX_CURSOR: usize = 240;

/// Plain digits from 1 to [`MAX_LIMIT`].
pub(super) fn parse_limit(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|limit| is_plain && (1..=MAX_LIMIT).contains(limit))
}

/// Where the page after a row begins, in one list of one merchant.
pub(super) fn cursor(list: &str, merchant: &MerchantId, at: Timestamp, id: &DeliveryId) -> String {
    URL_SAFE_NO_PAD.encode(format!("{list}.{merchant}.{}.{}", at.millis(), id.as_str()))
}

/// Reads exactly what [`cursor`] makes for the same list and merchant.
pub(super) fn from_cursor(list: &str, text: &str, merchant: &MerchantId) -> Option<(Timestamp, DeliveryId)> {
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
    use crate::value::id::SessionId;

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
