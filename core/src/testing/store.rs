//! A store in memory that enforces the rules of the database: one change per version, one open attempt, legal
//! moves only, frozen amounts, all or nothing. The [contract](super::contract) is run on both.

mod alerts;
mod approvals;
mod attachments;
mod attention;
mod bookkeeping;
mod cards;
mod commit;
mod counters;
mod customers;
mod decisions;
mod delivery;
mod desk_factors;
mod desk_sessions;
mod desk_trips;
mod doorbells;
mod due;
mod ending;
mod erasures;
mod event;
mod found;
mod holds;
mod ladders;
mod listing;
mod merchant;
mod messages;
mod monitoring;
mod operators;
mod published;
mod question;
mod recall;
mod receivers;
mod reconciliations;
mod refund_days;
mod sealing;
mod shown;
mod templates;
mod terms;
mod timeline;
mod totals;
mod user_links;
mod users;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use crate::approval::Approval;
use crate::attempt::Attempt;
use crate::card::agreement::{AgreementKey, SavedAgreement};
use crate::card::ladder::Ladder;
use crate::card::{Card, CardToken};
use crate::change::{Change, EventKind};
use crate::child::Child;
use crate::desk::access_link::UserLink;
use crate::desk::factor::DeskFactor;
use crate::desk::session::{DeskSession, DeskSessionId};
use crate::desk::template::PaymentTemplate;
use crate::desk::trip::{DeskTrip, TripId};
use crate::operation::standing::ListedPage;
use crate::payment::chase::Urgency;
use crate::port::{
    ClaimedMessages, Closing, CommitError, Directory, Due, DueRow, Finished, Flagged, Ledger, MessageClaim,
    MessageNote, NewestDelivery, PortError, Record, Store, StoredImage, SweepTotals, Try,
};
use crate::reconciliation::Reconciliation;
use crate::record::attachment::{Attachment, AttachmentName};
use crate::record::attention::{Attention, AttentionId};
use crate::record::audit::{Entry, RecordedEntry};
use crate::record::consent::Consent;
use crate::record::decision::RoutingDecision;
use crate::record::idempotency::StoredAnswer;
use crate::record::short_link::{ShortCode, ShortLink};
use crate::state::State;
use crate::transaction::Transaction;
use crate::transaction::listing::Listing;
use crate::transaction::listing::search::Term;
use crate::value::id::{DeliveryId, MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::time::Timestamp;

use found::{failed, first, record};

pub use crate::record::outbox::DeliveryState;
pub use delivery::StoredDelivery;
pub use event::{AttemptEvent, Event};

/// Everything that is stored.
#[derive(Debug, Default)]
pub struct MemoryStore {
    rows: RefCell<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    desk_factors: BTreeMap<u32, DeskFactor>,
    desk_sessions: BTreeMap<DeskSessionId, DeskSession>,
    desk_trips: BTreeMap<TripId, DeskTrip>,
    transactions: BTreeMap<SessionId, Transaction>,
    /// When money was taken for the first time.
    paid_at: BTreeMap<SessionId, Timestamp>,
    hidden: BTreeSet<SessionId>,
    terms: BTreeMap<SessionId, BTreeSet<Term>>,
    attempts: BTreeMap<ReferenceNumber, Attempt>,
    children: BTreeMap<ReferenceNumber, Child>,
    approvals: BTreeMap<ReferenceNumber, Approval>,
    events: Vec<Event>,
    deliveries: BTreeMap<DeliveryId, StoredDelivery>,
    receivers: BTreeMap<(MerchantId, String), receivers::StoredReceiver>,
    messages: BTreeMap<DeliveryId, MessageNote>,
    attachments: BTreeMap<AttachmentName, Attachment>,
    short_links: BTreeMap<ShortCode, ShortLink>,
    cards: BTreeMap<CardToken, Card>,
    agreements: BTreeMap<AgreementKey, SavedAgreement>,
    ladders: BTreeMap<SessionId, Ladder>,
    captures: holds::Captures,
    /// Under which agreement an attempt of the merchant was opened.
    debits: BTreeMap<ReferenceNumber, AgreementKey>,
    answers: BTreeMap<(MerchantId, &'static str, String), StoredAnswer>,
    attention: BTreeMap<(ReferenceNumber, &'static str), attention::StoredAttention>,
    /// How many alerts there were of an audience, a merchant and a topic, and when the last one was.
    alerts: BTreeMap<(&'static str, MerchantId, &'static str), (i64, Timestamp)>,
    merchants: BTreeMap<MerchantId, merchant::StoredMerchant>,
    keys: Vec<merchant::StoredKey>,
    reconciliations: BTreeMap<(MerchantId, PgCode), Reconciliation>,
    reconciled: BTreeSet<ReferenceNumber>,
    health: BTreeMap<(MerchantId, PgCode), decisions::Failing>,
    decisions: Vec<(SessionId, RoutingDecision)>,
    consents: Vec<(SessionId, Consent)>,
    users: Vec<users::StoredUser>,
    user_links: BTreeMap<u32, UserLink>,
    templates: BTreeMap<templates::Key, PaymentTemplate>,
    /// When a user signed in last from a device.
    user_devices: BTreeMap<(u32, String), Timestamp>,
    operators: Vec<operators::StoredOperator>,
    /// The entries of the audit, each with the version of the settings that it made.
    journal: Vec<(RecordedEntry, Option<i64>)>,
    tries: BTreeMap<String, users::Tries>,
    places: BTreeMap<String, Timestamp>,
    payers: BTreeMap<ReferenceNumber, String>,
    calls: BTreeMap<(i64, String), u32>,
    sweeps: Option<SweepTotals>,
    images: Vec<StoredImage>,
    apple_domain_file: Option<String>,
    doorbells: BTreeMap<String, Timestamp>,
    /// Until when the questions that strangers caused are paid for.
    asked: BTreeMap<ReferenceNumber, Timestamp>,
    /// How many inquiries in a row were begun and not recorded.
    lost: BTreeMap<ReferenceNumber, u32>,
    memory: recall::Memory,
    fault: Option<(u32, Fault)>,
    races_to_lose: u32,
}

/// How a commit fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is stored.
    BeforeStoring,
    /// Everything is stored, but an error is returned.
    AfterStoring,
}

impl MemoryStore {
    /// Makes the `nth` commit from now on fail, counted from 1. Replaces a fault that is still to come.
    pub fn fail_commit(&self, nth: u32, fault: Fault) {
        self.rows.borrow_mut().fault = Some((nth, fault));
    }

    /// Makes the next `count` commits fail as if someone else had changed the transaction first each time.
    pub fn lose_races(&self, count: u32) {
        self.rows.borrow_mut().races_to_lose = count;
    }

    /// What calls from now on is this request. Several requests that go on side by side need it: a proof is of one.
    pub fn serve(&self, request: u32) {
        self.rows.borrow_mut().memory.request = request;
    }
}

impl Rows {
    fn latest_attempt(&self, session_id: &SessionId) -> Option<&Attempt> {
        self.attempts.values().filter(|attempt| attempt.session_id == *session_id).max_by_key(|a| a.number)
    }

    fn open_attempt(&self, session_id: &SessionId) -> Option<&Attempt> {
        self.attempts.values().find(|attempt| attempt.session_id == *session_id && attempt.is_open())
    }
}

impl Directory for MemoryStore {}
impl Ledger for MemoryStore {}

impl Store for MemoryStore {
    async fn load(&self, session_id: &SessionId) -> Result<Option<Record>, PortError> {
        let rows = self.rows.borrow();
        let shown = rows.transactions.get(session_id).filter(|_| !rows.hidden.contains(session_id));
        let attempt = || rows.latest_attempt(session_id).cloned();
        Ok(shown.map(|shown| Record { transaction: shown.clone(), attempt: attempt() }))
    }

    async fn list(&self, listing: &Listing) -> Result<ListedPage, PortError> {
        Ok(self.rows.borrow().list(listing))
    }

    async fn load_attempt(&self, reference: &ReferenceNumber) -> Result<Option<Record>, PortError> {
        let rows = self.rows.borrow();
        let Some(attempt) = rows.attempts.get(reference) else { return Ok(None) };
        let transaction = rows.transactions.get(&attempt.session_id);
        Ok(transaction.map(|transaction| record(transaction, Some(attempt))))
    }

    async fn attempts(&self, session_id: &SessionId) -> Result<Vec<Attempt>, PortError> {
        Ok(Self::attempts(self, session_id))
    }

    async fn opened_at(&self, session_id: &SessionId, number: i64) -> Result<Option<Timestamp>, PortError> {
        let attempts = Self::attempts(self, session_id);
        Ok(attempts.iter().find(|attempt| attempt.number == number).map(|attempt| attempt.opened_at))
    }

    async fn inquired_at(
        &self,
        session_id: &SessionId,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError> {
        let events = self.events(session_id).into_iter();
        let inquired = events.filter(|event| event.kind == EventKind::Inquired && event.at > since);
        Ok(inquired.map(|event| event.at).collect())
    }

    async fn inquiries_of(&self, merchant: &MerchantId, since: Timestamp) -> Result<usize, PortError> {
        let rows = self.rows.borrow();
        let is_own = |session_id| {
            rows.transactions.get(session_id).is_some_and(|transaction| transaction.merchant == *merchant)
        };
        let counted = rows.events.iter().filter(|event| {
            event.kind == EventKind::Inquired && event.at > since && is_own(&event.session_id)
        });
        Ok(counted.count())
    }

    async fn commit(&self, change: &Change) -> Result<(), CommitError> {
        self.rows.borrow_mut().commit(change)
    }

    async fn restore(&self, session_id: &SessionId, entry: &Entry) -> Result<bool, PortError> {
        let mut rows = self.rows.borrow_mut();
        let is_restored = rows.restore(session_id, entry);
        if is_restored {
            let merchant = rows.transactions.get(session_id).map(|transaction| transaction.merchant.clone());
            rows.journal(entry, merchant.as_ref());
        }
        Ok(is_restored)
    }

    async fn answer(
        &self,
        merchant: &MerchantId,
        operation: &'static str,
        key: &str,
    ) -> Result<Option<StoredAnswer>, PortError> {
        Ok(self.rows.borrow().answers.get(&(merchant.clone(), operation, key.into())).cloned())
    }

    async fn delete_answers(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        let mut rows = self.rows.borrow_mut();
        let old = rows.answers.iter().filter(|(_, answer)| answer.at < before);
        let old = first(old.map(|(key, answer)| (answer.at, key.clone())), limit);
        for key in &old {
            rows.answers.remove(key);
        }
        Ok(u32::try_from(old.len()).unwrap_or(u32::MAX))
    }

    async fn paid_codes(&self, merchant: &MerchantId, customer_id: &str) -> Result<Vec<PgCode>, PortError> {
        let rows = self.rows.borrow();
        let paid = rows.transactions.values().filter(|transaction| {
            let is_paid = matches!(transaction.state, State::Paid | State::Authorized | State::Refunded);
            is_paid
                && transaction.merchant == *merchant
                && transaction.details.customer_id.as_deref() == Some(customer_id)
        });
        let codes: BTreeSet<PgCode> =
            paid.filter_map(|transaction| Some(transaction.settlement.as_ref()?.pg_code.clone())).collect();
        Ok(codes.into_iter().collect())
    }

    async fn due_expiries(&self, due: Due<'_>) -> Result<Vec<DueRow<SessionId>>, PortError> {
        Ok(self.rows.borrow().due_expiries(&due))
    }

    async fn due_inquiries(
        &self,
        due: Due<'_>,
        urgency: Urgency,
    ) -> Result<Vec<DueRow<ReferenceNumber>>, PortError> {
        Ok(self.rows.borrow().due_inquiries(&due, urgency))
    }

    async fn postpone_inquiry(&self, reference: &ReferenceNumber, until: Timestamp) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        if let Some(attempt) = rows.attempts.get_mut(reference) {
            attempt.inquire_at = attempt.inquire_at.map(|_| until);
        }
        Ok(())
    }

    async fn claim_inquiry(
        &self,
        reference: &ReferenceNumber,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>, PortError> {
        Ok(self.rows.borrow_mut().claim_inquiry(reference, due_at, until))
    }

    async fn may_ask(
        &self,
        reference: &ReferenceNumber,
        now: Timestamp,
        soon: Timestamp,
    ) -> Result<bool, PortError> {
        Ok(self.rows.borrow_mut().may_ask(reference, now, soon))
    }

    async fn end_inquiries(&self, reference: &ReferenceNumber) -> Result<(), PortError> {
        self.rows.borrow_mut().end_inquiries(reference);
        Ok(())
    }

    async fn due_deliveries(&self, due: Due<'_>) -> Result<Vec<DueRow<DeliveryId>>, PortError> {
        Ok(self.rows.borrow().due_deliveries(&due))
    }

    fn statements(&self) -> u32 {
        0
    }

    async fn claim(
        &self,
        id: &DeliveryId,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<MessageClaim>, PortError> {
        Ok(self.rows.borrow_mut().claim(id, now, lease_until))
    }

    async fn finish_try(
        &self,
        id: &DeliveryId,
        done: &Try,
        attention: Option<&Attention>,
    ) -> Result<(), PortError> {
        self.rows.borrow_mut().finish_try(id, done, attention)
    }

    async fn claim_all(
        &self,
        ids: &[DeliveryId],
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<ClaimedMessages, PortError> {
        let mut rows = self.rows.borrow_mut();
        let claims = ids.iter().filter_map(|id| rows.claim(id, now, lease_until)).collect();
        Ok(ClaimedMessages { claims, unreadable: Vec::new() })
    }

    async fn finish_tries(&self, finished: &[Finished<'_>]) -> Result<(), PortError> {
        let mut rows = self.rows.borrow_mut();
        finished.iter().try_for_each(|Finished { id, done, attention }| rows.finish_try(id, done, *attention))
    }

    async fn release(&self, ids: &[&str], lease_until: Timestamp) -> Result<(), PortError> {
        self.rows.borrow_mut().release(ids, lease_until);
        Ok(())
    }

    async fn newest_delivery(
        &self,
        reference: &ReferenceNumber,
    ) -> Result<Option<NewestDelivery>, PortError> {
        Ok(self.rows.borrow().newest_delivery(reference))
    }

    async fn attention(&self, limit: u32) -> Result<Vec<Attention>, PortError> {
        Ok(self.rows.borrow().open_entries(limit))
    }

    async fn flagged(&self, id: &AttentionId) -> Result<Option<Flagged>, PortError> {
        Ok(self.rows.borrow().flagged(id))
    }

    async fn close_attention(&self, id: &AttentionId, closing: Closing<'_>) -> Result<bool, PortError> {
        Ok(self.rows.borrow_mut().close(id, closing))
    }
}
