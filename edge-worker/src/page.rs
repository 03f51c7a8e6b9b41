//! The hosted checkout page, rendered on the server: a [`PageView`] becomes HTML with its headers.
//!
//! Nothing is decided here except how the page looks. Every text of a merchant goes through the template's
//! escaping; styles and scripts are allowed by their hashes ([`policy`]). The page is complete without its
//! script: the pay form is answered with 303, and the waiting screen refreshes itself.

mod assets;
mod details;
mod face;
mod layout;
mod outcome;
mod payable;
mod policy;
mod problem;
pub(crate) mod published;
mod symbol;
mod way;

use checkout_core::checkout::page::PageView;
#[cfg(all(feature = "sandbox", feature = "development"))]
use checkout_core::checkout::page::TransactionPage;
use checkout_core::gateway::page_form::PageForm;
use checkout_core::rejection::Problem;
use checkout_core::strings::Strings;
use checkout_core::words::Language;

use self::layout::{Document, Scripting};

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

/// The page of a transaction, or of a session id without a transaction, of the installation at an origin.
pub(crate) fn render(view: &PageView, origin: &str) -> PageReply {
    match view {
        PageView::NotFound { language } => {
            let strings = Strings::of(*language);
            let document = Document {
                language: *language,
                title: strings.not_found.title.into(),
                is_test: false,
                other_language: None,
                scripting: Scripting::None,
                refresh: None,
                body: outcome::not_found(strings),
            };
            PageReply {
                status: 404,
                headers: policy::headers(*language, policy::Needs::default()),
                body: document.draw(),
            }
        }
        PageView::Transaction(page) => {
            let body = if page.status.can_pay() { payable::draw(page) } else { outcome::draw(page) };
            let scripting =
                if page.status.can_pay() { Scripting::Pays } else { Scripting::Waits(page.status) };
            let document = Document {
                language: page.language,
                title: layout::title(page),
                is_test: page.is_test,
                other_language: Some(layout::other_language(page)),
                scripting,
                refresh: layout::refresh(page),
                body,
            };
            PageReply {
                status: 200,
                headers: policy::headers(page.language, policy::Needs::of(page, origin)),
                body: document.draw(),
            }
        }
    }
}

/// A sample of a screen for a gallery, without its script: there is no transaction to ask about. `path` is where it is shown.
#[cfg(all(feature = "sandbox", feature = "development"))]
pub(crate) fn render_sample(page: &TransactionPage, path: &str, origin: &str) -> PageReply {
    let document = Document {
        language: page.language,
        title: layout::title(page),
        is_test: page.is_test,
        other_language: Some(layout::LanguageLink::from(page.language, path)),
        scripting: Scripting::None,
        refresh: None,
        body: if page.status.can_pay() { payable::draw(page) } else { outcome::draw(page) },
    };
    let needs = policy::Needs { script_from: None, ..policy::Needs::of(page, origin) };
    PageReply { status: 200, headers: policy::headers(page.language, needs), body: document.draw() }
}

/// The start page of an installation that is no development one: what this address is for, in both languages.
pub(crate) fn render_front(language: Language) -> PageReply {
    let document = Document {
        language,
        title: "Till".into(),
        is_test: false,
        other_language: None,
        scripting: Scripting::None,
        refresh: None,
        body: outcome::front(language),
    };
    let headers = policy::headers(language, policy::Needs::default());
    PageReply { status: 200, headers, body: document.draw() }
}

/// The index of all problem codes, for developers.
pub(crate) fn render_problems() -> PageReply {
    let document = Document {
        language: Language::En,
        title: "Problem codes".into(),
        is_test: false,
        other_language: None,
        scripting: Scripting::None,
        refresh: None,
        body: problem::index(),
    };
    let headers = policy::headers(Language::En, policy::Needs::default());
    PageReply { status: 200, headers, body: document.draw() }
}

/// The page from which a payer's browser sends a form to the page of a gateway. Browsers apply the policy to the redirects
/// that answer a form, too, and a bank may lead on to any host.
pub(crate) fn render_forward(form: &PageForm, language: Language, is_test: bool) -> PageReply {
    let strings = Strings::of(language);
    let document = Document {
        language,
        title: strings.forward.0.title.into(),
        is_test,
        other_language: None,
        scripting: Scripting::None,
        refresh: None,
        body: outcome::forward(form, strings),
    };
    let form_targets: Vec<String> = form.origin().into_iter().collect();
    let needs =
        policy::Needs { form_targets: &form_targets, page_hosts: &["https:"], ..policy::Needs::default() };
    PageReply { status: 200, headers: policy::headers(language, needs), body: document.draw() }
}

/// The page of a problem code, for the developers who follow the `type` of a problem body. It is in English.
pub(crate) fn render_problem(problem: Option<&Problem>) -> PageReply {
    let document = Document {
        language: Language::En,
        title: problem.map_or("Unknown problem code", |problem| problem.title).into(),
        is_test: false,
        other_language: None,
        scripting: Scripting::None,
        refresh: None,
        body: problem::draw(problem),
    };
    let status = if problem.is_some() { 200 } else { 404 };
    PageReply {
        status,
        headers: policy::headers(Language::En, policy::Needs::default()),
        body: document.draw(),
    }
}

#[cfg(test)]
mod tests;
