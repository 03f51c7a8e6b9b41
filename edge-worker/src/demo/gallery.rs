//! Every screen of the hosted page from samples, in both languages. A browser shows them light or dark as it is set.

use checkout_core::checkout::sample::{Sample, Screen, screens};
use checkout_core::words::Language;
use maud::html;

use crate::http::Reply;
use crate::page::{render_front, render_sample};
use crate::sandbox::document::{Document, FormTarget, plain};
use crate::sandbox::phrases::TEST_MODE;
use crate::sandbox::{SandboxReply, SandboxRequest};

/// The path of the gallery.
const PATH: &str = "/sandbox/gallery/";
/// The start page of an installation that is no development one.
const FRONT: &str = "front";

/// The list of screens.
pub(super) fn index() -> SandboxReply {
    Document {
        status: 200,
        language: Language::En,
        title: "Gallery · Till",
        forms: FormTarget::Own,
        element_from: None,
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
                @for screen in screens().iter().map(|screen| screen.name).chain([FRONT]) {
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
    let Some(screen) = Screen::named(name) else {
        let page = plain(404, "there is no such screen");
        return Reply { status: page.status, headers: page.headers, body: page.body };
    };
    let page = screen.page(&Sample::demo(language));
    Reply::page(render_sample(&page, Some(&format!("{PATH}{name}/"))))
}
