//! Templates of a new payment: what staff fill in again and again, under a name.
//!
//! Decision: a template has nothing of who pays, because it outlives its payer: an erasure has nothing to find in it. Its name is
//! asked on a page of its own, because a browser presses the first button of a form when someone types Enter.

use alloc::string::String;

use form_urlencoded::Serializer;
use serde::Serialize;

use super::form::DeskForm;
use super::new_payment::EXTRA;
use crate::settings::custom_field::FieldKind;
use crate::settings::{MerchantSettings, PluginSettings};
use crate::strings::desk::TemplateWords;
use crate::value::id::MerchantId;
use crate::value::text::check_line;
use crate::words::Plugin;

/// The field of the name.
pub const TEMPLATE: &str = "template";
/// The most characters of a name.
pub const MAX_NAME: usize = 60;
/// The most bytes of the fields.
const MAX_FIELDS: usize = 4_096;
/// The most templates of a merchant and kind of payment.
pub const MOST: u32 = 50;
/// The fields that a template has, next to those of the merchant: nothing of who pays, and no order number, which is new each time.
const FIELDS: [&str; 8] = [
    "type",
    "amount",
    "currency_code",
    "expiration_time",
    "is_amount_editable",
    "pg_codes",
    "language",
    "notify",
];

/// What is filled in for one kind of payment, under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PaymentTemplate {
    /// Whose it is.
    #[serde(skip)]
    pub merchant: MerchantId,
    /// The kind of payment.
    pub plugin: Plugin,
    /// Its name, by which it is found among those of its merchant and kind.
    pub name: String,
    /// The fields, as the address of the form has them.
    pub fields: String,
}

/// Why a template cannot be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateFault {
    /// It has no name, or one that is too long or no line.
    Name,
    /// There are as many as there may be.
    TooMany,
    /// What was filled in is too long.
    TooLong,
}

impl TemplateFault {
    /// What is said of it.
    #[must_use]
    pub const fn text(self, words: &TemplateWords) -> &'static str {
        match self {
            Self::Name => words.no_name,
            Self::TooMany => words.too_many,
            Self::TooLong => words.too_long,
        }
    }
}

impl PaymentTemplate {
    /// The template that a filled-in form makes.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of(settings: &MerchantSettings, plugin: Plugin, form: &DeskForm) -> Result<Self, TemplateFault> {
        let name = form.filled(TEMPLATE).filter(|name| check_line(name, MAX_NAME).is_ok());
        let name = name.ok_or(TemplateFault::Name)?;
        let of_plugin = settings.plugin(plugin);
        let is_template = |(field, value): &(&str, &str)| {
            let custom = field.strip_prefix(EXTRA);
            let is_own = custom.is_some_and(|key| of_plugin.is_some_and(|plugin| is_saved(plugin, key)));
            !value.trim().is_empty() && (is_own || FIELDS.contains(field))
        };
        let fields = Serializer::new(String::new())
            .extend_pairs(form.fields().filter(is_template))
            .append_pair(TEMPLATE, name)
            .finish();
        if fields.len() > MAX_FIELDS {
            return Err(TemplateFault::TooLong);
        }
        Ok(Self { merchant: settings.merchant.clone(), plugin, name: name.into(), fields })
    }
}

/// Whether a template has a field of the merchant: none that is an e-mail address.
fn is_saved(plugin: &PluginSettings, key: &str) -> bool {
    plugin.custom_fields.iter().any(|field| field.key == key && field.kind != FieldKind::Email)
}
