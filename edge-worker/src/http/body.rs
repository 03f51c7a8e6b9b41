//! The body of a request: bytes up to the cap of its endpoint, and the forms that may be used instead of JSON.

use checkout_core::record::attachment::{FilePart, MAX_BYTES};
use checkout_core::rejection::Rejection;
use checkout_core::route;
use checkout_core::violation::Violation;
use checkout_core::wire::form;
use checkout_core::words::media_type::BodyType;
use serde::Deserialize;

use super::Incoming;
use crate::platform::{self, Settled};

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
            route::Body::Bytes(_) if matches!(self.method.as_str(), "GET" | "HEAD") => {
                return Ok(Body::Bytes(Vec::new()));
            }
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
        takes.read(given).ok_or(Rejection::UnsupportedMediaType { takes })
    }

    /// A multipart body, read by the platform from the bytes that were capped. If a file is given twice the
    /// last one counts, as for every field.
    async fn multipart(&mut self, max: usize, file_field: &str) -> Result<Body, Rejection> {
        let bytes = self.bytes(max).await?;
        let content_type = self.header("content-type").unwrap_or_default();
        let read = platform::form(&bytes, content_type, file_field).await;
        let Settled { text, bytes } = read.map_err(|_| Rejection::MalformedForm)?;
        let Parts { fields, file } = serde_json::from_str(&text).map_err(|_| Rejection::MalformedForm)?;
        let fields = fields.into_iter().map(|(name, text)| form::Field { name, text }).collect();
        Ok(Body::Fields(fields, file.zip(bytes).map(|(name, bytes)| SentFile { name, bytes })))
    }

    /// The bytes of a body of any type.
    ///
    /// # Errors
    /// [`Rejection::BodyTooLarge`] over the cap; [`Rejection::MalformedBody`] if the connection broke.
    pub(crate) async fn bytes(&mut self, max: usize) -> Result<Vec<u8>, Rejection> {
        let announced = self.header("content-length").and_then(|length| length.parse::<usize>().ok());
        let read = match announced {
            Some(length) if length > max => return Err(Rejection::BodyTooLarge { max }),
            Some(_) => platform::body(&self.request),
            None => platform::stream(&self.request, max),
        };
        self.is_read = true;
        let read = read.await.map_err(|_| Rejection::MalformedBody)?;
        read.bytes.ok_or(Rejection::BodyTooLarge { max })
    }

    /// Reads the unused part of the body, before the answer is sent.
    pub(crate) async fn let_go(&mut self) {
        if !matches!(self.method.as_str(), "GET" | "HEAD") && !self.is_read {
            // Whatever breaks here, the answer is known.
            let _ = platform::drain(&self.request).await;
        }
    }
}

/// What the platform reads of a multipart body.
#[derive(Deserialize)]
struct Parts {
    fields: Vec<(String, Option<String>)>,
    file: Option<String>,
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
