//! The gateways of a settings document, with their fees.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use super::reader::{At, DocumentReader, MAX_NAME, join};
use crate::gateway::ConnectorKind;
use crate::gateway::capabilities::Capabilities;
use crate::gateway::credentials::{CredentialField, StoredCredential, StoredCredentials};
use crate::gateway::icon::{ChosenIcon, Icon};
use crate::gateway::profile::{Fee, Profile};
use crate::settings::{MAX_GATEWAYS, SEALED};
use crate::value::id::PgCode;
use crate::value::money::{Currency, Money, decimal};
use crate::value::sealed::Sealed;
use crate::value::shape::TextShape;
use crate::value::web_address::{Reach, WebAddress};
use crate::violation::{ConnectorRule, Rule};
use crate::wire::members::Members;
use crate::words::{Operation, Plugin, Wallet};

/// The longest code of a gateway, so that it fits `gateway_account`.
const MAX_CODE: usize = 16;

/// What a document asks of a gateway that its protocol must be able to do.
struct GatewayDemands<'a> {
    operation: Option<Operation>,
    currencies: &'a [Currency],
    wallets: &'a [Wallet],
    /// Whether it opens the sheet of Apple Pay.
    has_sheet: bool,
}

impl DocumentReader<'_> {
    /// The gateways; `installed` are the plugins of the document.
    pub(super) fn gateways(&mut self, root: &Members<'_>, installed: &[Plugin]) -> Vec<Profile> {
        let items = self.list("", root, "gateways");
        if items.len() > MAX_GATEWAYS {
            self.found.add("gateways", Rule::TooManyItems { max: MAX_GATEWAYS });
            return Vec::new();
        }
        let mut profiles: Vec<Profile> = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let path = format!("gateways.{place}");
            let Some(object) = Members::of(item) else {
                self.found.add(path, Rule::NotObject);
                continue;
            };
            let Some(profile) = self.gateway(&path, &object, installed) else { continue };
            if profiles.iter().any(|known| known.code == profile.code) {
                self.found.add(join(&path, "code"), Rule::Repeated);
            }
            profiles.push(profile);
        }
        profiles
    }

    fn gateway(&mut self, path: &str, object: &Members<'_>, installed: &[Plugin]) -> Option<Profile> {
        let code = self.code(path, object);
        let name = self.bilingual(path, object, "name", MAX_NAME);
        let connector = self.connector(path, object);
        let pg_name = self.line(path, object, "pg_name", MAX_NAME);
        let at = At { base: path, name: "operation" };
        let operation = self.word(at, object, &["purchase", "authorize"], Operation::parse);
        let currencies = self.currencies(path, object);
        let default_currency = self.default_currency(path, object, &currencies);
        let exchanges = self.exchanges(path, object, &currencies, default_currency);
        let fees = self.fees(path, object);
        let able = connector.map(|connector| &connector.declaration().capabilities);
        let credentials = connector
            .and_then(|connector| self.credentials(path, object, connector.declaration().credentials));
        let endpoint = self.endpoint(path, object, connector);
        let wallets = self.wallets(path, object);
        let apple_pay = self.apple_pay(path, object);
        let has_sheet = apple_pay.is_some();
        let asked = GatewayDemands { operation, currencies: &currencies, wallets: &wallets, has_sheet };
        self.check_ability(path, able, &asked);
        Some(Profile {
            charge_default_currency: self.flag(path, object, "charge_default_currency", true),
            sandbox: self.flag(path, object, "sandbox", false),
            multiple_attempts: self.flag(path, object, "multiple_attempts", true),
            inquiry_after: self.minutes(path, object),
            reconciled: self.flag(path, object, "reconciled", true),
            tokenization: self.flag(path, object, "tokenization", false),
            cvv_required: self.flag(path, object, "cvv_required", false),
            auto_debit: self.flag(path, object, "auto_debit", false),
            flexible: self.flexible(path, object, able),
            apple_pay,
            google_pay: self.google_pay(path, object),
            wallets,
            operations: self.operations(path, object, able, operation),
            group: self.group(path, object),
            restrictions: self.restrictions(path, object),
            card_brands: self.card_brands(path, object, connector),
            plugins: self.plugins_of(path, object, installed),
            tags: self.tags(path, object),
            code: code?,
            name: name?,
            connector: connector?,
            pg_name: pg_name?,
            operation: operation?,
            currencies,
            default_currency: default_currency?,
            exchanges,
            fees,
            credentials: credentials?,
            endpoint,
            icon: self.icon(path, object),
        })
    }

    fn code(&mut self, path: &str, object: &Members<'_>) -> Option<PgCode> {
        let text = self.line(path, object, "code", MAX_CODE)?;
        PgCode::parse(&text).or_else(|| self.refuse(join(path, "code"), Rule::NotGatewayCode))
    }

    /// The connector, unless the build is without it. A stored document stays readable.
    fn connector(&mut self, path: &str, object: &Members<'_>) -> Option<ConnectorKind> {
        let at = At { base: path, name: "connector" };
        let connector = self.word(at, object, ConnectorKind::WORDS, ConnectorKind::parse)?;
        if self.installation.is_some() && !connector.is_built_in() {
            return self.refuse(join(path, "connector"), Rule::Connector(ConnectorRule::LeftOut));
        }
        Some(connector)
    }

    /// The address of the bank; without one it is the gateway's usual one, if it has that. A stored document stays readable.
    fn endpoint(
        &mut self,
        path: &str,
        object: &Members<'_>,
        connector: Option<ConnectorKind>,
    ) -> Option<String> {
        let has_bank = self.installation.is_none_or(|installation| installation.has_sandbox);
        let is_simulated =
            connector.is_some_and(|connector| connector.declaration().capabilities.is_simulated);
        if is_simulated && !has_bank && object.get("endpoint").is_none() {
            return self.refuse(join(path, "endpoint"), Rule::Connector(ConnectorRule::NoSimulatedBank));
        }
        let needs_endpoint = connector.is_some_and(|connector| connector.declaration().needs_endpoint);
        if needs_endpoint && self.installation.is_some() && object.get("endpoint").is_none() {
            return self.refuse(join(path, "endpoint"), Rule::Connector(ConnectorRule::NoAddressOfBank));
        }
        let address = self.address(path, object, "endpoint")?;
        Some(address.as_str().trim_end_matches('/').to_string())
    }

    /// Whether a simulated gateway is a flexible method. A stored document stays readable.
    fn flexible(&mut self, path: &str, object: &Members<'_>, able: Option<&Capabilities>) -> bool {
        let is_flexible = self.flag(path, object, "flexible", false);
        let is_able = able.is_none_or(|able| able.flexible.is_some());
        if is_flexible && !is_able && self.installation.is_some() {
            self.found.add(join(path, "flexible"), Rule::Connector(ConnectorRule::NotAble));
        }
        is_flexible
    }

    /// The picture: a word of ours, or an address.
    fn icon(&mut self, path: &str, object: &Members<'_>) -> Option<ChosenIcon> {
        object.get("icon")?;
        let text = self.text(path, object, "icon")?;
        if let Some(icon) = Icon::parse(&text) {
            return Some(ChosenIcon::Own(icon));
        }
        let reach = self.installation.map_or(Reach::Development, |installation| installation.reach);
        match WebAddress::parse(&text, reach) {
            Ok(address) => Some(ChosenIcon::At(address)),
            Err(error) if text.contains(':') => self.refuse(join(path, "icon"), Rule::Address(error)),
            Err(_) => self.refuse(join(path, "icon"), Rule::OneOf(Icon::WORDS)),
        }
    }

    /// What the connector, or a provider of messages, declares that it needs. In a stored document the secrets are sealed, and their shape was checked
    /// when they came in.
    pub(super) fn credentials(
        &mut self,
        path: &str,
        object: &Members<'_>,
        fields: &[CredentialField],
    ) -> Option<StoredCredentials> {
        let base = join(path, "credentials");
        let is_required = fields.iter().any(|field| field.is_required);
        let mut credentials = StoredCredentials::new();
        if object.get("credentials").is_none() && !is_required {
            return Some(credentials);
        }
        let given = self.object(path, object, "credentials")?;
        // What is not declared would be stored as it is, and shown.
        if self.installation.is_some() {
            for (name, _) in given.all().filter(|(name, _)| !fields.iter().any(|field| field.name == *name)) {
                self.found.add(join(&base, name), Rule::Connector(ConnectorRule::NotCredential));
            }
        }
        for field in fields {
            if given.get(field.name).is_none() && !field.is_required {
                continue;
            }
            let Some(text) = self.credential(&base, &given, field) else { continue };
            let value = if field.is_secret {
                StoredCredential::Secret(Sealed(text))
            } else {
                StoredCredential::Public(text)
            };
            credentials.insert(field.name, value);
        }
        Some(credentials)
    }

    pub(super) fn credential(
        &mut self,
        base: &str,
        given: &Members<'_>,
        field: &CredentialField,
    ) -> Option<String> {
        let is_stored = self.installation.is_none();
        if let (TextShape::Line { max }, false) = (field.shape, is_stored) {
            return self.line(base, given, field.name, max);
        }
        let text = self.text(base, given, field.name)?;
        let is_sealed = field.is_secret && (is_stored || text == SEALED);
        if is_sealed || field.shape.fits(&text) {
            Some(text.into_owned())
        } else {
            self.refuse(join(base, field.name), Rule::Shape(field.shape))
        }
    }

    /// Refuses what the protocol of the gateway cannot do. A stored document stays readable.
    fn check_ability(&mut self, path: &str, able: Option<&Capabilities>, asked: &GatewayDemands<'_>) {
        let Some(able) = able.filter(|_| self.installation.is_some()) else { return };
        let &GatewayDemands { operation, currencies, wallets, has_sheet } = asked;
        if has_sheet && !able.starts_apple_sessions {
            self.found.add(join(path, "apple_pay"), Rule::Connector(ConnectorRule::NotAble));
        }
        if operation.is_some_and(|operation| !able.payments.contains(&operation)) {
            self.found.add(join(path, "operation"), Rule::Connector(ConnectorRule::NotAble));
        }
        for (place, _) in currencies.iter().enumerate().filter(|(_, currency)| !able.charges_in(**currency)) {
            self.found.add(format!("{path}.currencies.{place}"), Rule::Connector(ConnectorRule::NotAble));
        }
        for (place, _) in wallets.iter().enumerate().filter(|(_, wallet)| !able.wallets.contains(wallet)) {
            self.found.add(format!("{path}.wallets.{place}"), Rule::Connector(ConnectorRule::NotAble));
        }
    }

    fn minutes(&mut self, path: &str, object: &Members<'_>) -> Duration {
        const DEFAULT: u64 = 10;
        const MAX: u64 = 1_440;
        let minutes = match object.get("inquiry_after_minutes") {
            None => DEFAULT,
            Some(value) => {
                value.get().parse().ok().filter(|minutes| (1..=MAX).contains(minutes)).unwrap_or_else(|| {
                    let rule = Rule::NotInteger { min: 1, max: 1_440 };
                    self.found.add(join(path, "inquiry_after_minutes"), rule);
                    DEFAULT
                })
            }
        };
        Duration::from_secs(minutes.saturating_mul(60))
    }

    fn fees(&mut self, path: &str, object: &Members<'_>) -> Vec<Fee> {
        let mut fees: Vec<Fee> = Vec::new();
        for (place, item) in self.list(path, object, "fees").iter().enumerate() {
            let path = format!("{path}.fees.{place}");
            let Some(inner) = Members::of(item) else {
                self.found.add(path, Rule::NotObject);
                continue;
            };
            let Some(fee) = self.fee(&path, &inner) else { continue };
            if fees.iter().any(|known| known.fixed.currency() == fee.fixed.currency()) {
                self.found.add(join(&path, "currency"), Rule::Repeated);
            }
            fees.push(fee);
        }
        fees
    }

    fn fee(&mut self, path: &str, object: &Members<'_>) -> Option<Fee> {
        let currency = self.currency(path, object, "currency");
        let percent = match object.get("percent") {
            None => Some(rust_decimal::Decimal::ZERO),
            Some(_) => self.text(path, object, "percent").and_then(|text| {
                decimal::lex(&text).ok().or_else(|| self.refuse(join(path, "percent"), Rule::NotDecimal))
            }),
        };
        let fixed = match (object.get("fixed"), currency) {
            (None, _) => currency.map(Money::zero),
            (Some(_), None) => None,
            (Some(_), Some(currency)) => {
                self.text(path, object, "fixed").and_then(|text| match Money::parse(&text, currency) {
                    Ok(fixed) => Some(fixed),
                    Err(error) => self.refuse(join(path, "fixed"), Rule::Amount(error)),
                })
            }
        };
        let description = self.bilingual(path, object, "description", MAX_NAME);
        Some(Fee { fixed: fixed?, percent: percent?, description: description? })
    }
}
