//! `POST /b/pbl/v2/operation/` does something to a payment: captures, refunds, voids, cancels, expires or
//! deletes it.

use alloc::string::{String, ToString};

use serde_json::value::RawValue;

use super::target::{self, Target};
use crate::operation::command::Command;
use crate::rejection::Rejection;
use crate::value::money::{Currency, Money};
use crate::wire::field::Fields;
use crate::wire::json::{is_empty_list, record, unquote};
use crate::words::ChildOperation;
use crate::words::operation_reason::OperationReason;

/// The most bytes of `extra`, as written.
const MAX_EXTRA_BYTES: usize = 16_384;
/// The most characters of `note`.
const MAX_NOTE: usize = 500;
/// The most characters of a key.
const MAX_KEY: usize = 255;

record! {
    /// The body, each field raw. `null` reads as absent, unknown keys are ignored.
    pub struct RawOperation<'a> {
        /// The command.
        pub operation,
        /// The id of the transaction.
        pub session_id,
        /// Its order number, if the id is not given.
        pub order_no,
        /// How much; for refunds and captures only.
        pub amount,
        /// How much was left for the operation when the caller looked: it moves nothing if that has changed.
        pub remaining,
        /// The merchant's own keys.
        pub extra,
        /// The destination of a refund: `pg`.
        pub destination,
        /// Why it is asked for; for captures, refunds and voids.
        pub reason,
        /// What there is to note about it, in one line; for captures, refunds and voids.
        pub note,
    }
}

/// A request that satisfies every rule that can be checked without the transaction.
#[derive(Debug)]
pub struct CheckedOperation<'a> {
    /// The command.
    pub command: Command,
    /// The transaction.
    pub target: Target,
    /// How much, raw: its currency is that of the transaction.
    pub amount: Option<&'a RawValue>,
    /// How much was left when the caller looked, raw like the amount.
    pub remaining: Option<&'a RawValue>,
    /// The merchant's own keys, as JSON text.
    pub extra: Option<String>,
    /// Why it is asked for.
    pub reason: Option<OperationReason>,
    /// What is noted about it.
    pub note: Option<String>,
}

impl<'a> RawOperation<'a> {
    /// Checks every field.
    ///
    /// # Errors
    /// [`Rejection::Invalid`] with every violation.
    pub fn check(&self) -> Result<CheckedOperation<'a>, Rejection> {
        let mut fields = Fields::default();
        let command = fields.required("operation", self.operation, |f, p, raw| {
            f.word(p, raw, Command::WORDS, Command::parse)
        });
        let target = target::read_strictly(&mut fields, self.session_id, self.order_no);
        let moves_amount =
            matches!(command, Some(Command::Move(ChildOperation::Refund | ChildOperation::Capture)));
        let amount = self.amount.filter(|_| moves_amount);
        // Which decimals it may have is known with the transaction; what is not an amount at all is reported
        // now.
        fields.unless_absent("amount", amount, |f, p, raw| f.any_amount(p, raw, None).map(|_| ()));
        let remaining = self.remaining.filter(|_| matches!(command, Some(Command::Move(_))));
        fields.unless_absent("remaining", remaining, |f, p, raw| f.any_amount(p, raw, None).map(|_| ()));
        let extra = fields.unless_absent("extra", self.extra, |f, p, raw| {
            f.object(p, raw, MAX_EXTRA_BYTES)?;
            // PHP writes an empty object so.
            Some(if is_empty_list(raw) { "{}".to_string() } else { raw.get().to_string() })
        });
        if command == Some(Command::Move(ChildOperation::Refund)) {
            fields.unless_absent("destination", self.destination, |f, p, raw| {
                f.word(p, raw, &["pg"], |word| (word == "pg").then_some(()))
            });
        }
        let moves_money = matches!(command, Some(Command::Move(_)));
        let reason = self.reason.filter(|_| moves_money);
        let reason = fields.unless_absent("reason", reason, |f, p, raw| {
            f.word(p, raw, OperationReason::WORDS, OperationReason::parse)
        });
        let note = self.note.filter(|_| moves_money);
        let note = fields.unless_absent("note", note, |f, p, raw| f.line(p, raw, MAX_NOTE));
        let found = fields.finish();
        match (command, target) {
            (Some(command), Some(target)) if found.is_empty() => {
                Ok(CheckedOperation { command, target, amount, remaining, extra, reason, note })
            }
            _ => Err(Rejection::Invalid(found)),
        }
    }
}

impl CheckedOperation<'_> {
    /// How much, in the currency of the transaction.
    ///
    /// # Errors
    /// A violation on `amount`.
    pub fn amount(&self, currency: Currency) -> Result<Option<Money>, Rejection> {
        amount_of("amount", self.amount, currency)
    }

    /// How much was left when the caller looked, in the currency of the transaction.
    ///
    /// # Errors
    /// A violation on `remaining`.
    pub fn remaining(&self, currency: Currency) -> Result<Option<Money>, Rejection> {
        amount_of("remaining", self.remaining, currency)
    }
}

fn amount_of(
    name: &'static str,
    raw: Option<&RawValue>,
    currency: Currency,
) -> Result<Option<Money>, Rejection> {
    let mut fields = Fields::default();
    let amount = fields.optional(name, raw, |f, p, raw| f.any_amount(p, raw, Some(currency))?.money);
    let found = fields.finish();
    if found.is_empty() { Ok(amount) } else { Err(Rejection::Invalid(found)) }
}

/// The key under which an operation is done at most once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OperationKey {
    /// The key.
    pub text: String,
    /// Whether it came as `Idempotency-Key`, with which the request must be the same each time.
    pub is_strict: bool,
}

/// Reads the header `Tracking-Key`: 1 to 255 visible ASCII characters. The header `Idempotency-Key` has the
/// same effect, and may be in quotes; if both are given, they must be equal.
///
/// # Errors
/// [`Rejection::TrackingKeyMalformed`], [`Rejection::IdempotencyKeyMalformed`], [`Rejection::KeysDisagree`].
pub(crate) fn operation_key(
    tracking: Option<&str>,
    idempotency: Option<&str>,
) -> Result<Option<OperationKey>, Rejection> {
    let tracking = tracking.map(str::trim);
    let idempotency = idempotency.map(unquote);
    let is_bad =
        |key: &str| !(1..=MAX_KEY).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic());
    if tracking.is_some_and(is_bad) {
        return Err(Rejection::TrackingKeyMalformed);
    }
    if idempotency.is_some_and(is_bad) {
        return Err(Rejection::IdempotencyKeyMalformed);
    }
    match (tracking, idempotency) {
        (Some(one), Some(other)) if one != other => Err(Rejection::KeysDisagree),
        (one, other) => {
            let key = |text: &str| OperationKey { text: text.to_string(), is_strict: other.is_some() };
            Ok(one.or(other).map(key))
        }
    }
}
