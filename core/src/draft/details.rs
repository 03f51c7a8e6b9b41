//! The fields of a create request beyond the required ones, and which of them require each other.

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use serde_json::value::RawValue;

use super::choice::GatewayChoice;
use super::extra;
use crate::draft::attachment;
use crate::draft::request::{Author, DraftRequest};
use crate::installation::Installation;
use crate::settings::MerchantSettings;
use crate::settings::parse::read_brand;
use crate::transaction::address::{self, Address, ShippingAddress};
use crate::transaction::agreement::{self, Agreement};
use crate::transaction::fields::sorted::sorted_fields;
use crate::transaction::fields::transaction_fields;
use crate::transaction::notifications::{self, Notifications};
use crate::transaction::{CardAcceptanceCriteria, Details};
use crate::value::email::is_permitted_email;
use crate::value::money::Currency;
use crate::value::phone::Phone;
use crate::value::text::check_line;
use crate::value::time::Timestamp;
use crate::value::web_address::WebAddress;
use crate::violation::{AccessRule, Rule, Violation};
use crate::wire::field::{Fields, is_blank};
use crate::wire::noted::{self, Noted};
use crate::words::Language;
use crate::words::payment_type::PaymentType;

/// The most bytes of `card_acceptance_criteria`, as written.
const MAX_CRITERIA_BYTES: usize = 1_024;
/// The most bytes of `branding_options`, as written.
const MAX_BRAND_BYTES: usize = 8_192;
/// The largest number of a user.
const MAX_USER: u32 = 2_147_483_647;
/// The most addresses of `email_recipients`.
const MAX_RECIPIENTS: usize = 32;

/// What the fields are checked against.
pub(super) struct DetailsContext<'a> {
    pub(super) installation: &'a Installation,
    pub(super) settings: &'a MerchantSettings,
    /// The plugin and the gateways, as far as they could be read.
    pub(super) choice: &'a GatewayChoice<'a>,
    /// The currency, if it could be read.
    pub(super) currency: Option<Currency>,
    /// The payment type, if it could be read.
    pub(super) payment_type: Option<PaymentType>,
    /// The user who is recorded.
    pub(super) author: &'a Author,
}

/// Reads the fields.
pub(super) fn read(fields: &mut Fields, request: &DraftRequest<'_>, context: &DetailsContext<'_>) -> Details {
    let attached = attachment::read(fields, request, &context.installation.public_url);
    let mut details = Details {
        attachment: attached.file.map(Box::new),
        attachment_upload_url: attached.upload_url,
        payment_type: context.payment_type.unwrap_or_default(),
        ..Details::default()
    };
    let mut reader = DetailsReader { fields, context };
    reader.read(request, &mut details);
    refuse(fields, request);
    let author = context.author;
    if author.is_fixed {
        details.initiator_id = author.user.as_ref().map(|user| user.id);
    }
    details.initiator = details.initiator_id.and_then(|_| author.user.clone()).map(Box::new);
    if let Some(notifications) = &details.notifications {
        // One that is given but wrong is reported itself.
        let is_given = |raw: Option<&RawValue>| raw.is_some_and(|raw| !is_blank(raw));
        notifications.check(fields, is_given(request.customer_email), is_given(request.customer_phone));
        let home = &context.settings.country;
        let phone = details.customer_phone.as_ref().filter(|_| notifications.needs_phone());
        if phone.is_some_and(|phone| Phone::parse(phone, home).is_none()) {
            fields.violation("customer_phone", Rule::NotPhone { home: home.clone() });
        }
    }
    details
}

macro_rules! declare_reader {
    ($($name:ident = $reader:ident $(($limit:expr))? $(after $before:ident)?;)*) => {
        sorted_fields! { Field { $($name $(after $before)?;)* } }

        impl DetailsReader<'_> {
            /// Reads the fields of the table.
            fn read(&mut self, request: &DraftRequest<'_>, details: &mut Details) {
                for field in Field::SORTED {
                    match field {
                        $(Field::$name => {
                            details.$name = self.$reader(stringify!($name), request.$name $(, $limit)?);
                        })*
                    }
                }
            }
        }
    };
}
transaction_fields!(read => declare_reader);

macro_rules! declare_refused {
    ($($name:ident: $rule:ident;)*) => {
        /// Refuses what is no field of a transaction.
        fn refuse(fields: &mut Fields, request: &DraftRequest<'_>) {
            $(fields.optional(stringify!($name), request.$name, |f, p, _| f.refuse::<()>(p, Rule::$rule));)*
        }
    };
}
transaction_fields!(refused => declare_refused);

type Raw<'a> = Option<&'a RawValue>;

/// How the fields are read, each by its path and its raw value, and with its limit if it has one.
struct DetailsReader<'r> {
    fields: &'r mut Fields,
    context: &'r DetailsContext<'r>,
}

