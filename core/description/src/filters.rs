//! The query of a listing of payment transactions.

use serde_json::{Value, json};

use crate::codes::NONE;
use crate::prose::{Prose, prose};
use crate::schema::{self, about, line, matching, text, words};
use checkout_core::api::list_transactions::{
    DEFAULT_LIMIT, MAX_CUSTOMER_ID_CHARS, MAX_ORDER_NO_CHARS, MAX_SEARCH_CHARS,
};
use checkout_core::state::State;
use checkout_core::value::id::PgCode;
use checkout_core::wire::query::MAX_LIMIT;
use checkout_core::words::Plugin;

/// The parameters of a page.
pub(crate) fn page() -> Vec<(&'static str, bool, Value)> {
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT });
    let of_page = [
        ("cursor", false, about(text(), "The `next` of the page before.")),
        ("limit", false, about(limit, "How many a page has.")),
    ];
    of_page.into_iter().chain(filters()).collect()
}

/// What the transactions must be like.
pub(crate) fn filters() -> impl Iterator<Item = (&'static str, bool, Value)> {
    let maker = "Made with this key (`key:<prefix>`) or by this user (`user:<id>`).";
    let paid_from = "The earliest day (UTC) or moment of payment. The page is then in this order.";
    let search = "By what is known of a payment: session id, reference number, order number or tracking key, the payer's e-mail \
                  address or telephone number, the last four digits of the card, or an amount with its currency.";
    let states = schema::list(&words(State::WORDS));
    [
        ("state", about(states, "Only transactions in one of these states.")),
        ("created_from", about(text(), "The earliest day (UTC) or moment of creation.")),
        ("created_to", about(text(), "The latest day (UTC) or moment of creation.")),
        ("paid_from", about(text(), paid_from)),
        ("paid_to", about(text(), "The latest day (UTC) or moment of payment.")),
        ("order_no", about(line(MAX_ORDER_NO_CHARS), "Exactly this order number.")),
        ("customer_id", about(line(MAX_CUSTOMER_ID_CHARS), "Exactly this customer.")),
        ("made_by", about(matching("^(key|user):[A-Za-z0-9]{1,10}$"), maker)),
        ("type", about(words(Plugin::WORDS), "Of this plugin.")),
        ("pg_code", about(matching(PgCode::PATTERN), "Tried through this gateway.")),
        ("currency", about(matching("^[A-Z]{3}$"), "In this currency.")),
        ("amount", about(text(), "Exactly this amount, with its currency.")),
        ("has_refund", about(json!({ "type": "boolean" }), "Whether some of the money was returned.")),
        ("search", about(line(MAX_SEARCH_CHARS), search)),
    ]
    .into_iter()
    .map(|(name, schema)| (name, false, schema))
}

/// What is said of what these filters narrow.
pub(crate) const LISTINGS: &[Prose] = &[
    prose(
        "list_transactions",
        "The newest first, a page at a time. Every filter must fit. Filters that no index serves are looked at row by row, at most 10,000 rows a page: a page may have fewer results than `limit`, even none, and go on at `next`.",
        NONE,
        NONE,
    ),
    prose(
        "export_transactions",
        "What a listing with these filters holds, as CSV: a row for each payment, and one for each of its operations.",
        &["too_many_rows"],
        NONE,
    ),
];
