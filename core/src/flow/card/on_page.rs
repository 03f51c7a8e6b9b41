//! A payer pays with one of their saved cards, on the hosted page or in a checkout SDK.

use alloc::boxed::Box;
use alloc::rc::Rc;

use super::charge::card_of;
use super::withheld::chosen;
use crate::api::pay::Form;
use crate::api::sdk::TokenRequest;
use crate::card::CardToken;
use crate::card::usage::{CardUse, Initiator};
use crate::flow::charge::{Charged, Plan, check_shown, replace_and_charge};
use crate::flow::find::settings_for;
use crate::flow::payer::pay::{Card, Directed, agreed, direct, pay_with};
use crate::flow::sdk::outcome::Paid;
use crate::flow::sdk::price::shown;
use crate::flow::{Failure, now_of};
use crate::gateway::instrument::{FormOfPayment, Instrument};
use crate::payment::acceptance::{check_expiry, gateway_of};
use crate::payment::principal::typed_principal;
use crate::port::{Record, Store, World};
use crate::rejection::Rejection;
use crate::rejection::refusal::CardRefusal;
use crate::settings::MerchantSettings;
use crate::value::id::SessionId;
use crate::words::payment_type::PaymentType;

/// Which saved card the payer chose, and how it is to be charged.
#[derive(Clone, Copy)]
pub(crate) struct CardChoice<'a> {
    /// The form that they sent.
    pub(crate) form: &'a Form,
    /// The card.
    pub(crate) token: &'a CardToken,
}

/// How far a payment with a saved card has come.
enum Progress {
    /// The gateway was asked to charge it; its answer is stored.
    Charged(Box<Charged>),
    /// The payer goes to the gateway's page, the only place where the security code is typed.
    Sent(Directed),
}

/// The answer to the page that asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submission {
    /// The attempt; [`answer_about`](crate::flow::sdk::outcome::answer_about) answers about it.
    Paid(Paid),
    /// The payer continues on the gateway's page.
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
    settings: &Rc<MerchantSettings>,
    choice: CardChoice<'_>,
) -> Result<Directed, Failure> {
    let chosen = choice.form.language.filter(|language| *language != record.transaction.details.language);
    Ok(match charge_saved(world, record, settings, choice).await? {
        Progress::Charged(charged) => {
            let directed = direct(world, &charged.record, chosen);
            Directed { deliveries: charged.earlier, ..directed }
        }
        Progress::Sent(directed) => directed,
    })
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
    let record = world.store().load(&session_id).await?.ok_or(Rejection::NotFound)?;
    let settings = settings_for(world, &record.transaction.merchant).await?;
    let token = CardToken::parse(&request.token).ok_or(Rejection::CardRefused(CardRefusal::Unknown))?;
    let saved = card_of(world, &record.transaction, token.as_str()).await?;
    let profile = gateway_of(&record.transaction, &settings, &saved).map_err(Rejection::CardRefused)?;
    let form = Form {
        session_id: Some(session_id),
        pg_code: request.token,
        shown: shown(&record.transaction, profile, &said)?,
        amount,
        saves_card: false,
        consent: None,
        language: None,
    };
    Ok(match charge_saved(world, record, &settings, CardChoice { form: &form, token: &token }).await? {
        Progress::Charged(charged) => Submission::Paid(Paid::of(*charged)?),
        Progress::Sent(directed) => Submission::Sent(directed),
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
async fn charge_saved(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    choice: CardChoice<'_>,
) -> Result<Progress, Failure> {
    let CardChoice { form, token } = choice;
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
    check_expiry(&transaction, saved.card.expiry, now_of(world, settings)).map_err(Rejection::CardRefused)?;
    let amount = typed_principal(&transaction, form.amount.as_deref())?;
    let agreed = agreed(&transaction, settings, form, None)?;
    if let (Some(shown), Some(quote)) = (&form.shown, profile.quote(amount)) {
        check_shown(shown, profile, amount, &quote)?;
    }
    // 2
    if saved.card.cvv_required {
        let pg_code = profile.code.as_str().into();
        let form = Form { pg_code, saves_card: false, ..form.clone() };
        return Ok(Progress::Sent(Box::pin(pay_with(world, &form, Card::Saved)).await?));
    }
    // 3 to 5
    let card = Some(CardUse::Charge(saved.card.token.clone(), Initiator::Payer));
    let language = form.language.filter(|language| *language != transaction.details.language);
    let (form, shown) = (FormOfPayment::TokenPay, form.shown);
    let plan = Plan { form, language, card, shown, agreed, ..Plan::of(profile, amount, Instrument::Page) };
    Ok(Progress::Charged(Box::new(replace_and_charge(world, record, settings, plan).await?)))
}
