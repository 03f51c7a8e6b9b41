//! The tables next to that of the transactions.

use checkout_core::approval::Approval;
use checkout_core::approval::day::RefundDay;
use checkout_core::attempt::hold::CaptureDeadline;
use checkout_core::card::ladder::Ladder;
use checkout_core::port::{
    ApprovalSearch, Approvals, AttentionLists, AttentionSearch, Counters, CustomerSearch, Customers,
    DayTotals, FirstApprovals, GivenConsent, Holds, Ladders, ListedMessage, LoggedTry, MerchantEntry,
    OpenMatters, PageOrigins, Pausing, Payers, StoredEnding, Timelines,
};
use checkout_core::record::attention::ListedAttention;
use checkout_core::record::consent::Consent;
use checkout_core::record::event::LoggedEvent;
use checkout_core::transaction::totals::{DayCount, WantedTotals};
use checkout_core::value::money::SumOfMoney;

use super::*;

impl Bookkeeping for FaultyWorld {
    async fn claim_operation(
        &self,
        reference: &ReferenceNumber,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<Option<u32>, PortError> {
        self.write(self.inner.store.claim_operation(reference, due_at, until)).await
    }

    async fn refunded(&self, day: &RefundDay) -> Result<SumOfMoney, PortError> {
        self.read(self.inner.store.refunded(day)).await
    }

    async fn end_operation_inquiries(&self, reference: &ReferenceNumber) -> Result<(), PortError> {
        self.write(self.inner.store.end_operation_inquiries(reference)).await
    }

    async fn books(&self, session_id: &SessionId) -> Result<Option<Books>, PortError> {
        self.read(self.inner.store.books(session_id)).await
    }

    async fn table_rows(&self, listing: &Listing) -> Result<u64, PortError> {
        self.read(self.inner.store.table_rows(listing)).await
    }

    async fn standings(
        &self,
        session_ids: &[&SessionId],
    ) -> Result<BTreeMap<SessionId, Standing>, PortError> {
        self.read(self.inner.store.standings(session_ids)).await
    }

    async fn child(&self, reference: &ReferenceNumber) -> Result<Option<Child>, PortError> {
        self.read(self.inner.store.child(reference)).await
    }

    async fn tracked(&self, merchant: &MerchantId, key: &str) -> Result<Option<Child>, PortError> {
        self.read(self.inner.store.tracked(merchant, key)).await
    }

    async fn due_operations(&self, due: Due<'_>) -> Result<Vec<DueRow<ReferenceNumber>>, PortError> {
        self.read(self.inner.store.due_operations(due)).await
    }

    async fn postpone_operation(
        &self,
        reference: &ReferenceNumber,
        until: Timestamp,
    ) -> Result<(), PortError> {
        self.write(self.inner.store.postpone_operation(reference, until)).await
    }
}

impl Keyring for FaultyWorld {
    async fn caller(
        &self,
        key: &ApiKey,
        now: Timestamp,
        named: Option<&SessionId>,
    ) -> Result<Option<KeyHolder>, PortError> {
        self.read(self.inner.store.caller(key, now, named)).await
    }

    fn recall(&self, key: &ApiKey, now: Timestamp) -> Option<KeyHolder> {
        self.inner.store.recall(key, now)
    }

    async fn prove(&self) -> Result<bool, PortError> {
        self.read(self.inner.store.prove()).await
    }

    async fn holder(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        now: Timestamp,
        named: Option<&SessionId>,
    ) -> Result<Option<KeyHolder>, PortError> {
        self.read(self.inner.store.holder(merchant, prefix, now, named)).await
    }

    async fn note_use(&self, merchant: &MerchantId, prefix: &str, at: Timestamp) -> Result<(), PortError> {
        self.write(self.inner.store.note_use(merchant, prefix, at)).await
    }
}

impl Users for FaultyWorld {
    async fn user(
        &self,
        key: UserKey<'_>,
        named: Option<&SessionId>,
    ) -> Result<Option<FoundUser>, PortError> {
        self.read(self.inner.store.user(key, named)).await
    }

