//! Charging a kept card: by the merchant without the payer (specification, Auto debit with saved token), or by the payer
//! in a checkout SDK (wire contract 1.15, submit-token).

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use crate::access::Action;
use crate::access::header::Credential;
use crate::api::auto_debit::Request;
use crate::api::pay::Form;
use crate::api::sdk::Submitted;
use crate::api::target::Target;
use crate::card::acceptance::{CardRefusal, check_expiry, gateway_of};
use crate::card::agreement::AgreementKey;
use crate::card::usage::{CardUse, Initiator};
use crate::card::{BankToken, CardToken, KeptCard};
use crate::checkout::sdk::{Audience, Scene, response};
use crate::flow::find::named;
use crate::flow::open_attempt::{Wish, charge_attempt, open_attempt};
use crate::flow::pay::pay;
use crate::flow::settle::{return_url, settings_for};
use crate::flow::{Failure, authorize, now_of};
use crate::gateway::charge::CardCharge;
use crate::gateway::profile::Profile;
use crate::id::{DeliveryId, ReferenceNumber, SessionId};
use crate::payment::attempt::Attempt;
use crate::payment::begin::{Opening, may_open, offered};
use crate::payment::instrument::{FormOfPayment, Instrument};
use crate::payment::stage::Stage;
use crate::port::{Cards, Clock, PortError, Record, Store, Vault, World};
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::time::Timestamp;
use crate::transaction::Transaction;
use crate::transaction::payment_type::PaymentType;
use crate::webhook::native::native;
use crate::webhook::payload::{Beside, Cause, payload};

/// The word by which refusals name the operation.
const OPERATION: &str = "payment";

/// In which members an auto debit is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Those of a native payment (specification, Native payment response), and `token`.
    Native,
    /// Those of a notification, amounts as texts: at the older address (wire contract C27).
    Notification,
}

/// An answer, and the notification to be delivered after it, or before it where a payer waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The JSON body; the status is 200.
    pub body: String,
    /// The notification.
    pub delivery: Option<DeliveryId>,
}

/// The merchant charges a kept card:
///
/// 1. authenticate, before anything of the body is read;
/// 2. read the body, naming every wrong field;
/// 3. check the session, that a gateway of it supports auto debit and has implemented it, and the card, in this order;
/// 4. check the agreement, where the settings say that its terms are kept;
/// 5. **commit 1**: the attempt exists; a second open attempt loses here;
/// 6. the gateway is asked to charge, and **commit 2** stores what it said;
/// 7. answer with what is known. A charge that was declined is an answer too.
///
/// # Errors
/// The rejection, or a failure of the world. What may have reached the gateway is no failure.
pub async fn auto_debit(
    world: &impl World,
    credential: &Credential,
    (body, shape): (&[u8], Shape),
) -> Result<Answer, Failure> {
    // 1
    let caller = authorize(world, credential, Action::Cards, world.clock().now()).await?;
    let settings = &caller.settings;
    let now = now_of(world, settings);
    // 2 to 6
    let settled = match debit(world, settings, body, now).await {
        Err(Failure::Refused(rejection)) => return Err(rejection.during(OPERATION).into()),
        settled => settled?,
    };
    // 7
    let (record, delivery) = settled;
    Ok(Answer { body: told(world, &record, settings, shape).await?, delivery })
}

async fn debit(
    world: &impl World,
    settings: &Rc<MerchantSettings>,
    body: &[u8],
    now: Timestamp,
) -> Result<(Record, Option<DeliveryId>), Failure> {
    // 2
    let request = Request::parse(body)?;
    // 3 to 6
    let record = named(world, &settings.merchant, &Target::Session(request.session_id), now).await?;
    debit_card(world, settings, record, (&request.token, None), now).await
}

/// Checks a card and charges it without the payer, under a reference that was drawn before or a new one; the steps 3 to
/// 6 of [`auto_debit`].
pub(crate) async fn debit_card(
    world: &impl World,
    settings: &Rc<MerchantSettings>,
    record: Record,
    (token, reference): (&str, Option<ReferenceNumber>),
    now: Timestamp,
) -> Result<(Record, Option<DeliveryId>), Failure> {
    // 3
    let transaction = &record.transaction;
    is_free(&record, now)?;
    let is_charged = transaction.details.payment_type != PaymentType::SaveCard;
    let able = |is_able: fn(&Profile) -> bool| {
        is_charged
            && offered(transaction, settings).any(|(profile, _)| profile.auto_debit && is_able(profile))
    };
    if !able(|_| true) {
        return Err(Rejection::AutoDebitUnsupported.into());
    }
    if !able(|profile| profile.connector.charges_kept_cards()) {
        return Err(Rejection::AutoDebitNotImplemented.into());
    }
    let kept = card_of(world, transaction, token).await?;
    let profile = gateway_of(transaction, settings, &kept).map_err(Rejection::CardRefused)?;
    if !profile.auto_debit {
        return Err(Rejection::AutoDebitUnsupported.into());
    }
    check_expiry(transaction, kept.card.expiry, now).map_err(Rejection::CardRefused)?;
    if kept.card.cvv_required {
        return Err(Rejection::CardRefused(CardRefusal::NeedsPayer).into());
    }
    // 4
    check_agreement(world, transaction, settings, &kept, now).await?;
    // 5, 6
    Box::pin(charge(world, record.clone(), settings, profile, (&kept, Initiator::Merchant, reference))).await
}

