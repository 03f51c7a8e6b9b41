//! From a settings document to [`MerchantSettings`]: every wrong field is named, so an operator can mend a document
//! in one go.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::{Map, Value};

use super::{Bilingual, MerchantSettings, PluginSettings, Sealed, WebhookSecrets};
use crate::gateway::Operation;
use crate::gateway::connector::ConnectorKind;
use crate::gateway::profile::{Fee, Profile, Wallet};
use crate::id::{MerchantId, PgCode, ReferenceNumber};
use crate::money::{Currency, Money, decimal};
use crate::text;
use crate::time::period::parse_period;
use crate::transaction::Plugin;
use crate::transaction::draft::MAX_EXPIRATION;
use crate::violation::{Rule, Violation, Violations};
use crate::web_address::{Reach, WebAddress};

/// How long a transaction can be paid where nobody says (specification, `expiration_time`).
pub const DEFAULT_EXPIRATION: Duration = Duration::from_hours(24);
/// The longest name that a payer reads.
const MAX_NAME: usize = 64;
/// The longest key of a gateway.
const MAX_CREDENTIAL: usize = 512;
/// The most gateways of a merchant.
const MAX_GATEWAYS: usize = 100;
/// The longest code of a gateway, so that it fits `gateway_account` (specification, Payload fields).
const MAX_CODE: usize = 16;

/// Reads a document. `reach` says which addresses it may name; documents that were stored are read with
/// [`Reach::Development`], because they were checked when they came in.
///
/// # Errors
/// Every violation, in the order of the document.
pub fn parse(
    merchant: &MerchantId,
    version: i64,
    document: &str,
    secrets: WebhookSecrets,
    reach: Reach,
) -> Result<MerchantSettings, Vec<Violation>> {
    let mut found = Violations::default();
    let Ok(Value::Object(root)) = serde_json::from_str::<Value>(document) else {
        return Err([Violation::new("settings", Rule::NotObject)].into());
    };
    let mut reader = Reader { found: &mut found, reach };
    let name = reader.bilingual("", &root, "name", MAX_NAME);
    let country = reader.country(&root);
    let reference_prefix = reader.prefix(&root);
    let currencies = reader.currencies("", &root);
    let plugins = reader.plugins(&root);
    let gateways = reader.gateways(&root);
    match (name, country) {
        (Some(name), Some(country)) if found.is_empty() => Ok(MerchantSettings {
            merchant: merchant.clone(),
            version,
            name,
            country,
            reference_prefix,
            currencies,
            plugins,
            gateways,
            webhook: secrets,
        }),
        _ => Err(found.into_vec()),
    }
}

/// Reads a document that was checked before it was stored.
///
/// # Errors
/// Every violation; a stored document that has one is corrupt.
pub fn stored(
    merchant: &MerchantId,
    version: i64,
    document: &str,
    secrets: WebhookSecrets,
) -> Result<MerchantSettings, Vec<Violation>> {
    parse(merchant, version, document, secrets, Reach::Development)
}

struct Reader<'v> {
    found: &'v mut Violations,
    reach: Reach,
}

fn join(base: &str, name: &str) -> String {
    if base.is_empty() { name.into() } else { format!("{base}.{name}") }
}

/// A member that is there and not null.
fn member<'m>(object: &'m Map<String, Value>, name: &str) -> Option<&'m Value> {
    object.get(name).filter(|value| !value.is_null())
}

