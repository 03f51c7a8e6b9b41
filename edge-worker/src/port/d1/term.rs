//! The table `payment_term`: by what a search finds payments.

use checkout_core::change::{Change, EventKind};
use checkout_core::port::PortError;
use checkout_core::transaction::listing::search::Term;
use checkout_core::value::id::SessionId;

use super::statement::{Db, Statement, Values, json};

/// What a change says of its payer replaces what was stored, and the digits of a card are added. The transaction exists.
pub(super) fn write(db: &Db, change: &Change) -> Result<Vec<Statement>, PortError> {
    const INSERT: &str = "INSERT OR IGNORE INTO payment_term (merchant_id, kind, digest, created_at, session_id) \
         SELECT t.merchant_id, j.value ->> 0, j.value ->> 1, t.created_at, t.session_id \
         FROM json_each(?) j CROSS JOIN txn t WHERE t.session_id = ?";
    const DELETE: &str = "DELETE FROM payment_term WHERE session_id = ? AND kind IN ('email', 'phone')";
    let session_id = change.transaction.session_id.as_str();
    let mut statements = Vec::new();
    if change.contact.is_some() && change.event != EventKind::Created {
        statements.push(Values::default().text(session_id).bind(db, DELETE)?);
    }
    let terms = change.contact.iter().flatten().chain(&change.digits);
    let terms: Vec<[&str; 2]> = terms.map(|Term { kind, digest }| [kind.as_str(), digest.as_str()]).collect();
    if !terms.is_empty() {
        let terms = json(&terms, "payment_term")?;
        statements.push(Values::default().text(&terms).text(session_id).bind(db, INSERT)?);
    }
    Ok(statements)
}

/// Erases by what a transaction is found.
pub(super) fn erase(db: &Db, session_id: &SessionId) -> Result<Statement, PortError> {
    const SQL: &str = "DELETE FROM payment_term WHERE session_id = ?";
    Values::default().text(session_id.as_str()).bind(db, SQL)
}
