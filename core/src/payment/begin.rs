//! Opening an attempt: what is payable (wire: created, pending or attempted, in time, through a gateway of
//! the transaction that accepts the currency), and what an attempt that is still open permits.

use crate::attempt::Attempt;
use crate::attempt::stage::{Fact, Stage, advance};
use crate::card::usage::CardUse;
use crate::change::{AttemptWrite, Change, EventKind};
use crate::gateway::charge::{ChargeOperation, PgParams};
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::payment::apply::settle_transaction;
use crate::payment::chase;
use crate::payment::routing::accepting;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::state::{Event, State, step};
use crate::transaction::Transaction;
use crate::value::choice::PrincipalError;
use crate::value::id::{PgCode, ReferenceNumber};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::violation::{Rule, Violation};
use crate::words::payment_type::PaymentType;

/// The gateway through which the payer wants to pay.
///
/// # Errors
/// A violation on `pg_code` if the transaction does not offer it, or the merchant no longer has it in the
/// transaction's currency.
pub(crate) fn choose_profile<'s>(
    transaction: &Transaction,
    settings: &'s MerchantSettings,
    code: &str,
) -> Result<&'s Profile, Rejection> {
    accepting(transaction, settings)
        .find(|(profile, _)| profile.code.as_str() == code)
        .map(|(profile, _)| profile)
        .ok_or_else(|| Rejection::Invalid([Violation::new("pg_code", Rule::GatewayNotOffered)].into()))
}

/// Ends a transaction for which the merchant's configuration no longer offers a payment method; `None` if it
/// offers one, the transaction is not payable, or an attempt is still open.
#[must_use]
pub fn invalidate(
    transaction: &Transaction,
    latest: Option<&Attempt>,
    settings: &MerchantSettings,
    now: Timestamp,
) -> Option<Change> {
    let is_open = Attempt::has_open(latest);
    if is_open || !transaction.state.is_payable() || accepting(transaction, settings).next().is_some() {
        return None;
    }
    let mut invalided = transaction.clone();
    invalided.move_to(step(transaction.state, Event::Invalided).ok()?, now);
    Some(Change::of(invalided, EventKind::Moved(Event::Invalided), now))
}

/// What an attempt that is still open means for a payer who wants to pay through `code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// No attempt is open: a new one may begin.
    Free,
    /// The payer goes back to the page of the same gateway over the same amount, if it still waits.
    Resume,
    /// The payer changed the method or the amount: the old attempt is withdrawn at its gateway first.
    Replace,
}

/// What a payer wants to pay.
#[derive(Debug, Clone, Copy)]
pub struct WantedPayment<'a> {
    /// The gateway.
    pub code: &'a PgCode,
    /// How much of the transaction's amount.
    pub principal: Money,
}

/// What an attempt is opened over.
#[derive(Debug, Clone, Copy)]
pub struct AttemptTerms<'a> {
    /// The gateway.
    pub profile: &'a Profile,
    /// How much of the transaction's amount.
    pub principal: Money,
    /// What the payer pays with.
    pub form_of_payment: FormOfPayment,
}

/// Whether a payer may pay now through a gateway, `principal` of the transaction's amount, and how.
///
/// # Errors
/// [`Rejection::NotPayable`] in a state or at a time without payment; [`Rejection::AttemptInProgress`] while
/// an outcome is awaited, or if the open attempt is the only one that its gateway permits.
pub fn may_open(
    transaction: &Transaction,
    latest: Option<&Attempt>,
    wanted: WantedPayment<'_>,
    now: Timestamp,
) -> Result<Opening, Rejection> {
    let open = latest.filter(|attempt| attempt.is_open());
    let state = transaction.state_at(now, open.is_some());
    if !state.is_payable() {
        return Err(Rejection::NotPayable { state });
    }
    match open {
        None => Ok(Opening::Free),
        Some(attempt) if attempt.was_never_shown() && !transaction.is_over(now) => Ok(Opening::Replace),
        Some(attempt) if attempt.stage != Stage::Redirected => Err(Rejection::AttemptInProgress),
        Some(_) if transaction.is_over(now) => Err(Rejection::NotPayable { state: State::Expired }),
        Some(attempt) if attempt.pg_code == *wanted.code && attempt.principal == wanted.principal => {
            Ok(Opening::Resume)
        }
        Some(attempt) if attempt.permits_retry => Ok(Opening::Replace),
        Some(_) => Err(Rejection::AttemptInProgress),
    }
}

/// What a payment through a gateway costs now. The page of a gateway that permits no other attempt still asks for what it was
/// opened with.
pub(crate) fn quote_of(latest: Option<&Attempt>, profile: &Profile, principal: Money) -> Option<Quote> {
    let waiting = latest.filter(|attempt| {
        attempt.stage == Stage::Redirected
            && !attempt.permits_retry
            && attempt.pg_code == profile.code
            && attempt.principal == principal
    });
    waiting.map(|attempt| attempt.quote).or_else(|| profile.quote(principal))
}

/// Opens an attempt over `principal` of the transaction's amount: the change is committed *before* the
/// gateway is asked anything. For cash, which has no gateway, the same change acknowledges the payment.
///
/// # Errors
/// [`Rejection::NotPayable`] if the state permits no attempt; a violation on `amount` if the gateway cannot
/// charge it.
pub fn begin(
    transaction: &Transaction,
    latest: Option<&Attempt>,
    terms: AttemptTerms<'_>,
    reference: ReferenceNumber,
    now: Timestamp,
) -> Result<Change, Rejection> {
    let AttemptTerms { profile, principal, form_of_payment } = terms;
    let not_payable = Rejection::NotPayable { state: transaction.state };
    let not_charged =
        || Rejection::Invalid([Violation::new("amount", Rule::Principal(PrincipalError::NotCharged))].into());
    let quote = profile.quote(principal).ok_or_else(not_charged)?;
    let mut attempt = Attempt {
        reference,
        session_id: transaction.session_id.clone(),
        merchant: transaction.merchant.clone(),
        number: latest.map_or(1, |latest| latest.number.saturating_add(1)),
        pg_code: profile.code.clone(),
        pg_name: profile.pg_name.clone(),
        operation: match transaction.details.payment_type {
            PaymentType::OneOff | PaymentType::AutoDebit => profile.operation.into(),
            PaymentType::SaveCard => ChargeOperation::Verify,
        },
        form_of_payment,
        is_sandbox: profile.sandbox,
        permits_retry: profile.multiple_attempts,
        card: if transaction.saves_card_by_itself() && profile.can_save_card(transaction) {
            CardUse::Save
        } else {
            CardUse::Nothing
        },
        stage: Stage::Sending,
        principal,
        quote,
        opened_at: now,
        updated_at: now,
        known_at: now,
        inquire_at: Some(now.plus(chase::SENDING_GRACE)),
        inquiries: 0,
        unknown_since: None,
        page_url: None,
        gateway_id: None,
        message: None,
        params: PgParams::new(),
        response: None,
    };
    let mut next = transaction.clone();
    let event = if profile.is_cash() {
        attempt.stage = advance(Stage::Sending, Fact::CashAcknowledged).ok_or(not_payable.clone())?;
        attempt.inquire_at = None;
        settle_transaction(&mut next, &attempt);
        Event::CashAcknowledged
    } else {
        Event::AttemptOpened
    };
    next.move_to(step(transaction.state, event).map_err(|_| not_payable)?, now);
    Ok(Change::of(next, EventKind::Moved(event), now).with_attempt(AttemptWrite::Open(attempt)))
}
