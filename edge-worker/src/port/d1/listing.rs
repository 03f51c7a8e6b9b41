//! Reads a page of a merchant's listing, in one statement. Which statement depends on the filter that selects
//! the fewest rows, and each names the index of `migrations/0003_listing.sql` from which it is read in the
//! order of the listing.
//!
//! The first placeholders mean the same in all of them: ?1 the merchant, ?2 the first moment of the period,
//! ?3 and ?4 the moment and session id before which the page begins, ?5 the most rows, ?6 now, ?7 the states
//! that are shown, as a JSON list.

use checkout_core::port::PortError;
use checkout_core::state::State;
use checkout_core::transaction::listing::{Listed, Listing};
use checkout_core::value::time::Timestamp;

use super::record::{read_transaction, transaction_columns};
use super::row::Row;
use super::statement::{Db, Values};

macro_rules! has_open_attempt {
    () => {
        "EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = t.session_id \
         AND a.stage IN ('sending', 'redirected', 'unknown'))"
    };
}

/// The columns that are read of each row, up to `FROM`.
macro_rules! rows {
    () => {
        concat!("SELECT ", transaction_columns!(), ", ", has_open_attempt!(), " FROM ")
    };
}

/// Of the merchant, in the period and on the page.
macro_rules! on_page {
    () => {
        " WHERE t.merchant_id = ?1 AND t.hidden_at IS NULL AND t.created_at >= CAST(?2 AS INTEGER) \
         AND (t.created_at, t.session_id) < (CAST(?3 AS INTEGER), ?4)"
    };
}

/// Shown in one of the states that are asked for: what `Transaction::state_at` says of a transaction.
macro_rules! in_states {
    () => {
        concat!(
            " AND CASE WHEN t.state IN ('created', 'pending', 'attempted') \
             AND t.expires_at <= CAST(?6 AS INTEGER) AND NOT ",
            has_open_attempt!(),
            " THEN 'expired' ELSE t.state END IN (SELECT value FROM json_each(?7))"
        )
    };
}

macro_rules! newest_first {
    () => {
        " ORDER BY t.created_at DESC, t.session_id DESC LIMIT CAST(?5 AS INTEGER)"
    };
}

const OF_MERCHANT: &str = concat!(rows!(), "txn t INDEXED BY txn_of_merchant", on_page!(), newest_first!());

/// The newest of each stored state, and of these the newest: rows in other states are not even looked at. The
/// `t` inside the parentheses is not the same as the one outside.
const BY_STATE: &str = concat!(
    rows!(),
    "json_each(?8) stored CROSS JOIN txn t WHERE t.session_id IN \
     (SELECT t.session_id FROM txn t INDEXED BY txn_by_state",
    on_page!(),
    " AND t.state = stored.value",
    in_states!(),
    newest_first!(),
    ")",
    newest_first!()
);

const BY_ORDER: &str = concat!(
    rows!(),
    "txn t INDEXED BY txn_by_order",
    on_page!(),
    " AND t.order_no = ?8 AND (?9 IS NULL OR t.customer_id = ?9)",
    in_states!(),
    newest_first!()
);

const BY_CUSTOMER: &str = concat!(
    rows!(),
    "txn t INDEXED BY txn_by_customer",
    on_page!(),
    " AND t.customer_id = ?8",
    in_states!(),
    newest_first!()
);

/// The statement of a listing with its values.
fn statement(listing: &Listing) -> (&'static str, Values) {
    let (millis, session_id) = listing.upper_bound();
    let of_merchant = Values::default()
        .text(listing.merchant.as_str())
        .number(listing.created_from.map_or(i64::MIN, Timestamp::millis))
        .number(millis)
        .text(session_id)
        .number(listing.limit);
    let (order_no, customer_id) = (listing.order_no.as_deref(), listing.customer_id.as_deref());
    if listing.states.is_empty() && order_no.is_none() && customer_id.is_none() {
        return (OF_MERCHANT, of_merchant);
    }
    let states = if listing.states.is_empty() { State::ALL.as_slice() } else { listing.states.as_slice() };
    let in_states = of_merchant.number(listing.now.millis()).text(&words(states));
    match (order_no, customer_id) {
        (Some(order_no), customer_id) => (BY_ORDER, in_states.text(order_no).optional_text(customer_id)),
        (None, Some(customer_id)) => (BY_CUSTOMER, in_states.text(customer_id)),
        (None, None) => (BY_STATE, in_states.text(&words(&listing.stored_states()))),
    }
}

/// The words of states as a JSON list.
fn words(states: &[State]) -> String {
    let words: Vec<String> = states.iter().map(|state| format!("\"{state}\"")).collect();
    format!("[{}]", words.join(","))
}

/// A page of a listing.
pub(super) async fn list(db: &Db, listing: &Listing) -> Result<Vec<Listed>, PortError> {
    let (sql, values) = statement(listing);
    let rows = values.rows(db, sql).await?;
    rows.into_iter().map(read).collect()
}

fn read(mut row: Row) -> Result<Listed, PortError> {
    let transaction = read_transaction(&mut row)?;
    Ok(Listed { transaction, has_open_attempt: row.flag("attempt.stage")? })
}

#[cfg(feature = "contract")]
impl super::D1Store {
    /// How the database reads a page of a listing: the steps of its plan.
    pub(crate) async fn plan(&self, listing: &Listing) -> Result<Vec<String>, PortError> {
        let (sql, values) = statement(listing);
        let rows = self.db.rows(values.bind(&self.db, &format!("EXPLAIN QUERY PLAN {sql}"))?).await?;
        let step = |mut row: Row| {
            let _place = [row.number("plan.id")?, row.number("plan.parent")?, row.number("plan.notused")?];
            row.text("plan.detail")
        };
        rows.into_iter().map(step).collect()
    }
}
