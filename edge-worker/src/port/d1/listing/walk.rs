//! The statement that walks the rows of a listing in its order.

use checkout_core::state::State;
use checkout_core::transaction::listing::search::PaymentSearch;
use checkout_core::transaction::listing::{Between, Listing, ListingFilter, ListingOrder, Maker};
use checkout_core::value::money::Currency;
use checkout_core::words::Plugin;

use super::found::found;
use super::writing::{Bounds, Writing};
use crate::port::d1::record::transaction_columns;
use crate::port::d1::statement::Values;

macro_rules! has_open_attempt {
    ($of:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = ",
            $of,
            ".session_id AND a.stage IN ('sending', 'redirected', 'unknown'))"
        )
    };
}

/// The columns that are read of each row, and whether it belongs to the page.
macro_rules! columns {
    ($belongs:literal) => {
        concat!(
            transaction_columns!(),
            ", ",
            has_open_attempt!("t"),
            ", t.made_by, t.paid_at, ",
            $belongs,
            " AS belongs"
        )
    };
}

/// Shown in one of the states that are asked for: what `Transaction::state_at` says of a transaction.
macro_rules! in_states {
    ($of:literal, $now:literal, $states:literal) => {
        concat!(
            "CASE WHEN ",
            $of,
            ".state IN ('created', 'pending', 'attempted') AND ",
            $of,
            ".expires_at <= ",
            $now,
            " AND NOT ",
            has_open_attempt!($of),
            " THEN 'expired' ELSE ",
            $of,
            ".state END IN (SELECT value FROM json_each(",
            $states,
            "))"
        )
    };
}
pub(super) use {columns, has_open_attempt, in_states};

/// The words of states as a JSON list.
pub(super) fn words(states: &[State]) -> String {
    let words: Vec<String> = states.iter().map(|state| format!("\"{state}\"")).collect();
    format!("[{}]", words.join(","))
}

/// From which index rows are read, in the order of the listing.
struct Source {
    index: &'static str,
    /// The column whose value the index begins with after the merchant, and the value.
    key: Option<(&'static str, String)>,
    /// The moment of its order.
    moment: &'static str,
}

impl Source {
    /// The one of the filter that selects the fewest rows.
    fn of(filter: &ListingFilter) -> Self {
        if filter.search.is_some() {
            return Self { index: "", key: None, moment: "created_at" };
        }
        let of_one = [
            ("txn_by_order", "order_no", filter.order_no.clone()),
            ("txn_by_customer", "customer_id", filter.customer_id.clone()),
            ("txn_by_maker", "made_by", filter.made_by.as_ref().map(Maker::to_string)),
        ];
        for (index, column, value) in of_one {
            if let Some(value) = value {
                return Self { index, key: Some((column, value)), moment: "created_at" };
            }
        }
        match filter.order() {
            ListingOrder::Created => Self { index: "txn_of_merchant", key: None, moment: "created_at" },
            ListingOrder::Paid => Self { index: "txn_by_payment", key: None, moment: "paid_at" },
        }
    }
}

impl Writing {
    /// That the rows `w` have a value in a column.
    fn equals(&mut self, column: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            let place = self.value(value);
            self.asked.push(column);
            self.conditions.push(format!("w.{column} = {place}"));
        }
    }

    /// That a moment of the rows is in a period.
    fn within(&mut self, column: &'static str, period: Between) {
        for (bound, moment) in [(">=", period.from), ("<=", period.to)] {
            if let Some(moment) = moment {
                let place = self.number(moment.millis());
                self.asked.push(column);
                self.conditions.push(format!("w.{column} {bound} {place}"));
            }
        }
    }

