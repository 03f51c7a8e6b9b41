//! The gateway's codes: which of them approve, which certainly decline and why, and which are not certain.

use alloc::string::String;

use crate::gateway::decline::DeclineReason;

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
    pub(super) fn certain_decline(&self) -> Option<DeclineReason> {
        match self.0.as_str() {
            "DECLINED" => Some(DeclineReason::DoNotHonor),
            "DECLINED_AVS" => Some(DeclineReason::WrongAddress),
            "DECLINED_CSC" | "DECLINED_AVS_CSC" | "INVALID_CSC" => Some(DeclineReason::WrongSecurityCode),
            "DECLINED_INVALID_PIN" => Some(DeclineReason::WrongPin),
            "DECLINED_PIN_REQUIRED" => Some(DeclineReason::AuthenticationRequired),
            "DECLINED_DO_NOT_CONTACT"
            | "DECLINED_PAYMENT_PLAN"
            | "NOT_SUPPORTED"
            | "NOT_ENROLLED_3D_SECURE" => Some(DeclineReason::NotPermitted),
            "EXPIRED_CARD" => Some(DeclineReason::ExpiredCard),
            "INSUFFICIENT_FUNDS" | "NO_BALANCE" => Some(DeclineReason::InsufficientFunds),
            "REFERRED" => Some(DeclineReason::ContactIssuer),
            "BLOCKED" => Some(DeclineReason::SuspectedFraud),
            "CANCELLED" | "ABORTED" => Some(DeclineReason::CanceledByPayer),
            "AUTHENTICATION_FAILED" => Some(DeclineReason::AuthenticationFailed),
            "EXCEEDED_RETRY_LIMIT" => Some(DeclineReason::LimitExceeded),
            _ => None,
        }
    }

    /// Why a payment failed whose order the gateway calls failed.
    pub(super) fn reason(&self) -> DeclineReason {
        match self.0.as_str() {
            "TIMED_OUT"
            | "ACQUIRER_SYSTEM_ERROR"
            | "SYSTEM_ERROR"
            | "UNSPECIFIED_FAILURE"
            | "LOCK_FAILURE"
            | "DUPLICATE_BATCH" => DeclineReason::TechnicalError,
            _ => self.certain_decline().unwrap_or(DeclineReason::Other),
        }
    }
}
