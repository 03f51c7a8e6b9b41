//! What a gateway reports by itself: about one charge, or about all charges of an account.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::dispute::{take_dispute, take_said};
use crate::answer::payload::Cause;
use crate::flow::exchange::connect::{return_url, speak};
use crate::flow::inquire::{Inquiry, inquire};
use crate::flow::settle::save_late;
use crate::flow::settle::{AttemptReport, settle};
use crate::flow::situation::situation_of;
use crate::flow::{Failure, operation};
use crate::gateway::callback::{Acknowledgement, CallbackContext, GatewayEvent, MAX_EVENTS};
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOutcome, OperationReport};
use crate::payment::apply::{AttemptResult, ReportOccasion};
use crate::payment::chase::{COST_OF_QUESTION, Urgency};
use crate::port::{Clock, Registry, Store, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::value::id::{DeliveryId, MerchantId, PgCode, ReferenceNumber};

/// The address at which a gateway reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportAddress {
    /// That of one charge or operation.
    Subject(ReferenceNumber),
    /// That of one gateway of a merchant.
    Account(MerchantId, PgCode),
}

/// What follows from a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledBack {
    /// What the gateway is answered.
    pub answer: Acknowledgement,
    /// The notifications to be delivered after the answer.
    pub deliveries: Vec<DeliveryId>,
    /// The charges and operations to be asked about after the answer.
    pub questions: Vec<ReferenceNumber>,
}

/// The account that an address belongs to.
struct GatewayAccount {
    situation: Situation,
    pg_code: PgCode,
    subject: Option<ReferenceNumber>,
    /// Where the payer goes on, if the address is that of a charge.
    return_url: Option<String>,
}

/// The gateway reports by itself:
///
/// 1. find the merchant and the gateway whose address it is;
/// 2. the request must be the gateway's, which its connector knows;
/// 3. store each outcome; a duplicate changes nothing, and what names a charge of another account is ignored.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::SignatureInvalid`], [`Rejection::AttemptInProgress`] if a card comes before its
/// payment, or a failure of the world: then the gateway reports again.
pub async fn call_back(
    world: &impl World,
    address: ReportAddress,
    request: &Incoming,
) -> Result<CalledBack, Failure> {
    // 1
    let account = find(world, address).await?;
    let profile = account.situation.settings.gateway(&account.pg_code).ok_or(Rejection::NotFound)?;
    // 2
    let connector = speak(world, &account.situation.settings, profile)?.ok_or(Rejection::NotFound)?;
    let context = CallbackContext {
        now: account.situation.real_now(),
        subject: account.subject.clone(),
        return_url: account.return_url.clone(),
    };
    let callback = connector.read_callback(request, &context).ok_or(Rejection::SignatureInvalid)?;
    // 3
    let mut called = CalledBack { answer: callback.answer, deliveries: Vec::new(), questions: Vec::new() };
    for event in callback.events.into_iter().take(MAX_EVENTS) {
        take(world, &account, event, &mut called).await?;
    }
    Ok(called)
}

async fn find(world: &impl World, address: ReportAddress) -> Result<GatewayAccount, Failure> {
    let reference = match address {
        ReportAddress::Account(merchant, pg_code) => {
            // Who guesses an account learns nothing about which exist.
            let found = world.directory().merchant(&merchant).await?.ok_or(Rejection::SignatureInvalid)?;
            let is_online = found.settings.gateway(&pg_code).is_some_and(|profile| !profile.is_cash());
            if !is_online {
                return Err(Rejection::SignatureInvalid.into());
            }
            let situation = found.at(world.clock().now());
            return Ok(GatewayAccount { situation, pg_code, subject: None, return_url: None });
        }
        ReportAddress::Subject(reference) => reference,
    };
    let attempt = world.ledger(&reference).load_attempt(&reference).await?.and_then(|record| record.attempt);
    let (merchant, pg_code, return_url) = if let Some(attempt) = attempt {
        let return_url = return_url(world.installation(), &attempt, None);
        (attempt.merchant, attempt.pg_code, Some(return_url))
    } else {
        let child = operation::load(world, &reference).await?.ok_or(Rejection::NotFound)?.child;
        (child.merchant, child.pg_code, None)
    };
    let situation = situation_of(world, &merchant).await?;
    Ok(GatewayAccount { situation, pg_code, subject: Some(reference), return_url })
}

impl GatewayAccount {
    /// The charge or operation that an event is about: that of the address, otherwise the one that it names.
    fn subject(&self, named: &str) -> Option<ReferenceNumber> {
        self.subject.clone().or_else(|| ReferenceNumber::parse(named))
    }

    fn owns(&self, merchant: &MerchantId, pg_code: &PgCode) -> bool {
        self.situation.settings.merchant == *merchant && self.pg_code == *pg_code
    }
}

