//! Why a flow gave no answer.

use crate::port::{CommitError, PortError};
use crate::rejection::{RefusedRequest, Rejection};

/// Why a flow gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The request is refused.
    Refused(RefusedRequest),
    /// A part of the world failed; the caller is answered that the service is unavailable.
    World(PortError),
}

impl Failure {
    /// A refusal as that of an operation or a payment.
    #[must_use]
    pub fn during(self, operation: &'static str) -> Self {
        match self {
            Self::Refused(refused) => Self::Refused(refused.during(operation)),
            world @ Self::World(_) => world,
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

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict | CommitError::KeyTaken => Rejection::Conflict.into(),
            CommitError::Failed(error) => Self::World(error),
        }
    }
}
