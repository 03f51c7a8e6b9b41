//! From a settings document to [`MerchantSettings`]: every wrong field is reported, so that an operator can
//! correct a document in one step.

mod agreement;
mod alerts;
mod approvals;
mod brand;
mod custom_field;
mod exchange;
mod gateway;
mod limits;
mod message;
mod offer;
mod origin;
mod reader;
mod redirect_host;
mod retention;
mod retries;
mod routing;
mod sign_on;
mod wallet;
mod webhooks;

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use serde_json::value::RawValue;

pub(crate) use self::approvals::{APPROVALS, read_approvals};
pub use self::brand::read_brand;
use self::reader::{At, DocumentReader, MAX_NAME, join};
use crate::installation::Installation;
use crate::settings::time_zone;
use crate::settings::{MAX_EXPIRATION, MerchantSettings, NotifiedEnds, PluginSettings, WebhookSecrets};
use crate::value::country::is_country;
use crate::value::id::{MerchantId, ReferenceNumber};
use crate::value::money::Currency;
use crate::value::text;
use crate::value::time::period::parse_period;
use crate::value::web_address::{Reach, WebAddress};
use crate::violation::{Rule, Violation, Violations};
use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::words::{Bilingual, Plugin};

/// How long a transaction can be paid if neither the request nor the settings say.
pub(crate) const DEFAULT_EXPIRATION: Duration = Duration::from_hours(24);

/// Reads a document. The installation says which addresses it may name; `None` for a document that was
/// checked when it came in.
///
/// # Errors
/// Every violation, in the order of the document.
pub fn parse(
    merchant: &MerchantId,
    version: i64,
    document: &str,
    secrets: WebhookSecrets,
    installation: Option<&Installation>,
) -> Result<MerchantSettings, Vec<Violation>> {
    let mut found = Violations::default();
    let Ok(root) = Members::read(document.as_bytes()) else {
        return Err([Violation::new("settings", Rule::NotObject)].into());
    };
    let mut reader = DocumentReader { found: &mut found, installation, rates: Vec::new() };
    let settings = reader.settings(&root, merchant, version, secrets);
    settings.filter(|_| found.is_empty()).ok_or_else(|| found.into_vec())
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
    parse(merchant, version, document, secrets, None)
}

