//! How a merchant's payments are distributed among its gateways: rules that order those of a transaction, and when one
//! that fails is skipped.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use crate::transaction::Transaction;
use crate::value::id::PgCode;
use crate::value::money::{Currency, Money};
use crate::words::card_brand::CardBrand;

/// The most rules of a merchant.
pub(crate) const MAX_RULES: usize = 50;

/// The member `routing` of a settings document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routing {
    /// The rules; the first that applies orders the gateways.
    pub rules: Vec<RoutingRule>,
    /// Whether a payment that certainly did not reach its gateway is tried through the next one that the payer can
    /// exchange for it.
    pub has_fallback: bool,
    /// Whether a payment that its gateway declined softly goes on through the next one.
    pub goes_on: bool,
    /// When a gateway is skipped.
    pub skip: Skip,
}

/// When a gateway that fails is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skip {
    /// After how many failures in a row.
    pub after: u32,
    /// For how long.
    pub period: Duration,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutingRule {
    /// Its name in the recorded decisions.
    pub name: String,
    /// To which payments it applies.
    pub when: Condition,
    /// The gateways that come first, in this order.
    pub gateways: Vec<Share>,
}

/// A gateway of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The gateway.
    pub code: PgCode,
    /// Of how many of a hundred transactions it is the first; every gateway of a rule has a share, or none has.
    pub percent: Option<u8>,
}

/// To which payments a rule applies; what is empty applies to all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Condition {
    /// The currencies of the transaction.
    pub currencies: Vec<Currency>,
    /// The countries of the billing address, ISO 3166-1 alpha-2.
    pub countries: Vec<String>,
    /// The smallest amount of the transaction, in its currency.
    pub at_least: Option<Money>,
    /// The largest one.
    pub at_most: Option<Money>,
    /// The brands of the card, where it is known before the gateway is chosen.
    pub card_brands: Vec<CardBrand>,
}

impl Condition {
    /// Whether it applies to a payment by a card of `brand`, if that is known.
    #[must_use]
    pub(crate) fn applies(&self, transaction: &Transaction, brand: Option<CardBrand>) -> bool {
        let amount = transaction.amount;
        let is_within = |limit: Option<Money>, fits: fn(&Money, &Money) -> bool| {
            limit.is_none_or(|limit| limit.currency() == amount.currency() && fits(&amount, &limit))
        };
        (self.currencies.is_empty() || self.currencies.contains(&amount.currency()))
            && (self.countries.is_empty()
                || transaction
                    .details
                    .billing_country()
                    .is_some_and(|country| self.countries.iter().any(|listed| *listed == country)))
            && (self.card_brands.is_empty() || brand.is_some_and(|brand| self.card_brands.contains(&brand)))
            && is_within(self.at_least, |amount, limit| amount.minor() >= limit.minor())
            && is_within(self.at_most, |amount, limit| amount.minor() <= limit.minor())
    }
}
