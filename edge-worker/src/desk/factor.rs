//! The second factor: the page that asks for a code, the one that asks again, and the one that sets a factor up.

use checkout_core::desk::form::TOKEN;
use checkout_core::desk::route::{DeskRoute, way_back};
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{
    FORM_TO, OfferedFactor, confirm_factor, give_factor, offer_factor, offered_factor, visitor,
};
use checkout_core::rejection::Rejection;
use checkout_core::strings::desk::DeskWords;
use maud::{Markup, PreEscaped, html};

use super::call::{DeskCall, go_to};
use super::layout;
use super::parts::too_many;
use super::visit::{DeskVisit, device_of};
use crate::handler::qr_code::QrCode;
use crate::http::Reply;

/// The field of a factor.
pub(super) const FIELD: &str = "factor";

/// What is wrong with what was given; `None` if something else failed.
fn fault(words: &DeskWords, failure: &Failure) -> Option<(u16, String)> {
    let Failure::Refused(refused) = failure else { return None };
    let Rejection::TooManySignIns { retry_after } = refused.rejection else { return None };
    Some((429, too_many(words, retry_after)))
}

/// The field in which a factor is given: a code, or the password of a user without a second factor.
fn field(call: &DeskCall<'_>, fault: Option<&str>) -> Markup {
    let words = call.words();
    let has_factor = call.visit.visitor.session.has_factor;
    html! {
        @if let Some(fault) = fault { p .notice.bad role="alert" id="fault" { (fault) } }
        div .field {
            label for="factor" { (if has_factor { words.factor.code } else { words.sign_in.password }) }
            @if has_factor {
                small .quiet id="hint" { (words.factor.code_hint) }
                input id="factor" name=(FIELD) dir="ltr" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"
                    required maxlength="64" aria-describedby="hint";
            } @else {
                input id="factor" name=(FIELD) type="password" dir="ltr" autocomplete="current-password" required maxlength="256";
            }
        }
        button .button { (words.factor.go_on) }
    }
}

/// The page that asks for a code to sign in.
pub(super) fn ask_code(call: &DeskCall<'_>) -> Reply {
    let back = call.head.parameter("back");
    code_page(call, 200, back.as_deref(), None)
}

fn code_page(call: &DeskCall<'_>, status: u16, back: Option<&str>, fault: Option<&str>) -> Reply {
    let title = call.words().factor.code_title;
    let fields = html! {
        input type="hidden" name="back" value=(way_back(back));
        (field(call, fault))
    };
    let body = html! { div .narrow.card { h1 { (title) } (call.form(&DeskRoute::GiveCode, &fields)) } };
    call.screen_with(status, title, &body)
}

/// Takes a code to sign in.
pub(super) async fn take_code(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let back = call.form.get("back");
    let given = call.form.get(FIELD).unwrap_or_default();
    match give_factor(call.edge.as_ref(), &call.visit.visitor, given).await {
        Ok(Some(secret)) => Ok(go_to(way_back(back)).with("set-cookie", secret.cookie())),
        Ok(None) => Ok(code_page(call, 401, back, Some(call.words().factor.wrong))),
        Err(failure) => {
            let (status, fault) = fault(call.words(), &failure).ok_or(failure)?;
            Ok(code_page(call, status, back, Some(&fault)))
        }
    }
}

/// Asks again for a factor before what the form wants to do, or takes it: the reply that asks, or the cookie of the session
/// that goes on.
pub(super) async fn step_up(call: &mut DeskCall<'_>) -> Result<Result<String, Reply>, Failure> {
    if call.visit.visitor.session.asks_provider() {
        return Ok(Err(again_there(call)));
    }
    let Some(given) = call.form.get(FIELD) else { return Ok(Err(again(call, 401, None))) };
    match give_factor(call.edge.as_ref(), &call.visit.visitor, given).await {
        Ok(Some(secret)) => {
            let found =
                visitor(call.edge.as_ref(), (&secret, &device_of(call.head)), call.route.session()).await?;
            call.visit.visitor = found.ok_or(Rejection::CredentialsInvalid)?;
            call.visit.form_token = secret.form_token();
            Ok(Ok(secret.cookie()))
        }
        Ok(None) => Ok(Err(again(call, 401, Some(call.words().factor.wrong)))),
        Err(failure) => {
            let (status, fault) = fault(call.words(), &failure).ok_or(failure)?;
            Ok(Err(again(call, status, Some(&fault))))
        }
    }
}

