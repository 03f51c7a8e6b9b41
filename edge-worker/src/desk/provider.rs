//! Signing in through the provider of a merchant.
//!
//! Decision: the pages that lead to the provider and on from it are documents with a link, which browsers follow by the header
//! `Refresh`. A redirect of a form to another site is forbidden by the policy of the desk's pages, and after one from another site
//! browsers do not send the cookie of the session.

use std::rc::Rc;

use checkout_core::desk::form::DeskForm;
use checkout_core::desk::route::{DeskRoute, way_back};
use checkout_core::desk::session::SessionSecret;
use checkout_core::desk::trip::TripSecret;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{
    Departure, ProviderLogin, ProviderReturn, ReturnFault, TripEnd, Visitor, go_to_provider,
    go_to_provider_again, return_from_provider,
};
use checkout_core::rejection::Rejection;
use checkout_core::strings::HeadedText;
use checkout_core::strings::desk::DeskWords;
use checkout_core::value::id::MerchantId;
use checkout_core::words::Language;
use form_urlencoded::byte_serialize;
use maud::html;

use super::call::DeskCall;
use super::layout;
use super::parts::too_many;
use super::visit::{DeskVisit, device_of, language_of};
use crate::edge::Edge;
use crate::http::{Incoming, Reply};

/// What the form shows again.
#[derive(Default)]
struct ShownCompany<'a> {
    merchant: &'a str,
    back: Option<&'a str>,
    fault: Option<String>,
}

/// The page that asks for the company.
pub(super) fn ask(incoming: &Incoming) -> Reply {
    let (merchant, back) = (incoming.parameter("merchant"), incoming.parameter("back"));
    let merchant = merchant.as_deref().unwrap_or_default();
    show(200, language_of(incoming), &ShownCompany { merchant, back: back.as_deref(), fault: None })
}

fn show(status: u16, language: Language, shown: &ShownCompany<'_>) -> Reply {
    let all = DeskWords::of(language);
    let words = &all.provider;
    let other = layout::other(language);
    // Of the address nothing is repeated but a page of the desk, and what the field may hold.
    let back = way_back(shown.back);
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let query = |language: Language| {
        let (merchant, back) = (encoded(shown.merchant), encoded(&back));
        format!("?language={}&merchant={merchant}&back={back}", language.as_str())
    };
    let by_password = format!("{}{}", DeskRoute::ShowSignIn.path(), query(language));
    let fault = shown.fault.as_deref();
    let body = html! {
        div .narrow.card {
            div .head {
                h1 { (words.title) }
                a .link href=(query(other)) lang=(other.as_str()) hreflang=(other.as_str()) dir=(other.direction()) {
                    (all.frame.other_language)
                }
            }
            @if let Some(fault) = fault { p .notice.bad role="alert" id="fault" { (fault) } }
            form method="post" action=(DeskRoute::GoToProvider.path()) {
                input type="hidden" name="language" value=(language.as_str());
                input type="hidden" name="back" value=(back);
                div .field {
                    label for="merchant" { (words.merchant) }
                    small .quiet id="hint" { (words.merchant_hint) }
                    input id="merchant" name="merchant" dir="ltr" autocomplete="organization" autocapitalize="none"
                        spellcheck="false" required maxlength="64" value=(shown.merchant)
                        aria-describedby=(if fault.is_some() { "hint fault" } else { "hint" });
                }
                button .button { (words.go_on) }
            }
            p { a .link href=(by_password) { (words.by_password) } }
        }
    };
    layout::plain(status, all, words.title, &body)
}

/// Sends someone to the provider of the company that they typed.
pub(super) async fn go(edge: &Rc<Edge>, incoming: &Incoming, form: &DeskForm) -> Result<Reply, Failure> {
    let before = incoming.header("cookie").and_then(SessionSecret::of_cookies);
    let language = form.get("language").and_then(Language::parse).unwrap_or_else(|| language_of(incoming));
    let words = DeskWords::of(language);
    let merchant = form.filled("merchant").unwrap_or_default();
    let back = form.get("back");
    let login = ProviderLogin {
        merchant,
        device: device_of(incoming),
        language,
        back: way_back(back),
        before: before.as_ref(),
    };
    let failure = match go_to_provider(edge.as_ref(), login).await {
        Ok(departure) => return Ok(depart(words, &departure)),
        Err(failure) => failure,
    };
    let Failure::Refused(refused) = &failure else { return Err(failure) };
    let fault = if let Rejection::TooManySignIns { retry_after } = refused.rejection {
        too_many(words, retry_after)
    } else if refused.rejection == Rejection::NotFound {
        words.provider.unknown.to_owned()
    } else {
        return Err(failure);
    };
    // Nothing says that there is a merchant which has no provider.
    let status = if refused.rejection == Rejection::NotFound { 400 } else { refused.rejection.status() };
    Ok(show(status, language, &ShownCompany { merchant, back, fault: Some(fault) }))
}

