//! Every screen of the hosted page from samples, in both languages. A browser shows them light or dark as it is set.

use checkout_core::checkout::sample::{Sample, Screen, screens};
use checkout_core::gateway::page_form::PageForm;
use checkout_core::words::Language;
use maud::html;

use crate::http::Reply;
use crate::page::{Nothing, render_forward, render_front, render_nothing, render_sample};
use crate::sandbox::document::{Document, FormTarget, plain};
use crate::sandbox::phrases::TEST_MODE;
use crate::sandbox::{SandboxReply, SandboxRequest};

/// The path of the gallery.
const PATH: &str = "/sandbox/gallery/";
/// The start page of an installation that is no development one.
const FRONT: &str = "front";
/// The page that leads to a bank's form.
const FORWARD: &str = "forward";
/// What a payer reads where there is no page to show: the name, and the code.
const NOTHING: [(&str, &str); 4] = [
    ("not_found", "not_found"),
    ("wrong_method", "method_not_allowed"),
    ("too_many_requests", "too_many_requests"),
    ("unavailable", "unavailable"),
];

fn names() -> impl Iterator<Item = &'static str> {
    let others = NOTHING.iter().map(|(name, _)| *name).chain([FORWARD, FRONT]);
    screens().iter().map(|screen| screen.name).chain(others)
}

/// The list of screens.
pub(super) fn index() -> SandboxReply {
    Document {
        status: 200,
        language: Language::En,
        title: "Gallery · Till",
        forms: FormTarget::Own,
        script: None,
        header: html! {
            strong { "Gallery" }
            span.mode { (TEST_MODE.of(Language::En)) }
            a href="/" { "Start page" }
        },
        main: html! {
            h1 { "Every screen of the hosted page" }
            p.soft {
                "From samples, without a transaction. Light or dark is as your browser is set; " code { "make gallery" }
                " writes pictures of all of them."
            }
            ul.rows {
                @for screen in names() {
                    @let name = screen.replace('_', " ");
                    li {
                        span { (name) }
                        a.inline href={ (PATH) (screen) "/?language=en" } aria-label={ (name) ", English" } { "English" }
                        a.inline href={ (PATH) (screen) "/?language=ar" } lang="ar" hreflang="ar" { "العربية" }
                    }
                }
            }
        },
    }
    .reply()
}

/// One screen.
pub(super) fn screen(request: &SandboxRequest<'_>, name: &str) -> Reply {
    let language = request.query_value("language").and_then(|word| Language::parse(&word));
    let language = language.unwrap_or_default();
    if name == FRONT {
        return Reply::page(render_front(language));
    }
    if name == FORWARD {
        let fields = [("PaReq".to_owned(), "sample".to_owned())].into_iter().collect();
        // The form leads back here, so that the button can be tried.
        let form = PageForm { url: PATH.into(), fields };
        return Reply::page(render_forward(&form, language, true));
    }
    if let Some((_, code)) = NOTHING.iter().find(|(known, _)| *known == name) {
        // The sample itself is found: browsers report other statuses in the console.
        return Reply::page(render_nothing(&Nothing { language, status: 200, code, has_link: true }));
    }
    let Some(screen) = Screen::named(name) else {
        let page = plain(404, "there is no such screen");
        return Reply { status: page.status, headers: page.headers, body: page.body, rest: None };
    };
    let page = screen.page(&Sample::demo(language));
    Reply::page(render_sample(&page, Some(&format!("{PATH}{name}/"))))
}
