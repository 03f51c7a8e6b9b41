//! A customer of a merchant, by the merchant's own id: payments, saved cards, and erasing what is known of them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use form_urlencoded::Serializer;
use futures_util::future::try_join;
use serde::Serialize;

use super::payment::{PaymentList, payments};
use crate::access::Caller;
use crate::access::granting::missing;
use crate::answer::erasure::Erased;
use crate::card::{CardToken, Holder, SavedCard};
use crate::desk::form::DeskForm;
use crate::flow::Failure;
use crate::flow::account::erase::erase;
use crate::flow::card::remove;
use crate::flow::find::card::MAX_CARDS;
use crate::port::{Cards, World};
use crate::rejection::{RefusedRequest, Rejection};
use crate::route::Action;
use crate::value::json;

/// What is shown of a customer.
#[derive(Debug, Clone)]
pub struct CustomerShown {
    /// The latest payments.
    pub payments: PaymentList,
    /// The saved cards, the most recently used first; `None` for someone who may not see them.
    pub cards: Option<Vec<SavedCard>>,
}

/// A customer of the caller's merchant. One of whom nothing is stored has no payment and no card.
///
/// # Errors
/// What is wrong with the id, or a failure of the world.
pub async fn customer(world: &impl World, caller: &Caller, id: &str) -> Result<CustomerShown, Failure> {
    let query = Serializer::new(String::new()).append_pair("customer_id", id).finish();
    let payments = payments(world, caller, &query).await?;
    // To users the API lists no cards: who may do everything can make a key that does.
    if missing(caller, Action::ManageMerchant).is_some() {
        return Ok(CustomerShown { payments, cards: None });
    }
    let [real, simulated] = [false, true].map(|is_sandbox| holder(caller, id, is_sandbox));
    let ledger = world.ledger(caller.merchant());
    let (mut cards, others) =
        try_join(ledger.cards(&real, MAX_CARDS), ledger.cards(&simulated, MAX_CARDS)).await?;
    cards.extend(others);
    Ok(CustomerShown { payments, cards: Some(cards) })
}

fn holder(caller: &Caller, id: &str, is_sandbox: bool) -> Holder {
    Holder { merchant: caller.merchant().clone(), customer_id: id.to_string(), is_sandbox }
}

/// What became of a card that was to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardDeleted {
    /// The customer does not have it any more.
    Gone,
    /// An agreement locks it.
    Locked,
}

/// Deletes a card of a customer as a form asks. A form that is sent twice finds none, which is what it wants.
///
/// # Errors
/// [`Rejection::NotFound`] for what is no card, or a failure of the world.
pub async fn delete_card(
    world: &impl World,
    caller: &Caller,
    form: &DeskForm,
) -> Result<CardDeleted, Failure> {
    let token = form.get("card").and_then(CardToken::parse).ok_or(Rejection::NotFound)?;
    let id = form.get("customer_id").unwrap_or_default();
    let holder = holder(caller, id, form.get("test").is_some());
    match remove(world, &holder, &token).await {
        Ok(()) | Err(Failure::Refused(RefusedRequest { rejection: Rejection::NotFound, .. })) => {
            Ok(CardDeleted::Gone)
        }
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::CardLocked, .. })) => {
            Ok(CardDeleted::Locked)
        }
        Err(failure) => Err(failure),
    }
}

#[derive(Serialize)]
struct ErasureBody<'a> {
    customer_id: &'a str,
}

/// Erases what identifies a customer, if the form repeats the id; `None` if it does not.
///
/// # Errors
/// The rejection, or a failure of the world; what was erased until then stays erased.
pub async fn erase_customer(
    world: &impl World,
    caller: &Caller,
    form: &DeskForm,
) -> Result<Option<Erased>, Failure> {
    let customer_id = form.get("customer_id").unwrap_or_default();
    if customer_id.is_empty() || form.filled("confirmed") != Some(customer_id.trim()) {
        return Ok(None);
    }
    let body = json::write(&ErasureBody { customer_id })?;
    erase(world, caller, body.as_bytes()).await.map(Some)
}
