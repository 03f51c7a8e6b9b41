//! Why an operation is refused, and the problem body that says so (RFC 9457).
//!
//! A [`Rejection`] is closed: its [`code`](Rejection::code) is stable and is what clients match; its
//! [`status`](Rejection::status) is the HTTP status. An error body is `application/problem+json` with `type`,
//! `title`, `status`, `detail`, `code`, `request_id`, and `errors` for fields.

mod body;
mod causes;
mod detail;
mod problems;
pub mod refusal;
mod remedies;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::rejection::refusal::{Breach, CardRefusal, Refusal};
use crate::state::State;
use crate::value::id::ReferenceNumber;
use crate::value::money::Money;
use crate::violation::Violation;
use crate::words::media_type::BodyType;
use crate::words::message::Channel;

pub use causes::CAUSES;
pub use problems::{PROBLEMS, Problem};
pub use remedies::REMEDIES;

/// Why an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// The body is not JSON, or not an object.
    MalformedBody,
    /// The body is a form that cannot be read.
    MalformedForm,
    /// The body is JSON, and is said to be a form.
    JsonAsForm,
    /// A field of the JSON body has bytes that are no UTF-8.
    NotUtf8(Violation),
    /// Fields are wrong; all of them are reported.
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
    /// The operation is not possible in the state of the payment transaction.
    OperationNotAllowed {
        /// What was requested.
        operation: &'static str,
        /// The state it is in.
        state: State,
    },
    /// The gateway of the payment cannot do the operation.
    OperationUnsupported,
    /// The payment was made in another currency than that of the transaction.
    OperationForeignCurrency,
    /// The amount is zero, or more than is left.
    OperationAmount {
        /// How much is left.
        available: Money,
    },
    /// The amount is a part of what is left, and the gateway moves only all of it.
    OperationIndivisible {
        /// How much is left.
        available: Money,
    },
    /// What was done to the payment before excludes the operation.
    OperationRefused {
        /// Why.
        refusal: Refusal,
    },
    /// The payment that was requested with the creation did not succeed; nothing was taken.
    PaymentDeclined {
        /// The gateway's message, at most 255 characters.
        message: String,
    },
    /// The gateway declined the operation.
    OperationDeclined {
        /// The gateway's message, at most 255 characters.
        message: String,
    },
    /// Another operation that excludes this one is in progress.
    OperationInProgress,
    /// Another amount is left for the operation than the caller has seen.
    RemainingChanged {
        /// What is left.
        available: Money,
    },
    /// A table would have more rows than an export has.
    TooManyRows {
        /// How many that are.
        max: u32,
    },
    /// Another request for approval of the same operation is open.
    ApprovalOpen,
    /// It is more than who asks may refund in a day.
    RefundLimit {
        /// How much that is.
        limit: Money,
        /// What is left of it today.
        left: Money,
    },
    /// The request for approval was decided, or is over.
    ApprovalEnded {
        /// Its state.
        state: &'static str,
    },
    /// Who asks for something cannot approve it.
    OwnApproval,
    /// Only a person can approve.
    UserRequired,
    /// The payment transaction was tried too often recently.
    TooManyAttempts {
        /// After how many seconds it may be tried again.
        retry_after: u64,
    },
    /// Too many payments of the transaction, or from the payer's address, were declined recently.
    TooManyDeclines {
        /// After how many seconds the payer may try again.
        retry_after: u64,
    },
    /// The caller called too often.
    TooManyRequests {
        /// After how many seconds the caller may call again.
        retry_after: u64,
    },
    /// No gateway of the merchant accepts the wallet.
    WalletNotConfigured,
    /// The transaction, or the gateway that was named, does not accept this payment method.
    InstrumentNotOffered,
    /// Nothing was paid with the transaction about which a gateway could be asked.
    NotInquirable {
        /// The state it is in.
        state: State,
    },
    /// The transaction is not the version that `If-Match` names.
    PreconditionFailed,
    /// The entry cannot be resolved by the requested action.
    NotResolvable,
    /// The entry of the attention list was resolved before.
    AlreadyResolved,
    /// The saved card is locked by an agreement.
    CardLocked,
    /// No gateway of the transaction debits cards without the payer.
    AutoDebitUnsupported,
    /// The gateway supports it, but its connector has not implemented it.
    AutoDebitNotImplemented,
    /// The saved card is not accepted.
    CardRefused(CardRefusal),
    /// The payment breaks the terms of its agreement.
    AgreementBroken(Breach),
    /// No credentials were given.
    CredentialsMissing,
    /// The credentials are unknown, revoked, expired or malformed.
    CredentialsInvalid,
    /// A public key was given, but a private key is needed.
    PrivateKeyRequired,
    /// A user called what only the keys of the merchant may call.
    KeyRequired,
    /// The user, or the scope of the key, lacks a permission that the operation needs.
    PermissionMissing,
    /// Too many wrong passwords were tried.
    TooManySignIns {
        /// After how many seconds one may be tried again.
        retry_after: u64,
    },
    /// The callback is not signed by the gateway.
    SignatureInvalid,
    /// There is no such thing, or it belongs to someone else.
    NotFound,
    /// The address does not answer this method.
    MethodNotAllowed {
        /// The methods that it answers.
        allow: String,
    },
    /// A payment of this transaction is in progress.
    AttemptInProgress,
    /// Someone else changed the transaction at the same moment.
    Conflict,
    /// The payment costs something else than the payer was shown.
    PriceChanged {
        /// What it costs.
        total: Money,
    },
    /// The merchant has a gateway that is not simulated, so the merchant's clock shows the real time.
    ClockNotMovable,
    /// A merchant with this name exists.
    MerchantExists,
    /// The body has more bytes than the address accepts.
    BodyTooLarge {
        /// The most bytes that are accepted.
        max: usize,
    },
    /// The body is of a media type that the address does not accept.
    UnsupportedMediaType {
        /// What the address accepts.
        takes: BodyType,
    },
    /// The idempotency key is not 1 to 255 visible ASCII characters.
    IdempotencyKeyMalformed,
    /// The tracking key is not 1 to 255 visible ASCII characters.
    TrackingKeyMalformed,
    /// `Tracking-Key` and `Idempotency-Key` are both given, and differ.
    KeysDisagree,
    /// The idempotency key was used with another body.
    IdempotencyKeyReused,
    /// No payment of the merchant may begin for now.
    Paused,
    /// A part of the installation did not answer.
    Unavailable,
}

