//! Asks a gateway to charge an attempt.

use alloc::string::ToString;

use super::Means;
use crate::card::usage::CardUse;
use crate::flow::card;
use crate::flow::connect::{callback_url, return_url, speak};
use crate::flow::exchange::exchange;
use crate::flow::patience::gateway_limit;
use crate::gateway::charge::{Opened, Order, Payer};
use crate::payment::apply::Learned;
use crate::port::{PortError, Record, SendError, World};
use crate::settings::MerchantSettings;
use crate::transaction::Details;

/// Opens the charge of an attempt that is already stored. What certainly never reached the gateway is learned as
/// [`Learned::NeverSent`].
pub(super) async fn open(
    world: &impl World,
    settings: &MerchantSettings,
    record: &Record,
    means: Means<'_>,
) -> Result<Learned, PortError> {
    let Record { transaction, attempt: Some(attempt) } = record else { return Ok(Learned::NeverSent(None)) };
    let Means { profile, instrument, language: chosen } = means;
    let Some(connector) = speak(world, settings, profile)? else { return Ok(Learned::NeverSent(None)) };
    let installation = world.installation();
    let reference = &attempt.reference;
    let card = card::card_charge(world, transaction, attempt).await?;
    if let (None, CardUse::Charge(..)) = (&card, &attempt.card) {
        return Ok(Learned::NeverSent(Some("the card was deleted".into())));
    }
    let language = chosen.unwrap_or(transaction.details.language);
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
        payer: payer(&transaction.details),
        agreement: transaction.details.agreement.clone(),
        opened_at: attempt.opened_at,
    };
    Ok(match exchange(world, connector.open(&order), gateway_limit(world)).await {
        Ok(Opened::Reported(report)) => Learned::Report(report),
        Ok(Opened::Refused { message }) => Learned::NeverSent(message),
        Err(SendError::NotSent) => Learned::NeverSent(None),
        Err(SendError::Unknown) => Learned::AnswerLost,
    })
}

fn payer(details: &Details) -> Payer {
    Payer {
        id: details.customer_id.clone(),
        first_name: details.customer_first_name.clone(),
        last_name: details.customer_last_name.clone(),
        email: details.customer_email.clone(),
        phone: details.customer_phone.clone(),
        billing: details.billing_address.clone(),
        shipping: details.shipping_address.clone(),
    }
}