impl Reader<'_> {
    fn refuse<T>(&mut self, path: String, rule: Rule) -> Option<T> {
        self.found.add(path, rule);
        None
    }

    fn text<'m>(&mut self, base: &str, object: &'m Map<String, Value>, name: &str) -> Option<&'m str> {
        match member(object, name) {
            None => self.refuse(join(base, name), Rule::Required),
            Some(Value::String(text)) if text.is_empty() => self.refuse(join(base, name), Rule::Blank),
            Some(Value::String(text)) => Some(text),
            Some(_) => self.refuse(join(base, name), Rule::NotText),
        }
    }

    fn line(&mut self, base: &str, object: &Map<String, Value>, name: &str, max: usize) -> Option<String> {
        let text = self.text(base, object, name)?;
        match text::check_line(text, max) {
            Ok(()) => Some(text.to_string()),
            Err(text::TextError::TooLong { max }) => self.refuse(join(base, name), Rule::TooLong { max }),
            Err(text::TextError::ControlCharacter) => self.refuse(join(base, name), Rule::ControlCharacter),
        }
    }

    fn word<T>(
        &mut self,
        (base, name): (&str, &str),
        object: &Map<String, Value>,
        words: &'static [&'static str],
        parse: fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(base, object, name)?;
        parse(text).or_else(|| self.refuse(join(base, name), Rule::OneOf(words)))
    }

    fn flag(&mut self, base: &str, object: &Map<String, Value>, name: &str, default: bool) -> bool {
        match member(object, name) {
            None => default,
            Some(Value::Bool(flag)) => *flag,
            Some(_) => {
                self.found.add(join(base, name), Rule::NotBoolean);
                default
            }
        }
    }

    fn object<'m>(
        &mut self,
        base: &str,
        object: &'m Map<String, Value>,
        name: &str,
    ) -> Option<&'m Map<String, Value>> {
        match member(object, name) {
            None => self.refuse(join(base, name), Rule::Required),
            Some(Value::Object(inner)) => Some(inner),
            Some(_) => self.refuse(join(base, name), Rule::NotObject),
        }
    }

    fn list<'m>(&mut self, base: &str, object: &'m Map<String, Value>, name: &str) -> &'m [Value] {
        match member(object, name) {
            None => &[],
            Some(Value::Array(items)) => items,
            Some(_) => {
                self.found.add(join(base, name), Rule::NotList);
                &[]
            }
        }
    }

    fn bilingual(
        &mut self,
        base: &str,
        object: &Map<String, Value>,
        name: &str,
        max: usize,
    ) -> Option<Bilingual> {
        let inner = self.object(base, object, name)?;
        let path = join(base, name);
        let en = self.line(&path, inner, "en", max);
        let ar = self.line(&path, inner, "ar", max);
        Some(Bilingual { en: en?, ar: ar? })
    }

    fn country(&mut self, root: &Map<String, Value>) -> Option<String> {
        let text = self.text("", root, "country")?;
        if text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase()) {
            Some(text.into())
        } else {
            self.refuse("country".into(), Rule::NotCountryCode)
        }
    }

    fn prefix(&mut self, root: &Map<String, Value>) -> String {
        match member(root, "reference_prefix") {
            None => String::new(),
            Some(Value::String(text)) if ReferenceNumber::is_prefix(text) => text.clone(),
            Some(_) => {
                self.found.add("reference_prefix", Rule::NotReferencePrefix);
                String::new()
            }
        }
    }

    fn currencies(&mut self, base: &str, object: &Map<String, Value>) -> Vec<Currency> {
        let items = self.list(base, object, "currencies");
        if items.is_empty() && !self.found.has(&join(base, "currencies")) {
            self.found.add(join(base, "currencies"), Rule::EmptyList);
        }
        let mut currencies = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let path = join(base, &format!("currencies.{place}"));
            match item.as_str().and_then(Currency::parse) {
                None => self.found.add(path, Rule::UnknownCurrency),
                Some(currency) if currencies.contains(&currency) => self.found.add(path, Rule::Repeated),
                Some(currency) => currencies.push(currency),
            }
        }
        currencies
    }

    fn plugins(&mut self, root: &Map<String, Value>) -> Vec<PluginSettings> {
        let Some(object) = self.object("", root, "plugins") else { return Vec::new() };
        let mut plugins = Vec::new();
        for (name, value) in object {
            let path = join("plugins", name);
            match (Plugin::parse(name), value) {
                (None, _) => self.found.add(path, Rule::OneOf(Plugin::WORDS)),
                (Some(plugin), Value::Object(inner)) => plugins.push(self.plugin(&path, plugin, inner)),
                (Some(_), _) => self.found.add(path, Rule::NotObject),
            }
        }
        if object.is_empty() {
            self.found.add("plugins", Rule::Required);
        }
        plugins
    }

    fn plugin(&mut self, path: &str, plugin: Plugin, object: &Map<String, Value>) -> PluginSettings {
        let expiration = member(object, "expiration_time").map_or(DEFAULT_EXPIRATION, |value| {
            let rule = match value.as_str().and_then(parse_period) {
                Some(period) if (Duration::from_secs(1)..=MAX_EXPIRATION).contains(&period) => return period,
                Some(_) => Rule::PeriodOutOfRange,
                None => Rule::NotPeriod,
            };
            self.found.add(join(path, "expiration_time"), rule);
            DEFAULT_EXPIRATION
        });
        PluginSettings { plugin, webhook_url: self.address(path, object, "webhook_url"), expiration }
    }

    fn address(&mut self, base: &str, object: &Map<String, Value>, name: &str) -> Option<WebAddress> {
        member(object, name)?;
        let text = self.text(base, object, name)?;
        match WebAddress::parse(text, self.reach) {
            Ok(address) => Some(address),
            Err(error) => self.refuse(join(base, name), Rule::Address(error)),
        }
    }

    fn gateways(&mut self, root: &Map<String, Value>) -> Vec<Profile> {
        let items = self.list("", root, "gateways");
        if items.len() > MAX_GATEWAYS {
            self.found.add("gateways", Rule::TooManyItems { max: MAX_GATEWAYS });
            return Vec::new();
        }
        let mut profiles: Vec<Profile> = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let path = format!("gateways.{place}");
            let Value::Object(object) = item else {
                self.found.add(path, Rule::NotObject);
                continue;
            };
            let Some(profile) = self.gateway(&path, object) else { continue };
            if profiles.iter().any(|known| known.code == profile.code) {
                self.found.add(join(&path, "code"), Rule::Repeated);
            }
            profiles.push(profile);
        }
        profiles
    }

    fn gateway(&mut self, path: &str, object: &Map<String, Value>) -> Option<Profile> {
        let code = self.line(path, object, "code", MAX_CODE).and_then(|text| {
            PgCode::parse(&text).or_else(|| self.refuse(join(path, "code"), Rule::NotGatewayCode))
        });
        let name = self.bilingual(path, object, "name", MAX_NAME);
        let connector = self.word((path, "connector"), object, ConnectorKind::WORDS, ConnectorKind::parse);
        let pg_name = self.line(path, object, "pg_name", MAX_NAME);
        let operation = self.word((path, "operation"), object, &["purchase", "authorize"], Operation::parse);
        let currencies = self.currencies(path, object);
        let fees = self.fees(path, object);
        let api_key = connector.and_then(|connector| self.api_key(path, object, connector));
        let endpoint = self
            .address(path, object, "endpoint")
            .map(|address| address.as_str().trim_end_matches('/').to_string());
        Some(Profile {
            sandbox: self.flag(path, object, "sandbox", false),
            multiple_attempts: self.flag(path, object, "multiple_attempts", true),
            inquiry_after: self.minutes(path, object),
            tokenization: self.flag(path, object, "tokenization", false),
            auto_debit: self.flag(path, object, "auto_debit", false),
            wallets: self.wallets(path, object),
            code: code?,
            name: name?,
            connector: connector?,
            pg_name: pg_name?,
            operation: operation?,
            currencies,
            fees,
            api_key,
            endpoint,
        })
    }

    fn api_key(
        &mut self,
        path: &str,
        object: &Map<String, Value>,
        connector: ConnectorKind,
    ) -> Option<Sealed> {
        match connector {
            ConnectorKind::Cash => None,
            ConnectorKind::Sandbox => {
                let credentials = self.object(path, object, "credentials")?;
                self.line(&join(path, "credentials"), credentials, "api_key", MAX_CREDENTIAL).map(Sealed)
            }
        }
    }

    fn minutes(&mut self, path: &str, object: &Map<String, Value>) -> Duration {
        const DEFAULT: u64 = 10;
        const MAX: u64 = 1_440;
        let minutes = match member(object, "inquiry_after_minutes") {
            None => DEFAULT,
            Some(value) => {
                value.as_u64().filter(|minutes| (1..=MAX).contains(minutes)).unwrap_or_else(|| {
                    let rule = Rule::NotInteger { min: 1, max: 1_440 };
                    self.found.add(join(path, "inquiry_after_minutes"), rule);
                    DEFAULT
                })
            }
        };
        Duration::from_secs(minutes.saturating_mul(60))
    }

    fn wallets(&mut self, path: &str, object: &Map<String, Value>) -> Vec<Wallet> {
        let mut wallets = Vec::new();
        for (place, item) in self.list(path, object, "wallets").iter().enumerate() {
            match item.as_str().and_then(Wallet::parse) {
                Some(wallet) => wallets.push(wallet),
                None => self.found.add(format!("{path}.wallets.{place}"), Rule::OneOf(Wallet::WORDS)),
            }
        }
        wallets
    }

    fn fees(&mut self, path: &str, object: &Map<String, Value>) -> Vec<Fee> {
        let mut fees: Vec<Fee> = Vec::new();
        for (place, item) in self.list(path, object, "fees").iter().enumerate() {
            let path = format!("{path}.fees.{place}");
            let Value::Object(inner) = item else {
                self.found.add(path, Rule::NotObject);
                continue;
            };
            let Some(fee) = self.fee(&path, inner) else { continue };
            if fees.iter().any(|known| known.fixed.currency() == fee.fixed.currency()) {
                self.found.add(join(&path, "currency"), Rule::Repeated);
            }
            fees.push(fee);
        }
        fees
    }

    fn fee(&mut self, path: &str, object: &Map<String, Value>) -> Option<Fee> {
        let currency = self.text(path, object, "currency").and_then(|text| {
            Currency::parse(text).or_else(|| self.refuse(join(path, "currency"), Rule::UnknownCurrency))
        });
        let percent = match member(object, "percent") {
            None => Some(rust_decimal::Decimal::ZERO),
            Some(_) => self.text(path, object, "percent").and_then(|text| {
                decimal::lex(text).ok().or_else(|| self.refuse(join(path, "percent"), Rule::NotDecimal))
            }),
        };
        let fixed = match (member(object, "fixed"), currency) {
            (None, _) => currency.map(Money::zero),
            (Some(_), None) => None,
            (Some(_), Some(currency)) => {
                self.text(path, object, "fixed").and_then(|text| match Money::parse(text, currency) {
                    Ok(fixed) => Some(fixed),
                    Err(error) => self.refuse(join(path, "fixed"), Rule::Amount(error)),
                })
            }
        };
        let description = self.bilingual(path, object, "description", MAX_NAME);
        Some(Fee { fixed: fixed?, percent: percent?, description: description? })
    }
}
