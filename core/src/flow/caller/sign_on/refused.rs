//! Why a provider did not say who a user is.

use alloc::string::String;
use core::fmt;

use crate::access::fault::TokenFault;
use crate::flow::Failure;
use crate::port::PortError;
use crate::rejection::Rejection;

/// Why a provider did not say who a user is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The token, or the password, is refused.
    Fault(TokenFault),
    /// The provider, or a part of the world, failed: whether the token is right is not known.
    World(PortError),
}

impl From<TokenFault> for Refused {
    fn from(fault: TokenFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<PortError> for Refused {
    fn from(error: PortError) -> Self {
        Self::World(error)
    }
}

/// The caller is answered that its credentials are invalid, never why.
impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Fault(_) => Rejection::CredentialsInvalid.into(),
            Refused::World(error) => Self::World(error),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => f.write_str(fault.as_str()),
            Self::World(error) => error.fmt(f),
        }
    }
}

/// The provider failed, or says what cannot be used.
pub(super) fn away(detail: impl Into<String>) -> Refused {
    Refused::World(PortError { port: "single sign-on", detail: detail.into() })
}
