//! What a gateway is given about a saved card.

use crate::attempt::Attempt;
use crate::card::BankToken;
use crate::card::usage::CardUse;
use crate::flow::find::card::find_card;
use crate::gateway::charge::CardCharge;
use crate::port::{PortError, Vault, World};
use crate::transaction::Transaction;

/// What a gateway is given about the saved card that an attempt charges; `None` if it charges none. A card
/// that no longer exists is an error.
pub(super) async fn card_charge(
    world: &impl World,
    transaction: &Transaction,
    attempt: &Attempt,
) -> Result<Option<CardCharge>, PortError> {
    let (token, initiator) = match &attempt.card {
        CardUse::Charge(token, initiator) => (token, *initiator),
        CardUse::Nothing | CardUse::Save | CardUse::Saved(_) => return Ok(None),
    };
    let Some(saved) = find_card(world, transaction, token).await? else { return Ok(None) };
    let token = BankToken(world.vault().open(&transaction.merchant, &saved.card.bank_token)?);
    Ok(Some(CardCharge { token, initiator, agreement: transaction.details.agreement.clone() }))
}
