//! What is around every screen: the head of the document, who is signed in, the navigation, the language, the way out.

use checkout_core::desk::frame::navigation;
use checkout_core::desk::route::DeskRoute;
use checkout_core::strings::desk::DeskWords;
use checkout_core::words::Language;
use maud::{DOCTYPE, Markup, html};

use super::visit::DeskVisit;
use super::{assets, policy};
use crate::http::{Incoming, Reply};

/// The other language.
pub(super) const fn other(language: Language) -> Language {
    match language {
        Language::En => Language::Ar,
        Language::Ar => Language::En,
    }
}

/// Where a visitor is.
pub(super) struct Here<'a> {
    /// The request.
    pub(super) head: &'a Incoming,
    /// The address.
    pub(super) route: &'a DeskRoute,
}

/// A screen for someone who is signed in.
pub(super) fn screen(visit: &DeskVisit, here: &Here<'_>, status: u16, title: &str, body: &Markup) -> Reply {
    document(status, visit.words(), title, &header(visit, here), body)
}

/// A screen for anyone.
pub(super) fn plain(status: u16, words: &DeskWords, title: &str, body: &Markup) -> Reply {
    document(status, words, title, &html! {}, body)
}

fn document(status: u16, words: &DeskWords, title: &str, header: &Markup, body: &Markup) -> Reply {
    let language = words.language;
    let style = DeskRoute::StyleSheet(assets::STYLE_NAME.into()).path();
    let document = html! {
        (DOCTYPE)
        html lang=(language.as_str()) dir=(language.direction()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex, nofollow";
                title { (title) " · " (words.frame.desk) }
                link rel="stylesheet" href=(style);
                link rel="icon" href="/favicon.ico" sizes="any";
                @if let Some((path, integrity)) = assets::SCRIPT {
                    script defer src=(path) integrity=(integrity) data-copy=(words.frame.copy) data-copied=(words.frame.copied) data-rows=(words.frame.rows) {}
                }
            }
            body {
                a .skip href="#content" { (words.frame.skip) }
                (header)
                main id="content" tabindex="-1" { (body) }
            }
        }
    };
    policy::document(status, language, document)
}

/// Whether a page is that of an entry of the navigation, or one below it.
fn is_within(here: &str, entry: &str) -> bool {
    if entry == "/" { here == entry } else { here.starts_with(entry) }
}

fn header(visit: &DeskVisit, at: &Here<'_>) -> Markup {
    let (words, language) = (visit.words(), visit.language);
    let settings = &visit.caller().situation.settings;
    let here = &at.head.path;
    let other = other(language);
    let query = at.head.query();
    let back = if query.is_empty() { here.clone() } else { format!("{here}?{query}") };
    let language_form = html! {
        input type="hidden" name="language" value=(other.as_str());
        @if at.route.facts().method == "GET" { input type="hidden" name="back" value=(back); }
        button .link lang=(other.as_str()) dir=(other.direction()) { (words.frame.other_language) }
    };
    html! {
        header .bar {
            div .who {
                a .link href=(DeskRoute::Home.path()) { bdi { (settings.name.text(language)) } }
                @if settings.is_test() { span .chip.warn { (words.frame.test_mode) } }
            }
            (visit.form(&DeskRoute::ChooseLanguage, &language_form))
            (visit.form(&DeskRoute::SignOut, &html! { button .link { (words.frame.sign_out) } }))
            @if visit.visitor.session.due().is_none() { nav aria-label=(words.frame.navigation) {
                @for entry in navigation(visit.caller(), words) {
                    a href=(entry.path) aria-current=[is_within(here, &entry.path).then_some("page")] { (entry.label) }
                }
            } }
        }
    }
}
