//! What a person may do with a payment, on its page: where to go, and the forms.

use checkout_core::desk::frame::missing;
use checkout_core::desk::new_payment::again;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::desk::PaymentShown;
use checkout_core::operation::command::Command;
use checkout_core::port::World;
use checkout_core::strings::desk::PaymentWords;
use checkout_core::value::id::SessionId;
use maud::{Markup, html};

use super::call::DeskCall;
use super::list_link::{list_field, list_of, with_list};
use super::operation_form::{VERSION, form};

/// Whether the person may go there.
fn may(call: &DeskCall<'_>, route: &DeskRoute) -> bool {
    missing(call.caller(), route).is_none()
}

/// Where the person may go from here.
fn links(call: &DeskCall<'_>, shown: &PaymentShown, words: &PaymentWords) -> Markup {
    let id = || shown.transaction.session_id.clone();
    html! {
        p .actions {
            a .link href=(with_list(call, &DeskRoute::PaymentLink(id()))) { (words.link) }
            @if shown.is_editable { a .link href=(with_list(call, &DeskRoute::EditPayment(id()))) { (words.edit) } }
            @if shown.is_repeatable && may(call, &DeskRoute::NewPayment) {
                a .link href={ (DeskRoute::NewPayment.path()) "?" (again(&shown.transaction)) } { (words.again) }
            }
            @if may(call, &DeskRoute::Deliveries) {
                a .link href={ (DeskRoute::Deliveries.path()) "?session_id=" (shown.transaction.session_id) } {
                    (call.words().navigation.deliveries)
                }
            }
            a .link href=(list_of(call)) { (words.payments) }
        }
    }
}

/// What the person may do. A form carries the version that it showed, which is the key of what it does: sent twice, or by two
/// tabs, it does it once, and a payment that has changed since is shown again.
pub(super) fn actions(call: &DeskCall<'_>, shown: &PaymentShown, words: &PaymentWords) -> Markup {
    let id = || shown.transaction.session_id.clone();
    let version = html! { input type="hidden" name=(VERSION) value=(shown.transaction.version); };
    let address = call.form.get("address");
    html! {
        section .card {
            (links(call, shown, words))
            @for command in &shown.endings {
                (call.form(&DeskRoute::Operate(id()), &html! {
                    (version)
                    (list_field(call))
                    input type="hidden" name="operation" value=(command.as_str());
                    button .button.risky { (if *command == Command::Expire { words.expire } else { words.cancel }) }
                }))
            }
            @if !shown.attempts.is_empty() && may(call, &DeskRoute::InquirePayment(id())) {
                (call.form(&DeskRoute::InquirePayment(id()), &html! { (list_field(call)) button .button.second { (words.inquire) } }))
            }
            @if may(call, &DeskRoute::NotifyPayment(id())) {
                details open[address.is_some()] {
                    summary { (words.notify) }
                    (call.form(&DeskRoute::NotifyPayment(id()), &html! {
                        (list_field(call))
                        @if call.caller().sees_personal_data() {
                            div .field {
                                label for="address" { (words.address) }
                                input id="address" name="address" type="url" dir="ltr" maxlength="2048" autocomplete="off" value=[address];
                            }
                        }
                        div .actions { button .button.second { (words.notify) } }
                    }))
                }
            }
            details {
                summary { (words.curl) }
                pre dir="ltr" data-copy { (curl(call, &shown.transaction.session_id)) }
            }
            @for (operation, left) in &shown.offered { (form(call, shown, *operation, *left)) }
        }
    }
}

/// The command that reads the payment over the API.
fn curl(call: &DeskCall<'_>, session_id: &SessionId) -> String {
    let public_url = &call.edge.installation().public_url;
    format!("curl -sS '{public_url}/b/checkout/v1/pymt-txn/{session_id}/' -H \"Authorization: Api-Key $KEY\"")
}
