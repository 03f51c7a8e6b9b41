//! What the operator of an installation does: merchants, their settings and keys, and the attention list.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::Failure;
use super::settle::{Arrived, Question, inquire, settings_for, settle};
use crate::access::header::Credential;
use crate::access::key::ApiKey;
use crate::gateway::charge::{Outcome, PgParams, Report};
use crate::id::MerchantId;
use crate::payment::apply::{Learned, Occasion};
use crate::payment::stage::Stage;
use crate::port::{AttentionId, Clock, NewKey, NewMerchant, PortError, Record, Registry, Rng, Store, Vault, World};
use crate::rejection::Rejection;
use crate::settings::{MerchantSettings, Sealed, WebhookSecrets, parse};
use crate::time::Timestamp;
use crate::violation::{Rule, Violation};
use crate::webhook::payload::Cause;
use crate::webhook::standard::SigningSecret;

/// The most bytes of a settings document.
pub const MAX_BODY_BYTES: usize = 262_144;
/// What stands for a sealed credential in a document that is shown, and keeps the stored one in a document that
/// comes in.
pub const KEPT: &str = "[sealed]";
/// The most entries of the attention list in one answer.
const MAX_ENTRIES: u32 = 100;
/// How long secrets are, in bytes.
const SECRET_BYTES: usize = 32;

/// Whether the credential is the operator's token, compared in constant time.
///
/// # Errors
/// [`Rejection::CredentialsMissing`] or [`Rejection::CredentialsInvalid`].
pub fn is_operator(credential: &Credential, token: &str) -> Result<(), Rejection> {
    use subtle::ConstantTimeEq;
    match credential {
        Credential::Bearer(given) if given.as_bytes().ct_eq(token.as_bytes()).into() => Ok(()),
        Credential::Missing => Err(Rejection::CredentialsMissing),
        Credential::Bearer(_) | Credential::Malformed | Credential::ApiKey(_) | Credential::Basic => {
            Err(Rejection::CredentialsInvalid)
        }
    }
}

/// Makes a merchant with his first keys and secrets, which are shown this once:
///
/// 1. read the body and check the settings, naming every wrong field;
/// 2. draw keys and secrets, seal what must be kept;
/// 3. one batch stores merchant and keys, if the id is free.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn add_merchant(world: &impl World, body: &[u8]) -> Result<Value, Failure> {
    let now = world.clock().now();
    // 1
    let root = object(body)?;
    let merchant = match root.get("merchant_id") {
        None | Some(Value::Null) => Err(Rule::Required),
        Some(Value::String(text)) => MerchantId::parse(text).ok_or(Rule::NotMerchantId),
        Some(_) => Err(Rule::NotText),
    };
    let placeholder = WebhookSecrets { hmac_key: Sealed(String::new()), signing: Vec::new() };
    let document = root.get("settings").cloned().unwrap_or(Value::Null);
    let reach = world.installation().reach;
    let anyone = MerchantId::parse("new").ok_or(Rejection::Unavailable)?;
    let owner = merchant.as_ref().unwrap_or(&anyone);
    let text = alloc::format!("{document}");
    let (mut settings, merchant) = match (parse::parse(owner, 1, &text, placeholder, reach), merchant) {
        (Ok(settings), Ok(merchant)) => (settings, merchant),
        (parsed, merchant) => {
            let mut found: Vec<Violation> = Vec::new();
            found.extend(merchant.err().map(|rule| Violation::new("merchant_id", rule)));
            found.extend(parsed.err().into_iter().flatten().map(under_settings));
            return Err(Rejection::Invalid(found).into());
        }
    };
    // 2
    let mut random = [0; SECRET_BYTES];
    world.rng().fill(&mut random)?;
    let hmac_key = hex::encode(random);
    world.rng().fill(&mut random)?;
    let signing = SigningSecret::from_bytes(&random).map_err(|_| broken("a signing secret has a wrong length"))?;
    settings.webhook = WebhookSecrets {
        hmac_key: world.vault().seal(&merchant, &hmac_key)?,
        signing: Vec::from([world.vault().seal(&merchant, &signing.to_text())?]),
    };
    let document = seal_document(world, &merchant, document, None)?;
    let private = draw_key(world, KeyForm::Private)?;
    let public = draw_key(world, KeyForm::Public)?;
    let keys = [&private, &public].map(|key| new_key(&merchant, key, now)).into();
    // 3
    let is_added = world.store().add_merchant(&NewMerchant { settings, document, keys, at: now }).await?;
    if !is_added {
        return Err(Rejection::MerchantExists.into());
    }
    Ok(serde_json::json!({
        "merchant_id": merchant.as_str(),
        "version": 1,
        "private_key": private.text(),
        "public_key": public.text(),
        "webhook_hmac_key": hmac_key,
        "webhook_signing_secret": signing.to_text(),
    }))
}

