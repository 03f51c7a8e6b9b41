//! Asks a gateway to charge an attempt.

use alloc::string::ToString;

use super::card::card_charge;
use super::plan::Means;
use crate::card::usage::CardUse;
use crate::flow::exchange::connect::{callback_url, return_url, speak};
use crate::flow::exchange::exchange;
use crate::flow::exchange::order::items;
use crate::flow::exchange::patience::{first_gateway_limit, gateway_limit};
use crate::gateway::charge::{Opened, Order, Outcome};
use crate::payment::apply::AttemptResult;
use crate::payment::payer::payer_of;
use crate::port::{PortError, Record, SendError, World};
use crate::settings::MerchantSettings;

/// Opens the charge of an attempt that is already stored. What certainly never reached the gateway is learned as
/// [`AttemptResult::NeverSent`]. The second value says whether the gateway answered, if that shows anything about it: what it
/// refuses may be wrong with one order only.
pub(super) async fn open(
    world: &impl World,
    settings: &MerchantSettings,
    record: &Record,
    means: Means<'_>,
) -> Result<(AttemptResult, Option<bool>), PortError> {
    const NOTHING: (AttemptResult, Option<bool>) = (AttemptResult::NeverSent(None), None);
    let Record { transaction, attempt: Some(attempt) } = record else { return Ok(NOTHING) };
    let Means { profile, instrument, language: chosen, has_next } = means;
    let Some(connector) = speak(world, settings, profile)? else { return Ok(NOTHING) };
    let installation = world.installation();
    let reference = &attempt.reference;
    let card = card_charge(world, transaction, attempt).await?;
    if let (None, CardUse::Charge(..)) = (&card, &attempt.card) {
        return Ok((AttemptResult::NeverSent(Some("the card was deleted".into())), None));
    }
    let language = chosen.unwrap_or(transaction.details.language());
    let order = Order {
        reference: reference.clone(),
        total: attempt.quote.total,
        operation: attempt.operation,
        card,
        saves_card: attempt.card == CardUse::Save,
        instrument,
        language,
        merchant: settings.name.text(language).to_string(),
        return_url: return_url(installation, attempt, chosen),
        callback_url: callback_url(installation, reference),
        order_no: transaction.details.order_no.clone(),
        payer: payer_of(&transaction.details, &settings.country),
        items: items(transaction, settings, language, attempt.quote.total),
        country: settings.country.clone(),
        agreement: transaction.details.agreement.clone(),
        opened_at: attempt.opened_at,
    };
    let limit = if has_next { first_gateway_limit(world) } else { gateway_limit(world) };
    Ok(match exchange(world, connector.open(&order), limit).await {
        Ok(Opened::Reported(report)) => {
            let is_known = report.outcome != Outcome::Unknown;
            (AttemptResult::Report(report), Some(is_known))
        }
        Ok(Opened::Refused { message }) => (AttemptResult::NeverSent(message), None),
        Err(SendError::NotSent) => (AttemptResult::NeverSent(None), Some(false)),
        Err(SendError::Unknown) => (AttemptResult::AnswerLost, Some(false)),
    })
}
