//! Builds statements. Every value is bound as text, and whole numbers are cast in SQL: a number that is bound
//! reaches `SQLite` as a floating-point number.

use std::cell::Cell;
use std::rc::Rc;

use checkout_core::port::PortError;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;

use super::ahead::Ahead;
use super::fault::{D1Fault, corrupt, failed};
use super::news::News;
use super::row::Row;
use crate::platform::{self, Database, Parts};

pub(super) use crate::platform::Statement;

/// The database of one request or run, which counts the statements that it is given, because the platform limits them, and
/// how often it was asked, because each time is a round trip.
pub(super) struct Db {
    inner: Rc<Database>,
    statements: Cell<u32>,
    round_trips: Cell<u32>,
    /// What was read with the caller of a request.
    pub(super) ahead: Ahead,
    /// What became due with what was stored.
    pub(super) news: News,
}

impl Db {
    /// The database of a binding.
    pub(super) fn new(inner: Rc<Database>) -> Self {
        Self {
            inner,
            statements: Cell::new(0),
            round_trips: Cell::new(0),
            ahead: Ahead::default(),
            news: News::default(),
        }
    }

    /// How many statements were prepared.
    pub(super) fn statements(&self) -> u32 {
        self.statements.get()
    }

    /// How often the database was asked.
    pub(super) fn round_trips(&self) -> u32 {
        self.round_trips.get()
    }

    #[cfg_attr(
        not(feature = "contract"),
        expect(unused_variables, reason = "only the contract keeps the statements")
    )]
    fn count_statement(&self, write: &dyn Fn() -> String) {
        #[cfg(feature = "contract")]
        super::made::note(&write());
        self.statements.set(self.statements.get().saturating_add(1));
    }

    fn count_round_trip(&self) {
        self.round_trips.set(self.round_trips.get().saturating_add(1));
    }

    /// Runs statements as one transaction.
    pub(super) async fn batch(&self, statements: Vec<Statement>) -> Result<(), D1Fault> {
        self.ahead.clear();
        self.count_round_trip();
        let news = self.news.begin_batch();
        let ended = platform::batch(&self.inner, &Statement::joined(statements)).await;
        self.news.end_batch(news);
        ended.map(|_| ()).map_err(D1Fault)
    }

    /// The rows that a statement answers.
    pub(super) async fn rows(&self, statement: Statement) -> Result<Vec<Row>, PortError> {
        self.count_round_trip();
        let rows =
            platform::rows(&self.inner, &statement).await.map_err(|message| failed(&D1Fault(message)))?;
        Row::all(rows.bytes.unwrap_or_default())
    }

    /// Runs a statement for its effect.
    pub(super) async fn run(&self, statement: Statement) -> Result<(), PortError> {
        self.batch(vec![statement]).await.map_err(|error| failed(&error))
    }
}

/// Values for the placeholders of a statement, in their order.
#[derive(Default)]
pub(super) struct Values(Statement);

impl Values {
    /// A text.
    pub(super) fn text(self, text: &str) -> Self {
        self.optional_text(Some(text))
    }

    /// A text or NULL.
    pub(super) fn optional_text(self, text: Option<&str>) -> Self {
        Self(self.0.value(text))
    }

    /// A whole number, for a placeholder `CAST(? AS INTEGER)`.
    pub(super) fn number(self, number: impl Into<i64>) -> Self {
        self.optional_number(Some(number.into()))
    }

    /// A whole number or NULL, for a placeholder `CAST(? AS INTEGER)`.
    pub(super) fn optional_number(self, number: Option<i64>) -> Self {
        self.optional_text(number.map(|number| number.to_string()).as_deref())
    }

    /// With the values of another after its own.
    pub(super) fn followed_by(self, other: Self) -> Self {
        Self(self.0.followed_by(other.0))
    }

    /// The statement with these values.
    pub(super) fn bind(self, db: &Db, sql: &'static str) -> Result<Statement, PortError> {
        self.bind_parts(db, Parts { words: &[sql], columns: &[] }, &|| sql.into())
    }

    /// As [`bind`](Self::bind), for SQL that `write` makes of parts that never change.
    fn bind_parts(
        self,
        db: &Db,
        parts: Parts<'_>,
        write: &dyn Fn() -> String,
    ) -> Result<Statement, PortError> {
        db.count_statement(write);
        self.0.end_known(parts, write).ok_or_else(|| corrupt("statement"))
    }

