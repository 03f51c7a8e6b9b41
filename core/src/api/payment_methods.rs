//! `POST /b/pbl/v2/payment-methods/` lists the merchant's gateways that fit every filter of the request.
//!
//! Decision: a filter that is left out, null, blank or an empty list filters nothing. A list requires at
//! least one of its items. A flag requires exactly its value: `false` lists the gateways that cannot.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use crate::gateway::profile::Profile;
use crate::gateway::tag::Tag;
use crate::settings::MerchantSettings;
use crate::value::money::{Currency, Money};
use crate::value::text;
use crate::violation::{Rule, Violation};
use crate::wire::field::Fields;
use crate::wire::json::{is_empty_list, record};
use crate::wire::noted::{self, Noted};
use crate::words::{Operation, Plugin, Wallet};

/// The most items of a list.
const MAX_ITEMS: usize = 200;
/// The longest customer id, as at create.
const MAX_CUSTOMER_ID: usize = 64;
/// The longest gateway family, as in the settings document.
const MAX_PG_NAME: usize = 64;
/// The services that can be requested. Those beyond [`Wallet`] are known to the API and supported by no
/// gateway of ours.
const SERVICES: &[&str] = &["apple_pay", "google_pay", "samsung_pay", "wallet"];
/// The words of the filter `type`.
const ENVIRONMENTS: &[&str] = &["sandbox", "production"];

record! {
    /// The body, each field raw. `null` reads as absent, unknown keys are ignored.
    pub struct PaymentMethodsRequest<'a> {
        /// The plugin that must be able to use the gateway.
        pub plugin,
        /// ISO 4217 codes of which the gateway accepts at least one.
        pub currencies,
        /// An amount that the gateway can charge in one of `currencies`, with its fee and after an exchange. Without
        /// `currencies` it filters nothing.
        pub amount,
        /// The customer whose successful payments are looked up; at most 64 characters. Filters nothing.
        pub customer_id,
        /// `purchase` or `authorize`.
        pub operation,
        /// Whether the gateway saves cards.
        pub tokenizable,
        /// Whether the gateway debits saved cards.
        pub auto_debit,
        /// Gateway families.
        pub pg_names,
        /// `sandbox` or `production`.
        pub environment as "type",
        /// Words of [`Tag::WORDS`].
        pub tags,
        /// Wallet services.
        pub payment_services,
    }
}

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodFilter {
    plugin: Plugin,
    currencies: Option<Vec<Currency>>,
    /// The amount in each of the currencies that can have it.
    amounts: Option<Vec<Money>>,
    customer_id: Option<String>,
    operation: Option<Operation>,
    tokenization: Option<bool>,
    auto_debit: Option<bool>,
    pg_names: Option<Vec<String>>,
    sandbox: Option<bool>,
    tags: Option<Vec<Tag>>,
    /// `None` in the list is a service that no gateway has.
    services: Option<Vec<Option<Wallet>>>,
}

impl MethodFilter {
    /// Reads a request.
    ///
    /// # Errors
    /// Every violation, in the order of the fields.
    pub fn parse(
        request: &PaymentMethodsRequest<'_>,
        settings: &MerchantSettings,
    ) -> Result<Self, Vec<Violation>> {
        let mut fields = Fields::default();
        let plugin = fields.required("plugin", request.plugin, |f, p, raw| {
            let plugin = f.word(p, raw, Plugin::WORDS, Plugin::parse)?;
            if settings.plugin(plugin).is_none() {
                return f.refuse(p, Rule::PluginNotInstalled);
            }
            Some(plugin)
        });
        let currencies = list(&mut fields, "currencies", request.currencies, |code| {
            Currency::parse(code).ok_or(Rule::UnknownCurrency)
        });
        let amounts = currencies.as_ref().and_then(|currencies| {
            fields.optional("amount", request.amount, |f, p, raw| read_amounts(f, p, raw, currencies))
        });
        let customer_id =
            fields.optional("customer_id", request.customer_id, |f, p, raw| f.line(p, raw, MAX_CUSTOMER_ID));
        let operation = fields.optional("operation", request.operation, |f, p, raw| {
            f.word(p, raw, &["purchase", "authorize"], Operation::parse)
        });
        let tokenization = fields.optional("tokenizable", request.tokenizable, flag);
        let auto_debit = fields.optional("auto_debit", request.auto_debit, flag);
        let pg_names = list(&mut fields, "pg_names", request.pg_names, |name| {
            text::check_line(name, MAX_PG_NAME).map(|()| name.into()).map_err(Rule::from)
        });
        let sandbox = fields.optional("type", request.environment, |f, p, raw| {
            f.word(p, raw, ENVIRONMENTS, |word| ENVIRONMENTS.contains(&word).then_some(word == "sandbox"))
        });
        let tags =
            list(&mut fields, "tags", request.tags, |word| Tag::parse(word).ok_or(Rule::OneOf(Tag::WORDS)));
        let services = list(&mut fields, "payment_services", request.payment_services, |word| {
            SERVICES.contains(&word).then(|| Wallet::parse(word)).ok_or(Rule::OneOf(SERVICES))
        });
        for (path, item) in [
            ("currencies", Noted::Currency),
            ("pg_names", Noted::Text(MAX_PG_NAME)),
            ("tags", Noted::Words(Tag::WORDS)),
            ("payment_services", Noted::Words(SERVICES)),
        ] {
            noted::items(path, &item);
        }
        let found = fields.finish();
        match plugin {
            Some(plugin) if found.is_empty() => Ok(Self {
                plugin,
                currencies,
                amounts,
                customer_id,
                operation,
                tokenization,
                auto_debit,
                pg_names,
                sandbox,
                tags,
                services,
            }),
            _ => Err(found),
        }
    }

