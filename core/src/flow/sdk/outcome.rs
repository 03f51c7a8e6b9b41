//! The answer to a page about a payment that it made by wallet or by saved card, once the merchant was
//! notified: the answer of its receiver decides where the payer goes.

use alloc::string::String;
use alloc::vec::Vec;

use crate::answer::native::challenge;
use crate::answer::sdk::{SdkAudience, SdkScene, awaited, response};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::checkout::page;
use crate::flow::Failure;
use crate::flow::charge::Charged;
use crate::flow::exchange::connect::{page_address, return_url};
use crate::flow::find::books_of;
use crate::flow::payer::come_back::destination;
use crate::flow::situation::situation_of;
use crate::operation::begin::counting;
use crate::port::{Record, Store, World};
use crate::rejection::Rejection;
use crate::sdk::callback::PendingResult;
use crate::sdk::payment::WalletAnswer;
use crate::value::id::{DeliveryId, ReferenceNumber, SessionId};
use crate::value::json;

/// A payment whose outcome, as far as it is known, is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paid {
    /// The attempt; [`answer_about`] answers about it.
    pub reference: ReferenceNumber,
    /// The notification of the outcome, for which the payer's browser waits.
    pub awaited: Option<DeliveryId>,
    /// The notifications of attempts that made room for it, for which nobody waits.
    pub earlier: Vec<DeliveryId>,
}

impl Paid {
    /// A payment that was charged just now.
    pub(crate) fn of(charged: Charged) -> Result<Self, Rejection> {
        let attempt = charged.record.attempt.ok_or(Rejection::NotFound)?;
        Ok(Self { reference: attempt.reference, awaited: charged.delivery, earlier: charged.earlier })
    }
}

/// The payment that a page began just now, if its gateway refused it at once.
///
/// # Errors
/// A failure of the world.
pub async fn refused(world: &impl World, session_id: &SessionId) -> Result<Option<Paid>, Failure> {
    let latest = world.ledger(session_id).load(session_id).await?.and_then(|record| record.attempt);
    let is_refused =
        |attempt: &Attempt| matches!(attempt.stage, Stage::Failed | Stage::Canceled | Stage::Error);
    let Some(attempt) = latest.filter(is_refused) else { return Ok(None) };
    let delivery = world.ledger(&attempt.reference).newest_delivery(&attempt.reference).await?;
    let awaited = delivery.map(|newest| newest.id);
    Ok(Some(Paid { reference: attempt.reference, awaited, earlier: Vec::new() }))
}

/// The form of the answer to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// Whether it is approved, together with the callback: 200, or 400 if nothing was paid.
    Approval,
    /// The callback alone, always with 200.
    Callback,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The JSON body.
    pub body: String,
}

/// The answer about an attempt: the bank's question, or the outcome. A payer who paid is sent to the merchant
/// if the merchant's receiver answered 200, otherwise to the page of the payment; while the outcome is
/// unknown, to the address at which they wait.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn answer_about(
    world: &impl World,
    reference: &ReferenceNumber,
    form: AnswerForm,
) -> Result<PageAnswer, Failure> {
    let record = world.ledger(reference).load_attempt(reference).await?.ok_or(Rejection::NotFound)?;
    let situation = situation_of(world, &record.transaction.merchant).await?;
    let Record { transaction, attempt } = &record;
    let attempt = attempt.as_ref().ok_or(Rejection::NotFound)?;
    let installation = world.installation();
    if let Some(page_url) = page_address(installation, transaction, attempt, None) {
        return Ok(PageAnswer { status: 200, body: challenge(transaction, attempt, &page_url)? });
    }
    // Another attempt may have paid the transaction: the payer is shown what became of that.
    let books = books_of(world, transaction).await?;
    let shown = counting(books.as_ref(), Some(attempt)).unwrap_or(attempt);
    let scene = SdkScene {
        transaction,
        latest: Some(shown),
        status: page::status(transaction, Some(shown), situation.now),
        attempts: &[],
        situation: &situation,
        public_url: &installation.public_url,
        reach: installation.reach,
        audience: SdkAudience::Payer,
        cards: &[],
    };
    let known = response(&scene, shown);
    let is_paid = matches!(shown.stage, Stage::Success | Stage::Cod);
    let approved = known.as_ref().map(|_| is_paid);
    let redirect_url = match approved {
        Some(true) => Some(destination(world, reference, None).await?),
        Some(false) => None,
        None => Some(return_url(installation, attempt, None)),
    };
    let mut callback = known.unwrap_or_else(|| awaited(transaction, attempt));
    callback.redirect_url.clone_from(&redirect_url);
    Ok(match form {
        AnswerForm::Callback => PageAnswer { status: 200, body: json::write(&callback)? },
        AnswerForm::Approval => {
            let answer = WalletAnswer {
                approved,
                status: if approved.is_none() { Some(PendingResult::Pending) } else { None },
                message: callback.message.clone(),
                redirect_url,
                callback_payload: callback,
            };
            PageAnswer {
                status: if approved == Some(false) { 400 } else { 200 },
                body: json::write(&answer)?,
            }
        }
    })
}
