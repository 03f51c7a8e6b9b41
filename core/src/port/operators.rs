//! The operators that are stored, and what was recorded of changes in the administration.

use alloc::string::String;
use alloc::vec::Vec;

use super::PortError;
use crate::access::key::ApiKey;
use crate::access::operator::Operator;
use crate::record::audit::{Entry, RecordedEntry, Search};
use crate::value::id::OperatorId;
use crate::value::time::Timestamp;
use crate::words::role::Role;

/// An operator to be stored: never the key, only its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOperator {
    /// What people call it.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// The part by which the key is found.
    pub prefix: String,
    /// SHA-256 of the key, hex.
    pub hash: String,
    /// The last four characters, for recognition.
    pub last4: String,
    /// When it was made.
    pub at: Timestamp,
    /// From when it is no longer valid.
    pub expires_at: Option<Timestamp>,
}

/// What is shown of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorEntry {
    /// The operator.
    pub operator: Operator,
    /// The part by which the key is found.
    pub prefix: String,
    /// The last four characters of the key.
    pub last4: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when it is no longer valid.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was used last, exact to an hour.
    pub used_at: Option<Timestamp>,
}

/// Operators.
pub trait Operators {
    /// The operator to whom a key belongs, in one round trip, and when it was used last; `None` if the key is unknown,
    /// revoked or expired.
    ///
    /// # Errors
    /// If the store fails.
    async fn operator(
        &self,
        key: &ApiKey,
        now: Timestamp,
    ) -> Result<Option<(Operator, Option<Timestamp>)>, PortError>;

    /// Notes that the key of an operator was used.
    ///
    /// # Errors
    /// If the store fails.
    async fn note_operator(&self, id: OperatorId, at: Timestamp) -> Result<(), PortError>;

    /// Adds an operator, with the entry of the audit, whose subject becomes its number.
    ///
    /// # Errors
    /// If the store fails.
    async fn add_operator(&self, operator: &NewOperator, entry: &Entry) -> Result<OperatorId, PortError>;

    /// Every operator that was ever made, in the order of their numbers.
    ///
    /// # Errors
    /// If the store fails.
    async fn operators(&self) -> Result<Vec<OperatorEntry>, PortError>;

    /// Revokes an operator permanently, with the entry of the audit; whether there was one that was not revoked.
    ///
    /// # Errors
    /// If the store fails.
    async fn revoke_operator(&self, id: OperatorId, entry: &Entry) -> Result<bool, PortError>;
}

/// What was recorded of changes.
pub trait Journal {
    /// Records what changes nothing that is stored, or what is about to be done.
    ///
    /// # Errors
    /// If the store fails.
    async fn record(&self, entry: &Entry) -> Result<(), PortError>;

    /// Records it, unless the same actor has an entry of the same action, merchant and subject after `since`.
    ///
    /// # Errors
    /// If the store fails.
    async fn record_unless_since(&self, entry: &Entry, since: Timestamp) -> Result<(), PortError>;

    /// The entries that a search finds, the newest first.
    ///
    /// # Errors
    /// If the store fails.
    async fn recorded(&self, search: &Search) -> Result<Vec<RecordedEntry>, PortError>;
}
