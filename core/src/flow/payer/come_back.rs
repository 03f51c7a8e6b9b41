//! The payer comes back from a gateway, or waits on a page that is over: the answer of the merchant's
//! receiver decides where they go, regardless of who sends the notification.

use alloc::string::String;

use crate::answer::view::checkout_url;
use crate::attempt::stage::Stage;
use crate::checkout::landing::landing;
use crate::flow::Failure;
use crate::flow::inquire::{Inquiry, inquire};
use crate::flow::situation::situation_of;
use crate::gateway::exchange::Returned;
use crate::port::{Clock, NewestDelivery, PortError, Store, World};
use crate::record::return_token::ReturnToken;
use crate::rejection::Rejection;
use crate::value::id::{DeliveryId, ReferenceNumber, SessionId};
use crate::words::Language;

/// The payer's browser comes back from the gateway:
///
/// 1. load the attempt; the address must carry its token, or nothing is found;
/// 2. if its outcome is open, ask the gateway; what the browser brings back only helps its connector to ask;
/// 3. return the notification that the payer waits for, if there is one.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn come_back(
    world: &impl World,
    reference: &ReferenceNumber,
    token: Option<&ReturnToken>,
    returned: &Returned,
) -> Result<Option<DeliveryId>, Failure> {
    // 1
    let record = world.ledger(reference).load_attempt(reference).await?.ok_or(Rejection::NotFound)?;
    if !token.is_some_and(|token| token.is_of(&record.transaction.session_id, reference)) {
        return Err(Rejection::NotFound.into());
    }
    let situation = situation_of(world, &record.transaction.merchant).await?;
    // 2
    if record.attempt.as_ref().is_some_and(|attempt| attempt.stage.lacks_outcome()) {
        inquire(world, record, &situation, Inquiry::of_return(returned)).await?;
    }
    // 3
    Ok(awaited(world, reference).await?)
}

/// The attempt that the page of a transaction is about, once its outcome is known, for a payer who waits
/// there. `None` if nothing is awaited.
///
/// # Errors
/// A failure of the world.
pub async fn waits_for(
    world: &impl World,
    session_id: &SessionId,
) -> Result<Option<ReferenceNumber>, Failure> {
    let record = world.ledger(session_id).load(session_id).await?;
    let attempt = record.and_then(|record| record.attempt).filter(|attempt| !attempt.is_open());
    Ok(attempt.map(|attempt| attempt.reference))
}

/// The newest notification about an attempt that is not delivered yet.
///
/// # Errors
/// If the store fails.
pub async fn awaited(
    world: &impl World,
    reference: &ReferenceNumber,
) -> Result<Option<DeliveryId>, PortError> {
    let newest = world.ledger(reference).newest_delivery(reference).await?;
    Ok(newest.filter(|newest| !newest.status.is_delivered).map(|newest| newest.id))
}

/// Whether the newest notification about an attempt is being sent at this moment, by any process.
///
/// # Errors
/// If the store fails.
pub async fn is_under_way(world: &impl World, reference: &ReferenceNumber) -> Result<bool, PortError> {
    let newest = world.ledger(reference).newest_delivery(reference).await?;
    let now = world.clock().now();
    Ok(newest.is_some_and(|NewestDelivery { status, .. }| {
        !status.is_delivered && status.leased_until.is_some_and(|end| end > now)
    }))
}

/// The merchant's address, if the payer of an attempt is to go there now.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn merchant_address(
    world: &impl World,
    reference: &ReferenceNumber,
) -> Result<Option<String>, Failure> {
    let record = world.ledger(reference).load_attempt(reference).await?.ok_or(Rejection::NotFound)?;
    let situation = situation_of(world, &record.transaction.merchant).await?;
    let delivery = world.ledger(reference).newest_delivery(reference).await?.map(|newest| newest.status);
    let reach = world.installation().reach;
    let link = landing(&record.transaction, record.attempt.as_ref(), delivery, situation.now, reach);
    Ok(link.map(|link| link.url))
}

/// Where a payer goes after coming back from the gateway: to the merchant, or to the checkout page in the
/// language that they chose there, which says so if another attempt has replaced theirs.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn destination(
    world: &impl World,
    reference: &ReferenceNumber,
    language: Option<Language>,
) -> Result<String, Failure> {
    if let Some(url) = merchant_address(world, reference).await? {
        return Ok(url);
    }
    let record = world.ledger(reference).load_attempt(reference).await?.ok_or(Rejection::NotFound)?;
    let mut url = checkout_url(&world.installation().public_url, &record.transaction.session_id);
    if let Some(language) = language {
        url.push_str("&language=");
        url.push_str(language.as_str());
    }
    if record.attempt.is_some_and(|attempt| attempt.stage == Stage::Canceled)
        && let Some(latest) =
            world.ledger(&record.transaction.session_id).load(&record.transaction.session_id).await?
        && latest.attempt.is_some_and(|latest| latest.reference != *reference && latest.is_open())
    {
        url.push_str("&replaced=true");
    }
    Ok(url)
}
