//! What the token endpoint answers: a token, or why there is none (RFC 6749, 5.1 and 5.2).

use schemars::JsonSchema;
use serde::Serialize;

use alloc::string::String;

/// A token of access. It has no `Debug`: the token is a secret.
#[derive(Clone, Serialize, JsonSchema)]
pub struct TokenGiven {
    /// The token, for the header `Authorization: Bearer`.
    pub access_token: String,
    /// How it is used.
    #[schemars(extend("enum" = ["Bearer"]))]
    pub token_type: &'static str,
    /// For how many seconds it is valid.
    pub expires_in: u64,
}

/// Why there is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenRefusal {
    /// The form is not what the grant needs; what is wrong with it.
    InvalidRequest(&'static str),
    /// The client is unknown, or its secret wrong.
    InvalidClient,
    /// The name or the password is wrong, or the user may not sign in.
    InvalidGrant,
    /// There is no such grant.
    UnsupportedGrantType,
    /// There are no scopes.
    InvalidScope,
    /// There were too many wrong passwords, or requests.
    TooMany {
        /// After how many seconds it can be tried again.
        retry_after: u64,
    },
    /// A part of the service failed.
    Unavailable,
}

/// The body that says why there is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TokenProblem {
    /// The code of RFC 6749.
    #[schemars(extend("enum" = ["invalid_request", "invalid_client", "invalid_grant", "unsupported_grant_type", "invalid_scope", "temporarily_unavailable"]))]
    pub error: &'static str,
    /// What is wrong, for developers.
    pub error_description: &'static str,
}

impl TokenRefusal {
    /// The HTTP status.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            Self::InvalidClient => 401,
            Self::TooMany { .. } => 429,
            Self::Unavailable => 503,
            Self::InvalidRequest(_)
            | Self::InvalidGrant
            | Self::UnsupportedGrantType
            | Self::InvalidScope => 400,
        }
    }

    /// The body.
    #[must_use]
    pub fn body(self) -> TokenProblem {
        let (error, error_description) = match self {
            Self::InvalidRequest(detail) => ("invalid_request", detail),
            Self::InvalidClient => (
                "invalid_client",
                "the client is a private key: its id is the prefix, its secret what follows the dot",
            ),
            Self::InvalidGrant => ("invalid_grant", "the name or the password is wrong"),
            Self::UnsupportedGrantType => {
                ("unsupported_grant_type", "`grant_type` is password or client_credentials")
            }
            Self::InvalidScope => {
                ("invalid_scope", "there are no scopes: a token may what its user or key may")
            }
            Self::TooMany { .. } => (
                "temporarily_unavailable",
                "there were too many wrong passwords, or requests; the header Retry-After says when to try again",
            ),
            Self::Unavailable => ("temporarily_unavailable", "nothing was stored; try again"),
        };
        TokenProblem { error, error_description }
    }
}
