//! A payer who chooses one of his kept cards on the hosted page (wire contract 4.7 and 9.4).

use alloc::boxed::Box;
use alloc::rc::Rc;

use super::charge::card_of;
use crate::api::pay::Form;
use crate::card::CardToken;
use crate::card::acceptance::{CardRefusal, check_expiry, gateway_of};
use crate::card::usage::{CardUse, Initiator};
use crate::flow::native::make_room;
use crate::flow::open_attempt::{Wish, charge_attempt, open_attempt};
use crate::flow::pay::{Directed, direct, pay};
use crate::flow::{Failure, now_of};
use crate::payment::instrument::{FormOfPayment, Instrument};
use crate::payment::principal::principal;
use crate::port::{Record, World};
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::transaction::payment_type::PaymentType;

/// Charges a kept card:
///
/// 1. the card must be the customer's, of a gateway of the transaction, and good for long enough; a payment that saves a
///    card takes none;
/// 2. a card whose gateway wants the security code is paid on the gateway's page, where alone it is typed;
/// 3. an attempt that waits for the payer on a page is withdrawn there;
/// 4. **commit 1**: the attempt exists, even if everything stops now; a second open attempt loses here;
/// 5. the gateway is asked to charge, and **commit 2** stores what it said. The payer goes on to the bank's question, or
///    to the address that shows the outcome.
///
/// # Errors
/// The rejection, or a failure of the world. What may have reached the gateway is no failure.
pub(crate) async fn pay_by_card(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    (form, token): (&Form, &CardToken),
) -> Result<Directed, Failure> {
    // 1
    let transaction = record.transaction.clone();
    if transaction.details.payment_type == PaymentType::SaveCard {
        return Err(Rejection::CardRefused(CardRefusal::Unknown).into());
    }
    let kept = card_of(world, &transaction, token.as_str()).await?;
    let profile = gateway_of(&transaction, settings, &kept).map_err(Rejection::CardRefused)?;
    check_expiry(&transaction, kept.card.expiry, now_of(world, settings)).map_err(Rejection::CardRefused)?;
    let amount = principal(&transaction, form.amount.as_deref())?;
    // 2
    if kept.card.cvv_required {
        let pg_code = profile.code.as_str().into();
        return Box::pin(pay(world, &Form { pg_code, saves_card: false, ..form.clone() })).await;
    }
    // 3
    let (record, delivery) = make_room(world, record, settings, (&profile.code, amount)).await?;
    // 4
    let card = Some(CardUse::Charge(kept.card.token.clone(), Initiator::Payer));
    let wish = Wish { card, ..Wish::of(profile, amount, FormOfPayment::TokenPay) };
    let begun = open_attempt(world, record, settings, wish).await?;
    // 5
    let chosen = form.language.filter(|language| *language != transaction.details.language);
    let page = (Instrument::Page, chosen);
    let settled = charge_attempt(world, begun.record, settings, profile, page).await?;
    Ok(Directed { delivery, ..direct(world, &settled.record, chosen) })
}
