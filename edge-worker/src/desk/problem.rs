//! Why there is no screen: what it means, and what to do.

use checkout_core::access::granting::MissingPermissions;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::strings::HeadedText;
use checkout_core::strings::desk::DeskWords;
use maud::{Markup, html};

use super::call::DeskCall;
use super::layout;
use super::parts::fault;
use crate::http::{Incoming, Reply};
use crate::logging;

/// Nothing is found at the address, or it takes no such request.
pub(super) fn not_found(words: &DeskWords, status: u16) -> Reply {
    plain(status, words, words.problem.not_found, &html! {})
}

/// A form was not sent by the page that has it.
pub(super) fn foreign_form(words: &DeskWords) -> Reply {
    plain(403, words, words.problem.foreign_form, &html! {})
}

/// Someone may not go there; what they lack is named.
pub(super) fn not_permitted(call: &DeskCall<'_>, missing: &MissingPermissions) -> Reply {
    let words = &call.words().problem;
    let more = html! {
        @if missing.names.is_empty() {
            p { (words.needs_everything) }
        } @else {
            p { (if missing.is_any { words.needs_any } else { words.needs_all }) }
            ul { @for name in &missing.names { li { bdi lang="en" { (name) } } } }
        }
    };
    of_text(call, 403, words.not_permitted, &more)
}

/// Why a flow gave no answer, to someone who is signed in.
pub(super) fn of_visit(call: &DeskCall<'_>, failure: &Failure) -> Reply {
    let (status, text, more) = explained(call.words(), failure);
    of_text(call, status, text, &more)
}

/// Why nothing could be answered, to anyone.
pub(super) fn failed(incoming: &Incoming, words: &DeskWords, failure: &Failure) -> Reply {
    logging::failure(&incoming.request_id, failure);
    let (status, text, more) = explained(words, failure);
    plain(status, words, text, &more)
}

fn explained(words: &DeskWords, failure: &Failure) -> (u16, HeadedText, Markup) {
    let (all, words) = (words, &words.problem);
    let Failure::Refused(RefusedRequest { rejection, .. }) = failure else {
        return (503, words.unavailable, html! {});
    };
    let own = [
        (Rejection::NotFound, words.not_found),
        (Rejection::PermissionMissing, words.not_permitted),
        (Rejection::KeyRequired, words.not_permitted),
        (Rejection::Unavailable, words.unavailable),
    ];
    if let Some((_, text)) = own.into_iter().find(|(known, _)| known == rejection) {
        return (rejection.status(), text, html! {});
    }
    let reason = html! {
        p { (all.refusal(rejection)) }
        @if let Rejection::Invalid(found) = rejection {
            ul { @for violation in found { li { (fault(all, violation)) } } }
        }
    };
    (rejection.status(), words.refused, reason)
}

fn of_text(call: &DeskCall<'_>, status: u16, text: HeadedText, more: &Markup) -> Reply {
    call.screen_with(status, text.title, &body(call.words(), text, more))
}

fn plain(status: u16, words: &DeskWords, text: HeadedText, more: &Markup) -> Reply {
    layout::plain(status, words, text.title, &body(words, text, more))
}

fn body(words: &DeskWords, text: HeadedText, more: &Markup) -> Markup {
    html! {
        h1 { (text.title) }
        section .card {
            p { (text.text) }
            (more)
            p { a href=(DeskRoute::Home.path()) { (words.problem.home) } }
        }
    }
}
