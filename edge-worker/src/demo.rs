//! What a development installation shows a developer: a start page from which payments are tried, a shop, and a gallery of
//! every screen. A production build has none of it: the module is a part of builds for development with the sandbox only.

mod gallery;
mod landing;
mod shop;

use checkout_core::flow::Failure;
use checkout_core::flow::demo::{self, Kind, WantedPage};
use checkout_core::port::World;
use checkout_core::route::Route;
use checkout_core::value::id::SessionId;
use checkout_core::words::Language;

use crate::edge::Edge;
use crate::http::{Incoming, Reply};
use crate::logging;
use crate::sandbox::document::{method_not_allowed, plain, see_other};
use crate::sandbox::{PATH, SandboxReply, SandboxRequest};

/// The amount of a test payment.
const AMOUNT: &str = "10.250";

/// The start page.
pub(crate) async fn start(edge: &Edge, incoming: &Incoming) -> Reply {
    settle(landing::page(edge, None).await, &incoming.request_id)
}

/// The page at an address under `/sandbox/` that a development installation has in addition.
pub(crate) async fn answer(edge: &Edge, request: &SandboxRequest<'_>) -> Option<Reply> {
    let path = request.path.strip_prefix(PATH)?.trim_end_matches('/');
    let is_get = matches!(request.method, "GET" | "HEAD");
    let answered = match path {
        "demo" | "shop/buy" if request.method != "POST" => Ok(method_not_allowed("POST")),
        // A page of another site must not make payments here.
        "demo" | "shop/buy" if is_foreign(request) => Ok(plain(403, "send this form from its own page")),
        "demo" => landing::make(edge, request).await,
        "shop/buy" => shop::buy(edge, request).await,
        "shop" if is_get => shop::page(edge, request).await,
        "shop/pay" if is_get => Ok(shop::pay(edge, request)),
        "shop/own" if is_get => Ok(shop::own(edge, request)),
        "gallery" if is_get => Ok(gallery::index()),
        _ => match path.strip_prefix("gallery/") {
            Some(name) if is_get => return Some(gallery::screen(request, name)),
            Some(_) | None => return None,
        },
    };
    Some(settle(answered, "-"))
}

/// A page as a reply, or a line of text if the world failed.
fn settle(answered: Result<SandboxReply, Failure>, request_id: &str) -> Reply {
    let page = answered.unwrap_or_else(|failure| match failure {
        Failure::Refused(rejection) => plain(rejection.status(), rejection.code()),
        Failure::World(error) => {
            logging::failed(request_id, &error);
            plain(503, "a part of the installation does not answer; its log says which")
        }
    });
    Reply { status: page.status, headers: page.headers, body: page.body }
}

/// Whether a browser says that a page of another site sends the form.
fn is_foreign(request: &SandboxRequest<'_>) -> bool {
    request.header("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"))
}

/// What a form asks for. What it does not say is usual.
fn wanted(form: &[(String, String)]) -> WantedPage<'_> {
    let value = |name: &str| {
        let found = form.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim());
        found.filter(|value| !value.is_empty())
    };
    WantedPage {
        kind: value("kind").and_then(Kind::parse).unwrap_or_default(),
        amount: value("amount").unwrap_or(AMOUNT),
        method: value("method"),
        language: value("language").and_then(Language::parse).unwrap_or_default(),
    }
}

/// Makes a transaction for the demo merchant; `None` if there is no such merchant.
async fn make(edge: &Edge, wanted: WantedPage<'_>) -> Result<Option<SessionId>, Failure> {
    let Some(settings) = demo::find(edge).await? else { return Ok(None) };
    Ok(Some(demo::make(edge, settings, wanted).await?))
}

/// The hosted page of a transaction.
fn page_of(session_id: &SessionId) -> String {
    format!("{}?session_id={session_id}", Route::CheckoutPage.path())
}

/// Sends the browser to the hosted page.
fn go_to(session_id: &SessionId) -> SandboxReply {
    see_other(page_of(session_id))
}

/// The origin of the installation.
fn origin(edge: &Edge) -> &str {
    &edge.installation().public_url
}
