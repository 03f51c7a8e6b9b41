//! Which payment transactions a page of a merchant's listing holds, and in which order.
//!
//! Newest first: by the moment at which they were made and, within one millisecond, by session id. A listing of a
//! period in which something was paid goes by the moment of payment, unless it is of one order, customer or maker, or a search. A page
//! begins right after the [`Position`] at which the one before it ended, so that transactions made in the
//! meantime do not shift the pages.
//!
//! Rows are found by the most selective filter. What else is asked of them is looked at row by row, of at most
//! `MAX_WALKED` of them for one page: a page may have ended before it is full, and says where the next one begins.

mod position;
pub mod search;

use alloc::string::String;
use alloc::vec::Vec;

use super::Transaction;
use crate::record::audit::{Actor, ActorKind};
use crate::state::State;
use crate::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::money::{Currency, Money};
use crate::value::slot::{Slot, Slotted};
use crate::value::time::Timestamp;
use crate::words::Plugin;

pub use position::{ListingOrder, Position};
use search::{PaymentSearch, Term};

/// The most rows that are looked at for one page.
pub(crate) const MAX_WALKED: u32 = 10_000;

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
    /// The most rows that are looked at, at least 1.
    pub walked: u32,
    /// What the transactions must be like.
    pub filter: ListingFilter,
}

/// What transactions must be like. Every part that is given must fit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListingFilter {
    /// Shown in one of these states, each given once; empty for all.
    pub states: Vec<State>,
    /// When they were made.
    pub created: Between,
    /// When money was taken for the first time.
    pub paid: Between,
    /// Exactly this order number.
    pub order_no: Option<String>,
    /// Exactly this customer id.
    pub customer_id: Option<String>,
    /// Made by this user, or with this key.
    pub made_by: Option<Maker>,
    /// Of this plugin.
    pub plugin: Option<Plugin>,
    /// Tried through this gateway.
    pub pg_code: Option<PgCode>,
    /// In this currency.
    pub currency: Option<Currency>,
    /// Exactly this amount, in its currency.
    pub amount: Option<Money>,
    /// Whether some of its money was returned.
    pub has_refund: Option<bool>,
    /// Found by what is known of it.
    pub search: Option<PaymentSearch>,
}

/// From one moment to another, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Between {
    /// At this moment or later.
    pub from: Option<Timestamp>,
    /// At this moment or earlier.
    pub to: Option<Timestamp>,
}

impl Between {
    /// Whether it leaves nothing out.
    #[must_use]
    pub fn is_open(self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// Whether it has a moment.
    #[must_use]
    pub fn has(self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= at) && self.to.is_none_or(|to| at <= to)
    }
}

/// Who made a payment transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker {
    /// A user or a key.
    pub kind: ActorKind,
    /// Its number or its prefix.
    pub id: String,
}

impl Maker {
    /// The user or the key that did something; `None` for an operator, and for a key without a name: what is stored can be
    /// read again.
    #[must_use]
    pub fn of(actor: &Actor) -> Option<Self> {
        Self::parse(&[actor.kind.as_str(), ":", &actor.id].concat())
    }

    /// Reads what is [printed](core::fmt::Display): `user:7`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, id) = ActorKind::with_id(text)?;
        (kind != ActorKind::Operator).then(|| Self { kind, id: id.into() })
    }
}

impl core::fmt::Display for Maker {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}:{}", self.kind.as_str(), self.id)
    }
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
    /// Who made it; `None` if that was not recorded.
    pub made_by: Option<Maker>,
    /// When money was taken for the first time.
    pub paid_at: Option<Timestamp>,
}

impl Listed {
    /// The position in an order; `None` if it has none.
    #[must_use]
    pub fn position(&self, order: ListingOrder) -> Option<Position> {
        let at = match order {
            ListingOrder::Created => self.transaction.created_at,
            ListingOrder::Paid => self.paid_at?,
        };
        Some(Position { order, at, session_id: self.transaction.session_id.clone() })
    }
}

/// What happened to a transaction after it was made, as far as a filter asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Afterwards {
    /// The gateways through which it was tried.
    pub tried: Vec<PgCode>,
    /// Whether some of its money was returned.
    pub has_refund: bool,
    /// The names of its attempts, and the names, ids and tracking keys of its operations.
    pub names: Vec<String>,
    /// By what its payer is found.
    pub terms: Vec<Term>,
}

impl Afterwards {
    /// Whether a search finds the transaction.
    fn answers(&self, search: &PaymentSearch, transaction: &Transaction) -> bool {
        let PaymentSearch { text, session_id, reference, amount, terms } = search;
        let names = [
            Some(text.as_str()),
            session_id.as_ref().map(SessionId::as_str),
            reference.as_ref().map(ReferenceNumber::as_str),
        ];
        transaction.details.order_no.as_ref() == Some(text)
            || session_id.as_ref() == Some(&transaction.session_id)
            || *amount == Some(transaction.amount)
            || names.into_iter().flatten().any(|name| self.names.iter().any(|known| known == name))
            || terms.iter().any(|term| self.terms.contains(term))
    }
}

impl Listing {
    /// Everything of a merchant.
    #[must_use]
    pub fn of(merchant: &MerchantId, now: Timestamp, limit: u32) -> Self {
        let filter = ListingFilter::default();
        Self { merchant: merchant.clone(), now, after: None, limit, walked: MAX_WALKED, filter }
    }