/// Shows a merchant's settings, their credentials hidden.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn read_merchant(world: &impl World, merchant: &MerchantId) -> Result<Value, Failure> {
    let (document, version) = world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let mut document: Value = serde_json::from_str(&document).map_err(|_| broken("a document is not JSON"))?;
    for credential in credentials(&mut document) {
        *credential = Value::String(KEPT.into());
    }
    Ok(serde_json::json!({"merchant_id": merchant.as_str(), "version": version, "settings": document}))
}

/// Replaces a merchant's settings. A credential written `[sealed]` keeps the stored one of the same gateway.
///
/// # Errors
/// The rejection, or a failure of the world. A document that was changed meanwhile is a conflict.
pub async fn replace_settings(world: &impl World, merchant: &MerchantId, body: &[u8]) -> Result<Value, Failure> {
    let now = world.clock().now();
    let document = Value::Object(object(body)?);
    let (stored, version) = world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let secrets = settings_for(world, merchant).await?.webhook.clone();
    let next = version.saturating_add(1);
    let text = alloc::format!("{document}");
    parse::parse(merchant, next, &text, secrets, world.installation().reach).map_err(Rejection::Invalid)?;
    let stored: Value = serde_json::from_str(&stored).map_err(|_| broken("a document is not JSON"))?;
    let sealed = seal_document(world, merchant, document, Some(&stored))?;
    if !world.store().replace_document(merchant, version, &sealed, now).await? {
        return Err(Rejection::Conflict.into());
    }
    Ok(serde_json::json!({"merchant_id": merchant.as_str(), "version": next}))
}

/// Makes a key, which is shown this once. The body names its `kind`: `private` or `public`.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn add_key(world: &impl World, merchant: &MerchantId, body: &[u8]) -> Result<Value, Failure> {
    let now = world.clock().now();
    world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let form = match object(body)?.get("kind") {
        None | Some(Value::Null) => Err(Rule::Required),
        Some(Value::String(word)) if word == "private" => Ok(KeyForm::Private),
        Some(Value::String(word)) if word == "public" => Ok(KeyForm::Public),
        Some(Value::String(_)) => Err(Rule::OneOf(&["private", "public"])),
        Some(_) => Err(Rule::NotText),
    };
    let form = form.map_err(|rule| Rejection::Invalid(Vec::from([Violation::new("kind", rule)])))?;
    let key = draw_key(world, form)?;
    world.store().add_key(&new_key(merchant, &key, now)).await?;
    Ok(serde_json::json!({"merchant_id": merchant.as_str(), "prefix": key.prefix(), "key": key.text()}))
}

/// Lists the keys of a merchant, newest first; never the keys themselves.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn list_keys(world: &impl World, merchant: &MerchantId) -> Result<Value, Failure> {
    world.store().document(merchant).await?.ok_or(Rejection::NotFound)?;
    let keys: Vec<Value> = world
        .store()
        .keys(merchant)
        .await?
        .into_iter()
        .map(|key| {
            serde_json::json!({
                "kind": key.kind.as_str(),
                "prefix": key.prefix,
                "last4": key.last4,
                "created_at": key.created_at.to_string(),
                "revoked_at": key.revoked_at.map(|at| at.to_string()),
            })
        })
        .collect();
    Ok(Value::Array(keys))
}

