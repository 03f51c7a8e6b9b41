//! Sessions of callers who may not manage cards.
//!
//! Decisions: who has a session id sees what its payer sees, and a token charges a card in every other session too. So a
//! session whose customer was named by a caller who may not manage cards gives no tokens to an SDK and deletes no card. Its
//! page still offers the saved cards, under names that are valid in this session only.

use alloc::vec::Vec;

use crate::access::Caller;
use crate::card::{CardToken, SavedCard};
use crate::flow::find::card::customers_cards;
use crate::port::{PortError, Vault, World};
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::id::SessionId;
use crate::value::slot::Slotted;
use crate::webhook::signature::hmac_sha256;

/// What the key of names is derived for.
const PURPOSE: &str = "card on a page";
/// The bytes of a name.
const NAME_BYTES: usize = 16;

/// Notes in a transaction that is created or changed whether it withholds the cards of its customer: as before if the
/// customer stays.
pub(in crate::flow) fn note(next: &mut Transaction, stored: Option<&Transaction>, caller: &Caller) {
    let stored = stored.map(|stored| &stored.details);
    let same = stored.filter(|stored| stored.customer_id == next.details.customer_id);
    let is_named = next.details.customer_id.is_some() && !caller.manages_cards();
    next.details.withholds_cards = same.map_or(is_named, |stored| stored.withholds_cards);
}

/// The cards that the page shows.
pub(in crate::flow) async fn cards_on_page(
    world: &impl World,
    transaction: &Transaction,
    settings: &MerchantSettings,
) -> Result<Vec<SavedCard>, PortError> {
    let mut cards = customers_cards(world, transaction, settings).await?;
    if transaction.details.withholds_cards {
        for saved in &mut cards {
            saved.card.token = name(world, &transaction.session_id, &saved.card.token)?;
        }
    }
    Ok(cards)
}

/// The token of the card that the payer chose on the page.
pub(in crate::flow) async fn chosen(
    world: &impl World,
    transaction: &Transaction,
    settings: &MerchantSettings,
    chosen: &CardToken,
) -> Result<CardToken, PortError> {
    if transaction.details.withholds_cards {
        for saved in customers_cards(world, transaction, settings).await? {
            if name(world, &transaction.session_id, &saved.card.token)?.digits() == chosen.digits() {
                return Ok(saved.card.token);
            }
        }
    }
    Ok(chosen.clone())
}

/// The name of a card in one session, in the form of a token.
fn name(world: &impl World, session_id: &SessionId, token: &CardToken) -> Result<CardToken, PortError> {
    let broken = || PortError { port: "vault", detail: "there is no key for cards on a page".into() };
    let keys = world.vault().derived(PURPOSE);
    let key = keys.first().ok_or_else(broken)?;
    let bytes = hmac_sha256(&key.bytes, &[session_id.as_str().as_bytes(), token.as_str().as_bytes()]);
    let name: [u8; NAME_BYTES] =
        bytes.get(..NAME_BYTES).and_then(|part| part.try_into().ok()).ok_or_else(broken)?;
    Ok(CardToken::generate(session_id.slot(), name))
}
