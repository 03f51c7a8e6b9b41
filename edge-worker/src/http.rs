//! Bytes in, replies out: the head of a request, its body with a cap, and what is sent back.

use checkout_core::access::header::{Credential, parse_authorization};
use checkout_core::api::form;
use checkout_core::attachment::{FilePart, MAX_BYTES};
use checkout_core::id::SessionId;
use checkout_core::port::{Clock, Rng, World};
use checkout_core::rejection::Rejection;
use checkout_core::time::Timestamp;
use checkout_core::violation::{Rule, Violation};
use futures_util::StreamExt;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use worker::web_sys::{self, Headers, Request};
use worker::{Response, ResponseBuilder, Result};

use crate::edge::Edge;

/// The longest request id that a client may send along.
const MAX_REQUEST_ID: usize = 64;

/// A request whose body is not read yet.
pub(crate) struct Incoming {
    request: Request,
    given: Headers,
    query: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) request_id: String,
    pub(crate) started: Timestamp,
    /// The transaction that a call of a browser names in its body.
    pub(crate) called: Option<SessionId>,
}

impl Incoming {
    /// Reads the head.
    pub(crate) fn read_head(request: Request, edge: &Edge) -> Self {
        let given = request.headers();
        let request_id = given.get("x-request-id").ok().flatten();
        let request_id = request_id.filter(|id| is_request_id(id)).unwrap_or_else(|| draw_request_id(edge));
        let (path, query) = split(&request.url());
        Self {
            method: request.method(),
            path,
            query,
            given,
            request_id,
            started: edge.clock().now(),
            called: None,
            request,
        }
    }