async fn take(
    world: &impl World,
    account: &GatewayAccount,
    event: GatewayEvent,
    called: &mut CalledBack,
) -> Result<(), Failure> {
    match event {
        GatewayEvent::Charge(report) => {
            let Some(reference) = account.subject(&report.reference) else { return Ok(()) };
            let Some(record) = world.ledger(&reference).load_attempt(&reference).await? else {
                return Ok(());
            };
            let is_own = record
                .attempt
                .as_ref()
                .is_some_and(|attempt| account.owns(&attempt.merchant, &attempt.pg_code));
            if is_own {
                let learned = AttemptResult::Report(report);
                let attempt_report = AttemptReport::of(learned, ReportOccasion::Background, Cause::Callback);
                called
                    .deliveries
                    .extend(settle(world, record, &account.situation, attempt_report).await?.delivery);
            }
        }
        GatewayEvent::Operation(report) => {
            let _ = take_operation(world, account, report, called).await?;
        }
        GatewayEvent::Capture(report) => {
            if let Some((reference, report)) = take_operation(world, account, report, called).await? {
                take_back(world, account, &reference, report).await?;
            }
        }
        GatewayEvent::Saved(report) => {
            let GatewayAccount { situation, pg_code, .. } = account;
            called.deliveries.extend(Box::pin(save_late(world, situation, pg_code, report)).await?);
        }
        GatewayEvent::Disputed(payment) => {
            let GatewayAccount { situation, pg_code, .. } = account;
            called.deliveries.extend(Box::pin(take_dispute(world, situation, pg_code, &payment)).await?);
        }
        GatewayEvent::Dispute(report) => {
            let GatewayAccount { situation, pg_code, .. } = account;
            called.deliveries.extend(Box::pin(take_said(world, situation, pg_code, report)).await?);
        }
        GatewayEvent::Ask(named) => called.questions.extend(asked_about(world, account, &named).await?),
    }
    Ok(())
}

/// Stores how an operation is. If it names none that is known, the report is given back with the reference that it names.
async fn take_operation(
    world: &impl World,
    account: &GatewayAccount,
    report: OperationReport,
    called: &mut CalledBack,
) -> Result<Option<(ReferenceNumber, OperationReport)>, Failure> {
    let Some(reference) = account.subject(&report.reference) else { return Ok(None) };
    let Some(stored) = operation::load(world, &reference).await? else {
        return Ok(Some((reference, report)));
    };
    if account.owns(&stored.child.merchant, &stored.child.pg_code) {
        let operation_report =
            operation::ReportedOperation::of_gateway(operation::OperationUpdate::Report(report));
        let settled = operation::settle(world, stored, &account.situation, operation_report).await?;
        called.deliveries.extend(settled.deliveries);
    }
    Ok(None)
}

/// A gateway that collects a payment by itself may report later, as about a capture, that it could not: the report names the
/// payment.
async fn take_back(
    world: &impl World,
    account: &GatewayAccount,
    reference: &ReferenceNumber,
    report: OperationReport,
) -> Result<(), Failure> {
    let Some(record) = world.ledger(reference).load_attempt(reference).await? else { return Ok(()) };
    let attempt = record.attempt.as_ref();
    let is_own = attempt.is_some_and(|attempt| account.owns(&attempt.merchant, &attempt.pg_code));
    if is_own && report.outcome == OperationOutcome::Refused {
        let learned = AttemptResult::TakenBack(report.message);
        let attempt_report = AttemptReport::of(learned, ReportOccasion::Background, Cause::Callback);
        settle(world, record, &account.situation, attempt_report).await?;
    }
    Ok(())
}

/// What an event that is a reason to ask is about: the charge or operation of the account that it names, otherwise that of
/// the address.
async fn asked_about(
    world: &impl World,
    account: &GatewayAccount,
    named: &str,
) -> Result<Option<ReferenceNumber>, Failure> {
    match ReferenceNumber::parse(named).filter(|named| account.subject.as_ref() != Some(named)) {
        Some(named) if is_of(world, account, &named).await? => Ok(Some(named)),
        Some(_) | None => Ok(account.subject.clone()),
    }
}

/// Whether a charge or an operation belongs to an account.
async fn is_of(
    world: &impl World,
    account: &GatewayAccount,
    reference: &ReferenceNumber,
) -> Result<bool, Failure> {
    let attempt = world.ledger(reference).load_attempt(reference).await?.and_then(|record| record.attempt);
    if let Some(attempt) = attempt {
        return Ok(account.owns(&attempt.merchant, &attempt.pg_code));
    }
    let stored = operation::load(world, reference).await?;
    Ok(stored.is_some_and(|stored| account.owns(&stored.child.merchant, &stored.child.pg_code)))
}

/// Asks about a charge or an operation of which its gateway said that something happened; the notifications to be delivered.
/// Nothing is asked about what succeeded. A charge that ended without success may have been paid since, and an operation that was
/// refused done.
///
/// # Errors
/// A failure of the world.
pub async fn ask_about(world: &impl World, reference: &ReferenceNumber) -> Result<Vec<DeliveryId>, Failure> {
    let Some(record) = world.ledger(reference).load_attempt(reference).await? else {
        let now = world.clock().now();
        if world.ledger(reference).may_ask(reference, now, now.plus(COST_OF_QUESTION)).await? {
            // Boxed: most questions are about charges.
            Box::pin(operation::inquire(world, reference)).await?;
        }
        return Ok(Vec::new());
    };
    if record.attempt.as_ref().is_none_or(|attempt| Urgency::of(attempt.stage).is_none()) {
        return Ok(Vec::new());
    }
    let situation = situation_of(world, &record.transaction.merchant).await?;
    let settled = inquire(world, record, &situation, Inquiry::ANNOUNCED).await?;
    Ok(settled.delivery.into_iter().collect())
}