impl DetailsReader<'_> {
    fn text(&mut self, path: &'static str, raw: Raw<'_>, max: usize) -> Option<String> {
        self.fields.optional(path, raw, |f, p, raw| f.line(p, raw, max))
    }

    fn email(&mut self, path: &'static str, raw: Raw<'_>, max: usize) -> Option<String> {
        self.fields.optional(path, raw, |f, p, raw| f.email(p, raw, max))
    }

    fn flag(&mut self, path: &'static str, raw: Raw<'_>) -> Option<bool> {
        self.fields.optional(path, raw, Fields::flag)
    }

    fn number(&mut self, path: &'static str, raw: Raw<'_>, limits: RangeInclusive<u32>) -> Option<u32> {
        self.fields.optional(path, raw, |f, p, raw| f.whole(p, raw, limits))
    }

    fn date(&mut self, path: &'static str, raw: Raw<'_>) -> Option<String> {
        self.fields.optional(path, raw, Fields::date)
    }

    fn date_time(&mut self, path: &'static str, raw: Raw<'_>) -> Option<Timestamp> {
        self.fields.optional(path, raw, Fields::date_time)
    }

    /// Where the payer is sent back: a host that the merchant has configured, or any if it has configured none.
    fn redirect_url(&mut self, path: &'static str, raw: Raw<'_>) -> Option<WebAddress> {
        let reach = self.context.installation.reach;
        let address = self.fields.optional(path, raw, |f, p, raw| f.address(p, raw, reach))?;
        let hosts = &self.context.settings.redirect_hosts;
        if hosts.is_empty() || hosts.iter().any(|host| host.permits(&address)) {
            return Some(address);
        }
        let permitted = hosts.iter().map(|host| format!("https://{}/…", host.text())).collect();
        self.fields.refuse(path, Rule::NotPermitted(permitted))
    }

    fn language(&mut self, path: &'static str, raw: Raw<'_>) -> Option<Language> {
        let read = |f: &mut Fields, p, raw: &RawValue| f.word(p, raw, Language::WORDS, Language::parse);
        self.fields.optional(path, raw, read)
    }

    fn agreement(&mut self, path: &'static str, raw: Raw<'_>) -> Option<Box<Agreement>> {
        let DetailsContext { currency, settings, .. } = *self.context;
        let reason = self.required_by(&[PaymentType::AutoDebit]);
        let agreement = self.needed(path, raw, reason)?;
        let context = agreement::AgreementContext { currency, permitted: &settings.agreements };
        agreement::read(self.fields, path, agreement, &context).map(Box::new)
    }

    fn billing_address(&mut self, path: &'static str, raw: Raw<'_>) -> Option<Box<Address>> {
        self.fields.optional(path, raw, address::read_billing).map(Box::new)
    }

    fn shipping_address(&mut self, path: &'static str, raw: Raw<'_>) -> Option<Box<ShippingAddress>> {
        self.fields.optional(path, raw, address::read_shipping).map(Box::new)
    }

    fn card_acceptance_criteria(
        &mut self,
        path: &'static str,
        raw: Raw<'_>,
    ) -> Option<CardAcceptanceCriteria> {
        self.fields.optional(path, raw, read_criteria)
    }

    fn customer_id(&mut self, path: &'static str, raw: Raw<'_>, max: usize) -> Option<String> {
        let reason = self.required_by(&[PaymentType::AutoDebit, PaymentType::SaveCard]);
        let id = self.needed(path, raw, reason)?;
        self.fields.line(path, id, max)
    }

    fn email_recipients(&mut self, path: &'static str, raw: Raw<'_>) -> Vec<String> {
        self.fields.optional(path, raw, read_recipients).unwrap_or_default()
    }

    fn extra(&mut self, _: &'static str, raw: Raw<'_>) -> Option<Box<RawValue>> {
        extra::read(self.fields, raw, self.context.choice.plugin, self.context.currency)
    }

    /// The face of the page, by the rules of the settings; none if it has no member.
    fn branding_options(&mut self, path: &'static str, raw: Raw<'_>) -> Option<Box<RawValue>> {
        let (raw, members) = self.fields.optional(path, raw, |f, p, raw| {
            f.object(p, raw, MAX_BRAND_BYTES).map(|members| (raw, members))
        })?;
        let found = read_brand(path, &members, self.context.installation).err().unwrap_or_default();
        for Violation { path, rule } in found {
            self.fields.violation(path, rule);
        }
        members.iter().next().map(|_| raw.to_owned())
    }

    /// The user who made the transaction. A key is not tied to a user, and may name any active one of the
    /// merchant.
    fn initiator_id(&mut self, path: &'static str, raw: Raw<'_>) -> Option<u32> {
        let number = self.number(path, raw, 1..=MAX_USER)?;
        let author = self.context.author;
        match &author.user {
            Some(user) if user.id == number => Some(number),
            _ if author.is_fixed => self.fields.refuse(path, Rule::Access(AccessRule::OtherUser)),
            _ => self.fields.refuse(path, Rule::UnknownUser),
        }
    }

    fn notifications(&mut self, path: &'static str, raw: Raw<'_>) -> Option<Notifications> {
        let read = self.fields.optional(path, raw, notifications::read);
        read.filter(|notifications| !notifications.is_empty())
    }

    /// The order number, which gateways of some families accept only if it is short.
    fn order_no(&mut self, path: &'static str, raw: Raw<'_>, max: usize) -> Option<String> {
        let order_no = self.text(path, raw, max)?;
        let families = self.context.choice.profiles.iter().filter_map(|profile| profile.family());
        let limits =
            families.filter_map(|family| Some((family.declaration().capabilities.longest_order?, family)));
        match limits.min_by_key(|(max, _)| *max).filter(|(max, _)| order_no.chars().count() > *max) {
            Some((max, family)) => {
                let rule = Rule::TooLongForGateway { max, pg_name: family.as_str() };
                self.fields.refuse(path, rule)
            }
            None => Some(order_no),
        }
    }

    /// The merchant's unit; any slug if the merchant has configured none.
    fn unit_code(&mut self, path: &'static str, raw: Raw<'_>, max: usize) -> Option<String> {
        let units = &self.context.settings.units;
        let unit = self.fields.optional(path, raw, |f, p, raw| f.slug(p, raw, max))?;
        if units.is_empty() || units.contains(&unit) {
            Some(unit)
        } else {
            self.fields.refuse(path, Rule::NotPermitted(units.clone()))
        }
    }

    /// Where notifications go. A payment type may need it, if the plugin has no address.
    fn webhook_url(&mut self, path: &'static str, raw: Raw<'_>) -> Option<WebAddress> {
        let has_default = self.context.choice.plugin.is_none_or(|plugin| plugin.webhook_url.is_some());
        let reason = self.required_by(&[PaymentType::SaveCard]).filter(|_| !has_default);
        let address = self.needed(path, raw, reason)?;
        self.fields.receiver(path, address, self.context.installation)
    }

    /// The payment type, if it is one of `kinds`: the reason why a field must be given.
    fn required_by(&self, kinds: &[PaymentType]) -> Option<PaymentType> {
        self.context.payment_type.filter(|kind| kinds.contains(kind))
    }

    /// The value of a field that must be given if there is a reason.
    fn needed<'a>(&mut self, path: &'static str, raw: Raw<'a>, reason: Option<PaymentType>) -> Raw<'a> {
        match (raw.filter(|raw| !is_blank(raw)), reason) {
            (None, Some(kind)) => self.fields.refuse(path, Rule::RequiredWith(kind)),
            (raw, _) => raw,
        }
    }
}

