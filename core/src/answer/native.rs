//! The answer to a native payment: fewer members than a notification, and some of other types.
//!
//! Decisions: every required member is always there. If nothing was settled, the settled and paid amounts are
//! zero, and `remaining_amount` is all that is to be paid. Numbers are printed from decimal text, so they
//! keep the decimals of their currency. `timestamp_utc` is when the outcome became known, as in every
//! notification, so that the same question gets the same answer until there is another outcome.

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use serde_json::value::RawValue;

use super::body::{AnswerBody, BodyMember, component, written};
use super::payload::put_customer;
use super::token::{ShownCard, token};
use crate::answer::said::message;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::SavedCard;
use crate::payment::known::known_at;
use crate::sdk::method::RedirectFlow;
use crate::sdk::payment::{Challenge, ChallengeStatus};
use crate::settings::MerchantSettings;
use crate::transaction::{Settlement, Transaction};
use crate::value::json::{self, Unwritten};
use crate::value::money::Money;
use crate::webhook::signature::sign;

/// An attempt, with the saved card that it charged.
#[derive(Clone, Copy)]
pub struct CardAttempt<'a> {
    /// The attempt.
    pub attempt: &'a Attempt,
    /// The saved card.
    pub card: Option<&'a SavedCard>,
    /// Whether no other attempt settled the transaction.
    pub counts: bool,
}

written! {
    /// The answer to a native payment.
    NativePayment
}

/// The body of the answer about an attempt, signed with the merchant's HMAC key.
///
/// # Errors
/// If it could not be written.
pub fn native(
    transaction: &Transaction,
    charged: CardAttempt<'_>,
    settings: &MerchantSettings,
    hmac_key: &str,
) -> Result<String, Unwritten> {
    let CardAttempt { attempt, card, counts } = charged;
    let zero = Money::zero(transaction.amount.currency());
    let settlement = settlement_of(transaction, attempt).filter(|_| counts);
    let settled = number(&settlement.map_or(zero, |settlement| settlement.settled).to_string());
    let remaining = number(&unpaid(transaction).unwrap_or(zero).to_string());
    let log = transaction.details.transaction_log_id.and_then(|log| number(&log.to_string()));
    let mut body = AnswerBody::default();
    put_customer(&mut body, &transaction.details);
    // Only notifications have these two.
    body.0.remove("agreement");
    body.0.remove("card_acceptance_criteria");
    body.text("amount", transaction.amount.text());
    body.text("currency_code", transaction.amount.currency().code());
    if !body.0.contains_key("customer_address_country") {
        body.text("customer_address_country", &settings.country);
    }
    body.text("fee", attempt.quote.fee.text());
    body.text("gateway_account", attempt.pg_code.as_str());
    body.text("gateway_name", &attempt.pg_name);
    if attempt.is_sandbox {
        body.0.insert("is_sandbox", BodyMember::Flag(true));
    }
    if let Some(card) = card {
        body.0.insert(
            "token",
            BodyMember::Card(Box::new(token(&ShownCard::of(card, settings, attempt.known_at)))),
        );
    }
    body.text("message", said(transaction, attempt));
    let paid = settlement.and_then(|settlement| settlement.paid).unwrap_or(zero);
    body.text("paid_amount", paid.text());
    body.text("payment_type", transaction.details.payment_type.as_str());
    body.text("reference_number", attempt.reference.as_str());
    body.text("result", attempt.stage.result());
    body.text("session_id", transaction.session_id.as_str());
    body.text("state", transaction.state.as_str());
    body.text("timestamp_utc", known_at(transaction, attempt).text());
    let numbers =
        [("settled_amount", &settled), ("remaining_amount", &remaining), ("transaction_log_id", &log)];
    for (name, number) in numbers {
        if let Some(number) = number {
            body.0.insert(name, BodyMember::Raw(number));
        }
    }
    let signature = sign(|name| body.signed(name), hmac_key);
    body.text("signature", signature);
    json::write(&NativePayment(body))
}

/// The part of the transaction's amount that is not paid.
fn unpaid(transaction: &Transaction) -> Option<Money> {
    match transaction.settlement.as_ref().filter(|_| transaction.state.is_success()) {
        Some(settlement) => transaction.amount.checked_sub(settlement.settled),
        None => Some(transaction.amount),
    }
}

/// The settlement of the transaction, if an attempt that succeeded has it.
fn settlement_of<'a>(transaction: &'a Transaction, attempt: &Attempt) -> Option<&'a Settlement> {
    let is_settled = match attempt.stage {
        Stage::Success | Stage::Cod => transaction.state.is_success(),
        Stage::Sending
        | Stage::Redirected
        | Stage::Unknown
        | Stage::Failed
        | Stage::Canceled
        | Stage::Error => false,
    };
    transaction.settlement.as_ref().filter(|_| is_settled)
}

/// The answer if the payer has to confirm at the address `page_url`. It is not signed.
///
/// # Errors
/// If it could not be written.
pub fn challenge(transaction: &Transaction, attempt: &Attempt, page_url: &str) -> Result<String, Unwritten> {
    json::write(&Challenge {
        challenge_occurred: true,
        form_of_payment: attempt.form_of_payment,
        method: RedirectFlow::Redirect,
        order_no: transaction.details.order_no.clone(),
        redirect_url: page_url.to_string(),
        reference_number: attempt.reference.clone(),
        session_id: transaction.session_id.clone(),
        status: ChallengeStatus::ThreeDs,
    })
}

/// A decimal text as a JSON number.
fn number(text: &str) -> Option<Box<RawValue>> {
    RawValue::from_string(text.to_string()).ok()
}

/// The gateway's message, or what the result means.
fn said<'a>(transaction: &Transaction, attempt: &'a Attempt) -> &'a str {
    let usual = match attempt.stage {
        Stage::Success => "the payment succeeded",
        Stage::Cod => "the payment is made in cash on delivery",
        Stage::Failed => "the payment was declined",
        Stage::Canceled => "the payment was given up",
        Stage::Error => "the gateway did not take the payment",
        Stage::Redirected => "the payer has to confirm the payment",
        Stage::Sending | Stage::Unknown => "the gateway has not confirmed the payment yet",
    };
    message(transaction, attempt).unwrap_or(usual)
}
