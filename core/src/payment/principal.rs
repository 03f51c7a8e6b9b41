//! How much of a transaction a payer pays: its amount, or, if the payer may choose, the amount that they
//! typed.
//!
//! Decision: whether the payer may choose is decided by the settings of the plugin at the time when the
//! transaction was made. A link that was sent keeps what it promised, and what was reported about a payment
//! stays true.

use crate::attempt::Attempt;
use crate::rejection::Rejection;
use crate::transaction::Transaction;
use crate::value::choice::{AmountChoice, ChoiceError, PrincipalError};
use crate::value::money::{AmountError, Money};
use crate::violation::{Rule, Violation};
use crate::words::payment_type::PaymentType;

/// What the payer of a transaction may choose; `None` if they pay its amount.
#[must_use]
pub fn choice(transaction: &Transaction) -> Option<AmountChoice> {
    let is_editable = transaction.details.is_amount_editable
        && match transaction.details.payment_type {
            PaymentType::OneOff | PaymentType::SaveCard => true,
            // An agreement is charged whole: its terms are about the amount that the merchant says.
            PaymentType::AutoDebit => false,
        };
    is_editable.then(|| AmountChoice::up_to(transaction.amount)).flatten()
}

/// The principal of an attempt: what the payer typed, otherwise the amount of the transaction.
///
/// # Errors
/// A violation on `amount`: what was typed is not an amount that may be chosen, or differs from that of the
/// transaction if nothing may be chosen.
pub fn principal(transaction: &Transaction, typed: Option<&str>) -> Result<Money, Rejection> {
    read_principal(transaction, typed, AmountChoice::read)
}

/// As [`principal`], from what was typed on the hosted page.
///
/// # Errors
/// As [`principal`].
pub(crate) fn typed_principal(transaction: &Transaction, typed: Option<&str>) -> Result<Money, Rejection> {
    read_principal(transaction, typed, AmountChoice::read_typed)
}

/// Whether an amount is what the transaction asks for at this moment, or one that its payer may choose.
pub(crate) fn is_asked_for(transaction: &Transaction, principal: Money) -> bool {
    let is_chosen = |choice: AmountChoice| choice.read_typed(&principal.text()).is_ok();
    let is_same_currency = principal.currency() == transaction.amount.currency();
    principal == transaction.amount || is_same_currency && choice(transaction).is_some_and(is_chosen)
}

/// What a payer who tries again wants to pay: what they chose for the attempt before, if they may choose it now.
pub(crate) fn chosen_before(transaction: &Transaction, before: &Attempt) -> Money {
    let (whole, principal) = (transaction.amount, before.principal);
    let again = choice(transaction).filter(|_| principal.currency() == whole.currency());
    again.and_then(|choice| choice.read_typed(&principal.text()).ok()).unwrap_or(whole)
}

fn read_principal(
    transaction: &Transaction,
    typed: Option<&str>,
    read: fn(&AmountChoice, &str) -> Result<Money, ChoiceError>,
) -> Result<Money, Rejection> {
    let whole = transaction.amount;
    let Some(typed) = typed else { return Ok(whole) };
    let rule = match choice(transaction) {
        Some(choice) => match read(&choice, typed) {
            Ok(amount) => return Ok(amount),
            Err(ChoiceError::Amount(error)) => Rule::Amount(error),
            Err(ChoiceError::Ambiguous) => Rule::Amount(AmountError::Malformed),
            Err(ChoiceError::NotCharged) => Rule::Principal(PrincipalError::NotCharged),
            Err(ChoiceError::OutOfRange) => Rule::Principal(PrincipalError::OutOfRange(choice)),
        },
        None if Money::parse(typed, whole.currency()) == Ok(whole) => return Ok(whole),
        None => Rule::Principal(PrincipalError::Fixed(whole)),
    };
    Err(Rejection::Invalid([Violation::new("amount", rule)].into()))
}
