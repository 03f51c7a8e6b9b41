//! The payer chose a method on the hosted page.

use alloc::boxed::Box;

pub use super::page::Directed;
use super::page::{PageCard, PageChoice, pay_on_page};
use super::saved_card::{CardChoice, pay_by_card};
use crate::api::pay::PayForm;
use crate::card::CardToken;
use crate::flow::Failure;
use crate::flow::charge::routing::with_health;
use crate::flow::situation::situation_of;
use crate::port::{Store, World};
use crate::rejection::Rejection;

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
    // Boxed, both: with it the future would be larger than a stack should carry.
    Box::pin(pay_on_page(world, record, &situation, PageChoice { form, paid_with: PageCard::Any })).await
}
