//! Why an operation is refused, and the problem body that says so (RFC 9457).
//!
//! A [`Rejection`] is closed: its [`code`](Rejection::code) is stable and is what clients match, its
//! [`status`](Rejection::status) stands beside it. The specification leaves the shape of error bodies open; ours is
//! `application/problem+json` with `type`, `title`, `status`, `detail`, `code`, `request_id`, and `errors` for fields.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::transaction::state::State;
use crate::violation::{self, Violation};

/// Why an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// The body is not JSON, or not an object.
    MalformedBody,
    /// Fields are wrong; all of them are named.
    Invalid(Vec<Violation>),
    /// The transaction cannot be paid in its state.
    NotPayable {
        /// The state it is in.
        state: State,
    },
    /// The transaction cannot be changed in its state.
    NotUpdatable {
        /// The state it is in.
        state: State,
    },
    /// The transaction cannot be canceled in its state.
    NotCancelable {
        /// The state it is in.
        state: State,
    },
    /// The transaction is not the version that `If-Match` names.
    PreconditionFailed,
    /// The entry cannot be resolved by the action asked for.
    NotResolvable,
    /// No credentials were given.
    CredentialsMissing,
    /// The credentials are unknown, revoked, expired or malformed.
    CredentialsInvalid,
    /// A public key was given where a private key is needed.
    PrivateKeyRequired,
    /// The user lacks a permission that the operation needs.
    PermissionMissing,
    /// The callback is not signed by the gateway.
    SignatureInvalid,
    /// There is no such thing, or it belongs to somebody else.
    NotFound,
    /// The address does not answer this method.
    MethodNotAllowed {
        /// The methods that it answers.
        allow: &'static str,
    },
    /// A payment of this transaction is under way.
    AttemptInProgress,
    /// Somebody else changed the transaction at the same moment.
    Conflict,
    /// A merchant of this name exists.
    MerchantExists,
    /// The body has more bytes than the address takes.
    BodyTooLarge {
        /// The most bytes that are taken.
        max: usize,
    },
    /// The body is of a media type that the address does not take.
    UnsupportedMediaType,
    /// The idempotency key is not 1 to 255 visible ASCII characters.
    IdempotencyKeyMalformed,
    /// The idempotency key was used with another body.
    IdempotencyKeyReused,
    /// A part of the installation did not answer.
    Unavailable,
}

/// The members of a problem body, in this order.
#[derive(Serialize)]
struct Body<'a, E> {
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    status: u16,
    detail: String,
    code: &'static str,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<E>,
}

/// One entry of the table of problems, as the pages under `/b/problems/` show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    /// The stable code.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// A short name.
    pub title: &'static str,
    /// What it means and what to do.
    pub meaning: &'static str,
}

/// Every problem that the API answers with.
pub const PROBLEMS: &[Problem] = &[
    Problem {
        code: "malformed_body",
        status: 400,
        title: "Malformed body",
        meaning: "The body must be one JSON object in UTF-8. Nothing was stored.",
    },
    Problem {
        code: "invalid_fields",
        status: 400,
        title: "Invalid fields",
        meaning: "Every wrong field is named under `errors` with what is allowed. Nothing was stored.",
    },
    Problem {
        code: "not_payable",
        status: 400,
        title: "Not payable",
        meaning: "The payment transaction is in a state in which it cannot be paid.",
    },
    Problem {
        code: "not_updatable",
        status: 400,
        title: "Not updatable",
        meaning: "The payment transaction is in a state in which it cannot be changed.",
    },
    Problem {
        code: "not_cancelable",
        status: 400,
        title: "Not cancelable",
        meaning: "The payment transaction is in a state in which there is nothing to cancel.",
    },
    Problem {
        code: "precondition_failed",
        status: 412,
        title: "Precondition failed",
        meaning: "The payment transaction was changed since the version that `If-Match` names. Retrieve it and try again.",
    },
    Problem {
        code: "not_resolvable",
        status: 400,
        title: "Not resolvable",
        meaning: "The entry of the attention list cannot be resolved by this action in its present state.",
    },
    Problem {
        code: "credentials_missing",
        status: 401,
        title: "Credentials missing",
        meaning: "Send `Authorization: Api-Key <key>`.",
    },
    Problem {
        code: "credentials_invalid",
        status: 401,
        title: "Credentials invalid",
        meaning: "The credentials are unknown, revoked, expired or malformed.",
    },
    Problem {
        code: "private_key_required",
        status: 401,
        title: "Private key required",
        meaning: "A public key cannot do this; send the private key from a server.",
    },
    Problem {
        code: "permission_missing",
        status: 403,
        title: "Permission missing",
        meaning: "The user lacks a permission that this operation needs. Nothing was changed.",
    },
    Problem {
        code: "signature_invalid",
        status: 401,
        title: "Signature invalid",
        meaning: "The callback is not signed with the key of the gateway.",
    },
    Problem {
        code: "not_found",
        status: 404,
        title: "Not found",
        meaning: "There is no such resource for these credentials.",
    },
    Problem {
        code: "method_not_allowed",
        status: 405,
        title: "Method not allowed",
        meaning: "The header `Allow` lists the methods of this address.",
    },
    Problem {
        code: "attempt_in_progress",
        status: 409,
        title: "Attempt in progress",
        meaning: "A payment of this transaction is under way. Retrieve it and try again when its outcome is known.",
    },
    Problem {
        code: "conflict",
        status: 409,
        title: "Conflict",
        meaning: "The resource was changed at the same moment. Retrieve it and try again.",
    },
    Problem {
        code: "merchant_exists",
        status: 409,
        title: "Merchant exists",
        meaning: "A merchant with this id exists.",
    },
    Problem {
        code: "body_too_large",
        status: 413,
        title: "Body too large",
        meaning: "The body has more bytes than this address takes.",
    },
    Problem {
        code: "unsupported_media_type",
        status: 415,
        title: "Unsupported media type",
        meaning: "Send `Content-Type: application/json`.",
    },
    Problem {
        code: "idempotency_key_malformed",
        status: 400,
        title: "Idempotency key malformed",
        meaning: "The header `Idempotency-Key` must be 1 to 255 visible ASCII characters.",
    },
    Problem {
        code: "idempotency_key_reused",
        status: 422,
        title: "Idempotency key reused",
        meaning: "The idempotency key was used before with another body. Use a new key for a new request.",
    },
    Problem {
        code: "unavailable",
        status: 503,
        title: "Unavailable",
        meaning: "A part of the service did not answer. Try again; with the same idempotency key nothing is done twice.",
    },
];

