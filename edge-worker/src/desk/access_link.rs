//! A lost password, and the choice of one by a link.

use std::rc::Rc;

use checkout_core::access::user::User;
use checkout_core::desk::form::DeskForm;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{Choice, ask_for_link, choose_password, send_link, user_of_link};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::strings::desk::DeskWords;
use checkout_core::words::Language;
use maud::{Markup, html};
use worker::Context;

use super::call::go_to;
use super::layout;
use super::visit::language_of;
use crate::edge::Edge;
use crate::http::{Incoming, Reply};
use crate::logging;

/// Asks who forgot a password.
pub(super) fn ask(incoming: &Incoming) -> Reply {
    lost(200, language_of(incoming), "", None)
}

fn lost(status: u16, language: Language, username: &str, fault: Option<&str>) -> Reply {
    let all = DeskWords::of(language);
    let words = &all.access_link;
    let fields = html! {
        p { (words.lost_means) }
        input type="hidden" name="language" value=(language.as_str());
        div .field {
            label for="username" { (all.sign_in.username) }
            input id="username" name="username" autocomplete="username" autocapitalize="none" dir="auto" spellcheck="false"
                required maxlength="150" value=(username) aria-describedby=[fault.map(|_| "fault")];
        }
        button .button { (words.send) }
    };
    let form = form(&DeskRoute::LostPassword, &fields);
    page(status, all, words.lost, fault, &html! { (form) (back(all)) })
}

/// Answers who forgot a password, and then sends the link, if there is such a user: neither words nor time say it.
pub(super) async fn take_lost(
    edge: &Rc<Edge>,
    context: &Context,
    incoming: &Incoming,
    form: &DeskForm,
) -> Result<Reply, Failure> {
    let language = form.get("language").and_then(Language::parse).unwrap_or_else(|| language_of(incoming));
    let all = DeskWords::of(language);
    let words = &all.access_link;
    let Some(username) = form.filled("username") else { return Ok(lost(400, language, "", None)) };
    if let Err(failure) = ask_for_link(edge.as_ref(), username).await {
        let Failure::Refused(RefusedRequest { rejection: Rejection::TooManySignIns { retry_after }, .. }) =
            &failure
        else {
            return Err(failure);
        };
        let minutes = retry_after.div_ceil(60).max(1).to_string();
        let fault = all.sign_in.too_many.replace("{minutes}", &minutes);
        return Ok(lost(429, language, username, Some(&fault)));
    }
    let (edge, name, request_id) = (Rc::clone(edge), username.to_owned(), incoming.request_id.clone());
    context.wait_until(async move {
        if let Err(failure) = send_link(edge.as_ref(), &name).await {
            logging::failure(&request_id, &failure);
        }
    });
    let body = html! { p role="status" { (words.sent) } (back(all)) };
    Ok(page(200, all, words.lost, None, &body))
}

/// Asks for a password, by a link.
pub(super) async fn show(edge: &Rc<Edge>, incoming: &Incoming, token: &str) -> Result<Reply, Failure> {
    let language = language_of(incoming);
    let user = user_of_link(edge.as_ref(), token).await?;
    Ok(user.map_or_else(|| over(language), |user| choice(200, language, token, &user, None)))
}

fn choice(status: u16, language: Language, token: &str, user: &User, fault: Option<&str>) -> Reply {
    let all = DeskWords::of(language);
    let words = &all.access_link;
    let fields = html! {
        input type="hidden" name="language" value=(language.as_str());
        // For the programs that remember passwords.
        input .unseen type="text" name="username" autocomplete="username" value=(user.username) readonly tabindex="-1" aria-hidden="true";
        @for (name, label) in [("password", all.sign_in.password), ("again", words.again)] {
            div .field {
                label for=(name) { (label) }
                input id=(name) name=(name) type="password" dir="ltr" autocomplete="new-password" required maxlength="256"
                    aria-describedby=(if fault.is_some() { "rule fault" } else { "rule" });
            }
        }
        p .quiet id="rule" { (words.rule) }
        button .button { (words.choose) }
    };
    let body = html! {
        p { bdi { (user.username) } }
        (form(&DeskRoute::ChoosePassword(token.to_owned()), &fields))
    };
    page(status, all, words.choose_title, fault, &body)
}

/// Takes the password, and leads to where its user signs in.
pub(super) async fn take(
    edge: &Rc<Edge>,
    incoming: &Incoming,
    token: &str,
    form: &DeskForm,
) -> Result<Reply, Failure> {
    let language = form.get("language").and_then(Language::parse).unwrap_or_else(|| language_of(incoming));
    let words = &DeskWords::of(language).access_link;
    Ok(match choose_password(edge.as_ref(), token, form).await? {
        Choice::Done => {
            let path = DeskRoute::ShowSignIn.path();
            go_to(format!("{path}?language={}&chosen=1", language.as_str()))
        }
        Choice::Over => over(language),
        Choice::Wrong(user) => choice(400, language, token, &user, Some(words.wrong)),
        Choice::Differs(user) => choice(400, language, token, &user, Some(words.differs)),
    })
}

/// A link opens nothing: why, is not said.
fn over(language: Language) -> Reply {
    let all = DeskWords::of(language);
    let words = &all.access_link;
    let body = html! {
        p { (words.over) }
        p { a .link href=(DeskRoute::ShowLostPassword.path()) { (words.lost) } }
        (back(all))
    };
    page(410, all, words.over_title, None, &body)
}

fn form(to: &DeskRoute, fields: &Markup) -> Markup {
    html! { form method="post" action=(to.path()) { (fields) } }
}

fn back(all: &DeskWords) -> Markup {
    html! { p { a .link href=(DeskRoute::ShowSignIn.path()) { (all.sign_in.title) } } }
}

fn page(status: u16, all: &DeskWords, title: &str, fault: Option<&str>, body: &Markup) -> Reply {
    let other = layout::other(all.language);
    let body = html! {
        div .narrow.card {
            div .head {
                h1 { (title) }
                a .link href={ "?language=" (other.as_str()) } lang=(other.as_str()) hreflang=(other.as_str()) dir=(other.direction()) {
                    (all.frame.other_language)
                }
            }
            @if let Some(fault) = fault { p .notice.bad role="alert" id="fault" { (fault) } }
            (body)
        }
    };
    layout::plain(status, all, title, &body)
}
