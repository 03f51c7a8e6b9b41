//! A merchant's configuration: one document, validated once ([`parse`]), stored with a version.
//!
//! Secrets are never in it as plain text: they are [`Sealed`] before the document is stored.

pub mod alerts;
pub mod approvals;
pub mod brand;
pub mod custom_field;
pub mod limits;
pub mod message;
pub mod parse;
pub mod redirect_host;
pub mod retries;
pub mod routing;
pub mod sign_on;
pub mod situation;
pub(crate) mod time_zone;
pub mod webhooks;

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use self::alerts::AlertSettings;
use self::approvals::ApprovalPolicy;
use self::brand::Brand;
use self::custom_field::CustomField;
use self::limits::DeclineLimits;
use self::message::MessageSettings;
use self::redirect_host::RedirectHost;
use self::retries::DebitRetries;
use self::routing::Routing;
use self::sign_on::SingleSignOn;
use self::webhooks::WebhookFilter;
use crate::gateway::profile::Profile;
use crate::rejection::Rejection;
use crate::transaction::agreement::AgreementSettings;
use crate::value::id::{MerchantId, PgCode};
use crate::value::money::Currency;
use crate::value::sealed::Sealed;
use crate::value::time::Timestamp;
use crate::value::web_address::WebAddress;
use crate::words::{Bilingual, Plugin};

/// The most gateways that one transaction offers: all that a merchant can have, so that every answer of the
/// payment methods listing can be passed on.
pub(crate) const MAX_GATEWAYS: usize = 100;
/// Shown instead of a sealed credential in a document that is returned; in a document that is sent in, it
/// keeps the stored credential.
pub const SEALED: &str = "[sealed]";
/// The longest period in which a transaction can be paid.
pub(crate) const MAX_EXPIRATION: Duration = Duration::from_hours(366 * 24);
/// How many days the data of payers is kept, at least and at most, if it is erased by age.
pub(crate) const RETENTION_DAYS: (u32, u32) = (7, 3660);

/// The settings of one merchant, in one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantSettings {
    /// The merchant to which they belong.
    pub merchant: MerchantId,
    /// Counts up with each change of the document.
    pub version: i64,
    /// Whether no payment of the merchant may begin for now. What is in progress is still settled.
    pub is_paused: bool,
    /// What the payer reads.
    pub name: Bilingual,
    /// Its face on the page.
    pub brand: Brand,
    /// The home country, ISO 3166-1 alpha-2.
    pub country: String,
    /// In which time zone payers read times, by its name in the IANA database: the one that the document names, or that of
    /// the country if it has one only; `None` for UTC.
    pub time_zone: Option<String>,
    /// Put before every reference number; may be empty.
    pub reference_prefix: String,
    /// The currencies in which transactions may be denominated.
    pub currencies: Vec<Currency>,
    /// The installed plugins.
    pub plugins: Vec<PluginSettings>,
    /// The gateways, in the order in which they are offered if nothing else orders them.
    pub gateways: Vec<Profile>,
    /// How payments are distributed among them; `None` if the order above decides.
    pub routing: Option<Routing>,
    /// The slugs of the merchant's units; empty if any is accepted.
    pub units: Vec<String>,
    /// What agreements may contain.
    pub agreements: AgreementSettings,
    /// The origins whose pages may call the page's side of the API from a browser.
    pub allowed_origins: Vec<String>,
    /// The hosts to which payers may be sent back; empty if to every public one.
    pub redirect_hosts: Vec<RedirectHost>,
    /// Where notifications of captures, refunds and voids go, in addition to the plugin's address, for a
    /// transaction that has no address of its own.
    pub operations_webhook_url: Option<WebAddress>,
    /// Whether the merchant's inquiries reach the gateways only a limited number of times.
    pub throttles_inquiries: bool,
    /// About which ends of a transaction the merchant is notified although nobody requested them.
    pub notified_ends: NotifiedEnds,
    /// Whether the merchant is notified of the outcome of an auto debit although it was in the answer.
    pub notifies_auto_debits: bool,
    /// When an auto debit that was declined is tried again; `None` if never.
    pub debit_retries: Option<DebitRetries>,
    /// How many declines are let through.
    pub limits: DeclineLimits,
    /// How long after the last thing that happened to a payment transaction what identifies its payer is erased;
    /// `None` if only when that is asked for.
    pub retention: Option<Duration>,
    /// Who carries messages to payers.
    pub messages: MessageSettings,
    /// Who is notified that a person should look at something.
    pub alerts: AlertSettings,
    /// Which refunds and voids another person has to permit.
    pub approvals: ApprovalPolicy,
    /// The provider that says who the merchant's users are; `None` if only this service does.
    pub single_sign_on: Option<SingleSignOn>,
    /// The secrets with which notifications are signed.
    pub webhook: WebhookSecrets,
}