/// Revokes a key for good.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn revoke_key(world: &impl World, merchant: &MerchantId, prefix: &str) -> Result<(), Failure> {
    let is_revoked = world.store().revoke_key(merchant, prefix, world.clock().now()).await?;
    if is_revoked { Ok(()) } else { Err(Rejection::NotFound.into()) }
}

/// The open entries of the attention list, oldest first.
///
/// # Errors
/// A failure of the world.
pub async fn list_attention(world: &impl World) -> Result<Value, Failure> {
    let entries: Vec<Value> = world
        .store()
        .attention(MAX_ENTRIES)
        .await?
        .into_iter()
        .map(|(id, entry)| {
            serde_json::json!({
                "id": id.to_string(),
                "merchant_id": entry.merchant.as_str(),
                "session_id": entry.session_id.as_str(),
                "reference_number": entry.reference.as_str(),
                "reason": entry.reason.as_str(),
                "detail": entry.detail,
                "since": entry.at.to_string(),
            })
        })
        .collect();
    Ok(Value::Array(entries))
}

/// How an entry of the attention list is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resolution {
    /// It was dealt with elsewhere.
    Dismiss,
    /// The gateway is asked once more.
    Inquire,
    /// The gateway confirmed to the operator that it charged what was asked for.
    Approved,
    /// The gateway confirmed to the operator that it charged nothing, or gave it back.
    NotCharged,
}

impl Resolution {
    const WORDS: &'static [&'static str] = &["dismiss", "inquire", "approved", "not_charged"];

    fn parse(word: &str) -> Option<Self> {
        match word {
            "dismiss" => Some(Self::Dismiss),
            "inquire" => Some(Self::Inquire),
            "approved" => Some(Self::Approved),
            "not_charged" => Some(Self::NotCharged),
            _ => None,
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Dismiss => "dismiss",
            Self::Inquire => "inquire",
            Self::Approved => "approved",
            Self::NotCharged => "not_charged",
        }
    }
}

/// Resolves an entry of the attention list:
///
/// 1. read the action;
/// 2. load the attempt;
/// 3. do what the action says; an attempt whose outcome is known cannot be given another one;
/// 4. close the entry, unless the question is still open.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn resolve_attention(world: &impl World, id: &AttentionId, body: &[u8]) -> Result<Value, Failure> {
    // 1
    let resolution = match object(body)?.get("action") {
        None | Some(Value::Null) => Err(Rule::Required),
        Some(Value::String(word)) => Resolution::parse(word).ok_or(Rule::OneOf(Resolution::WORDS)),
        Some(_) => Err(Rule::NotText),
    };
    let resolution = resolution.map_err(|rule| Rejection::Invalid(Vec::from([Violation::new("action", rule)])))?;
    // 2
    let record = world.store().load_attempt(&id.reference).await?.ok_or(Rejection::NotFound)?;
    let settings = settings_for(world, &record.transaction.merchant).await?;
    // 3
    let now = world.clock().now();
    let record = match resolution {
        Resolution::Dismiss => record,
        Resolution::Inquire => {
            inquire(world, record, &settings, (Question::Inquire, Occasion::Background)).await?.record
        }
        Resolution::Approved => decide(world, record, &settings, (Outcome::Approved, now)).await?,
        Resolution::NotCharged => decide(world, record, &settings, (Outcome::Declined, now)).await?,
    };
    // 4
    let is_open = record.attempt.as_ref().is_some_and(|attempt| attempt.stage.is_open());
    let is_closed = if resolution == Resolution::Inquire && is_open {
        false
    } else {
        world.store().close_attention(id, resolution.as_str(), now).await?
    };
    let result = record.attempt.map_or("pending", |attempt| attempt.stage.result());
    Ok(serde_json::json!({"id": id.to_string(), "closed": is_closed, "result": result}))
}

