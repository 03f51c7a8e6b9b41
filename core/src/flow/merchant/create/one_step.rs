//! Creating a payment transaction and charging it in one call.
//!
//! Decisions: the transaction is created first, with the claim of the idempotency key, which names the
//! transaction and the attempt that follows; then the attempt is opened and charged. Whatever fails in
//! between, the same request finds the transaction and continues where it stopped, so that one key is one
//! transaction and one charge. A charge that did not succeed is an error, and leaves the transaction as a
//! failed attempt does.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::answer::{CREATED, CreateAnswer};
use crate::access::Caller;
use crate::answer::native::challenge;
use crate::answer::said;
use crate::api::payment_instrument::PaymentInstrument;
use crate::attempt::stage::Stage;
use crate::draft::Draft;
use crate::flow::Failure;
use crate::flow::card::{Debit, DebitAnswerShape, answer_body, check_debited, debit_card};
use crate::flow::charge::once::{ChargedPayment, OPERATION};
use crate::flow::charge::{Charged, PaymentPurpose, Plan, ServerOrder, replace_and_charge};
use crate::flow::commit::idempotency::do_once;
use crate::flow::exchange::connect::page_address;
use crate::gateway::instrument::Instrument;
use crate::gateway::profile::Profile;
use crate::payment::begin::choose_profile;
use crate::payment::routing::{Preference, route};
use crate::port::{Record, Store, World};
use crate::record::decision::Basis;
use crate::rejection::{AboutRefusal, Rejection};
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::violation::{Rule, Violation};
use crate::words::payment_type::PaymentType;

/// The transaction and the attempt that belong to an idempotency key.
pub(crate) struct OneStepClaim {
    pub(super) session_id: SessionId,
    reference: ReferenceNumber,
}

impl OneStepClaim {
    /// The claim of a new transaction.
    pub(crate) fn new(session_id: SessionId, reference: ReferenceNumber) -> Self {
        Self { session_id, reference }
    }

    /// The claim as it is stored.
    pub(crate) fn text(&self) -> String {
        alloc::format!("{} {}", self.session_id, self.reference)
    }

    /// Reads what [`text`](Self::text) wrote.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (session_id, reference) = text.split_once(' ')?;
        Some(Self {
            session_id: SessionId::parse(session_id)?,
            reference: ReferenceNumber::parse(reference)?,
        })
    }
}

/// What is charged at once.
pub(crate) struct AtOnce {
    /// The transaction and the attempt that belong to the key.
    pub(crate) claim: OneStepClaim,
    /// The transaction as it was just stored; `None` if the same request came before.
    pub(crate) record: Option<Record>,
    /// With what it is paid.
    pub(crate) instrument: PaymentInstrument,
}

