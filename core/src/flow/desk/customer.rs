//! A customer of a merchant, by the merchant's own id: payments, saved cards, and erasing what is known of them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use form_urlencoded::Serializer;
use futures_util::future::{join3, try_join};
use serde::Serialize;

use super::payment::{PAGE, PaymentList, payments};
use crate::access::Caller;
use crate::access::granting::missing;
use crate::answer::erasure::Erased;
use crate::answer::message::MessageShown;
use crate::card::agreement::{AgreementKey, SavedAgreement};
use crate::card::{Card, CardToken, Holder, SavedCard};
use crate::desk::form::DeskForm;
use crate::flow::Failure;
use crate::flow::account::erase::erase;
use crate::flow::account::message;
use crate::flow::card::{MAX_AGREEMENTS, remove, resume};
use crate::flow::find::card::MAX_CARDS;
use crate::port::{Cards, CustomerSearch, Customers, GivenConsent, Journal, Ladders, PortError, World};
use crate::record::audit::Entry;
use crate::record::consent::Consent;
use crate::rejection::{RefusedRequest, Rejection};
use crate::route::Action;
use crate::value::id::SessionId;
use crate::value::json;
use crate::words::payment_type::PaymentType;

/// The most messages, and the most consents, that are shown.
const MAX_ROWS: u32 = 50;

/// What is shown of a customer.
#[derive(Debug, Clone)]
pub struct CustomerShown {
    /// The latest payments.
    pub payments: PaymentList,
    /// The saved cards, the most recently used first; `None` for someone who may not see them.
    pub cards: Option<Vec<SavedCard>>,
    /// The agreements that are paused; none for someone who may not see the cards.
    pub paused: Vec<SavedAgreement>,
    /// What the customer was sent about these payments, the newest first.
    pub messages: Vec<MessageShown>,
    /// What the customer agreed to with these payments, the newest first.
    pub consents: Vec<CustomerConsent>,
}

/// What a customer agreed to.
#[derive(Debug, Clone)]
pub struct CustomerConsent {
    /// The consent.
    pub consent: Consent,
    /// The payment.
    pub session_id: SessionId,
    /// Whether the merchant may charge the card again; otherwise it is only saved.
    pub is_charged_again: bool,
    /// The card; `None` if none was saved, it was deleted since, or the caller may not see it.
    pub card: Option<Card>,
}

/// A customer of the caller's merchant. One of whom nothing is stored has no payment and no card.
///
/// # Errors
/// What is wrong with the id, or a failure of the world.
pub async fn customer(world: &impl World, caller: &Caller, id: &str) -> Result<CustomerShown, Failure> {
    let query = Serializer::new(String::new()).append_pair("customer_id", id).finish();
    let ledger = world.ledger(caller.merchant());
    let search =
        CustomerSearch { merchant: caller.merchant(), customer_id: id, transactions: PAGE, limit: MAX_ROWS };
    let logs = try_join(ledger.messages_to(search), ledger.consents_of(search));
    let (payments, cards, logs) =
        join3(payments(world, caller, &query), cards(world, caller, id), logs).await;
    let (payments, cards, (messages, consents)) = (payments?, cards?, logs?);
    let known = cards.as_deref().unwrap_or_default();
    let consents = consents.into_iter().map(|given| consent(given, &payments, known)).collect();
    let messages = messages.into_iter().map(message::shown).collect();
    let paused = paused(world, caller, id).await?;
    Ok(CustomerShown { payments, cards, paused, messages, consents })
}

fn consent(given: GivenConsent, payments: &PaymentList, cards: &[SavedCard]) -> CustomerConsent {
    let GivenConsent { consent, session_id, card } = given;
    let mut known = cards.iter().map(|saved| &saved.card);
    let mut paid = payments.rows.iter().map(|row| &row.transaction);
    let payment = paid.find(|transaction| transaction.session_id == session_id);
    CustomerConsent {
        is_charged_again: payment.is_some_and(|one| one.details.payment_type == PaymentType::AutoDebit),
        card: card.and_then(|token| known.find(|one| one.token == token).cloned()),
        consent,
        session_id,
    }
}

/// To users the API lists no cards: who may do everything can make a key that does.
async fn cards(world: &impl World, caller: &Caller, id: &str) -> Result<Option<Vec<SavedCard>>, PortError> {
    if missing(caller, Action::ManageMerchant).is_some() {
        return Ok(None);
    }
    let [real, simulated] = [false, true].map(|is_sandbox| holder(caller, id, is_sandbox));
    let ledger = world.ledger(caller.merchant());
    let (mut cards, others) =
        try_join(ledger.cards(&real, MAX_CARDS), ledger.cards(&simulated, MAX_CARDS)).await?;
    cards.extend(others);
    Ok(Some(cards))
}

