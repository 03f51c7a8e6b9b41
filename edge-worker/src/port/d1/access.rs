//! Merchants, their keys and users, operators, and the audit, in D1.

use std::time::Duration;

use checkout_core::access::key::ApiKey;
use checkout_core::access::operator::Operator;
use checkout_core::port::{
    FoundUser, Journal, KeyEntry, KeyHolder, Keyring, MerchantEntry, NewDocument, NewKey, NewMerchant,
    NewOperator, NewSecrets, NewUser, OperatorEntry, Operators, PageOrigins, PortError, Registry,
    StoredDocument, StoredVersion, TrySubject, UserChange, UserEntry, UserKey, Users,
};
use checkout_core::record::audit::{Entry, RecordedEntry, Search};
use checkout_core::settings::MerchantSettings;
use checkout_core::settings::situation::Merchant;
use checkout_core::value::id::{MerchantId, OperatorId, SessionId, UserId};
use checkout_core::value::time::Timestamp;

use super::{D1Store, audit, caller, merchant, operator, user, version};

impl Users for D1Store {
    async fn user(
        &self,
        key: UserKey<'_>,
        named: Option<&SessionId>,
    ) -> Result<Option<FoundUser>, PortError> {
        caller::user(&self.db, key, named).await
    }

    async fn count_tries(
        &self,
        subjects: &[TrySubject],
        now: Timestamp,
    ) -> Result<Option<Timestamp>, PortError> {
        user::count_tries(&self.db, subjects, now).await
    }

    async fn take_back_tries(&self, subjects: &[TrySubject]) -> Result<(), PortError> {
        user::take_back_tries(&self.db, subjects).await
    }

    async fn delete_tries(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        user::delete_tries(&self.db, before, limit).await
    }

    async fn note_place(&self, place: &str, at: Timestamp) -> Result<(), PortError> {
        user::note_place(&self.db, place, at).await
    }

    async fn knows_place(&self, place: &str, since: Timestamp) -> Result<bool, PortError> {
        user::knows_place(&self.db, place, since).await
    }

    async fn delete_places(&self, before: Timestamp, limit: u32) -> Result<u32, PortError> {
        user::delete_places(&self.db, before, limit).await
    }

    async fn bind_user(&self, id: UserId, from: Option<&str>, subject: &str) -> Result<bool, PortError> {
        user::bind(&self.db, id, from, subject).await
    }

    async fn add_user(&self, user: &NewUser, entry: &Entry) -> Result<Option<UserId>, PortError> {
        user::add(&self.db, user, entry).await
    }

    async fn users(&self, merchant: &MerchantId) -> Result<Vec<UserEntry>, PortError> {
        user::of_merchant(&self.db, merchant).await
    }

    async fn change_user(
        &self,
        merchant: &MerchantId,
        change: &UserChange,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        user::change(&self.db, merchant, change, entry).await
    }
}

impl Keyring for D1Store {
    async fn caller(
        &self,
        key: &ApiKey,
        now: Timestamp,
        named: Option<&SessionId>,
    ) -> Result<Option<KeyHolder>, PortError> {
        caller::caller(&self.db, key, now, named).await
    }

    async fn holder(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        now: Timestamp,
        named: Option<&SessionId>,
    ) -> Result<Option<KeyHolder>, PortError> {
        caller::holder(&self.db, (merchant, prefix), now, named).await
    }

    fn recall(&self, key: &ApiKey, now: Timestamp) -> Option<KeyHolder> {
        caller::recall(&self.db, key, now)
    }

    async fn prove(&self) -> Result<bool, PortError> {
        self.db.prove().await
    }

    async fn note_use(&self, merchant: &MerchantId, prefix: &str, at: Timestamp) -> Result<(), PortError> {
        merchant::note_use(&self.db, merchant, prefix, at).await
    }
}

impl Registry for D1Store {
    async fn merchant(&self, id: &MerchantId) -> Result<Option<Merchant>, PortError> {
        merchant::merchant(&self.db, id).await
    }

