//! A line of the table of endpoints, with the types that it names.

use checkout_core::rejection::Rejection;
use checkout_core::route::EndpointFacts;
use serde_json::Value;

use crate::context::Context;
use crate::placeholder::Parameter;

/// A line of the table, whichever enum it belongs to.
pub(crate) struct Line {
    pub(crate) paths: &'static [&'static str],
    pub(crate) methods: &'static [&'static str],
    pub(crate) facts: EndpointFacts,
    pub(crate) about: String,
    pub(crate) parameters: Vec<Parameter>,
    /// What reads the body.
    pub(crate) request: Option<Request>,
    /// What is written, for each of the answers in `facts`.
    pub(crate) answers: Vec<Vec<Answer>>,
}

/// A type that reads the body of an endpoint.
#[derive(Clone, Copy)]
pub(crate) struct Request {
    pub(crate) name: &'static str,
    pub(crate) schema: fn(&Line, &Context<'_>) -> Value,
    pub(crate) read: fn(&Line, &Context<'_>, &[u8]) -> Result<(), Rejection>,
    /// Bodies that together have every member.
    pub(crate) every: &'static [&'static str],
}

/// A type that an endpoint writes.
pub(crate) struct Answer {
    pub(crate) name: &'static str,
    pub(crate) schema: Value,
}

/// What reads the body of an endpoint.
pub(crate) trait Read {
    /// Bodies that together have every member.
    const EVERY: &'static [&'static str] = &[];

    /// Reads a body. What has its schema written out here is not tried.
    ///
    /// # Errors
    /// What is wrong with it.
    fn read(_: &Line, _: &Context<'_>, _: &[u8]) -> Result<(), Rejection> {
        Err(Rejection::MalformedBody)
    }

    /// The schema of what it accepts; some types read the bodies of several endpoints.
    fn schema(line: &Line, context: &Context<'_>) -> Value;
}