    /// The order.
    #[must_use]
    pub const fn order(&self) -> ListingOrder {
        self.filter.order()
    }

    /// Whether a transaction is among those that may be looked at: of the merchant, in the period by which the
    /// listing is ordered, and after the position where the page begins.
    #[must_use]
    pub fn reaches(&self, listed: &Listed) -> bool {
        let Some(place) = listed.position(self.order()) else { return false };
        listed.transaction.merchant == self.merchant
            && self.period().has(place.at)
            && self.after.as_ref().is_none_or(|after| place < *after)
    }

    /// Whether a transaction belongs to the listing, on this page or a later one.
    #[must_use]
    pub fn takes(&self, listed: &Listed, afterwards: &Afterwards) -> bool {
        let shown = listed.transaction.state_at(self.now, listed.has_open_attempt);
        self.reaches(listed) && self.filter.fits(listed, shown, afterwards)
    }

    /// The period of the moment by which it is ordered.
    #[must_use]
    pub const fn period(&self) -> Between {
        match self.order() {
            ListingOrder::Created => self.filter.created,
            ListingOrder::Paid => self.filter.paid,
        }
    }

    /// The first moment and session id, in milliseconds and as text, that are too new for the page: the
    /// smaller of the position after which it begins and the end of its period.
    #[must_use]
    pub fn upper_bound(&self) -> (i64, &str) {
        let period = self.period().to.map_or((i64::MAX, ""), |to| (to.millis().saturating_add(1), ""));
        let after = self.after.as_ref();
        after.map_or(period, |after| period.min((after.at.millis(), after.session_id.as_str())))
    }
}

impl ListingFilter {
    /// The order of a listing of them.
    #[must_use]
    pub const fn order(&self) -> ListingOrder {
        let is_of_one = self.order_no.is_some()
            || self.customer_id.is_some()
            || self.made_by.is_some()
            || self.search.is_some();
        let has_period = self.paid.from.is_some() || self.paid.to.is_some();
        if has_period && !is_of_one { ListingOrder::Paid } else { ListingOrder::Created }
    }

    fn fits(&self, listed: &Listed, shown: State, afterwards: &Afterwards) -> bool {
        let transaction = &listed.transaction;
        let details = &transaction.details;
        (self.states.is_empty() || self.states.contains(&shown))
            && self.created.has(transaction.created_at)
            && (self.paid.is_open() || listed.paid_at.is_some_and(|at| self.paid.has(at)))
            && (self.order_no.is_none() || self.order_no == details.order_no)
            && (self.customer_id.is_none() || self.customer_id == details.customer_id)
            && (self.made_by.is_none() || self.made_by == listed.made_by)
            && self.plugin.is_none_or(|plugin| plugin == transaction.plugin)
            && self.pg_code.as_ref().is_none_or(|code| afterwards.tried.contains(code))
            && self.currency.is_none_or(|currency| currency == transaction.amount.currency())
            && self.amount.is_none_or(|amount| amount == transaction.amount)
            && self.has_refund.is_none_or(|wanted| wanted == afterwards.has_refund)
            && self.search.as_ref().is_none_or(|search| afterwards.answers(search, transaction))
    }

    /// The stored states of transactions that may be shown in one of [`states`](Self::states): what is shown
    /// as expired may still be stored as payable. Each once, in the order of [`State::ALL`].
    #[must_use]
    pub fn stored_states(&self) -> Vec<State> {
        let wants_expired = self.states.contains(&State::Expired);
        let may_hold = |state: &State| self.states.contains(state) || (wants_expired && state.is_payable());
        State::ALL.into_iter().filter(may_hold).collect()
    }

    /// Whether nothing is asked but states and when they were made.
    #[must_use]
    pub fn is_of_states(&self) -> bool {
        *self == Self { states: self.states.clone(), created: self.created, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(millis: i64) -> Position {
        let session_id = SessionId::generate(0, [7; 19]);
        Position { order: ListingOrder::Created, at: Timestamp::from_millis(millis), session_id }
    }

    fn of_states(states: &[State]) -> ListingFilter {
        ListingFilter { states: states.to_vec(), ..ListingFilter::default() }
    }

    #[test]
    fn what_is_shown_as_expired_may_be_stored_as_payable() {
        use State::{Attempted, Created, Expired, Paid, Pending};
        assert_eq!(of_states(&[Paid, Created]).stored_states(), [Created, Paid]);
        assert_eq!(of_states(&[Expired]).stored_states(), [Created, Pending, Attempted, Expired]);
        assert_eq!(of_states(&[Expired, Created, Paid]).stored_states().len(), 5);
        assert_eq!(of_states(&[]).stored_states(), []);
    }

    #[test]
    fn a_page_begins_at_the_nearer_of_its_cursor_and_its_period() {
        let mut page = Listing::of(&MerchantId::parse("demo").unwrap(), Timestamp::from_millis(0), 20);
        assert_eq!(page.upper_bound(), (i64::MAX, ""));
        page.filter.created.to = Some(Timestamp::from_millis(5));
        assert_eq!(page.upper_bound(), (6, ""));
        page.after = Some(position(6));
        assert_eq!(page.upper_bound(), (6, ""));
        page.after = Some(position(5));
        let session_id = position(5).session_id;
        assert_eq!(page.upper_bound(), (5, session_id.as_str()));
    }
}
