//! Erasing what identifies payers, in memory.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use super::attention::StoredAttention;
use super::{DeliveryState, MemoryStore, Rows, first};
use crate::api::erasure::ErasureSubject;
use crate::approval::Approval;
use crate::approval::stage::ApprovalState;
use crate::attempt::Attempt;
use crate::card::agreement::AgreementKey;
use crate::change::{Change, EventKind};
use crate::child::Child;
use crate::gateway::charge::{PERSONAL_PARAMS, PgParams};
use crate::port::{DeletedCards, Erasures, PortError};
use crate::record::attachment::AttachmentName;
use crate::record::outbox::MessageKind;
use crate::state::State;
use crate::transaction::Transaction;
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;

fn impersonal(params: &PgParams) -> PgParams {
    let stay = params.iter().filter(|(key, _)| !PERSONAL_PARAMS.contains(&key.as_str()));
    stay.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn is_of(transaction: &Transaction, merchant: &MerchantId, subject: &ErasureSubject) -> bool {
    transaction.merchant == *merchant
        && match subject {
            ErasureSubject::Customer(id) => transaction.details.customer_id.as_deref() == Some(id),
            ErasureSubject::Transaction(session_id) => transaction.session_id == *session_id,
        }
}

fn is_undecided(approval: &Approval) -> bool {
    matches!(approval.state, ApprovalState::Asked | ApprovalState::Approved)
}

impl Rows {
    /// Erases what is stored of a transaction elsewhere; `change` erases the transaction itself.
    pub(super) fn erase(&mut self, change: &Change) {
        let session_id = &change.transaction.session_id;
        self.answers.retain(|_, answer| !answer.body.contains(session_id.as_str()));
        for attempt in self.attempts.values_mut().filter(|attempt| attempt.session_id == *session_id) {
            attempt.params = impersonal(&attempt.params);
            (attempt.response, attempt.page_url, attempt.message) = (None, None, None);
        }
        for child in self.children.values_mut().filter(|child| child.parent == *session_id) {
            child.params = impersonal(&child.params);
            (child.response, child.extra, child.message, child.note) = (None, None, None, None);
        }
        for approval in self.approvals.values_mut().filter(|one| one.session_id == *session_id) {
            (approval.extra, approval.note, approval.failure, approval.decided.note) =
                (None, None, None, None);
        }
        let of_transaction = |one: &&mut StoredAttention| one.entry.session_id.as_ref() == Some(session_id);
        for one in self.attention.values_mut().filter(of_transaction) {
            one.entry.detail = mem::take(&mut one.entry.detail).without_quotes();
            if let Some(resolved) = one.closed.as_mut() {
                resolved.note = None;
            }
        }
        for row in self
            .deliveries
            .values_mut()
            .filter(|row| row.message.subject.session_id.as_ref() == Some(session_id))
        {
            row.message.body = String::new();
            row.tries.iter_mut().for_each(|done| done.excerpt = None);
            if row.state == DeliveryState::Held {
                row.state = DeliveryState::GivenUp;
            }
            if let Some(note) = self.messages.get_mut(&row.message.id) {
                note.detail = None;
            }
        }
        let attached = self.transactions.get(session_id).and_then(|stored| stored.details.attachment.clone());
        let is_shared = |name: &AttachmentName| {
            let others = self.transactions.values().filter(|other| other.session_id != *session_id);
            others.filter_map(|other| other.details.attachment.as_ref()).any(|file| file.name == *name)
        };
        if let Some(file) = attached.filter(|file| !is_shared(&file.name)) {
            self.attachments.remove(&file.name);
        }
    }

    /// What happened to a transaction last, and when.
    fn last(&self, session_id: &SessionId) -> Option<(EventKind, Timestamp)> {
        let events = self.events.iter().filter(|event| event.session_id == *session_id);
        events.max_by_key(|event| event.number).map(|event| (event.kind, event.at))
    }

    fn is_erasable(&self, transaction: &Transaction, quiet_since: Timestamp) -> bool {
        let session_id = &transaction.session_id;
        let is_open = |flagged: &StoredAttention| {
            flagged.closed.is_none() && flagged.entry.session_id.as_ref() == Some(session_id)
        };
        let is_asked = |attempt: &Attempt| attempt.is_open() || attempt.inquire_at.is_some();
        let mut attempts = self.attempts.values().filter(|attempt| attempt.session_id == *session_id);
        let mut children = self.children.values().filter(|child| child.parent == *session_id);
        let mut deliveries = self
            .deliveries
            .values()
            .filter(|row| row.message.subject.session_id.as_ref() == Some(session_id));
        let is_over = transaction.state.is_ended()
            || (transaction.state != State::Authorized
                && self.hidden.contains(session_id)
                && transaction.expires_at <= quiet_since);
        is_over
            && !self.attention.values().any(is_open)
            && !attempts.any(is_asked)
            && !children.any(Child::is_open)
            && !deliveries
                .any(|row| row.state == DeliveryState::Due && row.message.kind != MessageKind::Approval)
            && !self.approvals.values().any(|one| one.session_id == *session_id && is_undecided(one))
            && self.last(session_id).is_some_and(|(kind, at)| kind != EventKind::Erased && at <= quiet_since)
    }
}

impl Erasures for MemoryStore {
    async fn erasable(
        &self,
        merchant: &MerchantId,
        subject: &ErasureSubject,
        quiet_since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError> {
        let rows = self.rows.borrow();
        let found = rows.transactions.values().filter(|transaction| {
            is_of(transaction, merchant, subject) && rows.is_erasable(transaction, quiet_since)
        });
        Ok(first(found.map(|each| ((each.created_at, each.session_id.clone()), each.clone())), limit))
    }

    async fn erasable_by_age(
        &self,
        now: Timestamp,
        share: u32,
        limit: u32,
    ) -> Result<Vec<Transaction>, PortError> {
        let rows = self.rows.borrow();
        let of_merchant = rows.merchants.values().flat_map(|stored| {
            let settings = &stored.settings;
            let quiet_since =
                settings.retention.map(|retention| now.plus(stored.clock_offset).minus(retention));
            let own = rows.transactions.values().filter(|each| each.merchant == settings.merchant);
            let old = own.filter(|each| quiet_since.is_some_and(|since| rows.is_erasable(each, since)));
            first(old.map(|each| ((each.created_at, each.session_id.clone()), each.clone())), share)
        });
        Ok(of_merchant.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect())
    }

    async fn not_erased(&self, merchant: &MerchantId, subject: &ErasureSubject) -> Result<u64, PortError> {
        let rows = self.rows.borrow();
        let found = rows.transactions.values().filter(|transaction| {
            let last = rows.last(&transaction.session_id);
            is_of(transaction, merchant, subject) && last.is_none_or(|(kind, _)| kind != EventKind::Erased)
        });
        Ok(u64::try_from(found.count()).unwrap_or(u64::MAX))
    }

    async fn has_transaction(
        &self,
        merchant: &MerchantId,
        session_id: &SessionId,
    ) -> Result<bool, PortError> {
        let rows = self.rows.borrow();
        Ok(rows.transactions.get(session_id).is_some_and(|transaction| transaction.merchant == *merchant))
    }

    async fn delete_cards_of(
        &self,
        merchant: &MerchantId,
        customer_id: &str,
        at: Timestamp,
    ) -> Result<DeletedCards, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_own =
            |key: &&AgreementKey| key.holder.merchant == *merchant && key.holder.customer_id == customer_id;
        let own: Vec<AgreementKey> = rows.agreements.keys().filter(is_own).cloned().collect();
        for key in &own {
            rows.end_pause(key, at);
            rows.agreements.remove(key);
        }
        let of_customer: BTreeSet<_> = rows
            .cards
            .values()
            .filter(|card| card.holder.merchant == *merchant && card.holder.customer_id == customer_id)
            .map(|card| card.token.clone())
            .collect();
        rows.cards.retain(|token, _| !of_customer.contains(token));
        Ok(DeletedCards { cards: of_customer.len(), agreements: own.len() })
    }
}
