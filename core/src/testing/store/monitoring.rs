//! What is measured and counted.

use alloc::collections::BTreeMap;

use super::{DeliveryState, MemoryStore};
use crate::attempt::stage::Stage;
use crate::port::{AttemptCount, Measures, Monitoring, PortError, SweepTotals, Waiting, Window};
use crate::record::attention::Reason;
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

impl Monitoring for MemoryStore {
    async fn measure(&self, window: Window) -> Result<Measures, PortError> {
        let rows = self.rows.borrow();
        let mut payments = BTreeMap::new();
        let is_shown = |one: &&Transaction| !rows.hidden.contains(&one.session_id);
        for transaction in
            rows.transactions.values().filter(|one| one.created_at > window.payments).filter(is_shown)
        {
            add(payments.entry(transaction.state).or_default());
        }
        let mut attempts = BTreeMap::new();
        for attempt in rows.attempts.values().filter(|one| one.opened_at > window.attempts) {
            add(attempts.entry((attempt.pg_name.clone(), attempt.is_sandbox, attempt.stage)).or_default());
        }
        let is_unknown = |stage| matches!(stage, Stage::Sending | Stage::Unknown);
        let unknown = rows.attempts.values().filter(|one| is_unknown(one.stage) && one.inquire_at.is_some());
        let deliveries = rows.deliveries.values().filter(|row| row.state == DeliveryState::Due);
        let mut attention = BTreeMap::new();
        for flagged in rows.attention.values().filter(|flagged| flagged.closed.is_none()) {
            add(attention.entry(flagged.entry.reason.as_str()).or_default());
        }
        let reasons = attention.into_iter().filter_map(|(word, count)| Some((Reason::parse(word)?, count)));
        Ok(Measures {
            payments: payments.into_iter().collect(),
            attempts: attempts
                .into_iter()
                .map(|((pg_name, is_sandbox, stage), count)| AttemptCount {
                    pg_name,
                    is_sandbox,
                    stage,
                    count,
                })
                .collect(),
            unknown: waiting(unknown.map(|one| one.unknown_since.unwrap_or(one.opened_at))),
            deliveries: waiting(deliveries.map(|row| row.message.due_at)),
            attention: reasons.collect(),
            sweeps: rows.sweeps,
        })
    }

    async fn note_sweep(&self, run: &SweepTotals) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        rows.sweeps = Some(rows.sweeps.map_or(*run, |before| SweepTotals {
            ended_at: run.ended_at,
            runs: before.runs.saturating_add(run.runs),
            inquired: before.inquired.saturating_add(run.inquired),
            expired: before.expired.saturating_add(run.expired),
            delivered: before.delivered.saturating_add(run.delivered),
            reconciled: before.reconciled.saturating_add(run.reconciled),
            failures: before.failures.saturating_add(run.failures),
        }));
        Ok(())
    }
}

fn add(count: &mut u64) {
    *count = count.saturating_add(1);
}

fn waiting(since: impl Iterator<Item = Timestamp>) -> Waiting {
    since.fold(Waiting::default(), |Waiting { count, since }, at| Waiting {
        count: count.saturating_add(1),
        since: Some(since.map_or(at, |known| known.min(at))),
    })
}
