//! Why a flow gave no answer.

use crate::port::{CommitError, PortError};
use crate::rejection::{RefusedRequest, Rejection};
use crate::value::json::Unwritten;

/// Why a flow gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The request is refused.
    Refused(RefusedRequest),
    /// A part of the world failed; the caller is answered that the service is unavailable.
    World(PortError),
    /// The answer could not be written, which is a fault of ours.
    Unwritten,
}

impl Failure {
    /// What failed, for the operator's log; `None` for a refusal.
    #[must_use]
    pub fn fault(&self) -> Option<PortError> {
        match self {
            Self::Refused(_) => None,
            Self::World(error) => Some(error.clone()),
            Self::Unwritten => Some(Unwritten.into()),
        }
    }

    /// A refusal as that of an operation or a payment.
    #[must_use]
    pub fn during(self, operation: &'static str) -> Self {
        match self {
            Self::Refused(refused) => Self::Refused(refused.during(operation)),
            failed @ (Self::World(_) | Self::Unwritten) => failed,
        }
    }
}

impl From<Rejection> for Failure {
    fn from(rejection: Rejection) -> Self {
        Self::Refused(rejection.into())
    }
}

impl From<RefusedRequest> for Failure {
    fn from(refused: RefusedRequest) -> Self {
        Self::Refused(refused)
    }
}

impl From<PortError> for Failure {
    fn from(error: PortError) -> Self {
        Self::World(error)
    }
}

impl From<Unwritten> for Failure {
    fn from(_: Unwritten) -> Self {
        Self::Unwritten
    }
}

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict | CommitError::KeyTaken => Rejection::Conflict.into(),
            CommitError::Failed(error) => Self::World(error),
        }
    }
}