impl Rejection {
    /// The stable code that clients match.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.problem().code
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.problem().status
    }

    /// The problem that it is.
    fn problem(&self) -> &'static Problem {
        match self {
            Self::MalformedBody | Self::MalformedForm | Self::JsonAsForm | Self::NotUtf8(_) => {
                &problems::MALFORMED_BODY
            }
            Self::Invalid(_) => &problems::INVALID_FIELDS,
            Self::NotPayable { .. } => &problems::NOT_PAYABLE,
            Self::NotUpdatable { .. } => &problems::NOT_UPDATABLE,
            Self::NotCancelable { .. } => &problems::NOT_CANCELABLE,
            Self::OperationNotAllowed { .. } => &problems::OPERATION_NOT_ALLOWED,
            Self::OperationUnsupported => &problems::OPERATION_UNSUPPORTED,
            Self::OperationForeignCurrency => &problems::OPERATION_FOREIGN_CURRENCY,
            Self::OperationAmount { .. } | Self::OperationIndivisible { .. } => &problems::OPERATION_AMOUNT,
            Self::OperationRefused { .. } => &problems::OPERATION_REFUSED,
            Self::PaymentDeclined { .. } => &problems::PAYMENT_DECLINED,
            Self::OperationDeclined { .. } => &problems::OPERATION_DECLINED,
            Self::OperationInProgress => &problems::OPERATION_IN_PROGRESS,
            Self::RemainingChanged { .. } => &problems::REMAINING_CHANGED,
            Self::TooManyRows { .. } => &problems::TOO_MANY_ROWS,
            Self::ApprovalOpen => &problems::APPROVAL_OPEN,
            Self::RefundLimit { .. } => &problems::REFUND_LIMIT,
            Self::ApprovalEnded { .. } => &problems::APPROVAL_ENDED,
            Self::OwnApproval => &problems::OWN_APPROVAL,
            Self::UserRequired => &problems::USER_REQUIRED,
            Self::TooManyAttempts { .. } => &problems::TOO_MANY_ATTEMPTS,
            Self::TooManyDeclines { .. } => &problems::TOO_MANY_DECLINES,
            Self::TooManyRequests { .. } => &problems::TOO_MANY_REQUESTS,
            Self::WalletNotConfigured => &problems::WALLET_NOT_CONFIGURED,
            Self::InstrumentNotOffered => &problems::INSTRUMENT_NOT_OFFERED,
            Self::NotInquirable { .. } => &problems::NOT_INQUIRABLE,
            Self::PreconditionFailed => &problems::PRECONDITION_FAILED,
            Self::NotResolvable => &problems::NOT_RESOLVABLE,
            Self::AlreadyResolved => &problems::ALREADY_RESOLVED,
            Self::CardLocked => &problems::CARD_LOCKED,
            Self::AutoDebitUnsupported => &problems::AUTO_DEBIT_UNSUPPORTED,
            Self::AutoDebitNotImplemented => &problems::AUTO_DEBIT_NOT_IMPLEMENTED,
            Self::CardRefused(refusal) => refusal.problem(),
            Self::AgreementBroken(breach) => breach.problem(),
            Self::CredentialsMissing => &problems::CREDENTIALS_MISSING,
            Self::CredentialsInvalid => &problems::CREDENTIALS_INVALID,
            Self::PrivateKeyRequired => &problems::PRIVATE_KEY_REQUIRED,
            Self::KeyRequired => &problems::KEY_REQUIRED,
            Self::PermissionMissing => &problems::PERMISSION_MISSING,
            Self::TooManySignIns { .. } => &problems::TOO_MANY_SIGN_INS,
            Self::SignatureInvalid => &problems::SIGNATURE_INVALID,
            Self::NotFound => &problems::NOT_FOUND,
            Self::MethodNotAllowed { .. } => &problems::METHOD_NOT_ALLOWED,
            Self::AttemptInProgress => &problems::ATTEMPT_IN_PROGRESS,
            Self::Conflict => &problems::CONFLICT,
            Self::PriceChanged { .. } => &problems::PRICE_CHANGED,
            Self::ClockNotMovable => &problems::CLOCK_NOT_MOVABLE,
            Self::MerchantExists => &problems::MERCHANT_EXISTS,
            Self::BodyTooLarge { .. } => &problems::BODY_TOO_LARGE,
            Self::UnsupportedMediaType { .. } => &problems::UNSUPPORTED_MEDIA_TYPE,
            Self::IdempotencyKeyMalformed => &problems::IDEMPOTENCY_KEY_MALFORMED,
            Self::TrackingKeyMalformed => &problems::TRACKING_KEY_MALFORMED,
            Self::KeysDisagree => &problems::KEYS_DISAGREE,
            Self::IdempotencyKeyReused => &problems::IDEMPOTENCY_KEY_REUSED,
            Self::Paused => &problems::PAUSED,
            Self::Unavailable => &problems::UNAVAILABLE,
        }
    }

    /// After how many seconds the same request may succeed, if that is known.
    #[must_use]
    pub fn retry_after(&self) -> Option<u64> {
        if let Self::TooManyAttempts { retry_after }
        | Self::TooManyDeclines { retry_after }
        | Self::TooManyRequests { retry_after }
        | Self::TooManySignIns { retry_after } = self
        {
            return Some(*retry_after);
        }
        let soon = ["unavailable", "attempt_in_progress", "operation_in_progress", "agreement_in_progress"];
        soon.contains(&self.code()).then_some(1)
    }

    /// This rejection as that of an operation or a payment, which its problem body names.
    #[must_use]
    pub fn during(self, operation: &'static str) -> RefusedRequest {
        RefusedRequest::from(self).during(operation)
    }

    /// What is wrong with each field.
    fn violations(&self) -> Option<&[Violation]> {
        if let Self::Invalid(found) = self {
            Some(found)
        } else if let Self::NotUtf8(found) = self {
            Some(core::slice::from_ref(found))
        } else {
            None
        }
    }
}