impl Rejection {
    /// The stable code that clients match.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::MalformedBody => "malformed_body",
            Self::Invalid(_) => "invalid_fields",
            Self::NotPayable { .. } => "not_payable",
            Self::NotUpdatable { .. } => "not_updatable",
            Self::NotCancelable { .. } => "not_cancelable",
            Self::PreconditionFailed => "precondition_failed",
            Self::NotResolvable => "not_resolvable",
            Self::CredentialsMissing => "credentials_missing",
            Self::CredentialsInvalid => "credentials_invalid",
            Self::PrivateKeyRequired => "private_key_required",
            Self::PermissionMissing => "permission_missing",
            Self::SignatureInvalid => "signature_invalid",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed { .. } => "method_not_allowed",
            Self::AttemptInProgress => "attempt_in_progress",
            Self::Conflict => "conflict",
            Self::MerchantExists => "merchant_exists",
            Self::BodyTooLarge { .. } => "body_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::IdempotencyKeyMalformed => "idempotency_key_malformed",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::Unavailable => "unavailable",
        }
    }

    /// The HTTP status beside the code.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.problem().map_or(500, |problem| problem.status)
    }

    fn problem(&self) -> Option<&'static Problem> {
        let code = self.code();
        PROBLEMS.iter().find(|problem| problem.code == code)
    }

    fn detail(&self) -> String {
        match self {
            Self::NotPayable { state } => {
                alloc::format!("the payment transaction is {state} and cannot be paid")
            }
            Self::NotUpdatable { state } => {
                alloc::format!("the payment transaction is {state} and cannot be changed")
            }
            Self::NotCancelable { state } => {
                alloc::format!("the payment transaction is {state} and cannot be canceled")
            }
            Self::BodyTooLarge { max } => alloc::format!("the body must have at most {max} bytes"),
            Self::MethodNotAllowed { allow } => alloc::format!("this address answers {allow}"),
            Self::MalformedBody
            | Self::Invalid(_)
            | Self::PreconditionFailed
            | Self::NotResolvable
            | Self::CredentialsMissing
            | Self::CredentialsInvalid
            | Self::PrivateKeyRequired
            | Self::PermissionMissing
            | Self::SignatureInvalid
            | Self::NotFound
            | Self::AttemptInProgress
            | Self::Conflict
            | Self::MerchantExists
            | Self::UnsupportedMediaType
            | Self::IdempotencyKeyMalformed
            | Self::IdempotencyKeyReused
            | Self::Unavailable => self.problem().map_or("", |problem| problem.meaning).into(),
        }
    }

    /// The problem body. `public_url` is the origin of the installation, `request_id` the id of the request.
    #[must_use]
    pub fn body(&self, public_url: &str, request_id: &str) -> String {
        let body = Body {
            kind: alloc::format!("{public_url}/b/problems/{}/", self.code()),
            title: self.problem().map_or("", |problem| problem.title),
            status: self.status(),
            detail: self.detail(),
            code: self.code(),
            request_id,
            errors: if let Self::Invalid(violations) = self {
                Some(violation::errors(violations))
            } else {
                None
            },
        };
        // Texts and numbers always serialise.
        serde_json::to_string(&body).unwrap_or_default()
    }
}
