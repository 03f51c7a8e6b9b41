//! The form of a new payment: what it offers to a person, and the request that it makes.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use form_urlencoded::Serializer;
use serde::Serialize;

use super::form::DeskForm;
use crate::access::{Caller, Particular};
use crate::settings::PluginSettings;
use crate::settings::custom_field::{CustomField, FieldKind};
use crate::transaction::Transaction;
use crate::value::choice::typed_amount;
use crate::value::id::PgCode;
use crate::value::json::{self, Unwritten};
use crate::value::money::Currency;
use crate::words::message::Channel;
use crate::words::{Language, Plugin};

/// For how long a link can be paid, as the request writes it.
pub const PERIODS: [&str; 5] = ["0 01:00:00", "1 00:00:00", "3 00:00:00", "7 00:00:00", "30 00:00:00"];
/// How the name of the field of a custom field begins, before its key.
pub(super) const EXTRA: &str = "extra.";

/// What the form offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentForm<'a> {
    /// The kind of the payment.
    pub plugin: Plugin,
    /// The kinds that the person may create.
    pub plugins: Vec<Plugin>,
    /// The currencies of the merchant.
    pub currencies: &'a [Currency],
    /// The methods that the person may use, with their names.
    pub methods: Vec<(PgCode, String)>,
    /// The merchant's own fields.
    pub custom_fields: Vec<&'a CustomField>,
    /// Whether the payer chooses the amount, unless the form says otherwise.
    pub is_amount_editable: bool,
}

impl<'a> PaymentForm<'a> {
    /// The form for a person; `None` if there is no kind of payment that the person may create.
    #[must_use]
    pub fn of(caller: &'a Caller, wanted: Option<Plugin>, language: Language) -> Option<Self> {
        let settings = &caller.situation.settings;
        let may_create = |plugin: &PluginSettings| caller.may(Particular::Create(plugin.plugin, &[])).is_ok();
        let plugins: Vec<Plugin> =
            settings.plugins.iter().filter(|one| may_create(one)).map(|one| one.plugin).collect();
        let default = [Plugin::PaymentRequest, Plugin::ECommerce].into_iter();
        let plugin = wanted.into_iter().chain(default).find(|one| plugins.contains(one))?;
        let of_plugin = settings.plugin(plugin)?;
        let may_use = |code: &PgCode| caller.may(Particular::UseGateway(code)).is_ok();
        let methods = settings.gateways.iter().filter(|profile| may_use(&profile.code));
        Some(Self {
            plugin,
            plugins,
            currencies: &settings.currencies,
            methods: methods.map(|one| (one.code.clone(), one.name.text(language).into())).collect(),
            custom_fields: of_plugin
                .custom_fields
                .iter()
                .filter(|field| field.kind != FieldKind::Items)
                .collect(),
            is_amount_editable: of_plugin.is_amount_editable,
        })
    }

    /// The name of the field of a custom field.
    #[must_use]
    pub fn field_of(custom: &CustomField) -> String {
        [EXTRA, &custom.key].concat()
    }
}

/// The body of the request, as a client of the API would send it.
#[derive(Serialize)]
struct PaymentRequest<'a> {
    r#type: Option<&'a str>,
    amount: String,
    currency_code: Option<&'a str>,
    pg_codes: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_amount_editable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration_time: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    #[serde(flatten)]
    texts: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    notifications: BTreeMap<&'a str, Vec<&'static str>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    extra: BTreeMap<&'a str, &'a str>,
}

/// The texts that are passed on as they were typed.
const TEXTS: [&str; 6] = [
    "order_no",
    "customer_id",
    "customer_first_name",
    "customer_last_name",
    "customer_email",
    "customer_phone",
];

/// The request that a filled-in form makes.
///
/// # Errors
/// None: texts can always be written.
pub fn request(form: &DeskForm) -> Result<String, Unwritten> {
    let is_request = form.filled("type") == Some(Plugin::PaymentRequest.as_str());
    let extra = form.fields().filter(|(_, value)| !value.trim().is_empty());
    let events = |channel: &str| {
        let of_all = ["created"].into_iter();
        let of_email = (channel == Channel::Email.as_str()).then_some("paid");
        of_all.chain(of_email).collect::<Vec<_>>()
    };
    json::write(&PaymentRequest {
        r#type: form.filled("type"),
        amount: typed_amount(form.get("amount").unwrap_or_default()).trim().to_string(),
        currency_code: form.filled("currency_code"),
        pg_codes: form.all("pg_codes").collect(),
        is_amount_editable: is_request.then(|| form.get("is_amount_editable").is_some()),
        expiration_time: form.filled("expiration_time"),
        language: form.filled("language"),
        texts: TEXTS.into_iter().filter_map(|name| Some((name, form.filled(name)?))).collect(),
        notifications: form
            .all("notify")
            .filter(|_| is_request)
            .map(|channel| (channel, events(channel)))
            .collect(),
        extra: extra.filter_map(|(name, value)| Some((name.strip_prefix(EXTRA)?, value.trim()))).collect(),
    })
}