    /// What the source does not ask already.
    fn ask(&mut self, listing: &Listing, source: &Source) {
        let filter = &listing.filter;
        let is_new = |column: &str| source.key.as_ref().is_none_or(|(key, _)| *key != column);
        if !filter.states.is_empty() {
            let (now, states) = (self.number(listing.now.millis()), self.value(&words(&filter.states)));
            self.asked.extend(["state", "expires_at"]);
            let condition = in_states!("w", "$now", "$states");
            self.conditions.push(condition.replace("$now", &now).replace("$states", &states));
        }
        self.equals("customer_id", filter.customer_id.as_deref().filter(|_| is_new("customer_id")));
        let maker = filter.made_by.as_ref().map(Maker::to_string);
        self.equals("made_by", maker.as_deref().filter(|_| is_new("made_by")));
        // An order number is a source of its own, but a search goes before it.
        self.equals("order_no", filter.order_no.as_deref().filter(|_| filter.search.is_some()));
        self.equals("plugin", filter.plugin.map(Plugin::as_str));
        self.equals("currency", filter.currency.as_ref().map(Currency::code));
        if let Some(amount) = filter.amount {
            let place = self.number(amount.minor());
            self.asked.push("amount");
            self.conditions.push(format!("w.amount = {place}"));
        }
        match listing.order() {
            ListingOrder::Created => self.within("paid_at", filter.paid),
            ListingOrder::Paid => self.within("created_at", filter.created),
        }
        self.ask_afterwards(filter);
    }

    /// What is stored in other tables.
    fn ask_afterwards(&mut self, filter: &ListingFilter) {
        if let Some(code) = &filter.pg_code {
            let place = self.value(code.as_str());
            self.conditions.push(format!(
                "EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = w.session_id AND a.pg_code = {place})"
            ));
        }
        if let Some(has_refund) = filter.has_refund {
            let not = if has_refund { "" } else { "NOT " };
            self.conditions.push(format!(
                "{not}EXISTS (SELECT 1 FROM child c WHERE c.parent_id = w.session_id \
                 AND c.operation = 'refund' AND c.stage = 'done')"
            ));
        }
    }
}

/// The statement of a listing with its values.
///
/// `w` are the rows that are walked, in the order of the index, and of them the first that fit are taken: nothing sorts them,
/// so nothing is walked after the page is full. Only a page that is not full asks for the last row that was walked.
pub(super) fn statement(listing: &Listing) -> (String, Values) {
    let source = Source::of(&listing.filter);
    let mut writing = Writing::default();
    let walked = writing.number(listing.walked.into());
    let bounds = Bounds::of_listing(&mut writing, listing, source.moment);
    let range = match &listing.filter.search {
        Some(search) => range_of_search(&mut writing, search, &bounds, &walked),
        None => range(&mut writing, &source, &bounds),
    };
    writing.ask(listing, &source);
    let limit = writing.number(listing.limit.into());
    let mut asked = vec!["session_id"];
    for column in &writing.asked {
        if !asked.contains(column) {
            asked.push(column);
        }
    }
    let asked: Vec<String> = asked.iter().map(|column| format!("t.{column}")).collect();
    let fits = if writing.conditions.is_empty() { "1".into() } else { writing.conditions.join(" AND ") };
    let sql = format!(
        "WITH page AS MATERIALIZED (SELECT w.session_id FROM (SELECT {asked} {range} LIMIT {walked}) w WHERE {fits} LIMIT {limit}) \
         SELECT {columns} FROM page CROSS JOIN txn t ON t.session_id = page.session_id \
         UNION ALL SELECT {last} FROM txn t WHERE (SELECT COUNT(*) FROM page) < {limit} \
         AND t.session_id = (SELECT t.session_id {range} LIMIT 1 OFFSET {walked} - 1)",
        asked = asked.join(", "),
        columns = columns!("1"),
        last = columns!("0"),
    );
    (sql, writing.values)
}

/// From which rows the page is, and in which order.
fn range(writing: &mut Writing, source: &Source, bounds: &Bounds) -> String {
    let Source { index, key, moment } = source;
    let of_key = key.as_ref().map(|(column, value)| format!(" AND t.{column} = {}", writing.value(value)));
    format!(
        "FROM txn t INDEXED BY {index} WHERE t.merchant_id = {merchant} AND t.hidden_at IS NULL{of_key} \
         AND {bounds} ORDER BY t.{moment} DESC, t.session_id DESC",
        merchant = bounds.merchant,
        of_key = of_key.unwrap_or_default(),
        bounds = bounds.of("t"),
    )
}

/// The same of a search, which goes through what it finds in that order.
fn range_of_search(writing: &mut Writing, search: &PaymentSearch, bounds: &Bounds, walked: &str) -> String {
    let rows = found(writing, search, bounds, walked);
    format!(
        "FROM {rows} found CROSS JOIN txn t ON t.session_id = found.session_id WHERE t.merchant_id = {merchant} AND t.hidden_at IS NULL",
        merchant = bounds.merchant
    )
}
