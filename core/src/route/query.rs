//! The parameters that the queries of endpoints have. Where a query chooses which of a merchant's records are shown, a
//! parameter that is not one of them is refused by name: an unknown filter that is ignored answers with everyone's.

/// Which parameters an endpoint reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    /// These.
    Only(&'static [&'static str]),
    /// None, and clients send it what they like: it answers with the one object that its address names.
    Any,
}

/// No parameter.
pub(crate) const NONE: Query = Query::Only(&[]);
/// Whatever a client sends.
pub(crate) const ANY: Query = Query::Any;
/// The parameters of a listing of payment transactions: those of its pages, then its filters.
const LISTING: &[&str; 16] = &[
    "cursor",
    "limit",
    "state",
    "created_from",
    "created_to",
    "paid_from",
    "paid_to",
    "order_no",
    "customer_id",
    "made_by",
    "type",
    "pg_code",
    "currency",
    "amount",
    "has_refund",
    "search",
];
/// Of a listing of payment transactions.
pub(crate) const TRANSACTIONS: Query = Query::Only(LISTING);
/// Of the totals of days.
pub(crate) const TOTALS: Query = Query::Only(&["from", "to"]);
/// Of an export of payment transactions: a listing without its pages.
pub(crate) const EXPORT: Query = {
    let [_cursor, _limit, filters @ ..] = LISTING;
    Query::Only(filters)
};
/// Of a log of deliveries.
pub(crate) const DELIVERIES: Query = Query::Only(&[
    "cursor",
    "limit",
    "state",
    "kind",
    "receiver",
    "session_id",
    "order_no",
    "since",
    "until",
]);
/// Of a list of messages to payers.
pub(crate) const MESSAGES: Query =
    Query::Only(&["cursor", "limit", "channel", "state", "session_id", "order_no", "since", "until"]);
/// Of a list of requests for approval.
pub(crate) const APPROVALS: Query = Query::Only(&["cursor", "limit", "state", "session_id"]);
/// Of the attention list of a merchant.
pub(crate) const ATTENTION: Query = Query::Only(&["cursor", "limit", "state"]);
/// Of the list of merchants.
pub(crate) const MERCHANTS: Query = Query::Only(&["cursor", "limit"]);
/// Of the search for one payment transaction among those of all merchants.
pub(crate) const FOUND: Query = Query::Only(&["session_id", "reference"]);
/// Of the audit of the installation.
pub(crate) const AUDIT: Query = Query::Only(&["merchant", "actor", "before", "limit"]);
/// Of the audit of one merchant.
pub(crate) const OWN_AUDIT: Query = Query::Only(&["actor", "before", "limit"]);
/// Of the history of a merchant's settings.
pub(crate) const HISTORY: Query = Query::Only(&["before", "limit"]);
/// Of a comparison of two versions.
pub(crate) const COMPARED: Query = Query::Only(&["with"]);
/// Of a request to replace settings.
pub(crate) const REPLACED: Query = Query::Only(&["version"]);
/// Of a preview of the page.
pub(crate) const PREVIEW: Query = Query::Only(&["state", "language"]);
/// Of a request to delete a saved card.
pub(crate) const CARD: Query = Query::Only(&["customer_id", "type"]);
/// Of the set of public keys.
pub(crate) const KEYS: Query = Query::Only(&["merchant"]);
/// Of the hosted page. A payer's browser also brings what advertisements and messengers add.
pub(crate) const PAGE: Query = Query::Only(&["session_id", "pg_code", "language"]);

impl Query {
    /// The names of the parameters.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Only(names) => names,
            Self::Any => &[],
        }
    }
}
