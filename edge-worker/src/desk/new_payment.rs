//! The form of a new payment.

use checkout_core::desk::form::DeskForm;
use checkout_core::desk::new_payment::{PERIODS, PaymentForm, request};
use checkout_core::desk::route::DeskRoute;
use checkout_core::desk::template::TEMPLATE;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{self, filled_for};
use checkout_core::flow::merchant::create::{self, CreateInput};
use checkout_core::port::{Rng, World};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::settings::custom_field::{CustomField, FieldKind};
use checkout_core::strings::desk::{DeskWords, NewPaymentWords};
use checkout_core::value::money::Currency;
use checkout_core::violation::Violation;
use checkout_core::words::message::Channel;
use checkout_core::words::{Language, Plugin};
use form_urlencoded::Serializer;
use maud::{Markup, html};

use super::call::{DeskCall, go_to};
use super::parts::fault;
use super::templates;
use crate::http::Reply;

/// The field of the idempotency key: a form that is sent twice makes one payment.
const KEY: &str = "key";
/// The field of the customer.
const CUSTOMER: &str = "customer_id";

/// Shows the form.
pub(super) async fn form(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let mut random = [0; 16];
    call.edge.rng().fill(&mut random)?;
    let filled = filled_for(call.edge.as_ref(), call.caller(), call.query()).await?;
    let is_deleted = call.query().get("news") == Some("deleted");
    let news = is_deleted.then_some(call.words().template.deleted);
    let shown = FormShown { form: &filled, key: &hex::encode(random), found: &[], news };
    draw(call, 200, &shown).await
}

/// Asks for the name of a template, or saves what is filled in under it and shows the form as it was.
pub(super) async fn save_template(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    if call.form.get(TEMPLATE).is_none() {
        return Ok(templates::naming(call, None));
    }
    if let Err(fault) = desk::save_template(call.edge.as_ref(), call.caller(), &call.form).await? {
        return Ok(templates::naming(call, Some(fault)));
    }
    let key = call.form.filled(KEY).unwrap_or_default();
    let shown = FormShown { form: &call.form, key, found: &[], news: Some(call.words().template.saved) };
    draw(call, 200, &shown).await
}

/// Deletes a template, and shows an empty form.
pub(super) async fn delete_template(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    desk::delete_template(call.edge.as_ref(), call.caller(), &call.form).await?;
    let kind = call.form.get("type").unwrap_or_default();
    Ok(go_to(format!("{}?type={kind}&news=deleted", DeskRoute::NewPayment.path())))
}

/// Creates the payment, and goes on to its link.
pub(super) async fn create(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let body = request(&call.form)?;
    let key = call.form.filled(KEY).unwrap_or_default();
    let input = CreateInput {
        caller: call.caller().clone(),
        idempotency_key: Some(key),
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    match create::create(call.edge.as_ref(), input).await {
        Ok(created) => {
            Ok(go_to(created.named().map_or_else(
                || DeskRoute::Home.path(),
                |session_id| DeskRoute::PaymentLink(session_id).path(),
            )))
        }
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
            let shown = FormShown { form: &call.form, key, found: &found, news: None };
            draw(call, 400, &shown).await
        }
        Err(failure) => Err(failure),
    }
}

/// What the form shows again, and what is wrong with it.
pub(super) struct Filled<'a> {
    pub(super) form: &'a DeskForm,
    pub(super) found: &'a [Violation],
    pub(super) words: &'a DeskWords,
}

impl Filled<'_> {
    fn fault(&self, path: &str) -> Option<String> {
        let is_of = |violation: &&Violation| {
            violation.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.found.iter().find(is_of).map(|violation| self.words.fault(&violation.rule))
    }

    /// Where the fault of a field is written, if it has one.
    pub(super) fn described(&self, path: &str) -> Option<String> {
        self.fault(path).map(|_| format!("fault-{path}"))
    }

    /// The fault of a field.
    pub(super) fn fault_text(&self, path: &str) -> Markup {
        html! {
            @if let Some(fault) = self.fault(path) {
                p .fault id={ "fault-" (path) } { (fault) }
            }
        }
    }

    /// A line of text with its label.
    pub(super) fn line(&self, path: &str, label: &str, kind: &str) -> Markup {
        let described = self.described(path);
        html! {
            div .field {
                label for=(path) { (label) }
                input id=(path) name=(path) type=(kind) dir="auto" maxlength="200" autocomplete="off"
                    value=[self.form.get(path)] aria-invalid=[described.as_ref().map(|_| "true")]
                    aria-describedby=[described.as_ref()];
                (self.fault_text(path))
            }
        }
    }

    /// The currencies of the merchant, and the one that is filled in: it is refused in words if the merchant has it no more, and
    /// not changed to another.
    pub(super) fn currencies(&self, offered: &[Currency]) -> Markup {
        let given = self.form.filled("currency_code");
        let other = given.filter(|given| offered.iter().all(|currency| currency.code() != *given));
        html! {
            @for currency in offered {
                option selected[given == Some(currency.code())] { (currency.code()) }
            }
            @if let Some(code) = other { option selected { (code) } }
        }
    }

    pub(super) fn has(&self, name: &str, value: &str) -> bool {
        self.form.all(name).any(|given| given == value)
    }

    /// Whether what the form does not have was left out, by the person or by a template.
    fn is_sent(&self) -> bool {
        self.form.get(KEY).is_some() || self.form.get(TEMPLATE).is_some()
    }
}

