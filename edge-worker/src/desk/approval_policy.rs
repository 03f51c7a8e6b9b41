//! The policy of approvals: what it means, the form that changes it, and what the change would mean before it is saved.

use checkout_core::desk::approval_policy::{
    A_DAY, ABOVE, APPROVERS, HOURS, HOURS_RANGE, KEYS, OPERATIONS, Sentence, VERSION, currencies, field,
    filled, meaning,
};
use checkout_core::desk::form::{DeskForm, TOKEN};
use checkout_core::desk::frame::missing;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::operator::approval_policy::{change_approval_policy, check_approval_policy};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::settings::MerchantSettings;
use checkout_core::settings::approvals::ApprovalPolicy;
use checkout_core::value::money::Currency;
use checkout_core::violation::Violation;
use checkout_core::words::ChildOperation;
use maud::{Markup, html};

use super::call::{DeskCall, go_to};
use super::factor::FIELD;
use super::new_payment::Filled;
use super::parts::faults;
use crate::http::Reply;

/// The button that leads back to the form.
const EDIT: &str = "edit";
/// Where the paths of a policy begin.
const PATH: &str = "approvals.";

fn settings<'a>(call: &'a DeskCall<'_>) -> &'a MerchantSettings {
    &call.caller().situation.settings
}

/// The screen.
pub(super) fn show(call: &DeskCall<'_>) -> Reply {
    let saved = call.query().get("saved").and_then(|text| text.parse::<u32>().ok());
    let text = saved.map(|version| call.words().webhooks.saved.replace("{version}", &version.to_string()));
    let notice = html! { @if let Some(text) = text { p .notice.good role="status" { (text) } } };
    screen(call, 200, &notice, (&filled(settings(call)), &[]))
}

fn screen(call: &DeskCall<'_>, status: u16, notice: &Markup, form: (&DeskForm, &[Violation])) -> Reply {
    let words = &call.words().approval_policy;
    let may_change = missing(call.caller(), &DeskRoute::ChangeApprovalPolicy).is_none();
    let body = html! {
        (heading(call))
        (notice)
        (rules(call, words.now, &settings(call).approvals, &html! {
            @if !may_change { p .quiet { (call.words().webhooks.owners_only) } }
        }))
        @if may_change {
            section .card {
                h2 { (words.change) }
                (call.form(&DeskRoute::CheckApprovalPolicy, &fields(call, form)))
            }
        }
    };
    call.screen_with(status, words.title, &body)
}

fn heading(call: &DeskCall<'_>) -> Markup {
    html! {
        p { a .link href=(DeskRoute::Approvals.path()) { (call.words().approval.title) } }
        h1 { (call.words().approval_policy.title) }
    }
}

/// What a policy means.
fn rules(call: &DeskCall<'_>, title: &str, policy: &ApprovalPolicy, more: &Markup) -> Markup {
    let sentences = meaning(policy, &currencies(settings(call)), call.visit.language);
    html! {
        section .card {
            h2 { (title) }
            ul { @for sentence in &sentences { li { (said(sentence)) } } }
            (more)
        }
    }
}

fn said(sentence: &Sentence) -> Markup {
    html! { @for part in sentence { @if part.is_value { bdi .digits { (part.text) } } @else { (part.text) } } }
}

/// The fields of the form, and what is wrong with them.
fn fields(call: &DeskCall<'_>, (form, found): (&DeskForm, &[Violation])) -> Markup {
    let (words, of_form) = (&call.words().approval_policy, Filled { form, found, words: call.words() });
    html! {
        input type="hidden" name=(VERSION) value=(settings(call).version);
        fieldset aria-describedby=[of_form.described(OPERATIONS)] {
            legend { (words.operations) }
            @for (operation, label) in [(ChildOperation::Refund, words.refunds), (ChildOperation::Void, words.voids)] {
                label .choice {
                    input type="checkbox" name=(OPERATIONS) value=(operation.as_str()) checked[of_form.has(OPERATIONS, operation.as_str())];
                    (label)
                }
            }
            (of_form.fault_text(OPERATIONS))
        }
        h3 { (words.amounts) }
        p .quiet id="above-means" { (words.above_means) }
        p .quiet id="day-means" { (words.day_means) }
        @for currency in currencies(settings(call)) { (amounts(call, &of_form, currency)) }
        (approvers(call, &of_form))
        label .choice {
            input type="checkbox" name=(KEYS) value="1" checked[form.get(KEYS).is_some()];
            (words.keys)
        }
        (hours(call, &of_form))
        div .actions { button .button { (words.check) } }
    }
}

