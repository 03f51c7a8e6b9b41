//! Builds statements. Every value is bound as text, and whole numbers are cast in SQL: a number that is bound
//! reaches `SQLite` as a floating-point number.

use std::cell;
use std::rc::Rc;

use checkout_core::port::PortError;
use checkout_core::value::id::MerchantId;
use checkout_core::value::money::Money;
use checkout_core::value::time::Timestamp;
use wasm_bindgen::JsValue;
use worker::D1Database;

use super::ahead::Ahead;
use super::fault::{D1Fault, corrupt, failed};
use super::proof::{GUARD, Proof, STANDS};
use super::row::Row;
use crate::platform::{Cell, message_of};

pub(super) use worker::D1PreparedStatement as Statement;

/// The database of one request or run, which counts the statements that it is given, because the platform limits them, and
/// how often it was asked, because each time is a round trip.
pub(super) struct Db {
    inner: Rc<D1Database>,
    statements: cell::Cell<u32>,
    round_trips: cell::Cell<u32>,
    /// What was read with the caller of a request.
    pub(super) ahead: Ahead,
    /// The version of the settings of the merchant of which something was read just now.
    pub(super) version: cell::RefCell<Option<(MerchantId, i64)>>,
    /// Whether who was recalled is who they were.
    pub(super) proof: Proof,
}

impl Db {
    /// The database of a binding.
    pub(super) fn new(inner: Rc<D1Database>) -> Self {
        Self {
            inner,
            statements: cell::Cell::new(0),
            round_trips: cell::Cell::new(0),
            ahead: Ahead::default(),
            version: cell::RefCell::default(),
            proof: Proof::default(),
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
    fn count_statement(&self, sql: &str) {
        #[cfg(feature = "contract")]
        super::made::note(sql);
        self.statements.set(self.statements.get().saturating_add(1));
    }

    fn count_round_trip(&self) {
        self.round_trips.set(self.round_trips.get().saturating_add(1));
    }

    /// Runs statements as one transaction, which stores nothing if the caller is not who was recalled.
    pub(super) async fn batch(&self, mut statements: Vec<Statement>) -> Result<(), D1Fault> {
        self.ahead.clear();
        self.version.take();
        let guard = self.to_prove(GUARD).map_err(|error| D1Fault(error.detail))?;
        let is_guarded = guard.is_some();
        if let Some(guard) = guard {
            statements.insert(0, guard);
        }
        self.count_round_trip();
        let ended = self.inner.batch(statements).await.map(drop).map_err(|error| D1Fault(message_of(&error)));
        if is_guarded {
            self.proof.learn(&ended);
        }
        ended
    }

    /// The rows that a statement answers to a caller who is who was recalled.
    pub(super) async fn rows(&self, statement: Statement) -> Result<Vec<Row>, PortError> {
        if !self.prove().await? {
            return Err(Proof::refuted());
        }
        self.rows_of_anyone(statement).await
    }

    /// A statement about who was recalled; `None` if nothing is to be proved.
    fn to_prove(&self, sql: &'static str) -> Result<Option<Statement>, PortError> {
        let Some(values) = self.proof.values()? else { return Ok(None) };
        let each = |values: Values, text: &Option<String>| values.optional_text(text.as_deref());
        values.iter().fold(Values::default(), each).bind(self, sql).map(Some)
    }

    /// Whether who was recalled is still who they were; true if nobody was.
    pub(super) async fn prove(&self) -> Result<bool, PortError> {
        if self.proof.is_refuted() {
            return Ok(false);
        }
        let Some(statement) = self.to_prove(STANDS)? else { return Ok(true) };
        let stands = !self.rows_of_anyone(statement).await?.is_empty();
        self.proof.settle(stands);
        Ok(stands)
    }

    /// The rows that a statement answers to anyone.
    pub(super) async fn rows_of_anyone(&self, statement: Statement) -> Result<Vec<Row>, PortError> {
        self.count_round_trip();
        let rows = statement.raw::<Cell>().await.map_err(|error| failed(&D1Fault(message_of(&error))))?;
        Ok(rows.into_iter().map(Row::of).collect())
    }

    /// Runs a statement for its effect.
    pub(super) async fn run(&self, statement: Statement) -> Result<(), PortError> {
        self.batch(vec![statement]).await.map_err(|error| failed(&error))
    }
}

/// Values for the placeholders of a statement, in their order.
#[derive(Default)]
pub(super) struct Values(Vec<JsValue>);

impl Values {
    /// A text.
    pub(super) fn text(self, text: &str) -> Self {
        self.optional_text(Some(text))
    }

    /// A text or NULL.
    pub(super) fn optional_text(mut self, text: Option<&str>) -> Self {
        self.0.push(text.map_or(JsValue::NULL, JsValue::from_str));
        self
    }

    /// A whole number, for a placeholder `CAST(? AS INTEGER)`.
    pub(super) fn number(self, number: impl Into<i64>) -> Self {
        self.optional_number(Some(number.into()))
    }

    /// A whole number or NULL, for a placeholder `CAST(? AS INTEGER)`.
    pub(super) fn optional_number(self, number: Option<i64>) -> Self {
        self.optional_text(number.map(|number| number.to_string()).as_deref())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// With the values of another after its own.
    pub(super) fn followed_by(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The statement with these values.
    pub(super) fn bind(self, db: &Db, sql: &str) -> Result<Statement, PortError> {
        db.count_statement(sql);
        let bound = db.inner.prepare(sql).bind(&self.0);
        bound.map_err(|error| failed(&D1Fault(message_of(&error))))
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
#[derive(Default)]
pub(super) struct Columns {
    /// The name of each and its placeholder.
    named: Vec<(&'static str, &'static str)>,
    values: Values,
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
        let (names, places): (Vec<_>, Vec<_>) = named.into_iter().unzip();
        let (names, places) = (names.join(", "), places.join(", "));
        values.bind(db, &format!("INSERT INTO {table} ({names}) VALUES ({places}){conflict}"))
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
        let sets: Vec<String> = named.iter().map(|(name, place)| format!("{name} = {place}")).collect();
        let sql = format!("UPDATE {table} SET {} WHERE {condition}", sets.join(", "));
        written.followed_by(values).bind(db, &sql)
    }
}

pub(super) fn json(value: &impl serde::Serialize, column: &str) -> Result<String, PortError> {
    serde_json::to_string(value).map_err(|_| corrupt(column))
}
