//! What the attention list says of agreements that are paused.

use checkout_core::card::agreement::AgreementKey;
use checkout_core::port::PortError;
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::value::time::Timestamp;

use super::statement::{Db, Statement, Values};

/// Closes what the attention list says of the paused agreements of a customer, or of one of them.
macro_rules! close_pauses {
    ($offset:literal, $which:literal) => {
        concat!(
            "UPDATE attention SET how = 'resumed', closed_at = CAST(? AS INTEGER) ",
            $offset,
            "WHERE closed_at IS NULL AND reason = 'agreement_paused' AND session_id IN (SELECT g.paused_by FROM agreement g \
             WHERE g.merchant_id = ? AND g.customer_id = ?",
            $which,
            " AND g.paused_by IS NOT NULL)"
        )
    };
}

/// What ends the pause of an agreement, and when.
#[derive(Clone, Copy)]
pub(super) enum PauseEnd<'a> {
    /// Someone resumed it, in real time.
    Resumed(Timestamp),
    /// A change of a transaction, in the merchant's time.
    Changed(Timestamp),
    /// Another pause, by the ladder of a transaction that is claimed until a moment, in the merchant's time.
    Claimed(Timestamp, &'a SessionId, Timestamp),
}

/// Closes what the attention list says of an agreement that is paused.
pub(super) fn close_pause(db: &Db, key: &AgreementKey, end: PauseEnd<'_>) -> Result<Statement, PortError> {
    const RESUMED: &str = close_pauses!("", " AND g.is_sandbox = CAST(? AS INTEGER) AND g.id = ?");
    const CHANGED: &str = close_pauses!(
        "- (SELECT clock_offset FROM merchant WHERE id = attention.merchant_id) ",
        " AND g.is_sandbox = CAST(? AS INTEGER) AND g.id = ?"
    );
    const CLAIMED: &str = close_pauses!(
        "- (SELECT clock_offset FROM merchant WHERE id = attention.merchant_id) ",
        " AND g.is_sandbox = CAST(? AS INTEGER) AND g.id = ? AND EXISTS (SELECT 1 FROM debit_ladder l \
         WHERE l.session_id = ? AND l.next_at = CAST(? AS INTEGER))"
    );
    let AgreementKey { holder, id } = key;
    let of_key = |at: Timestamp| {
        let values = Values::default().number(at.millis()).text(holder.merchant.as_str());
        values.text(&holder.customer_id).number(holder.is_sandbox).text(id)
    };
    match end {
        PauseEnd::Resumed(at) => of_key(at).bind(db, RESUMED),
        PauseEnd::Changed(at) => of_key(at).bind(db, CHANGED),
        PauseEnd::Claimed(at, session_id, until) => {
            of_key(at).text(session_id.as_str()).number(until.millis()).bind(db, CLAIMED)
        }
    }
}

/// The same of every agreement of a customer.
pub(super) fn close_pauses(
    db: &Db,
    merchant: &MerchantId,
    customer_id: &str,
    at: Timestamp,
) -> Result<Statement, PortError> {
    const SQL: &str = close_pauses!("", "");
    Values::default().number(at.millis()).text(merchant.as_str()).text(customer_id).bind(db, SQL)
}