/// Under an agreement only the card that stands for it pays, and where the settings say so, only by its terms.
async fn check_agreement(
    world: &impl World,
    transaction: &Transaction,
    settings: &MerchantSettings,
    kept: &KeptCard,
    now: Timestamp,
) -> Result<(), Failure> {
    match transaction.details.payment_type {
        PaymentType::AutoDebit => {}
        PaymentType::OneOff | PaymentType::SaveCard => return Ok(()),
    }
    let id = transaction.details.agreement.as_ref().and_then(|agreement| agreement.id.as_ref());
    let Some(id) = id.filter(|id| kept.agreements.contains(id)) else {
        return Err(Rejection::CardRefused(CardRefusal::NotOfAgreement).into());
    };
    if !settings.agreements.enforce {
        return Ok(());
    }
    let key = AgreementKey { holder: kept.card.holder.clone(), id: id.clone() };
    let agreement = world.store().agreement(&key).await?;
    let breach = agreement.and_then(|agreement| agreement.breach(transaction.amount, now));
    breach.map_or(Ok(()), |breach| Err(Rejection::AgreementBroken(breach).into()))
}

/// Whether a charge may begin now: an attempt that waits for the payer on a page excludes it.
fn is_free(record: &Record, now: Timestamp) -> Result<(), Rejection> {
    let transaction = &record.transaction;
    let Some(code) = transaction.pg_codes.first() else { return Err(Rejection::NotFound) };
    match may_open(transaction, record.attempt.as_ref(), (code, transaction.amount), now)? {
        Opening::Free => Ok(()),
        Opening::Resume | Opening::Replace => Err(Rejection::AttemptInProgress),
    }
}

pub(super) async fn card_of(
    world: &impl World,
    transaction: &Transaction,
    token: &str,
) -> Result<KeptCard, Failure> {
    let unknown = Rejection::CardRefused(CardRefusal::Unknown);
    let Some(token) = CardToken::parse(token) else { return Err(unknown.into()) };
    super::find(world, transaction, &token).await?.ok_or_else(|| unknown.into())
}

/// Begins an attempt that charges a card, and asks the gateway for it.
async fn charge(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    profile: &Profile,
    (kept, initiator, reference): (&KeptCard, Initiator, Option<ReferenceNumber>),
) -> Result<(Record, Option<DeliveryId>), Failure> {
    let wish = Wish {
        card: Some(CardUse::Charge(kept.card.token.clone(), initiator)),
        reference,
        ..Wish::of(profile, record.transaction.amount, FormOfPayment::TokenPay)
    };
    let begun = open_attempt(world, record, settings, wish).await?;
    let settled = charge_attempt(world, begun.record, settings, profile, (Instrument::Page, None)).await?;
    Ok((settled.record, settled.delivery))
}

/// What a gateway is told of the kept card that an attempt charges; `None` where it charges none. A card that is gone is
/// told with the error.
pub(crate) async fn card_charge(
    world: &impl World,
    transaction: &Transaction,
    attempt: &Attempt,
) -> Result<Option<CardCharge>, PortError> {
    let (token, initiator) = match &attempt.card {
        CardUse::Charge(token, initiator) => (token, *initiator),
        CardUse::Nothing | CardUse::Keep | CardUse::Kept(_) => return Ok(None),
    };
    let Some(kept) = super::find(world, transaction, token).await? else { return Ok(None) };
    let token = BankToken(world.vault().open(&transaction.merchant, &kept.card.bank_token)?);
    Ok(Some(CardCharge { token, initiator, agreement: transaction.details.agreement.clone() }))
}

/// The body of the answer about the latest attempt.
pub(crate) async fn told(
    world: &impl World,
    record: &Record,
    settings: &MerchantSettings,
    shape: Shape,
) -> Result<String, Failure> {
    let Some(attempt) = &record.attempt else { return Ok("{}".into()) };
    let kept = match attempt.card.token() {
        Some(token) => super::find(world, &record.transaction, token).await?,
        None => None,
    };
    let hmac_key = world.vault().open(&settings.merchant, &settings.webhook.hmac_key)?;
    let (transaction, kept) = (&record.transaction, kept.as_ref());
    Ok(match shape {
        Shape::Native => native(transaction, (attempt, kept), settings, &hmac_key),
        Shape::Notification => {
            let beside = Beside { card: kept, ..Beside::of(Cause::Other) };
            payload(transaction, attempt, beside, attempt.updated_at, &hmac_key)
        }
    })
}

