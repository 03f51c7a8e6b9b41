//! The sentence of a problem body: what was wrong with this request.

use alloc::string::String;

use super::Rejection;
use crate::rejection::refusal::CardRefusal;
use crate::violation::Violation;
use crate::words::media_type::MAX_FIELDS;

impl Rejection {
    #[expect(clippy::too_many_lines, reason = "a table")]
    /// A sentence for people that says what is refused, and what is allowed.
    #[must_use]
    pub fn detail(&self) -> String {
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
            Self::OperationNotAllowed { operation, state } => {
                alloc::format!("{operation} is not possible: the payment transaction is {state}")
            }
            Self::OperationAmount { available } => alloc::format!(
                "the amount must be above zero and at most {available} {}",
                available.currency()
            ),
            Self::PriceChanged { total } => alloc::format!(
                "the payer was shown another price: the payment costs {total} {}. Nothing was charged.",
                total.currency()
            ),
            Self::OperationIndivisible { available } => alloc::format!(
                "the amount must be {available} {}: the gateway moves only all that is left",
                available.currency()
            ),
            Self::RemainingChanged { available } => {
                alloc::format!("{available} {} is left", available.currency())
            }
            Self::RefundLimit { limit, left } => alloc::format!(
                "{left} {currency} is left today of the {limit} {currency} that you may refund in a day",
                currency = limit.currency()
            ),
            Self::TooManyRows { max } => {
                alloc::format!("an export has at most {max} rows: narrow the period, and export in parts")
            }
            Self::ApprovalEnded { state } => alloc::format!("the request for approval is {state}"),
            Self::OperationRefused { refusal } => {
                alloc::format!("the operation is not possible: {refusal}")
            }
            Self::PaymentDeclined { message } | Self::OperationDeclined { message } => message.clone(),
            Self::NotInquirable { state } => {
                alloc::format!("the payment transaction is {state} and no payment of it was tried")
            }
            Self::CardRefused(CardRefusal::ExpiresSoon { days }) => {
                alloc::format!("the card must be valid for at least {days} days")
            }
            Self::BodyTooLarge { max } => alloc::format!("the body must have at most {max} bytes"),
            Self::MalformedForm => alloc::format!(
                "the form cannot be read: multipart/form-data needs its boundary in Content-Type and at the end of the \
                 body, and a form has at most {MAX_FIELDS} fields"
            ),
            Self::JsonAsForm => "the body looks like JSON, but its Content-Type says that it is a form: send it with the header \
                 Content-Type: application/json"
                .into(),
            Self::NotUtf8(Violation { path, rule }) => alloc::format!("the body is no JSON: `{path}` {rule}"),
            Self::UnsupportedMediaType { takes } => match takes.media_types() {
                [only] => alloc::format!("the body must have Content-Type {only}"),
                _ => alloc::format!("the body must have one of the Content-Types {}", takes.list()),
            },
            Self::MethodNotAllowed { allow } => alloc::format!("this address answers {allow}"),
            Self::TooManyAttempts { retry_after } => {
                alloc::format!(
                    "the payment transaction was tried too often; try again in {retry_after} seconds"
                )
            }
            Self::TooManyDeclines { retry_after } => {
                alloc::format!(
                    "too many payments of the transaction, or from the address of the payer, were declined; try again \
                     in {retry_after} seconds"
                )
            }
            Self::TooManyRequests { retry_after } => {
                alloc::format!("there were too many requests; try again in {retry_after} seconds")
            }
            Self::TooManySignIns { retry_after } => {
                alloc::format!("too many wrong passwords were tried; try again in {retry_after} seconds")
            }
            Self::MalformedBody
            | Self::Invalid(_)
            | Self::OperationUnsupported
            | Self::OperationForeignCurrency
            | Self::OperationInProgress
            | Self::WalletNotConfigured
            | Self::InstrumentNotOffered
            | Self::PreconditionFailed
            | Self::NotResolvable
            | Self::AlreadyResolved
            | Self::CardLocked
            | Self::AutoDebitUnsupported
            | Self::AutoDebitNotImplemented
            | Self::CardRefused(
                CardRefusal::Unknown
                | CardRefusal::Expired
                | CardRefusal::NotOfAgreement
                | CardRefusal::NeedsPayer,
            )
            | Self::AgreementBroken(_)
            | Self::CredentialsMissing
            | Self::CredentialsInvalid
            | Self::PrivateKeyRequired
            | Self::KeyRequired
            | Self::UserRequired
            | Self::OwnApproval
            | Self::ApprovalOpen
            | Self::PermissionMissing
            | Self::SignatureInvalid
            | Self::NotFound
            | Self::AttemptInProgress
            | Self::Conflict
            | Self::ClockNotMovable
            | Self::MerchantExists
            | Self::IdempotencyKeyMalformed
            | Self::TrackingKeyMalformed
            | Self::KeysDisagree
            | Self::IdempotencyKeyReused
            | Self::Paused
            | Self::Unavailable => self.problem().meaning.into(),
        }
    }
}
