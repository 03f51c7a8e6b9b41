//! The payer comes back from a gateway, or waits on a page that is over: the answer of the merchant's
//! receiver decides where they go, regardless of who sends the notification.

use alloc::string::String;

use crate::answer::view::checkout_url;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::checkout::landing::landing;
use crate::flow::Failure;
use crate::flow::find::books_of;
use crate::flow::inquire::{Inquiry, inquire};
use crate::flow::situation::situation_of;
use crate::gateway::exchange::Returned;
use crate::operation::begin::counting;
use crate::port::{Clock, NewestDelivery, PortError, Record, Store, World};
use crate::record::return_token::ReturnToken;
use crate::rejection::Rejection;
use crate::value::id::{DeliveryId, ReferenceNumber, SessionId};
use crate::words::Language;

/// A notification that the merchant's receiver has yet to accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwaitedNotification {
    /// The attempt that it is about.
    pub reference: ReferenceNumber,
    /// Its id.
    pub id: DeliveryId,
}

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
) -> Result<Option<AwaitedNotification>, Failure> {
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
    let record = world.ledger(reference).load_attempt(reference).await?.ok_or(Rejection::NotFound)?;
    Ok(awaited_of(world, &record).await?)
}

/// What a payer waits for who stays on the page of a transaction: nothing while it is open whether it is paid.
///
/// # Errors
/// If the store fails.
pub async fn awaited(
    world: &impl World,
    session_id: &SessionId,
) -> Result<Option<AwaitedNotification>, PortError> {
    let Some(record) = world.ledger(session_id).load(session_id).await? else { return Ok(None) };
    if record.has_open_attempt() && record.transaction.settlement.is_none() {
        return Ok(None);
    }
    awaited_of(world, &record).await
}

/// The newest notification that the merchant's receiver has yet to accept about the attempt that counts: the one that settled the
/// transaction of a record, otherwise that of the record.
async fn awaited_of(world: &impl World, record: &Record) -> Result<Option<AwaitedNotification>, PortError> {
    let books = books_of(world, &record.transaction).await?;
    let attempt = counting(books.as_ref(), record.attempt.as_ref());
    let Some(Attempt { reference, .. }) = attempt else { return Ok(None) };
    let newest = world.ledger(reference).newest_delivery(reference).await?;
    let waiting = newest.filter(|newest| !newest.status.is_delivered);
    Ok(waiting.map(|newest| AwaitedNotification { reference: reference.clone(), id: newest.id }))
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

/// The merchant's address, if the payer of a transaction is to go there now.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn merchant_address(world: &impl World, session_id: &SessionId) -> Result<Option<String>, Failure> {
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    address_of(world, &record).await
}

/// The same for a transaction with its latest attempt.
async fn address_of(world: &impl World, record: &Record) -> Result<Option<String>, Failure> {
    let Record { transaction, attempt } = record;
    let books = books_of(world, transaction).await?;
    let Some(attempt) = counting(books.as_ref(), attempt.as_ref()) else { return Ok(None) };
    let situation = situation_of(world, &transaction.merchant).await?;
    let newest = world.ledger(&attempt.reference).newest_delivery(&attempt.reference).await?;
    let delivery = newest.map(|newest| newest.status);
    let reach = world.installation().reach;
    let link = landing(transaction, Some(attempt), delivery, situation.now, reach);
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
    let own = world.ledger(reference).load_attempt(reference).await?.ok_or(Rejection::NotFound)?;
    let session_id = &own.transaction.session_id;
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    if let Some(url) = address_of(world, &record).await? {
        return Ok(url);
    }
    let mut url = checkout_url(&world.installation().public_url, session_id);
    if let Some(language) = language {
        url.push_str("&language=");
        url.push_str(language.as_str());
    }
    let is_replaced = own.attempt.is_some_and(|attempt| attempt.stage == Stage::Canceled)
        && record.attempt.is_some_and(|latest| latest.reference != *reference && latest.is_open());
    if is_replaced {
        url.push_str("&replaced=true");
    }
    Ok(url)
}