/// The payer pays with a kept card:
///
/// 1. read the body, naming every wrong field, and find the transaction;
/// 2. the card must be the customer's, of a gateway of the transaction, and good for long enough;
/// 3. a card whose gateway wants the security code is paid on the gateway's page;
/// 4. every other is charged as [`auto_debit`] charges it;
/// 5. answer with the outcome; where it is not known yet, or the bank has a question, with where the payer goes.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn submit_token(world: &impl World, body: &[u8]) -> Result<Answer, Failure> {
    // 1
    let request = Request::parse(body)?;
    let session_id = SessionId::parse(&request.session_id).ok_or(Rejection::NotFound)?;
    let record = world.store().load(&session_id).await?.ok_or(Rejection::NotFound)?;
    let settings = settings_for(world, &record.transaction.merchant).await?;
    let now = now_of(world, &settings);
    // 2
    let transaction = record.transaction.clone();
    if transaction.details.payment_type == PaymentType::SaveCard {
        return Err(Rejection::CardRefused(CardRefusal::Unknown).into());
    }
    let kept = card_of(world, &transaction, &request.token).await?;
    let profile = gateway_of(&transaction, &settings, &kept).map_err(Rejection::CardRefused)?;
    check_expiry(&transaction, kept.card.expiry, now).map_err(Rejection::CardRefused)?;
    // 3
    if kept.card.cvv_required {
        let pg_code = profile.code.as_str().into();
        let form =
            Form { session_id: Some(session_id), pg_code, amount: None, saves_card: false, language: None };
        let directed = Box::pin(pay(world, &form)).await?;
        return Ok(Answer { body: directed_to(directed.url), delivery: directed.delivery });
    }
    // 4
    is_free(&record, now)?;
    let with = (&kept, Initiator::Payer, None);
    let (record, delivery) = Box::pin(charge(world, record, &settings, profile, with)).await?;
    // 5
    Ok(Answer { body: outcome(world, &record, &settings, now), delivery })
}

fn directed_to(url: String) -> String {
    // Texts always serialise.
    serde_json::to_string(&Submitted::to(url)).unwrap_or_default()
}

fn outcome(world: &impl World, record: &Record, settings: &MerchantSettings, now: Timestamp) -> String {
    let Some(attempt) = &record.attempt else { return String::new() };
    let installation = world.installation();
    let scene = Scene {
        transaction: &record.transaction,
        latest: Some(attempt),
        settings,
        public_url: &installation.public_url,
        reach: installation.reach,
        now,
        audience: Audience::Payer,
        cards: &[],
    };
    if let Some(callback) = response(&scene, attempt) {
        // Texts and flags always serialise.
        return serde_json::to_string(&callback).unwrap_or_default();
    }
    match (attempt.stage, attempt.page_url.clone()) {
        (Stage::Redirected, Some(url)) => challenge(record, attempt, &url),
        _ => directed_to(return_url(installation, &attempt.reference, None)),
    }
}

/// The bank asks the payer to confirm on its page (wire contract 1.8.2).
fn challenge(record: &Record, attempt: &Attempt, url: &str) -> String {
    let body = serde_json::json!({
        "status": "3DS",
        "method": "redirect",
        "challenge_occurred": true,
        "form_of_payment": "token_pay",
        "redirect_url": url,
        "reference_number": attempt.reference.as_str(),
        "session_id": record.transaction.session_id.as_str(),
        "order_no": record.transaction.details.order_no,
    });
    alloc::string::ToString::to_string(&body)
}

/// The cards that a payer may be offered for a transaction: those of its customer, at the gateways that it is offered,
/// that are still good. None where a card is to be saved (specification, Rules for `payment_type`, 2).
pub(crate) async fn offered_cards(
    world: &impl World,
    transaction: &Transaction,
    settings: &MerchantSettings,
    now: Timestamp,
) -> Result<Vec<KeptCard>, PortError> {
    let mut cards = customers_cards(world, transaction, settings).await?;
    cards.retain(|kept| !kept.card.expiry.is_over(now));
    Ok(cards)
}

/// The same with those that are not good any more, which the page shows as such.
pub(crate) async fn customers_cards(
    world: &impl World,
    transaction: &Transaction,
    settings: &MerchantSettings,
) -> Result<Vec<KeptCard>, PortError> {
    let Some(customer_id) = transaction.details.customer_id.clone() else { return Ok(Vec::new()) };
    if transaction.details.payment_type == PaymentType::SaveCard || !transaction.state.is_payable() {
        return Ok(Vec::new());
    }
    let mut environments: Vec<bool> =
        offered(transaction, settings).filter(|(p, _)| p.keeps_cards()).map(|(p, _)| p.sandbox).collect();
    environments.sort_unstable();
    environments.dedup();
    let mut found = Vec::new();
    for is_sandbox in environments {
        let merchant = transaction.merchant.clone();
        let holder = crate::card::Holder { merchant, customer_id: customer_id.clone(), is_sandbox };
        found.extend(world.store().cards(&holder, super::list::MAX_CARDS).await?);
    }
    found.retain(|kept| gateway_of(transaction, settings, kept).is_ok());
    Ok(found)
}
