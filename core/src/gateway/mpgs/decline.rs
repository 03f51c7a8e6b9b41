//! The gateway's codes: which of them approve, which certainly decline and why, and which are not certain.

use alloc::string::String;

use crate::gateway::decline::Reason;

/// A `gatewayCode`; empty if the answer gives none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Code(pub(super) String);

impl Code {
    /// Whether it says that everything that was asked for was done.
    pub(super) fn is_approval(&self) -> bool {
        matches!(
            self.0.as_str(),
            "APPROVED" | "APPROVED_AUTO" | "APPROVED_PENDING_SETTLEMENT" | "BASIC_VERIFICATION_SUCCESSFUL"
        )
    }

    /// Why it was declined; `None` for a code that does not say that it certainly was.
    pub(super) fn certain_decline(&self) -> Option<Reason> {
        match self.0.as_str() {
            "DECLINED" => Some(Reason::DoNotHonor),
            "DECLINED_AVS" => Some(Reason::WrongAddress),
            "DECLINED_CSC" | "DECLINED_AVS_CSC" | "INVALID_CSC" => Some(Reason::WrongSecurityCode),
            "DECLINED_INVALID_PIN" => Some(Reason::WrongPin),
            "DECLINED_PIN_REQUIRED" => Some(Reason::AuthenticationRequired),
            "DECLINED_DO_NOT_CONTACT"
            | "DECLINED_PAYMENT_PLAN"
            | "NOT_SUPPORTED"
            | "NOT_ENROLLED_3D_SECURE" => Some(Reason::NotPermitted),
            "EXPIRED_CARD" => Some(Reason::ExpiredCard),
            "INSUFFICIENT_FUNDS" | "NO_BALANCE" => Some(Reason::InsufficientFunds),
            "REFERRED" => Some(Reason::ContactIssuer),
            "BLOCKED" => Some(Reason::SuspectedFraud),
            "CANCELLED" | "ABORTED" => Some(Reason::CanceledByPayer),
            "AUTHENTICATION_FAILED" => Some(Reason::AuthenticationFailed),
            "EXCEEDED_RETRY_LIMIT" => Some(Reason::LimitExceeded),
            _ => None,
        }
    }

    /// Why a payment failed whose order the gateway calls failed.
    pub(super) fn reason(&self) -> Reason {
        match self.0.as_str() {
            "TIMED_OUT"
            | "ACQUIRER_SYSTEM_ERROR"
            | "SYSTEM_ERROR"
            | "UNSPECIFIED_FAILURE"
            | "LOCK_FAILURE"
            | "DUPLICATE_BATCH" => Reason::TechnicalError,
            _ => self.certain_decline().unwrap_or(Reason::Other),
        }
    }
}
