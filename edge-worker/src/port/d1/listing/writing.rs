//! A statement of a listing while it is written, and the rows that it may look at.

use checkout_core::transaction::listing::Listing;
use checkout_core::value::time::Timestamp;

use crate::port::d1::statement::Values;

/// The first moment of the period by which a listing is ordered.
pub(super) fn first_moment(listing: &Listing) -> i64 {
    listing.period().from.map_or(i64::MIN, Timestamp::millis)
}

/// A statement that is being written: its values are named by their number.
#[derive(Default)]
pub(super) struct Writing {
    pub(super) values: Values,
    pub(super) conditions: Vec<String>,
    /// The columns that the conditions are about.
    pub(super) asked: Vec<&'static str>,
}

impl Writing {
    pub(super) fn value(&mut self, value: &str) -> String {
        self.values = std::mem::take(&mut self.values).text(value);
        format!("?{}", self.values.len())
    }

    pub(super) fn number(&mut self, value: i64) -> String {
        let place = self.value(&value.to_string());
        format!("CAST({place} AS INTEGER)")
    }
}

/// The rows that may be looked at: of the merchant, in the period by which the listing is ordered, and on the page.
pub(super) struct Bounds {
    pub(super) merchant: String,
    from: String,
    before: String,
    session_id: String,
    moment: &'static str,
}

impl Bounds {
    pub(super) fn of_listing(writing: &mut Writing, listing: &Listing, moment: &'static str) -> Self {
        let (before, session_id) = listing.upper_bound();
        Self {
            merchant: writing.value(listing.merchant.as_str()),
            from: writing.number(first_moment(listing)),
            before: writing.number(before),
            session_id: writing.value(session_id),
            moment,
        }
    }

    /// That rows of a table are within them.
    pub(super) fn of(&self, table: &str) -> String {
        let Self { from, before, session_id, moment, .. } = self;
        format!(
            "{table}.{moment} >= {from} AND ({table}.{moment}, {table}.session_id) < ({before}, {session_id})"
        )
    }
}
