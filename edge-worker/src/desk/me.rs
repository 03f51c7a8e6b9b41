//! What someone sees of themselves: the second factor, the language and time zone, and their sessions.

use checkout_core::desk::route::DeskRoute;
use checkout_core::desk::session::{DeskSessionId, SessionSecret};
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{choose_preferences, end_own_session, own_sessions, time_zones};
use checkout_core::rejection::Rejection;
use checkout_core::words::Language;
use maud::{Markup, html};

use super::call::{DeskCall, go_to};
use super::parts::{moment, option};
use crate::http::Reply;

/// The screen.
pub(super) async fn show(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    screen(call, 200, None).await
}

/// Takes the language and the time zone.
pub(super) async fn choose(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    if choose_preferences(call.edge.as_ref(), &call.visit.visitor, &call.form).await? {
        return Ok(go_to(DeskRoute::Me.path() + "?news=saved"));
    }
    screen(call, 400, Some(call.words().me.no_zone)).await
}

/// The form of the language and the time zone, as it is stored, or as it was filled in.
fn preferences(call: &DeskCall<'_>, fault: Option<&str>) -> Markup {
    let words = &call.words().me;
    let stored = call.caller().user().map(|user| &user.preferences);
    let typed = |name| fault.and(call.form.get(name));
    let language = stored.and_then(|stored| stored.language).map(Language::as_str);
    let language = typed("language").or(language);
    let zone = typed("time_zone").or(stored.and_then(|stored| stored.time_zone.as_deref()));
    let of_merchant = call.caller().situation.settings.time_zone.as_deref().unwrap_or("UTC");
    let fields = html! {
        div .field {
            label for="preferred-language" { (words.language) }
            select id="preferred-language" name="language" {
                (option("", words.any_language, language))
                @for (one, name) in [(Language::En, "English"), (Language::Ar, "العربية")] {
                    option value=(one.as_str()) lang=(one.as_str()) selected[language == Some(one.as_str())] { (name) }
                }
            }
        }
        div .field {
            label for="time-zone" { (words.time_zone) }
            small .quiet id="zone-hint" { (words.any_zone) " " bdi dir="ltr" { (of_merchant) } }
            input id="time-zone" name="time_zone" list="time-zones" dir="ltr" autocomplete="off" autocapitalize="none"
                spellcheck="false" maxlength="64" value=[zone] aria-invalid=[fault.map(|_| "true")]
                aria-describedby=(if fault.is_some() { "zone-hint fault" } else { "zone-hint" });
            datalist id="time-zones" { @for zone in time_zones() { option value=(zone); } }
        }
        button .button { (words.save) }
    };
    html! {
        section .narrow.card {
            h2 { (words.preferences) }
            @if let Some(fault) = fault { p .notice.bad role="alert" id="fault" { (fault) } }
            (call.form(&DeskRoute::ChoosePreferences, &fields))
        }
    }
}

async fn screen(call: &DeskCall<'_>, status: u16, fault: Option<&str>) -> Result<Reply, Failure> {
    let words = &call.words().me;
    let own = &call.visit.visitor.session;
    let sessions = own_sessions(call.edge.as_ref(), &call.visit.visitor).await?;
    let user = call.caller().user().map_or("", |user| user.username.as_str());
    let body = html! {
        h1 { (words.title) }
        @if call.query().get("news") == Some("saved") { p .notice.good role="status" { (words.saved) } }
        section .card {
            p { bdi { (user) } }
            p { (if own.has_factor { words.has_factor } else { words.no_factor }) }
            p { a .button.second href=(DeskRoute::ShowFactor.path()) { (if own.has_factor { words.replace } else { words.set_up }) } }
        }
        (preferences(call, fault))
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
    Ok(call.screen_with(status, words.title, &body))
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
