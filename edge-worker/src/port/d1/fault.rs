//! What an error of D1 means. Errors are distinguished by the text of their message, because their kind and
//! their cause differ between the calls of the binding and between its versions.

use checkout_core::port::{CommitError, PortError};

/// The name of this port in the operator's log.
const PORT: &str = "d1";

/// What the database said when it did not run a statement.
pub(super) struct D1Fault(pub(super) String);

/// The stored row does not contain what the column promises.
pub(super) fn corrupt(column: &str) -> PortError {
    PortError { port: PORT, detail: format!("corrupt {column}") }
}

/// The database did not run a statement.
pub(super) fn failed(error: &D1Fault) -> PortError {
    PortError { port: PORT, detail: error.0.clone() }
}

/// Why a batch that stores a change was refused.
pub(super) fn commit_error(error: &D1Fault) -> CommitError {
    let detail = error.0.clone();
    if is_taken(&detail, "answer.merchant_id")
        || is_taken(&detail, "child.merchant_id")
        || is_taken(&detail, "approval.merchant_id")
    {
        return CommitError::KeyTaken;
    }
    let lost_races = [
        "txn.session_id",
        "txn_event.session_id",
        "attempt.session_id",
        "child.parent_id",
        "approval.attempt",
        "short_link.session_id",
        "short_link.code",
        "card.merchant_id",
    ];
    if lost_races.into_iter().any(|column| is_taken(&detail, column)) {
        return CommitError::Conflict;
    }
    CommitError::Failed(PortError { port: PORT, detail })
}

/// Whether a statement broke the rule of a column, or with none given, of any.
pub(super) fn is_broken(error: &D1Fault, column: &str) -> bool {
    is_taken(&error.0, column)
}

/// Whether a row of this key exists already.
pub(super) fn is_duplicate(error: &D1Fault, column: &str) -> bool {
    is_taken(&error.0, column)
}

/// `UNIQUE constraint failed: txn_event.session_id, txn_event.number`, or `NOT NULL constraint failed:
/// txn_event.session_id` if the guard of a change found no row.
fn is_taken(message: &str, column: &str) -> bool {
    message.split_once("constraint failed: ").is_some_and(|(_, columns)| columns.starts_with(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_every_version_of_the_binding_are_distinguished() {
        for (message, column) in [
            (
                "D1_ERROR: UNIQUE constraint failed: txn_event.session_id, txn_event.number: SQLITE_CONSTRAINT",
                "txn_event.session_id",
            ),
            ("NOT NULL constraint failed: txn_event.session_id: SQLITE_CONSTRAINT", "txn_event.session_id"),
            (
                "D1_ERROR: UNIQUE constraint failed: attempt.session_id: SQLITE_CONSTRAINT",
                "attempt.session_id",
            ),
            (
                "UNIQUE constraint failed: answer.merchant_id, answer.operation, answer.key",
                "answer.merchant_id",
            ),
        ] {
            assert!(is_taken(message, column), "{message}");
        }
    }

    #[test]
    fn other_failures_are_no_lost_race() {
        for message in [
            "D1_ERROR: illegal move of txn.state: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_TRIGGER)",
            "FOREIGN KEY constraint failed: SQLITE_CONSTRAINT",
            "UNIQUE constraint failed: attempt.reference: SQLITE_CONSTRAINT",
            "Network connection lost",
        ] {
            assert!(!is_taken(message, "txn.session_id"), "{message}");
            assert!(!is_taken(message, "attempt.session_id"), "{message}");
        }
    }
}
