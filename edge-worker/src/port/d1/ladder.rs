//! The table `debit_ladder` in a change, and what it means for agreements.

use checkout_core::card::CardToken;
use checkout_core::card::agreement::{AgreementKey, Pause};
use checkout_core::card::ladder::{LIMITS, Ladder, LadderWrite, TryClaim};
use checkout_core::card::usage::{CardUse, ChargeInitiator};
use checkout_core::port::PortError;
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::value::time::Timestamp;

use super::card::of_holder;
use super::pause::{PauseEnd, close_pause};
use super::statement::{Columns, Db, Statement, Values};

/// Debits of a card that had no success or are open.
macro_rules! tried {
    () => {
        "FROM attempt r WHERE r.merchant_id = ? AND r.card_use IN (?, ?) AND r.card_use <> '' \
         AND r.stage <> 'success' AND r.opened_at > CAST(? AS INTEGER)"
    };
}

pub(super) use tried;

/// That a card is within each of the limits, to be added to the guard of a change.
pub(super) const CARD_MAY_BE_TRIED: &str = concat!(
    " AND (SELECT COUNT(*) ",
    tried!(),
    ") < CAST(? AS INTEGER) AND (SELECT COUNT(*) ",
    tried!(),
    ") < CAST(? AS INTEGER)"
);

/// The values of [`CARD_MAY_BE_TRIED`].
pub(super) fn card_values(values: Values, claim: &TryClaim, merchant: &MerchantId) -> Values {
    LIMITS.into_iter().fold(values, |values, (window, most)| {
        tries_of(values, merchant, &claim.card, claim.at.minus(window)).number(most)
    })
}

pub(super) fn tries_of(values: Values, merchant: &MerchantId, card: &CardToken, since: Timestamp) -> Values {
    let by = |initiator| CardUse::Charge(card.clone(), initiator).to_text();
    values
        .text(merchant.as_str())
        .text(&by(ChargeInitiator::Merchant))
        .text(&by(ChargeInitiator::Payer))
        .number(since.millis())
}

pub(super) fn pause_values(key: &AgreementKey, pause: &Pause) -> Values {
    let values = Values::default().number(pause.at.millis());
    let values = values.text(pause.reason.as_str()).text(pause.session_id.as_str());
    of_holder(values, &key.holder).text(&key.id)
}

/// The statements of a change for the ladder of its transaction.
pub(super) fn write(
    db: &Db,
    session_id: &SessionId,
    write: &LadderWrite,
    at: Timestamp,
) -> Result<Vec<Statement>, PortError> {
    const DELETE: &str = "DELETE FROM debit_ladder WHERE session_id = ?";
    const PAUSE: &str = "UPDATE agreement SET paused_at = CAST(? AS INTEGER), pause_reason = ?, paused_by = ? \
         WHERE merchant_id = ? AND customer_id = ? AND is_sandbox = CAST(? AS INTEGER) AND id = ?";
    match write {
        LadderWrite::Wait(ladder) => Ok(vec![upsert(db, ladder)?]),
        LadderWrite::End(paused) => {
            let mut statements = vec![Values::default().text(session_id.as_str()).bind(db, DELETE)?];
            if let Some((key, pause)) = paused {
                statements.push(close_pause(db, key, PauseEnd::Changed(at))?);
                statements.push(pause_values(key, pause).bind(db, PAUSE)?);
            }
            Ok(statements)
        }
    }
}

fn upsert(db: &Db, ladder: &Ladder) -> Result<Statement, PortError> {
    Columns::default()
        .text("session_id", ladder.session_id.as_str())
        .text("merchant_id", ladder.merchant.as_str())
        .text("pg_code", ladder.pg_code.as_str())
        .number("tries", ladder.tries)
        .text("reason", ladder.reason.as_str())
        .time("next_at", ladder.next_at)
        .insert_or(
            db,
            "debit_ladder",
            " ON CONFLICT (session_id) DO UPDATE SET pg_code = excluded.pg_code, tries = excluded.tries, \
             reason = excluded.reason, next_at = excluded.next_at",
        )
}
