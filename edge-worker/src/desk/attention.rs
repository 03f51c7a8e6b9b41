//! What a person should look at: each entry with what to do, and the form that resolves it.

use checkout_core::desk::form::DeskForm;
use checkout_core::desk::frame::missing;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{AttentionList, EntryResolved, MOST, WaitingShown, attention, resolve_entry};
use checkout_core::record::attention::{AttentionId, AttentionState, ListedAttention, Reason, Topic};
use checkout_core::strings::attention::{advice, title};
use checkout_core::value::id::SessionId;
use form_urlencoded::Serializer;
use maud::{Markup, html};

use super::call::{DeskCall, go_to};
use super::parts::{fact, fault_list, faults, hidden, moment, said};
use crate::http::Reply;

/// The list, as its address filters it.
pub(super) async fn list(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().attention;
    let query = call.query();
    let news =
        [("done", "good", words.done), ("over", "warn", words.over), ("waiting", "warn", words.waiting)];
    let news = news.into_iter().find(|(name, ..)| query.get("news") == Some(name));
    let notice = html! {
        @if let Some((_, look, text)) = news { p class={ "notice " (look) } role="status" { (text) } }
    };
    draw(call, 200, &notice).await
}

async fn draw(call: &DeskCall<'_>, status: u16, notice: &Markup) -> Result<Reply, Failure> {
    let words = &call.words().attention;
    let query = call.query();
    let found = attention(call.edge.as_ref(), call.caller(), &filters(&query, query.filled("cursor"))).await;
    let (status, list, wrong) = match found {
        Ok(list) => (status, Some(list), Vec::new()),
        Err(failure) => (400, None, faults(&failure).ok_or(failure)?),
    };
    let body = html! {
        h1 { (words.title) }
        (notice)
        (fault_list(call, call.words().webhooks.faults, &wrong))
        p .quiet { (words.means) }
        (states(call, list.as_ref().map(|list| list.state)))
        (hidden(call))
        @if let Some(list) = &list { (entries(call, list, &query)) }
    };
    Ok(call.screen_with(status, words.title, &body))
}

/// The query of the list: what is empty is no filter.
fn filters(query: &DeskForm, cursor: Option<&str>) -> String {
    let state = query.filled("state").map(|state| ("state", state));
    let cursor = cursor.map(|cursor| ("cursor", cursor));
    Serializer::new(String::new()).extend_pairs(state).extend_pairs(cursor).finish()
}

fn states(call: &DeskCall<'_>, shown: Option<AttentionState>) -> Markup {
    let words = &call.words().attention;
    html! {
        p .actions {
            @for (state, label) in [(AttentionState::Open, words.open), (AttentionState::Resolved, words.resolved)] {
                a .link href={ (DeskRoute::Attention.path()) "?state=" (state.as_str()) }
                    aria-current=[(shown == Some(state)).then_some("true")] { (label) }
            }
        }
    }
}

fn entries(call: &DeskCall<'_>, list: &AttentionList, query: &DeskForm) -> Markup {
    let words = &call.words().attention;
    html! {
        @if list.rows.is_empty() { p .card { (words.none) } }
        div .cards { @for row in &list.rows { (entry(call, row)) } }
        @if let Some(next) = &list.next {
            p { a .link rel="next" href={ (DeskRoute::Attention.path()) "?" (filters(query, Some(next))) } { (words.older) } }
        }
    }
}

fn entry(call: &DeskCall<'_>, row: &ListedAttention) -> Markup {
    let (words, language) = (&call.words().attention, call.visit.language);
    let ListedAttention { entry, resolved } = row;
    html! {
        section .card {
            h2 { (title(language, entry.reason)) }
            dl .lines {
                (fact(words.since, &html! { (moment(call, entry.at)) }))
                @if let Some(session_id) = &entry.session_id {
                    (fact(words.payment, &html! {
                        a href=(DeskRoute::Payment(session_id.clone()).path()) { bdi dir="ltr" { code { (short(session_id)) } } }
                    }))
                }
                (fact(words.reference, &html! { code dir="ltr" { (entry.reference.as_str()) } }))
                @if let Some(until) = entry.detail.capture_before() {
                    (fact(words.capture_before, &html! { (moment(call, until)) }))
                } @else if !entry.detail.is_empty() { (fact(words.detail, &html! { bdi { (said(call, &entry.detail)) } })) }
                @if let Some(resolved) = resolved {
                    (fact(words.resolved_at, &html! { (moment(call, resolved.at)) }))
                    @if let Some(note) = &resolved.note { (fact(words.note, &html! { bdi { (note) } })) }
                }
            }
            @if resolved.is_none() {
                p { strong { (words.to_do) ": " } (advice(language, entry.reason)) }
                (forms(call, &entry.id(), entry.session_id.as_ref()))
            }
        }
    }
}