async fn paused(world: &impl World, caller: &Caller, id: &str) -> Result<Vec<SavedAgreement>, PortError> {
    if missing(caller, Action::ManageMerchant).is_some() {
        return Ok(Vec::new());
    }
    let [real, simulated] = [false, true].map(|is_sandbox| holder(caller, id, is_sandbox));
    let ledger = world.ledger(caller.merchant());
    let (mut found, others) =
        try_join(ledger.agreements(&real, MAX_AGREEMENTS), ledger.agreements(&simulated, MAX_AGREEMENTS))
            .await?;
    found.extend(others);
    found.retain(|agreement| agreement.paused.is_some());
    Ok(found)
}

/// Resumes an agreement as a form asks. One that is not paused goes on already.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn resume_debits(world: &impl World, caller: &Caller, form: &DeskForm) -> Result<(), Failure> {
    let id = form.get("customer_id").unwrap_or_default();
    let holder = holder(caller, id, form.get("test").is_some());
    let key = AgreementKey { holder, id: form.get("agreement").unwrap_or_default().to_string() };
    resume(world, caller, &key).await.map(|_| ())
}

/// A form of a new payment that names a customer, filled with who that is as of their latest payment, for someone who may see it.
///
/// # Errors
/// If the store fails.
pub async fn filled_for(world: &impl World, caller: &Caller, form: DeskForm) -> Result<DeskForm, Failure> {
    let Some(id) = form.filled("customer_id") else { return Ok(form) };
    if missing(caller, Action::List).is_some() || !caller.sees_personal_data() {
        return Ok(form);
    }
    let query = Serializer::new(String::new()).append_pair("customer_id", id).finish();
    let found = match payments(world, caller, &query).await {
        Ok(found) => found,
        // The form says what is wrong with the id.
        Err(Failure::Refused(_)) => return Ok(form),
        Err(failure) => return Err(failure),
    };
    let Some(latest) = found.rows.into_iter().next() else { return Ok(form) };
    let details = latest.transaction.details;
    let known = [
        ("customer_first_name", details.customer_first_name),
        ("customer_last_name", details.customer_last_name),
        ("customer_email", details.customer_email),
        ("customer_phone", details.customer_phone),
    ];
    Ok(known.into_iter().fold(form, |form, (name, value)| form.or_else(name, value)))
}

fn holder(caller: &Caller, id: &str, is_sandbox: bool) -> Holder {
    Holder { merchant: caller.merchant().clone(), customer_id: id.to_string(), is_sandbox }
}

/// What became of a card that was to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardDeleted {
    /// The customer does not have it any more.
    Gone,
    /// An agreement locks it.
    Locked,
}

/// Deletes a card of a customer as a form asks. A form that is sent twice finds none, which is what it wants.
///
/// # Errors
/// [`Rejection::NotFound`] for what is no card, or a failure of the world.
pub async fn delete_card(
    world: &impl World,
    caller: &Caller,
    form: &DeskForm,
) -> Result<CardDeleted, Failure> {
    let token = form.get("card").and_then(CardToken::parse).ok_or(Rejection::NotFound)?;
    let id = form.get("customer_id").unwrap_or_default();
    let holder = holder(caller, id, form.get("test").is_some());
    match remove(world, &holder, &token).await {
        Ok(()) => {
            let entry = Entry::of(caller.actor(), "delete_card", caller.situation.real_now());
            world.directory().record(&entry.about(caller.merchant()).on(token.as_str())).await?;
            Ok(CardDeleted::Gone)
        }
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::NotFound, .. })) => Ok(CardDeleted::Gone),
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::CardLocked, .. })) => {
            Ok(CardDeleted::Locked)
        }
        Err(failure) => Err(failure),
    }
}

#[derive(Serialize)]
struct ErasureBody<'a> {
    customer_id: &'a str,
}

/// Erases what identifies a customer, if the form repeats the id; `None` if it does not.
///
/// # Errors
/// The rejection, or a failure of the world; what was erased until then stays erased.
pub async fn erase_customer(
    world: &impl World,
    caller: &Caller,
    form: &DeskForm,
) -> Result<Option<Erased>, Failure> {
    let customer_id = form.get("customer_id").unwrap_or_default();
    if customer_id.is_empty() || form.filled("confirmed") != Some(customer_id.trim()) {
        return Ok(None);
    }
    let body = json::write(&ErasureBody { customer_id })?;
    erase(world, caller, body.as_bytes()).await.map(Some)
}
