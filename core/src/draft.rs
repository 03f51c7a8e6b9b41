//! From the body of a create request to a [`Draft`], which is the proof that every field satisfies its rule.
//!
//! Wire fields are read raw and typed in one collecting pass, so that a request with five wrong fields, wrong
//! types among them, is answered with five violations. Unknown keys are ignored; `null` and blank optional
//! texts mean absent.

pub(crate) mod attachment;
mod choice;
mod details;
mod essentials;
mod extra;
pub mod flags;
pub mod request;
pub mod writable;

use alloc::vec::Vec;
use core::time::Duration;

use serde_json::value::RawValue;

use self::choice::GatewayChoice;
use self::details::DetailsContext;
use self::essentials::{Essentials, place};
use crate::draft::flags::Flags;
use crate::draft::request::DraftRequest;
use crate::installation::Installation;
use crate::settings::{MAX_EXPIRATION, MerchantSettings};
use crate::transaction::Details;
use crate::value::id::PgCode;
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::violation::{Violation, Violations};
use crate::wire::field::Fields;
use crate::words::{Operation, Plugin};

/// A create request that satisfies every rule, including those of the merchant's settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The plugin.
    pub plugin: Plugin,
    /// What success means with the chosen gateways.
    pub operation: Operation,
    /// The amount.
    pub amount: Money,
    /// The gateways.
    pub pg_codes: Vec<PgCode>,
    /// How long it can be paid.
    pub expiration: Duration,
    /// The rest.
    pub details: Details,
    /// What the response is to show only this once.
    pub flags: Flags,
}

impl Draft {
    /// Reads a request and checks it against what the merchant configured, in one pass: a field that can be
    /// read is checked even if others cannot.
    ///
    /// # Errors
    /// Every violation, in the order of the fields.
    pub fn parse(
        request: &DraftRequest<'_>,
        installation: &Installation,
        settings: &MerchantSettings,
    ) -> Result<Self, Vec<Violation>> {
        let mut fields = Fields::default();
        let read = Essentials::read(&mut fields, request);
        let choice = GatewayChoice::of(&mut fields, &read, settings);
        let mut found = fields.finish();
        // The settings were checked after the fields were read.
        found.sort_by_key(|violation| place(&violation.path));
        let mut fields = Fields::default();
        let expiration = fields.optional("expiration_time", request.expiration_time, read_expiration);
        let (currency, payment_type) = (read.currency, read.payment_type);
        let author = &request.author;
        let context =
            DetailsContext { installation, settings, choice: &choice, currency, payment_type, author };
        let details = details::read(&mut fields, request, &context);
        let flags = Flags::read(&mut fields, request);
        found.extend(fields.finish());
        let found = Violations::of_form(&request.wrong, found);
        match (read, choice) {
            (
                Essentials { plugin: Some(plugin), amount: Some(amount), pg_codes, .. },
                GatewayChoice { plugin: Some(installed), operation: Some(operation), .. },
            ) if found.is_empty() => Ok(Self {
                plugin,
                operation,
                amount,
                pg_codes: pg_codes.into_iter().map(|placed| placed.code).collect(),
                expiration: expiration.unwrap_or(installed.expiration),
                details,
                flags,
            }),
            _ => Err(found),
        }
    }

    /// The moment from which the transaction can no longer be paid.
    #[must_use]
    pub fn expires_at(&self, created_at: Timestamp) -> Timestamp {
        created_at.plus(self.expiration)
    }
}

fn read_expiration(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Duration> {
    fields.period(path, raw, MAX_EXPIRATION)
}
