//! Adding up payments: all of them are looked at.

use alloc::vec::Vec;

use super::{MemoryStore, Rows};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::port::{DayTotals, PortError};
use crate::transaction::totals::{CountKind, Day, DayCount, WantedTotals};
use crate::value::money::{Money, SumOfMoney};
use crate::value::time::{Date, Timestamp};
use crate::words::ChildOperation;

impl DayTotals for MemoryStore {
    async fn count_days(&self, wanted: &WantedTotals) -> Result<Vec<DayCount>, PortError> {
        Ok(self.rows.borrow().counts(wanted))
    }
}

/// The day of a moment.
fn day_of(days: &[Day], at: Timestamp) -> Option<Date> {
    days.iter().find(|day| day.from <= at && at < day.until).map(|day| day.date)
}

fn sum(money: Money) -> SumOfMoney {
    SumOfMoney::new(money.minor(), money.currency())
}

impl Rows {
    /// One count for each row: they are added up by whom asks.
    fn counts(&self, wanted: &WantedTotals) -> Vec<DayCount> {
        let days = &wanted.days;
        let is_shown = |session_id| !self.hidden.contains(session_id);
        let own = self.transactions.values().filter(|each| each.merchant == wanted.merchant);
        let paid = own.filter(|each| is_shown(&each.session_id)).filter_map(|each| {
            let settlement = each.settlement.as_ref()?;
            let paid = settlement.paid?;
            let fees = paid.checked_sub(settlement.settled).unwrap_or(Money::zero(paid.currency()));
            Some(DayCount {
                day: day_of(days, *self.paid_at.get(&each.session_id)?)?,
                pg_code: settlement.pg_code.clone(),
                of: CountKind::Paid,
                count: 1,
                moved: sum(paid),
                fees: sum(fees),
            })
        });
        let children = self.children.values().filter(|child| child.merchant == wanted.merchant);
        let refunded =
            children.filter(|child| is_shown(&child.parent)).filter_map(|child| self.refund(days, child));
        let attempts = self.attempts.values().filter(|attempt| attempt.merchant == wanted.merchant);
        let failed = attempts.filter_map(|attempt| failure(days, attempt));
        paid.chain(refunded).chain(failed).collect()
    }

    fn refund(&self, days: &[Day], child: &Child) -> Option<DayCount> {
        let is_done = child.operation == ChildOperation::Refund && child.stage == OperationStage::Done;
        let counts = is_done && self.settled_by(&child.parent) == Some(&child.attempt);
        counts.then_some(())?;
        Some(DayCount {
            day: day_of(days, child.known_at)?,
            pg_code: child.pg_code.clone(),
            of: CountKind::Refunded,
            count: 1,
            moved: sum(child.amount),
            fees: SumOfMoney::zero(child.amount.currency()),
        })
    }
}

fn failure(days: &[Day], attempt: &Attempt) -> Option<DayCount> {
    matches!(attempt.stage, Stage::Failed | Stage::Error).then_some(())?;
    let nothing = SumOfMoney::zero(attempt.principal.currency());
    Some(DayCount {
        day: day_of(days, attempt.known_at)?,
        pg_code: attempt.pg_code.clone(),
        of: CountKind::Failed,
        count: 1,
        moved: nothing,
        fees: nothing,
    })
}
