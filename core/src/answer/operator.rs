//! What the operator API answers. The members are in alphabetical order, in which clients have always got them.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::strings::facts::say;
use crate::value::time::Moment;
use crate::words::Language;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::reconciliation::{CompletedRun, Reconciliation};
use crate::record::attention::Attention;
use crate::state::State;
use crate::value::id::{MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::money::Currency;
use crate::words::role::StaffRole;

/// A new merchant with its secrets, which are shown only this once.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MerchantAdded {
    /// Its id.
    pub merchant_id: MerchantId,
    /// Its first private key.
    pub private_key: String,
    /// Its first public key.
    pub public_key: String,
    /// The version of its settings.
    pub version: i64,
    /// The key of the `signature` in its notifications.
    pub webhook_hmac_key: String,
    /// The secret of the header `webhook-signature`.
    pub webhook_signing_secret: String,
}

/// A merchant and its settings.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MerchantShown {
    /// Its id.
    pub merchant_id: MerchantId,
    /// Its settings, credentials hidden.
    pub settings: Box<RawValue>,
    /// Counts up with every change of the settings.
    pub version: i64,
}

/// Some of the merchants.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MerchantPage {
    /// The `cursor` of the page that follows; null on the last one.
    pub next: Option<MerchantId>,
    /// In the order of their ids.
    pub results: Vec<MerchantListed>,
}

/// A merchant in the list of all.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MerchantListed {
    /// When it was made.
    pub created_at: Moment,
    /// Whether it takes no payments for now.
    pub is_paused: bool,
    /// Whether every gateway of it is simulated.
    pub is_test: bool,
    /// Its id.
    pub merchant_id: MerchantId,
    /// Its name.
    pub name: NameShown,
    /// Counts up with every change of the settings.
    pub version: i64,
}

/// A name in both languages.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct NameShown {
    /// In Arabic.
    pub ar: String,
    /// In English.
    pub en: String,
}

/// Whose a payment transaction is. Nothing of its payer is shown.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FoundTransaction {
    /// Its amount.
    pub amount: String,
    /// When it was made.
    pub created_at: Moment,
    /// Its currency.
    #[schemars(with = "String")]
    pub currency_code: Currency,
    /// The merchant.
    pub merchant_id: MerchantId,
    /// The order number of the merchant.
    pub order_no: Option<String>,
    /// Its id.
    pub session_id: SessionId,
    /// Its state.
    pub state: State,
}

/// The settings of a merchant were replaced.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SettingsReplaced {
    /// Whose they are.
    pub merchant_id: MerchantId,
    /// The version of the new ones.
    pub version: i64,
}

/// A new key, which is shown only this once.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KeyAdded {
    /// From when it is no longer valid.
    pub expires_at: Option<Moment>,
    /// The key itself.
    pub key: String,
    /// The merchant whose key it is.
    pub merchant_id: MerchantId,
    /// What the operator calls it.
    pub name: Option<String>,
    /// What it may do; absent for everything that a key of its kind may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<String>>,
    /// The part by which it is found.
    pub prefix: String,
}

/// A key in the list of a merchant's keys.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct KeyShown {
    /// When it was made.
    pub created_at: Moment,
    /// From when it is no longer valid.
    pub expires_at: Option<Moment>,
    /// `private` or `public`.
    pub kind: &'static str,
    /// The last four characters.
    pub last4: String,
    /// When it was used last, exact to an hour.
    pub last_used_at: Option<String>,
    /// What the operator calls it.
    pub name: Option<String>,
    /// What it may do; absent for everything that a key of its kind may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Vec<String>>,
    /// The part by which it is found.
    pub prefix: String,
    /// When it was revoked.
    pub revoked_at: Option<Moment>,
}

/// A user of a merchant.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the members of an answer")]
pub struct UserShown {
    /// When the user was made.
    pub created_at: String,
    /// The e-mail address.
    pub email: Option<String>,
    /// The first name.
    pub first_name: Option<String>,
    /// Whether the user has a password here.
    pub has_password: bool,
    /// The number, which is `initiator_id` in a transaction.
    pub id: u32,
    /// Whether the user may sign in.
    pub is_active: bool,
    /// Whether a sign-in at the merchant's provider said which of its subjects the user is. No other subject is the user then.
    pub is_bound: bool,
    /// Whether the user may do everything that users can be permitted.
    pub is_superuser: bool,
    /// The last name.
    pub last_name: Option<String>,
    /// What the user may do.
    pub permissions: Vec<String>,
    /// The telephone number.
    pub phone: Option<String>,
    /// When the user was changed last.
    pub updated_at: String,
    /// The name with which the user signs in.
    pub username: String,
}

/// A user who was sent a link.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UserInvited {
    /// Where it was sent.
    pub email: Option<String>,
    /// From when it opens nothing.
    pub expires_at: Moment,
    /// The number of the user.
    pub id: u32,
}

