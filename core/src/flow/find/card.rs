//! Finds saved cards.

use alloc::vec::Vec;

use crate::attempt::Attempt;
use crate::card::{CardToken, Holder, SavedCard};
use crate::flow::Failure;
use crate::gateway::profile::Profile;
use crate::payment::acceptance::{check_expiry, gateway_of};
use crate::payment::routing::accepting;
use crate::port::{CardName, Cards, PortError, World};
use crate::rejection::Rejection;
use crate::rejection::refusal::CardRefusal;
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;

use crate::words::payment_type::PaymentType;

/// The most cards of one customer that are listed, the most recently used first.
pub(crate) const MAX_CARDS: u32 = 200;

/// The card with which, or for which, an attempt was made; `None` if it no longer exists.
pub(crate) async fn find_card(
    world: &impl World,
    transaction: &Transaction,
    token: &CardToken,
) -> Result<Option<SavedCard>, PortError> {
    world.ledger(&transaction.merchant).card(&transaction.merchant, CardName::Token(token)).await
}

/// The card of a token as it was given.
///
/// # Errors
/// [`CardRefusal::Unknown`], or a failure of the world.
pub(crate) async fn card_of(
    world: &impl World,
    transaction: &Transaction,
    token: &str,
) -> Result<SavedCard, Failure> {
    let unknown = Rejection::CardRefused(CardRefusal::Unknown);
    let Some(token) = CardToken::parse(token) else { return Err(unknown.into()) };
    find_card(world, transaction, &token).await?.ok_or_else(|| unknown.into())
}

/// The saved card that an attempt charged or saved, as it is now.
pub(crate) async fn of_attempt(
    world: &impl World,
    transaction: &Transaction,
    attempt: &Attempt,
) -> Result<Option<SavedCard>, PortError> {
    match attempt.card.token() {
        Some(token) => find_card(world, transaction, token).await,
        None => Ok(None),
    }
}

/// The cards that a payer may be offered for a transaction: those of its customer that are valid for long enough, at the
/// gateways that the transaction offers and that charge cards with the payer. None if a card is to be saved, or if the session
/// withholds them.
pub(crate) async fn offered_cards(
    world: &impl World,
    transaction: &Transaction,
    situation: &Situation,
) -> Result<Vec<SavedCard>, PortError> {
    if transaction.details.withholds_cards {
        return Ok(Vec::new());
    }
    let mut cards = customers_cards(world, transaction, &situation.settings).await?;
    cards.retain(|saved| check_expiry(transaction, saved.card.expiry, situation.now).is_ok());
    Ok(cards)
}

/// The same including expired ones, which the page shows as expired.
pub(crate) async fn customers_cards(
    world: &impl World,
    transaction: &Transaction,
    settings: &MerchantSettings,
) -> Result<Vec<SavedCard>, PortError> {
    let Some(customer_id) = transaction.details.customer_id.clone() else { return Ok(Vec::new()) };
    if transaction.details.payment_type == PaymentType::SaveCard || !transaction.state.is_payable() {
        return Ok(Vec::new());
    }
    let mut environments: Vec<bool> = accepting(transaction, settings)
        .filter(|(p, _)| p.charges_saved_cards())
        .map(|(p, _)| p.sandbox)
        .collect();
    environments.sort_unstable();
    environments.dedup();
    let mut found = Vec::new();
    for is_sandbox in environments {
        let merchant = transaction.merchant.clone();
        let holder = Holder { merchant, customer_id: customer_id.clone(), is_sandbox };
        found.extend(world.ledger(&holder).cards(&holder, MAX_CARDS).await?);
    }
    found.retain(|saved| gateway_of(transaction, settings, saved).is_ok_and(Profile::charges_saved_cards));
    Ok(found)
}
