//! What is charged is what the payer was shown.

use crate::gateway::profile::Profile;
use crate::gateway::shown::ShownPrice;
use crate::gateway::terms::Quote;
use crate::rejection::Rejection;
use crate::transaction::Transaction;
use crate::value::money::Money;

/// A page charges what it shows.
///
/// # Errors
/// [`Rejection::PriceChanged`] if the payment costs something else.
pub(crate) fn check_shown(
    shown: &ShownPrice,
    profile: &Profile,
    principal: Money,
    quote: &Quote,
) -> Result<(), Rejection> {
    if shown.is_of(quote, profile.terms(principal.currency())) {
        return Ok(());
    }
    Err(Rejection::PriceChanged { total: quote.total })
}

/// What was agreed on is still the amount of the transaction.
///
/// # Errors
/// If the merchant changed it: [`Rejection::PriceChanged`] for a payer, to whom a price was shown, otherwise
/// [`Rejection::Conflict`].
pub(crate) fn check_unchanged(
    agreed: Money,
    transaction: &Transaction,
    profile: &Profile,
    shown: Option<&ShownPrice>,
) -> Result<(), Rejection> {
    let amount = transaction.amount;
    if amount == agreed {
        return Ok(());
    }
    let total = profile.quote(amount).map_or(amount, |quote| quote.total);
    Err(shown.map_or(Rejection::Conflict, |_| Rejection::PriceChanged { total }))
}
