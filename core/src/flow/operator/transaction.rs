//! Seeing, asking about and notifying of a merchant's payment transactions, as the merchant does by the same rules.
//!
//! Decision: an inquiry of the staff notifies the merchant's receiver also if nothing new was learned, because it is made for
//! a merchant who misses something.

use alloc::boxed::Box;
use alloc::string::String;

use crate::access::key::KeyKind;
use crate::access::operator::Operator;
use crate::access::{Caller, Rights};
use crate::api::inquiry::{InquiryRequest, Notify};
use crate::api::target::Target;
use crate::flow::Failure;
use crate::flow::merchant::inquiry::{Asking, InquiryAnswer, InquirySources, answer};
use crate::flow::merchant::list::list;
use crate::flow::merchant::retrieve::retrieve;
use crate::flow::situation::known;
use crate::port::{Clock, Journal, World};
use crate::record::audit::Entry;
use crate::value::id::{MerchantId, SessionId};

/// Lists the transactions of a merchant.
///
/// # Errors
/// [`Rejection::NotFound`](crate::rejection::Rejection::NotFound) for an unknown merchant, the rejection of the query, or a
/// failure of the world.
pub async fn list_of(world: &impl World, merchant: &MerchantId, query: &str) -> Result<String, Failure> {
    list(world, &caller(world, merchant).await?, query).await
}

/// Retrieves a transaction of a merchant.
///
/// # Errors
/// [`Rejection::NotFound`](crate::rejection::Rejection::NotFound), or a failure of the world.
pub async fn retrieve_of(
    world: &impl World,
    merchant: &MerchantId,
    session_id: &SessionId,
) -> Result<String, Failure> {
    Ok(retrieve(world, &caller(world, merchant).await?, session_id).await?.body)
}

/// Inquires about a payment for a merchant, and notifies its receiver of what is known then.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn inquire_of(
    world: &impl World,
    by: &Operator,
    merchant: &MerchantId,
    body: &[u8],
) -> Result<InquiryAnswer, Failure> {
    let caller = caller(world, merchant).await?;
    let mut asked = InquiryRequest::parse(body, world.installation())?;
    if matches!(asked.notify, Notify::Nobody) {
        asked.notify = Notify::Receiver;
    }
    let subject = match &asked.target {
        Target::Session(text) | Target::Order(text) | Target::Both { session_id: text, .. } => text.clone(),
    };
    record(world, by, "inquire_of", merchant, &subject).await?;
    let asking = Asking { caller: &caller, by: by.actor(), sources: InquirySources::Gateways };
    Box::pin(answer(world, &asking, &asked)).await
}

/// Notifies the receiver of a merchant of what is known of a payment. No gateway is asked.
///
/// # Errors
/// [`Rejection::NotFound`](crate::rejection::Rejection::NotFound),
/// [`Rejection::NotInquirable`](crate::rejection::Rejection::NotInquirable) if nobody tried to pay, or a failure of the world.
pub async fn notify_of(
    world: &impl World,
    by: &Operator,
    merchant: &MerchantId,
    session_id: &SessionId,
) -> Result<InquiryAnswer, Failure> {
    let caller = caller(world, merchant).await?;
    let asked =
        InquiryRequest { target: Target::Session(session_id.as_str().into()), notify: Notify::Receiver };
    record(world, by, "notify_of", merchant, session_id.as_str()).await?;
    let asking = Asking { caller: &caller, by: by.actor(), sources: InquirySources::Store };
    Box::pin(answer(world, &asking, &asked)).await
}

/// Someone who may do everything for a merchant.
async fn caller(world: &impl World, merchant: &MerchantId) -> Result<Caller, Failure> {
    let situation = known(world, merchant).await?;
    Ok(Caller { rights: Rights::Key(KeyKind::Private, None), prefix: None, is_basic: false, situation })
}

/// Records who does it, before it is done.
async fn record(
    world: &impl World,
    by: &Operator,
    action: &'static str,
    merchant: &MerchantId,
    subject: &str,
) -> Result<(), Failure> {
    let entry = Entry::of(by.actor(), action, world.clock().now()).about(merchant).on(subject);
    Ok(world.directory().record(&entry).await?)
}
