//! Who asks gateways, and how often.

use super::Rows;
use crate::payment::chase::{COST_OF_QUESTION, QUESTIONS_AHEAD};
use crate::value::id::ReferenceNumber;
use crate::value::time::Timestamp;

impl Rows {
    pub(super) fn may_ask(&mut self, reference: &ReferenceNumber, now: Timestamp, soon: Timestamp) -> bool {
        let ahead = COST_OF_QUESTION.saturating_mul(QUESTIONS_AHEAD.saturating_sub(1));
        let paid_until = self.asked.get(reference).copied().unwrap_or(now).max(now);
        if paid_until <= now.plus(ahead) {
            self.asked.insert(reference.clone(), paid_until.plus(COST_OF_QUESTION));
            return true;
        }
        let attempt = self.attempts.get_mut(reference);
        if let Some(planned) = attempt.and_then(|attempt| attempt.inquire_at.as_mut()) {
            *planned = soon.min(*planned);
        }
        false
    }

    pub(super) fn claim_inquiry(
        &mut self,
        reference: &ReferenceNumber,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Option<u32> {
        let attempt = self.attempts.get_mut(reference);
        attempt.filter(|attempt| attempt.inquire_at == Some(due_at))?.inquire_at = Some(until);
        Some(self.count_lost(reference))
    }

    pub(super) fn end_inquiries(&mut self, reference: &ReferenceNumber) {
        if let Some(attempt) = self.attempts.get_mut(reference) {
            attempt.inquire_at = None;
        }
    }

    pub(super) fn count_lost(&mut self, reference: &ReferenceNumber) -> u32 {
        let lost = self.lost.entry(reference.clone()).or_default();
        *lost = lost.saturating_add(1);
        *lost
    }
}