/// A role of a merchant's users.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RoleShown {
    /// Whether it is that of a user who may do everything.
    pub is_superuser: bool,
    /// What it fills `permissions` in with.
    pub permissions: Vec<String>,
    /// Its name.
    pub role: StaffRole,
}

/// The test clock of a merchant; if it was just moved, with what happened because of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ClockShown {
    /// How far it is ahead of the real time.
    pub advanced_seconds: u64,
    /// Notifications that were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivered: Option<usize>,
    /// Transactions that expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expired: Option<usize>,
    /// Attempts and operations whose gateway was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inquired: Option<usize>,
    /// The merchant.
    pub merchant_id: MerchantId,
    /// What it shows.
    pub now: Moment,
    /// Reconciliations that continued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reconciled: Option<usize>,
}

/// An entry of the attention list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AttentionShown {
    /// Facts for the reader.
    pub detail: String,
    /// Its name.
    pub id: String,
    /// The merchant.
    pub merchant_id: MerchantId,
    /// Why it is on the list.
    pub reason: crate::record::attention::Reason,
    /// The attempt or operation.
    pub reference_number: ReferenceNumber,
    /// The transaction, if one is recorded here.
    pub session_id: Option<SessionId>,
    /// Since when it is on the list.
    pub since: Moment,
}

impl From<Attention> for AttentionShown {
    fn from(entry: Attention) -> Self {
        Self {
            id: entry.id().to_string(),
            detail: say(Language::En, &entry.detail),
            merchant_id: entry.merchant,
            reason: entry.reason,
            reference_number: entry.reference,
            session_id: entry.session_id,
            since: entry.at.into(),
        }
    }
}

/// An entry of the attention list was resolved.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AttentionResolved {
    /// Whether that closed the entry.
    pub closed: bool,
    /// The name of the entry.
    pub id: String,
    /// The result of the attempt or operation, unless the entry is about a difference in the gateway's list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
}

/// What a gateway said about the credentials of a merchant.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GatewayChecked {
    /// The connector that asked.
    pub connector: &'static str,
    /// The gateway's own words, or why it did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The gateway.
    pub pg_code: PgCode,
    /// `accepted`, `refused`, `unclear`, or `impossible` if nothing can be asked.
    pub result: &'static str,
    /// Whether the settings say that it moves no money.
    pub sandbox: bool,
}

/// How far the payments at one gateway of a merchant were compared with the gateway's list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReconciliationShown {
    /// How often in a row the gateway could not be asked.
    pub failures: i64,
    /// The last run that was completed.
    pub last: Option<RunShown>,
    /// Up to when lists were compared.
    pub listed_to: Moment,
    /// When it continues.
    pub next: Moment,
    /// The gateway.
    pub pg_code: PgCode,
    /// Whether a run is in progress.
    pub running: bool,
    /// Attempts that were opened before are not missed.
    pub since: Moment,
}

/// A run of a reconciliation that was completed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RunShown {
    /// Successes about which the gateway was asked.
    pub asked: i64,
    /// Charges of the gateway's list that were compared.
    pub charges: i64,
    /// Differences that were found.
    pub differences: i64,
    /// When it ended.
    pub ended: Moment,
}

impl From<&Reconciliation> for ReconciliationShown {
    fn from(reconciliation: &Reconciliation) -> Self {
        Self {
            failures: reconciliation.failures,
            last: reconciliation.last.map(RunShown::from),
            listed_to: reconciliation.listed_to.into(),
            next: reconciliation.due_at.into(),
            pg_code: reconciliation.pg_code.clone(),
            running: reconciliation.run.is_some(),
            since: reconciliation.since.into(),
        }
    }
}

impl From<CompletedRun> for RunShown {
    fn from(CompletedRun { at, tally }: CompletedRun) -> Self {
        Self { asked: tally.asked, charges: tally.charges, differences: tally.differences, ended: at.into() }
    }
}

/// A key under which secrets of the installation are sealed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SealKeyShown {
    /// Whether the Worker has this key. What it does not have, it cannot open.
    #[serde(rename = "configured")]
    pub is_configured: bool,
    /// Its id, which follows from the key; `null` for what was sealed before keys had ids.
    pub key_id: Option<String>,
    /// Whether it is `SEAL_KEY`, which seals.
    pub seals: bool,
    /// How many values it has sealed.
    pub values: u64,
}

/// Under which keys the secrets of the installation are sealed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SealingShown {
    /// The keys.
    pub keys: Vec<SealKeyShown>,
    /// How many values another key than `SEAL_KEY` has sealed.
    pub left: u64,
}

/// Secrets were sealed again.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Resealed {
    /// The key that has sealed them.
    pub key_id: String,
    /// How many values another key has sealed: call again until none is left.
    pub left: u64,
    /// How many this call has sealed again.
    pub resealed: u64,
    /// How many of those that it looked at no configured key opens.
    pub unreadable: u64,
}
