//! Bytes in, replies out: the head of a request, its body with a cap, and what is sent back.

mod body;
mod rest;

use std::rc::Rc;

use checkout_core::access::header::Credential;
use checkout_core::flow::Failure;
use checkout_core::flow::merchant::export::Export;
use checkout_core::port::{Clock, Installation, Rng, Scope, Wait, World};
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::route::{Action, Match, Route};
use checkout_core::value::id::SessionId;
use checkout_core::value::json::{self, Unwritten};
use checkout_core::value::network::{Network, Origin};
use checkout_core::value::time::Timestamp;
use checkout_core::value::web_address::Reach;
use checkout_core::wire::browser::navigates;
use serde::Serialize;
use wasm_bindgen::JsValue;
use web_sys::Request;

use self::rest::Rest;
use crate::edge::{Edge, RequestScope};
use crate::page::PageReply;
use crate::plain::is_request_id;
use crate::platform::{headers_of, lines_of, respond, respond_in_parts};
use crate::port::clock::{PlatformClock, SECONDS_AGO};
use crate::port::rng::PlatformRng;

/// A request whose body is not read yet.
pub(crate) struct Incoming {
    request: Request,
    /// Whether the body was asked for.
    is_read: bool,
    headers: Vec<(String, String)>,
    query: String,
    pub(crate) method: String,
    pub(crate) path: String,
    /// The whole address, as the platform writes it.
    #[cfg(feature = "desk")]
    pub(crate) address: String,
    pub(crate) request_id: String,
    pub(crate) started: Timestamp,
    clock: PlatformClock,
    /// The transaction that the body names, for endpoints that pages of its merchant may call.
    pub(crate) called: Option<SessionId>,
}

impl Incoming {
    /// A request and its head as `entry.js` reads it: method, address, and the names and values of the headers, a line
    /// each.
    pub(crate) fn read_head(head: &str, request: Request) -> Self {
        let mut lines = head.split('\n');
        let method = lines.next().unwrap_or_default().into();
        let address = lines.next().unwrap_or_default();
        let (path, query) = split(address);
        let headers = headers_of(lines);
        let clock = PlatformClock::of_request(value_of(&headers, SECONDS_AGO));
        let mut incoming = Self {
            request,
            is_read: false,
            headers,
            query,
            method,
            path,
            #[cfg(feature = "desk")]
            address: address.into(),
            request_id: String::new(),
            clock,
            started: clock.now(),
            called: None,
        };
        let request_id = incoming.header("x-request-id").filter(|id| is_request_id(id));
        incoming.request_id = request_id.map_or_else(draw_request_id, Into::into);
        incoming
    }

    /// What is known of it, at the address at which this was found.
    pub(crate) fn scope(&self, found: &Match, installation: &Installation) -> RequestScope {
        let route = if let Match::Route(route) = found { Some(route) } else { None };
        let action = route.map(|route| route.facts().action);
        let patience = route.and_then(|route| route.patience(self.header("origin").is_some()));
        // The platform sets both headers itself.
        let origin = Origin { address: self.header("cf-connecting-ip"), zone: self.header("cf-worker") };
        RequestScope {
            id: self.request_id.clone(),
            scope: Scope {
                network: Network::of_caller(origin, installation.reach == Reach::Development),
                is_payers: action.is_some_and(|action| self.credential(action).is_payers()),
                wait: patience.map(|patience| Wait { since: self.started, patience }),
            },
            clock: self.clock,
            is_sent_on: matches!(route, Some(Route::Pay)),
        }
    }

    /// A header of this name, which is in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        value_of(&self.headers, name)
    }

    /// Every header, by lower-case names.
    pub(crate) fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// What the caller offers for an action, not checked yet.
    pub(crate) fn credential(&self, action: Action) -> Credential {
        Credential::offered(action, self.header("authorization"))
    }

    /// The query, without its question mark.
    pub(crate) fn query(&self) -> &str {
        &self.query
    }

    /// The first value of a query parameter.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        form_urlencoded::parse(self.query.as_bytes())
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.into_owned())
    }

    /// Whether a person's browser goes to the address, which shows what it gets.
    pub(crate) fn navigates(&self) -> bool {
        navigates(|name| self.header(name)) && !self.wants_json()
    }

    /// Whether the client asks for JSON.
    pub(crate) fn wants_json(&self) -> bool {
        self.header("accept").is_some_and(|accept| accept.contains("application/json"))
    }
}

fn value_of<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

fn draw_request_id() -> String {
    let mut random = [0; 8];
    match PlatformRng.fill(&mut random) {
        Ok(()) => hex::encode(random),
        Err(_) => "unknown".into(),
    }
}

/// The problem body of an answer that could not be written.
const UNWRITTEN: &str = r#"{"type":"about:blank","title":"Internal Server Error","status":500}"#;

/// What is sent back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    /// What is sent after the body, part by part.
    pub(crate) rest: Option<Rest>,
}

/// An answer of the core.
pub(crate) fn json(status: u16, answer: &impl Serialize) -> Reply {
    json::write(answer).map_or_else(|Unwritten| Reply::unwritten(), |body| Reply::json(status, body))
}

impl Reply {
    /// What is answered if the answer could not be written: a fault of ours, whatever was done.
    pub(crate) fn unwritten() -> Self {
        Self::of(500, "application/problem+json", UNWRITTEN.into())
    }

    /// A JSON body.
    pub(crate) fn json(status: u16, body: String) -> Self {
        Self::of(status, "application/json", body)
    }