    async fn merchant_of_provider(
        &self,
        issuer: &str,
        audiences: &[String],
    ) -> Result<Option<Merchant>, PortError> {
        merchant::merchant_of_provider(&self.db, issuer, audiences).await
    }

    async fn document(&self, merchant: &MerchantId) -> Result<Option<StoredDocument>, PortError> {
        merchant::document(&self.db, merchant).await
    }

    async fn versions(
        &self,
        merchant: &MerchantId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<StoredVersion>, PortError> {
        version::list(&self.db, merchant, before, limit).await
    }

    async fn version(&self, merchant: &MerchantId, version: i64) -> Result<Option<String>, PortError> {
        version::document(&self.db, merchant, version).await
    }

    async fn add_merchant(&self, merchant: &NewMerchant, entry: &Entry) -> Result<bool, PortError> {
        merchant::add(&self.db, merchant, entry).await
    }

    async fn replace_document(&self, new: &NewDocument<'_>, entry: &Entry) -> Result<bool, PortError> {
        merchant::replace_document(&self.db, new, entry).await
    }

    async fn replace_secrets(&self, new: &NewSecrets<'_>, entry: &Entry) -> Result<bool, PortError> {
        merchant::replace_secrets(&self.db, new, entry).await
    }

    async fn move_clock(
        &self,
        settings: &MerchantSettings,
        offset: Duration,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        merchant::move_clock(&self.db, settings, offset, entry).await
    }

    async fn merchants(
        &self,
        after: Option<&MerchantId>,
        limit: u32,
    ) -> Result<Vec<MerchantEntry>, PortError> {
        merchant::merchants(&self.db, after, limit).await
    }

    async fn moved_clocks(&self, limit: u32) -> Result<Vec<MerchantId>, PortError> {
        merchant::moved_clocks(&self.db, limit).await
    }

    async fn add_key(&self, key: &NewKey, entry: &Entry) -> Result<(), PortError> {
        merchant::add_key(&self.db, key, entry).await
    }

    async fn keys(&self, merchant: &MerchantId) -> Result<Vec<KeyEntry>, PortError> {
        merchant::keys(&self.db, merchant).await
    }

    async fn revoke_key(
        &self,
        merchant: &MerchantId,
        prefix: &str,
        entry: &Entry,
    ) -> Result<bool, PortError> {
        merchant::revoke_key(&self.db, merchant, prefix, entry).await
    }
}

impl PageOrigins for D1Store {
    async fn allowed_origins(&self, session_id: &SessionId) -> Result<Vec<String>, PortError> {
        merchant::allowed_origins(&self.db, session_id).await
    }
}

impl Operators for D1Store {
    async fn operator(
        &self,
        key: &ApiKey,
        now: Timestamp,
    ) -> Result<Option<(Operator, Option<Timestamp>)>, PortError> {
        operator::find(&self.db, key, now).await
    }

    async fn note_operator(&self, id: OperatorId, at: Timestamp) -> Result<(), PortError> {
        operator::note_use(&self.db, id, at).await
    }

    async fn add_operator(&self, operator: &NewOperator, entry: &Entry) -> Result<OperatorId, PortError> {
        operator::add(&self.db, operator, entry).await
    }

    async fn operators(&self) -> Result<Vec<OperatorEntry>, PortError> {
        operator::all(&self.db).await
    }

    async fn revoke_operator(&self, id: OperatorId, entry: &Entry) -> Result<bool, PortError> {
        operator::revoke(&self.db, id, entry).await
    }
}

impl Journal for D1Store {
    async fn record(&self, entry: &Entry) -> Result<(), PortError> {
        audit::record(&self.db, entry).await
    }

    async fn record_unless_since(&self, entry: &Entry, since: Timestamp) -> Result<(), PortError> {
        audit::record_unless_since(&self.db, entry, since).await
    }

    async fn recorded(&self, search: &Search) -> Result<Vec<RecordedEntry>, PortError> {
        audit::find(&self.db, search).await
    }
}
