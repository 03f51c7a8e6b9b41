//! What was bought and who pays, as the payer reads it: on the page, on the receipt and in e-mails.
//!
//! Decision: a link may be forwarded, and an e-mail too, so there is nothing here by which the payer is reached. All of it is
//! part of what an erasure takes away.

use alloc::string::String;
use alloc::vec::Vec;

use crate::settings::MerchantSettings;
use crate::settings::custom_field::{CustomField, FieldKind};
use crate::transaction::Transaction;
use crate::transaction::items::{self, Item};
use crate::value::money::Currency;
use crate::value::text::without_bidi_controls;
use crate::wire::field::is_blank;
use crate::wire::json;
use crate::wire::members::Members;
use crate::words::Language;

/// What was bought and who pays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bought {
    /// The payer's name.
    pub payer: Option<String>,
    /// What is paid for, in a line.
    pub description: Option<String>,
    /// What the order has.
    pub items: Option<Items>,
}

/// What the order has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Items {
    /// The label of the list.
    pub label: String,
    /// The items, in the order in which the merchant gave them.
    pub list: Vec<Item>,
}

impl Bought {
    /// What a transaction says of it.
    #[must_use]
    pub fn of(transaction: &Transaction, settings: &MerchantSettings, language: Language) -> Self {
        let details = &transaction.details;
        let plugin = settings.plugin(transaction.plugin);
        let declared = plugin.map(|plugin| plugin.custom_fields.as_slice()).unwrap_or_default();
        let extra = details.extra.as_deref().and_then(Members::of).unwrap_or_default();
        let names = [&details.customer_first_name, &details.customer_last_name];
        let names: Vec<&str> = names.into_iter().filter_map(|part| part.as_deref()).collect();
        Self {
            payer: (!names.is_empty()).then(|| clean(&names.join(" "))),
            description: description(&extra, declared),
            items: items(&extra, declared, transaction.amount.currency(), language),
        }
    }
}

fn clean(text: &str) -> String {
    without_bidi_controls(text).into_owned()
}

/// The first description that is declared and has a value.
fn description(members: &Members<'_>, declared: &[CustomField]) -> Option<String> {
    let mut of_kind = declared.iter().filter(|field| field.kind == FieldKind::Description);
    of_kind.find_map(|field| {
        let text = json::text_of(members.get(&field.key).filter(|raw| !is_blank(raw))?)?;
        Some(clean(&text))
    })
}

/// The first list of items that is declared and has any.
fn items(
    members: &Members<'_>,
    declared: &[CustomField],
    currency: Currency,
    language: Language,
) -> Option<Items> {
    let mut of_kind = declared.iter().filter(|field| field.kind == FieldKind::Items);
    of_kind.find_map(|field| {
        let read = items::read(members.get(&field.key)?, Some(currency)).ok()?;
        let list: Vec<Item> = read.into_iter().map(|item| Item { name: clean(&item.name), ..item }).collect();
        (!list.is_empty()).then(|| Items { label: clean(field.label.text(language)), list })
    })
}
