//! From the body of a create request to a [`Draft`], which is the proof that every field keeps its rule
//! (specification, Payment transaction; limits in Limits).
//!
//! Wire fields are read raw and typed in one collecting pass, so that a request with five wrong fields, wrong types
//! among them, is answered with five violations. Unknown keys are ignored, `null` and blank optional texts mean
//! absent.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::value::RawValue;

use super::{Details, Language, Plugin};
use crate::api::create_transaction::Request;
use crate::api::field::Fields;
use crate::gateway::Operation;
use crate::gateway::profile::Profile;
use crate::id::PgCode;
use crate::installation::Installation;
use crate::money::{AmountError, Currency, Money};
use crate::settings::MerchantSettings;
use crate::time::Timestamp;
use crate::violation::{Rule, Violation};

/// The most gateways that one transaction offers.
pub const MAX_GATEWAYS: usize = 32;
/// The most bytes of `extra`, as written.
pub const MAX_EXTRA_BYTES: usize = 16_384;
/// The longest period in which a transaction can be paid.
pub const MAX_EXPIRATION: Duration = Duration::from_hours(366 * 24);
/// Where the inboxes of the sandbox are.
const INBOX_PATH: &str = "/sandbox/inbox/";
/// The smallest amount, in hundredths of the major unit; currencies without hundredths begin at one.
const MIN_HUNDREDTHS: i64 = 1;

/// A create request that keeps every rule that can be checked without the merchant's settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    plugin: Plugin,
    amount: Money,
    pg_codes: Vec<PgCode>,
    expiration: Option<Duration>,
    details: Details,
}

/// A draft that the merchant's settings permit.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
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
}

impl Draft {
    /// Reads a request.
    ///
    /// # Errors
    /// Every violation, in the order of the fields.
    pub fn parse(request: &Request<'_>, installation: &Installation) -> Result<Self, Vec<Violation>> {
        let mut fields = Fields::default();
        let plugin =
            fields.required("type", request.kind, |f, p, raw| f.word(p, raw, Plugin::WORDS, Plugin::parse));
        let currency = fields.required("currency_code", request.currency_code, Fields::currency);
        let amount = fields.required("amount", request.amount, |f, p, raw| read_amount(f, p, raw, currency));
        let pg_codes = fields.required("pg_codes", request.pg_codes, read_codes);
        fields.optional("payment_type", request.payment_type, |f, p, raw| {
            f.word(p, raw, &["one_off"], |word| (word == "one_off").then_some(()))
        });
        let expiration = fields.optional("expiration_time", request.expiration_time, read_expiration);
        let details = read_details(&mut fields, request, installation);
        let found = fields.finish();
        match (plugin, amount, pg_codes) {
            (Some(plugin), Some(amount), Some(pg_codes)) if found.is_empty() => {
                Ok(Self { plugin, amount, pg_codes, expiration, details })
            }
            _ => Err(found),
        }
    }

    /// Checks the draft against what the merchant configured.
    ///
    /// # Errors
    /// Every violation, in the order of the fields.
    pub fn check(self, settings: &MerchantSettings) -> Result<Checked, Vec<Violation>> {
        let mut fields = Fields::default();
        let plugin = settings.plugin(self.plugin);
        if plugin.is_none() {
            fields.violation("type", Rule::PluginNotInstalled);
        }
        let currency = self.amount.currency();
        if !settings.currencies.contains(&currency) {
            fields.violation("currency_code", Rule::InactiveCurrency);
        }
        let profiles = find_profiles(&mut fields, &self.pg_codes, settings);
        let operation = one_operation(&mut fields, &profiles);
        let is_complete = profiles.len() == self.pg_codes.len();
        if is_complete && !profiles.iter().any(|profile| profile.currencies.contains(&currency)) {
            fields.violation("pg_codes", Rule::CurrencyNotTaken { currency });
        } else if is_complete && !profiles.iter().any(|profile| profile.quote(self.amount).is_some()) {
            fields.violation("amount", Rule::Amount(AmountError::TooLarge));
        }
        let found = fields.finish();
        match (plugin, operation) {
            (Some(plugin), Some(operation)) if found.is_empty() => Ok(Checked {
                plugin: self.plugin,
                operation,
                amount: self.amount,
                pg_codes: self.pg_codes,
                expiration: self.expiration.unwrap_or(plugin.expiration),
                details: self.details,
            }),
            _ => Err(found),
        }
    }
}

fn find_profiles<'s>(
    fields: &mut Fields,
    codes: &[PgCode],
    settings: &'s MerchantSettings,
) -> Vec<&'s Profile> {
    let mut profiles = Vec::with_capacity(codes.len());
    for (place, code) in codes.iter().enumerate() {
        match settings.gateway(code) {
            Some(profile) => profiles.push(profile),
            None => fields.violation(alloc::format!("pg_codes.{place}"), Rule::UnknownGateway),
        }
    }
    profiles
}