/// The end of a long id, which is enough to see which one it is.
fn short(session_id: &SessionId) -> String {
    let id = session_id.as_str();
    format!("…{}", id.get(id.len().saturating_sub(8)..).unwrap_or(id))
}

fn forms(call: &DeskCall<'_>, id: &AttentionId, session_id: Option<&SessionId>) -> Markup {
    let words = &call.words().attention;
    let may = |route: &DeskRoute| missing(call.caller(), route).is_none();
    let is_known = matches!(id.reason, Reason::CaptureDue | Reason::AgreementPaused);
    let inquire = session_id
        .filter(|_| id.reason.topic() == Topic::Payment && !is_known)
        .map(|id| DeskRoute::InquirePayment(id.clone()));
    let resolve = DeskRoute::ResolveAttention(id.clone());
    let elsewhere = if id.reason == Reason::ReceiverDisabled {
        Some((DeskRoute::Webhooks, call.words().navigation.webhooks))
    } else {
        let is_of_webhooks = id.reason.topic() == Topic::Webhook;
        is_of_webhooks.then_some((DeskRoute::Deliveries, call.words().navigation.deliveries))
    };
    html! {
        @if let Some((route, label)) = elsewhere.filter(|(route, _)| may(route)) {
            p { a .link href=(route.path()) { (label) } }
        }
        @if let Some(inquire) = inquire.filter(may) {
            (call.form(&inquire, &html! { button .button.second { (call.words().payment.inquire) } }))
        }
        @if may(&resolve) {
            @let name = format!("note-{id}");
            details {
                summary { (words.resolve) }
                (call.form(&resolve, &html! {
                    div .field {
                        label for=(name) { (words.note) }
                        textarea id=(name) name="note" rows="2" maxlength="500" required dir="auto" {}
                    }
                    div .actions { button .button { (words.resolve) " " span .unseen { bdi dir="ltr" { (id.reference.as_str()) } } } }
                }))
            }
        }
    }
}

/// Resolves an entry.
pub(super) async fn resolve(call: &DeskCall<'_>, id: &AttentionId) -> Result<Reply, Failure> {
    let news = |word: &str| go_to(format!("{}?news={word}", DeskRoute::Attention.path()));
    match resolve_entry(call.edge.as_ref(), call.caller(), id, &call.form).await? {
        EntryResolved::Done => Ok(news("done")),
        EntryResolved::Over => Ok(news("over")),
        EntryResolved::Waiting => Ok(news("waiting")),
        EntryResolved::NoteMissing => {
            let notice = html! { p .notice.bad role="alert" { (call.words().attention.note_missing) } };
            draw(call, 400, &notice).await
        }
    }
}

/// How much waits, on the first screen: each count leads to its list.
pub(super) fn waits(call: &DeskCall<'_>, waiting: &WaitingShown) -> Markup {
    let words = &call.words().attention;
    let matters = [
        (words.title, DeskRoute::Attention.path(), waiting.attention),
        (call.words().navigation.approvals, DeskRoute::Approvals.path(), waiting.approvals),
        (words.receivers, DeskRoute::Webhooks.path(), waiting.receivers),
    ];
    let open: Vec<_> = matters
        .into_iter()
        .filter_map(|(label, path, count)| Some((label, path, count.filter(|count| *count > 0)?)))
        .collect();
    html! {
        @if !open.is_empty() {
            section .notice.warn aria-label=(words.waits) {
                p { strong { (words.waits) } }
                ul { @for (label, path, count) in open {
                    li { a href=(path) { (label) } ": " bdi .digits { (counted(words.more_than, count)) } }
                } }
            }
        }
    }
}

fn counted(more_than: &str, count: u32) -> String {
    if count > MOST { more_than.replace("{count}", &MOST.to_string()) } else { count.to_string() }
}
