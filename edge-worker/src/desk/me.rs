//! What someone sees of themselves: the second factor, and their sessions.

use checkout_core::desk::route::DeskRoute;
use checkout_core::desk::session::{DeskSessionId, SessionSecret};
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{end_own_session, own_sessions};
use checkout_core::rejection::Rejection;
use maud::html;

use super::call::{DeskCall, go_to};
use super::parts::moment;
use crate::http::Reply;

/// The screen.
pub(super) async fn show(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().me;
    let own = &call.visit.visitor.session;
    let sessions = own_sessions(call.edge.as_ref(), &call.visit.visitor).await?;
    let user = call.caller().user().map_or("", |user| user.username.as_str());
    let body = html! {
        h1 { (words.title) }
        section .card {
            p { bdi { (user) } }
            p { (if own.has_factor { words.has_factor } else { words.no_factor }) }
            p { a .button.second href=(DeskRoute::ShowFactor.path()) { (if own.has_factor { words.replace } else { words.set_up }) } }
        }
        div .table { table .stacked {
            caption { (words.sessions) }
            thead { tr { th scope="col" { (words.device) } th scope="col" { (words.since) } th scope="col" { (words.seen) } th { span .unseen { (words.end) } } } }
            tbody { @for session in &sessions { tr {
                td data-label=(words.device) { bdi { (session.device) } }
                td data-label=(words.since) { (moment(call, session.created_at)) }
                td data-label=(words.seen) { (moment(call, session.seen_at)) }
                td {
                    @if session.id == own.id { span .chip { (words.this) } }
                    @else { (call.form(&DeskRoute::EndSession, &html! {
                        input type="hidden" name="session" value=(session.id.as_str());
                        button .link { (words.end) span .unseen { " " bdi { (session.device) } } }
                    })) }
                }
            } } }
        } }
    };
    Ok(call.screen(words.title, &body))
}

/// Ends one of the visitor's sessions.
pub(super) async fn end(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let id = call.form.get("session").and_then(DeskSessionId::parse).ok_or(Rejection::NotFound)?;
    if !end_own_session(call.edge.as_ref(), &call.visit.visitor, &id).await? {
        return Err(Rejection::NotFound.into());
    }
    if id == call.visit.visitor.session.id {
        return Ok(go_to(DeskRoute::ShowSignIn.path()).with("set-cookie", SessionSecret::no_cookie()));
    }
    Ok(go_to(DeskRoute::Me.path()))
}
