//! A payer pays with one of their saved cards in a checkout SDK.

use super::outcome::Paid;
use super::price::shown;
use crate::api::pay::PayForm;
use crate::api::sdk::TokenRequest;
use crate::card::CardToken;
use crate::flow::Failure;
use crate::flow::charge::routing::with_health;
use crate::flow::find::card::card_of;
use crate::flow::payer::page::Directed;
use crate::flow::payer::saved_card::{CardChoice, Progress, charge_saved};
use crate::flow::situation::situation_of;
use crate::payment::acceptance::gateway_of;
use crate::payment::payer::GivenPayer;
use crate::port::{Store, World};
use crate::rejection::Rejection;
use crate::rejection::refusal::CardRefusal;
use crate::value::id::SessionId;

/// The answer to the page that asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submission {
    /// The attempt; [`answer_about`](super::outcome::answer_about) answers about it.
    Paid(Paid),
    /// The payer continues on the gateway's page.
    Sent(Directed),
}

/// The payer pays with a saved card in a checkout SDK: the body is read, reporting every wrong field, and the
/// transaction found; then the card is charged as from the hosted page.
///
/// # Errors
/// The rejection, or a failure of the world. If the charge may have reached the gateway, that is not a
/// failure.
pub async fn submit_token(world: &impl World, body: &[u8]) -> Result<Submission, Failure> {
    let TokenRequest { card: request, amount, said } = TokenRequest::parse(body)?;
    let session_id = SessionId::parse(&request.session_id).ok_or(Rejection::NotFound)?;
    let record = world.ledger(&session_id).load(&session_id).await?.ok_or(Rejection::NotFound)?;
    let situation = with_health(world, situation_of(world, &record.transaction.merchant).await?).await?;
    let token = CardToken::parse(&request.token).ok_or(Rejection::CardRefused(CardRefusal::Unknown))?;
    let saved = card_of(world, &record.transaction, token.as_str()).await?;
    let profile =
        gateway_of(&record.transaction, &situation.settings, &saved).map_err(Rejection::CardRefused)?;
    let form = PayForm {
        is_next: false,
        payer: GivenPayer::default(),
        session_id: Some(session_id),
        pg_code: request.token,
        shown: shown(&record.transaction, profile, &said)?,
        amount,
        saves_card: false,
        consent: None,
        language: None,
    };
    Ok(match charge_saved(world, record, &situation, CardChoice { form: &form, token: &token }).await? {
        Progress::Charged(charged) => Submission::Paid(Paid::of(*charged)?),
        Progress::Sent(directed) => Submission::Sent(directed),
    })
}
