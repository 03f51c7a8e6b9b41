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
use crate::value::id::{ReferenceNumber, SessionId};
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
    /// An operation or a payment was refused: its problem body names it, with `result` `failed`.
    During {
        /// What was requested.
        operation: &'static str,
        /// Why it was refused.
        rejection: Box<Rejection>,
    },
    /// A payment that was requested with the creation was refused after the transaction was stored, which the
    /// problem body names.
    Left {
        /// The transaction.
        session_id: SessionId,
        /// The attempt, if there is one.
        reference: Option<ReferenceNumber>,
        /// Why it was refused.
        rejection: Box<Rejection>,
    },
    /// Messages that a merchant asked for are not sent: the problem body repeats what was asked.
    NotNotified {
        /// The transaction, if it was named by its id.
        session_id: Option<String>,
        /// Its order number, if it was named by that.
        order_no: Option<String>,
        /// By what they were to go.
        channels: Vec<Channel>,
        /// Why they are not sent.
        rejection: Box<Rejection>,
    },
    /// Nothing was paid with the transaction about which a gateway could be asked.
    NotInquirable {
        /// The state it is in.
        state: State,
    },
    /// The transaction is not the version that `If-Match` names.
    PreconditionFailed,
    /// The entry cannot be resolved by the requested action.
    NotResolvable,
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
        match self {
            Self::MalformedBody | Self::MalformedForm | Self::JsonAsForm | Self::NotUtf8(_) => {
                "malformed_body"
            }
            Self::Invalid(_) => "invalid_fields",
            Self::NotPayable { .. } => "not_payable",
            Self::NotUpdatable { .. } => "not_updatable",
            Self::NotCancelable { .. } => "not_cancelable",
            Self::OperationNotAllowed { .. } => "operation_not_allowed",
            Self::OperationUnsupported => "operation_unsupported",
            Self::OperationForeignCurrency => "operation_foreign_currency",
            Self::OperationAmount { .. } | Self::OperationIndivisible { .. } => "operation_amount",
            Self::OperationRefused { .. } => "operation_refused",
            Self::PaymentDeclined { .. } => "payment_declined",
            Self::OperationDeclined { .. } => "operation_declined",
            Self::OperationInProgress => "operation_in_progress",
            Self::TooManyAttempts { .. } => "too_many_attempts",
            Self::TooManyDeclines { .. } => "too_many_declines",
            Self::TooManyRequests { .. } => "too_many_requests",
            Self::WalletNotConfigured => "wallet_not_configured",
            Self::InstrumentNotOffered => "instrument_not_offered",
            Self::During { rejection, .. }
            | Self::Left { rejection, .. }
            | Self::NotNotified { rejection, .. } => rejection.code(),
            Self::NotInquirable { .. } => "not_inquirable",
            Self::PreconditionFailed => "precondition_failed",
            Self::NotResolvable => "not_resolvable",
            Self::CardLocked => "card_locked",
            Self::AutoDebitUnsupported => "auto_debit_unsupported",
            Self::AutoDebitNotImplemented => "auto_debit_not_implemented",
            Self::CardRefused(refusal) => refusal.code(),
            Self::AgreementBroken(breach) => breach.code(),
            Self::CredentialsMissing => "credentials_missing",
            Self::CredentialsInvalid => "credentials_invalid",
            Self::PrivateKeyRequired => "private_key_required",
            Self::KeyRequired => "key_required",
            Self::PermissionMissing => "permission_missing",
            Self::TooManySignIns { .. } => "too_many_sign_ins",
            Self::SignatureInvalid => "signature_invalid",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed { .. } => "method_not_allowed",
            Self::AttemptInProgress => "attempt_in_progress",
            Self::Conflict => "conflict",
            Self::PriceChanged { .. } => "price_changed",
            Self::ClockNotMovable => "clock_not_movable",
            Self::MerchantExists => "merchant_exists",
            Self::BodyTooLarge { .. } => "body_too_large",
            Self::UnsupportedMediaType { .. } => "unsupported_media_type",
            Self::IdempotencyKeyMalformed => "idempotency_key_malformed",
            Self::TrackingKeyMalformed => "tracking_key_malformed",
            Self::KeysDisagree => "keys_disagree",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::Paused => "paused",
            Self::Unavailable => "unavailable",
        }
    }

    /// The HTTP status for the code.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.problem().map_or(500, |problem| problem.status)
    }

    fn problem(&self) -> Option<&'static Problem> {
        let code = self.code();
        PROBLEMS.iter().find(|problem| problem.code == code)
    }

    /// After how many seconds the same request may succeed, if that is known.
    #[must_use]
    pub fn retry_after(&self) -> Option<u64> {
        if let Self::TooManyAttempts { retry_after }
        | Self::TooManyDeclines { retry_after }
        | Self::TooManyRequests { retry_after }
        | Self::TooManySignIns { retry_after } = self.plain()
        {
            return Some(*retry_after);
        }
        let soon = ["unavailable", "attempt_in_progress", "operation_in_progress", "agreement_in_progress"];
        soon.contains(&self.code()).then_some(1)
    }

    /// This rejection as that of an operation or a payment, which its problem body names.
    #[must_use]
    pub fn during(self, operation: &'static str) -> Self {
        if matches!(self, Self::During { .. } | Self::Left { .. } | Self::NotNotified { .. }) {
            return self;
        }
        Self::During { operation, rejection: Box::new(self) }
    }

    /// The rejection itself, without the operation that was refused.
    #[must_use]
    pub fn plain(&self) -> &Self {
        if let Self::During { rejection, .. }
        | Self::Left { rejection, .. }
        | Self::NotNotified { rejection, .. } = self
        {
            rejection.plain()
        } else {
            self
        }
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
