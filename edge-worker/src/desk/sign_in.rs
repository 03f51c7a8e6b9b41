//! What someone sees who is not signed in.

use std::rc::Rc;

use checkout_core::desk::form::DeskForm;
use checkout_core::desk::route::{DeskRoute, way_back};
use checkout_core::desk::session::{FactorDue, SessionSecret};
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{DeskLogin, sign_in};
use checkout_core::rejection::Rejection;
use checkout_core::strings::desk::DeskWords;
use checkout_core::words::Language;
use form_urlencoded::byte_serialize;
use maud::html;
use worker::Context;

use super::call::go_to;
use super::parts::too_many;
use super::visit::{device_of, language_of};
use super::{access_link, layout, problem, provider};
use crate::edge::Edge;
use crate::http::{Incoming, Reply};

/// Leads someone who is not signed in to where they sign in. From a page they come back to it; what a form carried is lost.
pub(super) fn ask(incoming: &Incoming, is_form: bool) -> Reply {
    go_to(with_way_back(&DeskRoute::ShowSignIn, incoming, is_form))
}

/// Leads someone who gave the password only to what is left to do.
pub(super) fn ask_factor(incoming: &Incoming, due: FactorDue, is_form: bool) -> Reply {
    let route = match due {
        FactorDue::Code => DeskRoute::ShowCode,
        FactorDue::SetUp => DeskRoute::ShowFactor,
    };
    go_to(with_way_back(&route, incoming, is_form))
}

fn with_way_back(route: &DeskRoute, incoming: &Incoming, is_form: bool) -> String {
    let mut path = route.path();
    if !is_form && incoming.path != "/" {
        let query = incoming.query();
        let here =
            if query.is_empty() { incoming.path.clone() } else { format!("{}?{query}", incoming.path) };
        path.push_str("?back=");
        path.extend(byte_serialize(here.as_bytes()));
    }
    path
}

/// Answers at an address where nobody needs to be signed in.
pub(super) async fn answer(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &Incoming,
    route: &DeskRoute,
    form: &DeskForm,
) -> Result<Reply, Failure> {
    let language = language_of(incoming);
    if let DeskRoute::ShowChoice(token) = route {
        return access_link::show(edge, incoming, token).await;
    }
    if let DeskRoute::ChoosePassword(token) = route {
        return access_link::take(edge, incoming, token, form).await;
    }
    if *route == DeskRoute::ShowLostPassword {
        return Ok(access_link::ask(incoming));
    }
    if *route == DeskRoute::LostPassword {
        return access_link::take_lost(edge, context, incoming, form).await;
    }
    if let DeskRoute::ReturnFromProvider(merchant) = route {
        return provider::come_back(edge, incoming, merchant).await;
    }
    if *route == DeskRoute::ShowProvider {
        return Ok(provider::ask(incoming));
    }
    if *route == DeskRoute::GoToProvider {
        return provider::go(edge, incoming, form).await;
    }
    if *route == DeskRoute::SignIn {
        return enter(edge, incoming, form).await;
    }
    if *route == DeskRoute::ShowSignIn {
        let (back, is_chosen) = (incoming.parameter("back"), incoming.parameter("chosen").is_some());
        let shown = Shown { back: back.as_deref(), is_chosen, ..Shown::default() };
        return Ok(show(200, language, &shown));
    }
    Ok(problem::not_found(DeskWords::of(language), 404))
}

/// What the form shows again.
#[derive(Default)]
struct Shown<'a> {
    username: &'a str,
    back: Option<&'a str>,
    fault: Option<String>,
    is_chosen: bool,
}

async fn enter(edge: &Rc<Edge>, incoming: &Incoming, form: &DeskForm) -> Result<Reply, Failure> {
    let before = incoming.header("cookie").and_then(SessionSecret::of_cookies);
    let language = form.get("language").and_then(Language::parse).unwrap_or_else(|| language_of(incoming));
    let words = &DeskWords::of(language).sign_in;
    let username = form.filled("username").unwrap_or_default();
    let login = DeskLogin {
        username,
        password: form.get("password").unwrap_or_default(),
        device: device_of(incoming),
        language,
        before: before.as_ref(),
    };
    let failure = match sign_in(edge.as_ref(), login).await {
        Ok(secret) => return Ok(go_to(way_back(form.get("back"))).with("set-cookie", secret.cookie())),
        Err(failure) => failure,
    };
    let Failure::Refused(refused) = &failure else { return Err(failure) };
    let fault = if let Rejection::TooManySignIns { retry_after } = refused.rejection {
        too_many(DeskWords::of(language), retry_after)
    } else if refused.rejection == Rejection::CredentialsInvalid {
        words.wrong.to_owned()
    } else {
        return Err(failure);
    };
    let status = refused.rejection.status();
    Ok(show(
        status,
        language,
        &Shown { username, back: form.get("back"), fault: Some(fault), is_chosen: false },
    ))
}

fn show(status: u16, language: Language, shown: &Shown<'_>) -> Reply {
    let all = DeskWords::of(language);
    let words = &all.sign_in;
    let other = layout::other(language);
    // Of the address nothing is repeated but a page of the desk.
    let back = way_back(shown.back);
    let query = |language: Language| {
        let back = byte_serialize(back.as_bytes()).collect::<String>();
        format!("?language={}&back={back}", language.as_str())
    };
    let link = query(other);
    let by_provider = format!("{}{}", DeskRoute::ShowProvider.path(), query(language));
    let fault = shown.fault.as_deref();
    let body = html! {
        div .narrow.card {
            div .head {
                h1 { (words.title) }
                a .link href=(link) lang=(other.as_str()) hreflang=(other.as_str()) dir=(other.direction()) {
                    (all.frame.other_language)
                }
            }
            @if shown.is_chosen { p .notice.good role="status" { (all.access_link.chosen) } }
            @if let Some(fault) = fault { p .notice.bad role="alert" id="fault" { (fault) } }
            form method="post" action=(DeskRoute::SignIn.path()) {
                input type="hidden" name="language" value=(language.as_str());
                input type="hidden" name="back" value=(back);
                div .field {
                    label for="username" { (words.username) }
                    input id="username" name="username" autocomplete="username" autocapitalize="none" dir="auto"
                        spellcheck="false" required maxlength="150" value=(shown.username)
                        aria-describedby=[fault.map(|_| "fault")];
                }
                div .field {
                    label for="password" { (words.password) }
                    input id="password" name="password" type="password" dir="ltr" autocomplete="current-password" required
                        maxlength="256" aria-describedby=[fault.map(|_| "fault")];
                }
                button .button { (words.sign_in) }
            }
            p { a .link href={ (DeskRoute::ShowLostPassword.path()) "?language=" (language.as_str()) } { (all.access_link.lost) } }
            p { a .link href=(by_provider) { (all.provider.title) } }
        }
    };
    layout::plain(status, all, words.title, &body)
}
