//! What was notified of the attention list, in memory.

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::attention::StoredAttention;
use super::delivery::StoredDelivery;
use super::{Fault, MemoryStore, Rows, failed, first};
use crate::attempt::Attempt;
use crate::port::{Alert, AlertAudience, AlertGroup, Alerts, PortError};
use crate::record::attention::{Attention, Reason, Resolved, Topic};
use crate::record::facts::{FactCode, Facts};
use crate::record::outbox::DeliveryState;
use crate::value::id::{MerchantId, ReferenceNumber};
use crate::value::time::Timestamp;

impl MemoryStore {
    /// The messages of alerts, the oldest first.
    #[must_use]
    pub fn alert_deliveries(&self) -> Vec<StoredDelivery> {
        let rows = self.rows.borrow();
        let alerts = rows.deliveries.values().filter(|row| row.message.kind.is_alert());
        let mut deliveries: Vec<StoredDelivery> = alerts.cloned().collect();
        deliveries.sort_by_key(|row| row.created_at);
        deliveries
    }
}

impl Rows {
    fn flag_gateways(&mut self, now: Timestamp) {
        let mut entries = Vec::new();
        for ((merchant, code), failing) in &mut self.health {
            if failing.skipped_until.is_none_or(|until| until <= now) || failing.flagged.is_some() {
                continue;
            }
            let of_gateway =
                |attempt: &&Attempt| attempt.session_id == failing.session_id && attempt.pg_code == *code;
            let failed = self.attempts.values().filter(of_gateway).max_by_key(|attempt| attempt.number);
            let Some(reference) = failed.map(|attempt| attempt.reference.clone()) else { continue };
            failing.flagged = Some(reference.clone());
            entries.push(Attention {
                merchant: merchant.clone(),
                session_id: Some(failing.session_id.clone()),
                reference,
                reason: Reason::GatewayFailing,
                detail: Facts::default()
                    .and(FactCode::GatewayFailed, &[code.as_str(), &failing.failures.to_string()]),
                at: now,
            });
        }
        for entry in entries {
            let at = now.plus(self.offset_of(&entry.merchant));
            self.flag(&Attention { at, ..entry });
        }
        let flagged: Vec<ReferenceNumber> =
            self.health.values().filter_map(|failing| failing.flagged.clone()).collect();
        for ((reference, reason), stored) in &mut self.attention {
            let is_over = *reason == Reason::GatewayFailing.as_str() && !flagged.contains(reference);
            if is_over && stored.closed.is_none() {
                stored.closed = Some(Resolved { at: now, note: None });
            }
        }
    }

    fn is_unreported(&self, audience: AlertAudience, stored: &StoredAttention) -> bool {
        let (merchant, topic) = (&stored.entry.merchant, stored.entry.reason.topic());
        let settings = self.merchants.get(merchant).map(|stored| &stored.settings.alerts);
        let is_wanted = match audience {
            AlertAudience::Operators => !stored.entry.reason.is_of_merchant(),
            AlertAudience::Merchant => settings.is_some_and(|settings| settings.wants(topic)),
        };
        is_wanted && stored.closed.is_none() && !stored.reported.contains(&audience)
    }

    fn alerts_before(
        &self,
        audience: AlertAudience,
        merchant: &MerchantId,
        topic: Topic,
    ) -> (i64, Option<Timestamp>) {
        let key = (audience.as_str(), merchant.clone(), topic.as_str());
        self.alerts.get(&key).map_or((0, None), |(number, at)| (*number, Some(*at)))
    }
}

impl Alerts for MemoryStore {
    async fn flag_gateways(&self, now: Timestamp) -> Result<(), PortError> {
        self.rows.borrow_mut().flag_gateways(now);
        Ok(())
    }

    async fn unreported_groups(
        &self,
        audience: AlertAudience,
        alerted_until: Timestamp,
        limit: u32,
    ) -> Result<Vec<AlertGroup>, PortError> {
        let rows = self.rows.borrow();
        let mut groups: BTreeMap<(MerchantId, &str), (Timestamp, AlertGroup)> = BTreeMap::new();
        for stored in rows.attention.values().filter(|stored| rows.is_unreported(audience, stored)) {
            let (merchant, topic) = (stored.entry.merchant.clone(), stored.entry.reason.topic());
            let (alerts_before, last) = rows.alerts_before(audience, &merchant, topic);
            if last.is_none_or(|last| last <= alerted_until) {
                let group = AlertGroup { merchant: merchant.clone(), topic, alerts_before };
                let group = groups.entry((merchant, topic.as_str())).or_insert((stored.entry.at, group));
                group.0 = group.0.min(stored.entry.at);
            }
        }
        Ok(first(groups.into_iter().map(|(key, (at, group))| ((at, key), group)), limit))
    }

    async fn unreported_entries(
        &self,
        audience: AlertAudience,
        group: &AlertGroup,
        limit: u32,
    ) -> Result<Vec<Attention>, PortError> {
        let rows = self.rows.borrow();
        let found = rows.attention.iter().filter(|(_, stored)| {
            rows.is_unreported(audience, stored)
                && stored.entry.merchant == group.merchant
                && stored.entry.reason.topic() == group.topic
        });
        Ok(first(found.map(|(key, stored)| ((stored.entry.at, key), stored.entry.clone())), limit))
    }

    async fn store_alert(&self, alert: &Alert<'_>) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let Alert { audience, group, entries, messages, at } = *alert;
        if rows.alerts_before(audience, &group.merchant, group.topic).0 != group.alerts_before {
            return Ok(false);
        }
        let fault = rows.next_fault();
        if fault == Some(Fault::BeforeStoring) {
            return Err(failed("the alert was not stored, as the test asked"));
        }
        let key = (audience.as_str(), group.merchant.clone(), group.topic.as_str());
        rows.alerts.insert(key, (group.alerts_before.saturating_add(1), at));
        for entry in entries {
            let key = (entry.reference.clone(), entry.reason.as_str());
            if let Some(stored) = rows.attention.get_mut(&key).filter(|stored| stored.closed.is_none()) {
                stored.reported.push(audience);
            }
        }
        for message in messages {
            let is_held = rows.is_disabled(&message.merchant, message.recipient.address());
            let state = if is_held { DeliveryState::Held } else { DeliveryState::Due };
            rows.deliveries.insert(message.id.clone(), StoredDelivery::new(message.clone(), state));
        }
        match fault {
            Some(Fault::AfterStoring) => Err(failed("the answer about a stored alert was lost")),
            Some(Fault::BeforeStoring) | None => Ok(true),
        }
    }
}