    async fn count_tries(
        &self,
        subjects: &[TrySubject],
        now: Timestamp,
    ) -> Result<Option<Timestamp>, PortError> {
        self.write(self.inner.store.count_tries(subjects, now)).await
    }

    async fn take_back_tries(&self, subjects: &[TrySubject]) -> Result<(), PortError> {
        self.write(self.inner.store.take_back_tries(subjects)).await
    }

    async fn delete_tries(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.delete_tries(before, limit)).await
    }

    async fn note_place(&self, place: &str, at: Timestamp) -> Result<(), PortError> {
        self.write(self.inner.store.note_place(place, at)).await
    }

    async fn knows_place(&self, place: &str, since: Timestamp) -> Result<bool, PortError> {
        self.read(self.inner.store.knows_place(place, since)).await
    }

    async fn delete_places(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.delete_places(before, limit)).await
    }

    async fn bind_user(&self, id: UserId, from: Option<&str>, subject: &str) -> Result<bool, PortError> {
        self.write(self.inner.store.bind_user(id, from, subject)).await
    }

    async fn add_user(&self, user: &NewUser, entry: &Entry) -> Result<Option<UserId>, PortError> {
        self.write(self.inner.store.add_user(user, entry)).await
    }

    async fn users(&self, merchant: &MerchantId) -> Result<Vec<UserEntry>, PortError> {
        self.read(self.inner.store.users(merchant)).await
    }

    async fn change_user(
        &self,
        merchant: &MerchantId,
        change: &UserChange,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.change_user(merchant, change, entry)).await
    }
}

impl Registry for FaultyWorld {
    async fn merchant(&self, id: &MerchantId) -> Result<Option<Merchant>, PortError> {
        self.read(self.inner.store.merchant(id)).await
    }

    async fn merchant_of_provider(
        &self,
        issuer: &str,
        audiences: &[String],
    ) -> Result<Option<Merchant>, PortError> {
        self.read(self.inner.store.merchant_of_provider(issuer, audiences)).await
    }

    async fn document(&self, merchant: &MerchantId) -> Result<Option<StoredDocument>, PortError> {
        self.read(self.inner.store.document(merchant)).await
    }

    async fn versions(
        &self,
        merchant: &MerchantId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<StoredVersion>, PortError> {
        self.read(self.inner.store.versions(merchant, before, limit)).await
    }

    async fn version(&self, merchant: &MerchantId, version: i64) -> Result<Option<String>, PortError> {
        self.read(self.inner.store.version(merchant, version)).await
    }

    async fn add_merchant(&self, merchant: &NewMerchant, entry: &Entry) -> Result<bool, PortError> {
        self.write(self.inner.store.add_merchant(merchant, entry)).await
    }

    async fn replace_document(&self, new: &NewDocument<'_>, entry: &Entry) -> Result<bool, PortError> {
        self.write(self.inner.store.replace_document(new, entry)).await
    }

    async fn replace_secrets(&self, new: &NewSecrets<'_>, entry: &Entry) -> Result<bool, PortError> {
        self.write(self.inner.store.replace_secrets(new, entry)).await
    }

    async fn move_clock(
        &self,
        settings: &MerchantSettings,
        offset: Duration,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.move_clock(settings, offset, entry)).await
    }

    async fn merchants(
        &self,
        after: Option<&MerchantId>,
        limit: u32,
    ) -> Result<Vec<MerchantEntry>, PortError> {
        self.read(self.inner.store.merchants(after, limit)).await
    }

    async fn moved_clocks(&self, limit: u32) -> Result<Vec<MerchantId>, PortError> {
        self.read(self.inner.store.moved_clocks(limit)).await
    }

    async fn add_key(&self, key: &NewKey, entry: &Entry) -> Result<(), PortError> {
        self.write(self.inner.store.add_key(key, entry)).await
    }

