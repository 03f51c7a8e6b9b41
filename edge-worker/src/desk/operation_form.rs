//! The form of a capture, refund or void, on the page of a payment.

use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::desk::PaymentShown;
use checkout_core::flow::merchant::basis::Allowance;
use checkout_core::strings::Strings;
use checkout_core::strings::desk::PaymentWords;
use checkout_core::value::money::Money;
use checkout_core::words::ChildOperation;
use checkout_core::words::operation_reason::OperationReason;
use maud::{Markup, html};

use super::call::DeskCall;
use super::list_link::list_field;
use super::parts::option;

/// The version of the payment that a form showed.
pub(super) const VERSION: &str = "version";

/// The form of an operation for which so much is left.
pub(super) fn form(
    call: &DeskCall<'_>,
    shown: &PaymentShown,
    operation: ChildOperation,
    left: Money,
) -> Markup {
    let (words, strings) = (&call.words().payment, Strings::of(call.visit.language));
    let (name, transaction) = (name_of(operation, words), &shown.transaction);
    // What was filled in stays if it was refused.
    let is_sent = call.form.get("operation") == Some(operation.as_str());
    let given = |field| call.form.filled(field).filter(|_| is_sent);
    html! {
        details open[is_sent] {
            summary { (name) }
            (call.form(&DeskRoute::Operate(transaction.session_id.clone()), &html! {
                input type="hidden" name=(VERSION) value=(transaction.version);
                input type="hidden" name="operation" value=(operation.as_str());
                (list_field(call))
                (amount(operation, left, given("amount"), (words, strings)))
                @if operation == ChildOperation::Refund { (today(shown.allowance.as_ref(), words, strings)) }
                div .row {
                    div .field {
                        label for={ "reason-" (operation.as_str()) } { (words.reason) }
                        select id={ "reason-" (operation.as_str()) } name="reason" {
                            option value="" {}
                            @for reason in OperationReason::ALL { (option(reason.as_str(), call.words().operation_reason(reason), given("reason"))) }
                        }
                    }
                    div .field {
                        label for={ "note-" (operation.as_str()) } { (words.note) }
                        input id={ "note-" (operation.as_str()) } name="note" dir="auto" maxlength="255" autocomplete="off" value=[given("note")];
                    }
                }
                div .actions { button .button.risky { (name) } }
            }))
        }
    }
}

pub(super) const fn name_of(operation: ChildOperation, words: &PaymentWords) -> &'static str {
    match operation {
        ChildOperation::Capture => words.capture,
        ChildOperation::Refund => words.refund,
        ChildOperation::Void => words.void,
    }
}

fn amount(
    operation: ChildOperation,
    left: Money,
    given: Option<&str>,
    (words, strings): (&PaymentWords, &Strings),
) -> Markup {
    let usual = left.to_string();
    let name = format!("amount-{}", operation.as_str());
    html! {
        input type="hidden" name="remaining" value=(left);
        @if operation == ChildOperation::Void {
            p { bdi .sum { (strings.price(left)) } }
        } @else {
            div .field {
                label for=(name) { (words.amount) }
                input id=(name) name="amount" inputmode="decimal" dir="ltr" autocomplete="off" value=(given.unwrap_or(&usual))
                    aria-describedby={ (name) "-left" };
                p .quiet id={ (name) "-left" } { (words.left.replace("{amount}", &strings.price(left))) }
            }
        }
    }
}

/// What the person may still refund today.
fn today(allowance: Option<&Allowance>, words: &PaymentWords, strings: &Strings) -> Markup {
    html! {
        @if let Some(Allowance { limit, left, may_ask, .. }) = allowance {
            p .quiet {
                (words.today.replace("{left}", &strings.price(*left)).replace("{limit}", &strings.price(*limit)))
                @if *may_ask { " " (words.above_today) }
            }
        }
    }
}
