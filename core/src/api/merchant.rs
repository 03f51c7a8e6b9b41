//! A new merchant with its settings, and whether its payments are paused.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use crate::installation::Installation;
use crate::rejection::Rejection;
use crate::settings::{MerchantSettings, WebhookSecrets, parse};
use crate::value::id::MerchantId;
use crate::value::sealed::Sealed;
use crate::violation::{Rule, Violation};
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};

/// The settings of a new merchant, as they are written.
#[must_use]
pub(crate) fn settings_text<'a>(members: &Members<'a>) -> &'a str {
    members.get("settings").map_or("null", RawValue::get)
}

/// A new merchant.
pub struct MerchantRequest {
    /// Its id.
    pub merchant: MerchantId,
    /// Its settings, without secrets.
    pub settings: MerchantSettings,
}

impl MerchantRequest {
    /// Reads a body, reporting every wrong field.
    ///
    /// # Errors
    /// [`Rejection::Invalid`].
    pub fn read(members: &Members<'_>, installation: &Installation) -> Result<Self, Rejection> {
        let mut fields = Fields::default();
        let merchant = fields.given("merchant_id", members.get("merchant_id"), |f, p, raw| {
            noted::note(p, &Noted::Matching(MerchantId::PATTERN));
            f.checked(p, raw, |text| MerchantId::parse(text).ok_or(Rule::NotMerchantId))
        });
        noted::note("settings", &Noted::Required);
        noted::note("settings", &Noted::Object);
        let placeholder = WebhookSecrets {
            hmac_key: Sealed(String::new()),
            signing: Vec::new(),
            previous_until: None,
            next_hmac: None,
        };
        let anyone = MerchantId::parse("new").ok_or(Rejection::Unavailable)?;
        let owner = merchant.as_ref().unwrap_or(&anyone);
        match (parse::parse(owner, 1, settings_text(members), placeholder, Some(installation)), merchant) {
            (Ok(settings), Some(merchant)) => Ok(Self { merchant, settings }),
            (parsed, _) => {
                let mut found = fields.finish();
                found.extend(parsed.err().into_iter().flatten().map(under_settings));
                Err(Rejection::Invalid(found))
            }
        }
    }
}

/// A violation in the settings as one of the body that has them.
pub(crate) fn under_settings(violation: Violation) -> Violation {
    if violation.path == "settings" {
        return violation;
    }
    Violation::new(alloc::format!("settings.{}", violation.path), violation.rule)
}

/// Whether the payments of a merchant may begin.
pub struct PauseRequest {
    /// Whether none may begin for now.
    pub is_paused: bool,
}

impl PauseRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`].
    pub fn read(body: &[u8]) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let is_paused = fields.given("is_paused", members.get("is_paused"), Fields::flag);
        is_paused.map(|is_paused| Self { is_paused }).ok_or_else(|| Rejection::Invalid(fields.finish()))
    }
}
