//! Which gateway of a merchant is compared with its list again, and since when.

use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::value::id::PgCode;
use crate::value::time::Timestamp;
use crate::violation::Rule;
use crate::wire::field::Fields;
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};

/// What is asked for.
pub struct ReconciliationRequest {
    /// The gateway.
    pub pg_code: PgCode,
    /// From when on its list is compared.
    pub from: Timestamp,
}

impl ReconciliationRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// [`Rejection::MalformedBody`], or [`Rejection::Invalid`] with every wrong field.
    pub fn read(body: &[u8], settings: &MerchantSettings, now: Timestamp) -> Result<Self, Rejection> {
        let members = Members::read(body)?;
        let mut fields = Fields::default();
        let pg_code = fields.given("pg_code", members.get("pg_code"), |f, p, raw| {
            noted::note(p, &Noted::Code);
            f.checked(p, raw, |text| {
                let known = settings.gateways.iter().find(|gateway| gateway.code.as_str() == text);
                known.map(|gateway| gateway.code.clone()).ok_or(Rule::UnknownGateway)
            })
        });
        let from = fields.given("from", members.get("from"), |f, p, raw| {
            noted::note(p, &Noted::DateTime);
            f.checked(p, raw, |text| match Timestamp::parse(text) {
                None => Err(Rule::NotDateTime),
                Some(from) if from > now => Err(Rule::InFuture),
                Some(from) => Ok(from),
            })
        });
        match (pg_code, from) {
            (Some(pg_code), Some(from)) => Ok(Self { pg_code, from }),
            _ => Err(Rejection::Invalid(fields.finish())),
        }
    }
}
