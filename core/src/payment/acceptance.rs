//! Which cards a direct payment accepts: a card of the transaction's customer, gateways and environment,
//! valid for as long as the merchant requires.

use crate::card::SavedCard;
use crate::card::expiry::Expiry;
use crate::gateway::profile::Profile;
use crate::payment::routing::accepting;
use crate::rejection::Rejection;
use crate::rejection::refusal::CardRefusal;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

/// The gateway of a transaction through which a card can be charged.
///
/// # Errors
/// [`CardRefusal::Unknown`] for a card of another customer, gateway or environment.
pub(crate) fn gateway_of<'s>(
    transaction: &Transaction,
    settings: &'s MerchantSettings,
    saved: &SavedCard,
) -> Result<&'s Profile, CardRefusal> {
    let card = &saved.card;
    let is_customers = transaction.details.customer_id.as_ref() == Some(&card.holder.customer_id);
    let is_merchants = transaction.merchant == card.holder.merchant;
    accepting(transaction, settings)
        .map(|(profile, _)| profile)
        .find(|profile| {
            let is_gateways = profile.code == card.pg_code && profile.sandbox == card.holder.is_sandbox;
            is_customers && is_merchants && is_gateways && profile.saves_cards()
        })
        .ok_or(CardRefusal::Unknown)
}

/// Whether a gateway charges one of its cards without the payer.
///
/// # Errors
/// [`Rejection::AutoDebitUnsupported`], [`Rejection::AutoDebitNotImplemented`], or why the card is not
/// accepted.
pub(crate) fn check_debit(profile: &Profile, saved: &SavedCard, now: Timestamp) -> Result<(), Rejection> {
    if !profile.auto_debit {
        return Err(Rejection::AutoDebitUnsupported);
    }
    if !profile.capabilities().debits_saved_cards {
        return Err(Rejection::AutoDebitNotImplemented);
    }
    if saved.card.expiry.is_over(now) {
        return Err(Rejection::CardRefused(CardRefusal::Expired));
    }
    if saved.card.cvv_required { Err(Rejection::CardRefused(CardRefusal::NeedsPayer)) } else { Ok(()) }
}

/// Whether the merchant may charge a card without the payer, according to the card and its gateway:
/// `auto_debit_enabled`.
#[must_use]
pub(crate) fn is_debited(settings: &MerchantSettings, saved: &SavedCard, now: Timestamp) -> bool {
    settings.gateway(&saved.card.pg_code).is_some_and(|profile| {
        let is_its_own = profile.sandbox == saved.card.holder.is_sandbox && profile.saves_cards();
        is_its_own && check_debit(profile, saved, now).is_ok()
    })
}

/// Whether a card is valid for long enough.
///
/// # Errors
/// [`CardRefusal::Expired`], or [`CardRefusal::ExpiresSoon`].
pub(crate) fn check_expiry(
    transaction: &Transaction,
    expiry: Expiry,
    now: Timestamp,
) -> Result<(), CardRefusal> {
    if expiry.is_over(now) {
        return Err(CardRefusal::Expired);
    }
    let days = transaction.details.card_criteria().and_then(|criteria| criteria.min_expiry_time);
    match days {
        Some(days) if expiry.ends_within(days, now) => Err(CardRefusal::ExpiresSoon { days }),
        Some(_) | None => Ok(()),
    }
}
