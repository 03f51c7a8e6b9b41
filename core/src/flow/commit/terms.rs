//! By what payments are found: terms are made with the change that stores them, and for a search.

use alloc::vec::Vec;

use crate::change::{AttemptWrite, Change};
use crate::port::{Vault, World};
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::transaction::listing::search::{PaymentSearch, Term};

/// For what the keys of terms are.
const PURPOSE: &str = "search";

/// By what the payer of a transaction is found.
pub(in crate::flow) fn contact(
    world: &impl World,
    transaction: &Transaction,
    settings: &MerchantSettings,
) -> Option<Vec<Term>> {
    let key = world.vault().derived(PURPOSE).into_iter().next()?;
    let Transaction { merchant, details, .. } = transaction;
    let email = details.customer_email.as_deref();
    let phone = details.customer_phone.as_deref();
    let email = email.and_then(|email| Term::of_email(&key.bytes, merchant, email));
    let phone = phone.and_then(|phone| Term::of_phone(&key.bytes, merchant, phone, &settings.country));
    Some([email, phone].into_iter().flatten().collect())
}

/// Adds the digits of the card that an attempt names for the first time: with its stage.
pub(super) fn add_digits(world: &impl World, change: &mut Change) {
    let attempt = match &change.attempt {
        Some(AttemptWrite::Open(attempt)) => attempt,
        Some(AttemptWrite::Update { from, attempt }) if *from != attempt.stage => attempt,
        Some(AttemptWrite::Update { .. }) | None => return,
    };
    let Some(number) = attempt.params.get("card_number") else { return };
    let key = world.vault().derived(PURPOSE).into_iter().next();
    change.digits = key.and_then(|key| Term::of_card(&key.bytes, &attempt.merchant, number));
}

/// Adds the terms of a search, under every key by which they may have been stored.
pub(in crate::flow) fn complete(world: &impl World, search: &mut PaymentSearch, settings: &MerchantSettings) {
    for key in world.vault().derived(PURPOSE) {
        search.add_terms(&key.bytes, &settings.merchant, &settings.country);
    }
}
