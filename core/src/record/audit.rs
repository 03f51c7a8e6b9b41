//! What was changed in the administration of the installation, and by whom: entries that are stored with the change.

use alloc::string::{String, ToString};

use serde::Serialize;

use crate::value::id::{EntryId, MerchantId};
use crate::value::time::Timestamp;
use crate::words::role::Role;
use crate::words::word_list;

word_list! {
    /// What changes something.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ActorKind {
        /// An operator, by number.
        Operator = "operator",
        /// A key of the merchant, by its prefix.
        Key = "key",
        /// A user of the merchant, by number.
        User = "user",
    }
}

impl ActorKind {
    /// Reads `<kind>:<id>`, as queries name who did something.
    #[must_use]
    pub(crate) fn with_id(text: &str) -> Option<(Self, &str)> {
        let (kind, id) = text.split_once(':')?;
        let is_id = !id.is_empty() && id.len() <= 10 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        Self::parse(kind).filter(|_| is_id).map(|kind| (kind, id))
    }
}

/// Who changes something. No part of it is secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Actor {
    /// What it is.
    pub kind: ActorKind,
    /// Its number or its prefix.
    pub id: String,
    /// What it is called: the name of an operator, the name with which a user signs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The role of an operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

impl Actor {
    /// Whether both are one, whatever they were called when each was recorded.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind && self.id == other.id
    }
}

/// What is recorded of a change, before it has a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// The name of the endpoint in the table.
    pub action: &'static str,
    /// The merchant that it concerns; `None` for the installation, and where the row that is changed names it.
    pub merchant: Option<MerchantId>,
    /// What was changed: a merchant, the prefix of a key, the number of a user or an operator, an entry of the attention
    /// list, a transaction.
    pub subject: String,
    /// The version of the merchant's settings that the change makes.
    pub version: Option<i64>,
    /// What it was, as JSON without secrets.
    pub before: Option<String>,
    /// What it is, as JSON without secrets.
    pub after: Option<String>,
}

impl Entry {
    /// An entry that says only who does what, and when.
    #[must_use]
    pub fn of(actor: Actor, action: &'static str, at: Timestamp) -> Self {
        Self {
            at,
            actor,
            action,
            merchant: None,
            subject: String::new(),
            version: None,
            before: None,
            after: None,
        }
    }

    /// About a merchant.
    #[must_use]
    pub fn about(self, merchant: &MerchantId) -> Self {
        Self { merchant: Some(merchant.clone()), ..self }
    }

    /// Of something in particular.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "callers give references and small numbers")]
    pub fn on(self, subject: impl ToString) -> Self {
        Self { subject: subject.to_string(), ..self }
    }

    /// That makes a version of the merchant's settings.
    #[must_use]
    pub fn making(self, version: i64) -> Self {
        Self { version: Some(version), ..self }
    }

    /// With what it was. Whatever is serialised here is stored, so it has no secret.
    #[must_use]
    pub fn from(self, before: &impl Serialize) -> Self {
        Self { before: serde_json::to_string(before).ok(), ..self }
    }

    /// With what it becomes. Whatever is serialised here is stored, so it has no secret.
    #[must_use]
    pub fn to(self, after: &impl Serialize) -> Self {
        Self { after: serde_json::to_string(after).ok(), ..self }
    }
}

/// An entry as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedEntry {
    /// Its number.
    pub id: EntryId,
    /// When.
    pub at: Timestamp,
    /// Who; `None` for what was written into the database by other means than the API.
    pub actor: Option<Actor>,
    /// The name of the endpoint.
    pub action: String,
    /// The merchant.
    pub merchant: Option<MerchantId>,
    /// What was changed.
    pub subject: String,
    /// What it was, as JSON.
    pub before: Option<String>,
    /// What it is, as JSON.
    pub after: Option<String>,
}

/// Which entries are looked for, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// Only about this merchant.
    pub merchant: Option<MerchantId>,
    /// Only by this actor.
    pub actor: Option<(ActorKind, String)>,
    /// Only before this entry.
    pub before: Option<EntryId>,
    /// At most so many.
    pub limit: u32,
}