    async fn keys(&self, merchant: &MerchantId) -> Result<Vec<KeyEntry>, PortError> {
        self.read(self.inner.store.keys(merchant)).await
    }

    async fn revoke_key(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.revoke_key(merchant, prefix, entry)).await
    }
}

impl PageOrigins for FaultyWorld {
    async fn allowed_origins(&self, session_id: &SessionId) -> Result<Vec<String>, PortError> {
        self.read(self.inner.store.allowed_origins(session_id)).await
    }
}

impl Operators for FaultyWorld {
    async fn operator(
        &self,
        key: &ApiKey,
        now: Timestamp,
    ) -> Result<Option<(Operator, Option<Timestamp>)>, PortError> {
        self.read(self.inner.store.operator(key, now)).await
    }

    async fn note_operator(&self, id: OperatorId, at: Timestamp) -> Result<(), PortError> {
        self.write(self.inner.store.note_operator(id, at)).await
    }

    async fn add_operator(&self, operator: &NewOperator, entry: &Entry) -> Result<OperatorId, PortError> {
        self.write(self.inner.store.add_operator(operator, entry)).await
    }

    async fn operators(&self) -> Result<Vec<OperatorEntry>, PortError> {
        self.read(self.inner.store.operators()).await
    }

    async fn revoke_operator(&self, id: OperatorId, entry: &Entry) -> Result<bool, PortError> {
        self.write(self.inner.store.revoke_operator(id, entry)).await
    }
}

impl Journal for FaultyWorld {
    async fn record(&self, entry: &Entry) -> Result<(), PortError> {
        self.write(self.inner.store.record(entry)).await
    }

    async fn record_unless_since(&self, entry: &Entry, since: Timestamp) -> Result<(), PortError> {
        self.write(self.inner.store.record_unless_since(entry, since)).await
    }

    async fn recorded(&self, search: &Search) -> Result<Vec<RecordedEntry>, PortError> {
        self.read(self.inner.store.recorded(search)).await
    }
}

impl Payers for FaultyWorld {
    async fn tried_by(
        &self,
        merchant: &MerchantId,
        payer: &str,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<TriedPayment>, PortError> {
        self.read(self.inner.store.tried_by(merchant, payer, since, limit)).await
    }

    async fn delete_payers(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.delete_payers(before, limit)).await
    }
}

impl Counters for FaultyWorld {
    async fn count_calls(&self, caller: &str, day: i64, calls: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.count_calls(caller, day, calls)).await
    }

    async fn delete_calls(&self, day: i64, limit: u32) -> Result<u32, PortError> {
        self.write(self.inner.store.delete_calls(day, limit)).await
    }
}

impl Timelines for FaultyWorld {
    async fn logged_events(&self, session_id: &SessionId, limit: u32) -> Result<Vec<LoggedEvent>, PortError> {
        self.read(self.inner.store.logged_events(session_id, limit)).await
    }

    async fn logged_tries(
        &self,
        session_id: &SessionId,
        limit: u32,
    ) -> Result<Vec<(DeliveryId, LoggedTry)>, PortError> {
        self.read(self.inner.store.logged_tries(session_id, limit)).await
    }
}

impl DayTotals for FaultyWorld {
    async fn count_days(&self, wanted: &WantedTotals) -> Result<Vec<DayCount>, PortError> {
        self.read(self.inner.store.count_days(wanted)).await
    }
}

impl Approvals for FaultyWorld {
    async fn approval(&self, id: &ReferenceNumber) -> Result<Option<Approval>, PortError> {
        self.read(self.inner.store.approval(id)).await
    }

    async fn tracked_approval(
        &self,
        merchant: &MerchantId,
        key: &str,
    ) -> Result<Option<Approval>, PortError> {
        self.read(self.inner.store.tracked_approval(merchant, key)).await
    }

    async fn find_approvals(&self, search: &ApprovalSearch) -> Result<Vec<Approval>, PortError> {
        self.read(self.inner.store.find_approvals(search)).await
    }

