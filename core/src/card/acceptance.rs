//! Which cards a direct payment takes (specification, `card_acceptance_criteria`): one of the transaction's customer,
//! gateways and environment, good for as long as the merchant asks.

use super::KeptCard;
use super::expiry::Expiry;
use crate::gateway::profile::Profile;
use crate::payment::begin::offered;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::time::Timestamp;
use crate::transaction::Transaction;

/// Why a kept card is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardRefusal {
    /// There is no such card of the transaction's customer at one of its gateways.
    Unknown,
    /// It is no longer good.
    Expired,
    /// It is good for fewer days than `min_expiry_time` asks.
    ExpiresSoon {
        /// The days asked for.
        days: u16,
    },
    /// The payment is under an agreement, and another card, or none, stands for it.
    NotOfAgreement,
    /// Its gateway wants the security code, which only the payer has.
    NeedsPayer,
}

impl CardRefusal {
    /// The stable code of the refusal.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unknown => "card_unknown",
            Self::Expired => "card_expired",
            Self::ExpiresSoon { .. } => "card_expires_soon",
            Self::NotOfAgreement => "card_not_of_agreement",
            Self::NeedsPayer => "card_needs_payer",
        }
    }
}

/// The gateway of a transaction through which a card can be charged.
///
/// # Errors
/// [`CardRefusal::Unknown`] for a card of another customer, gateway or environment.
pub fn gateway_of<'s>(
    transaction: &Transaction,
    settings: &'s MerchantSettings,
    kept: &KeptCard,
) -> Result<&'s Profile, CardRefusal> {
    let card = &kept.card;
    let is_customers = transaction.details.customer_id.as_ref() == Some(&card.holder.customer_id);
    let is_merchants = transaction.merchant == card.holder.merchant;
    offered(transaction, settings)
        .map(|(profile, _)| profile)
        .find(|profile| {
            let is_gateways = profile.code == card.pg_code && profile.sandbox == card.holder.is_sandbox;
            is_customers && is_merchants && is_gateways && profile.keeps_cards()
        })
        .ok_or(CardRefusal::Unknown)
}

/// Whether a gateway charges a card of its own without the payer.
///
/// # Errors
/// [`Rejection::AutoDebitUnsupported`], [`Rejection::AutoDebitNotImplemented`], or why the card is not taken.
pub fn check_debit(profile: &Profile, kept: &KeptCard, now: Timestamp) -> Result<(), Rejection> {
    if !profile.auto_debit {
        return Err(Rejection::AutoDebitUnsupported);
    }
    if !profile.connector.charges_kept_cards() {
        return Err(Rejection::AutoDebitNotImplemented);
    }
    if kept.card.expiry.is_over(now) {
        return Err(Rejection::CardRefused(CardRefusal::Expired));
    }
    if kept.card.cvv_required { Err(Rejection::CardRefused(CardRefusal::NeedsPayer)) } else { Ok(()) }
}

/// Whether the merchant may charge a card without the payer, as far as the card and its gateway say: `auto_debit_enabled`.
#[must_use]
pub fn is_debited(settings: &MerchantSettings, kept: &KeptCard, now: Timestamp) -> bool {
    settings.gateway(&kept.card.pg_code).is_some_and(|profile| {
        let is_its_own = profile.sandbox == kept.card.holder.is_sandbox && profile.keeps_cards();
        is_its_own && check_debit(profile, kept, now).is_ok()
    })
}

/// Whether a card is good for long enough.
///
/// # Errors
/// [`CardRefusal::Expired`], or [`CardRefusal::ExpiresSoon`].
pub fn check_expiry(transaction: &Transaction, expiry: Expiry, now: Timestamp) -> Result<(), CardRefusal> {
    if expiry.is_over(now) {
        return Err(CardRefusal::Expired);
    }
    let days = transaction.details.card_criteria().and_then(|criteria| criteria.min_expiry_time);
    match days {
        Some(days) if expiry.ends_within(days, now) => Err(CardRefusal::ExpiresSoon { days }),
        Some(_) | None => Ok(()),
    }
}