/// Whether a form with these custom fields has the field of a violation.
fn is_shown(path: &str, custom: &[&CustomField]) -> bool {
    let lines = ["amount", "pg_codes", "order_no", "customer_"];
    lines.iter().any(|line| path.starts_with(line))
        || custom.iter().any(|field| {
            let rest = path.strip_prefix(PaymentForm::field_of(field).as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
}

/// What the screen shows.
struct FormShown<'a> {
    form: &'a DeskForm,
    key: &'a str,
    found: &'a [Violation],
    /// What was done with a template.
    news: Option<&'static str>,
}

async fn draw(call: &DeskCall<'_>, status: u16, shown: &FormShown<'_>) -> Result<Reply, Failure> {
    let FormShown { form, key, found, news } = *shown;
    let words = &call.words().new_payment;
    let wanted = form.get("type").and_then(Plugin::parse);
    let offered = PaymentForm::of(call.caller(), wanted, call.visit.language);
    let offered = offered.ok_or(Rejection::PermissionMissing)?;
    let known = desk::templates(call.edge.as_ref(), call.caller(), offered.plugin).await?;
    let filled = Filled { form, found, words: call.words() };
    let fields = html! {
        input type="hidden" name=(KEY) value=(key);
        input type="hidden" name="type" value=(offered.plugin.as_str());
        (price(&offered, &filled, words))
        (methods(&offered, &filled, words))
        (payer(&offered, &filled, call))
        @if !offered.custom_fields.is_empty() {
            fieldset .card {
                legend { (words.more) }
                @for custom in &offered.custom_fields { (of_merchant(custom, &filled, call.visit.language, words)) }
            }
        }
        div .actions {
            button .button { (words.create) }
            (templates::saving(call))
        }
    };
    let body = html! {
        h1 { (words.title) }
        @if let Some(news) = news { p .notice.good role="status" { (news) } }
        (kinds(&offered, form.filled(CUSTOMER), words))
        (templates::listed(call, &offered, (&known, form)))
        (faults(call.words(), found, &offered.custom_fields))
        (call.form(&DeskRoute::CreatePayment, &fields))
    };
    Ok(call.screen_with(status, words.title, &body))
}

/// That there are wrong fields, with those that the form does not have.
pub(super) fn faults(words: &DeskWords, found: &[Violation], custom: &[&CustomField]) -> Markup {
    html! {
        @if !found.is_empty() {
            div .notice.bad role="alert" {
                p { (words.new_payment.faults) }
                ul {
                    // The others are written at their fields.
                    @for violation in found.iter().filter(|violation| !is_shown(&violation.path, custom)) {
                        li { (fault(words, violation)) }
                    }
                }
            }
        }
    }
}

/// The kinds of payments, each an address.
fn kinds(offered: &PaymentForm<'_>, customer: Option<&str>, words: &NewPaymentWords) -> Markup {
    let customer = customer.map(|id| Serializer::new(String::from("&")).append_pair(CUSTOMER, id).finish());
    html! {
        @if offered.plugins.len() > 1 {
            nav .actions aria-label=(words.kind) {
                @for plugin in &offered.plugins {
                    @let is_here = *plugin == offered.plugin;
                    a .link href={ (DeskRoute::NewPayment.path()) "?type=" (plugin.as_str()) (customer.as_deref().unwrap_or_default()) }
                        aria-current=[is_here.then_some("page")] {
                        (match plugin { Plugin::PaymentRequest => words.request, Plugin::ECommerce => words.order })
                    }
                }
            }
        }
    }
}

fn price(offered: &PaymentForm<'_>, filled: &Filled<'_>, words: &NewPaymentWords) -> Markup {
    let is_editable = if filled.is_sent() {
        filled.form.get("is_amount_editable").is_some()
    } else {
        offered.is_amount_editable
    };
    html! {
        div .card {
            div .row {
                (filled.line("amount", words.amount, "text"))
                div .field {
                    label for="currency_code" { (words.currency) }
                    select id="currency_code" name="currency_code" {
                        (filled.currencies(offered.currencies))
                    }
                }
                div .field {
                    label for="expiration_time" { (words.expires) }
                    select id="expiration_time" name="expiration_time" {
                        option value="" { (words.usual) }
                        @for (period, name) in PERIODS.into_iter().zip(words.periods) {
                            option value=(period) selected[filled.has("expiration_time", period)] { (name) }
                        }
                    }
                }
            }
            @if offered.plugin == Plugin::PaymentRequest {
                label .choice {
                    input type="checkbox" name="is_amount_editable" value="1" checked[is_editable];
                    (words.is_editable)
                }
            }
            (filled.line("order_no", &optional(words.order_no, words), "text"))
        }
    }
}

fn methods(offered: &PaymentForm<'_>, filled: &Filled<'_>, words: &NewPaymentWords) -> Markup {
    let is_first = !filled.is_sent() && filled.form.get("pg_codes").is_none();
    html! {
        fieldset .card aria-describedby=[filled.described("pg_codes")] {
            legend { (words.methods) }
            @for (code, name) in &offered.methods {
                label .choice {
                    input type="checkbox" name="pg_codes" value=(code.as_str())
                        checked[filled.has("pg_codes", code.as_str()) || is_first];
                    bdi { (name) }
                }
            }
            (filled.fault_text("pg_codes"))
        }
    }
}

fn payer(offered: &PaymentForm<'_>, filled: &Filled<'_>, call: &DeskCall<'_>) -> Markup {
    let (words, own) = (&call.words().new_payment, call.visit.language);
    html! {
        fieldset .card {
            legend { (words.payer) }
            // Of a customer whose page led here.
            @if filled.form.filled(CUSTOMER).is_some() { (filled.line(CUSTOMER, call.words().customer.id, "text")) }
            div .row {
                (filled.line("customer_first_name", &optional(words.first_name, words), "text"))
                (filled.line("customer_last_name", &optional(words.last_name, words), "text"))
            }
            div .row {
                (filled.line("customer_email", &optional(words.email, words), "email"))
                (filled.line("customer_phone", &optional(words.phone, words), "tel"))
                div .field {
                    label for="language" { (words.language) }
                    select id="language" name="language" {
                        @for (language, name) in [(Language::Ar, "العربية"), (Language::En, "English")] {
                            @let is_chosen = if filled.is_sent() { filled.has("language", language.as_str()) } else { language == own };
                            option value=(language.as_str()) lang=(language.as_str()) selected[is_chosen] { (name) }
                        }
                    }
                }
            }
            @if offered.plugin == Plugin::PaymentRequest {
                div .actions role="group" aria-label=(words.notify) {
                    span { (words.notify) }
                    @for (channel, name) in CHANNELS.iter().zip([words.by_email, words.by_sms, words.by_whatsapp]) {
                        label .choice {
                            input type="checkbox" name="notify" value=(channel.as_str()) checked[filled.has("notify", channel.as_str())];
                            (name)
                        }
                    }
                }
            }
        }
    }
}

/// In the order of their names.
const CHANNELS: [Channel; 3] = [Channel::Email, Channel::Sms, Channel::Whatsapp];

/// A field that the merchant declared.
fn of_merchant(
    custom: &CustomField,
    filled: &Filled<'_>,
    language: Language,
    words: &NewPaymentWords,
) -> Markup {
    let name = PaymentForm::field_of(custom);
    let label = custom.label.text(language);
    let label = if custom.is_required { label.to_owned() } else { optional(label, words) };
    let options = match &custom.kind {
        FieldKind::Text { options, .. } => options.clone(),
        FieldKind::Boolean => vec!["true".into(), "false".into()],
        FieldKind::Number
        | FieldKind::Date
        | FieldKind::Email
        | FieldKind::Description
        | FieldKind::Items => Vec::new(),
    };
    if options.is_empty() {
        let kind = match custom.kind {
            FieldKind::Date => "date",
            FieldKind::Email => "email",
            FieldKind::Text { .. }
            | FieldKind::Number
            | FieldKind::Boolean
            | FieldKind::Description
            | FieldKind::Items => "text",
        };
        return filled.line(&name, &label, kind);
    }
    html! {
        div .field {
            label for=(name) { (label) }
            select id=(name) name=(name) aria-invalid=[filled.fault(&name).map(|_| "true")]
                aria-describedby=[filled.described(&name)] {
                option value="" {}
                @for option in &options { option selected[filled.has(&name, option)] { (option) } }
            }
            (filled.fault_text(&name))
        }
    }
}

pub(super) fn optional(label: &str, words: &NewPaymentWords) -> String {
    format!("{label} ({})", words.optional)
}
