//! The agreements of a customer, for the merchant's server and staff.

use alloc::string::String;

use crate::access::{Caller, Particular};
use crate::answer::agreement::{AgreementList, AgreementShown};
use crate::api::agreement::{AgreementsRequest, ResumeAgreement};
use crate::card::Holder;
use crate::card::agreement::{AgreementKey, SavedAgreement};
use crate::flow::Failure;
use crate::port::{CardName, Cards, Ladders, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::value::json;

/// The most agreements of one customer that are listed.
pub(crate) const MAX_AGREEMENTS: u32 = 200;

/// Lists the agreements of a customer.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn list_agreements(world: &impl World, caller: &Caller, body: &[u8]) -> Result<String, Failure> {
    let holder = holder(caller, AgreementsRequest::parse(body)?);
    let found = world.ledger(&holder.merchant).agreements(&holder, MAX_AGREEMENTS).await?;
    let results = found.into_iter().map(AgreementShown::from).collect();
    Ok(json::write(&AgreementList { results })?)
}

/// Resumes an agreement that is paused:
///
/// 1. read the body, reporting every wrong field;
/// 2. find the agreement; another merchant's is answered like one that does not exist; the caller must be permitted to
///    use the gateway of its card;
/// 3. one batch stores that it goes on, and who said so; one that is not paused stays as it is. What was not paid is not
///    debited by it.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn resume_agreement(world: &impl World, caller: &Caller, body: &[u8]) -> Result<String, Failure> {
    // 1
    let ResumeAgreement { of, agreement_id } = ResumeAgreement::parse(body)?;
    let key = AgreementKey { holder: holder(caller, of), id: agreement_id };
    // 2, 3
    let resumed = resume(world, caller, &key).await?;
    Ok(json::write(&AgreementShown::from(resumed))?)
}

/// Steps 2 and 3 of [`resume_agreement`].
pub(crate) async fn resume(
    world: &impl World,
    caller: &Caller,
    key: &AgreementKey,
) -> Result<SavedAgreement, Failure> {
    let found = world.ledger(key).agreement(key).await?.ok_or(Rejection::NotFound)?;
    let merchant = caller.merchant();
    let card = world.ledger(key).card(merchant, CardName::Token(&found.card)).await?;
    let code = card.ok_or(Rejection::NotFound)?.card.pg_code;
    caller.may(Particular::UseGateway(&code))?;
    let Some(pause) = &found.paused else { return Ok(found) };
    let entry = Entry::of(caller.actor(), "resume_agreement", caller.situation.real_now());
    let entry = entry.about(merchant).on(&pause.session_id);
    // Someone else who resumed it first did the same.
    world.ledger(key).resume_agreement(key, &entry).await?;
    Ok(SavedAgreement { paused: None, ..found })
}

fn holder(caller: &Caller, of: AgreementsRequest) -> Holder {
    Holder { merchant: caller.merchant().clone(), customer_id: of.customer_id, is_sandbox: of.is_sandbox }
}
