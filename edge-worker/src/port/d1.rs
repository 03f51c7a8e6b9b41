//! What is stored, in D1: the ports [`Store`], `Keyring` and `Registry` over the tables of
//! `migrations/0001_payments.sql` and `migrations/0003_listing.sql`. The SQL of a table is in one module.
//!
//! Everything goes to the primary through the plain binding, because every read here decides about money.
//! Only a batch is a transaction. No number is ever bound: see [`statement`].

mod access;
mod ahead;
mod alert;
mod answer;
mod approval;
mod attachment;
mod attention;
mod audit;
mod caller;
mod card;
mod child;
mod commit;
mod counter;
mod customer;
mod debit;
mod decision;
mod delivery;
mod delivery_log;
mod desk_factor;
mod desk_session;
mod desk_trip;
mod doorbell;
mod due;
mod erasure;
mod fault;
mod hold;
mod key_facts;
mod ladder;
mod listing;
mod log_page;
#[cfg(feature = "contract")]
pub(crate) mod made;
mod merchant;
mod messages;
mod monitoring;
mod operator;
mod paid;
mod pause;
mod proof;
mod published;
mod question;

mod reconciliation;
mod record;
mod refund_day;
mod row;
mod sealing;
mod settings_cache;
mod statement;
mod store;
mod template;
mod term;
mod timeline;
mod totals;
mod user;
mod user_device;
mod user_link;
mod version;

use std::collections::BTreeMap;

use checkout_core::approval::day::RefundDay;
use checkout_core::attempt::Attempt;
use checkout_core::change::Change;
use checkout_core::child::Child;
use checkout_core::operation::begin::Books;
use checkout_core::operation::standing::ListedPage;
use checkout_core::operation::standing::Standing;
use checkout_core::payment::chase::Urgency;
use checkout_core::payment::receipt::TransactionEnd;
use checkout_core::port::{
    Bookkeeping, ClaimedMessages, Closing, CommitError, Directory, Due, DueRow, Endings, Finished, Flagged,
    Ledger, MessageClaim, NewestDelivery, PortError, Reconciliations, Record, RecordedCharge, StepFindings,
    Store, StoredEnding, Try, Unsettled,
};
use checkout_core::reconciliation::Reconciliation;
use checkout_core::record::attention::{Attention, AttentionId};
use checkout_core::record::audit::Entry;
use checkout_core::record::idempotency::StoredAnswer;
use checkout_core::state::State;
use checkout_core::transaction::listing::Listing;
use checkout_core::value::id::{DeliveryId, MerchantId, PgCode, ReferenceNumber, SessionId};
use checkout_core::value::money::SumOfMoney;
use checkout_core::value::time::Timestamp;
pub(crate) use store::D1Store;

use self::question::Asked;

impl Directory for D1Store {}
impl Ledger for D1Store {}

impl Store for D1Store {
    async fn load(&self, session_id: &SessionId) -> Result<Option<Record>, PortError> {
        record::load(&self.db, session_id).await
    }

    async fn list(&self, listing: &Listing) -> Result<ListedPage, PortError> {
        listing::list(&self.db, listing).await
    }

    async fn load_attempt(&self, reference: &ReferenceNumber) -> Result<Option<Record>, PortError> {
        record::load_attempt(&self.db, reference).await
    }

    async fn attempts(&self, session_id: &SessionId) -> Result<Vec<Attempt>, PortError> {
        record::attempts(&self.db, session_id).await
    }

    async fn opened_at(&self, session_id: &SessionId, number: i64) -> Result<Option<Timestamp>, PortError> {
        record::opened_at(&self.db, session_id, number).await
    }