    /// A header of this name.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.given.get(name).ok().flatten()
    }

    /// Every header, by lower-case names.
    pub(crate) fn headers(&self) -> Vec<(String, String)> {
        worker::Headers(self.given.clone()).entries().collect()
    }

    /// Who says to be calling.
    pub(crate) fn credential(&self) -> Credential {
        self.header("authorization").map_or(Credential::Missing, |header| parse_authorization(&header))
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

    /// Whether the client asks for JSON.
    pub(crate) fn wants_json(&self) -> bool {
        self.header("accept").is_some_and(|accept| accept.contains("application/json"))
    }

    /// The bytes of a JSON body.
    ///
    /// # Errors
    /// [`Rejection::UnsupportedMediaType`] for another media type, [`Rejection::BodyTooLarge`] over the cap.
    pub(crate) async fn json_body(&mut self, max: usize) -> std::result::Result<Vec<u8>, Rejection> {
        self.body_of("application/json", max).await
    }

    /// The bytes of a form.
    ///
    /// # Errors
    /// As [`json_body`](Self::json_body).
    pub(crate) async fn form_body(&mut self, max: usize) -> std::result::Result<Vec<u8>, Rejection> {
        self.body_of("application/x-www-form-urlencoded", max).await
    }

    /// A body that may be JSON or a form; in a multipart form the part `attachment` may be a file, which is not
    /// counted in `max`.
    ///
    /// # Errors
    /// As [`json_body`](Self::json_body); [`Rejection::MalformedBody`] for a form that cannot be read, and a violation
    /// for a field that is a file.
    pub(crate) async fn record_body(&mut self, max: usize) -> std::result::Result<Form, Rejection> {
        match self.essence().as_str() {
            "application/json" => Ok(Form { json: self.body(max).await?, file: None }),
            "application/x-www-form-urlencoded" => {
                let fields: Vec<_> = form_urlencoded::parse(&self.body(max).await?).into_owned().collect();
                Ok(Form { json: form::to_json(&fields)?.into_bytes(), file: None })
            }
            _ => self.multipart_body(max.saturating_add(MAX_BYTES), "attachment").await,
        }
    }

    /// A multipart form, in which the part `file` may be a file.
    ///
    /// # Errors
    /// As [`record_body`](Self::record_body).
    pub(crate) async fn multipart_body(
        &mut self,
        max: usize,
        file: &str,
    ) -> std::result::Result<Form, Rejection> {
        if self.essence() != "multipart/form-data" {
            return Err(Rejection::UnsupportedMediaType);
        }
        let given = self.header("content-type").unwrap_or_default();
        multipart(self.body(max).await?, &given, file).await
    }

    /// The media type of the body, in small letters and without parameters.
    fn essence(&self) -> String {
        let given = self.header("content-type").unwrap_or_default();
        given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    async fn body_of(&mut self, media_type: &str, max: usize) -> std::result::Result<Vec<u8>, Rejection> {
        let given = self.header("content-type").unwrap_or_default();
        let essence = given.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case(media_type) {
            return Err(Rejection::UnsupportedMediaType);
        }
        self.body(max).await
    }

    /// The bytes of a body of any type.
    ///
    /// # Errors
    /// [`Rejection::BodyTooLarge`] over the cap; [`Rejection::MalformedBody`] where the connection broke.
    pub(crate) async fn body(&mut self, max: usize) -> std::result::Result<Vec<u8>, Rejection> {
        let too_large = Rejection::BodyTooLarge { max };
        let announced = self.header("content-length").and_then(|length| length.parse::<usize>().ok());
        match announced {
            Some(length) if length > max => return Err(too_large),
            Some(_) => {
                let read = self.request.array_buffer().map_err(|_| Rejection::MalformedBody)?;
                let buffer = JsFuture::from(read).await.map_err(|_| Rejection::MalformedBody)?;
                return Ok(Uint8Array::new(&buffer).to_vec());
            }
            None => {}
        }
        let mut request = worker::Request::from(Clone::clone(&self.request));
        let Ok(mut stream) = request.stream() else { return Ok(Vec::new()) };
        let mut body = Vec::new();
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|_| Rejection::MalformedBody)?;
            if body.len().saturating_add(chunk.len()) > max {
                return Err(too_large);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

/// A form: its fields as JSON, and its file.
pub(crate) struct Form {
    pub(crate) json: Vec<u8>,
    file: Option<(String, Vec<u8>)>,
}

impl Form {
    /// The file.
    pub(crate) fn file(&self) -> Option<FilePart<'_>> {
        self.file.as_ref().map(|(file_name, bytes)| FilePart { file_name, bytes })
    }
}

/// A multipart body, read by the platform from the bytes that were capped. Of a file that is given twice the last one
/// counts, as of every field.
async fn multipart(
    body: Vec<u8>,
    content_type: &str,
    file_field: &str,
) -> std::result::Result<Form, Rejection> {
    let malformed = |_| Rejection::MalformedBody;
    let headers = worker::Headers::new();
    headers.set("content-type", content_type).map_err(|_| Rejection::MalformedBody)?;
    let response = ResponseBuilder::new().with_headers(headers).fixed(body);
    let response = worker::web_sys::Response::from(response);
    let form = JsFuture::from(response.form_data().map_err(malformed)?).await.map_err(malformed)?;
    let mut fields = Vec::new();
    let mut file = None;
    for pair in Array::from(&form).iter() {
        let pair = Array::from(&pair);
        let name = pair.get(0).as_string().ok_or(Rejection::MalformedBody)?;
        match pair.get(1).as_string() {
            Some(value) => fields.push((name, value)),
            None if name == file_field => {
                let given: web_sys::File = pair.get(1).dyn_into().map_err(malformed)?;
                let given = worker::File::from(given);
                let bytes = given.bytes().await.map_err(|_| Rejection::MalformedBody)?;
                file = Some((given.name(), bytes));
            }
            None => return Err(Rejection::Invalid(vec![Violation::new(name, Rule::NotText)])),
        }
    }
    Ok(Form { json: form::to_json(&fields)?.into_bytes(), file })
}

fn is_request_id(id: &str) -> bool {
    (1..=MAX_REQUEST_ID).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

fn draw_request_id(edge: &Edge) -> String {
    let mut random = [0; 8];
    match edge.rng().fill(&mut random) {
        Ok(()) => hex::encode(random),
        Err(_) => "unknown".into(),
    }
}

/// What is sent back.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// A JSON body.
    pub(crate) fn json(status: u16, body: String) -> Self {
        Self::of(status, "application/json", body)
    }

    /// Plain text.
    pub(crate) fn text(status: u16, body: &str) -> Self {
        Self::of(status, "text/plain; charset=utf-8", body.into())
    }

    /// An answer without a body.
    pub(crate) fn empty(status: u16) -> Self {
        Self { status, headers: private_headers(), body: Vec::new() }
    }

    /// Sends a browser on, with a `GET`.
    pub(crate) fn see_other(url: String) -> Self {
        let mut reply = Self::empty(303);
        reply.headers.push(("location", url));
        reply.headers.push(("referrer-policy", "no-referrer".into()));
        reply
    }

    /// A problem body.
    pub(crate) fn problem(edge: &Edge, rejection: &Rejection, request_id: &str) -> Self {
        let body = rejection.body(&edge.installation().public_url, request_id);
        let mut reply = Self::of(rejection.status(), "application/problem+json", body);
        if let Rejection::MethodNotAllowed { allow } = rejection {
            reply.headers.push(("allow", (*allow).into()));
        }
        match reply.status {
            401 => reply.with("www-authenticate", "Api-Key"),
            503 if rejection.code() == "unavailable" => reply.with("retry-after", "1"),
            _ => reply,
        }
    }

    /// With one more header.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// A body of a media type.
    pub(crate) fn of(status: u16, media_type: &str, body: String) -> Self {
        let mut headers = private_headers();
        headers.push(("content-type", media_type.into()));
        Self { status, headers, body: body.into_bytes() }
    }

    /// The response, with the request's id.
    ///
    /// # Errors
    /// Where the platform refuses a header.
    pub(crate) fn into_response(self, request_id: &str) -> Result<Response> {
        let headers = worker::Headers::new();
        for (name, value) in &self.headers {
            headers.append(name, value)?;
        }
        headers.set("x-request-id", request_id)?;
        let builder = ResponseBuilder::new().with_status(self.status).with_headers(headers);
        Ok(if self.body.is_empty() { builder.empty() } else { builder.fixed(self.body) })
    }
}

/// Path and query of an address as the platform writes it. The platform has parsed it; parsing it again, and asking for
/// what else a request carries, would cost more than the rest of the head.
fn split(url: &str) -> (String, String) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/");
    let rest = rest.split('#').next().unwrap_or_default();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    (path.into(), query.into())
}

/// Nothing that names a transaction is kept by anybody on the way.
fn private_headers() -> Vec<(&'static str, String)> {
    vec![("cache-control", "no-store".into()), ("x-content-type-options", "nosniff".into())]
}

#[cfg(test)]
mod tests {
    use super::split;

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
