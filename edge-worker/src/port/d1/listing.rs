//! Reads a page of a merchant's listing, in one statement.
//!
//! Of states and moments of creation alone, the newest rows of each stored state are found by an index. For everything else
//! the rows are walked in the order of the listing, by the index of the filter that selects the fewest, and the other filters
//! are looked at row by row. No more rows are walked than the listing says; the place where that ended is read with the page.

use checkout_core::operation::standing::{ListedPage, Standing};
use checkout_core::port::PortError;
use checkout_core::transaction::listing::{Listed, Listing, Maker};

use self::walk::{columns, has_open_attempt, in_states, words};
use self::writing::first_moment;
use super::child;
use super::fault::corrupt;
use super::record::{attempt_columns, join_shown, read_known_attempt, read_transaction, transaction_columns};
use super::row::Row;
use super::statement::{Db, Values};

mod found;
mod walk;
mod writing;

/// Of the merchant, in the period and on the page.
macro_rules! on_page {
    () => {
        " WHERE t.merchant_id = ?1 AND t.hidden_at IS NULL AND t.created_at >= CAST(?2 AS INTEGER) \
         AND (t.created_at, t.session_id) < (CAST(?3 AS INTEGER), ?4)"
    };
}

macro_rules! newest_first {
    () => {
        " ORDER BY t.created_at DESC, t.session_id DESC LIMIT CAST(?5 AS INTEGER)"
    };
}

const OF_MERCHANT: &str =
    concat!("SELECT ", columns!("1"), " FROM txn t INDEXED BY txn_of_merchant", on_page!(), newest_first!());

/// The newest of each stored state, and of these the newest: rows in other states are not even looked at. The
/// `t` inside the parentheses is not the same as the one outside.
const BY_STATE: &str = concat!(
    "SELECT ",
    columns!("1"),
    " FROM json_each(?8) stored CROSS JOIN txn t WHERE t.session_id IN \
     (SELECT t.session_id FROM txn t INDEXED BY txn_by_state",
    on_page!(),
    " AND t.state = stored.value AND ",
    in_states!("t", "CAST(?6 AS INTEGER)", "?7"),
    newest_first!(),
    ")",
    newest_first!()
);

/// The statement of the rows of a listing, with its values.
fn rows_of(listing: &Listing) -> (String, Values) {
    let filter = &listing.filter;
    if !filter.is_of_states() {
        return walk::statement(listing);
    }
    let (millis, session_id) = listing.upper_bound();
    let of_merchant = Values::default()
        .text(listing.merchant.as_str())
        .number(first_moment(listing))
        .number(millis)
        .text(session_id)
        .number(listing.limit);
    if filter.states.is_empty() {
        return (OF_MERCHANT.into(), of_merchant);
    }
    let values = of_merchant
        .number(listing.now.millis())
        .text(&words(&filter.states))
        .text(&words(&filter.stored_states()));
    (BY_STATE.into(), values)
}

/// The statement of a listing with its values: each row with its attempt and its operations, which are looked for only when it is
/// known which rows there are.
fn statement(listing: &Listing) -> (String, Values) {
    const ATTEMPT: &str = concat!(attempt_columns!(), ", ");
    const JOINED: &str = concat!(" FROM page LEFT ", join_shown!("page"));
    let (rows, values) = rows_of(listing);
    let children = child::OF_PAGE;
    (format!("WITH page AS MATERIALIZED ({rows}) SELECT page.*, {ATTEMPT}{children}{JOINED}"), values)
}

/// A page of a listing.
pub(super) async fn list(db: &Db, listing: &Listing) -> Result<ListedPage, PortError> {
    let (sql, values) = statement(listing);
    let mut page = ListedPage::default();
    for row in db.rows(values.bind(db, &sql)?).await? {
        let (listed, standing, belongs) = read(row)?;
        if belongs {
            let id = listed.transaction.session_id.clone();
            page.standings.extend(standing.map(|standing| (id, standing)));
            page.listed.push(listed);
        } else {
            page.stopped_at = listed.position(listing.order());
        }
    }
    Ok(page)
}

/// How many transactions a page of a listing has, and operations of these.
pub(super) async fn table_rows(db: &Db, listing: &Listing) -> Result<u64, PortError> {
    let (sql, values) = rows_of(listing);
    let sql = format!(
        "SELECT COUNT(*) + COALESCE(SUM((SELECT COUNT(*) FROM child c WHERE c.parent_id = page.session_id)), 0) \
         FROM ({sql}) page WHERE page.belongs"
    );
    let rows = db.rows(values.bind(db, &sql)?).await?;
    let [mut row] = <[Row; 1]>::try_from(rows).map_err(|_| corrupt("page"))?;
    u64::try_from(row.number("page")?).map_err(|_| corrupt("page"))
}

fn read(mut row: Row) -> Result<(Listed, Option<Standing>, bool), PortError> {
    let transaction = read_transaction(&mut row)?;
    let has_open_attempt = row.flag("attempt.stage")?;
    let made_by = match row.optional_text("txn.made_by")? {
        Some(text) => Some(Maker::parse(&text).ok_or_else(|| corrupt("txn.made_by"))?),
        None => None,
    };
    let paid_at = row.optional_time("txn.paid_at")?;
    let belongs = row.flag("txn.belongs")?;
    let attempt = read_known_attempt(&mut row, &transaction)?;
    let children = child::read_all(&mut row)?;
    let standing = attempt.map(|attempt| Standing { attempt, children });
    Ok((Listed { transaction, has_open_attempt, made_by, paid_at }, standing, belongs))
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