    async fn inquired_at(
        &self,
        session_id: &SessionId,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError> {
        record::inquired_at(&self.db, session_id, since).await
    }

    async fn inquiries_of(&self, merchant: &MerchantId, since: Timestamp) -> Result<usize, PortError> {
        record::inquiries_of(&self.db, merchant, since).await
    }

    async fn commit(&self, change: &Change) -> Result<(), CommitError> {
        commit::commit(&self.db, change).await
    }

    async fn restore(&self, session_id: &SessionId, entry: &Entry) -> Result<bool, PortError> {
        record::restore(&self.db, session_id, entry).await
    }

    async fn answer(
        &self,
        merchant: &MerchantId,
        operation: &'static str,
        key: &str,
    ) -> Result<Option<StoredAnswer>, PortError> {
        answer::find(&self.db, merchant, operation, key).await
    }

    async fn delete_answers(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        answer::delete_before(&self.db, before, limit).await
    }

    async fn paid_codes(&self, merchant: &MerchantId, customer_id: &str) -> Result<Vec<PgCode>, PortError> {
        paid::codes(&self.db, merchant, customer_id).await
    }

    async fn due_expiries(&self, due: Due<'_>) -> Result<Vec<DueRow<SessionId>>, PortError> {
        due::expiries(&self.db, due).await
    }

    async fn due_inquiries(
        &self,
        due: Due<'_>,
        urgency: Urgency,
    ) -> Result<Vec<DueRow<ReferenceNumber>>, PortError> {
        due::inquiries(&self.db, due, urgency).await
    }

    async fn postpone_inquiry(&self, reference: &ReferenceNumber, until: Timestamp) -> Result<(), PortError> {
        question::postpone_inquiry(&self.db, Asked::Attempt, reference, until).await
    }

    async fn claim_inquiry(
        &self,
        reference: &ReferenceNumber,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>, PortError> {
        question::claim_inquiry(&self.db, Asked::Attempt, reference, due_at, until).await
    }

    async fn may_ask(
        &self,
        reference: &ReferenceNumber,
        now: Timestamp,
        soon: Timestamp,
    ) -> Result<bool, PortError> {
        question::may_ask(&self.db, reference, now, soon).await
    }

    async fn end_inquiries(&self, reference: &ReferenceNumber) -> Result<(), PortError> {
        question::end_inquiries(&self.db, Asked::Attempt, reference).await
    }

    async fn due_deliveries(&self, due: Due<'_>) -> Result<Vec<DueRow<DeliveryId>>, PortError> {
        due::deliveries(&self.db, due).await
    }

    fn statements(&self) -> u32 {
        self.db.statements()
    }

    async fn claim(
        &self,
        id: &DeliveryId,
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<Option<MessageClaim>, PortError> {
        let claimed = delivery::claim(&self.db, core::slice::from_ref(id), now, lease_until).await?;
        match claimed.unreadable.into_iter().next() {
            Some((_, error)) => Err(error),
            None => Ok(claimed.claims.into_iter().next()),
        }
    }

    async fn finish_try(
        &self,
        id: &DeliveryId,
        done: &Try,
        attention: Option<&Attention>,
    ) -> Result<(), PortError> {
        delivery::finish_tries(&self.db, &[Finished { id, done, attention }]).await
    }

    async fn claim_all(
        &self,
        ids: &[DeliveryId],
        now: Timestamp,
        lease_until: Timestamp,
    ) -> Result<ClaimedMessages, PortError> {
        delivery::claim(&self.db, ids, now, lease_until).await
    }

    async fn release(&self, ids: &[&str], lease_until: Timestamp) -> Result<(), PortError> {
        delivery::release(&self.db, ids, lease_until).await
    }

    async fn finish_tries(&self, finished: &[Finished<'_>]) -> Result<(), PortError> {
        delivery::finish_tries(&self.db, finished).await
    }

    async fn newest_delivery(
        &self,
        reference: &ReferenceNumber,
    ) -> Result<Option<NewestDelivery>, PortError> {
        delivery::newest(&self.db, reference).await
    }

    async fn attention(&self, limit: u32) -> Result<Vec<Attention>, PortError> {
        attention::open(&self.db, limit).await
    }

    async fn flagged(&self, id: &AttentionId) -> Result<Option<Flagged>, PortError> {
        attention::flagged(&self.db, id).await
    }

    async fn close_attention(&self, id: &AttentionId, closing: Closing<'_>) -> Result<bool, PortError> {
        attention::close(&self.db, id, closing).await
    }
}

impl Bookkeeping for D1Store {
    async fn books(&self, session_id: &SessionId) -> Result<Option<Books>, PortError> {
        child::books(&self.db, session_id).await
    }

    async fn child(&self, reference: &ReferenceNumber) -> Result<Option<Child>, PortError> {
        child::find(&self.db, reference).await
    }

    async fn refunded(&self, day: &RefundDay) -> Result<SumOfMoney, PortError> {
        refund_day::refunded(&self.db, day).await
    }

    async fn table_rows(&self, listing: &Listing) -> Result<u64, PortError> {
        listing::table_rows(&self.db, listing).await
    }

    async fn standings(
        &self,
        session_ids: &[&SessionId],
    ) -> Result<BTreeMap<SessionId, Standing>, PortError> {
        child::standings(&self.db, session_ids).await
    }

    async fn tracked(&self, merchant: &MerchantId, key: &str) -> Result<Option<Child>, PortError> {
        child::tracked(&self.db, merchant, key).await
    }

    async fn due_operations(&self, due: Due<'_>) -> Result<Vec<DueRow<ReferenceNumber>>, PortError> {
        due::operations(&self.db, due).await
    }

    async fn postpone_operation(
        &self,
        reference: &ReferenceNumber,
        until: Timestamp,
    ) -> Result<(), PortError> {
        question::postpone_inquiry(&self.db, Asked::Operation, reference, until).await
    }

    async fn claim_operation(
        &self,
        reference: &ReferenceNumber,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>, PortError> {
        question::claim_inquiry(&self.db, Asked::Operation, reference, due_at, until).await
    }

    async fn end_operation_inquiries(&self, reference: &ReferenceNumber) -> Result<(), PortError> {
        question::end_inquiries(&self.db, Asked::Operation, reference).await
    }
}

impl Endings for D1Store {
    async fn ended(&self, session_id: &SessionId, state: State) -> Result<Option<TransactionEnd>, PortError> {
        record::ended(&self.db, session_id, state).await
    }

    async fn endings(
        &self,
        wanted: &[(&SessionId, State)],
    ) -> Result<BTreeMap<SessionId, StoredEnding>, PortError> {
        record::endings(&self.db, wanted).await
    }
}

impl Reconciliations for D1Store {
    async fn due_reconciliations(&self, due: Due<'_>) -> Result<Vec<Reconciliation>, PortError> {
        due::reconciliations(&self.db, due).await
    }

    async fn reconciliations(&self, merchant: &MerchantId) -> Result<Vec<Reconciliation>, PortError> {
        reconciliation::of_merchant(&self.db, merchant).await
    }

    async fn save_reconciliation(
        &self,
        next: &Reconciliation,
        found: &StepFindings,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        reconciliation::save(&self.db, next, found, at).await
    }

    async fn listed(&self, references: &[ReferenceNumber]) -> Result<Vec<RecordedCharge>, PortError> {
        reconciliation::listed(&self.db, references).await
    }

    async fn unsettled(&self, wanted: Unsettled<'_>) -> Result<Vec<Record>, PortError> {
        record::unsettled(&self.db, wanted).await
    }
}
