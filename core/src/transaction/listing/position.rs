//! Where a page of a listing begins, and the cursor that says so.

use alloc::format;
use alloc::string::String;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::transaction::Transaction;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

/// The longest cursor in characters.
pub(crate) const MAX_CURSOR_CHARS: usize = 160;

/// By which moment a listing is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListingOrder {
    /// By when each was made.
    Created,
    /// By when each was paid.
    Paid,
}

impl ListingOrder {
    /// How the text within a cursor begins: its version, of each order another.
    const fn version(self) -> &'static str {
        match self {
            Self::Created => "1",
            Self::Paid => "paid",
        }
    }
}

/// The position of a transaction in the order of the listing; the greatest is the newest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The order.
    pub order: ListingOrder,
    /// The moment by which it is ordered.
    pub at: Timestamp,
    /// Its id.
    pub session_id: SessionId,
}

impl Position {
    /// The position of a transaction among all that were made.
    #[must_use]
    pub fn of(transaction: &Transaction) -> Self {
        let session_id = transaction.session_id.clone();
        Self { order: ListingOrder::Created, at: transaction.created_at, session_id }
    }

    /// The position as the cursor of one merchant, which the merchant need not understand: letters, digits,
    /// hyphens and underscores.
    #[must_use]
    pub(crate) fn to_cursor(&self, merchant: &MerchantId) -> String {
        let (version, millis, session_id) = (self.order.version(), self.at.millis(), &self.session_id);
        URL_SAFE_NO_PAD.encode(format!("{version}.{merchant}.{millis}.{session_id}"))
    }

    /// Reads exactly what [`to_cursor`](Self::to_cursor) makes for the same merchant.
    #[must_use]
    pub(crate) fn from_cursor(cursor: &str, merchant: &MerchantId) -> Option<Self> {
        if cursor.len() > MAX_CURSOR_CHARS {
            return None;
        }
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
        let mut parts = text.split('.');
        let (version, holder, millis, session_id) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let order = [ListingOrder::Created, ListingOrder::Paid]
            .into_iter()
            .find(|order| order.version() == version)?;
        if holder != merchant.as_str() {
            return None;
        }
        let at = Timestamp::from_millis(millis.parse().ok()?);
        let position = Self { order, at, session_id: SessionId::parse(session_id)? };
        (position.to_cursor(merchant) == cursor).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merchant(id: &str) -> MerchantId {
        MerchantId::parse(id).unwrap()
    }

    fn position(millis: i64) -> Position {
        let session_id = SessionId::generate(0, [7; 19]);
        Position { order: ListingOrder::Created, at: Timestamp::from_millis(millis), session_id }
    }

    #[test]
    fn a_cursor_is_read_back_by_its_merchant_only() {
        let longest = "m".repeat(40);
        for (id, millis) in [("demo", 1_767_225_600_123), ("a-1", -1), (&longest, i64::MIN)] {
            let place = position(millis);
            let cursor = place.to_cursor(&merchant(id));
            assert!(cursor.len() <= MAX_CURSOR_CHARS, "{cursor}");
            assert_eq!(Position::from_cursor(&cursor, &merchant(id)), Some(place));
            assert_eq!(Position::from_cursor(&cursor, &merchant("other")), None);
        }
    }

    #[test]
    fn anything_but_a_cursor_of_ours_is_refused() {
        let session = SessionId::generate(0, [0xab; 19]);
        let valid = position(5).to_cursor(&merchant("demo"));
        assert!(Position::from_cursor(&valid, &merchant("demo")).is_some());
        for text in [
            format!("2.demo.5.{session}"),
            format!("1.demo.5.{session}.x"),
            format!("1.demo.05.{session}"),
            format!("1.demo.+5.{session}"),
            format!("1.demo.99999999999999999999.{session}"),
            format!("1.demo.9223372036854775807.{session}"),
            format!("1.demo.5.{}", session.as_str().to_uppercase()),
            format!("1.demo.5.{}", "é".repeat(20)),
            "1.demo.5".into(),
            "1.demo".into(),
            "1".into(),
            String::new(),
        ] {
            let cursor = URL_SAFE_NO_PAD.encode(&text);
            assert_eq!(Position::from_cursor(&cursor, &merchant("demo")), None, "{text}");
        }
        for cursor in ["!", "=", "é", "AAA\0", &format!("{valid}="), &format!("{valid} "), &"A".repeat(161)]
        {
            assert_eq!(Position::from_cursor(cursor, &merchant("demo")), None, "{cursor:?}");
        }
        assert_eq!(Position::from_cursor(&URL_SAFE_NO_PAD.encode([0xff]), &merchant("demo")), None);
    }

    #[test]
    fn a_cursor_says_its_order() {
        let created = position(5);
        let paid = Position { order: ListingOrder::Paid, ..created.clone() };
        assert_ne!(created.to_cursor(&merchant("demo")), paid.to_cursor(&merchant("demo")));
        for place in [created, paid] {
            let cursor = place.to_cursor(&merchant("demo"));
            assert_eq!(Position::from_cursor(&cursor, &merchant("demo")), Some(place));
        }
    }
}
