//! Asks a gateway about an operation whose outcome is awaited.

use super::load::{Booked, load};
use super::send::{charge_of, send};
use super::settle::{ReportedOperation, settle};
use crate::approval::carried_out_by;
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::flow::Failure;
use crate::flow::exchange::connect::speak;
use crate::flow::exchange::exchange;
use crate::flow::exchange::patience::gateway_limit;
use crate::flow::situation::situation_of;
use crate::gateway::charge::ChargeRef;
use crate::gateway::operation::{OperationOutcome, OperationRef, OperationReport};
use crate::operation::apply::{OperationUpdate, is_surely_absent};
use crate::port::{SendError, World};
use crate::value::id::ReferenceNumber;
use crate::value::time::Timestamp;

/// Asks about an operation because its gateway said that something happened, or a person wants to know, and stores the answer.
/// Nothing is asked about one that is done. One that was refused may have been done since.
///
/// # Errors
/// A failure of the world.
pub(in crate::flow) async fn inquire(world: &impl World, reference: &ReferenceNumber) -> Result<(), Failure> {
    match load(world, reference).await? {
        Some(stored) if stored.child.stage != OperationStage::Done => ask(world, stored).await,
        Some(_) | None => Ok(()),
    }
}

/// Asks about the outcome of an operation that is open, as it was when its inquiry was due, and stores the answer; whether it
/// was asked.
///
/// # Errors
/// A failure of the world.
pub(in crate::flow) async fn inquire_stored(world: &impl World, stored: Booked) -> Result<bool, Failure> {
    let is_open = stored.child.is_open();
    if is_open {
        ask(world, stored).await?;
    }
    Ok(is_open)
}

async fn ask(world: &impl World, stored: Booked) -> Result<(), Failure> {
    let child = &stored.child;
    let situation = situation_of(world, &child.merchant).await?;
    let settings = &situation.settings;
    let connector = match settings.gateway(&child.pg_code) {
        Some(profile) => speak(world, settings, profile)?,
        None => None,
    };
    let charge = charge_of(world, &stored.books, child).await?;
    // What may still have to be sent stays so until the gateway surely does not have it.
    let unanswered = if is_to_be_sent(child) { OperationUpdate::NoNews } else { OperationUpdate::AnswerLost };
    let learned = match connector.zip(charge) {
        None => unanswered,
        Some((connector, charge)) => {
            let operation = operation_ref(child, charge);
            match exchange(world, connector.inquire_operation(&operation), gateway_limit(world)).await {
                Ok(report) if is_no_answer(&report, child, situation.now) => unanswered,
                // It was approved and never arrived: it is sent under the same reference.
                Ok(report) if report.outcome == OperationOutcome::Absent && is_to_be_sent(child) => {
                    send(world, settings, &stored.books, child).await?
                }
                Ok(report) => OperationUpdate::Report(report),
                Err(SendError::NotSent | SendError::Unknown) => unanswered,
            }
        }
    };
    settle(world, stored, &situation.later(world), ReportedOperation::of_gateway(learned)).await?;
    Ok(())
}

/// Whether who recorded an approved operation ended before the gateway was asked, as far as is known.
fn is_to_be_sent(child: &Child) -> bool {
    child.stage == OperationStage::Sending && carried_out_by(child.tracking_key.as_deref()).is_some()
}

/// "No such operation" is as old as the question; and a gateway that names nothing of its own may not have the operation.
fn is_no_answer(report: &OperationReport, child: &Child, asked_at: Timestamp) -> bool {
    match report.outcome {
        OperationOutcome::Absent => !is_surely_absent(child, asked_at),
        OperationOutcome::Unknown => is_to_be_sent(child) && report.gateway_id.is_none(),
        OperationOutcome::Done | OperationOutcome::Queued | OperationOutcome::Refused => false,
    }
}

fn operation_ref(child: &Child, charge: ChargeRef) -> OperationRef {
    OperationRef {
        reference: child.reference.clone(),
        charge,
        operation: child.operation,
        amount: child.amount,
        gateway_id: child.gateway_id.clone(),
        opened_at: child.opened_at,
    }
}