/// The address parameters that fill the form with what a payment was created with. Who pays is found by the customer's id: no
/// address has an e-mail address or a telephone number.
#[must_use]
pub fn again(transaction: &Transaction) -> String {
    let details = &transaction.details;
    let mut query = Serializer::new(String::new());
    query.append_pair("type", transaction.plugin.as_str());
    query.append_pair("amount", &transaction.amount.to_string());
    query.append_pair("currency_code", transaction.amount.currency().code());
    query.extend_pairs(transaction.pg_codes.iter().map(|code| ("pg_codes", code.as_str())));
    for (name, value) in [("order_no", &details.order_no), ("customer_id", &details.customer_id)] {
        query.extend_pairs(value.iter().map(|value| (name, value)));
    }
    query.finish()
}

/// The form filled with what a payment is, as a person sees it.
#[must_use]
pub(crate) fn filled_with(transaction: &Transaction) -> DeskForm {
    let details = transaction.details.clone();
    let texts = [
        ("customer_first_name", details.customer_first_name),
        ("customer_last_name", details.customer_last_name),
        ("customer_email", details.customer_email),
        ("customer_phone", details.customer_phone),
    ];
    let form = DeskForm::read(again(transaction).as_bytes());
    texts.into_iter().fold(form, |form, (name, value)| form.or_else(name, value))
}

/// The change of a payment that a filled-in form asks for: what is empty is removed, and what the form does not have stays.
///
/// # Errors
/// None: texts can always be written.
pub(crate) fn changes(form: &DeskForm) -> Result<String, Unwritten> {
    let text = |name: &'static str| form.get(name).map(|_| (name, form.filled(name).unwrap_or_default()));
    let amount = form.get("amount").map(typed_amount).map(|amount| amount.trim().to_string());
    json::write(&PaymentChange {
        amount,
        currency_code: form.filled("currency_code"),
        expiration_time: form.filled("expiration_time"),
        texts: TEXTS.into_iter().filter_map(text).collect(),
    })
}

/// The body of a change, as a client of the API would send it.
#[derive(Serialize)]
struct PaymentChange<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency_code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration_time: Option<&'a str>,
    #[serde(flatten)]
    texts: BTreeMap<&'a str, &'a str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filled_in_form_is_the_request_of_a_client() {
        let form = "type=payment_request&amount=%D9%A1%D9%A2%2C5&currency_code=KWD&pg_codes=knet&pg_codes=cash&is_amount_editable=1\
                    &order_no=+A-1+&customer_id=c-1&customer_email=sara%40example.com&customer_phone=&language=ar&notify=email&extra.table=7&extra.note=+";
        assert_eq!(
            request(&DeskForm::read(form.as_bytes())).unwrap(),
            r#"{"type":"payment_request","amount":"12,5","currency_code":"KWD","pg_codes":["knet","cash"],"is_amount_editable":true,"language":"ar","customer_email":"sara@example.com","customer_id":"c-1","order_no":"A-1","notifications":{"email":["created","paid"]},"extra":{"table":"7"}}"#
        );
        // An order of a shop is about no message, and its amount is not chosen.
        let form =
            DeskForm::read(b"type=e_commerce&amount=1.000&currency_code=KWD&notify=sms&is_amount_editable=1");
        assert_eq!(
            request(&form).unwrap(),
            r#"{"type":"e_commerce","amount":"1.000","currency_code":"KWD","pg_codes":[]}"#
        );
    }

    #[test]
    fn a_change_removes_what_is_empty_and_leaves_what_the_form_does_not_have() {
        let form = DeskForm::read(
            b"tag=x&amount=1%2C5&currency_code=KWD&order_no=&customer_first_name=Sara&expiration_time=",
        );
        assert_eq!(
            changes(&form).unwrap(),
            r#"{"amount":"1,5","currency_code":"KWD","customer_first_name":"Sara","order_no":""}"#
        );
    }
}
