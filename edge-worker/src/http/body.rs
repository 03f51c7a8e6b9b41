//! The body of a request: bytes up to the cap of its endpoint, and the forms that may be used instead of JSON.

use checkout_core::record::attachment::{FilePart, MAX_BYTES};
use checkout_core::rejection::Rejection;
use checkout_core::route;
use checkout_core::violation::Violation;
use checkout_core::wire::form;
use checkout_core::words::media_type::BodyType;
use core::time::Duration;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use worker::{ByteStream, Delay, ResponseBuilder, web_sys};

use super::Incoming;

/// How many unused bytes are read and discarded, so that a caller that still sends gets the answer.
const MAX_DRAINED: usize = 33_554_432;
/// How long the next of those bytes may take: a caller that waits for the answer before it sends gets it at
/// once.
const DRAIN_PAUSE: Duration = Duration::from_millis(200);

/// The body of a request.
pub(crate) enum Body {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// The fields of a form that means JSON, and its file.
    Fields(Vec<form::Field>, Option<SentFile>),
}

/// A file of a form: its name and its bytes.
pub(crate) struct SentFile {
    name: String,
    bytes: Vec<u8>,
}

impl Body {
    /// The bytes; none of a form that means JSON.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Fields(..) => &[],
        }
    }

    /// The body of a request that may be a form of this shape.
    ///
    /// # Errors
    /// [`Rejection::MalformedForm`] for a form that cannot be read.
    pub(crate) fn into_form(self, shape: &form::Shape) -> Result<Form, Rejection> {
        match self {
            Self::Bytes(json) => Ok(Form { json, wrong: Vec::new(), file: None }),
            Self::Fields(fields, file) => {
                let form::Form { json, wrong } = form::read(&fields, shape)?;
                Ok(Form { json: json.into_bytes(), wrong, file })
            }
        }
    }
}

impl Incoming {
    /// Reads the body, once and as the endpoint declares it.
    ///
    /// # Errors
    /// [`Rejection::UnsupportedMediaType`] for another media type, [`Rejection::BodyTooLarge`] over the cap,
    /// [`Rejection::MalformedForm`] for a multipart body that is none, [`Rejection::MalformedBody`] if the connection
    /// broke.
    pub(crate) async fn read_body(&mut self, declared: route::Body) -> Result<Body, Rejection> {
        let (takes, max) = match declared {
            route::Body::Nothing => return Ok(Body::Bytes(Vec::new())),
            route::Body::Bytes(max) => return self.bytes(max).await.map(Body::Bytes),
            route::Body::Typed(takes, max) => (takes, max),
        };
        match (takes, self.body_type(takes)?) {
            (BodyType::Record, BodyType::Form) => {
                let body = self.bytes(max).await?;
                let fields = form_urlencoded::parse(&body).into_owned();
                let fields = fields.map(|(name, text)| form::Field { name, text: Some(text) });
                Ok(Body::Fields(fields.collect(), None))
            }
            (BodyType::Record, BodyType::Multipart) => {
                self.multipart(max.saturating_add(MAX_BYTES), "attachment").await
            }
            (_, BodyType::Multipart) => self.multipart(max, "file").await,
            (_, BodyType::Json | BodyType::Form | BodyType::Record) => self.bytes(max).await.map(Body::Bytes),
        }
    }

    /// The format of the body, if the address accepts it.
    fn body_type(&self, takes: BodyType) -> Result<BodyType, Rejection> {
        let given = self.header("content-type").unwrap_or_default();
        takes.read(&given).ok_or(Rejection::UnsupportedMediaType { takes })
    }

    /// A multipart body, read by the platform from the bytes that were capped. If a file is given twice the
    /// last one counts, as for every field.
    async fn multipart(&mut self, max: usize, file_field: &str) -> Result<Body, Rejection> {
        let content_type = self.header("content-type").unwrap_or_default();
        let malformed = |_| Rejection::MalformedForm;
        let headers = worker::Headers::new();
        headers.set("content-type", &content_type).map_err(|_| Rejection::MalformedForm)?;
        let response = ResponseBuilder::new().with_headers(headers).fixed(self.bytes(max).await?);
        let response = web_sys::Response::from(response);
        let form = JsFuture::from(response.form_data().map_err(malformed)?).await.map_err(malformed)?;
        let mut fields = Vec::new();
        let mut file = None;
        for pair in Array::from(&form).iter() {
            let pair = Array::from(&pair);
            let name = pair.get(0).as_string().ok_or(Rejection::MalformedForm)?;
            let value = pair.get(1);
            if name == file_field && !value.is_string() {
                let given: web_sys::File = value.dyn_into().map_err(malformed)?;
                let given = worker::File::from(given);
                let bytes = given.bytes().await.map_err(|_| Rejection::MalformedForm)?;
                file = Some(SentFile { name: given.name(), bytes });
            } else {
                fields.push(form::Field { name, text: value.as_string() });
            }
        }
        Ok(Body::Fields(fields, file))
    }

    /// The bytes of a body of any type.
    ///
    /// # Errors
    /// [`Rejection::BodyTooLarge`] over the cap; [`Rejection::MalformedBody`] if the connection broke.
    pub(crate) async fn bytes(&mut self, max: usize) -> Result<Vec<u8>, Rejection> {
        let announced = self.header("content-length").and_then(|length| length.parse::<usize>().ok());
        if announced.is_some_and(|length| length <= max) {
            let read = self.request.array_buffer().map_err(|_| Rejection::MalformedBody)?;
            let buffer = JsFuture::from(read).await.map_err(|_| Rejection::MalformedBody)?;
            return Ok(Uint8Array::new(&buffer).to_vec());
        }
        if announced.is_some() {
            return Err(Rejection::BodyTooLarge { max });
        }
        let mut request = worker::Request::from(Clone::clone(&self.request));
        let Ok(mut stream) = request.stream() else { return Ok(Vec::new()) };
        let mut body = Vec::new();
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(|_| Rejection::MalformedBody)?;
            if body.len().saturating_add(chunk.len()) > max {
                drain(stream).await;
                return Err(Rejection::BodyTooLarge { max });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// Reads the unused part of the body, before the answer is sent.
    pub(crate) async fn let_go(&mut self) {
        if matches!(self.method.as_str(), "GET" | "HEAD") || self.request.body_used() {
            return;
        }
        let mut request = worker::Request::from(Clone::clone(&self.request));
        if let Ok(stream) = request.stream() {
            drain(stream).await;
        }
    }
}

/// Reads the rest of a body, which has no effect any more: a connection that is closed while the caller still
/// sends loses the answer, and one that is closed behind the answer loses the caller's next request.
async fn drain(mut stream: ByteStream) {
    let mut drained: usize = 0;
    while drained < MAX_DRAINED {
        match select(stream.next(), Delay::from(DRAIN_PAUSE)).await {
            Either::Left((Some(Ok(chunk)), _)) => drained = drained.saturating_add(chunk.len()),
            Either::Left((Some(Err(_)) | None, _)) | Either::Right(_) => return,
        }
    }
}

/// A body that may be a form: its fields as JSON, what is wrong with the form as such, and its file.
pub(crate) struct Form {
    pub(crate) json: Vec<u8>,
    pub(crate) wrong: Vec<Violation>,
    file: Option<SentFile>,
}

impl Form {
    /// The file.
    pub(crate) fn file(&self) -> Option<FilePart<'_>> {
        self.file.as_ref().map(|SentFile { name, bytes }| FilePart { file_name: name, bytes })
    }
}
