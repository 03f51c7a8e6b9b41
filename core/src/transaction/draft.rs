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

use super::{CardAcceptanceCriteria, Details, Language, Plugin, address, agreement, notifications};
use crate::api::create_transaction::Request;
use crate::api::field::{Fields, is_blank};
use crate::gateway::Operation;
use crate::gateway::profile::Profile;
use crate::id::PgCode;
use crate::installation::Installation;
use crate::money::{AmountError, Currency, Money};
use crate::settings::{MerchantSettings, PluginSettings};
use crate::text::{check_line, is_email};
use crate::time::Timestamp;
use crate::violation::{Rule, Violation};

/// The most gateways that one transaction offers.
pub const MAX_GATEWAYS: usize = 32;
/// The most bytes of `extra`, as written.
pub const MAX_EXTRA_BYTES: usize = 16_384;
/// The most bytes of `card_acceptance_criteria`, as written.
const MAX_CRITERIA_BYTES: usize = 1_024;
/// The most addresses of `email_recipients`.
pub const MAX_RECIPIENTS: usize = 32;
/// The longest period in which a transaction can be paid.
pub const MAX_EXPIRATION: Duration = Duration::from_hours(366 * 24);

/// A create request that keeps every rule, the merchant's settings included.
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
}

impl Draft {
    /// Reads a request and checks it against what the merchant configured, in one go: a field that can be read is
    /// checked even where others cannot.
    ///
    /// # Errors
    /// Every violation, in the order of the fields.
    pub fn parse(
        request: &Request<'_>,
        installation: &Installation,
        settings: &MerchantSettings,
    ) -> Result<Self, Vec<Violation>> {
        let mut fields = Fields::default();
        let read = Essentials::read(&mut fields, request);
        let permitted = read.check(&mut fields, settings);
        let mut found = fields.finish();
        // The settings were asked after the fields were read.
        found.sort_by_key(|violation| place(&violation.path));
        let mut fields = Fields::default();
        fields.optional("payment_type", request.payment_type, |f, p, raw| {
            f.word(p, raw, &["one_off"], |word| (word == "one_off").then_some(()))
        });
        let expiration = fields.optional("expiration_time", request.expiration_time, read_expiration);
        let currency = read.currency;
        let details = read_details(&mut fields, request, installation, currency);
        found.extend(fields.finish());
        match (read, permitted) {
            (Essentials { plugin: Some(plugin), amount: Some(amount), pg_codes, .. }, Some(permitted))
                if found.is_empty() =>
            {
                Ok(Self {
                    plugin,
                    operation: permitted.operation,
                    amount,
                    pg_codes: pg_codes.into_iter().map(|(_, code)| code).collect(),
                    expiration: expiration.unwrap_or(permitted.expiration),
                    details,
                })
            }
            _ => Err(found),
        }
    }

    /// The moment from which on the transaction cannot be paid.
    #[must_use]
    pub fn expires_at(&self, created_at: Timestamp) -> Timestamp {
        created_at.plus(self.expiration)
    }
}

/// The required fields, as far as they can be read, in the order of [`ESSENTIAL`].
struct Essentials {
    plugin: Option<Plugin>,
    currency: Option<Currency>,
    amount: Option<Money>,
    /// The codes that can be read, each with its place in the list.
    pg_codes: Vec<(usize, PgCode)>,
}

/// What the settings say to a request that they permit.
struct Permitted {
    operation: Operation,
    expiration: Duration,
}

/// The order in which the required fields are named.
const ESSENTIAL: [&str; 4] = ["type", "currency_code", "amount", "pg_codes"];

fn place(path: &str) -> Option<usize> {
    let field = path.split_once('.').map_or(path, |(field, _)| field);
    ESSENTIAL.iter().position(|name| *name == field)
}

impl Essentials {
    fn read(fields: &mut Fields, request: &Request<'_>) -> Self {
        let plugin =
            fields.required("type", request.kind, |f, p, raw| f.word(p, raw, Plugin::WORDS, Plugin::parse));
        let currency = fields.required("currency_code", request.currency_code, Fields::currency);
        let amount = fields.required("amount", request.amount, |f, p, raw| f.amount(p, raw, currency)?.1);
        let pg_codes = fields.required("pg_codes", request.pg_codes, read_codes).unwrap_or_default();
        Self { plugin, currency, amount, pg_codes }
    }

    fn check(&self, fields: &mut Fields, settings: &MerchantSettings) -> Option<Permitted> {
        let plugin = self.plugin.and_then(|plugin| {
            settings.plugin(plugin).or_else(|| fields.refuse("type", Rule::PluginNotInstalled))
        });
        if self.currency.is_some_and(|currency| !settings.currencies.contains(&currency)) {
            fields.violation("currency_code", Rule::InactiveCurrency);
        }
        let profiles = find_profiles(fields, &self.pg_codes, plugin, settings);
        let operation = one_operation(fields, &profiles);
        // A gateway that is not known might be the one that takes the currency.
        let is_complete = !profiles.is_empty() && profiles.len() == self.pg_codes.len();
        if let Some(currency) = self.currency.filter(|_| is_complete) {
            if !profiles.iter().any(|profile| profile.currencies.contains(&currency)) {
                fields.violation("pg_codes", Rule::CurrencyNotTaken { currency });
            } else if self.amount.is_some_and(|amount| !profiles.iter().any(|p| p.quote(amount).is_some())) {
                fields.violation("amount", Rule::Amount(AmountError::TooLarge));
            }
        }
        Some(Permitted { operation: operation?, expiration: plugin?.expiration })
    }
}

