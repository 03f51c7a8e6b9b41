//! The payer pays with one of their saved cards.

use alloc::boxed::Box;

use super::page::{Directed, PageCard, PageChoice, agreed, direct, pay_on_page};
use crate::api::pay::PayForm;
use crate::card::CardToken;
use crate::flow::Failure;
use crate::flow::card::chosen;
use crate::flow::charge::{Charged, PageReader, PaymentPurpose, Plan, check_shown, replace_and_charge};
use crate::flow::find::card::card_of;
use crate::payment::acceptance::{check_expiry, gateway_of};
use crate::payment::principal::typed_principal;
use crate::payment::routing::PaymentRoute;
use crate::port::{Record, World};
use crate::rejection::Rejection;
use crate::rejection::refusal::CardRefusal;
use crate::settings::situation::Situation;
use crate::words::payment_type::PaymentType;

/// Which saved card the payer chose, and how it is to be charged.
#[derive(Clone, Copy)]
pub(crate) struct CardChoice<'a> {
    /// The form that they sent.
    pub(crate) form: &'a PayForm,
    /// The card.
    pub(crate) token: &'a CardToken,
}

/// How far a payment with a saved card has come.
pub(crate) enum Progress {
    /// The gateway was asked to charge it; its answer is stored.
    Charged(Box<Charged>),
    /// The payer goes to the gateway's page, the only place where the security code is typed.
    Sent(Directed),
}

/// The payer chose one of their saved cards on the hosted page: they continue to the bank's question, or to
/// the address that shows the outcome.
///
/// # Errors
/// The rejection, or a failure of the world. If the charge may have reached the gateway, that is not a
/// failure.
pub(crate) async fn pay_by_card(
    world: &impl World,
    record: Record,
    situation: &Situation,
    choice: CardChoice<'_>,
) -> Result<Directed, Failure> {
    let chosen = record.transaction.details.unlike(choice.form.language);
    Ok(match charge_saved(world, record, situation, choice).await? {
        Progress::Charged(charged) => {
            let directed = direct(world, &charged.record, chosen);
            Directed { deliveries: charged.earlier, ..directed }
        }
        Progress::Sent(directed) => directed,
    })
}

/// Charges a saved card:
///
/// 1. the card must be the customer's, of a gateway of the transaction that charges cards with the payer, and
///    valid for long enough; a payment that saves a card takes none;
/// 2. a card whose gateway wants the security code is paid on the gateway's page, the only place where it is
///    typed;
/// 3. an attempt that waits for the payer on a page is withdrawn there;
/// 4. **commit 1**: the attempt exists, even if everything stops now; a second open attempt is refused here;
/// 5. the gateway is asked to charge, and **commit 2** stores its answer.
///
/// # Errors
/// The rejection, or a failure of the world. If the charge may have reached the gateway, that is not a
/// failure.
pub(crate) async fn charge_saved(
    world: &impl World,
    record: Record,
    situation: &Situation,
    choice: CardChoice<'_>,
) -> Result<Progress, Failure> {
    let CardChoice { form, token } = choice;
    let settings = &situation.settings;
    // 1
    let transaction = record.transaction.clone();
    if transaction.details.payment_type == PaymentType::SaveCard {
        return Err(Rejection::CardRefused(CardRefusal::Unknown).into());
    }
    let token = chosen(world, &transaction, settings, token).await?;
    let saved = card_of(world, &transaction, token.as_str()).await?;
    let profile = gateway_of(&transaction, settings, &saved).map_err(Rejection::CardRefused)?;
    if !profile.charges_saved_cards() {
        return Err(Rejection::InstrumentNotOffered.into());
    }
    check_expiry(&transaction, saved.card.expiry, situation.now).map_err(Rejection::CardRefused)?;
    let amount = typed_principal(&transaction, form.amount.as_deref())?;
    let agreed = agreed(&transaction, settings, form, None)?;
    if let (Some(shown), Some(quote)) = (&form.shown, profile.quote(amount)) {
        check_shown(shown, profile, amount, &quote)?;
    }
    // 2
    if saved.card.cvv_required {
        let pg_code = profile.code.as_str().into();
        let form = PayForm { pg_code, saves_card: false, ..form.clone() };
        return Ok(Progress::Sent(
            Box::pin(pay_on_page(
                world,
                record,
                situation,
                PageChoice { form: &form, paid_with: PageCard::Saved },
            ))
            .await?,
        ));
    }
    // 3 to 5
    let language = transaction.details.unlike(form.language);
    let payer = PageReader { language, shown: form.shown, agreed };
    let purpose = PaymentPurpose::SavedCard { token: saved.card.token, payer };
    let route = PaymentRoute::only(profile);
    let plan = Plan { profile, principal: amount, purpose, route, order: None };
    Ok(Progress::Charged(Box::new(replace_and_charge(world, record, situation, plan).await?)))
}
