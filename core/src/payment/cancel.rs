//! Canceling a payment transaction (specification, `cancel_url`: makes the transaction unpayable and triggers the
//! webhook), and what its notification says where there is no attempt that it could be about.

use alloc::string::ToString;

use crate::change::{Change, EventKind};
use crate::gateway::charge::PgParams;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::id::ReferenceNumber;
use crate::money::Money;
use crate::payment::attempt::Attempt;
use crate::payment::begin::offered;
use crate::payment::stage::Stage;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::time::Timestamp;
use crate::transaction::Transaction;
use crate::transaction::state::{Event, step};

/// What a notification about a cancellation says in `message`.
const MESSAGE: &str = "the payment was canceled";

/// Ends a transaction that is not paid. Whoever asks has seen to it that no attempt is open.
///
/// # Errors
/// [`Rejection::AttemptInProgress`] under an open attempt, [`Rejection::NotCancelable`] where there is nothing to
/// cancel: it is over, or paid. Cash that was acknowledged is canceled by the merchant, not by the payer.
pub fn cancel(
    transaction: &Transaction,
    latest: Option<&Attempt>,
    now: Timestamp,
) -> Result<Change, Rejection> {
    if latest.is_some_and(|attempt| attempt.stage.is_open()) {
        return Err(Rejection::AttemptInProgress);
    }
    let state = transaction.state_at(now, false);
    let refused = Rejection::NotCancelable { state };
    if !state.is_payable() {
        return Err(refused);
    }
    let mut canceled = transaction.clone();
    canceled.state = step(transaction.state, Event::Canceled).map_err(|_| refused)?;
    Ok(Change::of(canceled, EventKind::Moved(Event::Canceled), now))
}

/// What the notification about a cancellation is about, as if it were an attempt: under a reference of its own, with
/// the gateway that was tried last, else the one that is offered first. It is told, and never stored.
#[must_use]
pub fn notice(
    transaction: &Transaction,
    latest: Option<&Attempt>,
    settings: &MerchantSettings,
    reference: ReferenceNumber,
    now: Timestamp,
) -> Option<Attempt> {
    let blank = match latest {
        Some(latest) => latest.clone(),
        None => untried(transaction, settings, reference.clone(), now)?,
    };
    Some(Attempt {
        reference,
        stage: Stage::Canceled,
        updated_at: now,
        inquire_at: None,
        unknown_since: None,
        page_url: None,
        gateway_id: None,
        message: Some(MESSAGE.to_string()),
        params: PgParams::new(),
        response: None,
        ..blank
    })
}

/// An attempt through the first gateway, had there been one.
fn untried(
    transaction: &Transaction,
    settings: &MerchantSettings,
    reference: ReferenceNumber,
    now: Timestamp,
) -> Option<Attempt> {
    let amount = transaction.amount;
    let first = offered(transaction, settings).next();
    // A gateway that is not configured any more cannot say what it would have cost.
    let unpriced = Quote { amount, fee: Money::zero(amount.currency()), total: amount, rate: None };
    let code = transaction.pg_codes.first()?;
    let profile = first.map(|(profile, _)| profile).or_else(|| settings.gateway(code));
    let name = |profile: &Profile| profile.pg_name.clone();
    Some(Attempt {
        reference,
        session_id: transaction.session_id.clone(),
        merchant: transaction.merchant.clone(),
        number: 0,
        pg_code: profile.map_or(code, |profile| &profile.code).clone(),
        pg_name: profile.map_or_else(|| code.to_string(), name),
        operation: transaction.operation.into(),
        is_sandbox: profile.is_some_and(|profile| profile.sandbox),
        permits_retry: false,
        stage: Stage::Canceled,
        principal: amount,
        quote: first.map_or(unpriced, |(_, quote)| quote),
        opened_at: now,
        updated_at: now,
        inquire_at: None,
        inquiries: 0,
        unknown_since: None,
        page_url: None,
        gateway_id: None,
        message: None,
        params: PgParams::new(),
        response: None,
    })
}
