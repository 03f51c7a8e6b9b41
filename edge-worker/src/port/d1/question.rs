//! Who asks gateways about an attempt or an operation, and how often.

use checkout_core::payment::chase::{COST_OF_QUESTION, QUESTIONS_AHEAD};
use checkout_core::port::PortError;
use checkout_core::value::id::ReferenceNumber;
use checkout_core::value::time::Timestamp;

use super::statement::{Db, Values};

/// About what a gateway is asked.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    /// An attempt.
    Attempt,
    /// An operation that is still open.
    Operation,
}

/// The same statement about either: the table, and which of its rows are asked about.
macro_rules! about {
    ($asked:expr, $begin:literal, $middle:literal, $end:literal) => {
        match $asked {
            Asked::Attempt => concat!($begin, "attempt", $middle, $end),
            Asked::Operation => {
                concat!($begin, "child", $middle, " AND stage IN ('sending', 'unknown', 'queued')", $end)
            }
        }
    };
}

/// Claims the inquiry that is due at a moment; how many in a row were begun without a record.
pub(super) async fn claim_inquiry(
    db: &Db,
    asked: Asked,
    reference: &ReferenceNumber,
    due_at: Timestamp,
    until: Timestamp,
) -> Result<Option<u32>, PortError> {
    let sql = about!(
        asked,
        "UPDATE ",
        " SET inquire_at = CAST(? AS INTEGER), lost_inquiries = lost_inquiries + 1 WHERE reference = ?",
        " AND inquire_at = CAST(? AS INTEGER) RETURNING lost_inquiries"
    );
    let values = Values::default().number(until.millis()).text(reference.as_str()).number(due_at.millis());
    let claimed = values.first(db, sql).await?;
    claimed.map(|mut row| row.small("lost_inquiries")).transpose()
}

/// Counts a question about an attempt or an operation that a stranger caused; whether it may be asked.
pub(super) async fn may_ask(
    db: &Db,
    reference: &ReferenceNumber,
    now: Timestamp,
    soon: Timestamp,
) -> Result<bool, PortError> {
    macro_rules! count {
        ($table:literal) => {
            concat!(
                "UPDATE ",
                $table,
                " SET asked_until = MAX(asked_until, CAST(?2 AS INTEGER)) + CAST(?3 AS INTEGER) WHERE reference = ?1 \
                 AND asked_until <= CAST(?2 AS INTEGER) + CAST(?4 AS INTEGER) RETURNING reference"
            )
        };
    }
    const HASTEN: &str = "UPDATE attempt SET inquire_at = CAST(? AS INTEGER) WHERE reference = ? AND inquire_at > CAST(? AS INTEGER)";
    let cost = i64::try_from(COST_OF_QUESTION.as_millis()).unwrap_or(i64::MAX);
    let ahead = cost.saturating_mul(i64::from(QUESTIONS_AHEAD.saturating_sub(1)));
    for sql in [count!("attempt"), count!("child")] {
        let values =
            Values::default().text(reference.as_str()).number(now.millis()).number(cost).number(ahead);
        if values.first(db, sql).await?.is_some() {
            return Ok(true);
        }
    }
    let soon = soon.millis();
    Values::default().number(soon).text(reference.as_str()).number(soon).run(db, HASTEN).await?;
    Ok(false)
}

/// No inquiry is due any more.
pub(super) async fn end_inquiries(
    db: &Db,
    asked: Asked,
    reference: &ReferenceNumber,
) -> Result<(), PortError> {
    let sql = match asked {
        Asked::Attempt => "UPDATE attempt SET inquire_at = NULL, lost_inquiries = 0 WHERE reference = ?",
        Asked::Operation => "UPDATE child SET inquire_at = NULL, lost_inquiries = 0 WHERE reference = ?",
    };
    Values::default().text(reference.as_str()).run(db, sql).await
}

/// Postpones the inquiry.
pub(super) async fn postpone_inquiry(
    db: &Db,
    asked: Asked,
    reference: &ReferenceNumber,
    until: Timestamp,
) -> Result<(), PortError> {
    let sql = about!(
        asked,
        "UPDATE ",
        " SET inquire_at = CAST(? AS INTEGER) WHERE reference = ?",
        " AND inquire_at IS NOT NULL RETURNING reference"
    );
    Values::default().number(until.millis()).text(reference.as_str()).first(db, sql).await?;
    Ok(())
}