    async fn first_approvals(&self, merchant: &MerchantId, limit: u32) -> Result<FirstApprovals, PortError> {
        self.read(self.inner.store.first_approvals(merchant, limit)).await
    }
}

impl Customers for FaultyWorld {
    async fn messages_to(&self, search: CustomerSearch<'_>) -> Result<Vec<ListedMessage>, PortError> {
        self.read(self.inner.store.messages_to(search)).await
    }

    async fn consents_of(&self, search: CustomerSearch<'_>) -> Result<Vec<GivenConsent>, PortError> {
        self.read(self.inner.store.consents_of(search)).await
    }
}

impl AttentionLists for FaultyWorld {
    async fn find_attention(&self, search: &AttentionSearch) -> Result<Vec<ListedAttention>, PortError> {
        self.read(self.inner.store.find_attention(search)).await
    }

    async fn open_matters(&self, merchant: &MerchantId, most: u32) -> Result<OpenMatters, PortError> {
        self.read(self.inner.store.open_matters(merchant, most)).await
    }
}

impl Decisions for FaultyWorld {
    async fn health(&self, merchant: &MerchantId, now: Timestamp) -> Result<Vec<Health>, PortError> {
        self.read(self.inner.store.health(merchant, now)).await
    }

    async fn decisions(&self, session_id: &SessionId) -> Result<Vec<RoutingDecision>, PortError> {
        self.read(self.inner.store.decisions(session_id)).await
    }
}

impl Reconciliations for FaultyWorld {
    async fn due_reconciliations(&self, due: Due<'_>) -> Result<Vec<Reconciliation>, PortError> {
        self.read(self.inner.store.due_reconciliations(due)).await
    }

    async fn reconciliations(&self, merchant: &MerchantId) -> Result<Vec<Reconciliation>, PortError> {
        self.read(self.inner.store.reconciliations(merchant)).await
    }

    async fn save_reconciliation(
        &self,
        next: &Reconciliation,
        found: &StepFindings,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.save_reconciliation(next, found, at)).await
    }

    async fn listed(&self, references: &[ReferenceNumber]) -> Result<Vec<RecordedCharge>, PortError> {
        self.read(self.inner.store.listed(references)).await
    }

    async fn unsettled(&self, wanted: Unsettled<'_>) -> Result<Vec<Record>, PortError> {
        self.read(self.inner.store.unsettled(wanted)).await
    }
}

impl Endings for FaultyWorld {
    async fn ended(&self, session_id: &SessionId, state: State) -> Result<Option<TransactionEnd>, PortError> {
        self.read(self.inner.store.ended(session_id, state)).await
    }

    async fn endings(
        &self,
        wanted: &[(&SessionId, State)],
    ) -> Result<BTreeMap<SessionId, StoredEnding>, PortError> {
        self.read(self.inner.store.endings(wanted)).await
    }
}

impl Published for FaultyWorld {
    async fn image(&self, name: &ImageName) -> Result<Option<StoredImage>, PortError> {
        self.read(self.inner.store.image(name)).await
    }

    async fn images(&self, merchant: &MerchantId) -> Result<Vec<ImageEntry>, PortError> {
        self.read(self.inner.store.images(merchant)).await
    }

    async fn add_image(&self, image: &StoredImage, entry: &Entry) -> Result<(), PortError> {
        self.write(self.inner.store.add_image(image, entry)).await
    }

    async fn delete_image(
        &self,
        merchant: &MerchantId,
        name: &ImageName,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.delete_image(merchant, name, entry)).await
    }

    async fn apple_domain_file(&self) -> Result<Option<String>, PortError> {
        self.read(self.inner.store.apple_domain_file()).await
    }

    async fn set_apple_domain_file(&self, text: Option<&str>, entry: &Entry) -> Result<(), PortError> {
        self.write(self.inner.store.set_apple_domain_file(text, entry)).await
    }
}

