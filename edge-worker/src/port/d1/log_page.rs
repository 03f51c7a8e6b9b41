//! What the statements for pages of `delivery` have in common: of the log of webhooks, and of the list of messages to payers.
//!
//! Their first placeholders mean the same in all of them: `?1` is the merchant, `?2` to `?5` are the bounds of the period and of
//! the page, `?6` is the most rows. The transaction or the order number comes last.

use checkout_core::port::LogPage;
use checkout_core::value::time::Timestamp;

use super::statement::Values;

/// Of the merchant, in the period and on the page.
macro_rules! on_page {
    () => {
        " WHERE d.merchant_id = ?1 AND d.created_at >= CAST(?2 AS INTEGER) AND d.created_at <= CAST(?3 AS INTEGER) \
         AND (d.created_at, d.id) < (CAST(?4 AS INTEGER), ?5)"
    };
}

macro_rules! newest_first {
    () => {
        " ORDER BY d.created_at DESC, d.id DESC LIMIT CAST(?6 AS INTEGER)"
    };
}

/// About one transaction, whose session id begins the ids of its deliveries.
macro_rules! of_session {
    ($session_id:literal) => {
        concat!(
            " AND d.id > 'evt_' || ",
            $session_id,
            " || '_' AND d.id < 'evt_' || ",
            $session_id,
            " || '_~'"
        )
    };
}

/// The deliveries of every transaction with an order number.
macro_rules! of_orders {
    () => {
        "txn t INDEXED BY txn_by_order CROSS JOIN delivery d INDEXED BY sqlite_autoindex_delivery_1 ON d.id > 'evt_' || t.session_id || '_' \
         AND d.id < 'evt_' || t.session_id || '_~'"
    };
}

/// Of the merchant's transactions with an order number.
macro_rules! of_order {
    ($order_no:literal) => {
        concat!(" AND t.merchant_id = ?1 AND t.order_no = ", $order_no, " AND t.hidden_at IS NULL")
    };
}

pub(super) use {newest_first, of_order, of_orders, of_session, on_page};

/// After every id.
const LAST: &str = "~";

/// The values of the first six placeholders.
pub(super) fn values(page: &LogPage) -> Values {
    let bound = |at: Option<Timestamp>, otherwise: i64| at.map_or(otherwise, Timestamp::millis);
    let after = page.after.as_ref().map_or((i64::MAX, LAST), |(at, id)| (at.millis(), id.as_str()));
    Values::default()
        .text(page.merchant.as_str())
        .number(bound(page.since, i64::MIN))
        .number(bound(page.until, i64::MAX))
        .number(after.0)
        .text(after.1)
        .number(page.limit)
}
