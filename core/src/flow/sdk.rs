//! What a checkout SDK calls on the payer's behalf. The session id is the only authorisation: it opens the
//! hosted page too.

pub mod option;
pub mod outcome;
pub(crate) mod price;
pub mod token;
pub mod wallet;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::Failure;
use super::commit::{Decision, decide_and_commit};
use super::ending::end;
use crate::answer::sdk::{SdkAudience, SdkScene, canceled, checkout_sdk};
use crate::api::pay::PayForm;
use crate::api::sdk::{Cancel, Chosen, Submit};
use crate::change::{Change, EventKind};
use crate::checkout::page;
use crate::flow::find::card::offered_cards;
use crate::flow::find::{books_of, tried_softly};
use crate::flow::payer::open_page::{PayerVisit, Viewer, arrive};
use crate::flow::payer::pay::{Directed, pay};
use crate::flow::situation::situation_of;
use crate::operation::begin::counting;
use crate::payment::begin::choose_profile;
use crate::payment::ending::Ending;
use crate::payment::principal::principal;
use crate::port::{PageOrigins, Record, Store, World};
use crate::rejection::Rejection;
use crate::sdk::payment::MethodsSeen;
use crate::settings::situation::Situation;
use crate::value::id::{DeliveryId, SessionId};
use crate::value::json;
use crate::violation::{Rule, Violation};

/// An answer, and the notifications to be delivered after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancelAnswer {
    /// The JSON body.
    pub body: String,
    /// The notifications.
    pub deliveries: Vec<DeliveryId>,
}

/// The payment methods, for an SDK that opens: like the page it ends a transaction whose time is over, and
/// notes that the payer saw it.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn init(world: &impl World, session_id: &SessionId, viewer: Viewer) -> Result<String, Failure> {
    let mut arrival = arrive(world, session_id, viewer).await?.ok_or(Rejection::NotFound)?;
    price::note_shown(world, &mut arrival, viewer).await?;
    let PayerVisit { record, situation } = arrival;
    let cards = offered_cards(world, &record.transaction, &situation).await?;
    let attempts = tried_softly(world, record.attempt.as_ref()).await?;
    let books = books_of(world, &record.transaction).await?;
    let latest = counting(books.as_ref(), record.attempt.as_ref());
    let scene = SdkScene {
        transaction: &record.transaction,
        latest,
        status: page::status(&record.transaction, latest, situation.now).at(&situation.settings),
        attempts: &attempts,
        situation: &situation,
        public_url: &world.installation().public_url,
        reach: world.installation().reach,
        audience: SdkAudience::Payer,
        cards: &cards,
    };
    Ok(json::write(&checkout_sdk(&scene))?)
}

/// Notes that the payer sees payment methods that came with the answer to create.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn concur(
    world: &impl World,
    session_id: &SessionId,
    viewer: Viewer,
) -> Result<MethodsSeen, Failure> {
    let mut arrival = arrive(world, session_id, viewer).await?.ok_or(Rejection::NotFound)?;
    price::note_shown(world, &mut arrival, viewer).await?;
    let PayerVisit { record, situation } = arrival;
    let has_open = record.has_open_attempt();
    Ok(MethodsSeen { state: record.transaction.state_at(situation.now, has_open) })
}

/// Begins a payment:
///
/// 1. find the transaction, read the body, and report every wrong field; a gateway or an amount that cannot
///    be paid changes nothing;
/// 2. store the additional phone number;
/// 3. continue as with the page's form.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn submit(world: &impl World, session_id: &SessionId, body: &[u8]) -> Result<Directed, Failure> {
    // 1
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    let chosen = Submit::from_json(body)?.check()?;
    let situation = situation_of(world, &record.transaction.merchant).await?;
    situation.settings.takes_payments()?;
    let profile = choose_profile(&record.transaction, &situation.settings, &chosen.pg_code)?;
    if chosen.saves_card && !profile.can_save_card(&record.transaction) {
        return Err(Rejection::Invalid([Violation::new("save_card", Rule::NoCardSaved)].into()).into());
    }
    principal(&record.transaction, chosen.amount.as_deref())?;
    let shown = price::shown(&record.transaction, profile, &chosen.said)?;
    // 2
    store_phone(world, session_id, &chosen, &situation).await?;
    // 3
    let form = PayForm {
        is_next: chosen.is_next,
        payer: chosen.payer,
        session_id: Some(session_id.clone()),
        pg_code: chosen.pg_code,
        amount: chosen.amount,
        saves_card: chosen.saves_card,
        consent: None,
        language: None,
        shown,
    };
    pay(world, &form).await
}

async fn store_phone(
    world: &impl World,
    session_id: &SessionId,
    chosen: &Chosen,
    situation: &Situation,
) -> Result<(), Failure> {
    let Some(phone) = &chosen.phone else { return Ok(()) };
    let load = async || Ok(world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?);
    let decided = decide_and_commit(world, None, load, async |record: Box<Record>| {
        let mut next = record.transaction;
        // What cannot be paid is refused by the payment itself.
        if next.details.customer_phone_2.as_ref() == Some(phone) || !next.state.is_payable() {
            return Ok(Decision::Nothing(()));
        }
        next.details.customer_phone_2 = Some(phone.clone());
        let change = Change::of(next, EventKind::Updated, situation.now);
        Ok(Decision::Commit(Box::new(change), ()))
    });
    decided.await.map(|_| ())
}

/// Cancels the transaction.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn cancel(
    world: &impl World,
    session_id: &SessionId,
    body: &[u8],
) -> Result<CancelAnswer, Failure> {
    world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    Cancel::check(body)?;
    let done = end(world, session_id, Ending::CanceledByPayer, None).await?;
    let body = json::write(&canceled(&done.record.transaction, done.record.attempt.as_ref()))?;
    Ok(CancelAnswer { body, deliveries: done.deliveries })
}

/// Whether a page of `origin` may call for a transaction. A session id without a transaction permits nothing.
///
/// # Errors
/// A failure of the world.
pub async fn permits_origin(
    world: &impl World,
    session_id: &SessionId,
    origin: &str,
) -> Result<bool, Failure> {
    let allowed = world.ledger(session_id).allowed_origins(session_id).await?;
    Ok(allowed.iter().any(|allowed| allowed == origin))
}