/// The response has a single `operation`, so gateways that charge and gateways that only authorize do not mix.
fn one_operation(fields: &mut Fields, profiles: &[&Profile]) -> Option<Operation> {
    let first = profiles.first()?.operation;
    if profiles.iter().any(|profile| profile.operation != first) {
        fields.violation("pg_codes", Rule::MixedOperations);
        return None;
    }
    Some(first)
}

fn read_amount(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    currency: Option<Currency>,
) -> Option<Money> {
    let text = fields.amount_text(path, raw)?;
    // Without a currency the decimals cannot be counted: the currency's own violation is already noted.
    let currency = currency?;
    match Money::parse(&text, currency) {
        Ok(amount) if is_large_enough(amount) => Some(amount),
        Ok(_) => fields.refuse(path, Rule::AmountTooSmall),
        Err(error) => fields.refuse(path, Rule::Amount(error)),
    }
}

fn is_large_enough(amount: Money) -> bool {
    let hundredths = rust_decimal::Decimal::new(MIN_HUNDREDTHS, 2);
    amount.to_decimal() >= hundredths
}

fn read_codes(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Vec<PgCode>> {
    let items = fields.list(path, raw, MAX_GATEWAYS)?;
    let mut codes: Vec<PgCode> = Vec::with_capacity(items.len());
    let mut is_good = true;
    for (place, item) in items.into_iter().enumerate() {
        let rule = match fields.decode_text(item) {
            Err(rule) => Some(rule),
            Ok(text) => match PgCode::parse(&text) {
                None => Some(Rule::NotGatewayCode),
                Some(code) if codes.contains(&code) => Some(Rule::Repeated),
                Some(code) => {
                    codes.push(code);
                    None
                }
            },
        };
        if let Some(rule) = rule {
            fields.violation(alloc::format!("{path}.{place}"), rule);
            is_good = false;
        }
    }
    is_good.then_some(codes)
}

fn read_expiration(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Duration> {
    let period = fields.period(path, raw)?;
    if period < Duration::from_secs(1) || period > MAX_EXPIRATION {
        return fields.refuse(path, Rule::PeriodOutOfRange);
    }
    Some(period)
}

fn read_extra(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Box<RawValue>> {
    let members = fields.object(path, raw, MAX_EXTRA_BYTES)?;
    for key in ["payment_category_amount", "payment_category_name"] {
        if let Some(Err(rule)) = members.get(key).map(|value| fields.decode_text(value)) {
            fields.violation(alloc::format!("{path}.{key}"), rule);
        }
    }
    Some(raw.to_owned())
}

/// Notifications never go to the installation itself: it would be told what merchants may not do. The one exception
/// is the sandbox's inbox, which is delivered to in process.
fn read_receiver(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    installation: &Installation,
) -> Option<String> {
    let address = fields.address(path, raw, installation.reach)?;
    match address.strip_prefix(installation.public_url.as_str()) {
        Some(rest) if rest.starts_with('/') && !rest.starts_with(INBOX_PATH) => {
            fields.refuse(path, Rule::OwnAddress)
        }
        Some(_) | None => Some(address),
    }
}

fn read_details(fields: &mut Fields, request: &Request<'_>, installation: &Installation) -> Details {
    let reach = installation.reach;
    let line =
        |fields: &mut Fields, path: &'static str, raw: Option<&RawValue>, max: usize| -> Option<String> {
            fields.optional(path, raw, |f, p, raw| f.line(p, raw, max))
        };
    Details {
        customer_birthdate: fields.optional("customer_birthdate", request.customer_birthdate, Fields::date),
        customer_email: fields
            .optional("customer_email", request.customer_email, |f, p, raw| f.email(p, raw, 128)),
        customer_first_name: line(fields, "customer_first_name", request.customer_first_name, 64),
        customer_last_name: line(fields, "customer_last_name", request.customer_last_name, 64),
        customer_id: line(fields, "customer_id", request.customer_id, 64),
        customer_phone: line(fields, "customer_phone", request.customer_phone, 16),
        customer_phone_2: line(fields, "customer_phone_2", request.customer_phone_2, 16),
        due_datetime: fields.optional("due_datetime", request.due_datetime, Fields::date_time),
        extra: fields.optional("extra", request.extra, read_extra),
        language: fields
            .optional("language", request.language, |f, p, raw| {
                f.word(p, raw, Language::WORDS, Language::parse)
            })
            .unwrap_or_default(),
        order_no: line(fields, "order_no", request.order_no, 128),
        product_type: line(fields, "product_type", request.product_type, 128),
        redirect_url: fields
            .optional("redirect_url", request.redirect_url, |f, p, raw| f.address(p, raw, reach)),
        vendor_name: line(fields, "vendor_name", request.vendor_name, 64),
        webhook_url: fields
            .optional("webhook_url", request.webhook_url, |f, p, raw| read_receiver(f, p, raw, installation)),
    }
}

impl Checked {
    /// The moment from which on the transaction cannot be paid.
    #[must_use]
    pub fn expires_at(&self, created_at: Timestamp) -> Timestamp {
        created_at.plus(self.expiration)
    }
}
