//! The tables next to that of the transactions.

use super::*;

impl Bookkeeping for FaultyWorld {
    async fn books(&self, session_id: &SessionId) -> Result<Option<Books>, PortError> {
        self.read(self.inner.store.books(session_id)).await
    }

    async fn standings(
        &self,
        session_ids: &[&SessionId],
    ) -> Result<SortedMap<SessionId, Standing>, PortError> {
        self.read(self.inner.store.standings(session_ids)).await
    }

    async fn child(&self, reference: &ReferenceNumber) -> Result<Option<Child>, PortError> {
        self.read(self.inner.store.child(reference)).await
    }

    async fn tracked(&self, merchant: &MerchantId, key: &str) -> Result<Option<Child>, PortError> {
        self.read(self.inner.store.tracked(merchant, key)).await
    }

    async fn due_operations(&self, due: Due<'_>) -> Result<Vec<Turn<ReferenceNumber>>, PortError> {
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
    async fn caller(&self, key: &ApiKey, now: Timestamp) -> Result<Option<KeyHolder>, PortError> {
        self.read(self.inner.store.caller(key, now)).await
    }

    async fn holder(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        now: Timestamp,
    ) -> Result<Option<KeyHolder>, PortError> {
        self.read(self.inner.store.holder(merchant, prefix, now)).await
    }

    async fn note_use(&self, merchant: &MerchantId, prefix: &str, at: Timestamp) -> Result<(), PortError> {
        self.write(self.inner.store.note_use(merchant, prefix, at)).await
    }
}

impl Users for FaultyWorld {
    async fn user(&self, key: UserKey<'_>) -> Result<Option<FoundUser>, PortError> {
        self.read(self.inner.store.user(key)).await
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

    async fn forget_tries(&self, before: Timestamp, limit: u32) -> Result<(), PortError> {
        self.write(self.inner.store.forget_tries(before, limit)).await
    }

    async fn add_user(&self, user: &NewUser) -> Result<Option<UserId>, PortError> {
        self.write(self.inner.store.add_user(user)).await
    }

    async fn users(&self, merchant: &MerchantId) -> Result<Vec<UserEntry>, PortError> {
        self.read(self.inner.store.users(merchant)).await
    }

    async fn change_user(&self, merchant: &MerchantId, change: &UserChange) -> Result<bool, PortError> {
        self.write(self.inner.store.change_user(merchant, change)).await
    }
}

impl Registry for FaultyWorld {
    async fn settings(&self, merchant: &MerchantId) -> Result<Option<Rc<MerchantSettings>>, PortError> {
        self.read(self.inner.store.settings(merchant)).await
    }

    async fn allowed_origins(&self, session_id: &SessionId) -> Result<Vec<String>, PortError> {
        self.read(self.inner.store.allowed_origins(session_id)).await
    }

    async fn settings_of_provider(
        &self,
        issuer: &str,
        audiences: &[String],
    ) -> Result<Option<Rc<MerchantSettings>>, PortError> {
        self.read(self.inner.store.settings_of_provider(issuer, audiences)).await
    }

    async fn document(&self, merchant: &MerchantId) -> Result<Option<StoredDocument>, PortError> {
        self.read(self.inner.store.document(merchant)).await
    }

    async fn add_merchant(&self, merchant: &NewMerchant) -> Result<bool, PortError> {
        self.write(self.inner.store.add_merchant(merchant)).await
    }

    async fn replace_document(
        &self,
        merchant: &MerchantId,
        version: i64,
        document: &str,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.replace_document(merchant, version, document, at)).await
    }

    async fn move_clock(
        &self,
        settings: &MerchantSettings,
        offset: Duration,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.move_clock(settings, offset, at)).await
    }

    async fn moved_clocks(&self, limit: u32) -> Result<Vec<MerchantId>, PortError> {
        self.read(self.inner.store.moved_clocks(limit)).await
    }

    async fn add_key(&self, key: &NewKey) -> Result<(), PortError> {
        self.write(self.inner.store.add_key(key)).await
    }

    async fn keys(&self, merchant: &MerchantId) -> Result<Vec<KeyEntry>, PortError> {
        self.read(self.inner.store.keys(merchant)).await
    }

    async fn revoke_key(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        at: Timestamp,
    ) -> Result<bool, PortError> {
        self.write(self.inner.store.revoke_key(merchant, prefix, at)).await
    }
}

impl Decisions for FaultyWorld {
    async fn health(&self, merchant: &MerchantId, now: Timestamp) -> Result<Vec<Health>, PortError> {
        self.read(self.inner.store.health(merchant, now)).await
    }

    async fn decisions(&self, session_id: &SessionId) -> Result<Vec<Decision>, PortError> {
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
        found: &Found,
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
    async fn ended(&self, session_id: &SessionId, state: State) -> Result<Option<Ended>, PortError> {
        self.read(self.inner.store.ended(session_id, state)).await
    }
}

impl Enclosures for FaultyWorld {
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
}
