//! The payer chose a method on the hosted page.

use alloc::boxed::Box;

pub use super::page::Directed;
use super::page::{PageCard, PageChoice, pay_on_page};
use super::saved_card::{CardChoice, pay_by_card};
use crate::api::pay::PayForm;
use crate::card::CardToken;
use crate::change::{Change, EventKind};
use crate::flow::Failure;
use crate::flow::charge::routing::with_health;
use crate::flow::commit::{Decision, decide_and_commit};
use crate::flow::situation::situation_of;
use crate::gateway::profile::Profile;
use crate::payment::begin::choose_profile;
use crate::payment::payer::completed;
use crate::port::{Record, Store, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::transaction::Details;

/// Loads the transaction and the settings, and pays with the chosen saved card, or on the page of the chosen
/// gateway.
///
/// # Errors
/// The rejection, or a failure of the world. What may have reached the gateway stays open and is asked about
/// later.
pub async fn pay(world: &impl World, form: &PayForm) -> Result<Directed, Failure> {
    let session_id = form.session_id.as_ref().ok_or(Rejection::NotFound)?;
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    let situation = with_health(world, situation_of(world, &record.transaction.merchant).await?).await?;
    if let Some(token) = CardToken::parse(&form.pg_code) {
        let choice = CardChoice { form, token: &token };
        return Box::pin(pay_by_card(world, record, &situation, choice)).await;
    }
    // Boxed: few methods need it.
    let record = Box::pin(complete(world, record, &situation, form)).await?;
    // Boxed, both: with it the future would be larger than a stack should carry.
    Box::pin(pay_on_page(world, record, &situation, PageChoice { form, paid_with: PageCard::Any })).await
}

/// Stores what the chosen method must know of the payer and the payer says now.
async fn complete(
    world: &impl World,
    record: Record,
    situation: &Situation,
    form: &PayForm,
) -> Result<Record, Failure> {
    let settings = &situation.settings;
    let chosen = choose_profile(&record.transaction, settings, &form.pg_code).ok();
    let Some(flexible) = chosen.and_then(Profile::flexible) else { return Ok(record) };
    if !record.transaction.state.is_payable() {
        return Ok(record);
    }
    let completed = |details: &Details| completed(details, &settings.country, flexible, &form.payer);
    if completed(&record.transaction.details)?.is_none() {
        return Ok(record);
    }
    let session_id = record.transaction.session_id.clone();
    let load = async || Ok(world.ledger(&session_id).load(&session_id).await?.ok_or(Rejection::NotFound)?);
    let decided = decide_and_commit(world, Some(Box::new(record)), load, async |record: Box<Record>| {
        let mut next = record.transaction;
        let Some(details) = completed(&next.details)? else { return Ok(Decision::Nothing(())) };
        next.details = details;
        let change = Change::of(next, EventKind::Updated, situation.now);
        Ok(Decision::Commit(Box::new(change), ()))
    });
    decided.await?;
    load().await.map(|record: Record| record)
}
