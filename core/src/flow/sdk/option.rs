//! Whether a flexible method takes a payment. Its gateway is asked at most once for each version of a transaction; what is
//! not known in time hides the method.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use crate::api::sdk::OptionCheck;
use crate::flow::Failure;
use crate::flow::exchange::connect::speak;
use crate::flow::exchange::exchange;
use crate::flow::exchange::order::items;
use crate::flow::situation::situation_of;
use crate::gateway::flexible::{Flexible, HiddenReason, Offer, OfferOrder, PayerField};
use crate::gateway::profile::Profile;
use crate::payment::begin::{WantedPayment, choose_profile, may_open};
use crate::payment::payer::{lacking, payer_of};
use crate::port::{Cache, PortError, Record, Store, World};
use crate::rejection::Rejection;
use crate::sdk::flexible::OptionAnswer;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::id::SessionId;
use crate::value::json;

/// How long a gateway may think.
const LIMIT: Duration = Duration::from_millis(800);
/// How long its answer is remembered.
const REMEMBERED: Duration = Duration::from_mins(15);
/// How long it is not asked again that gave none.
const SPARED: Duration = Duration::from_mins(1);
/// The flows whose SDKs know no ways of paying.
const WITHOUT_LABELS: &[&str] = &["tabby", "taly"];

/// Asks about one method:
///
/// 1. find the transaction and the method, which must be payable;
/// 2. what the method must know of the payer comes first: until then it is shown;
/// 3. ask the gateway, unless its answer is remembered.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn check(world: &impl World, session_id: &SessionId, body: &[u8]) -> Result<String, Failure> {
    // 1
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    let code = OptionCheck::read(body)?;
    let situation = situation_of(world, &record.transaction.merchant).await?;
    situation.settings.takes_payments()?;
    let Record { transaction, attempt } = &record;
    let profile = choose_profile(transaction, &situation.settings, &code)?;
    let wanted = WantedPayment { code: &profile.code, principal: transaction.amount };
    may_open(transaction, attempt.as_ref(), wanted, situation.now)?;
    // 2
    let flexible = profile.flexible();
    let required =
        flexible.map(|flexible| lacking(&transaction.details, &situation.settings.country, flexible));
    let required = required.unwrap_or_default();
    let is_asked = required.is_empty() && flexible.is_some_and(|flexible| flexible.asks_first);
    // 3
    let offer = if is_asked {
        offer(world, transaction, &situation.settings, profile).await?
    } else {
        Offer::Shown(Vec::new())
    };
    Ok(json::write(&answer(flexible, offer, required))?)
}

/// What the gateway says, or said a while ago. A cache that fails has nothing.
async fn offer(
    world: &impl World,
    transaction: &Transaction,
    settings: &MerchantSettings,
    profile: &Profile,
) -> Result<Offer, PortError> {
    let Transaction { session_id, version, .. } = transaction;
    let name = alloc::format!("offer/{session_id}/{version}/{}", profile.code);
    let known = world.cache().read(&name).await.ok().flatten();
    if let Some(offer) = known.and_then(|text| serde_json::from_str(&text).ok()) {
        return Ok(offer);
    }
    let offer = ask(world, transaction, settings, profile).await?;
    let life = if offer == Offer::Hidden(HiddenReason::NoAnswer) { SPARED } else { REMEMBERED };
    if let Ok(text) = json::write(&offer) {
        // What is not remembered is asked again.
        let _ = world.cache().write(&name, &text, life).await;
    }
    Ok(offer)
}

async fn ask(
    world: &impl World,
    transaction: &Transaction,
    settings: &MerchantSettings,
    profile: &Profile,
) -> Result<Offer, PortError> {
    const NOTHING: Offer = Offer::Hidden(HiddenReason::NoAnswer);
    let (Some(connector), Some(quote)) =
        (speak(world, settings, profile)?, profile.quote(transaction.amount))
    else {
        return Ok(NOTHING);
    };
    let language = transaction.details.language();
    let order = OfferOrder {
        total: quote.total,
        payer: payer_of(&transaction.details, &settings.country),
        items: items(transaction, settings, language, quote.total),
        language,
        country: settings.country.clone(),
        order_no: transaction.details.order_no.clone(),
    };
    Ok(exchange(world, connector.offers(&order), LIMIT).await.unwrap_or(NOTHING))
}

fn answer(flexible: Option<Flexible>, offer: Offer, required: Vec<PayerField>) -> OptionAnswer {
    let (is_available, labels) = match offer {
        Offer::Shown(labels) => (true, labels),
        Offer::Hidden(_) => (false, Vec::new()),
    };
    let has_labels = flexible.is_some_and(|flexible| !WITHOUT_LABELS.contains(&flexible.flow));
    OptionAnswer {
        is_available,
        payment_labels: has_labels.then_some(labels),
        required,
        single_checkout_enabled: has_labels.then_some(is_available),
    }
}
