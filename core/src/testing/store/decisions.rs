//! What routing needs to decide, and what it decided.

use alloc::vec::Vec;

use super::{MemoryStore, Rows};
use crate::change::Change;
use crate::port::{Decisions, PortError};
use crate::record::decision::RoutingDecision;
use crate::record::health::{Health, HealthWrite, Seen};
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

/// The failures of one gateway.
#[derive(Debug, Clone)]
pub(super) struct Failing {
    pub(super) failures: u32,
    failed_at: Timestamp,
    pub(super) session_id: SessionId,
    pub(super) skipped_until: Option<Timestamp>,
    /// The attempt of the entry of the attention list.
    pub(super) flagged: Option<ReferenceNumber>,
}

impl Decisions for MemoryStore {
    async fn health(&self, merchant: &MerchantId, now: Timestamp) -> Result<Vec<Health>, PortError> {
        let rows = self.rows.borrow();
        let of_merchant = rows.health.iter().filter(|((owner, _), _)| owner == merchant);
        let health = of_merchant.map(|((_, code), failing)| Health {
            code: code.clone(),
            failures: failing.failures,
            is_skipped: failing.skipped_until.is_some_and(|until| until > now),
        });
        Ok(health.collect())
    }

    async fn decisions(&self, session_id: &SessionId) -> Result<Vec<RoutingDecision>, PortError> {
        let rows = self.rows.borrow();
        let of_transaction = rows.decisions.iter().filter(|(owner, _)| owner == session_id);
        Ok(of_transaction.map(|(_, decision)| decision.clone()).collect())
    }
}

impl Rows {
    pub(super) fn write_routing(&mut self, change: &Change) {
        if let Some(decision) = &change.decision {
            self.decisions.push((change.transaction.session_id.clone(), decision.as_ref().clone()));
        }
        if let Some(write) = &change.health {
            self.write_health(write, &change.transaction.session_id);
        }
    }

    fn write_health(&mut self, write: &HealthWrite, session_id: &SessionId) {
        let key = (write.merchant.clone(), write.code.clone());
        let Seen::Failed { at, counted_from, skipped_from, skipped_until } = write.seen else {
            self.health.remove(&key);
            return;
        };
        let before = self.health.get(&key).filter(|before| before.failed_at >= counted_from);
        let failures = before
            .map_or(1, |before| before.failures.saturating_add(u32::from(before.session_id != *session_id)));
        let flagged = before.and_then(|before| before.flagged.clone());
        let skipped_until = if failures >= skipped_from { Some(skipped_until) } else { None };
        let session_id = session_id.clone();
        self.health.insert(key, Failing { failures, failed_at: at, session_id, skipped_until, flagged });
    }
}