impl Attachments for FaultyWorld {
    async fn attachment(&self, name: &AttachmentName) -> Result<Option<Attachment>, PortError> {
        self.read(self.inner.store.attachment(name)).await
    }

    async fn add_attachment(&self, attachment: &Attachment) -> Result<(), PortError> {
        self.write(self.inner.store.add_attachment(attachment)).await
    }

    async fn short_link(&self, code: &ShortCode) -> Result<Option<ShortLink>, PortError> {
        self.read(self.inner.store.short_link(code)).await
    }

    async fn short_links(&self, session_id: &SessionId) -> Result<Vec<ShortLink>, PortError> {
        self.read(self.inner.store.short_links(session_id)).await
    }
}

impl Cards for FaultyWorld {
    async fn cards(&self, holder: &Holder, limit: u32) -> Result<Vec<SavedCard>, PortError> {
        self.read(self.inner.store.cards(holder, limit)).await
    }

    async fn card(&self, merchant: &MerchantId, name: CardName<'_>) -> Result<Option<SavedCard>, PortError> {
        self.read(self.inner.store.card(merchant, name)).await
    }

    async fn delete_card(&self, holder: &Holder, token: &CardToken) -> Result<CardDeletion, PortError> {
        self.write(self.inner.store.delete_card(holder, token)).await
    }

    async fn awaiting_card(&self, awaited: Awaited<'_>) -> Result<Vec<Record>, PortError> {
        self.read(self.inner.store.awaiting_card(awaited)).await
    }

    async fn agreement(&self, key: &AgreementKey) -> Result<Option<SavedAgreement>, PortError> {
        self.read(self.inner.store.agreement(key)).await
    }

    async fn consent(&self, session_id: &SessionId) -> Result<Option<Consent>, PortError> {
        self.read(self.inner.store.consent(session_id)).await
    }
}

impl Holds for FaultyWorld {
    async fn capture_deadline(&self, session_id: &SessionId) -> Result<Option<CaptureDeadline>, PortError> {
        self.read(self.inner.store.capture_deadline(session_id)).await
    }

    async fn due_captures(&self, due: Due<'_>) -> Result<Vec<CaptureDeadline>, PortError> {
        self.read(self.inner.store.due_captures(due)).await
    }

    async fn remind_of_captures(&self, reminders: &[Attention]) -> Result<(), PortError> {
        self.write(self.inner.store.remind_of_captures(reminders)).await
    }
}

impl Ladders for FaultyWorld {
    async fn ladder(&self, session_id: &SessionId) -> Result<Option<Ladder>, PortError> {
        self.read(self.inner.store.ladder(session_id)).await
    }

    async fn due_ladders(&self, due: Due<'_>) -> Result<Vec<DueRow<SessionId>>, PortError> {
        self.read(self.inner.store.due_ladders(due)).await
    }

    async fn claim_ladder(
        &self,
        session_id: &SessionId,
        due_at: Timestamp,
        until: Timestamp,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.claim_ladder(session_id, due_at, until)).await
    }

    async fn end_ladder(
        &self,
        session_id: &SessionId,
        until: Timestamp,
        paused: Option<&Pausing>,
    ) -> Result<(), PortError> {
        self.write(self.inner.store.end_ladder(session_id, until, paused)).await
    }

    async fn tried_debits(
        &self,
        holder: &Holder,
        card: &CardToken,
        since: Timestamp,
    ) -> Result<Vec<Timestamp>, PortError> {
        self.read(self.inner.store.tried_debits(holder, card, since)).await
    }

    async fn agreements(&self, holder: &Holder, limit: u32) -> Result<Vec<SavedAgreement>, PortError> {
        self.read(self.inner.store.agreements(holder, limit)).await
    }

    async fn resume_agreement(&self, key: &AgreementKey, entry: &Entry) -> Result<bool, PortError> {
        self.write(self.inner.store.resume_agreement(key, entry)).await
    }
}
