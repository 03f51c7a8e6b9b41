//! Templates of a new payment, on its form.

use checkout_core::desk::form::{DeskForm, TOKEN};
use checkout_core::desk::new_payment::PaymentForm;
use checkout_core::desk::route::DeskRoute;
use checkout_core::desk::template::{MAX_NAME, PaymentTemplate, TEMPLATE, TemplateFault};
use maud::{Markup, html};

use super::call::DeskCall;
use crate::http::Reply;

/// Those that there are: each leads to the form that it fills.
pub(super) fn listed(
    call: &DeskCall<'_>,
    offered: &PaymentForm<'_>,
    (templates, form): (&[PaymentTemplate], &DeskForm),
) -> Markup {
    let words = &call.words().template;
    let named = form.filled(TEMPLATE);
    let delete = |template: &PaymentTemplate| {
        html! {
            input type="hidden" name="type" value=(offered.plugin.as_str());
            input type="hidden" name=(TEMPLATE) value=(template.name);
            button .link aria-label={ (words.delete) ": " (template.name) } { (words.delete) }
        }
    };
    html! {
        @if !templates.is_empty() {
            details .card open[named.is_some()] {
                summary { (words.title) }
                ul .templates {
                    @for template in templates {
                        li .actions {
                            a .link href={ (DeskRoute::NewPayment.path()) "?" (template.fields) }
                                aria-current=[(named == Some(template.name.as_str())).then_some("true")] { bdi { (template.name) } }
                            (call.form(&DeskRoute::DeleteTemplate, &delete(template)))
                        }
                    }
                }
            }
        }
    }
}

/// The button in the form of a payment that leads to [`naming`] with what is filled in.
pub(super) fn saving(call: &DeskCall<'_>) -> Markup {
    html! {
        button .button.second formaction=(DeskRoute::SaveTemplate.path()) formnovalidate { (call.words().template.save_as) }
    }
}

/// The page that asks for the name. Its form carries what is filled in, and creates no payment.
pub(super) fn naming(call: &DeskCall<'_>, fault: Option<TemplateFault>) -> Reply {
    let words = &call.words().template;
    let carried = call.form.fields().filter(|(name, _)| ![TOKEN, TEMPLATE].contains(name));
    let fields = html! {
        @for (name, value) in carried { input type="hidden" name=(name) value=(value); }
        div .field {
            label for=(TEMPLATE) { (words.name) }
            input id=(TEMPLATE) name=(TEMPLATE) dir="auto" maxlength=(MAX_NAME) autocomplete="off" value=[call.form.get(TEMPLATE)]
                aria-invalid=[fault.map(|_| "true")] aria-describedby=[fault.map(|_| "fault-template")];
            @if let Some(fault) = fault { p #fault-template .fault role="alert" { (fault.text(words)) } }
        }
        p .quiet { (words.means) }
        div .actions { button .button { (words.save) } }
    };
    let body = html! {
        div .narrow.card { h1 { (words.save_as) } (call.form(&DeskRoute::SaveTemplate, &fields)) }
    };
    call.screen_with(if fault.is_some() { 400 } else { 200 }, words.save_as, &body)
}
