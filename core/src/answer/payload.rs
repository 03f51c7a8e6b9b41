//! The body of a payment notification, serialised once and signed.

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use rust_decimal::Decimal;

use super::body::{AnswerBody, BodyMember, Labelled, component, raw_object, written};
use super::operation::children;
use super::token::{ShownCard, token};
use crate::answer::said::message;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::child::amounts::Balance;
use crate::gateway::dispute::Dispute;
use crate::operation::begin::Books;
use crate::payment::known::known_at;
use crate::payment::principal::choice;
use crate::transaction::fields::transaction_fields;
use crate::transaction::initiator::Initiator;
use crate::transaction::{Details, Transaction};
use crate::value::json::{self, Unwritten};
use crate::value::money::Money;
use crate::webhook::signature::sign;

/// The smallest `fee`, `refunded_amount` and `voided_amount`. A smaller fee, which a currency of three or
/// four decimals can have, is reported in `amount_details` alone, and a smaller amount that was given back in
/// the child transactions.
const SMALLEST_FEE: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// Why a notification is sent; only answers to a gateway's own callback contain the gateway's raw answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The gateway called back.
    Callback,
    /// Anything else.
    Other,
}

/// What a notification reports in addition to the transaction and the attempt.
#[derive(Debug, Clone, Copy)]
pub struct Additions<'a> {
    /// Why it is sent.
    pub cause: Cause,
    /// The saved card with which it was paid, or that was saved by it.
    pub card: Option<ShownCard<'a>>,
    /// A payment that succeeded, with everything that was done to it.
    pub books: Option<&'a Books>,
}

impl Additions<'_> {
    /// Only why it is sent.
    #[must_use]
    pub const fn of(cause: Cause) -> Self {
        Self { cause, card: None, books: None }
    }
}

written! {
    /// A payment notification.
    Notification
}

/// The body of the notification about `attempt`, signed with the merchant's HMAC key.
///
/// Its `sequence` is the number of the transaction's last event, that of the event that caused it: what a
/// receiver has with a larger one is newer. The `signature` does not cover it.
///
/// # Errors
/// If it could not be written.
pub fn payload(
    transaction: &Transaction,
    attempt: &Attempt,
    additions: Additions<'_>,
    hmac_key: &str,
) -> Result<String, Unwritten> {
    let mut body = AnswerBody::default();
    put_amounts(&mut body, transaction, attempt);
    if let Some(books) = additions.books {
        put_operations(&mut body, transaction, books);
    }
    put_gateway(&mut body, transaction, attempt, additions.cause);
    put_customer(&mut body, &transaction.details);
    if let Some(card) = &additions.card {
        body.0.insert("token", BodyMember::Card(Box::new(token(card))));
    }
    if let Some(user) = Initiator::named(transaction.details.initiator.as_deref()) {
        body.0.insert("initiator", BodyMember::Initiator(user));
    }
    body.text("payment_type", transaction.details.payment_type.as_str());
    body.text("operation", attempt.operation.indicator());
    body.text("reference_number", attempt.reference.as_str());
    body.text("result", attempt.stage.result());
    body.0.insert("sequence", BodyMember::Number(transaction.version));
    body.text("session_id", transaction.session_id.as_str());
    body.text("state", transaction.state.as_str());
    body.text("timestamp_utc", known_at(transaction, attempt).text());
    let signature = sign(|name| body.signed(name), hmac_key);
    body.text("signature", signature);
    json::write(&Notification(body))
}

fn put_amounts<'a>(body: &mut AnswerBody<'a>, transaction: &'a Transaction, attempt: &Attempt) {
    let quote = attempt.quote;
    body.text("amount", transaction.amount.text());
    body.text("currency_code", transaction.amount.currency().code());
    let mut details = AnswerBody::default();
    details.text("amount", quote.amount.text());
    details.text("currency_code", quote.amount.currency().code());
    details.text("fee", quote.fee.text());
    details.text("total", quote.total.text());
    if let Some(rate) = quote.rate {
        details.text("exchange_rate", rate.to_string());
    }
    body.0.insert("amount_details", BodyMember::Object(details));
    if quote.fee.to_decimal() >= SMALLEST_FEE {
        body.text("fee", quote.fee.text());
    }
    if let Some(settlement) = transaction.settlement.as_ref().filter(|_| transaction.state.is_success()) {
        body.text("settled_amount", settlement.settled.text());
        if let Some(paid) = settlement.paid {
            body.text("paid_amount", paid.text());
        }
    }
    if let Some(remaining) = remaining(transaction) {
        body.text("remaining_amount", remaining.text());
    }
}