    /// A plain text.
    pub(crate) fn plain(status: u16, body: String) -> Self {
        Self::of(status, "text/plain; charset=utf-8", body)
    }

    /// A JSON body of texts.
    pub(crate) fn of_texts(body: &impl Serialize) -> Self {
        json(200, body)
    }

    /// A rendered page.
    pub(crate) fn page(page: PageReply) -> Self {
        Self { status: page.status, headers: page.headers, body: page.body.into_bytes(), rest: None }
    }

    /// A picture of ours, which runs nothing.
    pub(crate) fn picture(media_type: &str, body: Vec<u8>, keep: &str) -> Self {
        Self {
            status: 200,
            headers: vec![
                ("content-type", media_type.into()),
                ("content-security-policy", "sandbox; default-src 'none'".into()),
                ("x-content-type-options", "nosniff".into()),
                ("cache-control", keep.into()),
                ("referrer-policy", "no-referrer".into()),
                ("x-robots-tag", "noindex, nofollow".into()),
            ],
            body,
            rest: None,
        }
    }

    /// Plain text.
    pub(crate) fn text(status: u16, body: &str) -> Self {
        Self::of(status, "text/plain; charset=utf-8", body.into())
    }

    /// A table that is saved as a file: its first part at once, the others as they are written.
    pub(crate) async fn table(edge: &Rc<Edge>, mut export: Export) -> Result<Self, Failure> {
        let name = "attachment; filename=\"payments.csv\"";
        let first = export.part(edge.as_ref()).await?;
        let reply =
            Self::of(200, "text/csv; charset=utf-8; header=present", first).with("content-disposition", name);
        let rest = (!export.is_over()).then(|| rest::of_export(Rc::clone(edge), export));
        Ok(Self { rest, ..reply })
    }

    /// An answer without a body.
    pub(crate) fn empty(status: u16) -> Self {
        Self { status, headers: private_headers(), body: Vec::new(), rest: None }
    }

    /// Sends a browser on, with a `GET`.
    pub(crate) fn see_other(url: String) -> Self {
        let mut reply = Self::empty(303);
        reply.headers.push(("location", url));
        reply.headers.push(("referrer-policy", "no-referrer".into()));
        reply
    }

    /// A problem body.
    pub(crate) fn problem(edge: &Edge, refused: impl Into<RefusedRequest>, request_id: &str) -> Self {
        let refused = refused.into();
        let Ok(body) = refused.body(&edge.installation().public_url, request_id) else {
            return Self::unwritten();
        };
        let rejection = &refused.rejection;
        let mut reply = Self::of(rejection.status(), "application/problem+json", body);
        if let Rejection::MethodNotAllowed { allow } = rejection {
            reply.headers.push(("allow", allow.clone()));
        }
        if let Rejection::UnsupportedMediaType { takes } = rejection {
            reply.headers.push(("accept", takes.list()));
        }
        let reply = match rejection.retry_after() {
            Some(seconds) => reply.with("retry-after", seconds.to_string()),
            None => reply,
        };
        if reply.status == 401 { reply.with("www-authenticate", "Api-Key, Bearer") } else { reply }
    }

    /// The reply with one more header.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The reply, which says whether the same request was answered before.
    pub(crate) fn replayed(self, is_replayed: bool) -> Self {
        if is_replayed { self.with("idempotent-replayed", "true") } else { self }
    }

    /// A body of a media type.
    pub(crate) fn of(status: u16, media_type: &str, body: String) -> Self {
        let mut headers = private_headers();
        headers.push(("content-type", media_type.into()));
        Self { status, headers, body: body.into_bytes(), rest: None }
    }

    /// Sends the reply to its caller, with the request's id.
    pub(crate) fn send(self, caller: &JsValue, request_id: &str) {
        let headers = self.headers.iter().map(|(name, value)| (*name, value.as_str()));
        let head = lines_of(headers.chain([("x-request-id", request_id)]));
        match self.rest {
            None => respond(caller, self.status, &head, &self.body),
            Some(rest) => {
                let writer = respond_in_parts(caller, self.status, &head);
                rest::send(writer, self.body, rest, request_id.into());
            }
        }
    }
}

/// Path and query of an address as the platform writes it. The platform has parsed it; parsing it again, and
/// asking for what else a request carries, would cost more than the rest of the head.
fn split(url: &str) -> (String, String) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
    let rest = rest.split('#').next().unwrap_or_default();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    (path.into(), query.into())
}

/// No cache on the way stores anything that names a transaction.
fn private_headers() -> Vec<(&'static str, String)> {
    vec![("cache-control", "no-store".into()), ("x-content-type-options", "nosniff".into())]
}

#[cfg(test)]
mod tests {
    use serde::ser::{Error, Serialize, Serializer};

    use super::{json, split};

    struct Unwritable;

    impl Serialize for Unwritable {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(S::Error::custom("no text"))
        }
    }

    #[test]
    fn an_answer_that_cannot_be_written_is_no_success() {
        let reply = json(201, &Unwritable);
        assert_eq!(reply.status, 500);
        assert!(reply.body.starts_with(b"{"), "it has a body");
        assert_eq!(json(201, &"text").status, 201);
    }

    #[test]
    fn an_address_is_split_into_path_and_query() {
        let parts = |url| {
            let (path, query) = split(url);
            format!("{path}|{query}")
        };
        assert_eq!(parts("https://pay.example.com/a/b/?c=d&e=/?f#g"), "/a/b/|c=d&e=/?f");
        assert_eq!(parts("http://127.0.0.1:8787/"), "/|");
        assert_eq!(parts("http://127.0.0.1:8787"), "/|");
    }
}
