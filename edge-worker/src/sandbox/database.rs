//! How the tables of the sandbox are reached. Every value is bound as text: the binding turns numbers into floats.

use checkout_core::port::PortError;
use serde::de::DeserializeOwned;
use worker::{D1Database, D1PreparedStatement, D1Result, D1Type};

const PORT: &str = "sandbox";

/// A statement with its values.
pub(super) fn statement(
    db: &D1Database,
    sql: &str,
    values: &[&str],
) -> Result<D1PreparedStatement, PortError> {
    let values: Vec<D1Type<'_>> = values.iter().copied().map(D1Type::Text).collect();
    db.prepare(sql).bind_refs(&values).map_err(|error| failed(&error))
}

/// Runs statements as one transaction; one result each, in their order.
pub(super) async fn batch(
    db: &D1Database,
    statements: Vec<D1PreparedStatement>,
) -> Result<Vec<D1Result>, PortError> {
    db.batch(statements).await.map_err(|error| failed(&error))
}

/// The rows of the statement at `place` of a batch.
pub(super) fn rows<T: DeserializeOwned>(results: &[D1Result], place: usize) -> Result<Vec<T>, PortError> {
    match results.get(place) {
        Some(result) => result.results().map_err(|error| failed(&error)),
        None => Ok(Vec::new()),
    }
}

/// A stored value that cannot be what it is.
pub(super) fn corrupt(place: &str) -> PortError {
    PortError { port: PORT, detail: format!("corrupt {place}") }
}

fn failed(error: &worker::Error) -> PortError {
    // Printing the error of D1 itself panics in this version of the binding; its message does not.
    let detail = if let worker::Error::D1(error) = error {
        AsRef::<js_sys::Error>::as_ref(error).message().into()
    } else {
        error.to_string()
    };
    PortError { port: PORT, detail }
}
