//! Receipts: generated again each time, from what is stored about how the transaction ended.

use alloc::string::String;

use crate::flow::Failure;
use crate::flow::situation::situation_of;
use crate::operation::standing::Standing;
use crate::payment::receipt::{EndedBy, TransactionEnd, claims, compact, is_final, key_set, signing_input};
use crate::port::{Endings, PortError, Signer, Store, StoredEnding, World};
use crate::rejection::Rejection;
use crate::route::query::KEYS;
use crate::settings::MerchantSettings;
use crate::state::State;
use crate::transaction::Transaction;
use crate::value::id::{MerchantId, SessionId};
use crate::violation::Rule;
use crate::wire::query::Parameters;

/// The page that checks receipts, a file next to the Worker.
const VERIFY_PAGE: &str = "/receipt/verify.html";

/// The receipt of a transaction that shows `state`; `None` before it has ended.
pub(crate) async fn receipt_of(
    world: &impl World,
    transaction: &Transaction,
    state: State,
    settings: &MerchantSettings,
) -> Result<Option<String>, PortError> {
    if !is_final(state) {
        return Ok(None);
    }
    let ended = world.ledger(&transaction.session_id).ended(&transaction.session_id, state).await?;
    signed(world, transaction, state, settings, ended.as_ref()).await.map(Some)
}

/// The receipt of a transaction that is listed and shows `state`; `None` before it has ended. How it ended was loaded with
/// others, and so was the attempt that counts.
pub(crate) async fn listed_receipt(
    world: &impl World,
    transaction: &Transaction,
    state: State,
    settings: &MerchantSettings,
    (ending, standing): (Option<&StoredEnding>, Option<&Standing>),
) -> Result<Option<String>, PortError> {
    if !is_final(state) {
        return Ok(None);
    }
    let ended = match ending {
        Some(StoredEnding { at, by: Some((reference, then)) }) => {
            let known = standing.map(|standing| &standing.attempt);
            let attempt = match known.filter(|attempt| attempt.reference == *reference) {
                Some(attempt) => Some(attempt.clone()),
                None => {
                    world.ledger(reference).load_attempt(reference).await?.and_then(|record| record.attempt)
                }
            };
            Some(TransactionEnd { at: *at, by: attempt.map(|attempt| EndedBy { attempt, stage: *then }) })
        }
        Some(StoredEnding { at, by: None }) => Some(TransactionEnd { at: *at, by: None }),
        None => None,
    };
    signed(world, transaction, state, settings, ended.as_ref()).await.map(Some)
}

async fn signed(
    world: &impl World,
    transaction: &Transaction,
    state: State,
    settings: &MerchantSettings,
    ended: Option<&TransactionEnd>,
) -> Result<String, PortError> {
    let issuer = &world.installation().public_url;
    let claims = claims(transaction, state, ended, settings, issuer)?;
    let keys = world.signer().public_keys().await?;
    let key = keys.first().ok_or_else(|| PortError { port: "signer", detail: "there is no key".into() })?;
    let input = signing_input(key, &claims);
    let signature = world.signer().sign(&input).await?;
    Ok(compact(&input, &signature))
}

/// The receipt for anyone who knows the session id, such as the page.
///
/// # Errors
/// [`Rejection::NotFound`] if there is no transaction or it has not ended, or a failure of the world.
pub async fn receipt(world: &impl World, session_id: &SessionId) -> Result<String, Failure> {
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    let situation = situation_of(world, &record.transaction.merchant).await?;
    let has_open = record.has_open_attempt();
    let state = record.transaction.state_at(situation.now, has_open);
    receipt_of(world, &record.transaction, state, &situation.settings)
        .await?
        .ok_or(Rejection::NotFound.into())
}

/// The address of the page that checks the receipt of a transaction. The receipt is in its fragment, so the page
/// needs nothing else and no server learns which receipt is checked.
///
/// # Errors
/// As [`receipt`].
pub async fn verify_address(world: &impl World, session_id: &SessionId) -> Result<String, Failure> {
    let text = receipt(world, session_id).await?;
    Ok(alloc::format!("{}{VERIFY_PAGE}#{text}", world.installation().public_url))
}

/// The public keys with which receipts are checked; of the merchant that the query names, the one with which its webhooks
/// are checked. Every id has a key, so that nobody learns which merchants exist.
///
/// # Errors
/// [`Rejection::Invalid`] for what is not an id, or a failure of the world.
pub async fn public_keys(world: &impl World, query: &str) -> Result<String, Failure> {
    let mut parameters = Parameters::of(query, KEYS);
    let merchant = parameters.read("merchant", Rule::NotMerchantId, MerchantId::parse);
    parameters.finish()?;
    let signer = world.signer();
    let keys = match merchant {
        Some(merchant) => [signer.webhook_key(&merchant).await?].into(),
        None => signer.public_keys().await?,
    };
    Ok(key_set(&keys)?)
}
