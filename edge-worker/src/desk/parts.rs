//! Parts that screens share.

use checkout_core::access::permission::Permission;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::local;
use checkout_core::record::facts::Facts;
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::strings::Strings;
use checkout_core::strings::desk::DeskWords;
use checkout_core::strings::facts::{FactPart, parts};
use checkout_core::value::id::PgCode;
use checkout_core::value::time::Timestamp;
use checkout_core::violation::Violation;
use maud::{Markup, html};

use super::call::DeskCall;

/// What is wrong with each field of a form; `None` if something else is wrong.
pub(super) fn faults(failure: &Failure) -> Option<Vec<Violation>> {
    let Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. }) = failure else {
        return None;
    };
    Some(found.clone())
}

/// The faults of a form, above it.
pub(super) fn fault_list(call: &DeskCall<'_>, title: &str, faults: &[Violation]) -> Markup {
    html! {
        @if !faults.is_empty() {
            div .notice.bad role="alert" {
                p { (title) }
                ul { @for violation in faults { li { (fault(call.words(), violation)) } } }
            }
        }
    }
}

/// The name of a field, as the API writes it, and what is wrong with it.
pub(super) fn fault(words: &DeskWords, violation: &Violation) -> Markup {
    html! { bdi dir="ltr" { (violation.path) } " " (words.fault(&violation.rule)) }
}

/// Says to those who do not see what identifies a payer that some of it is hidden, and what they lack.
pub(super) fn hidden(call: &DeskCall<'_>) -> Markup {
    html! {
        @if !call.caller().sees_personal_data() {
            p .quiet { (call.words().frame.hidden) " " bdi lang="en" { (Permission::SeePersonalData.name()) } }
        }
    }
}

/// Says for how long to wait after too many tries.
pub(super) fn too_many(words: &DeskWords, retry_after: u64) -> String {
    words.sign_in.too_many.replace("{minutes}", &retry_after.div_ceil(60).max(1).to_string())
}

/// A moment, as clocks show it where the reader is.
pub(super) fn moment(call: &DeskCall<'_>, at: impl Into<Timestamp>) -> Markup {
    let at = at.into();
    let caller = call.caller();
    let local = local(call.edge.as_ref(), &caller.situation.settings, caller.user(), at);
    html! { time datetime=(at) { (Strings::of(call.visit.language).moment(local)) } }
}

/// What is known about something, with its moments as clocks show them where the reader is.
pub(super) fn said(call: &DeskCall<'_>, facts: &Facts) -> Markup {
    html! {
        @for part in parts(call.visit.language, facts) {
            @match part {
                FactPart::Text(text) => (text),
                FactPart::Moment(at) => bdi { (moment(call, at)) },
            }
        }
    }
}

/// The filters that are on, as the API names them, and the way to the list without them.
pub(super) fn active<'a>(
    call: &DeskCall<'_>,
    on: impl Iterator<Item = (&'a str, &'a str)>,
    list: &DeskRoute,
) -> Markup {
    let words = &call.words().payment;
    let on: Vec<(&str, &str)> = on.collect();
    html! {
        @if !on.is_empty() {
            p {
                (words.filters) ": "
                @for (name, value) in on { bdi .chip { (name) ": " (value) } " " }
                a .link href=(list.path()) { (words.all) }
            }
        }
    }
}

/// A line of a list of facts.
pub(super) fn fact(label: &str, value: &Markup) -> Markup {
    html! { div { dt { (label) } dd { (value) } } }
}

/// One of the options of a choice.
pub(super) fn option(value: &str, label: &str, chosen: Option<&str>) -> Markup {
    html! { option value=(value) selected[chosen == Some(value)] { (label) } }
}

/// A gateway, as the merchant calls it.
pub(super) fn method<'a>(call: &'a DeskCall<'_>, code: &'a PgCode) -> &'a str {
    let profile = call.caller().situation.settings.gateway(code);
    profile.map_or(code.as_str(), |profile| profile.name.text(call.visit.language))
}