/// Whether a draft can be paid at once with an instrument: through one gateway, which accepts it. A wallet
/// provides no card that could be saved, and a saved card belongs to a customer.
///
/// # Errors
/// Every violation.
pub(crate) fn check(
    draft: &Draft,
    settings: &MerchantSettings,
    instrument: &PaymentInstrument,
) -> Result<(), Vec<Violation>> {
    let (kind, details) = (draft.details.payment_type, &draft.details);
    let takes = |profile: &Profile| match instrument {
        PaymentInstrument::Wallet(wallet, _) => profile.wallets.contains(wallet) && !kind.saves_card(),
        PaymentInstrument::Card(_) => profile.auto_debit && kind != PaymentType::SaveCard,
    };
    let mut found = Vec::new();
    if draft.pg_codes.len() != 1 {
        found.push(Violation::new("pg_codes", Rule::TooManyItems { max: 1 }));
    }
    if matches!(instrument, PaymentInstrument::Card(_)) && details.customer_id.is_none() {
        found.push(Violation::new("customer_id", Rule::Required));
    }
    if !draft.pg_codes.iter().filter_map(|code| settings.gateway(code)).all(takes) {
        found.push(Violation::new("payment_instrument.instrument_type", Rule::InstrumentNotTaken));
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Refuses a card that cannot pay, before anything is stored.
///
/// # Errors
/// The reasons that refuse an auto debit, or a failure of the world.
pub(crate) async fn check_card(
    world: &impl World,
    caller: &Caller,
    transaction: &Transaction,
    instrument: Option<&PaymentInstrument>,
) -> Result<(), Failure> {
    let Some(PaymentInstrument::Card(token)) = instrument else { return Ok(()) };
    let checked = check_debited(world, transaction, &caller.situation, token).await;
    checked.map(|_| ()).map_err(|failure| failure.during(OPERATION))
}

/// Pays a transaction that was created, or answers with its outcome:
///
/// 1. if the same request came before, load it: the attempt of the claim exists already, though perhaps it is not
///    the newest;
/// 2. an attempt that waits for the payer on a page is withdrawn there;
/// 3. **commit 1**: the attempt exists; if the same request comes twice at once, one is refused here;
/// 4. the gateway is asked to charge, and **commit 2** stores its answer;
/// 5. answer as a notification does; if the payer has to confirm, the answer says where.
///
/// # Errors
/// The refusal names the transaction: [`Rejection::PaymentDeclined`] if nothing was taken,
/// [`Rejection::AttemptInProgress`] while the same request is in progress, or a failure of the world.
pub(crate) async fn pay(
    world: &impl World,
    caller: &Caller,
    at_once: AtOnce,
) -> Result<CreateAnswer, Failure> {
    let AtOnce { claim, record, instrument } = at_once;
    // 1
    let record = match record {
        Some(record) => record,
        None => world.ledger(&claim.session_id).load(&claim.session_id).await?.ok_or(Rejection::NotFound)?,
    };
    let mut is_untried = record.attempt.is_none();
    let find = async || {
        if core::mem::take(&mut is_untried) {
            return Ok(None);
        }
        // Its attempt by name: the payer may have tried again since then.
        Ok(world.ledger(&claim.reference).load_attempt(&claim.reference).await?)
    };
    // 2 to 4
    let charge = async || {
        let charged = charge(world, caller, record, claim.reference.clone(), instrument).await;
        charged.map_err(|failure| left(&claim, None, failure))
    };
    let payment = ChargedPayment::from(do_once(find, charge).await?);
    // 5
    let answered = answer(world, &caller.situation, payment).await;
    answered.map_err(|failure| left(&claim, Some(&claim.reference), failure))
}

/// A refusal with the transaction and the attempt that remain.
fn left(claim: &OneStepClaim, reference: Option<&ReferenceNumber>, failure: Failure) -> Failure {
    match failure {
        Failure::Refused(refused) => Failure::Refused(refused.about(AboutRefusal {
            session_id: Some(claim.session_id.to_string()),
            reference: reference.cloned(),
            ..AboutRefusal::default()
        })),
        failed @ (Failure::World(_) | Failure::Unwritten) => failed,
    }
}

async fn charge(
    world: &impl World,
    caller: &Caller,
    record: Record,
    reference: ReferenceNumber,
    instrument: PaymentInstrument,
) -> Result<Charged, Failure> {
    let situation = &caller.situation;
    let (wallet, payload) = match instrument {
        PaymentInstrument::Wallet(wallet, payload) => (wallet, payload),
        PaymentInstrument::Card(token) => {
            let debit = Debit { token: &token, reference, claim: None };
            let charged = Box::pin(debit_card(world, caller, record, debit)).await;
            return charged.map_err(|failure| failure.during(OPERATION));
        }
    };
    let instrument = Instrument::Wallet(wallet, payload);
    let amount = record.transaction.amount;
    let code = record.transaction.pg_codes.first().map(ToString::to_string).unwrap_or_default();
    let profile = choose_profile(&record.transaction, &situation.settings, &code)?;
    let preference = Preference {
        chosen: profile,
        by: Basis::Merchant,
        principal: amount,
        instrument: &instrument,
        saves_card: false,
        latest: record.attempt.as_ref(),
    };
    let route = route(&record.transaction, situation, preference);
    let purpose = PaymentPurpose::Native { instrument, shown: None };
    let order = Some(ServerOrder { reference, claim: None, actor: caller.actor() });
    let plan = Plan { profile, principal: amount, purpose, route, order };
    let charged = replace_and_charge(world, record, situation, plan).await;
    charged.map_err(|failure| failure.during(OPERATION))
}

async fn answer(
    world: &impl World,
    situation: &Situation,
    payment: ChargedPayment,
) -> Result<CreateAnswer, Failure> {
    let ChargedPayment { record, is_replayed, deliveries } = payment;
    let attempt = record.attempt.as_ref().ok_or(Rejection::NotFound)?;
    let page = page_address(world.installation(), &record.transaction, attempt, None);
    let body = match attempt.stage {
        Stage::Sending => return Err(Rejection::AttemptInProgress.during(OPERATION).into()),
        Stage::Failed | Stage::Canceled | Stage::Error => {
            let said = said::message(&record.transaction, attempt);
            let message = said.unwrap_or("the gateway declined the payment").to_string();
            return Err(Rejection::PaymentDeclined { message }.during(OPERATION).into());
        }
        Stage::Redirected | Stage::Unknown | Stage::Success | Stage::Cod => match page {
            Some(page_url) => challenge(&record.transaction, attempt, &page_url)?,
            None => answer_body(world, (&record, true), situation, DebitAnswerShape::Notification).await?,
        },
    };
    let session_id = Some(record.transaction.session_id);
    Ok(CreateAnswer { status: CREATED, body, session_id, is_replayed, tag: None, deliveries })
}
