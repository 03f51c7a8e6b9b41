//! Retrieving a payment transaction.

use alloc::string::String;

use crate::access::Caller;
use crate::answer::source::ViewSource;
use crate::answer::view::{ViewOptions, view};
use crate::attempt::Attempt;
use crate::card::usage::CardUse;
use crate::draft::writable::entity_tag;
use crate::flow::Failure;
use crate::flow::find::seen_by;
use crate::flow::payer::receipt::receipt_of;
use crate::port::{Bookkeeping, Cards, Record, World};
use crate::value::id::SessionId;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrieveAnswer {
    /// The JSON body.
    pub body: String,
    /// The header `ETag`.
    pub tag: String,
}

/// Retrieves a payment transaction:
///
/// 1. load it; another merchant's id is answered like one that does not exist; the caller may see its plugin;
/// 2. show it as it is now: one whose time is over counts as expired from that moment; once it has ended,
///    with its receipt, and with what its payer agreed to.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn retrieve(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<RetrieveAnswer, Failure> {
    let now = caller.situation.now;
    // 1
    let record = seen_by(world, caller, session_id).await?;
    // 2
    let has_open_attempt = record.has_open_attempt();
    let Record { transaction, attempt } = &record;
    let state = transaction.state_at(now, has_open_attempt);
    let receipt = receipt_of(world, transaction, state, &caller.situation.settings).await?;
    let standing = match attempt {
        Some(_) => world.ledger(session_id).standings(&[session_id]).await?.remove(session_id),
        None => None,
    };
    let agrees = |attempt: &Attempt| {
        transaction.details.payment_type.saves_card()
            || matches!(attempt.card, CardUse::Save | CardUse::Saved(_))
    };
    let consent = match standing.as_ref().map(|standing| &standing.attempt) {
        Some(attempt) if agrees(attempt) => {
            world.ledger(session_id).consent(&attempt.reference).await?.map(Into::into)
        }
        Some(_) | None => None,
    };
    let asked = ViewOptions { consent, receipt, standing, ..ViewOptions::default() };
    let (situation, public_url) = (&caller.situation, &world.installation().public_url);
    let tag = entity_tag(transaction, state, situation.settings.version)?;
    Ok(RetrieveAnswer {
        body: view(ViewSource { transaction, has_open_attempt, situation, public_url }, &asked)?,
        tag,
    })
}
