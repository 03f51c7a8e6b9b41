//! The body of a request: bytes up to the cap of its endpoint, and the forms that may be used instead of JSON.

use checkout_core::api::form::BodyForm;
use checkout_core::record::attachment::MAX_BYTES;
use checkout_core::rejection::Rejection;
use checkout_core::route::{self, EndpointFacts};
use checkout_core::wire::form::{FormShape, RequestBody, read_body};
use checkout_core::words::media_type::BodyType;

use super::Incoming;
use crate::platform;

impl Incoming {
    /// Reads the body, once and as the endpoint declares it; `form` is how it may come in place of JSON.
    ///
    /// # Errors
    /// [`Rejection::UnsupportedMediaType`] for another media type, [`Rejection::BodyTooLarge`] over the cap,
    /// [`Rejection::MalformedForm`] and [`Rejection::JsonAsForm`] for a form that is none, [`Rejection::MalformedBody`]
    /// if the connection broke.
    pub(crate) async fn read_body(
        &mut self,
        facts: &EndpointFacts,
        form: Option<&BodyForm>,
    ) -> Result<RequestBody, Rejection> {
        let (takes, max) = match facts.body {
            route::EndpointBody::Nothing => return Ok(RequestBody::default()),
            route::EndpointBody::Bytes(_) if matches!(self.method.as_str(), "GET" | "HEAD") => {
                return Ok(RequestBody::default());
            }
            route::EndpointBody::Bytes(max) => return self.bytes(max).await.map(RequestBody::of),
            route::EndpointBody::Typed(takes, max) => (takes, max),
        };
        let given = self.body_type(takes)?;
        if given == BodyType::Json {
            return RequestBody::of_json(self.bytes(max).await?);
        }
        let Some(&BodyForm { shape, .. }) = form else { return self.bytes(max).await.map(RequestBody::of) };
        let bytes = self.bytes(max.saturating_add(room_for_file(takes, given, shape))).await?;
        let content_type = self.header("content-type").unwrap_or_default();
        read_body(content_type, &bytes, shape, &platform::decode)
    }

    /// The format of the body, if the address accepts it.
    fn body_type(&self, takes: BodyType) -> Result<BodyType, Rejection> {
        let given = self.header("content-type").unwrap_or_default();
        takes.read(given).ok_or(Rejection::UnsupportedMediaType { takes })
    }

    /// The bytes of a body of any type.
    ///
    /// # Errors
    /// [`Rejection::BodyTooLarge`] over the cap; [`Rejection::MalformedBody`] if the connection broke.
    pub(crate) async fn bytes(&mut self, max: usize) -> Result<Vec<u8>, Rejection> {
        let announced = self.header("content-length").and_then(|length| length.parse::<usize>().ok());
        let read = match announced {
            Some(length) if length > max => return Err(Rejection::BodyTooLarge { max }),
            Some(_) => platform::body(&self.request).await,
            None => platform::stream(&self.request, max).await,
        };
        self.is_read = true;
        read.map_err(|_| Rejection::MalformedBody)?.ok_or(Rejection::BodyTooLarge { max })
    }

    /// Reads the unused part of the body, before the answer is sent.
    pub(crate) async fn let_go(&mut self) {
        if !matches!(self.method.as_str(), "GET" | "HEAD") && !self.is_read {
            platform::drain(&self.request).await;
        }
    }
}

/// How many bytes of a file are accepted in addition to those of the fields. The cap of an endpoint whose body is
/// always a form with a file has them in it.
fn room_for_file(takes: BodyType, given: BodyType, shape: &FormShape) -> usize {
    let is_extra = takes == BodyType::Record && given == BodyType::Multipart && shape.file.is_some();
    if is_extra { MAX_BYTES } else { 0 }
}
