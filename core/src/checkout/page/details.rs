//! What the page shows of the order in addition to its amount: who pays, the billing and shipping addresses,
//! and the custom fields of the plugin with their labels.
//!
//! Decision: a link may be forwarded, so the page shows what the payer checks before paying and nothing with
//! which they can be contacted: no phone number, e-mail address, date of birth or customer id. Addresses and
//! custom fields are there only while the transaction can be paid; what was bought and the payer's name are on
//! the receipt too. Of `extra` it shows what has a label; other keys are the merchant's own, and so is
//! `vendor_name`.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::scene::{PageScene, clean};
use crate::answer::bought::Bought;
pub use crate::answer::bought::Items;
use crate::settings::custom_field::{CustomField, FieldKind};
use crate::transaction::address::{Address, ShippingAddress};
use crate::wire::field::{is_blank, read_flag};
use crate::wire::json;
use crate::wire::members::Members;
use crate::words::Language;

/// What the page shows of the order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrderDetails {
    /// The payer's name.
    pub payer: Option<String>,
    /// The billing address.
    pub billing: Option<PageAddress>,
    /// The shipping address.
    pub shipping: Option<PageAddress>,
    /// What is paid for, in a line.
    pub description: Option<String>,
    /// What the order has.
    pub items: Option<Items>,
    /// The custom fields that have a value, in the order of the settings.
    pub fields: Vec<PageField>,
}

/// An address, as it is written on a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageAddress {
    /// Line by line: who receives there, the street, then city, state and postal code.
    pub lines: Vec<String>,
    /// The code of the country.
    pub country: String,
}

/// A custom field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageField {
    /// Its label.
    pub label: String,
    /// Its value.
    pub value: FieldValue,
}

/// The value of a custom field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// Words, with a separate text direction.
    Words(String),
    /// A number or a date, which reads from left to right.
    Digits(String),
    /// Yes or no.
    Flag(bool),
}

impl OrderDetails {
    /// The details of a scene.
    pub(super) fn of(scene: &PageScene<'_>, language: Language) -> Self {
        let details = &scene.transaction.details;
        let plugin = scene.situation.settings.plugin(scene.transaction.plugin);
        let declared = plugin.map(|plugin| plugin.custom_fields.as_slice()).unwrap_or_default();
        let extra = details.extra.as_deref().and_then(Members::of).unwrap_or_default();
        Self {
            billing: details.billing_address.as_deref().map(billing),
            shipping: details.shipping_address.as_deref().map(shipping),
            fields: fields(&extra, declared, language),
            ..Self::of_receipt(scene, language)
        }
    }

    /// Those that a receipt has, too.
    pub(super) fn of_receipt(scene: &PageScene<'_>, language: Language) -> Self {
        let Bought { payer, description, items } =
            Bought::of(scene.transaction, &scene.situation.settings, language);
        Self { payer, description, items, ..Self::default() }
    }

    /// Whether there is nothing to show in addition to what was bought.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { payer, billing, shipping, description: _, items: _, fields } = self;
        payer.is_none() && billing.is_none() && shipping.is_none() && fields.is_empty()
    }
}

/// The separator between the parts of the city's line depends on its script.
fn lines(name: Option<&String>, street: [Option<&String>; 2], city: [Option<&String>; 3]) -> Vec<String> {
    let city: Vec<&str> = city.into_iter().flatten().map(String::as_str).collect();
    let is_arabic = |character: char| matches!(character, '\u{600}'..='\u{6ff}');
    let comma = if city.first().is_some_and(|city| city.contains(is_arabic)) { "، " } else { ", " };
    let city = city.join(comma);
    name.into_iter().chain(street.into_iter().flatten()).chain([&city]).map(|line| clean(line)).collect()
}

fn billing(address: &Address) -> PageAddress {
    PageAddress {
        lines: lines(
            None,
            [Some(&address.line1), address.line2.as_ref()],
            [Some(&address.city), address.state.as_ref(), address.postal_code.as_ref()],
        ),
        country: address.country.clone(),
    }
}

fn shipping(address: &ShippingAddress) -> PageAddress {
    let name = [address.first_name.as_str(), &address.last_name].join(" ");
    PageAddress {
        lines: lines(
            Some(&name),
            [Some(&address.line1), address.line2.as_ref()],
            [Some(&address.city), address.state.as_ref(), address.postal_code.as_ref()],
        ),
        country: address.country.clone(),
    }
}

/// The declared keys of `extra`. A value that does not fit the present declaration is left out.
fn fields(members: &Members<'_>, declared: &[CustomField], language: Language) -> Vec<PageField> {
    let value_of = |field: &CustomField| {
        let raw = members.get(&field.key).filter(|raw| !is_blank(raw))?;
        let text = || json::text_of(raw);
        Some(match field.kind {
            FieldKind::Text { .. } => FieldValue::Words(clean(&text()?)),
            FieldKind::Email => FieldValue::Words(masked(&clean(&text()?))?),
            FieldKind::Date => FieldValue::Digits(clean(&text()?)),
            FieldKind::Number => FieldValue::Digits(clean(&text().or_else(|| number(raw).map(Cow::Owned))?)),
            FieldKind::Boolean => FieldValue::Flag(read_flag(raw)?),
            FieldKind::Description | FieldKind::Items => return None,
        })
    };
    let labelled = |field: &CustomField| {
        Some(PageField { label: clean(field.label.text(language)), value: value_of(field)? })
    };
    declared.iter().filter_map(labelled).collect()
}

fn number(raw: &RawValue) -> Option<String> {
    let is_number = raw.get().starts_with(|first: char| first == '-' || first.is_ascii_digit());
    is_number.then(|| raw.get().to_string())
}

/// An e-mail address in a form that its owner recognises and nobody else can write to: `n…@example.com`.
fn masked(address: &str) -> Option<String> {
    let (local, domain) = address.split_once('@')?;
    let first: String = local.chars().take(1).collect();
    Some(alloc::format!("{first}…@{domain}"))
}