    /// The customer whose successful payments are looked up.
    #[must_use]
    pub(crate) fn customer_id(&self) -> Option<&str> {
        self.customer_id.as_deref()
    }

    /// Whether a gateway fits every filter.
    #[must_use]
    pub(crate) fn admits(&self, profile: &Profile) -> bool {
        profile.plugins.contains(&self.plugin)
            && is_any(self.currencies.as_ref(), |currency| profile.takes(*currency))
            && is_any(self.amounts.as_ref(), |amount| profile.quote(*amount).is_some())
            && is_same(self.operation, profile.operation)
            && is_same(self.tokenization, profile.saves_cards())
            && is_same(self.auto_debit, profile.debits_cards())
            && is_any(self.pg_names.as_ref(), |name| profile.pg_name == *name)
            && is_same(self.sandbox, profile.sandbox)
            && is_any(self.tags.as_ref(), |tag| profile.tags.contains(tag))
            && is_any(self.services.as_ref(), |service| {
                service.is_some_and(|wallet| profile.wallets.contains(&wallet))
            })
    }
}

/// The amount in each of the currencies that have enough decimals for it.
fn read_amounts(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    currencies: &[Currency],
) -> Option<Vec<Money>> {
    let text = fields.amount(path, raw, None)?.text;
    Some(currencies.iter().filter_map(|currency| Money::parse(&text, *currency).ok()).collect())
}

/// Whether nothing is required, or exactly the actual value.
fn is_same<T: PartialEq + Copy>(wanted: Option<T>, actual: T) -> bool {
    wanted.is_none_or(|wanted| wanted == actual)
}

/// Whether nothing is required, or something that is there.
fn is_any<T>(wanted: Option<&Vec<T>>, is_there: impl Fn(&T) -> bool) -> bool {
    wanted.is_none_or(|wanted| wanted.iter().any(is_there))
}

/// `true` or `false`, as JSON or as text.
fn flag(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<bool> {
    noted::note(path, &Noted::Flag);
    let word = match raw.get() {
        json @ ("true" | "false") => Ok(Cow::Borrowed(json)),
        _ => Fields::decode_text(raw),
    };
    match word.as_deref() {
        Ok("true") => Some(true),
        Ok("false") => Some(false),
        Ok(_) | Err(_) => fields.refuse(path, Rule::NotBoolean),
    }
}

/// A list of texts as `read` accepts them; what is wrong with an item is noted at its position.
fn list<T>(
    fields: &mut Fields,
    path: &'static str,
    raw: Option<&RawValue>,
    read: impl Fn(&str) -> Result<T, Rule>,
) -> Option<Vec<T>> {
    let raw = raw.filter(|raw| !is_empty_list(raw))?;
    let items = fields.optional(path, Some(raw), |f, p, raw| f.items(p, raw, MAX_ITEMS))?;
    let mut list = Vec::with_capacity(items.len());
    for (place, item) in items.into_iter().enumerate() {
        match Fields::decode_text(item).and_then(|text| read(&text)) {
            Ok(item) => list.push(item),
            Err(rule) => fields.violation(format!("{path}.{place}"), rule),
        }
    }
    Some(list)
}