/// The amounts of one currency.
fn amounts(call: &DeskCall<'_>, filled: &Filled<'_>, currency: Currency) -> Markup {
    let words = &call.words().approval_policy;
    let decimals = words.decimals.replace("{count}", &currency.minor_units().to_string());
    let hint = format!("decimals-{}", currency.code());
    html! {
        fieldset {
            legend { bdi dir="ltr" { (currency.code()) } }
            p .quiet id=(hint) { (decimals) }
            div .row {
                @for (name, label, means) in [(ABOVE, words.above_field, "above-means"), (A_DAY, words.day_field, "day-means")] {
                    @let name = field(name, currency);
                    (line(filled, &name, &html! { (label) " · " bdi dir="ltr" { (currency.code()) } }, &format!("{hint} {means}")))
                }
            }
        }
    }
}

/// A field of a number with its label and its fault.
fn line(filled: &Filled<'_>, name: &str, label: &Markup, hints: &str) -> Markup {
    let fault = filled.described(name);
    let described = fault.as_ref().map_or_else(|| hints.into(), |fault| format!("{fault} {hints}"));
    html! {
        div .field {
            label for=(name) { (label) }
            input id=(name) name=(name) inputmode="decimal" dir="ltr" maxlength="32" autocomplete="off"
                value=[filled.form.get(name)] aria-invalid=[fault.map(|_| "true")] aria-describedby=(described);
            (filled.fault_text(name))
        }
    }
}

fn approvers(call: &DeskCall<'_>, filled: &Filled<'_>) -> Markup {
    let words = &call.words().approval_policy;
    html! {
        fieldset aria-describedby=[filled.described(APPROVERS)] {
            legend { (words.approvers) }
            @for (value, label) in [("1", words.one), ("2", words.two)] {
                label .choice {
                    input type="radio" name=(APPROVERS) value=(value) checked[filled.has(APPROVERS, value)];
                    (label)
                }
            }
            (filled.fault_text(APPROVERS))
        }
    }
}

fn hours(call: &DeskCall<'_>, filled: &Filled<'_>) -> Markup {
    let words = &call.words().approval_policy;
    let (least, most) = HOURS_RANGE;
    let range = words.hours_mean.replace("{least}", &least.to_string()).replace("{most}", &most.to_string());
    html! {
        (line(filled, HOURS, &html! { (words.hours) }, "hours-mean"))
        p .quiet id="hours-mean" { (range) }
    }
}

/// Shows what the policy of a form would mean, or the form again with what is wrong with it.
pub(super) fn check(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    match check_approval_policy(call.caller(), &call.form) {
        Ok(_) if call.form.get(EDIT).is_some() => Ok(screen(call, 200, &html! {}, (&call.form, &[]))),
        Ok(policy) => Ok(confirm(call, &policy)),
        Err(failure) => again(call, failure),
    }
}

/// What is saved is what this page says: its form has no field to type in.
fn confirm(call: &DeskCall<'_>, policy: &ApprovalPolicy) -> Reply {
    let words = &call.words().approval_policy;
    let given = call.form.fields().filter(|(name, _)| ![TOKEN, FIELD, EDIT].contains(name));
    let form = call.form(&DeskRoute::ChangeApprovalPolicy, &html! {
        @for (name, value) in given { input type="hidden" name=(name) value=(value); }
        div .actions {
            button .button { (words.save) }
            button .button.second formaction=(DeskRoute::CheckApprovalPolicy.path()) name=(EDIT) value="1" { (words.back) }
        }
    });
    let body = html! {
        (heading(call))
        div .cards {
            (rules(call, words.now, &settings(call).approvals, &html! {}))
            (rules(call, words.after, policy, &form))
        }
    };
    call.screen(words.title, &body)
}

/// Saves the policy of a form.
pub(super) async fn change(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    match change_approval_policy(call.edge.as_ref(), call.caller(), &call.form).await {
        Ok(version) => Ok(go_to(format!("{}?saved={version}", DeskRoute::ApprovalPolicy.path()))),
        Err(failure) => again(call, failure),
    }
}

/// Shows the form again with what was filled in, and why nothing was saved.
fn again(call: &DeskCall<'_>, failure: Failure) -> Result<Reply, Failure> {
    let words = &call.words().approval_policy;
    if let Some(found) = faults(&failure) {
        let found: Vec<_> = found.into_iter().map(of_field).collect();
        let notice = html! { p .notice.bad role="alert" { (words.faults) } };
        return Ok(screen(call, 400, &notice, (&call.form, &found)));
    }
    let Failure::Refused(RefusedRequest { rejection: Rejection::Conflict, .. }) = failure else {
        return Err(failure);
    };
    let notice = html! { p .notice.warn role="alert" { (words.stale) } };
    Ok(screen(call, 409, &notice, (&call.form, &[])))
}

/// A violation under the name of its field.
fn of_field(violation: Violation) -> Violation {
    match violation.path.strip_prefix(PATH) {
        Some(name) => Violation::new(String::from(name), violation.rule),
        None => violation,
    }
}
