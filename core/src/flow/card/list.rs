//! The cards of a customer, for the merchant's server.

use alloc::string::String;
use alloc::vec::Vec;

use crate::access::Caller;
use crate::answer::token::{CardListScene, cards};
use crate::api::card::{Deletion, Filter};
use crate::card::usage::CardUse;
use crate::card::{CardToken, Holder, SavedCard};
use crate::flow::Failure;
use crate::flow::find::card::{MAX_CARDS, customers_cards};
use crate::flow::situation::situation_of;
use crate::port::{CardDeletion, Cards, Store, World};
use crate::rejection::Rejection;
use crate::value::id::SessionId;
use crate::value::json;

/// Lists a customer's cards:
///
/// 1. read the filters, reporting every wrong field;
/// 2. load the customer's cards, the most recently used first, and leave out what the filters exclude.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn list(world: &impl World, caller: &Caller, body: &[u8]) -> Result<String, Failure> {
    let now = caller.situation.now;
    // 1
    let filter = Filter::parse(body)?;
    // 2
    let holder = Holder {
        merchant: caller.merchant().clone(),
        customer_id: filter.customer_id.clone(),
        is_sandbox: filter.is_sandbox,
    };
    let mut found: Vec<SavedCard> = world.ledger(&holder).cards(&holder, MAX_CARDS).await?;
    found.retain(|saved| filter.admits(saved));
    let scene = CardListScene { settings: &caller.situation.settings, now, is_payer: false, sdk: None };
    Ok(json::write(&cards(&found, &scene, |_, card| card))?)
}

/// Deletes a card of a customer:
///
/// 1. read the query, reporting what is missing;
/// 2. delete the card, unless an agreement locks it; another customer's card is answered as if there were
///    none.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn delete(world: &impl World, caller: &Caller, token: &str, query: &str) -> Result<(), Failure> {
    // 1
    let Deletion { customer_id, is_sandbox } = Deletion::parse(query)?;
    // 2
    let token = CardToken::parse(token).ok_or(Rejection::NotFound)?;
    let merchant = caller.merchant().clone();
    remove(world, &Holder { merchant, customer_id, is_sandbox }, &token).await
}

/// Deletes a card of a holder.
pub(crate) async fn remove(world: &impl World, holder: &Holder, token: &CardToken) -> Result<(), Failure> {
    match world.ledger(holder).delete_card(holder, token).await? {
        CardDeletion::Deleted => Ok(()),
        CardDeletion::Locked => Err(Rejection::CardLocked.into()),
        CardDeletion::Unknown => Err(Rejection::NotFound.into()),
    }
}

/// The payer deletes one of the cards that a transaction shows, even an expired one:
///
/// 1. find the transaction by its id, which is the only authorisation; one that withholds cards deletes none;
/// 2. a card with which the transaction is being paid is locked until the outcome is known;
/// 3. delete the card of its customer, unless an agreement locks it.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn delete_of_payer(world: &impl World, session_id: &SessionId, token: &str) -> Result<(), Failure> {
    // 1
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    if record.transaction.details.withholds_cards {
        return Err(Rejection::NotFound.into());
    }
    let situation = situation_of(world, &record.transaction.merchant).await?;
    // 2
    let token = CardToken::parse(token).ok_or(Rejection::NotFound)?;
    let open = record.attempt.as_ref().filter(|attempt| attempt.is_open());
    if open.is_some_and(|attempt| matches!(&attempt.card, CardUse::Charge(card, _) if *card == token)) {
        return Err(Rejection::CardLocked.into());
    }
    // 3
    let cards = customers_cards(world, &record.transaction, &situation.settings).await?;
    let saved = cards.into_iter().find(|saved| saved.card.token == token).ok_or(Rejection::NotFound)?;
    remove(world, &saved.card.holder, &token).await
}