/// The operator knows from the gateway what became of a held attempt.
async fn decide(
    world: &impl World,
    record: Record,
    settings: &MerchantSettings,
    (outcome, now): (Outcome, Timestamp),
) -> Result<Record, Failure> {
    let attempt = record
        .attempt
        .as_ref()
        .filter(|attempt| attempt.stage == Stage::Unknown)
        .ok_or(Rejection::NotResolvable)?;
    let report = Report {
        reference: attempt.reference.to_string(),
        total: None,
        message: (outcome == Outcome::Declined).then(|| "not charged, as the gateway confirmed".into()),
        outcome,
        gateway_id: None,
        params: PgParams::new(),
        raw: None,
    };
    let arrived =
        Arrived { learned: Learned::Report(report), occasion: Occasion::Background, cause: Cause::Other };
    Ok(settle(world, record, settings, arrived, now).await?.record)
}

fn object(body: &[u8]) -> Result<Map<String, Value>, Rejection> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) | Err(_) => Err(Rejection::MalformedBody),
    }
}

fn under_settings(violation: Violation) -> Violation {
    if violation.path == "settings" {
        return violation;
    }
    Violation::new(alloc::format!("settings.{}", violation.path), violation.rule)
}

fn broken(detail: &str) -> PortError {
    PortError { port: "operator", detail: detail.into() }
}

/// The `api_key` of every gateway of a document.
fn credentials(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let gateways = document.get_mut("gateways").and_then(Value::as_array_mut);
    gateways.into_iter().flatten().filter_map(|gateway| gateway.get_mut("credentials")?.get_mut("api_key"))
}

fn stored_credential<'d>(document: &'d Value, code: &Value) -> Option<&'d str> {
    let gateways = document.get("gateways")?.as_array()?;
    let gateway = gateways.iter().find(|gateway| gateway.get("code") == Some(code))?;
    gateway.get("credentials")?.get("api_key")?.as_str()
}

/// Seals every credential of a document that comes in.
fn seal_document(
    world: &impl World,
    merchant: &MerchantId,
    mut document: Value,
    stored: Option<&Value>,
) -> Result<String, Failure> {
    let gateways = document.get_mut("gateways").and_then(Value::as_array_mut);
    for (place, gateway) in gateways.into_iter().flatten().enumerate() {
        let code = gateway.get("code").cloned().unwrap_or(Value::Null);
        let Some(slot) = gateway.get_mut("credentials").and_then(|all| all.get_mut("api_key")) else { continue };
        let Some(given) = slot.as_str() else { continue };
        let sealed = if given == KEPT {
            let kept = stored.and_then(|stored| stored_credential(stored, &code));
            let path = alloc::format!("gateways.{place}.credentials.api_key");
            kept.map(ToString::to_string)
                .ok_or_else(|| Rejection::Invalid(Vec::from([Violation::new(path, Rule::Required)])))?
        } else {
            world.vault().seal(merchant, given)?.0
        };
        *slot = Value::String(sealed);
    }
    Ok(alloc::format!("{document}"))
}

#[derive(Clone, Copy)]
enum KeyForm {
    Private,
    Public,
}

fn draw_key(world: &impl World, form: KeyForm) -> Result<ApiKey, PortError> {
    let mut failed = None;
    let mut fill = |bytes: &mut [u8]| {
        if let Err(error) = world.rng().fill(bytes) {
            failed = Some(error);
        }
    };
    let key = match form {
        KeyForm::Private => ApiKey::generate_private(&mut fill),
        KeyForm::Public => ApiKey::generate_public(&mut fill),
    };
    failed.map_or(Ok(key), Err)
}

fn new_key(merchant: &MerchantId, key: &ApiKey, at: Timestamp) -> NewKey {
    let text = key.text();
    let last4 = text.get(text.len().saturating_sub(4)..).unwrap_or_default();
    NewKey {
        merchant: merchant.clone(),
        kind: key.kind(),
        prefix: key.prefix().to_string(),
        hash: hex::encode(key.hash()),
        last4: last4.to_string(),
        at,
    }
}
