//! The addresses at which people and programs look first: the start page, `security.txt` and the index of problem codes. The
//! API has none of them, so that its clients get there what they get at every other unknown address.

use std::rc::Rc;
use std::time::Duration;

use checkout_core::port::{Clock, World};
use checkout_core::words::Language;

use crate::edge::Edge;
use crate::http::{Incoming, Reply};
use crate::page;

/// For how long `security.txt` says that it is right: RFC 9116 advises less than a year.
const LIFE: Duration = Duration::from_hours(24 * 180);

/// The answer at one of these addresses, with its name for the log; `None` at any other, or for a client that does not want
/// a page.
pub(crate) async fn answer(edge: &Rc<Edge>, incoming: &Incoming) -> Option<(&'static str, Reply)> {
    if !matches!(incoming.method.as_str(), "GET" | "HEAD") {
        return None;
    }
    match incoming.path.as_str() {
        "/" if wants_page(incoming) => {
            let accepted = incoming.header("accept-language").and_then(Language::accepted);
            let language = Language::of_page(None, None, accepted);
            Some(("start", start(edge, incoming, language).await))
        }
        "/" if takes_anything(incoming) => {
            Some(("start", Reply::plain(200, next_steps(&edge.installation().public_url))))
        }
        "/.well-known/security.txt" => Some(("security_txt", security_txt(edge)?)),
        "/b/problems/" | "/b/problems" if wants_page(incoming) => {
            Some(("problems", Reply::page(page::render_problems())))
        }
        _ => None,
    }
}

/// Whether a browser asks. A client that accepts anything is none.
fn wants_page(incoming: &Incoming) -> bool {
    incoming.header("accept").is_some_and(|accept| accept.contains("text/html"))
}

/// Whether a person asks with a program such as `curl`. A client that names JSON is one of the API.
fn takes_anything(incoming: &Incoming) -> bool {
    incoming.header("accept").is_none_or(|accept| matches!(accept.trim(), "" | "*/*"))
}

/// What a person does next, as text.
fn next_steps(origin: &impl std::fmt::Display) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "Till {version}: a payment checkout.\n\n{KEYS}\n\
         Create a payment:  curl {origin}/b/checkout/v1/pymt-txn/ -H 'Authorization: Api-Key <private key>' \\\n  \
         -H 'Content-Type: application/json' \\\n  \
         -d '{{\"type\": \"e_commerce\", \"amount\": \"10.250\", \"currency_code\": \"KWD\", \"pg_codes\": [\"knet\"]}}'\n\
         Getting started:   {origin}/docs/start.html\n\
         Reference:         {origin}/docs/\n\
         For tools:         {origin}/openapi.json\n"
    )
}

/// Where the key is that a creation needs.
#[cfg(all(feature = "sandbox", feature = "development"))]
const KEYS: &str = "Keys of the demo merchant: .dev/demo.json in the project. A browser makes test payments here in one click.\n";
#[cfg(not(all(feature = "sandbox", feature = "development")))]
const KEYS: &str = "The operator of this installation makes merchants, and gives them their keys.\n";

/// A development installation shows its tools.
#[cfg(all(feature = "sandbox", feature = "development"))]
async fn start(edge: &Rc<Edge>, incoming: &Incoming, _: Language) -> Reply {
    crate::demo::start(edge, incoming).await
}

/// Any other one says what it is for.
#[cfg(not(all(feature = "sandbox", feature = "development")))]
fn start(_: &Rc<Edge>, _: &Incoming, language: Language) -> impl Future<Output = Reply> {
    std::future::ready(Reply::page(page::render_front(language)))
}

/// Where faults of security are reported (RFC 9116), if someone is named.
fn security_txt(edge: &Edge) -> Option<Reply> {
    let contact = edge.config.security_contact.as_deref()?;
    let expires = edge.clock().now().plus(LIFE);
    let origin = &edge.installation().public_url;
    let text = format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en, ar\nCanonical: {origin}/.well-known/security.txt\n"
    );
    Some(Reply::plain(200, text))
}