    /// As [`bind`](Self::bind), for SQL in pieces.
    pub(super) fn bind_pieces(self, db: &Db, sql: &[&'static str]) -> Result<Statement, PortError> {
        self.bind_parts(db, Parts { words: sql, columns: &[] }, &|| sql.concat())
    }

    /// As [`bind`](Self::bind), for SQL that differs from one time to the next.
    pub(super) fn bind_once(self, db: &Db, sql: &str) -> Result<Statement, PortError> {
        db.count_statement(&|| sql.into());
        self.0.end(sql).ok_or_else(|| corrupt("statement"))
    }

    /// The rows that the statement answers.
    pub(super) async fn rows(self, db: &Db, sql: &'static str) -> Result<Vec<Row>, PortError> {
        db.rows(self.bind(db, sql)?).await
    }

    /// How many rows the statement answers.
    pub(super) async fn count(self, db: &Db, sql: &'static str) -> Result<u32, PortError> {
        Ok(u32::try_from(self.rows(db, sql).await?.len()).unwrap_or(u32::MAX))
    }

    /// The first row that the statement answers.
    pub(super) async fn first(self, db: &Db, sql: &'static str) -> Result<Option<Row>, PortError> {
        Ok(self.rows(db, sql).await?.into_iter().next())
    }

    /// Runs the statement for its effect.
    pub(super) async fn run(self, db: &Db, sql: &'static str) -> Result<(), PortError> {
        db.run(self.bind(db, sql)?).await
    }
}

/// Columns of one row that is written, each with its value.
pub(super) struct Columns {
    /// The name of each and its placeholder.
    named: Vec<(&'static str, &'static str)>,
    values: Values,
}

impl Default for Columns {
    fn default() -> Self {
        Self { named: Vec::with_capacity(40), values: Values(Statement::of_row()) }
    }
}

impl Columns {
    /// A text.
    pub(super) fn text(self, column: &'static str, text: &str) -> Self {
        self.optional_text(column, Some(text))
    }

    /// A text or NULL.
    pub(super) fn optional_text(mut self, column: &'static str, text: Option<&str>) -> Self {
        self.named.push((column, "?"));
        Self { values: self.values.optional_text(text), named: self.named }
    }

    /// A whole number.
    pub(super) fn number(self, column: &'static str, number: impl Into<i64>) -> Self {
        self.optional_number(column, Some(number.into()))
    }

    /// A whole number or NULL.
    pub(super) fn optional_number(mut self, column: &'static str, number: Option<i64>) -> Self {
        self.named.push((column, "CAST(? AS INTEGER)"));
        Self { values: self.values.optional_number(number), named: self.named }
    }

    /// A value that the database computes from `values`.
    pub(super) fn expression(mut self, column: &'static str, sql: &'static str, values: Values) -> Self {
        self.named.push((column, sql));
        Self { values: self.values.followed_by(values), named: self.named }
    }

    /// A moment in milliseconds.
    pub(super) fn time(self, column: &'static str, time: Timestamp) -> Self {
        self.number(column, time.millis())
    }

    /// A moment in milliseconds or NULL.
    pub(super) fn optional_time(self, column: &'static str, time: Option<Timestamp>) -> Self {
        self.optional_number(column, time.map(Timestamp::millis))
    }

    /// Minor units in one column, the code of their currency in another.
    pub(super) fn money(self, column: &'static str, currency: &'static str, money: Money) -> Self {
        self.number(column, money.minor()).text(currency, money.currency().code())
    }

    /// As [`money`](Self::money), or both NULL.
    pub(super) fn optional_money(
        self,
        column: &'static str,
        currency: &'static str,
        money: Option<Money>,
    ) -> Self {
        match money {
            Some(money) => self.money(column, currency, money),
            None => self.optional_number(column, None).optional_text(currency, None),
        }
    }

    /// Inserts the row.
    pub(super) fn insert(self, db: &Db, table: &'static str) -> Result<Statement, PortError> {
        self.insert_or(db, table, "")
    }

    /// Inserts the row, or does what `conflict` says if it exists already.
    pub(super) fn insert_or(
        self,
        db: &Db,
        table: &'static str,
        conflict: &'static str,
    ) -> Result<Statement, PortError> {
        let Self { named, values } = self;
        let parts = Parts { words: &["INSERT INTO", table, conflict], columns: &named };
        values.bind_parts(db, parts, &|| {
            let (names, places): (Vec<_>, Vec<_>) = named.iter().copied().unzip();
            format!("INSERT INTO {table} ({}) VALUES ({}){conflict}", names.join(", "), places.join(", "))
        })
    }

    /// Updates the rows of `condition`, whose placeholders take `values`.
    pub(super) fn update(
        self,
        db: &Db,
        table: &'static str,
        condition: &'static str,
        values: Values,
    ) -> Result<Statement, PortError> {
        let Self { named, values: written } = self;
        let parts = Parts { words: &["UPDATE", table, condition], columns: &named };
        written.followed_by(values).bind_parts(db, parts, &|| {
            let sets: Vec<String> = named.iter().map(|(name, place)| format!("{name} = {place}")).collect();
            format!("UPDATE {table} SET {} WHERE {condition}", sets.join(", "))
        })
    }
}

pub(super) fn json(value: &impl serde::Serialize, column: &str) -> Result<String, PortError> {
    serde_json::to_string(value).map_err(|_| corrupt(column))
}