/// A request that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRequest {
    /// Why.
    pub rejection: Rejection,
    /// The operation or the payment that was requested: the problem body names it, with `result` `failed`.
    pub operation: Option<&'static str>,
    /// What else the problem body names.
    pub about: Option<Box<AboutRefusal>>,
}

/// What the problem body of a refused request names: what was stored nevertheless, or what was asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AboutRefusal {
    /// The transaction.
    pub session_id: Option<String>,
    /// The attempt.
    pub reference: Option<ReferenceNumber>,
    /// The order number of the transaction.
    pub order_no: Option<String>,
    /// By what messages were to go.
    pub channels: Option<Vec<Channel>>,
}

impl RefusedRequest {
    /// As that of an operation or a payment, unless it names something already.
    #[must_use]
    pub fn during(self, operation: &'static str) -> Self {
        let is_named = self.operation.is_some() || self.about.is_some();
        if is_named { self } else { Self { operation: Some(operation), ..self } }
    }

    /// With what its problem body names.
    #[must_use]
    pub(crate) fn about(self, about: AboutRefusal) -> Self {
        Self { about: Some(Box::new(about)), ..self }
    }
}

impl From<Rejection> for RefusedRequest {
    fn from(rejection: Rejection) -> Self {
        Self { rejection, operation: None, about: None }
    }
}
