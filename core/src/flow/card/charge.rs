//! The merchant charges a kept card without the payer (specification, Auto debit with saved token), and which cards a payer
//! may be offered.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use crate::access::Action;
use crate::access::header::Credential;
use crate::api::auto_debit::Request;
use crate::api::target::Target;
use crate::card::acceptance::{CardRefusal, check_expiry, gateway_of};
use crate::card::agreement::AgreementKey;
use crate::card::usage::{CardUse, Initiator};
use crate::card::{BankToken, CardToken, KeptCard};
use crate::flow::find::named;
use crate::flow::open_attempt::{Wish, charge_attempt, open_attempt};
use crate::flow::{Failure, authorize, now_of};
use crate::gateway::charge::CardCharge;
use crate::gateway::profile::Profile;
use crate::id::{DeliveryId, ReferenceNumber};
use crate::payment::attempt::Attempt;
use crate::payment::begin::{Opening, may_open, offered};
use crate::payment::instrument::{FormOfPayment, Instrument};
use crate::port::{Cards, Clock, PortError, Record, Vault, World};
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
    Box::pin(charge(world, record.clone(), settings, profile, (&kept, reference))).await
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

/// Begins an attempt that charges a card for the merchant, and asks the gateway for it.
async fn charge(
    world: &impl World,
    record: Record,
    settings: &Rc<MerchantSettings>,
    profile: &Profile,
    (kept, reference): (&KeptCard, Option<ReferenceNumber>),
) -> Result<(Record, Option<DeliveryId>), Failure> {
    let wish = Wish {
        card: Some(CardUse::Charge(kept.card.token.clone(), Initiator::Merchant)),
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
