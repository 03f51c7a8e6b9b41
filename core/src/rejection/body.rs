//! The problem body of a rejection (RFC 9457).

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::Rejection;
use crate::value::id::ReferenceNumber;
use crate::value::json;
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

impl Rejection {
    /// The problem body. `public_url` is the origin of the installation, `request_id` the id of the request.
    #[must_use]
    pub fn body(&self, public_url: &str, request_id: &str) -> String {
        let (mut session, mut reference_number, mut order, mut asked) = (None, None, None, None);
        let within = if let Self::Left { session_id, reference, rejection } = self {
            session = Some(session_id.as_str());
            reference_number = reference.as_ref().map(ReferenceNumber::as_str);
            rejection.as_ref()
        } else if let Self::NotNotified { session_id, order_no, channels, rejection } = self {
            session = session_id.as_deref();
            order = order_no.as_deref();
            asked = Some(channels.iter().map(|channel| channel.as_str()).collect());
            rejection.as_ref()
        } else {
            self
        };
        let operation = if let Self::During { operation, .. } = within { Some(*operation) } else { None };
        let body = ProblemBody {
            kind: alloc::format!("{public_url}/b/problems/{}/", self.code()),
            title: self.problem().title,
            status: self.status(),
            detail: self.detail(),
            code: self.code(),
            request_id,
            operation,
            result: operation.map(|_| "failed"),
            session_id: session,
            reference_number,
            order_no: order,
            channels: asked,
            errors: within.plain().violations().map(violation::errors),
        };
        json::write(&body)
    }
}
