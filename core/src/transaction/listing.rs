//! Which payment transactions a page of a merchant's listing holds, and in which order.
//!
//! Newest first: by the moment at which they were made and, within one millisecond, by session id. A page
//! begins right after the [`Position`] at which the one before it ended, so that transactions made in the
//! meantime do not shift the pages.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::Transaction;
use crate::state::State;
use crate::value::id::{MerchantId, SessionId};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;

/// The longest cursor in characters.
pub(crate) const MAX_CURSOR_CHARS: usize = 160;

/// The version of the text within a cursor.
const VERSION: &str = "1";

/// The position of a transaction in the order of the listing; the greatest is the newest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// When it was made.
    pub created_at: Timestamp,
    /// Its id.
    pub session_id: SessionId,
}

impl Position {
    /// The position of a transaction.
    #[must_use]
    pub fn of(transaction: &Transaction) -> Self {
        Self { created_at: transaction.created_at, session_id: transaction.session_id.clone() }
    }

    /// The position as the cursor of one merchant, which the merchant need not understand: letters, digits,
    /// hyphens and underscores.
    #[must_use]
    pub(crate) fn to_cursor(&self, merchant: &MerchantId) -> String {
        let (millis, session_id) = (self.created_at.millis(), &self.session_id);
        URL_SAFE_NO_PAD.encode(format!("{VERSION}.{merchant}.{millis}.{session_id}"))
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
        if version != VERSION || holder != merchant.as_str() {
            return None;
        }
        let created_at = Timestamp::from_millis(millis.parse().ok()?);
        let position = Self { created_at, session_id: SessionId::parse(session_id)? };
        (position.to_cursor(merchant) == cursor).then_some(position)
    }
}

/// What a page of the listing is to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The merchant.
    pub merchant: MerchantId,
    /// The moment for which the states are determined.
    pub now: Timestamp,
    /// The page begins right after this position; `None` for the newest.
    pub after: Option<Position>,
    /// The most transactions, at least 1.
    pub limit: u32,
    /// Only those shown in one of these states, each given once; empty for all.
    pub states: Vec<State>,
    /// Only those made at this moment or later.
    pub created_from: Option<Timestamp>,
    /// Only those made at this moment or earlier.
    pub created_to: Option<Timestamp>,
    /// Only those with exactly this order number.
    pub order_no: Option<String>,
    /// Only those with exactly this customer id.
    pub customer_id: Option<String>,
}

impl Slotted for Listing {
    fn slot(&self) -> Slot {
        self.merchant.slot()
    }
}

/// A transaction of the listing.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The transaction.
    pub transaction: Transaction,
    /// Whether one of its attempts is open, which prevents it from counting as expired.
    pub has_open_attempt: bool,
}

impl Listing {
    /// Whether a transaction belongs to the listing, on this page or a later one.
    #[must_use]
    pub fn takes(&self, listed: &Listed) -> bool {
        let Listed { transaction, has_open_attempt } = listed;
        let details = &transaction.details;
        let shown = transaction.state_at(self.now, *has_open_attempt);
        transaction.merchant == self.merchant
            && self.after.as_ref().is_none_or(|after| Position::of(transaction) < *after)
            && (self.states.is_empty() || self.states.contains(&shown))
            && self.created_from.is_none_or(|from| from <= transaction.created_at)
            && self.created_to.is_none_or(|to| transaction.created_at <= to)
            && (self.order_no.is_none() || self.order_no == details.order_no)
            && (self.customer_id.is_none() || self.customer_id == details.customer_id)
    }

    /// The stored states of transactions that may be shown in one of [`states`](Self::states): what is shown
    /// as expired may still be stored as payable. Each once, in the order of [`State::ALL`].
    #[must_use]
    pub fn stored_states(&self) -> Vec<State> {
        let wants_expired = self.states.contains(&State::Expired);
        let may_hold = |state: &State| self.states.contains(state) || (wants_expired && state.is_payable());
        State::ALL.into_iter().filter(may_hold).collect()
    }

    /// The first moment and session id, in milliseconds and as text, that are too new for the page: the
    /// smaller of the position after which it begins and the end of its period.
    #[must_use]
    pub fn upper_bound(&self) -> (i64, &str) {
        let period = self.created_to.map_or((i64::MAX, ""), |to| (to.millis().saturating_add(1), ""));
        let after = self.after.as_ref();
        after.map_or(period, |after| period.min((after.created_at.millis(), after.session_id.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merchant(id: &str) -> MerchantId {
        MerchantId::parse(id).unwrap()
    }

    fn position(millis: i64, random: u8) -> Position {
        Position {
            created_at: Timestamp::from_millis(millis),
            session_id: SessionId::generate(0, [random; 19]),
        }
    }

    fn listing(states: &[State]) -> Listing {
        Listing {
            merchant: merchant("demo"),
            now: Timestamp::from_millis(0),
            after: None,
            limit: 20,
            states: states.to_vec(),
            created_from: None,
            created_to: None,
            order_no: None,
            customer_id: None,
        }
    }

    #[test]
    fn a_cursor_is_read_back_by_its_merchant_only() {
        let longest = "m".repeat(40);
        for (id, millis) in [("demo", 1_767_225_600_123), ("a-1", -1), (&longest, i64::MIN)] {
            let place = position(millis, 7);
            let cursor = place.to_cursor(&merchant(id));
            assert!(cursor.len() <= MAX_CURSOR_CHARS, "{cursor}");
            assert_eq!(Position::from_cursor(&cursor, &merchant(id)), Some(place));
            assert_eq!(Position::from_cursor(&cursor, &merchant("other")), None);
        }
    }

    #[test]
    fn anything_but_a_cursor_of_ours_is_refused() {
        let session = SessionId::generate(0, [0xab; 19]);
        let valid = position(5, 7).to_cursor(&merchant("demo"));
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
    fn what_is_shown_as_expired_may_be_stored_as_payable() {
        use State::{Attempted, Created, Expired, Paid, Pending};
        assert_eq!(listing(&[Paid, Created]).stored_states(), [Created, Paid]);
        assert_eq!(listing(&[Expired]).stored_states(), [Created, Pending, Attempted, Expired]);
        assert_eq!(listing(&[Expired, Created, Paid]).stored_states().len(), 5);
        assert_eq!(listing(&[]).stored_states(), []);
    }

    #[test]
    fn a_page_begins_at_the_nearer_of_its_cursor_and_its_period() {
        let mut page = listing(&[]);
        assert_eq!(page.upper_bound(), (i64::MAX, ""));
        page.created_to = Some(Timestamp::from_millis(5));
        assert_eq!(page.upper_bound(), (6, ""));
        page.after = Some(position(6, 7));
        assert_eq!(page.upper_bound(), (6, ""));
        page.after = Some(position(5, 7));
        let session_id = position(5, 7).session_id;
        assert_eq!(page.upper_bound(), (5, session_id.as_str()));
    }
}
