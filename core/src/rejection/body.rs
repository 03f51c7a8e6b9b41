//! The problem body of a rejection (RFC 9457).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::{RefusedRequest, Rejection};
use crate::value::id::ReferenceNumber;
use crate::value::json::{self, Unwritten};
use crate::violation;

/// The members of a problem body, in this order.
#[derive(Serialize)]
struct ProblemBody<'a, E> {
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    status: u16,
    detail: String,
    code: &'static str,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order_no: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channels: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<E>,
}

impl RefusedRequest {
    /// The problem body. `public_url` is the origin of the installation, `request_id` the id of the request.
    ///
    /// # Errors
    /// If it could not be written.
    pub fn body(&self, public_url: &str, request_id: &str) -> Result<String, Unwritten> {
        let Self { rejection, operation, about } = self;
        let about = about.as_deref();
        let channels = about.and_then(|about| about.channels.as_deref());
        let problem = rejection.problem();
        json::write(&ProblemBody {
            kind: alloc::format!("{public_url}/b/problems/{}/", problem.code),
            title: problem.title,
            status: problem.status,
            detail: rejection.detail(),
            code: problem.code,
            request_id,
            operation: *operation,
            result: operation.map(|_| "failed"),
            session_id: about.and_then(|about| about.session_id.as_deref()),
            reference_number: about.and_then(|about| about.reference.as_ref()).map(ReferenceNumber::as_str),
            order_no: about.and_then(|about| about.order_no.as_deref()),
            channels: channels.map(|channels| channels.iter().map(|channel| channel.as_str()).collect()),
            errors: rejection.violations().map(violation::errors),
        })
    }
}

impl Rejection {
    /// The problem body if it names nothing else.
    ///
    /// # Errors
    /// If it could not be written.
    pub fn body(&self, public_url: &str, request_id: &str) -> Result<String, Unwritten> {
        RefusedRequest::from(self.clone()).body(public_url, request_id)
    }
}
