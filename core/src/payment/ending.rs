//! Ending a payment transaction on request: canceling (which makes the transaction unpayable and triggers the
//! webhook), expiring and deleting it; and what its notification says if there is no attempt that it could be
//! about.

use alloc::string::ToString;

use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::usage::CardUse;
use crate::change::{Change, EventKind};
use crate::gateway::charge::PgParams;
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::payment::routing::offered;
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::state::{Event, State, step};
use crate::transaction::Transaction;
use crate::value::id::ReferenceNumber;
use crate::value::money::Money;
use crate::value::time::Timestamp;

/// What the notification about an end says in `message`.
const fn message(state: State) -> &'static str {
    match state {
        State::Expired => "the time to pay is over",
        State::Invalided => "the payment is not possible any more",
        State::Created
        | State::Pending
        | State::Attempted
        | State::Authorized
        | State::Paid
        | State::Failed
        | State::Canceled
        | State::Refunded
        | State::Cod => "the payment was canceled",
    }
}

/// How a transaction is ended on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The payer gives up.
    CanceledByPayer,
    /// The merchant does not want it any more.
    CanceledByMerchant,
    /// The merchant ends it early, as it would end when its time is over.
    Expired,
    /// The merchant hides it. What happened to it is never erased, and outcomes of it are still recorded.
    Deleted,
}

impl Ending {
    /// The event of the transaction; `None` if its state does not change.
    const fn event(self) -> Option<Event> {
        match self {
            Self::CanceledByPayer | Self::CanceledByMerchant => Some(Event::Canceled),
            Self::Expired => Some(Event::Expired),
            Self::Deleted => None,
        }
    }
}

/// Ends a transaction. The caller has made sure that no attempt is open.
///
/// # Errors
/// [`Rejection::AttemptInProgress`] if an attempt is open, [`Rejection::NotCancelable`] if there is nothing
/// to cancel, [`Rejection::OperationNotAllowed`] if there is nothing to expire: it is over, or paid. Cash
/// that was acknowledged is canceled by the merchant, not by the payer.
pub fn end(
    transaction: &Transaction,
    latest: Option<&Attempt>,
    ending: Ending,
    now: Timestamp,
) -> Result<Change, Rejection> {
    if Attempt::has_open(latest) {
        return Err(Rejection::AttemptInProgress);
    }
    let mut next = transaction.clone();
    let Some(event) = ending.event() else { return Ok(Change::of(next, EventKind::Deleted, now)) };
    let state = transaction.state_at(now, false);
    let refused = || match ending {
        Ending::CanceledByPayer | Ending::CanceledByMerchant => Rejection::NotCancelable { state },
        Ending::Expired | Ending::Deleted => Rejection::OperationNotAllowed { operation: "expire", state },
    };
    if !(state.is_payable() || (ending == Ending::CanceledByMerchant && state == State::Cod)) {
        return Err(refused());
    }
    next.move_to(step(transaction.state, event).map_err(|_| refused())?, now);
    Ok(Change::of(next, EventKind::Moved(event), now))
}

/// The subject of the notification about a cancellation or another end, in the form of an attempt: with a
/// separate reference, and the gateway that was tried last, otherwise the one that is offered first. It is
/// sent, and never stored.
#[must_use]
pub fn notice(
    transaction: &Transaction,
    latest: Option<&Attempt>,
    situation: &Situation,
    reference: ReferenceNumber,
    now: Timestamp,
) -> Option<Attempt> {
    let blank = match latest {
        Some(latest) => latest.clone(),
        None => untried(transaction, situation, reference.clone(), now)?,
    };
    Some(Attempt {
        reference,
        stage: Stage::Canceled,
        updated_at: now,
        known_at: transaction.moved_at,
        inquire_at: None,
        unknown_since: None,
        page_url: None,
        gateway_id: None,
        message: Some(message(transaction.state).to_string()),
        params: PgParams::new(),
        response: None,
        ..blank
    })
}

/// An attempt through the first gateway, as if there had been one.
fn untried(
    transaction: &Transaction,
    situation: &Situation,
    reference: ReferenceNumber,
    now: Timestamp,
) -> Option<Attempt> {
    let amount = transaction.amount;
    let first = offered(transaction, situation).next();
    // A gateway that is no longer configured cannot say what it would have cost.
    let unpriced = Quote { amount, fee: Money::zero(amount.currency()), total: amount, rate: None };
    let code = transaction.pg_codes.first()?;
    let profile = first.map(|(profile, _)| profile).or_else(|| situation.settings.gateway(code));
    let name = |profile: &Profile| profile.pg_name.clone();
    Some(Attempt {
        reference,
        session_id: transaction.session_id.clone(),
        merchant: transaction.merchant.clone(),
        number: 0,
        pg_code: profile.map_or(code, |profile| &profile.code).clone(),
        pg_name: profile.map_or_else(|| code.to_string(), name),
        operation: profile.map_or(transaction.operation, |profile| profile.operation).into(),
        form_of_payment: FormOfPayment::Redirect,
        is_sandbox: profile.is_some_and(|profile| profile.sandbox),
        permits_retry: false,
        card: CardUse::Nothing,
        stage: Stage::Canceled,
        principal: amount,
        quote: first.map_or(unpriced, |(_, quote)| quote),
        opened_at: now,
        updated_at: now,
        known_at: now,
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