/// Sends a visitor to their provider again, for a form that needs it.
pub(super) async fn go_again(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let departure = go_to_provider_again(call.edge.as_ref(), &call.visit.visitor, &call.form).await?;
    Ok(depart(call.words(), &departure))
}

fn depart(words: &DeskWords, departure: &Departure) -> Reply {
    led(words, words.provider.leaving, &departure.address).with("set-cookie", departure.secret.cookie())
}

/// A page that leads on.
fn led(words: &DeskWords, text: HeadedText, address: &str) -> Reply {
    let body = html! {
        div .narrow.card {
            h1 { (text.title) }
            p { (text.text) }
            p { a .button href=(address) { (words.provider.go_on) } }
        }
    };
    layout::plain(200, words, text.title, &body).with("refresh", format!("0; url={address}"))
}

/// Takes the answer with which a browser comes back.
pub(super) async fn come_back(
    edge: &Rc<Edge>,
    incoming: &Incoming,
    merchant: &MerchantId,
) -> Result<Reply, Failure> {
    let secret = incoming.header("cookie").and_then(TripSecret::of_cookies);
    let query = DeskForm::read(incoming.query().as_bytes());
    let answer =
        ProviderReturn { merchant, query: &query, secret: secret.as_ref(), device: device_of(incoming) };
    let here = |language: Option<Language>| language.unwrap_or_else(|| language_of(incoming));
    Ok(match return_from_provider(edge.as_ref(), &answer).await? {
        TripEnd::SignedIn { session, language, back } => {
            let words = DeskWords::of(language);
            led(words, words.provider.arrived, &back).with("set-cookie", session.cookie())
        }
        TripEnd::Confirmed { session, visitor, to, form } => {
            let token = session.form_token();
            confirmed(incoming, (*visitor, token), &to, &form).with("set-cookie", session.cookie())
        }
        TripEnd::Refused(fault, language) => refused(DeskWords::of(here(language)), fault, merchant),
    })
}

/// The page on which the form that waited goes on: nothing is done before it is sent.
fn confirmed(
    incoming: &Incoming,
    (visitor, form_token): (Visitor, String),
    to: &DeskRoute,
    form: &DeskForm,
) -> Reply {
    let language = visitor.session.language.unwrap_or_else(|| language_of(incoming));
    let visit = DeskVisit { visitor, language, form_token };
    let words = &visit.words().provider;
    let fields = html! {
        @for (name, value) in form.fields() { input type="hidden" name=(name) value=(value); }
        button .button { (words.go_on) }
    };
    let body = html! {
        div .narrow.card { h1 { (words.confirmed.title) } p { (words.confirmed.text) } (visit.form(to, &fields)) }
    };
    layout::screen(&visit, &layout::Here { head: incoming, route: to }, 200, words.confirmed.title, &body)
}

fn refused(words: &DeskWords, fault: ReturnFault, merchant: &MerchantId) -> Reply {
    let own = &words.provider;
    let (status, text) = match fault {
        ReturnFault::Stale => (400, own.stale),
        ReturnFault::Cancelled => (401, own.cancelled),
        ReturnFault::Answer => (401, own.answer),
        ReturnFault::NoUser => (403, own.no_user),
        ReturnFault::NotAgain => (401, own.not_again),
    };
    let again = format!("{}?merchant={}", DeskRoute::ShowProvider.path(), merchant.as_str());
    let body = html! {
        div .narrow.card {
            h1 { (text.title) }
            p { (text.text) }
            @if fault != ReturnFault::NotAgain { p { a .button href=(again) { (own.title) } } }
            p { a .link href=(DeskRoute::Home.path()) { (words.problem.home) } }
        }
    };
    layout::plain(status, words, text.title, &body)
}
