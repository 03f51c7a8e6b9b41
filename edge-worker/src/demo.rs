//! What a development installation shows a developer: a start page from which payments are tried, a shop, and a gallery of
//! every screen. A production build has none of it: the module is a part of builds for development with the sandbox only.

mod gallery;
mod landing;
mod merchant;
mod shop;
mod transaction;

use checkout_core::flow::Failure;

use crate::edge::Edge;
use crate::http::{Incoming, Reply};
use crate::logging;
use crate::sandbox::document::{method_not_allowed, plain};
use crate::sandbox::{PATH, SandboxReply, SandboxRequest};

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
        Failure::Refused(refused) => plain(refused.rejection.status(), refused.rejection.code()),
        failed @ (Failure::World(_) | Failure::Unwritten) => {
            logging::failure(request_id, &failed);
            plain(503, "a part of the installation does not answer; its log says which")
        }
    });
    Reply { status: page.status, headers: page.headers, body: page.body, rest: None }
}

/// Whether a browser says that a page of another site sends the form.
fn is_foreign(request: &SandboxRequest<'_>) -> bool {
    request.header("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"))
}