/// The page that asks again, which carries what the form was filled with.
fn again(call: &DeskCall<'_>, status: u16, fault: Option<&str>) -> Reply {
    let words = &call.words().factor;
    let fields = html! { (filled(call)) (field(call, fault)) };
    let body = html! {
        div .narrow.card { h1 { (words.again_title) } p { (words.again) } (call.form(call.route, &fields)) }
    };
    call.screen_with(status, words.again_title, &body)
}

/// The page that sends a visitor to their provider again, with what the form was filled with.
fn again_there(call: &DeskCall<'_>) -> Reply {
    let words = &call.words().provider;
    let fields = html! {
        input type="hidden" name=(FORM_TO) value=(call.route.path());
        (filled(call))
        button .button { (words.again_button) }
    };
    let title = call.words().factor.again_title;
    let form = call.form(&DeskRoute::GoToProviderAgain, &fields);
    let body = html! { div .narrow.card { h1 { (title) } p { (words.again) } (form) } };
    call.screen_with(401, title, &body)
}

/// What the form was filled with.
fn filled(call: &DeskCall<'_>) -> Markup {
    html! {
        @for (name, value) in call.form.fields().filter(|(name, _)| ![TOKEN, FIELD].contains(name)) {
            input type="hidden" name=(name) value=(value);
        }
    }
}

/// The page that sets a factor up.
pub(super) fn show(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let offered = offer_factor(call.edge.as_ref(), &call.visit.visitor)?;
    Ok(offer(call, 200, &offered, None))
}

fn offer(call: &DeskCall<'_>, status: u16, offered: &OfferedFactor, fault: Option<&str>) -> Reply {
    let words = &call.words().factor;
    let caller = call.caller();
    let name = caller.situation.settings.name.text(call.visit.language);
    let account = caller.user().map_or("", |user| user.username.as_str());
    let picture = QrCode::of_long(&offered.secret.address(name, account));
    let fields = html! {
        input type="hidden" name="offered" value=(offered.sealed);
        @if let Some(fault) = fault { p .notice.bad role="alert" { (fault) } }
        div .field {
            label for="code" { (words.code) }
            input id="code" name="code" dir="ltr" inputmode="numeric" autocomplete="one-time-code" required maxlength="16";
        }
        button .button { (words.go_on) }
    };
    let body = html! {
        div .narrow.card {
            h1 { (words.set_up_title) }
            p { (words.set_up) }
            @if let Some(picture) = picture {
                div .code role="img" aria-label=(words.picture) { (PreEscaped(picture.svg())) }
            }
            p { (words.by_hand) " " code dir="ltr" { (offered.secret.readable()) } }
            (call.form(&DeskRoute::SetFactor, &fields))
        }
    };
    call.screen_with(status, words.set_up_title, &body)
}

/// Sets a factor up, and shows the recovery codes once.
pub(super) async fn set(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let sealed = call.form.get("offered").unwrap_or_default();
    let Some(offered) = offered_factor(call.edge.as_ref(), &call.visit.visitor, sealed) else {
        return show(call);
    };
    let code: String = call.form.filled("code").unwrap_or_default().split_whitespace().collect();
    let confirmed = match confirm_factor(call.edge.as_ref(), &call.visit.visitor, &offered, &code).await {
        Ok(Some(confirmed)) => confirmed,
        Ok(None) => return Ok(offer(call, 400, &offered, Some(call.words().factor.wrong))),
        Err(failure) => {
            let (status, fault) = fault(call.words(), &failure).ok_or(failure)?;
            return Ok(offer(call, status, &offered, Some(&fault)));
        }
    };
    let words = &call.words().factor;
    let body = html! {
        div .narrow.card {
            h1 { (words.recovery_title) }
            p { (words.recovery) }
            ul { @for code in &confirmed.recovery { li { code dir="ltr" { (code) } } } }
            p { a .button href=(DeskRoute::Home.path()) { (words.recovery_stored) } }
        }
    };
    // The forms of this page are those of the session that goes on.
    let mut visitor = call.visit.visitor.clone();
    visitor.session.id = confirmed.session.id();
    visitor.session.has_factor = true;
    let form_token = confirmed.session.form_token();
    let visit = DeskVisit { visitor, language: call.visit.language, form_token };
    let here = layout::Here { head: call.head, route: call.route };
    let reply = layout::screen(&visit, &here, 200, words.recovery_title, &body);
    Ok(reply.with("set-cookie", confirmed.session.cookie()))
}