/// Words of which the names consist of members that say which cards may pay, such as `exclude_bins`.
const RESTRICTING: [&str; 32] = [
    "accept",
    "accepted",
    "allow",
    "allowed",
    "bin",
    "bins",
    "block",
    "blocked",
    "brand",
    "brands",
    "countries",
    "country",
    "deny",
    "denied",
    "exclude",
    "excluded",
    "funding",
    "include",
    "included",
    "issuer",
    "issuers",
    "max",
    "min",
    "network",
    "networks",
    "only",
    "reject",
    "require",
    "required",
    "scheme",
    "schemes",
    "types",
];

/// Whether a member that is not known would restrict which cards pay. To ignore it would let a card pay that the merchant
/// wants to refuse.
fn restricts(name: &str) -> bool {
    let is_word = |word: &str| RESTRICTING.contains(&word);
    name != "min_expiry_time" && name.to_ascii_lowercase().split(['_', '-']).any(is_word)
}

/// Whether a value restricts nothing: absent, or a list of nothing.
fn is_nothing(raw: &RawValue) -> bool {
    is_blank(raw) || matches!(raw.get(), "null" | "[]" | "{}" | "false")
}

fn read_criteria(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<CardAcceptanceCriteria> {
    let members = fields.object(path, raw, MAX_CRITERIA_BYTES)?;
    for (name, _) in members.all().filter(|(name, raw)| restricts(name) && !is_nothing(raw)) {
        fields.violation(alloc::format!("{path}.{name}"), Rule::NotKnown);
    }
    let path = "card_acceptance_criteria.min_expiry_time";
    let min_expiry_time =
        fields.optional(path, members.get("min_expiry_time"), |f, p, r| f.integer(p, r, 1..=365));
    min_expiry_time.map(|days| CardAcceptanceCriteria { min_expiry_time: Some(days) })
}

fn read_recipients(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Vec<String>> {
    noted::items(path, &Noted::Email);
    let items = fields.items(path, raw, MAX_RECIPIENTS)?;
    let mut recipients = Vec::with_capacity(items.len());
    for (place, item) in items.into_iter().enumerate() {
        let read = Fields::decode_text(item).and_then(|text| {
            check_line(&text, 128).map_err(Rule::from)?;
            if is_permitted_email(&text) { Ok(text.into_owned()) } else { Err(Rule::NotEmail) }
        });
        match read {
            Ok(recipient) => recipients.push(recipient),
            Err(rule) => fields.violation(alloc::format!("{path}.{place}"), rule),
        }
    }
    Some(recipients)
}