impl MerchantSettings {
    /// Whether no payment of the merchant moves money: every gateway is a simulation or the test side of a provider.
    #[must_use]
    pub fn is_test(&self) -> bool {
        self.gateways.iter().all(|profile| profile.sandbox)
    }
}

/// About which ends the merchant is notified, in addition to those that the payer or the merchant caused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NotifiedEnds {
    /// The time to pay is over.
    pub expired: bool,
    /// The configuration no longer permits the payment.
    pub invalided: bool,
}

/// What is configured for one plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginSettings {
    /// Which plugin.
    pub plugin: Plugin,
    /// Where notifications go when the transaction names no address.
    pub webhook_url: Option<WebAddress>,
    /// Which webhooks its transactions cause.
    pub webhooks: WebhookFilter,
    /// How long a transaction can be paid when it does not say itself.
    pub expiration: Duration,
    /// The keys of `extra` that have a type and a label, in the order of the document.
    pub custom_fields: Vec<CustomField>,
    /// Whether the payer may choose how much to pay.
    pub is_amount_editable: bool,
}

/// The secrets with which notifications of a merchant are signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSecrets {
    /// The key of the field `signature`.
    pub hmac_key: Sealed,
    /// The key that takes its place.
    pub next_hmac: Option<NextKey>,
    /// The secrets of the Standard Webhooks headers, the newest first; two while they are rotated.
    pub signing: Vec<Sealed>,
    /// Until when those after the first sign too; `None` for as long as they are there.
    pub previous_until: Option<Timestamp>,
}

/// A key that takes the place of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextKey {
    /// The key.
    pub key: Sealed,
    /// From when it signs.
    pub from: Timestamp,
}

impl WebhookSecrets {
    /// The key of the field `signature` at a moment.
    #[must_use]
    pub(crate) fn hmac_key_at(&self, now: Timestamp) -> &Sealed {
        self.next_hmac.as_ref().filter(|next| next.from <= now).map_or(&self.hmac_key, |next| &next.key)
    }

    /// The secrets that sign at a moment, the newest first.
    #[must_use]
    pub(crate) fn signing_at(&self, now: Timestamp) -> &[Sealed] {
        let is_over = self.previous_until.is_some_and(|until| until <= now);
        if is_over { self.signing.get(..1).unwrap_or_default() } else { &self.signing }
    }
}

impl MerchantSettings {
    /// Whether payments of the merchant may begin.
    ///
    /// # Errors
    /// [`Rejection::Paused`].
    pub(crate) const fn takes_payments(&self) -> Result<(), Rejection> {
        if self.is_paused { Err(Rejection::Paused) } else { Ok(()) }
    }

    /// The gateway of a code.
    #[must_use]
    pub fn gateway(&self, code: &PgCode) -> Option<&Profile> {
        self.gateways.iter().find(|profile| profile.code == *code)
    }

    /// Whether a gateway of these codes moves no money. Cash is never asked to.
    pub(crate) fn has_test_gateway(&self, codes: &[PgCode]) -> bool {
        codes
            .iter()
            .filter_map(|code| self.gateway(code))
            .any(|profile| profile.sandbox && !profile.is_cash())
    }

    /// What is configured for a plugin; `None` if it is not installed.
    #[must_use]
    pub fn plugin(&self, plugin: Plugin) -> Option<&PluginSettings> {
        self.plugins.iter().find(|settings| settings.plugin == plugin)
    }
}