fn find_profiles<'s>(
    fields: &mut Fields,
    codes: &[(usize, PgCode)],
    plugin: Option<&PluginSettings>,
    settings: &'s MerchantSettings,
) -> Vec<&'s Profile> {
    let mut profiles = Vec::with_capacity(codes.len());
    for (place, code) in codes {
        match settings.gateway(code) {
            Some(profile) if plugin.is_some_and(|known| !profile.plugins.contains(&known.plugin)) => {
                fields.violation(alloc::format!("pg_codes.{place}"), Rule::GatewayOfOtherPlugin);
            }
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

/// The codes that can be read, each with its place; what is wrong with the others is noted.
fn read_codes(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Vec<(usize, PgCode)>> {
    let items = fields.list(path, raw, MAX_GATEWAYS)?;
    let mut codes: Vec<(usize, PgCode)> = Vec::with_capacity(items.len());
    for (place, item) in items.into_iter().enumerate() {
        let code = fields
            .decode_text(item)
            .and_then(|text| PgCode::parse(&text).ok_or(Rule::NotGatewayCode))
            .and_then(|code| {
                if codes.iter().any(|(_, known)| *known == code) { Err(Rule::Repeated) } else { Ok(code) }
            });
        match code {
            Ok(code) => codes.push((place, code)),
            Err(rule) => fields.violation(alloc::format!("{path}.{place}"), rule),
        }
    }
    Some(codes)
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

/// Where notifications go: never to the installation itself.
fn read_receiver(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    installation: &Installation,
) -> Option<String> {
    let address = fields.address(path, raw, installation.reach)?;
    if installation.may_notify(&address) { Some(address) } else { fields.refuse(path, Rule::OwnAddress) }
}

fn read_criteria(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<CardAcceptanceCriteria> {
    let members = fields.object(path, raw, MAX_CRITERIA_BYTES)?;
    let path = "card_acceptance_criteria.min_expiry_time";
    let min_expiry_time =
        fields.optional(path, members.get("min_expiry_time"), |f, p, r| f.integer(p, r, 1..=365));
    Some(CardAcceptanceCriteria { min_expiry_time })
}

fn read_recipients(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Vec<String>> {
    let items = fields.items(path, raw, MAX_RECIPIENTS)?;
    let mut recipients = Vec::with_capacity(items.len());
    for (place, item) in items.into_iter().enumerate() {
        let read = fields.decode_text(item).and_then(|text| {
            check_line(&text, 128).map_err(Rule::from)?;
            if is_email(&text) { Ok(text.into_owned()) } else { Err(Rule::NotEmail) }
        });
        match read {
            Ok(recipient) => recipients.push(recipient),
            Err(rule) => fields.violation(alloc::format!("{path}.{place}"), rule),
        }
    }
    Some(recipients)
}

fn read_details(
    fields: &mut Fields,
    request: &Request<'_>,
    installation: &Installation,
    currency: Option<Currency>,
) -> Details {
    let reach = installation.reach;
    let line =
        |fields: &mut Fields, path: &'static str, raw: Option<&RawValue>, max: usize| -> Option<String> {
            fields.optional(path, raw, |f, p, raw| f.line(p, raw, max))
        };
    let details = Details {
        agreement: fields
            .optional("agreement", request.agreement, |f, p, raw| agreement::read(f, p, raw, currency))
            .map(Box::new),
        billing_address: fields
            .optional("billing_address", request.billing_address, address::read_billing)
            .map(Box::new),
        card_acceptance_criteria: fields.optional(
            "card_acceptance_criteria",
            request.card_acceptance_criteria,
            read_criteria,
        ),
        customer_birthdate: fields.optional("customer_birthdate", request.customer_birthdate, Fields::date),
        customer_email: fields
            .optional("customer_email", request.customer_email, |f, p, raw| f.email(p, raw, 128)),
        customer_first_name: line(fields, "customer_first_name", request.customer_first_name, 64),
        customer_last_name: line(fields, "customer_last_name", request.customer_last_name, 64),
        customer_id: line(fields, "customer_id", request.customer_id, 64),
        customer_phone: line(fields, "customer_phone", request.customer_phone, 16),
        customer_phone_2: line(fields, "customer_phone_2", request.customer_phone_2, 16),
        due_datetime: fields.optional("due_datetime", request.due_datetime, Fields::date_time),
        email_recipients: fields
            .optional("email_recipients", request.email_recipients, read_recipients)
            .unwrap_or_default(),
        extra: fields.optional("extra", request.extra, read_extra),
        language: fields
            .optional("language", request.language, |f, p, raw| {
                f.word(p, raw, Language::WORDS, Language::parse)
            })
            .unwrap_or_default(),
        notifications: fields.optional("notifications", request.notifications, notifications::read),
        order_no: line(fields, "order_no", request.order_no, 128),
        product_type: line(fields, "product_type", request.product_type, 128),
        redirect_url: fields
            .optional("redirect_url", request.redirect_url, |f, p, raw| f.address(p, raw, reach)),
        shipping_address: fields
            .optional("shipping_address", request.shipping_address, address::read_shipping)
            .map(Box::new),
        unit_code: fields.optional("unit_code", request.unit_code, |f, p, raw| f.slug(p, raw, 64)),
        vendor_name: line(fields, "vendor_name", request.vendor_name, 64),
        webhook_url: fields
            .optional("webhook_url", request.webhook_url, |f, p, raw| read_receiver(f, p, raw, installation)),
    };
    if let Some(notifications) = &details.notifications {
        // One that is given but wrong is named itself.
        let is_given = |raw: Option<&RawValue>| raw.is_some_and(|raw| !is_blank(raw));
        notifications.check(fields, is_given(request.customer_email), is_given(request.customer_phone));
    }
    details
}