impl DocumentReader<'_> {
    /// The settings; `None` without what every document has. The members are read in the order in which violations are listed.
    fn settings(
        &mut self,
        root: &Members<'_>,
        merchant: &MerchantId,
        version: i64,
        webhook: WebhookSecrets,
    ) -> Option<MerchantSettings> {
        let is_paused = self.flag("", root, "is_paused", false);
        let name = self.bilingual("", root, "name", MAX_NAME);
        let brand = self.brand(root);
        let country = self.country(root);
        let time_zone = self.time_zone(root, country.as_deref());
        let reference_prefix = self.prefix(root);
        let currencies = self.currencies("", root);
        self.rates = self.exchange_rates(root);
        let plugins = self.plugins(root);
        let installed: Vec<Plugin> = plugins.iter().map(|settings| settings.plugin).collect();
        let gateways = self.gateways(root, &installed);
        let routing = self.routing(root, &gateways);
        Some(MerchantSettings {
            merchant: merchant.clone(),
            version,
            is_paused,
            brand,
            time_zone,
            reference_prefix,
            currencies,
            plugins,
            gateways,
            routing,
            units: self.units(root),
            agreements: self.agreements(root),
            allowed_origins: self.origins(root),
            redirect_hosts: self.redirect_hosts(root),
            operations_webhook_url: self.address("", root, "operations_webhook_url"),
            throttles_inquiries: self.switches(root, "inquiry", [("throttle", false)]) == [true],
            notifies_auto_debits: self.switches(root, "auto_debit", [("notify", true)]) == [true],
            debit_retries: self.debit_retries(root),
            limits: self.limits(root),
            messages: self.messages(root),
            alerts: self.alerts(root),
            approvals: self.approvals(root),
            notified_ends: self.notified_ends(root),
            retention: self.retention(root),
            single_sign_on: self.single_sign_on(root),
            webhook,
            name: name?,
            country: country?,
        })
    }

    fn notified_ends(&mut self, root: &Members<'_>) -> NotifiedEnds {
        let [expired, invalided] = self.switches(root, "notify", [("expired", false), ("invalided", false)]);
        NotifiedEnds { expired, invalided }
    }

    fn refuse<T>(&mut self, path: String, rule: Rule) -> Option<T> {
        self.found.add(path, rule);
        None
    }

    fn text<'m>(&mut self, base: &str, object: &Members<'m>, name: &str) -> Option<Cow<'m, str>> {
        match object.get(name).map(text_of) {
            None => self.refuse(join(base, name), Rule::Required),
            Some(Some(text)) if text.is_empty() => self.refuse(join(base, name), Rule::Blank),
            Some(Some(text)) => Some(text),
            Some(None) => self.refuse(join(base, name), Rule::NotText),
        }
    }

    fn line(&mut self, base: &str, object: &Members<'_>, name: &str, max: usize) -> Option<String> {
        let text = self.text(base, object, name)?;
        match text::check_line(&text, max) {
            Ok(()) => Some(text.into_owned()),
            Err(text::TextError::TooLong { max }) => self.refuse(join(base, name), Rule::TooLong { max }),
            Err(text::TextError::ControlCharacter) => self.refuse(join(base, name), Rule::ControlCharacter),
        }
    }

    fn word<T>(
        &mut self,
        at: At<'_>,
        object: &Members<'_>,
        words: &'static [&'static str],
        parse: fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(at.base, object, at.name)?;
        parse(&text).or_else(|| self.refuse(at.path(), Rule::OneOf(words)))
    }

    fn flag(&mut self, base: &str, object: &Members<'_>, name: &str, default: bool) -> bool {
        match object.get(name).map(RawValue::get) {
            None => default,
            Some("true") => true,
            Some("false") => false,
            Some(_) => {
                self.found.add(join(base, name), Rule::NotBoolean);
                default
            }
        }
    }

    fn object<'m>(&mut self, base: &str, object: &Members<'m>, name: &str) -> Option<Members<'m>> {
        match object.get(name) {
            None => self.refuse(join(base, name), Rule::Required),
            Some(raw) => Members::of(raw).or_else(|| self.refuse(join(base, name), Rule::NotObject)),
        }
    }

    fn list<'m>(&mut self, base: &str, object: &Members<'m>, name: &str) -> Vec<&'m RawValue> {
        let Some(raw) = object.get(name) else { return Vec::new() };
        serde_json::from_str(raw.get()).unwrap_or_else(|_| {
            self.found.add(join(base, name), Rule::NotList);
            Vec::new()
        })
    }

    fn bilingual(&mut self, base: &str, object: &Members<'_>, name: &str, max: usize) -> Option<Bilingual> {
        let inner = self.object(base, object, name)?;
        let path = join(base, name);
        let en = self.line(&path, &inner, "en", max);
        let ar = self.line(&path, &inner, "ar", max);
        Some(Bilingual { en: en?, ar: ar? })
    }

    fn country(&mut self, root: &Members<'_>) -> Option<String> {
        let text = self.text("", root, "country")?;
        if is_country(&text) {
            Some(text.into_owned())
        } else {
            self.refuse("country".into(), Rule::NotCountryCode)
        }
    }

    /// The member `time_zone`; without it the zone of the country.
    fn time_zone(&mut self, root: &Members<'_>, country: Option<&str>) -> Option<String> {
        match root.get("time_zone").map(text_of) {
            None => country.and_then(time_zone::of_country).map(String::from),
            Some(Some(text)) if time_zone::is_name(&text) => Some(text.into_owned()),
            Some(_) => self.refuse("time_zone".into(), Rule::NotTimeZone),
        }
    }

    fn prefix(&mut self, root: &Members<'_>) -> String {
        match root.get("reference_prefix").map(text_of) {
            None => String::new(),
            Some(Some(text)) if ReferenceNumber::is_prefix(&text) => text.into_owned(),
            Some(_) => {
                self.found.add("reference_prefix", Rule::NotReferencePrefix);
                String::new()
            }
        }
    }

    fn currencies(&mut self, base: &str, object: &Members<'_>) -> Vec<Currency> {
        let items = self.list(base, object, "currencies");
        if items.is_empty() && !self.found.has(&join(base, "currencies")) {
            self.found.add(join(base, "currencies"), Rule::EmptyList);
        }
        let mut currencies = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let path = join(base, &format!("currencies.{place}"));
            match text_of(item).and_then(|text| Currency::parse(&text)) {
                None => self.found.add(path, Rule::UnknownCurrency),
                Some(currency) if currencies.contains(&currency) => self.found.add(path, Rule::Repeated),
                Some(currency) => currencies.push(currency),
            }
        }
        currencies
    }

    fn plugins(&mut self, root: &Members<'_>) -> Vec<PluginSettings> {
        let Some(object) = self.object("", root, "plugins") else { return Vec::new() };
        let mut plugins = Vec::new();
        let given: BTreeMap<&str, &RawValue> = object.all().collect();
        for (name, raw) in &given {
            let path = join("plugins", name);
            match (Plugin::parse(name), Members::of(raw)) {
                (None, _) => self.found.add(path, Rule::OneOf(Plugin::WORDS)),
                (Some(plugin), Some(inner)) => plugins.push(self.plugin(&path, plugin, &inner)),
                (Some(_), None) => self.found.add(path, Rule::NotObject),
            }
        }
        if given.is_empty() {
            self.found.add("plugins", Rule::Required);
        }
        plugins
    }

    fn plugin(&mut self, path: &str, plugin: Plugin, object: &Members<'_>) -> PluginSettings {
        let expiration = object.get("expiration_time").map_or(DEFAULT_EXPIRATION, |value| {
            let rule = match text_of(value).and_then(|text| parse_period(&text)) {
                Some(period) if (Duration::from_secs(1)..=MAX_EXPIRATION).contains(&period) => return period,
                Some(_) => Rule::PeriodOutOfRange,
                None => Rule::NotPeriod,
            };
            self.found.add(join(path, "expiration_time"), rule);
            DEFAULT_EXPIRATION
        });
        PluginSettings {
            plugin,
            webhook_url: self.address(path, object, "webhook_url"),
            webhooks: self.webhooks(path, object),
            expiration,
            custom_fields: self.custom_fields(path, object),
            is_amount_editable: self.flag(path, object, "is_amount_editable", false),
        }
    }

    /// Flags of an object; the default ones if it is not there.
    fn switches<const N: usize>(
        &mut self,
        root: &Members<'_>,
        object: &'static str,
        usual: [(&'static str, bool); N],
    ) -> [bool; N] {
        let members = root.get(object).and_then(|_| self.object("", root, object));
        usual.map(|(name, usual)| {
            members.as_ref().map_or(usual, |members| self.flag(object, members, name, usual))
        })
    }

    fn address(&mut self, base: &str, object: &Members<'_>, name: &str) -> Option<WebAddress> {
        object.get(name)?;
        let text = self.text(base, object, name)?;
        let reach = self.installation.map_or(Reach::Development, |installation| installation.reach);
        match (WebAddress::parse(&text, reach), self.installation) {
            (Ok(address), Some(own)) if !own.may_notify(&address) => {
                self.refuse(join(base, name), Rule::OwnAddress { has_sandbox: own.has_sandbox })
            }
            (Ok(address), _) => Some(address),
            (Err(error), _) => self.refuse(join(base, name), Rule::Address(error)),
        }
    }
}
