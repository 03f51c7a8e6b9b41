//! What is due, in turns of the merchants and their lanes.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Rows;
use super::delivery::StoredDelivery;
use crate::attempt::Attempt;
use crate::child::Child;
use crate::payment::chase::Urgency;
use crate::port::{Due, DueRow, GatewayFamily};
use crate::record::outbox::ALERT_LANE;
use crate::record::receiver::origin;
use crate::transaction::Transaction;
use crate::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

/// A row that was found: whether it failed before, and since when it is due.
pub(super) type Found<T> = ((bool, Timestamp), DueRow<T>);

/// Orders rows in turns: a few of each lane, those of a merchant alternating between the lanes, and one of
/// each merchant after the other.
pub(super) fn by_turns<T>(due: &Due<'_>, rows: impl Iterator<Item = Found<T>>) -> Vec<DueRow<T>> {
    let mut rows: Vec<Found<T>> = rows.collect();
    rows.sort_by_key(|((_, since), _)| *since);
    let mut of_lane: BTreeMap<(MerchantId, String), u32> = BTreeMap::new();
    let mut placed: Vec<(u32, Found<T>)> = Vec::new();
    for row in rows {
        let place = of_lane.entry((row.1.merchant.clone(), row.1.lane.clone())).or_default();
        *place = place.saturating_add(1);
        if *place <= due.share {
            placed.push((*place, row));
        }
    }
    placed.sort_by_key(|(place, ((_, since), _))| (*place, *since));
    let mut of_merchant: BTreeMap<MerchantId, u32> = BTreeMap::new();
    let mut turns: Vec<((bool, u32, Timestamp), DueRow<T>)> = Vec::new();
    for (_, ((has_failed, since), row)) in placed {
        let turn = of_merchant.entry(row.merchant.clone()).or_default();
        *turn = turn.saturating_add(1);
        turns.push(((has_failed, *turn, since), row));
    }
    super::first(turns.into_iter().enumerate().map(|(n, (key, row))| ((key, n), row)), due.limit)
}

impl Rows {
    pub(super) fn due_expiries(&self, due: &Due<'_>) -> Vec<DueRow<SessionId>> {
        let is_over = |transaction: &&Transaction| {
            let id = &transaction.session_id;
            !self.hidden.contains(id)
                && transaction.state.is_payable()
                && transaction.is_over(due.now)
                && self.is_looked_at(due, &transaction.merchant)
                && self.is_unrung(due, id.as_str())
                && self.open_attempt(id).is_none()
        };
        let over = self.transactions.values().filter(is_over).map(|transaction| {
            let item = transaction.session_id.clone();
            let turn =
                DueRow { item, merchant: transaction.merchant.clone(), lane: String::new(), family: None };
            ((false, transaction.expires_at), turn)
        });
        by_turns(due, over)
    }

    pub(super) fn due_inquiries(&self, due: &Due<'_>, urgency: Urgency) -> Vec<DueRow<ReferenceNumber>> {
        let is_urgent = |attempt: &&Attempt| {
            Urgency::of(attempt.stage) == Some(urgency)
                && self.is_looked_at(due, &attempt.merchant)
                && self.is_unrung(due, attempt.reference.as_str())
        };
        let waiting = self.attempts.values().filter(is_urgent).filter_map(|attempt| {
            let since = attempt.inquire_at.filter(|at| *at <= due.now)?;
            let family = GatewayFamily { pg_name: &attempt.pg_name, is_sandbox: attempt.is_sandbox };
            let code = attempt.pg_code.to_string();
            let turn = DueRow::of_gateway(attempt.reference.clone(), attempt.merchant.clone(), code, family);
            Some(((false, since), turn))
        });
        by_turns(due, waiting)
    }

    pub(super) fn due_operations(&self, due: &Due<'_>) -> Vec<DueRow<ReferenceNumber>> {
        let is_open = |child: &&Child| {
            child.is_open()
                && self.is_looked_at(due, &child.merchant)
                && self.is_unrung(due, child.reference.as_str())
        };
        let waiting = self.children.values().filter(is_open).filter_map(|child| {
            let since = child.inquire_at.filter(|at| *at <= due.now)?;
            let attempt = self.attempts.get(&child.attempt)?;
            let family = GatewayFamily { pg_name: &attempt.pg_name, is_sandbox: child.is_sandbox };
            let code = child.pg_code.to_string();
            let turn = DueRow::of_gateway(child.reference.clone(), child.merchant.clone(), code, family);
            Some(((false, since), turn))
        });
        by_turns(due, waiting)
    }

    pub(super) fn due_deliveries(&self, due: &Due<'_>) -> Vec<DueRow<DeliveryId>> {
        let is_due = |row: &&StoredDelivery| {
            row.is_free(due.now)
                && row.message.due_at <= due.now
                && self.is_looked_at(due, &row.message.merchant)
                && self.is_unrung(due, row.message.id.as_str())
        };
        let found = self.deliveries.values().filter(is_due).map(|row| {
            let message = &row.message;
            let of_alerts = if message.kind.is_alert() { ALERT_LANE } else { "" };
            let lane = [of_alerts, origin(message.recipient.address())].concat();
            let turn =
                DueRow { item: message.id.clone(), merchant: message.merchant.clone(), lane, family: None };
            ((row.failed_tries > 0, message.due_at), turn)
        });
        by_turns(due, found)
    }
}