/// What was given back and released, and the child transactions; the list goes out under both of its names.
fn put_operations<'a>(body: &mut AnswerBody<'a>, transaction: &'a Transaction, books: &'a Books) {
    let order_no = transaction.details.order_no.as_deref();
    let balance = books.balance();
    let (refunded, voided) =
        (balance.as_ref().and_then(Balance::refunded), balance.as_ref().and_then(Balance::voided));
    for (name, sum) in [("refunded_amount", refunded), ("voided_amount", voided)] {
        if let Some(sum) = sum.filter(|sum| sum.to_decimal() >= SMALLEST_FEE) {
            body.text(name, sum.text());
        }
    }
    for name in ["transaction", "transactions"] {
        let shown = children(&books.children, order_no);
        if !shown.is_empty() {
            body.0.insert(name, BodyMember::Objects(shown));
        }
    }
}

/// The part of an editable amount that is still to be paid; `None` if it is less than the least amount that
/// may be chosen.
fn remaining(transaction: &Transaction) -> Option<Money> {
    let choice = choice(transaction)?;
    let settled = transaction.settlement.as_ref().filter(|_| transaction.state.is_success());
    let remaining = match settled {
        Some(settlement) => transaction.amount.checked_sub(settlement.settled)?,
        None => transaction.amount,
    };
    (remaining.minor() >= choice.least().minor()).then_some(remaining)
}

fn put_gateway<'a>(body: &mut AnswerBody<'a>, transaction: &Transaction, attempt: &'a Attempt, cause: Cause) {
    body.text("gateway_account", attempt.pg_code.as_str());
    body.text("gateway_name", &attempt.pg_name);
    body.0.insert("pg_params", BodyMember::Params(Labelled(&attempt.params)));
    if let Some(dispute) = Dispute::of(&attempt.params) {
        body.0.insert("dispute", BodyMember::Object(shown_dispute(dispute)));
    }
    if attempt.is_sandbox {
        body.0.insert("is_sandbox", BodyMember::Flag(true));
    }
    if !matches!(attempt.stage, Stage::Success | Stage::Cod)
        && let Some(message) = message(transaction, attempt)
    {
        body.text("message", message);
    }
    if cause == Cause::Callback
        && let Some(raw) = raw_object(attempt.response.as_deref())
    {
        body.0.insert("gateway_response", BodyMember::Raw(raw));
    }
}

/// The dispute about the payment, as the gateway last said it is.
fn shown_dispute<'a>(dispute: Dispute) -> AnswerBody<'a> {
    let Dispute { id, status, reason, amount, answer_until, said_at: _ } = dispute;
    let mut shown = AnswerBody::default();
    if let Some(amount) = amount {
        shown.text("amount", amount.text());
        shown.text("currency_code", amount.currency().code());
    }
    if let Some(until) = answer_until {
        shown.text("answer_until", until.text());
    }
    shown.text("id", id);
    if let Some(reason) = reason {
        shown.text("reason", reason);
    }
    shown.text("status", status.as_str());
    shown
}

macro_rules! declare_notified {
    ($($name:ident $(=> $put:ident)?;)*) => {
        /// Who pays, and what the merchant said about the payment.
        pub(crate) fn put_customer<'a>(body: &mut AnswerBody<'a>, details: &'a Details) {
            $(put_field!(body, details, $name $(, $put)?);)*
        }
    };
}

macro_rules! put_field {
    ($body:ident, $details:ident, $name:ident) => {
        $body.optional(stringify!($name), $details.$name.as_ref())
    };
    ($body:ident, $details:ident, $name:ident, $put:ident) => {
        $put($body, $details)
    };
}
transaction_fields!(notified => declare_notified);

/// The billing address, as that of the customer.
fn put_address<'a>(body: &mut AnswerBody<'a>, details: &'a Details) {
    let Some(address) = &details.billing_address else { return };
    body.text("customer_address_city", &address.city);
    body.text("customer_address_country", &address.country);
    body.text("customer_address_line1", &address.line1);
    body.optional("customer_address_line2", address.line2.as_ref());
    body.optional("customer_address_postal_code", address.postal_code.as_ref());
    body.optional("customer_address_state", address.state.as_ref());
}

/// The requirements for a card that apply, with their defaults.
fn put_criteria(body: &mut AnswerBody<'_>, details: &Details) {
    if let Some(criteria) = details.card_criteria() {
        body.0.insert("card_acceptance_criteria", BodyMember::Criteria(criteria));
    }
}
