//! What is answered about operators, the audit, the versions of settings and the secrets of webhooks.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::value::time::Moment;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::record::attention::Topic;
use crate::record::audit::{Actor, ActorKind, RecordedEntry};
use crate::value::id::MerchantId;
use crate::wire::patch::PatchStep;
use crate::words::role::Role;

/// A new operator with its key, which is shown only this once.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OperatorAdded {
    /// From when the key is no longer valid.
    pub expires_at: Option<Moment>,
    /// Its number.
    pub id: u32,
    /// The key itself, for `Authorization: Bearer`.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// The part by which the key is found.
    pub prefix: String,
    /// What it may do.
    pub role: Role,
}

/// An operator in the list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OperatorShown {
    /// When it was made.
    pub created_at: Moment,
    /// From when the key is no longer valid.
    pub expires_at: Option<Moment>,
    /// Its number.
    pub id: u32,
    /// The last four characters of the key.
    pub last4: String,
    /// When the key was used last, exact to an hour.
    pub last_used_at: Option<String>,
    /// What people call it.
    pub name: String,
    /// The part by which the key is found.
    pub prefix: String,
    /// When it was revoked.
    pub revoked_at: Option<Moment>,
    /// What it may do.
    pub role: Role,
}

/// An uploaded image.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ImageShown {
    /// When it was uploaded.
    pub created_at: Moment,
    /// Its pixels from top to bottom.
    pub height: u32,
    /// What it is.
    pub media_type: &'static str,
    /// Its name, for the members `logo` and `favicon` of a brand.
    pub name: String,
    /// Its bytes, as it is stored.
    pub size: u32,
    /// From where anyone can download it.
    pub url: String,
    /// Its pixels from side to side.
    pub width: u32,
}

/// The brand of the settings.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BrandShown {
    /// The brand; an empty object if there is none.
    pub brand: Box<RawValue>,
    /// The version of the settings.
    pub version: i64,
}

/// Who changed something.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ActorShown {
    /// The number of an operator or a user, or the prefix of a key; absent for operators where a merchant reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What it is.
    pub kind: ActorKind,
    /// What it is called: the name of an operator, the name with which a user signs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The role of an operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

impl From<Actor> for ActorShown {
    fn from(Actor { kind, id, name, role }: Actor) -> Self {
        Self { id: Some(id), kind, name, role }
    }
}

impl ActorShown {
    /// As a merchant reads it: who of the operators it was is not shown.
    pub(crate) fn for_merchant(self) -> Self {
        match self.kind {
            ActorKind::Operator => Self { id: None, kind: self.kind, name: None, role: None },
            ActorKind::Key | ActorKind::User => self,
        }
    }
}

/// An entry of the audit.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AuditShown {
    /// The operation that made the change.
    pub action: String,
    /// Who made it; `null` for what was written into the database by other means.
    pub actor: Option<ActorShown>,
    /// What it is, without secrets; of an object, the members that changed.
    pub after: Option<Box<RawValue>>,
    /// When.
    pub at: Moment,
    /// What it was, without secrets; of an object, the members that changed.
    pub before: Option<Box<RawValue>>,
    /// Its number.
    pub id: u32,
    /// The merchant that it concerns; `null` for the installation.
    pub merchant_id: Option<MerchantId>,
    /// What was changed: a merchant, the prefix of a key, the number of a user or an operator, a gateway, an entry of the
    /// attention list, a transaction.
    pub subject: String,
}

impl TryFrom<RecordedEntry> for AuditShown {
    type Error = serde_json::Error;

    fn try_from(recorded: RecordedEntry) -> Result<Self, serde_json::Error> {
        let raw = |text: Option<String>| text.map(RawValue::from_string).transpose();
        Ok(Self {
            action: recorded.action,
            actor: recorded.actor.map(ActorShown::from),
            after: raw(recorded.after)?,
            at: recorded.at.into(),
            before: raw(recorded.before)?,
            id: recorded.id.0,
            merchant_id: recorded.merchant,
            subject: recorded.subject,
        })
    }
}

/// A page of the audit.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct AuditPage {
    /// The `before` of the page that follows; `null` on the last one.
    pub next: Option<u32>,
    /// The newest first.
    pub results: Vec<AuditShown>,
}

/// A version of a merchant's settings in their history.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct VersionShown {
    /// The operation that made it; `null` if that was not recorded.
    pub action: Option<String>,
    /// Who made it; `null` if that was not recorded.
    pub actor: Option<ActorShown>,
    /// When it was made.
    pub at: Moment,
    /// Its number.
    pub version: i64,
}

/// A page of the history of a merchant's settings.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SettingsHistory {
    /// The `before` of the page that follows; `null` on the last one.
    pub next: Option<i64>,
    /// The newest first.
    pub results: Vec<VersionShown>,
}

/// A version of a merchant's settings.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct VersionRead {
    /// The operation that made it; `null` if that was not recorded.
    pub action: Option<String>,
    /// Who made it; `null` if that was not recorded.
    pub actor: Option<ActorShown>,
    /// When it was made.
    pub at: Moment,
    /// Whose settings they are.
    pub merchant_id: MerchantId,
    /// The settings, credentials hidden.
    pub settings: Box<RawValue>,
    /// Its number.
    pub version: i64,
}

/// What differs between two versions of a merchant's settings.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SettingsCompared {
    /// The steps from the one to the other, a JSON Patch (RFC 6902) that applies to the settings as they are shown. A
    /// credential that changed is `[sealed]` before and after.
    pub changes: Vec<PatchStep>,
    /// The version that they lead from.
    pub from: i64,
    /// Whose settings they are.
    pub merchant_id: MerchantId,
    /// The version that they lead to.
    pub to: i64,
}

/// A new secret of the header `webhook-signature`, which is shown only this once.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WebhookSecretAdded {
    /// Until when the secret before it signs too.
    pub previous_until: Option<Moment>,
    /// The secret.
    pub webhook_signing_secret: String,
}

/// A new key of the `signature` in the bodies of webhooks and answers, which is shown only this once.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SignatureKeyAdded {
    /// From when it signs in place of the one before it.
    pub begins_at: Moment,
    /// The key.
    pub webhook_hmac_key: String,
}

/// Where the webhooks of a merchant go that name no address of their own.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WebhookAddresses {
    /// Who is written to about alerts.
    pub alert_emails: Vec<String>,
    /// About what; empty for everything.
    pub alert_topics: Vec<Topic>,
    /// Alerts, which say what a person should look at.
    pub alerts: Option<String>,
    /// Those about payment transactions of the type `e_commerce`.
    pub e_commerce: Option<String>,
    /// Those about captures, refunds and voids, in addition.
    pub operations: Option<String>,
    /// Those about payment transactions of the type `payment_request`.
    pub payment_request: Option<String>,
    /// The version of the settings that they are in.
    pub version: i64,
}
