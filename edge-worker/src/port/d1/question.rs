//! Who asks gateways about an attempt, and how often.

use checkout_core::payment::chase::{COST_OF_QUESTION, QUESTIONS_AHEAD};
use checkout_core::port::PortError;
use checkout_core::value::id::ReferenceNumber;
use checkout_core::value::time::Timestamp;

use super::statement::{Db, Values};

/// Claims the inquiry about an attempt that is due at a moment; how many in a row were begun without a record.
pub(super) async fn claim_inquiry(
    db: &Db,
    reference: &ReferenceNumber,
    due_at: Timestamp,
    until: Timestamp,
) -> Result<Option<u32>, PortError> {
    const SQL: &str = "UPDATE attempt SET inquire_at = CAST(? AS INTEGER), lost_inquiries = lost_inquiries + 1 \
         WHERE reference = ? AND inquire_at = CAST(? AS INTEGER) RETURNING lost_inquiries";
    let values = Values::default().number(until.millis()).text(reference.as_str()).number(due_at.millis());
    let claimed = values.first(db, SQL).await?;
    claimed.map(|mut row| row.small("attempt.lost_inquiries")).transpose()
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

/// No inquiry about an attempt is due any more.
pub(super) async fn end_inquiries(db: &Db, reference: &ReferenceNumber) -> Result<(), PortError> {
    const SQL: &str = "UPDATE attempt SET inquire_at = NULL, lost_inquiries = 0 WHERE reference = ?";
    Values::default().text(reference.as_str()).run(db, SQL).await
}

/// Postpones the inquiry about an attempt.
pub(super) async fn postpone_inquiry(
    db: &Db,
    reference: &ReferenceNumber,
    until: Timestamp,
) -> Result<(), PortError> {
    const SQL: &str = "UPDATE attempt SET inquire_at = CAST(? AS INTEGER) \
         WHERE reference = ? AND inquire_at IS NOT NULL RETURNING reference";
    Values::default().number(until.millis()).text(reference.as_str()).first(db, SQL).await?;
    Ok(())
}
