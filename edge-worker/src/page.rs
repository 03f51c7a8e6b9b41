//! The hosted checkout page, rendered on the server: a [`PageView`] becomes HTML with its headers.
//!
//! Nothing is decided here except how the page looks. Every text of a merchant goes through the template's
//! escaping; styles and scripts are allowed by their hashes ([`policy`]). The page is complete without its
//! script: the pay form is answered with 303, and the waiting screen refreshes itself.

mod assets;
mod brand;
mod consent;
mod details;
mod express;
mod face;
mod flexible;
mod layout;
mod mark;
mod next;
mod outcome;
mod payable;
mod policy;
mod price;
mod problem;
pub(crate) mod published;
mod receipt;
mod symbol;
mod way;

use checkout_core::checkout::page::{PageView, TransactionPage};
use checkout_core::gateway::page_form::PageForm;
use checkout_core::rejection::Problem;
use checkout_core::strings::Strings;
use checkout_core::words::Language;

use self::brand::Style;
use self::layout::{LanguageLink, PageDocument, Scripting};

/// A rendered page, for the HTTP layer to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageReply {
    /// The HTTP status: 200, or 404 if there is nothing to show.
    pub(crate) status: u16,
    /// Every header of the page, by lower-case names.
    pub(crate) headers: Vec<(&'static str, String)>,
    /// The document, in UTF-8.
    pub(crate) body: String,
}

/// The page of a transaction, or of a session id without a transaction. `origin` is that of the installation.
pub(crate) fn render(view: &PageView, origin: &str) -> PageReply {
    match view {
        PageView::NotFound { language } => {
            render_nothing(&Nothing { language: *language, status: 404, code: "not_found", has_link: false })
        }
        PageView::Transaction(page) => {
            let scripting =
                if page.status.can_pay() { Scripting::Pays } else { Scripting::Waits(page.status) };
            draw(page, scripting, layout::other_language(page), Some(origin))
        }
    }
}

/// A request for which there is no page to show.
pub(crate) struct Nothing<'a> {
    /// The language of the payer.
    pub(crate) language: Language,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The code of the problem.
    pub(crate) code: &'a str,
    /// Whether the page in the other language is at the same path without a query.
    pub(crate) has_link: bool,
}

/// What went wrong and what to do, for a payer.
pub(crate) fn render_nothing(nothing: &Nothing<'_>) -> PageReply {
    let Nothing { language, status, code, has_link } = *nothing;
    let guide = Strings::of(language).guide();
    let message = match code {
        "not_found" => guide.not_found,
        "too_many_requests" => guide.too_many_requests,
        "unavailable" => guide.unavailable,
        _ => guide.wrong_method,
    };
    let document = PageDocument {
        other_language: has_link.then(|| LanguageLink::of_path(language)),
        ..PageDocument::plain(language, message.title, outcome::nothing(message))
    };
    plain(status, language, &document)
}

/// A screen with made-up data: it has no script, and nothing to wait for. `path` is where it is shown, if it is there in both
/// languages.
pub(crate) fn render_sample(page: &TransactionPage, path: Option<&str>) -> PageReply {
    let link =
        path.map_or_else(|| layout::other_language(page), |path| LanguageLink::at(page.language, path));
    draw(page, Scripting::None, link, None)
}

/// The screen of a transaction; a page with a script has it from `origin`.
fn draw(
    page: &TransactionPage,
    scripting: Scripting,
    other_language: LanguageLink,
    origin: Option<&str>,
) -> PageReply {
    let body = if page.status.can_pay() { payable::draw(page) } else { outcome::draw(page) };
    let style = Style::of(&page.brand, face::rules(page) + &flexible::rules(page) + next::rules(page));
    let document = PageDocument {
        is_test: page.is_test,
        other_language: Some(other_language),
        scripting,
        refresh: layout::refresh(page).filter(|_| scripting != Scripting::None),
        late_refresh: layout::late_refresh(page).filter(|_| scripting != Scripting::None),
        page: Some(page),
        style: style.as_ref(),
        ..PageDocument::plain(page.language, layout::title(page), body)
    };
    let needs = policy::Needs { script_from: origin, ..policy::Needs::of(page, style.as_ref()) };
    PageReply { status: 200, headers: policy::headers(page.language, needs), body: document.draw() }
}

/// A document that needs nothing of other hosts.
fn plain(status: u16, language: Language, document: &PageDocument<'_>) -> PageReply {
    let headers = policy::headers(language, policy::Needs::default());
    PageReply { status, headers, body: document.draw() }
}

/// The start page of an installation that is no development one: what this address is for, in both languages.
pub(crate) fn render_front(language: Language) -> PageReply {
    plain(200, language, &PageDocument::plain(language, "Till", outcome::front(language)))
}

/// The page from which a payer's browser sends a form to the page of a gateway. Browsers apply the policy to the redirects
/// that answer a form, too, and a bank may lead on to any host.
pub(crate) fn render_forward(form: &PageForm, language: Language, is_test: bool) -> PageReply {
    let strings = Strings::of(language);
    let guide = strings.guide();
    let body = outcome::forward(form, strings);
    let document = PageDocument { is_test, ..PageDocument::plain(language, guide.forward.0.title, body) };
    let form_targets: Vec<String> = form.origin().into_iter().collect();
    let needs =
        policy::Needs { form_targets: &form_targets, page_hosts: &["https:"], ..policy::Needs::default() };
    PageReply { status: 200, headers: policy::headers(language, needs), body: document.draw() }
}

/// The page of a problem code, for the developers who follow the `type` of a problem body. It is in English.
pub(crate) fn render_problem(problem: Option<&Problem>) -> PageReply {
    let title = problem.map_or("Unknown problem code", |problem| problem.title);
    let status = if problem.is_some() { 200 } else { 404 };
    plain(status, Language::En, &PageDocument::plain(Language::En, title, problem::draw(problem)))
}

/// The index of all problem codes, for developers.
pub(crate) fn render_problems() -> PageReply {
    plain(200, Language::En, &PageDocument::plain(Language::En, "Problem codes", problem::index()))
}

#[cfg(test)]
mod tests;
